// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The block traces of Alibaba Cloud (2020):
 *
 *     device_id,R|W,offset,length,timestamp
 *
 * offset and length in bytes, timestamp of the arrival in microseconds.
 */
#include "sim/workload/trace-format.h"
#include "sim/workload/trace-scan.h"
#include "util/i18n.h"

static enum trace_line parse_line(struct trace_parse *parse, const char *line,
				  const char *end, struct trace_record *ret)
{
	uint64_t offset, len, time_us;
	const char *p = line;

	if (parse->line == 1 && !trace_is_digit(*line))
		return TRACE_LINE_OTHER; /* names of the columns */
	parse->why = N_("the device is not a number below 2^32");
	if (!trace_scan_u32(&p, end, &ret->device) || !trace_scan_separator(&p, end, ','))
		return TRACE_LINE_BROKEN;
	parse->why = N_("the operation is neither R nor W");
	if (!trace_scan_direction(&p, end, &ret->op) ||
	    !trace_scan_separator(&p, end, ','))
		return TRACE_LINE_BROKEN;
	parse->why = N_("offset and length do not fit, or the length is 0");
	if (!trace_scan_u64(&p, end, &offset) || !trace_scan_separator(&p, end, ',') ||
	    !trace_scan_u64(&p, end, &len) || !trace_set_bytes(ret, offset, len))
		return TRACE_LINE_BROKEN;
	parse->why = N_("the timestamp is missing, too large, or not the last column");
	if (!trace_scan_separator(&p, end, ',') || !trace_scan_u64(&p, end, &time_us) ||
	    __builtin_mul_overflow(time_us, 1000u, &ret->time_ns))
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
	enum trace_op op;

	return trace_scan_u64(&p, end, &number) && trace_scan_separator(&p, end, ',') &&
			       trace_scan_direction(&p, end, &op) &&
			       trace_scan_separator(&p, end, ',') &&
			       trace_scan_u64(&p, end, &number)
		       ? TRACE_PROBE_RECORD
		       : 0;
}

const struct trace_format trace_format_alibaba = {
	.name = "alibaba",
	.probe = probe_line,
	.parse = parse_line,
};
