// SPDX-License-Identifier: GPL-2.0-or-later
/* The events that are recorded, and the numbers of a disk and its partitions. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "recorder/recorder-internal.h"
#include "util/i18n.h"
#include "util/number.h"
#include "util/suggest.h"

static const struct event_row events[] = {
	{ "block", "block_bio_queue", EVENT_BIO, EVENT_OF_BIO, false },
	{ "block", "block_bio_backmerge", EVENT_BIO, EVENT_OF_BIO, false },
	{ "block", "block_bio_frontmerge", EVENT_BIO, EVENT_OF_BIO, false },
	{ "block", "block_getrq", EVENT_BIO, EVENT_OF_BIO, false },
	{ "block", "block_plug", EVENT_PLUG, EVENT_OF_NO_DISK, false },
	{ "block", "block_unplug", EVENT_UNPLUG, EVENT_OF_NO_DISK, false },
	{ "block", "block_rq_insert", EVENT_REQUEST, EVENT_OF_DISK, false },
	{ "block", "block_rq_issue", EVENT_REQUEST, EVENT_OF_DISK, false },
	{ "block", "block_rq_merge", EVENT_REQUEST, EVENT_OF_DISK, true },
	{ "block", "block_rq_requeue", EVENT_COMPLETION, EVENT_OF_DISK, false },
	{ "block", "block_rq_complete", EVENT_COMPLETION, EVENT_OF_DISK, false },
	{ "kyber", "kyber_latency", EVENT_KYBER_LATENCY, EVENT_OF_DISK, true },
	{ "kyber", "kyber_adjust", EVENT_KYBER_ADJUST, EVENT_OF_DISK, true },
};

_Static_assert(ARRAY_SIZE(events) <= EVENTS_MAX, "who makes room for one each");

static const char *const systems[] = { "block", "kyber" };

const struct event_row *event_get(unsigned index)
{
	return index < ARRAY_SIZE(events) ? &events[index] : NULL;
}

const char *recorder_event_name(unsigned index)
{
	if (index < ARRAY_SIZE(systems))
		return systems[index];
	index -= ARRAY_SIZE(systems);
	return index < ARRAY_SIZE(events) ? events[index].name : NULL;
}

bool event_is_asked(const struct event_row *row, const struct strv *asked)
{
	return !asked || asked->count == 0 || strv_contains(asked, row->name) ||
	       strv_contains(asked, row->system);
}

int event_check_names(const struct strv *asked, struct diag *diag)
{
	for (size_t i = 0; asked && i < asked->count; i++) {
		bool is_known = false;

		for (unsigned k = 0; recorder_event_name(k); k++)
			is_known |= strcmp(recorder_event_name(k), asked->items[i]) == 0;
		if (!is_known)
			return diag_set(diag, -EINVAL,
					_("\"%s\" is no event that can be recorded"),
					asked->items[i]);
	}
	return 0;
}

/* "8:17" */
static bool read_number(const struct root *root, const char *path, unsigned *ret_major,
			unsigned *ret_minor)
{
	_free_ char *text = NULL;
	char *colon;
	int64_t major, minor;

	if (root_read(root, path, &text) < 0)
		return false;
	colon = strchr(text, ':');
	if (!colon)
		return false;
	*colon = '\0';
	if (number_parse_range(text, 0, UINT32_MAX >> 1, &major) < 0 ||
	    number_parse_range(colon + 1, 0, UINT32_MAX >> 1, &minor) < 0)
		return false;
	*ret_major = (unsigned)major;
	*ret_minor = (unsigned)minor;
	return true;
}

int disk_numbers_read(const struct root *root, const struct device *device,
		      struct disk_numbers *ret)
{
	_strv_ struct strv names = { 0 };
	int error = root_list(root, device->sys_path, &names);

	if (error)
		return error;
	*ret = (struct disk_numbers){ .major = device->major, .minor = device->minor };
	for (size_t i = 0; i < names.count && ret->part_count < DISK_PARTS_MAX; i++) {
		_free_ char *partition = NULL, *dev = NULL;

		if (asprintf(&partition, "%s/%s/partition", device->sys_path,
			     names.items[i]) < 0 ||
		    asprintf(&dev, "%s/%s/dev", device->sys_path, names.items[i]) < 0)
			return -ENOMEM;
		if (root_exists(root, partition) &&
		    read_number(root, dev, &ret->parts[ret->part_count].major,
				&ret->parts[ret->part_count].minor))
			ret->part_count++;
	}
	return 0;
}
