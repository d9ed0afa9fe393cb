// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Events of the kernel as lines of text, such as its trace_pipe gives: the kernel's own way
 * from the one to the other takes several times as long, and loses events of fast devices
 * meanwhile. Where a field lies is read from the kernel's description of the event.
 *
 * Plugs of processes that do not use the disk are left out, and a bio of a partition is one
 * of its disk, for its sector is the disk's already.
 */
#include "util/feature.h"

#if HAVE_TRACEFS

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <event-parse.h>

#include "recorder/format-internal.h"
#include "util/i18n.h"

/* Linux has no larger process numbers (PID_MAX_LIMIT, proc(5)). */
#define PIDS (UINT32_C(1) << 22)

/* Names of processes that are remembered, by the last digits of their numbers. */
#define NAMES     4096
#define NAME_SIZE 16

static const char *const field_names[FIELDS] = {
	[FIELD_ID] = "common_type",
	[FIELD_FLAGS] = "common_flags",
	[FIELD_PREEMPT_COUNT] = "common_preempt_count",
	[FIELD_PID] = "common_pid",
	[FIELD_DEV] = "dev",
	[FIELD_SECTOR] = "sector",
	[FIELD_NR_SECTOR] = "nr_sector",
	[FIELD_BYTES] = "bytes",
	[FIELD_ERROR] = "error",
	[FIELD_IOPRIO] = "ioprio",
	[FIELD_RWBS] = "rwbs",
	[FIELD_COMM] = "comm",
	[FIELD_CMD] = "cmd",
	[FIELD_NR_RQ] = "nr_rq",
	[FIELD_DOMAIN] = "domain",
	[FIELD_TYPE] = "type",
	[FIELD_PERCENTILE] = "percentile",
	[FIELD_NUMERATOR] = "numerator",
	[FIELD_DENOMINATOR] = "denominator",
	[FIELD_SAMPLES] = "samples",
	[FIELD_DEPTH] = "depth",
};

#define BIT(field) (UINT32_C(1) << (field))
#define COMMON     (BIT(FIELD_ID) | BIT(FIELD_PID))
#define RANGE                                                                            \
	(BIT(FIELD_DEV) | BIT(FIELD_SECTOR) | BIT(FIELD_NR_SECTOR) | BIT(FIELD_RWBS))

/* What an event has on every kernel. */
static const uint32_t needed[] = {
	[EVENT_REQUEST] = COMMON | RANGE | BIT(FIELD_BYTES) | BIT(FIELD_COMM),
	[EVENT_COMPLETION] = COMMON | RANGE,
	[EVENT_BIO] = COMMON | RANGE | BIT(FIELD_COMM),
	[EVENT_PLUG] = COMMON | BIT(FIELD_COMM),
	[EVENT_UNPLUG] = COMMON | BIT(FIELD_COMM) | BIT(FIELD_NR_RQ),
	[EVENT_KYBER_LATENCY] = COMMON | BIT(FIELD_DEV) | BIT(FIELD_DOMAIN) |
				BIT(FIELD_TYPE) | BIT(FIELD_PERCENTILE) |
				BIT(FIELD_NUMERATOR) | BIT(FIELD_DENOMINATOR) |
				BIT(FIELD_SAMPLES),
	[EVENT_KYBER_ADJUST] =
		COMMON | BIT(FIELD_DEV) | BIT(FIELD_DOMAIN) | BIT(FIELD_DEPTH),
};

struct format {
	process_namer *find_name;
	void *context;
	struct disk_numbers numbers;
	struct layout layouts[EVENTS_MAX];
	size_t layout_count;
	unsigned char *pids; /* processes that did I/O on the disk, a bit each */
	struct {
		uint32_t pid;
		char name[NAME_SIZE];
	} names[NAMES];
	uint64_t events;
};

/* --- layouts ----------------------------------------------------------------------------- */

int format_new(const struct disk_numbers *numbers, process_namer *find_name, void *context,
	       struct format **ret)
{
	_cleanup_(cleanup_format_free) struct format *format = calloc(1, sizeof(*format));

	if (!format)
		return -ENOMEM;
	format->numbers = *numbers;
	format->find_name = find_name;
	format->context = context;
	format->pids = calloc(PIDS / 8, 1);
	if (!format->pids)
		return -ENOMEM;
	*ret = TAKE_PTR(format);
	return 0;
}

void format_free(struct format *format)
{
	if (!format)
		return;
	free(format->pids);
	free(format);
}

static uint32_t find_places(struct tep_event *event, struct place *places)
{
	uint32_t found = 0;

	for (unsigned i = 0; i < FIELDS; i++) {
		const struct tep_format_field *field =
			tep_find_any_field(event, field_names[i]);

		if (!field || field->offset < 0 || field->size < 1 ||
		    field->offset > UINT16_MAX || field->size > UINT16_MAX)
			continue;
		places[i] = (struct place){ .offset = (unsigned short)field->offset,
					    .size = (unsigned short)field->size };
		found |= BIT(i);
	}
	return found;
}

static bool read_layout(const struct event_row *row, const char *description, size_t len,
			struct tep_handle *tep, struct layout *ret)
{
	struct tep_event *event;

	if (tep_parse_event(tep, description, len, row->system))
		return false;
	event = tep_find_event_by_name(tep, row->system, row->name);
	if (!event)
		return false;
	*ret = (struct layout){ .row = row, .id = (unsigned)event->id };
	return (find_places(event, ret->places) & needed[row->kind]) == needed[row->kind];
}

int format_add_event(struct format *format, const struct event_row *row,
		     const char *description, size_t len, struct diag *diag)
{
	struct tep_handle *tep = tep_alloc();
	struct layout layout;
	bool is_understood;

	if (!tep)
		return -ENOMEM;
	is_understood = format->layout_count < EVENTS_MAX &&
			read_layout(row, description, len, tep, &layout);
	tep_free(tep);
	if (!is_understood)
		return diag_set(diag, -EBADMSG,
				_("the kernel describes the event %s in a way that this "
				  "version does not understand"),
				row->name);
	format->layouts[format->layout_count++] = layout;
	return 0;
}

/* --- processes ---------------------------------------------------------------------------- */

static void remember_name(struct format *format, const struct record *record,
			  uint32_t pid)
{
	size_t len, slot = pid % NAMES;
	const char *name = record_get_text(record, FIELD_COMM, &len);

	if (!len)
		return;
	if (len >= NAME_SIZE)
		len = NAME_SIZE - 1;
	format->names[slot].pid = pid;
	memcpy(format->names[slot].name, name, len);
	format->names[slot].name[len] = '\0';
}

static const char *find_name(struct format *format, uint32_t pid)
{
	char *name = format->names[pid % NAMES].name;

	if (pid == 0)
		return "<idle>";
	if (format->names[pid % NAMES].pid == pid)
		return name;
	format->names[pid % NAMES].pid = pid;
	if (!format->find_name(format->context, pid, name, NAME_SIZE))
		snprintf(name, NAME_SIZE, "<...>");
	return name;
}

/* Whether the process did I/O on this disk; it does with this event. */
static bool uses_disk(struct format *format, const struct layout *layout, uint32_t pid)
{
	unsigned char *byte = &format->pids[pid % PIDS / 8],
		      bit = (unsigned char)(1u << pid % 8);

	if (layout->row->reach == EVENT_OF_BIO)
		*byte |= bit;
	return *byte & bit;
}

/* --- events ------------------------------------------------------------------------------- */

static const struct layout *find_layout(const struct format *format, const void *event,
					size_t len)
{
	for (size_t i = 0; i < format->layout_count; i++) {
		const struct record record = { .data = event,
					       .len = len,
					       .layout = &format->layouts[i] };

		if (record_get(&record, FIELD_ID) == format->layouts[i].id)
			return &format->layouts[i];
	}
	return NULL;
}

/* The kernel's numbers: 12 bits above 20. A partition is its disk. */
static void find_device(const struct format *format, struct record *record)
{
	uint64_t dev = record_get(record, FIELD_DEV);

	record->major = (unsigned)(dev >> 20 & 0xfff);
	record->minor = (unsigned)(dev & 0xfffff);
	if (record->layout->row->reach != EVENT_OF_BIO)
		return;
	for (size_t i = 0; i < format->numbers.part_count; i++) {
		if (record->major == format->numbers.parts[i].major &&
		    record->minor == format->numbers.parts[i].minor) {
			record->major = format->numbers.major;
			record->minor = format->numbers.minor;
			return;
		}
	}
}

int format_add(struct format *format, const struct page_event *event, struct text *ret)
{
	struct record record = {
		.data = event->data,
		.len = event->len,
		.layout = find_layout(format, event->data, event->len),
		.cpu = event->cpu,
		.time_ns = event->time_ns,
	};
	uint32_t pid;

	if (event->lost > 0)
		text_addf(ret, "CPU:%u [LOST %u EVENTS]\n", event->cpu,
			  (unsigned)event->lost);
	else if (event->lost < 0)
		text_addf(ret, "CPU:%u [LOST EVENTS]\n", event->cpu);
	if (!record.layout)
		return ret->error;
	pid = (uint32_t)record_get(&record, FIELD_PID);
	remember_name(format, &record, pid);
	if (!uses_disk(format, record.layout, pid) &&
	    record.layout->row->reach == EVENT_OF_NO_DISK)
		return ret->error;
	find_device(format, &record);
	record.process = find_name(format, pid);
	record_add_line(&record, ret);
	format->events++;
	return ret->error;
}

uint64_t format_count(const struct format *format)
{
	return format->events;
}

#endif /* HAVE_TRACEFS */
