// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text that tracefs, "trace-cmd report" and "perf script" print for the tracepoints
 * of the block layer and of kyber:
 *
 *     comm-pid [cpu] flags secs.fraction: event: body            tracefs, trace-cmd
 *     comm pid [cpu] secs.fraction: system:event: body           perf; or tgid/pid
 *
 * tracefs may put "(tgid)" in front of [cpu]; trace-cmd may leave the flags out. The
 * bodies are in trace-ftrace-body.c.
 */
#include "sim/workload/trace-ftrace.h"

#include <string.h>

#include "sim/workload/trace-format.h"
#include "sim/workload/trace-scan.h"
#include "util/i18n.h"

/* --- what stands in front of the event -------------------------------------------- */

/*
 * "comm-pid", "comm-pid (tgid)", "comm pid", "comm tgid/pid": everything before [cpu].
 * pid is the thread's, as in the kernel.
 */
static bool parse_task(const char *p, const char *end, struct trace_record *ret)
{
	const char *digits, *before;
	uint32_t pid;

	trace_skip_blanks(&p, end);
	end = trace_trim_end(p, end);
	if (end > p && end[-1] == ')') {
		const char *open = memrchr(p, '(', (size_t)(end - p));

		if (!open)
			return false;
		end = trace_trim_end(p, open);
	}
	digits = end;
	while (digits > p && trace_is_digit(digits[-1]))
		digits--;
	before = digits;
	if (before > p && before[-1] == '/') {
		before--;
		while (before > p && trace_is_digit(before[-1]))
			before--;
	}
	if (before == p || (before[-1] != '-' && before[-1] != ' ') ||
	    !trace_scan_u32(&digits, end, &pid))
		return false;
	ret->pid = pid;
	return true;
}

/*
 * "d.h1.": the second letter is N, n or B when a switch of tasks is due; the third is h
 * in a hardware interrupt, H in one within a softirq, s in a softirq.
 */
static enum trace_context parse_context(const char *flags, const char *end)
{
	if (end - flags < 4)
		return TRACE_CONTEXT_UNKNOWN;
	switch (flags[2]) {
	case 'h':
		return TRACE_CONTEXT_HARDIRQ;
	case 'H':
		return TRACE_CONTEXT_HARDIRQ_IN_SOFTIRQ;
	case 's':
		return TRACE_CONTEXT_SOFTIRQ;
	case '.':
		return TRACE_CONTEXT_TASK;
	default:
		return TRACE_CONTEXT_UNKNOWN;
	}
}

/* "[cpu] flags time:"; moves *p behind it. */
static bool parse_cpu_and_time(const char **p, const char *end, struct trace_record *ret)
{
	const char *q = *p, *digits;

	if (!trace_scan_char(&q, end, '[') || !trace_scan_u32(&q, end, &ret->cpu) ||
	    !trace_scan_char(&q, end, ']'))
		return false;
	trace_skip_blanks(&q, end);
	for (int tries = 0; tries < 2; tries++) {
		digits = q;
		if (trace_scan_decimal(&digits, end, 1000000000u, &ret->time_ns) &&
		    trace_scan_char(&digits, end, ':')) {
			*p = digits;
			return true;
		}
		digits = q;
		while (q < end && *q != ' ' && *q != '\t')
			q++;
		ret->context = parse_context(digits, q);
		ret->needs_resched = q - digits >= 4 && digits[1] &&
				     strchr("NnB", digits[1]);
		trace_skip_blanks(&q, end);
	}
	return false;
}

/* A comm may hold brackets itself, so the first "[digits]" need not be the right one. */
static bool parse_prefix(const char **p, const char *end, struct trace_record *ret)
{
	const char *line = *p, *q = line;

	while (q < end && (q = memchr(q, '[', (size_t)(end - q)))) {
		const char *rest = q;

		if (parse_cpu_and_time(&rest, end, ret) && parse_task(line, q, ret)) {
			*p = rest;
			return true;
		}
		q++;
	}
	return false;
}

/* --- events ----------------------------------------------------------------------- */

/* "event:" or "system:event:"; true if there is one at all, *ret NULL for a foreign one.
 */
static bool scan_event(const char **p, const char *end, const struct ftrace_event **ret)
{
	const char *name, *colon;

	trace_skip_blanks(p, end);
	name = *p;
	colon = memchr(name, ':', (size_t)(end - name));
	if (!colon || colon == name)
		return false;
	/* perf: the system stands in front, and no blank follows its colon */
	if (colon + 1 < end && colon[1] != ' ' && colon[1] != '\t') {
		const char *second = memchr(colon + 1, ':', (size_t)(end - colon - 1));

		if (second) {
			name = colon + 1;
			colon = second;
		}
	}
	*ret = ftrace_event_find(name, (size_t)(colon - name));
	*p = colon + 1;
	return true;
}

/* Lines of the three recorders that belong to no event, or to an event without a name. */
static bool is_bystander(const char *line, const char *end)
{
	static const char *const starts[] = { "CPU ",       "CPU:", "cpus=",
					      "version = ", "=>",   "\t" };
	const char *p = line;

	while (p < end && *p == ' ')
		p++;
	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		const char *q = p;

		if (trace_scan_text(&q, end, starts[i]))
			return true;
	}
	return p == end;
}

/* "CPU:1 [LOST 12 EVENTS]", "CPU:1 [12 EVENTS DROPPED]" */
static uint64_t count_lost(const char *line, const char *end)
{
	const char *p = line;
	uint64_t cpu, lost;

	trace_skip_blanks(&p, end);
	if (!trace_scan_text(&p, end, "CPU:") || !trace_scan_u64(&p, end, &cpu) ||
	    !trace_scan_text(&p, end, " ["))
		return 0;
	trace_scan_text(&p, end, "LOST ");
	return trace_scan_u64(&p, end, &lost) && trace_scan_text(&p, end, " EVENTS")
		       ? lost
		       : 0;
}

/* A function, a stack trace or a loss: they follow the time without a colon. */
static bool is_nameless(const char *p, const char *end)
{
	trace_skip_blanks(&p, end);
	return trace_scan_text(&p, end, "<stack trace>") ||
	       trace_scan_text(&p, end, "PERF_RECORD_") ||
	       memmem(p, (size_t)(end - p), " <-", 3);
}

static enum trace_line parse_line(struct trace_parse *parse, const char *line,
				  const char *end, struct trace_record *ret)
{
	const struct ftrace_event *event;
	const char *p = line;

	if (!parse_prefix(&p, end, ret)) {
		if (is_bystander(line, end)) {
			parse->lost = count_lost(line, end);
			return TRACE_LINE_OTHER;
		}
		parse->why = N_("the line does not begin with task, [cpu] and time");
		return TRACE_LINE_BROKEN;
	}
	if (!scan_event(&p, end, &event)) {
		parse->why = N_("the line ends before the name of the event");
		return is_nameless(p, end) ? TRACE_LINE_OTHER : TRACE_LINE_BROKEN;
	}
	if (!event)
		return TRACE_LINE_OTHER;
	trace_skip_blanks(&p, end);
	end = trace_trim_end(p, end);
	ret->action = event->action;
	return event->parse(p, end, ret, &parse->why) ? TRACE_LINE_RECORD
						      : TRACE_LINE_BROKEN;
}

static unsigned probe_line(const char *line, const char *end)
{
	struct trace_record record;
	const struct ftrace_event *event;
	const char *p = line;

	if (*line == '#')
		return trace_scan_text(&p, end, "# tracer:") ||
				       trace_scan_text(&p, end, "# kernel=")
			       ? TRACE_PROBE_RECORD
			       : 0;
	return parse_prefix(&p, end, &record) && scan_event(&p, end, &event)
		       ? TRACE_PROBE_RECORD
		       : 0;
}

const struct trace_format trace_format_ftrace = {
	.name = "ftrace",
	.is_ordered = true,
	.probe = probe_line,
	.parse = parse_line,
};
