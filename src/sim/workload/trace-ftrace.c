// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text that tracefs, "trace-cmd report" and "perf script" print for the tracepoints of
 * the block layer and of kyber:
 *
 *     comm-pid [cpu] flags secs.fraction: event: body       tracefs, trace-cmd
 *     comm pid[/tid] [cpu] secs.fraction: system:event: body        perf
 *
 * tracefs may put "(tgid)" in front of [cpu]; trace-cmd may leave the flags out. Bodies:
 *
 *     maj,min RWBS bytes (cmd) sector + n [class,hint,level] [comm]  insert, issue, merge
 *     maj,min RWBS (cmd) sector + n [class,hint,level] [error]       complete, requeue
 *     maj,min RWBS sector + n [comm]                                 the bio events, getrq
 *     [comm]    and    [comm] requests                               plug, unplug
 *     maj,min DOMAIN TYPE pNN num/den samples=N                      kyber_latency
 *     maj,min DOMAIN depth    and    maj,min DOMAIN                  kyber_adjust, _throttled
 *
 * class,hint,level is printed from 6.12 on; perf 6.1 prints the class as a hexadecimal number.
 */
#include <string.h>

#include "sim/workload/trace-format.h"
#include "sim/workload/trace-rwbs.h"
#include "sim/workload/trace-scan.h"
#include "util/i18n.h"

typedef bool parse_body(const char *p, const char *end, struct trace_record *ret,
			const char **ret_why);

/* --- what stands in front of the event --------------------------------------------------- */

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
		while (q < end && *q != ' ' && *q != '\t')
			q++;
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

/* --- parts of a body ----------------------------------------------------------------------- */

static bool scan_device(const char **p, const char *end, uint32_t *ret)
{
	const char *q = *p;
	uint32_t major, minor;

	if (!trace_scan_u32(&q, end, &major) || !trace_scan_char(&q, end, ',') ||
	    !trace_scan_u32(&q, end, &minor) || major >= 1u << 12 || minor >= 1u << 20)
		return false;
	*p = q;
	*ret = major << 20 | minor;
	return true;
}

static bool parse_device_and_rwbs(const char **p, const char *end, struct trace_record *ret,
				  const char **ret_why)
{
	const char *letters;

	*ret_why = N_("the device is not major,minor");
	if (!scan_device(p, end, &ret->device) || !trace_scan_char(p, end, ' '))
		return false;
	letters = *p;
	while (*p < end && **p != ' ')
		(*p)++;
	*ret_why = N_("the operation letters are not known");
	return trace_rwbs_parse(letters, *p, ret) && trace_scan_char(p, end, ' ');
}

/* "sector + n " */
static bool parse_extent(const char **p, const char *end, struct trace_record *ret,
			 const char **ret_why)
{
	*ret_why = N_("\"sector + length\" is missing, or too large a number");
	if (!trace_scan_u64(p, end, &ret->sector) || !trace_scan_text(p, end, " + ") ||
	    !trace_scan_u32(p, end, &ret->sectors) || !trace_scan_char(p, end, ' '))
		return false;
	*ret_why = N_("the end of the request lies beyond 2^64 sectors");
	return ret->sector + ret->sectors >= ret->sector;
}

static bool scan_hex_digit(const char **p, const char *end, unsigned *ret)
{
	if (!trace_scan_text(p, end, "0x") || *p >= end || **p < '0' || **p > '7')
		return false;
	*ret = (unsigned)(*(*p)++ - '0');
	return true;
}

static bool scan_class(const char **p, const char *end, enum trace_prio_class *ret)
{
	static const struct {
		const char *name;
		enum trace_prio_class value;
	} classes[] = {
		{ "be,", TRACE_PRIO_BE },     { "rt,", TRACE_PRIO_RT },
		{ "idle,", TRACE_PRIO_IDLE }, { "none,", TRACE_PRIO_NONE },
		{ "invalid,", TRACE_PRIO_NONE },
	};
	unsigned number;

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (trace_scan_text(p, end, classes[i].name)) {
			*ret = classes[i].value;
			return true;
		}
	}
	if (!scan_hex_digit(p, end, &number) || !trace_scan_char(p, end, ','))
		return false;
	*ret = number <= TRACE_PRIO_IDLE ? (enum trace_prio_class)number : TRACE_PRIO_NONE;
	return true;
}

/* "class,hint,level " where it is printed. */
static bool parse_priority(const char **p, const char *end, struct trace_record *ret,
			   const char **ret_why)
{
	uint32_t hint, level;

	if (*p < end && **p == '[')
		return true;
	*ret_why = N_("the priority is not class,hint,level");
	if (!scan_class(p, end, &ret->prio_class) || !trace_scan_u32(p, end, &hint) ||
	    !trace_scan_char(p, end, ',') || !trace_scan_u32(p, end, &level) ||
	    !trace_scan_char(p, end, ' ') || hint > 1023 || level > 7)
		return false;
	ret->prio_hint = hint <= UINT8_MAX ? (uint8_t)hint : UINT8_MAX;
	ret->prio_level = (uint8_t)level;
	return true;
}

/* "[comm]" up to the last bracket: a comm may hold any character. */
static bool parse_comm(const char **p, const char *end, struct trace_record *ret,
		       const char **ret_why)
{
	const char *close;

	*ret_why = N_("[command] is missing or not whole");
	if (!trace_scan_char(p, end, '['))
		return false;
	close = memrchr(*p, ']', (size_t)(end - *p));
	if (!close)
		return false;
	trace_copy_text(ret->comm, sizeof(ret->comm), *p, close);
	*p = close + 1;
	return true;
}

static bool parse_error(const char *p, const char *end, struct trace_record *ret,
			const char **ret_why)
{
	bool is_negative;
	uint32_t number;

	*ret_why = N_("the line ends before [error]");
	if (!trace_scan_char(&p, end, '['))
		return false;
	is_negative = trace_scan_char(&p, end, '-');
	if (!trace_scan_u32(&p, end, &number) || !trace_scan_char(&p, end, ']') || p != end ||
	    number > INT32_MAX)
		return false;
	ret->error = is_negative ? -(int)number : (int)number;
	return true;
}

/* "(cmd) ": the bytes of a command that was passed through. */
static bool skip_command(const char **p, const char *end, const char **ret_why)
{
	const char *close;

	*ret_why = N_("the line ends before (command)");
	if (!trace_scan_char(p, end, '('))
		return false;
	close = memchr(*p, ')', (size_t)(end - *p));
	if (!close)
		return false;
	*p = close + 1;
	return trace_scan_char(p, end, ' ');
}

/* --- bodies -------------------------------------------------------------------------------- */

static bool parse_request(const char *p, const char *end, struct trace_record *ret,
			  const char **ret_why)
{
	if (!parse_device_and_rwbs(&p, end, ret, ret_why))
		return false;
	*ret_why = N_("the number of bytes is missing or too large");
	return trace_scan_u64(&p, end, &ret->bytes) && ret->bytes <= UINT32_MAX &&
	       trace_scan_char(&p, end, ' ') && skip_command(&p, end, ret_why) &&
	       parse_extent(&p, end, ret, ret_why) && parse_priority(&p, end, ret, ret_why) &&
	       parse_comm(&p, end, ret, ret_why) && p == end;
}

static bool parse_completion(const char *p, const char *end, struct trace_record *ret,
			     const char **ret_why)
{
	if (!parse_device_and_rwbs(&p, end, ret, ret_why) ||
	    !skip_command(&p, end, ret_why) || !parse_extent(&p, end, ret, ret_why) ||
	    !parse_priority(&p, end, ret, ret_why) || !parse_error(p, end, ret, ret_why))
		return false;
	ret->bytes = (uint64_t)ret->sectors * 512;
	return true;
}

static bool parse_bio(const char *p, const char *end, struct trace_record *ret,
		      const char **ret_why)
{
	if (!parse_device_and_rwbs(&p, end, ret, ret_why) ||
	    !parse_extent(&p, end, ret, ret_why) || !parse_comm(&p, end, ret, ret_why) ||
	    p != end)
		return false;
	ret->bytes = (uint64_t)ret->sectors * 512;
	return true;
}

static bool parse_plug(const char *p, const char *end, struct trace_record *ret,
		       const char **ret_why)
{
	return parse_comm(&p, end, ret, ret_why) && p == end;
}

static bool parse_unplug(const char *p, const char *end, struct trace_record *ret,
			 const char **ret_why)
{
	uint32_t count;

	if (!parse_comm(&p, end, ret, ret_why))
		return false;
	*ret_why = N_("the number of requests is missing or too large");
	if (!trace_scan_char(&p, end, ' ') || !trace_scan_u32(&p, end, &count) || p != end)
		return false;
	ret->count = count;
	return true;
}

static bool scan_word(const char **p, const char *end, char *buf, size_t size)
{
	const char *word = *p;

	while (*p < end && **p != ' ')
		(*p)++;
	if (*p == word || (size_t)(*p - word) >= size)
		return false;
	trace_copy_text(buf, size, word, *p);
	return true;
}

static bool parse_domain(const char **p, const char *end, struct trace_record *ret,
			 const char **ret_why)
{
	static const struct {
		const char *name;
		enum trace_op op;
	} domains[] = {
		{ "READ", TRACE_READ },
		{ "WRITE", TRACE_WRITE },
		{ "DISCARD", TRACE_DISCARD },
		{ "OTHER", TRACE_OTHER },
	};

	*ret_why = N_("the device is not major,minor");
	if (!scan_device(p, end, &ret->device) || !trace_scan_char(p, end, ' '))
		return false;
	*ret_why = N_("the domain is not READ, WRITE, DISCARD or OTHER");
	if (!scan_word(p, end, ret->kyber.domain, sizeof(ret->kyber.domain)))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(domains); i++) {
		if (!strcmp(ret->kyber.domain, domains[i].name)) {
			ret->op = domains[i].op;
			return true;
		}
	}
	return false;
}

static bool parse_kyber_latency(const char *p, const char *end, struct trace_record *ret,
				const char **ret_why)
{
	struct trace_kyber *kyber = &ret->kyber;

	if (!parse_domain(&p, end, ret, ret_why))
		return false;
	*ret_why = N_("the latency is not \"type pNN n/n samples=N\"");
	return trace_scan_char(&p, end, ' ') &&
	       scan_word(&p, end, kyber->type, sizeof(kyber->type)) &&
	       trace_scan_text(&p, end, " p") && trace_scan_u32(&p, end, &kyber->percentile) &&
	       trace_scan_char(&p, end, ' ') && trace_scan_u32(&p, end, &kyber->numerator) &&
	       trace_scan_char(&p, end, '/') && trace_scan_u32(&p, end, &kyber->denominator) &&
	       trace_scan_text(&p, end, " samples=") &&
	       trace_scan_u32(&p, end, &kyber->samples) && p == end;
}

static bool parse_kyber_adjust(const char *p, const char *end, struct trace_record *ret,
			       const char **ret_why)
{
	if (!parse_domain(&p, end, ret, ret_why))
		return false;
	*ret_why = N_("the depth is missing or too large");
	return trace_scan_char(&p, end, ' ') && trace_scan_u32(&p, end, &ret->kyber.depth) &&
	       p == end;
}

static bool parse_kyber_throttled(const char *p, const char *end, struct trace_record *ret,
				  const char **ret_why)
{
	return parse_domain(&p, end, ret, ret_why) && p == end;
}

/* --- events -------------------------------------------------------------------------------- */

struct event {
	const char *name;
	size_t len;
	enum trace_action action;
	parse_body *parse;
};

#define EVENT(name, action, parse) { name, sizeof(name) - 1, action, parse }

static const struct event events[] = {
	EVENT("block_rq_issue", TRACE_RQ_ISSUE, parse_request),
	EVENT("block_rq_complete", TRACE_RQ_COMPLETE, parse_completion),
	EVENT("block_rq_insert", TRACE_RQ_INSERT, parse_request),
	EVENT("block_bio_queue", TRACE_BIO_QUEUE, parse_bio),
	EVENT("block_getrq", TRACE_GETRQ, parse_bio),
	EVENT("block_plug", TRACE_PLUG, parse_plug),
	EVENT("block_unplug", TRACE_UNPLUG, parse_unplug),
	EVENT("block_bio_backmerge", TRACE_BIO_BACKMERGE, parse_bio),
	EVENT("block_bio_frontmerge", TRACE_BIO_FRONTMERGE, parse_bio),
	EVENT("block_rq_merge", TRACE_RQ_MERGE, parse_request),
	EVENT("block_rq_requeue", TRACE_RQ_REQUEUE, parse_completion),
	EVENT("kyber_latency", TRACE_KYBER_LATENCY, parse_kyber_latency),
	EVENT("kyber_adjust", TRACE_KYBER_ADJUST, parse_kyber_adjust),
	EVENT("kyber_throttled", TRACE_KYBER_THROTTLED, parse_kyber_throttled),
};

static const struct event *find_event(const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (events[i].len == len && !memcmp(events[i].name, name, len))
			return &events[i];
	return NULL;
}

/* "event:" or "system:event:"; true if there is one at all, *ret NULL for a foreign one. */
static bool scan_event(const char **p, const char *end, const struct event **ret)
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
	*ret = find_event(name, (size_t)(colon - name));
	*p = colon + 1;
	return true;
}

/* Lines of the three recorders that belong to no event, or to an event without a name. */
static bool is_bystander(const char *line, const char *end)
{
	static const char *const starts[] = { "CPU ", "CPU:", "cpus=", "version = ", "=>", "\t" };
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
	return trace_scan_u64(&p, end, &lost) && trace_scan_text(&p, end, " EVENTS") ? lost : 0;
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
	const struct event *event;
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
	return event->parse(p, end, ret, &parse->why) ? TRACE_LINE_RECORD : TRACE_LINE_BROKEN;
}

static unsigned probe_line(const char *line, const char *end)
{
	struct trace_record record;
	const struct event *event;
	const char *p = line;

	if (*line == '#')
		return trace_scan_text(&p, end, "# tracer:") ||
		       trace_scan_text(&p, end, "# kernel=") ? TRACE_PROBE_RECORD : 0;
	return parse_prefix(&p, end, &record) && scan_event(&p, end, &event) ?
		TRACE_PROBE_RECORD : 0;
}

const struct trace_format trace_format_ftrace = {
	.name = "ftrace",
	.is_ordered = true,
	.probe = probe_line,
	.parse = parse_line,
};
