// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What biosnoop prints, of bcc or of libbpf-tools:
 *
 *     TIME(s) COMM PID DISK T SECTOR BYTES [P] [QUE(ms)] LAT(ms)
 *
 * TIME is that of the completion, counted from the first one seen. LAT begins with the
 * issue and QUE with the insertion, so the arrival is TIME - LAT - QUE; requests that
 * were under way when biosnoop started would arrive before 0, and arrive at 0. T is R or
 * W, or the letters of the tracepoints; P is the pattern, S, R or ?. COMM may hold
 * blanks, so the line is read from both ends.
 */
#include "sim/workload/trace-format.h"
#include "sim/workload/trace-names.h"
#include "sim/workload/trace-rwbs.h"
#include "sim/workload/trace-scan.h"
#include "util/i18n.h"

struct word {
	const char *p, *end;
};

/* Takes the last word off the line; false if there is none. */
static bool take_last(const char *line, const char **end, struct word *ret)
{
	const char *q = trace_trim_end(line, *end);

	ret->end = q;
	while (q > line && q[-1] != ' ' && q[-1] != '\t')
		q--;
	ret->p = q;
	*end = q;
	return ret->p < ret->end;
}

static bool is_u64(struct word word, uint64_t *ret)
{
	return trace_scan_u64(&word.p, word.end, ret) && word.p == word.end;
}

/* Milliseconds, always with a fraction. */
static bool is_ms(struct word word, uint64_t *ret_ns)
{
	return memchr(word.p, '.', (size_t)(word.end - word.p)) &&
	       trace_scan_decimal(&word.p, word.end, 1000000u, ret_ns) &&
	       word.p == word.end;
}

static bool scan_time(const char **p, const char *end, uint64_t *ret_ns)
{
	trace_skip_blanks(p, end);
	return trace_scan_decimal(p, end, 1000000000u, ret_ns) &&
	       trace_scan_char(p, end, ' ');
}

/* Takes "BYTES [P] [QUE] LAT" off the end; *ret_ns is QUE + LAT. */
static bool take_numbers(const char *line, const char **end, uint64_t *ret_bytes,
			 uint64_t *ret_ns)
{
	uint64_t lat_ns, queue_ns = 0;
	struct word word;

	if (!take_last(line, end, &word) || !is_ms(word, &lat_ns) ||
	    !take_last(line, end, &word))
		return false;
	if (is_ms(word, &queue_ns) && !take_last(line, end, &word))
		return false;
	/* no blank stands between seven digits of bytes and the pattern */
	if (strchr("SR?", word.end[-1]) && --word.end == word.p &&
	    !take_last(line, end, &word))
		return false;
	return is_u64(word, ret_bytes) &&
	       !__builtin_add_overflow(lat_ns, queue_ns, ret_ns);
}

static bool is_title(const char *line, const char *end)
{
	trace_skip_blanks(&line, end);
	return trace_scan_text(&line, end, "TIME(s)");
}

/* "Possibly lost 12 samples" */
static bool is_loss(const char *line, const char *end, uint64_t *ret)
{
	return trace_scan_text(&line, end, "Possibly lost ") &&
	       trace_scan_u64(&line, end, ret);
}

static enum trace_line parse_line(struct trace_parse *parse, const char *line,
				  const char *end, struct trace_record *ret)
{
	uint64_t time_ns, bytes, sector, offset, pid;
	struct word word, disk, letters;
	const char *p = line;

	if (is_title(line, end) || is_loss(line, end, &parse->lost))
		return TRACE_LINE_OTHER;
	parse->why = N_("the line does not begin with seconds below 2^64 ns");
	if (!scan_time(&p, end, &time_ns))
		return TRACE_LINE_BROKEN;
	parse->why = N_("the line does not end in bytes and milliseconds");
	if (!take_numbers(p, &end, &bytes, &ret->duration_ns))
		return TRACE_LINE_BROKEN;
	parse->why = N_("the sector is missing or too large");
	if (!take_last(p, &end, &word) || !is_u64(word, &sector) ||
	    __builtin_mul_overflow(sector, 512u, &offset))
		return TRACE_LINE_BROKEN;
	parse->why = N_("the operation letters are not known");
	if (!take_last(p, &end, &letters) ||
	    !trace_rwbs_parse(letters.p, letters.end, ret))
		return TRACE_LINE_BROKEN;
	parse->why = N_("disk and pid are missing, or the pid is too large");
	if (!take_last(p, &end, &disk) || !take_last(p, &end, &word) ||
	    !is_u64(word, &pid) || pid > UINT32_MAX)
		return TRACE_LINE_BROKEN;
	ret->pid = (uint32_t)pid;
	parse->why = N_("sector and bytes do not fit");
	if (bytes ? !trace_set_bytes(ret, offset, bytes) : 0)
		return TRACE_LINE_BROKEN;
	if (!bytes)
		ret->op = TRACE_FLUSH; /* nothing else has no bytes */
	parse->why = N_("there are too many disks");
	if (!trace_names_find(parse->state, disk.p, disk.end, &ret->device))
		return TRACE_LINE_BROKEN;
	trace_skip_blanks(&p, end);
	trace_copy_text(ret->comm, sizeof(ret->comm), p, trace_trim_end(p, end));
	ret->time_ns = time_ns > ret->duration_ns ? time_ns - ret->duration_ns : 0;
	ret->action = TRACE_IO;
	return TRACE_LINE_RECORD;
}

static unsigned probe_line(const char *line, const char *end)
{
	uint64_t number, other;
	const char *p = line;
	struct word word;

	if (is_title(line, end) && memmem(line, (size_t)(end - line), "LAT(ms)", 7) &&
	    memmem(line, (size_t)(end - line), "SECTOR", 6))
		return TRACE_PROBE_TITLE;
	return scan_time(&p, end, &number) && take_numbers(p, &end, &number, &other) &&
			       take_last(p, &end, &word) && is_u64(word, &number)
		       ? TRACE_PROBE_RECORD
		       : 0;
}

const struct trace_format trace_format_biosnoop = {
	.name = "biosnoop",
	.state_size = sizeof(struct trace_names),
	.probe = probe_line,
	.parse = parse_line,
};
