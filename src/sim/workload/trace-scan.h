/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scanners for the fields of a line of text. Each looks at [*p, end), and on success
 * moves *p behind what it took; on failure it returns false and leaves *p and *ret alone.
 * They are inline because reading text traces is nothing but these.
 */
#ifndef IOSCHED_SIM_TRACE_SCAN_H
#define IOSCHED_SIM_TRACE_SCAN_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "sim/workload/trace.h"

static inline bool trace_is_digit(char c)
{
	return (unsigned char)(c - '0') < 10;
}

static inline void trace_skip_blanks(const char **p, const char *end)
{
	const char *q = *p;

	while (q < end && (*q == ' ' || *q == '\t'))
		q++;
	*p = q;
}

/* Whether nothing is left but blanks. */
static inline bool trace_scan_end(const char *p, const char *end)
{
	trace_skip_blanks(&p, end);
	return p == end;
}

/* The end without trailing blanks. */
static inline const char *trace_trim_end(const char *line, const char *end)
{
	while (end > line && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return end;
}

static inline bool trace_scan_char(const char **p, const char *end, char c)
{
	if (*p >= end || **p != c)
		return false;
	(*p)++;
	return true;
}

static inline bool trace_scan_text(const char **p, const char *end, const char *text)
{
	size_t len = strlen(text);

	if ((size_t)(end - *p) < len || memcmp(*p, text, len) != 0)
		return false;
	*p += len;
	return true;
}

/* Decimal digits; false also when the value does not fit. */
static inline bool trace_scan_u64(const char **p, const char *end, uint64_t *ret)
{
	const char *q = *p;
	const char *safe = end - q > 19 ? q + 19 : end; /* 10^19 - 1 < 2^64 */
	uint64_t value = 0;

	while (q < safe && trace_is_digit(*q))
		value = value * 10 + (uint64_t)(*q++ - '0');
	if (q == *p)
		return false;
	for (; q < end && trace_is_digit(*q); q++)
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*q - '0'), &value))
			return false;
	*p = q;
	*ret = value;
	return true;
}

static inline bool trace_scan_u32(const char **p, const char *end, uint32_t *ret)
{
	const char *q = *p;
	uint64_t value;

	if (!trace_scan_u64(&q, end, &value) || value > UINT32_MAX)
		return false;
	*p = q;
	*ret = (uint32_t)value;
	return true;
}

/*
 * A decimal number with an optional fraction, times `scale` (a power of ten up to 10^9:
 * seconds to nanoseconds is 10^9); digits beyond that precision are dropped. No sign.
 */
static inline bool trace_scan_decimal(const char **p, const char *end, uint64_t scale,
				      uint64_t *ret)
{
	const char *q = *p;
	uint64_t value;

	if (!trace_scan_u64(&q, end, &value) ||
	    __builtin_mul_overflow(value, scale, &value))
		return false;
	if (q < end && *q == '.') {
		uint64_t digit = scale / 10, fraction = 0;

		for (q++; q < end && trace_is_digit(*q); q++) {
			fraction += digit * (uint64_t)(*q - '0');
			digit /= 10;
		}
		if (__builtin_add_overflow(value, fraction, &value))
			return false;
	}
	*p = q;
	*ret = value;
	return true;
}

/* A separator with blanks around it. */
static inline bool trace_scan_separator(const char **p, const char *end, char separator)
{
	const char *q = *p;

	trace_skip_blanks(&q, end);
	if (!trace_scan_char(&q, end, separator))
		return false;
	trace_skip_blanks(&q, end);
	*p = q;
	return true;
}

/*
 * The extent of a request that is given in bytes; false if it is empty or does not fit.
 * Sectors are counted from the one that holds the first byte to that with the last.
 */
static inline bool trace_set_bytes(struct trace_record *record, uint64_t offset,
				   uint64_t len)
{
	uint64_t end;

	if (!len || __builtin_add_overflow(offset, len, &end))
		return false;
	record->sector = offset / 512;
	end = end / 512 + (end % 512 != 0) - record->sector;
	if (end > UINT32_MAX)
		return false;
	record->sectors = (uint32_t)end;
	record->bytes = len;
	return true;
}

/* The same for an extent in sectors. */
static inline bool trace_set_sectors(struct trace_record *record, uint64_t sector,
				     uint64_t sectors)
{
	if (!sectors || sectors > UINT32_MAX || sector + sectors < sector)
		return false;
	record->sector = sector;
	record->sectors = (uint32_t)sectors;
	record->bytes = sectors * 512;
	return true;
}

/* R, r: read; W, w: write. */
static inline bool trace_scan_direction(const char **p, const char *end,
					enum trace_op *ret)
{
	char c = *p < end ? **p | 0x20 : 0;

	if (c != 'r' && c != 'w')
		return false;
	(*p)++;
	*ret = c == 'r' ? TRACE_READ : TRACE_WRITE;
	return true;
}

/* Copies [p, end) into a buffer of `size`, cut if need be, always terminated. */
static inline void trace_copy_text(char *buf, size_t size, const char *p, const char *end)
{
	size_t len = (size_t)(end - p);

	if (len >= size)
		len = size - 1;
	memcpy(buf, p, len);
	buf[len] = '\0';
}

#endif
