// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The format of the Storage Performance Council, as in the collection of the University
 * of Massachusetts (Financial, WebSearch):
 *
 *     unit,sector,bytes,r|w,seconds[,more]
 *
 * unit is the application's storage unit, used as the device; sectors have 512 bytes.
 */
#include "sim/workload/trace-format.h"
#include "sim/workload/trace-scan.h"
#include "util/i18n.h"

static enum trace_line parse_line(struct trace_parse *parse, const char *line,
				  const char *end, struct trace_record *ret)
{
	uint64_t sector, offset, len;
	const char *p = line;

	if (parse->line == 1 && !trace_is_digit(*line))
		return TRACE_LINE_OTHER; /* names of the columns */
	parse->why = N_("the unit is not a number below 2^32");
	if (!trace_scan_u32(&p, end, &ret->device) || !trace_scan_separator(&p, end, ','))
		return TRACE_LINE_BROKEN;
	parse->why = N_("address and size do not fit, or the size is 0");
	if (!trace_scan_u64(&p, end, &sector) || !trace_scan_separator(&p, end, ',') ||
	    !trace_scan_u64(&p, end, &len) ||
	    __builtin_mul_overflow(sector, 512u, &offset) ||
	    !trace_set_bytes(ret, offset, len))
		return TRACE_LINE_BROKEN;
	parse->why = N_("the operation is neither r nor w");
	if (!trace_scan_separator(&p, end, ',') ||
	    !trace_scan_direction(&p, end, &ret->op) ||
	    !trace_scan_separator(&p, end, ','))
		return TRACE_LINE_BROKEN;
	parse->why = N_("the timestamp is missing, or not seconds below 2^64 ns");
	if (!trace_scan_decimal(&p, end, 1000000000u, &ret->time_ns))
		return TRACE_LINE_BROKEN;
	trace_skip_blanks(&p, end);
	if (p != end && *p != ',')
		return TRACE_LINE_BROKEN;
	ret->action = TRACE_IO;
	return TRACE_LINE_RECORD;
}

static unsigned probe_line(const char *line, const char *end)
{
	const char *p = line;
	uint64_t number;
	enum trace_op op;

	for (int column = 0; column < 3; column++)
		if (!trace_scan_u64(&p, end, &number) ||
		    !trace_scan_separator(&p, end, ','))
			return 0;
	return trace_scan_direction(&p, end, &op) && trace_scan_separator(&p, end, ',') &&
			       trace_scan_u64(&p, end, &number)
		       ? TRACE_PROBE_RECORD
		       : 0;
}

const struct trace_format trace_format_spc = {
	.name = "spc",
	.probe = probe_line,
	.parse = parse_line,
};
