/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace format is to the reader: a row of the table in trace.c, with either a
 * parser of one line of text or a reader of one binary record. Private to the readers.
 */
#ifndef IOSCHED_SIM_TRACE_FORMAT_H
#define IOSCHED_SIM_TRACE_FORMAT_H

#include "sim/workload/trace-stream.h"
#include "sim/workload/trace.h"

/* A longer line is a broken record. The longest good ones, ftrace's, have about 200. */
#define TRACE_LINE_MAX (64u << 10)

enum trace_line {
	TRACE_LINE_RECORD,
	TRACE_LINE_OTHER, /* well-formed, but not one of the records that are read */
	TRACE_LINE_BROKEN,
};

struct trace_reader;

/* What a parser may use and set beside the record itself. */
struct trace_parse {
	void *state;	 /* `state_size` bytes of the format's own, zeroed at first */
	uint64_t line;	 /* number of this line, the first is 1 */
	const char *why; /* an N_() text, to be set with TRACE_LINE_BROKEN */
	uint64_t lost;	 /* events lost, to be set with TRACE_LINE_OTHER */
};

struct trace_format {
	const char *name;
	bool is_ordered; /* see trace_reader_next() */
	size_t state_size;
	/*
	 * Text. probe: how surely the line is of this format: 0 no, TRACE_PROBE_RECORD,
	 * TRACE_PROBE_TITLE; lines are given without their end, none is empty. parse:
	 * *ret is zeroed beforehand.
	 */
	unsigned (*probe)(const char *line, const char *end);
	enum trace_line (*parse)(struct trace_parse *parse, const char *line,
				 const char *end, struct trace_record *ret);
	/*
	 * Binary. detect: is the beginning of such a trace at `head`? next: as
	 * trace_reader_next(), but for the counts.
	 */
	bool (*detect)(const char *head, size_t len);
	int (*next)(struct trace_reader *reader, struct trace_record *ret,
		    struct diag *diag);
};

/* Weights for detection: a title, which nothing else has, outweighs records. */
#define TRACE_PROBE_RECORD 1u
#define TRACE_PROBE_TITLE  1000u

struct trace_reader {
	struct trace_stream *stream;
	const struct trace_format *format;
	enum trace_mode mode;
	char *name;
	void *state;
	uint64_t line; /* text: lines read */
	uint64_t last_time_ns;
	bool has_device; /* counts.first_device is known */
	struct trace_header header;
	struct trace_counts counts;
};

/*
 * Notes a broken record at `place` (line or byte offset). 0: go on; -EBADMSG: the mode is
 * strict, and `diag` is filled.
 */
int trace_reader_note_broken(struct trace_reader *reader, uint64_t place, const char *why,
			     struct diag *diag);

/* Reads one "# ..." line of a recording's header; unknown keys are passed over. */
void trace_header_parse(struct trace_header *header, const char *line, const char *end);

extern const struct trace_format trace_format_alibaba;
extern const struct trace_format trace_format_biosnoop;
extern const struct trace_format trace_format_blkparse;
extern const struct trace_format trace_format_blkreplay;
extern const struct trace_format trace_format_blktrace_v7;
extern const struct trace_format trace_format_blktrace_v8;
extern const struct trace_format trace_format_fio_v2;
extern const struct trace_format trace_format_fio_v3;
extern const struct trace_format trace_format_ftrace;
extern const struct trace_format trace_format_msr;
extern const struct trace_format trace_format_spc;
extern const struct trace_format trace_format_tencent;

#endif
