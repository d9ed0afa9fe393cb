// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The traces of Tencent's cloud block storage (2018):
 *
 *     timestamp,offset,size,type,volume
 *
 * timestamp of the arrival in whole seconds since 1970, offset and size in sectors of
 * 512 bytes, type 0 for a read and 1 for a write.
 */
#include "sim/workload/trace-format.h"
#include "sim/workload/trace-scan.h"
#include "util/i18n.h"

static bool scan_type(const char **p, const char *end, enum trace_op *ret)
{
	*ret = *p < end && **p == '0' ? TRACE_READ : TRACE_WRITE;
	return trace_scan_char(p, end, *ret == TRACE_READ ? '0' : '1');
}

static enum trace_line parse_line(struct trace_parse *parse, const char *line,
				  const char *end, struct trace_record *ret)
{
	uint64_t time_s, sector, sectors;
	const char *p = line;

	if (parse->line == 1 && !trace_is_digit(*line))
		return TRACE_LINE_OTHER; /* names of the columns */
	parse->why = N_("the timestamp is not a number of seconds below 2^64 ns");
	if (!trace_scan_u64(&p, end, &time_s) || !trace_scan_separator(&p, end, ',') ||
	    __builtin_mul_overflow(time_s, 1000000000u, &ret->time_ns))
		return TRACE_LINE_BROKEN;
	parse->why = N_("offset and size do not fit, or the size is 0");
	if (!trace_scan_u64(&p, end, &sector) || !trace_scan_separator(&p, end, ',') ||
	    !trace_scan_u64(&p, end, &sectors) ||
	    !trace_set_sectors(ret, sector, sectors))
		return TRACE_LINE_BROKEN;
	parse->why = N_("the type is neither 0 nor 1");
	if (!trace_scan_separator(&p, end, ',') || !scan_type(&p, end, &ret->op) ||
	    !trace_scan_separator(&p, end, ','))
		return TRACE_LINE_BROKEN;
	parse->why = N_("the volume is not a number below 2^32, or not the last column");
	if (!trace_scan_u32(&p, end, &ret->device))
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

	for (int column = 0; column < 3; column++)
		if (!trace_scan_u64(&p, end, &number) ||
		    !trace_scan_separator(&p, end, ','))
			return 0;
	return scan_type(&p, end, &op) && trace_scan_separator(&p, end, ',') &&
			       trace_scan_u64(&p, end, &number) && p == end
		       ? TRACE_PROBE_RECORD
		       : 0;
}

const struct trace_format trace_format_tencent = {
	.name = "tencent",
	.probe = probe_line,
	.parse = parse_line,
};
