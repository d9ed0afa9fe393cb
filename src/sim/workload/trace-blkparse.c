// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What blkparse(1) prints in its default format, with or without -t:
 *
 *     maj,min cpu sequence secs.nsecs pid ACTION RWBS rest
 *
 * rest: "sector + n [comm]", with "(elapsed)" before the bracket after -t; "[error]" for
 * completions and requeues; "bytes (command) [comm]" for commands that were passed
 * through; only the bracket for requests without sectors; "[comm]" and "[comm] n" for
 * plug and unplug. The totals that follow the records are passed over.
 */
#include <string.h>

#include "sim/workload/trace-format.h"
#include "sim/workload/trace-rwbs.h"
#include "sim/workload/trace-scan.h"
#include "util/i18n.h"

struct blkparse {
	bool in_totals;
};

static const struct {
	const char *name;
	enum trace_action action;
} actions[] = {
	{ "Q", TRACE_BIO_QUEUE },      { "G", TRACE_GETRQ },
	{ "I", TRACE_RQ_INSERT },      { "D", TRACE_RQ_ISSUE },
	{ "C", TRACE_RQ_COMPLETE },    { "M", TRACE_BIO_BACKMERGE },
	{ "F", TRACE_BIO_FRONTMERGE }, { "R", TRACE_RQ_REQUEUE },
	{ "P", TRACE_PLUG },           { "U", TRACE_UNPLUG },
	{ "UT", TRACE_UNPLUG },        { "T", TRACE_UNPLUG },
};

/* A word of letters, with the blanks behind it. */
static bool scan_word(const char **p, const char *end, const char **ret,
		      const char **ret_end)
{
	const char *q = *p;

	while (q < end && ((*q >= 'A' && *q <= 'Z') || (*q >= 'a' && *q <= 'z')))
		q++;
	if (q == *p || (q < end && *q != ' ' && *q != '\t'))
		return false;
	*ret = *p;
	*ret_end = q;
	*p = q;
	trace_skip_blanks(p, end);
	return true;
}

static bool scan_padded(const char **p, const char *end, uint64_t *ret)
{
	const char *q;

	if (!trace_scan_u64(p, end, ret))
		return false;
	q = *p;
	trace_skip_blanks(p, end);
	return *p > q;
}

/* Everything up to the action. */
static bool parse_columns(const char **p, const char *end, struct trace_record *ret)
{
	uint64_t major, minor, cpu, sequence, pid;
	const char *q = *p;

	trace_skip_blanks(&q, end);
	if (!trace_scan_u64(&q, end, &major) || !trace_scan_char(&q, end, ',') ||
	    !scan_padded(&q, end, &minor) || !scan_padded(&q, end, &cpu) ||
	    !scan_padded(&q, end, &sequence) ||
	    !trace_scan_decimal(&q, end, 1000000000u, &ret->time_ns) ||
	    !trace_scan_char(&q, end, ' '))
		return false;
	trace_skip_blanks(&q, end);
	if (!scan_padded(&q, end, &pid) || major >= 1u << 12 || minor >= 1u << 20 ||
	    cpu > UINT32_MAX || pid > UINT32_MAX)
		return false;
	ret->device = (uint32_t)(major << 20 | minor);
	ret->cpu = (uint32_t)cpu;
	ret->pid = (uint32_t)pid;
	*p = q;
	return true;
}

static bool parse_error(const char *p, const char *end, struct trace_record *ret,
			const char **ret_why)
{
	bool is_negative;
	uint32_t number;

	*ret_why = N_("the line ends before [error]");
	is_negative = trace_scan_char(&p, end, '-');
	if (!trace_scan_u32(&p, end, &number) || p != end || number > UINT16_MAX)
		return false;
	/* the record holds 16 bits, which blkparse prints without a sign */
	ret->error = is_negative ? -(int)number : (int16_t)number;
	return true;
}

/* "[comm]", "[comm] n" or "[error]" at the end of the line. */
static bool parse_bracket(const char *p, const char *end, struct trace_record *ret,
			  const char **ret_why)
{
	const char *close;
	uint32_t count;

	*ret_why = N_("[command] is missing or not whole");
	if (!trace_scan_char(&p, end, '['))
		return false;
	close = memrchr(p, ']', (size_t)(end - p));
	if (!close)
		return false;
	if (ret->action == TRACE_RQ_COMPLETE || ret->action == TRACE_RQ_REQUEUE)
		return close + 1 == end && parse_error(p, close, ret, ret_why);
	trace_copy_text(ret->comm, sizeof(ret->comm), p, close);
	p = close + 1;
	if (ret->action != TRACE_UNPLUG)
		return p == end;
	*ret_why = N_("the number of requests is missing or too large");
	if (!trace_scan_char(&p, end, ' ') || !trace_scan_u32(&p, end, &count) ||
	    p != end)
		return false;
	ret->count = count;
	return true;
}

/* "sector + n (elapsed) ", "sector ", "bytes (command) " or nothing. */
static bool parse_extent(const char **p, const char *end, struct trace_record *ret,
			 const char **ret_why)
{
	const char *close;
	uint64_t number;

	*ret_why = N_("\"sector + length\" is missing, or too large a number");
	if (*p < end && trace_is_digit(**p)) {
		if (!trace_scan_u64(p, end, &number) || !trace_scan_char(p, end, ' '))
			return false;
		if (trace_scan_text(p, end, "+ ")) {
			if (!trace_scan_u32(p, end, &ret->sectors))
				return false;
			ret->bytes = (uint64_t)ret->sectors * 512;
			ret->sector = number;
		} else if (*p < end && **p == '(') {
			ret->bytes = number;
			ret->op = TRACE_OTHER;
			if (number > UINT32_MAX)
				return false;
			ret->sectors = (uint32_t)(number / 512 + (number % 512 != 0));
		} else {
			ret->sector = number;
		}
	}
	trace_skip_blanks(p, end);
	if (*p < end && **p == '(') {
		close = memchr(*p, ')', (size_t)(end - *p));
		if (!close)
			return false;
		*p = close + 1;
		trace_skip_blanks(p, end);
	}
	*ret_why = N_("the end of the request lies beyond 2^64 sectors");
	return ret->sector + ret->sectors >= ret->sector;
}

static bool find_action(const char *name, const char *end, enum trace_action *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		const char *p = name;

		if (trace_scan_text(&p, end, actions[i].name) && p == end) {
			*ret = actions[i].action;
			return true;
		}
	}
	return false;
}

static bool is_total(const char *line, const char *end)
{
	static const char *const starts[] = { "CPU",         "Total (",  "Input file ",
					      "Throughput ", "Events (", "Skips: " };

	for (size_t i = 0; i < ARRAY_SIZE(starts); i++) {
		const char *p = line;

		if (trace_scan_text(&p, end, starts[i]))
			return true;
	}
	return false;
}

static enum trace_line parse_line(struct trace_parse *parse, const char *line,
				  const char *end, struct trace_record *ret)
{
	struct blkparse *state = parse->state;
	const char *p = line, *name, *name_end, *letters, *letters_end;

	if (!parse_columns(&p, end, ret)) {
		state->in_totals = state->in_totals || is_total(line, end);
		parse->why =
			N_("the line does not begin with device, cpu, sequence, time and "
			   "pid");
		return state->in_totals ? TRACE_LINE_OTHER : TRACE_LINE_BROKEN;
	}
	state->in_totals = false;
	end = trace_trim_end(p, end);
	parse->why = N_("the line ends before action and operation");
	if (!scan_word(&p, end, &name, &name_end) ||
	    !scan_word(&p, end, &letters, &letters_end))
		return TRACE_LINE_BROKEN;
	/* messages, remaps, splits, bounces and the like */
	if (!find_action(name, name_end, &ret->action))
		return TRACE_LINE_OTHER;
	parse->why = N_("the operation letters are not known");
	if (!trace_rwbs_parse(letters, letters_end, ret))
		return TRACE_LINE_BROKEN;
	if (!parse_extent(&p, end, ret, &parse->why) ||
	    !parse_bracket(p, end, ret, &parse->why))
		return TRACE_LINE_BROKEN;
	/* blkparse has no letter for the operation of a flush of its own */
	if (ret->op == TRACE_OTHER && ret->flags & TRACE_FLAG_PREFLUSH && !ret->sectors)
		ret->op = TRACE_FLUSH;
	return TRACE_LINE_RECORD;
}

static unsigned probe_line(const char *line, const char *end)
{
	const char *word, *word_end;
	struct trace_record record;

	return parse_columns(&line, end, &record) &&
			       scan_word(&line, end, &word, &word_end) &&
			       word_end - word <= 2
		       ? TRACE_PROBE_RECORD
		       : 0;
}

const struct trace_format trace_format_blkparse = {
	.name = "blkparse",
	.state_size = sizeof(struct blkparse),
	.probe = probe_line,
	.parse = parse_line,
};
