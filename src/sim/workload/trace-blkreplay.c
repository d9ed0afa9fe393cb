// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The load files of blkreplay:
 *
 *     start ; sector ; length ; RWBS [; replay_delay ; replay_duration]
 *
 * start and replay_duration in seconds, sector and length in sectors of 512 bytes; R or
 * W, and RA and the like where the load was made from a blktrace. Prose and the names of
 * the columns come first, and are passed over.
 */
#include "sim/workload/trace-format.h"
#include "sim/workload/trace-rwbs.h"
#include "sim/workload/trace-scan.h"
#include "util/i18n.h"

struct blkreplay {
	bool has_begun;
};

/* Names of the columns; files that were joined have them more than once. */
static bool is_title(const char *line, const char *end)
{
	return trace_scan_text(&line, end, "start") &&
	       trace_scan_separator(&line, end, ';');
}

static bool scan_letters(const char **p, const char *end, struct trace_record *ret)
{
	const char *letters = *p;

	while (*p < end && **p != ' ' && **p != '\t' && **p != ';')
		(*p)++;
	return trace_rwbs_parse(letters, *p, ret);
}

static bool scan_start(const char **p, const char *end, uint64_t *ret)
{
	trace_skip_blanks(p, end);
	return trace_scan_decimal(p, end, 1000000000u, ret) &&
	       trace_scan_separator(p, end, ';');
}

static enum trace_line parse_line(struct trace_parse *parse, const char *line,
				  const char *end, struct trace_record *ret)
{
	struct blkreplay *state = parse->state;
	uint64_t sector, sectors, delay_ns;
	const char *p = line;

	if (!scan_start(&p, end, &ret->time_ns)) {
		parse->why = N_("the start is not seconds below 2^64 ns");
		return is_title(line, end) || !state->has_begun ? TRACE_LINE_OTHER
								: TRACE_LINE_BROKEN;
	}
	state->has_begun = true;
	parse->why = N_("sector and length do not fit, or the length is 0");
	if (!trace_scan_u64(&p, end, &sector) || !trace_scan_separator(&p, end, ';') ||
	    !trace_scan_u64(&p, end, &sectors) ||
	    !trace_set_sectors(ret, sector, sectors))
		return TRACE_LINE_BROKEN;
	parse->why = N_("the operation letters are not known");
	if (!trace_scan_separator(&p, end, ';') || !scan_letters(&p, end, ret))
		return TRACE_LINE_BROKEN;
	parse->why = N_("what follows the operation is not two times in seconds");
	if (trace_scan_separator(&p, end, ';') &&
	    (!trace_scan_decimal(&p, end, 1000000000u, &delay_ns) ||
	     !trace_scan_separator(&p, end, ';') ||
	     !trace_scan_decimal(&p, end, 1000000000u, &ret->duration_ns)))
		return TRACE_LINE_BROKEN;
	if (!trace_scan_end(p, end))
		return TRACE_LINE_BROKEN;
	ret->action = TRACE_IO;
	return TRACE_LINE_RECORD;
}

static unsigned probe_line(const char *line, const char *end)
{
	const char *p = line;
	uint64_t number;

	if (is_title(line, end))
		return TRACE_PROBE_TITLE;
	return scan_start(&p, end, &number) && trace_scan_u64(&p, end, &number) &&
			       trace_scan_separator(&p, end, ';')
		       ? TRACE_PROBE_RECORD
		       : 0;
}

const struct trace_format trace_format_blkreplay = {
	.name = "blkreplay",
	.state_size = sizeof(struct blkreplay),
	.probe = probe_line,
	.parse = parse_line,
};
