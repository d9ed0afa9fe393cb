// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The block traces of Microsoft Research Cambridge (2007), also used by later
 * collections:
 *
 *     timestamp,hostname,disk,Read|Write,offset,size,response
 *
 * timestamp: of the arrival, in 100 ns since 1601 (Windows file time), response in 100
 * ns; offset and size in bytes. The device is host << 20 | disk, hosts counted as they
 * appear.
 */
#include "sim/workload/trace-format.h"
#include "sim/workload/trace-names.h"
#include "sim/workload/trace-scan.h"
#include "util/i18n.h"

static bool scan_type(const char **p, const char *end, enum trace_op *ret)
{
	*ret = TRACE_READ;
	if (trace_scan_text(p, end, "Read") || trace_scan_text(p, end, "read"))
		return true;
	*ret = TRACE_WRITE;
	return trace_scan_text(p, end, "Write") || trace_scan_text(p, end, "write");
}

static bool scan_ticks(const char **p, const char *end, uint64_t *ret)
{
	uint64_t ticks;

	return trace_scan_u64(p, end, &ticks) &&
	       !__builtin_mul_overflow(ticks, 100u, ret);
}

static bool scan_host(const char **p, const char *end, const char **ret,
		      const char **ret_end)
{
	const char *comma = memchr(*p, ',', (size_t)(end - *p));

	if (!comma || comma == *p)
		return false;
	*ret = *p;
	*ret_end = comma;
	*p = comma + 1;
	trace_skip_blanks(p, end);
	return true;
}

static enum trace_line parse_line(struct trace_parse *parse, const char *line,
				  const char *end, struct trace_record *ret)
{
	const char *p = line, *host, *host_end;
	uint32_t host_number, disk;
	uint64_t offset, size;

	if (parse->line == 1 && !trace_is_digit(*line))
		return TRACE_LINE_OTHER; /* names of the columns */
	parse->why = N_("the timestamp is not a number of 100 ns below 2^64 ns");
	if (!scan_ticks(&p, end, &ret->time_ns) || !trace_scan_separator(&p, end, ','))
		return TRACE_LINE_BROKEN;
	parse->why = N_("the disk is not host,number");
	if (!scan_host(&p, end, &host, &host_end) || !trace_scan_u32(&p, end, &disk) ||
	    !trace_scan_separator(&p, end, ',') || disk >= 1u << 20)
		return TRACE_LINE_BROKEN;
	parse->why = N_("the type is neither Read nor Write");
	if (!scan_type(&p, end, &ret->op) || !trace_scan_separator(&p, end, ','))
		return TRACE_LINE_BROKEN;
	parse->why = N_("offset and size do not fit, or the size is 0");
	if (!trace_scan_u64(&p, end, &offset) || !trace_scan_separator(&p, end, ',') ||
	    !trace_scan_u64(&p, end, &size) || !trace_set_bytes(ret, offset, size))
		return TRACE_LINE_BROKEN;
	parse->why =
		N_("the response time is missing, too large, or not the last column");
	if (!trace_scan_separator(&p, end, ',') ||
	    !scan_ticks(&p, end, &ret->duration_ns))
		return TRACE_LINE_BROKEN;
	if (!trace_scan_end(p, end))
		return TRACE_LINE_BROKEN;
	parse->why = N_("there are too many hosts");
	if (!trace_names_find(parse->state, host, host_end, &host_number))
		return TRACE_LINE_BROKEN;
	ret->device = host_number << 20 | disk;
	ret->action = TRACE_IO;
	return TRACE_LINE_RECORD;
}

static unsigned probe_line(const char *line, const char *end)
{
	const char *p = line, *host, *host_end;
	uint64_t number;
	enum trace_op op;

	return trace_scan_u64(&p, end, &number) && trace_scan_separator(&p, end, ',') &&
			       scan_host(&p, end, &host, &host_end) &&
			       trace_scan_u64(&p, end, &number) &&
			       trace_scan_separator(&p, end, ',') &&
			       scan_type(&p, end, &op)
		       ? TRACE_PROBE_RECORD
		       : 0;
}

const struct trace_format trace_format_msr = {
	.name = "msr",
	.state_size = sizeof(struct trace_names),
	.probe = probe_line,
	.parse = parse_line,
};
