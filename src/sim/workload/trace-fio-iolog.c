// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The logs that fio writes with write_iolog and replays with read_iolog:
 *
 *     fio version 2 iolog                   fio version 3 iolog
 *     file action [offset length]           time file action [offset length]
 *
 * offset and length in bytes, time in microseconds from the start of the job. Version 2
 * has no times but "file wait microseconds [0]", a pause since the wait before. Actions
 * on the file (add, open, close) are no requests. fio appends to a log that exists, title
 * and all: the next recording then begins where the one before it ended. Files are
 * numbered as they appear.
 */
#include "sim/workload/trace-format.h"
#include "sim/workload/trace-names.h"
#include "sim/workload/trace-scan.h"
#include "util/i18n.h"

#define TITLE_V2 "fio version 2 iolog"
#define TITLE_V3 "fio version 3 iolog"

struct iolog {
	uint64_t base_ns; /* of this recording; version 2: of this moment */
	uint64_t last_ns;
	struct trace_names files;
};

static const struct {
	const char *name;
	enum trace_action action;
	enum trace_op op;
	bool is_request; /* or an action on the file */
} actions[] = {
	{ "read", TRACE_IO, TRACE_READ, true },
	{ "write", TRACE_IO, TRACE_WRITE, true },
	{ "trim", TRACE_IO, TRACE_DISCARD, true },
	{ "sync", TRACE_IO, TRACE_FLUSH, true },
	{ "datasync", TRACE_IO, TRACE_FLUSH, true },
	{ "wait", TRACE_WAIT, TRACE_OTHER, true },
	{ "sync_file_range", TRACE_IO, TRACE_OTHER, false },
	{ "add", TRACE_IO, TRACE_OTHER, false },
	{ "open", TRACE_IO, TRACE_OTHER, false },
	{ "close", TRACE_IO, TRACE_OTHER, false },
};

/* A word up to a blank, with the blanks behind it. */
static bool scan_word(const char **p, const char *end, const char **ret,
		      const char **ret_end)
{
	const char *q = *p;

	while (q < end && *q != ' ' && *q != '\t')
		q++;
	if (q == *p)
		return false;
	*ret = *p;
	*ret_end = q;
	*p = q;
	trace_skip_blanks(p, end);
	return true;
}

static bool scan_number(const char **p, const char *end, uint64_t *ret)
{
	const char *q = *p;
	uint64_t value;

	if (!trace_scan_u64(&q, end, &value) || (q < end && *q != ' ' && *q != '\t'))
		return false;
	trace_skip_blanks(&q, end);
	*p = q;
	*ret = value;
	return true;
}

static size_t find_action(const char *name, const char *end)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(actions); i++) {
		const char *p = name;

		if (trace_scan_text(&p, end, actions[i].name) && p == end)
			break;
	}
	return i;
}

static bool is_title(const char *line, const char *end, const char *title)
{
	return trace_scan_text(&line, end, title) && line == end;
}

/* offset and length of a request; flushes may have none, and their offset says nothing */
static bool parse_extent(const char **p, const char *end, struct trace_record *ret,
			 const char **ret_why)
{
	uint64_t offset = 0, len = 0;

	*ret_why = N_("offset and length do not fit, are missing, or the length is 0");
	if (ret->op == TRACE_FLUSH)
		return *p == end || (scan_number(p, end, &offset) &&
				     (*p == end || scan_number(p, end, &len)));
	return scan_number(p, end, &offset) && scan_number(p, end, &len) &&
	       trace_set_bytes(ret, offset, len);
}

/* "wait microseconds [0]": moves the clock on. */
static bool parse_wait(const char **p, const char *end, struct iolog *iolog,
		       struct trace_record *ret, const char **ret_why)
{
	uint64_t wait_us, ignored, now_ns;

	*ret_why = N_("the wait is not microseconds, or beyond 2^64 ns in sum");
	if (!scan_number(p, end, &wait_us) ||
	    (*p != end && !scan_number(p, end, &ignored)) ||
	    __builtin_mul_overflow(wait_us, 1000u, &ret->duration_ns) ||
	    __builtin_add_overflow(iolog->base_ns, ret->duration_ns, &now_ns))
		return false;
	iolog->base_ns = now_ns;
	ret->time_ns = now_ns;
	return true;
}

/* "file action ..." of either version; the time is in *ret. */
static enum trace_line parse_action(struct trace_parse *parse, const char *p,
				    const char *end, bool has_waits,
				    struct trace_record *ret)
{
	struct iolog *iolog = parse->state;
	const char *file, *file_end, *name, *name_end;
	size_t index;

	parse->why = N_("the line ends before the action");
	if (!scan_word(&p, end, &file, &file_end) ||
	    !scan_word(&p, end, &name, &name_end))
		return TRACE_LINE_BROKEN;
	index = find_action(name, name_end);
	parse->why = N_("the action is not known");
	if (index == ARRAY_SIZE(actions))
		return TRACE_LINE_BROKEN;
	if (!actions[index].is_request)
		return TRACE_LINE_OTHER;
	ret->action = actions[index].action;
	ret->op = actions[index].op;
	if (ret->action == TRACE_WAIT) {
		parse->why = N_("a log with times has no waits");
		if (!has_waits || !parse_wait(&p, end, iolog, ret, &parse->why))
			return TRACE_LINE_BROKEN;
	} else if (!parse_extent(&p, end, ret, &parse->why)) {
		return TRACE_LINE_BROKEN;
	}
	if (p != end) {
		parse->why = N_("the line goes on after the length");
		return TRACE_LINE_BROKEN;
	}
	parse->why = N_("there are too many files");
	return trace_names_find(&iolog->files, file, file_end, &ret->device)
		       ? TRACE_LINE_RECORD
		       : TRACE_LINE_BROKEN;
}

static enum trace_line parse_v2(struct trace_parse *parse, const char *line,
				const char *end, struct trace_record *ret)
{
	struct iolog *iolog = parse->state;

	end = trace_trim_end(line, end);
	if (is_title(line, end, TITLE_V2))
		return TRACE_LINE_OTHER;
	ret->time_ns = iolog->base_ns;
	return parse_action(parse, line, end, true, ret);
}

static enum trace_line parse_v3(struct trace_parse *parse, const char *line,
				const char *end, struct trace_record *ret)
{
	struct iolog *iolog = parse->state;
	const char *p = line;
	uint64_t time_us, time_ns;

	end = trace_trim_end(line, end);
	if (is_title(line, end, TITLE_V3)) {
		iolog->base_ns = iolog->last_ns;
		return TRACE_LINE_OTHER;
	}
	parse->why = N_("the line does not begin with microseconds below 2^64 ns");
	if (!scan_number(&p, end, &time_us) ||
	    __builtin_mul_overflow(time_us, 1000u, &time_ns) ||
	    __builtin_add_overflow(time_ns, iolog->base_ns, &time_ns))
		return TRACE_LINE_BROKEN;
	iolog->last_ns = time_ns;
	ret->time_ns = time_ns;
	return parse_action(parse, p, end, false, ret);
}

static unsigned probe_v2(const char *line, const char *end)
{
	return is_title(line, end, TITLE_V2) ? TRACE_PROBE_TITLE : 0;
}

static unsigned probe_v3(const char *line, const char *end)
{
	return is_title(line, end, TITLE_V3) ? TRACE_PROBE_TITLE : 0;
}

const struct trace_format trace_format_fio_v2 = {
	.name = "fio-iolog-v2",
	.is_ordered = true,
	.state_size = sizeof(struct iolog),
	.probe = probe_v2,
	.parse = parse_v2,
};

const struct trace_format trace_format_fio_v3 = {
	.name = "fio-iolog-v3",
	.is_ordered = true,
	.state_size = sizeof(struct iolog),
	.probe = probe_v3,
	.parse = parse_v3,
};
