/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An event's fields, and its line of text: what format.c and format-line.c share. */
#ifndef IOSCHED_RECORDER_FORMAT_INTERNAL_H
#define IOSCHED_RECORDER_FORMAT_INTERNAL_H

#include "recorder/recorder-internal.h"

enum field {
	/* Of every event. */
	FIELD_ID,
	FIELD_FLAGS,
	FIELD_PREEMPT_COUNT,
	FIELD_PID,

	FIELD_DEV,
	FIELD_SECTOR,
	FIELD_NR_SECTOR,
	FIELD_BYTES,
	FIELD_ERROR,
	FIELD_IOPRIO,
	FIELD_RWBS,
	FIELD_COMM,
	FIELD_CMD,
	FIELD_NR_RQ,
	FIELD_DOMAIN,
	FIELD_TYPE,
	FIELD_PERCENTILE,
	FIELD_NUMERATOR,
	FIELD_DENOMINATOR,
	FIELD_SAMPLES,
	FIELD_DEPTH,
	FIELDS,
};

struct place {
	unsigned short offset, size; /* size 0: the event has no such field */
};

/* Where the fields of an event lie. */
struct layout {
	const struct event_row *row;
	unsigned id;
	struct place places[FIELDS];
};

/* An event under way. */
struct record {
	const unsigned char *data;
	size_t len;
	const struct layout *layout;
	unsigned cpu;
	uint64_t time_ns;
	const char *process; /* that was interrupted, or did it */
	unsigned major, minor;
};

/* A number; 0 when it is not within the event. */
uint64_t record_get(const struct record *record, enum field field);
/* The text of a field, without its end; an empty one when it is not within the event. */
const char *record_get_text(const struct record *record, enum field field,
			    size_t *ret_len);

/* Its line, with the newline; what would make it longer than any event is cut off. */
void record_add_line(const struct record *record, struct text *ret);

#endif
