// SPDX-License-Identifier: GPL-2.0-or-later
/* An event as the line of text that the kernel's trace_pipe would give. */
#include <string.h>

#include "recorder/format-internal.h"

/* A line is no longer: the texts of an event are, with its numbers. */
#define LINE_MAX_LEN 1024

#define PROCESS_WIDTH 16
#define PID_WIDTH     7

/* Flags of an event: the kernel's documentation of ftrace, "irqs-off" and what follows. */
#define FLAG_IRQS_OFF        0x01
#define FLAG_NEED_RESCHED    0x04
#define FLAG_HARD_IRQ        0x08
#define FLAG_SOFT_IRQ        0x10
#define FLAG_PREEMPT_RESCHED 0x20
#define FLAG_NMI             0x40
#define FLAG_BH_OFF          0x80

struct line {
	char data[LINE_MAX_LEN];
	size_t len;
};

/* --- fields ---------------------------------------------------------------------------- */

uint64_t record_get(const struct record *record, enum field field)
{
	struct place place = record->layout->places[field];
	const unsigned char *at = record->data + place.offset;
	uint16_t v16;
	uint32_t v32;
	uint64_t v64;

	if (!place.size || (size_t)place.offset + place.size > record->len)
		return 0;
	switch (place.size) {
	case 1:
		return *at;
	case sizeof(v16):
		memcpy(&v16, at, sizeof(v16));
		return v16;
	case sizeof(v32):
		memcpy(&v32, at, sizeof(v32));
		return v32;
	case sizeof(v64):
		memcpy(&v64, at, sizeof(v64));
		return v64;
	default:
		return 0;
	}
}

const char *record_get_text(const struct record *record, enum field field,
			    size_t *ret_len)
{
	struct place place = record->layout->places[field];
	const char *text = (const char *)record->data + place.offset;

	*ret_len = 0;
	if (!place.size || (size_t)place.offset + place.size > record->len)
		return "";
	*ret_len = strnlen(text, place.size);
	return text;
}

/* The text of a field of any length: where it lies and how long it is stand in the field. */
static const char *get_dynamic(const struct record *record, enum field field,
			       size_t *ret_len)
{
	uint64_t where = record_get(record, field);
	size_t offset = where & 0xffff, len = where >> 16 & 0xffff;

	*ret_len = 0;
	if (!len || offset + len > record->len)
		return "";
	*ret_len = strnlen((const char *)record->data + offset, len);
	return (const char *)record->data + offset;
}

/* --- lines ------------------------------------------------------------------------------- */

static void put(struct line *line, const char *text, size_t len)
{
	if (len > sizeof(line->data) - line->len)
		len = sizeof(line->data) - line->len;
	memcpy(line->data + line->len, text, len);
	line->len += len;
}

static void put_char(struct line *line, char c)
{
	put(line, &c, 1);
}

static void put_string(struct line *line, const char *text)
{
	put(line, text, strlen(text));
}

/* What a process calls itself breaks no line. */
static void put_name(struct line *line, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++)
		put_char(line, (unsigned char)name[i] < ' ' ? '?' : name[i]);
}

/* At least `width` digits or places, filled with `fill`. */
static void put_padded(struct line *line, uint64_t value, unsigned width, char fill)
{
	char digits[24];
	unsigned count = 0;

	do
		digits[sizeof(digits) - ++count] = (char)('0' + value % 10);
	while (value /= 10);
	for (; count < width && count < sizeof(digits); width--)
		put_char(line, fill);
	put(line, digits + sizeof(digits) - count, count);
}

/* So many that what has `len` is `width` wide. */
static void put_spaces(struct line *line, size_t width, size_t len)
{
	for (; len < width; len++)
		put_char(line, ' ');
}

static void put_number(struct line *line, uint64_t value)
{
	put_padded(line, value, 1, ' ');
}

static void put_text(struct line *line, const struct record *record, enum field field)
{
	size_t len;
	const char *text = record_get_text(record, field, &len);

	put_name(line, text, len);
}

/* --- the beginning of a line ---------------------------------------------------------------- */

static char reschedule_flag(unsigned flags)
{
	switch (flags & (FLAG_NEED_RESCHED | FLAG_PREEMPT_RESCHED)) {
	case FLAG_NEED_RESCHED | FLAG_PREEMPT_RESCHED:
		return 'N';
	case FLAG_NEED_RESCHED:
		return 'n';
	case FLAG_PREEMPT_RESCHED:
		return 'p';
	default:
		return '.';
	}
}

static char interrupt_flag(unsigned flags)
{
	if (flags & FLAG_NMI)
		return flags & FLAG_HARD_IRQ ? 'Z' : 'z';
	if (flags & FLAG_HARD_IRQ)
		return flags & FLAG_SOFT_IRQ ? 'H' : 'h';
	return flags & FLAG_SOFT_IRQ ? 's' : '.';
}

static char irqs_flag(unsigned flags)
{
	if (flags & FLAG_IRQS_OFF)
		return flags & FLAG_BH_OFF ? 'D' : 'd';
	return flags & FLAG_BH_OFF ? 'b' : '.';
}

/* "     fio-1234    [001] d..1.   12.345678: block_rq_issue: " */
static void put_beginning(struct line *line, const struct record *record)
{
	static const char hex[] = ".123456789abcdef";
	unsigned flags = (unsigned)record_get(record, FIELD_FLAGS);
	unsigned preempt = (unsigned)record_get(record, FIELD_PREEMPT_COUNT);
	uint64_t time_us = (record->time_ns + 500) / 1000;
	size_t len = strlen(record->process);

	put_spaces(line, PROCESS_WIDTH, len);
	put_name(line, record->process, len);
	put_char(line, '-');
	len = line->len;
	put_number(line, record_get(record, FIELD_PID));
	put_spaces(line, PID_WIDTH, line->len - len);
	put_string(line, " [");
	put_padded(line, record->cpu, 3, '0');
	put_string(line, "] ");
	put_char(line, irqs_flag(flags));
	put_char(line, reschedule_flag(flags));
	put_char(line, interrupt_flag(flags));
	put_char(line, hex[preempt & 15]);
	put_char(line, hex[preempt >> 4 & 15]);
	put_char(line, ' ');
	put_padded(line, time_us / 1000000, 5, ' ');
	put_char(line, '.');
	put_padded(line, time_us % 1000000, 6, '0');
	put_string(line, ": ");
	put_string(line, record->layout->row->name);
	put_string(line, ": ");
}

/* --- the rest of a line ------------------------------------------------------------------- */

/* "8,16 " */
static void put_device(struct line *line, const struct record *record)
{
	put_number(line, record->major);
	put_char(line, ',');
	put_number(line, record->minor);
	put_char(line, ' ');
}

/* "2048 + 8" */
static void put_sectors(struct line *line, const struct record *record)
{
	put_number(line, record_get(record, FIELD_SECTOR));
	put_string(line, " + ");
	put_number(line, record_get(record, FIELD_NR_SECTOR));
}

/* " be,0,4", where the kernel tells it: class, hint, level */
static void put_priority(struct line *line, const struct record *record)
{
	static const char *const classes[] = { "none", "rt",  "be",  "idle",
					       "0x4",  "0x5", "0x6", "invalid" };
	uint64_t priority = record_get(record, FIELD_IOPRIO);

	if (!record->layout->places[FIELD_IOPRIO].size)
		return;
	put_char(line, ' ');
	put_string(line, classes[priority >> 13 & 7]);
	put_char(line, ',');
	put_number(line, priority >> 3 & 1023);
	put_char(line, ',');
	put_number(line, priority & 7);
}

/* "(…) ": the command of a request that is none of the block layer's own, in hexadecimal */
static void put_command(struct line *line, const struct record *record)
{
	size_t len;
	const char *command = get_dynamic(record, FIELD_CMD, &len);

	put_char(line, '(');
	put_name(line, command, len);
	put_string(line, ") ");
}

static void put_comm(struct line *line, const struct record *record)
{
	put_char(line, '[');
	put_text(line, record, FIELD_COMM);
	put_char(line, ']');
}

static void put_request(struct line *line, const struct record *record)
{
	put_device(line, record);
	put_text(line, record, FIELD_RWBS);
	put_char(line, ' ');
	put_number(line, record_get(record, FIELD_BYTES));
	put_char(line, ' ');
	put_command(line, record);
	put_sectors(line, record);
	put_priority(line, record);
	put_char(line, ' ');
	put_comm(line, record);
}

static void put_completion(struct line *line, const struct record *record)
{
	int32_t error = (int32_t)record_get(record, FIELD_ERROR);

	put_device(line, record);
	put_text(line, record, FIELD_RWBS);
	put_char(line, ' ');
	put_command(line, record);
	put_sectors(line, record);
	put_priority(line, record);
	put_string(line, error < 0 ? " [-" : " [");
	put_number(line, (uint64_t)(error < 0 ? -(int64_t)error : error));
	put_char(line, ']');
}

static void put_bio(struct line *line, const struct record *record)
{
	put_device(line, record);
	put_text(line, record, FIELD_RWBS);
	put_char(line, ' ');
	put_sectors(line, record);
	put_char(line, ' ');
	put_comm(line, record);
}

static void put_unplug(struct line *line, const struct record *record)
{
	put_comm(line, record);
	put_char(line, ' ');
	put_number(line, record_get(record, FIELD_NR_RQ));
}

static void put_kyber_latency(struct line *line, const struct record *record)
{
	put_device(line, record);
	put_text(line, record, FIELD_DOMAIN);
	put_char(line, ' ');
	put_text(line, record, FIELD_TYPE);
	put_string(line, " p");
	put_number(line, record_get(record, FIELD_PERCENTILE));
	put_char(line, ' ');
	put_number(line, record_get(record, FIELD_NUMERATOR));
	put_char(line, '/');
	put_number(line, record_get(record, FIELD_DENOMINATOR));
	put_string(line, " samples=");
	put_number(line, record_get(record, FIELD_SAMPLES));
}

static void put_kyber_adjust(struct line *line, const struct record *record)
{
	put_device(line, record);
	put_text(line, record, FIELD_DOMAIN);
	put_char(line, ' ');
	put_number(line, record_get(record, FIELD_DEPTH));
}

static void put_body(struct line *line, const struct record *record)
{
	switch (record->layout->row->kind) {
	case EVENT_REQUEST:
		put_request(line, record);
		break;
	case EVENT_COMPLETION:
		put_completion(line, record);
		break;
	case EVENT_BIO:
		put_bio(line, record);
		break;
	case EVENT_PLUG:
		put_comm(line, record);
		break;
	case EVENT_UNPLUG:
		put_unplug(line, record);
		break;
	case EVENT_KYBER_LATENCY:
		put_kyber_latency(line, record);
		break;
	case EVENT_KYBER_ADJUST:
		put_kyber_adjust(line, record);
		break;
	}
}

void record_add_line(const struct record *record, struct text *ret)
{
	struct line line = { .len = 0 };

	put_beginning(&line, record);
	put_body(&line, record);
	if (line.len == sizeof(line.data))
		line.len--;
	put_char(&line, '\n');
	text_add_bytes(ret, line.data, line.len);
}
