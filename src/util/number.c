// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Strict number parsing, units and their conversion.
 */
#include "util/number.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "util/cleanup.h"

#define DECIMALS_MAX 9

/* Reads the leading digits; 0, -EINVAL if there are none, -ERANGE on overflow. */
static int parse_digits(const char **p, uint64_t *ret)
{
	uint64_t value = 0;

	if (!isdigit((unsigned char)**p))
		return -EINVAL;
	for (; isdigit((unsigned char)**p); (*p)++)
		if (__builtin_mul_overflow(value, 10u, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(**p - '0'), &value))
			return -ERANGE;
	*ret = value;
	return 0;
}

int number_parse_u64(const char *string, uint64_t *ret)
{
	uint64_t value;
	int error = parse_digits(&string, &value);

	if (error)
		return error;
	if (*string)
		return -EINVAL;
	*ret = value;
	return 0;
}

static int apply_sign(uint64_t magnitude, bool is_negative, int64_t *ret)
{
	if (magnitude > (uint64_t)INT64_MAX + (is_negative ? 1 : 0))
		return -ERANGE;
	*ret = is_negative ? (int64_t)(0 - magnitude) : (int64_t)magnitude;
	return 0;
}

int number_parse_i64(const char *string, int64_t *ret)
{
	bool is_negative = *string == '-';
	uint64_t magnitude;
	int error = number_parse_u64(string + is_negative, &magnitude);

	return error ? error : apply_sign(magnitude, is_negative, ret);
}

int number_parse_range(const char *string, int64_t min, int64_t max, int64_t *ret)
{
	int64_t value;
	int error = number_parse_i64(string, &value);

	if (error)
		return error;
	if (value < min || value > max)
		return -ERANGE;
	*ret = value;
	return 0;
}

int number_parse_decimal(const char *string, double *ret)
{
	uint64_t whole, part = 0, scale = 1;
	int error = parse_digits(&string, &whole);

	if (!error && *string == '.') {
		const char *first = ++string;

		error = parse_digits(&string, &part);
		if (!error && string - first > DECIMALS_MAX)
			error = -ERANGE;
		for (; !error && first < string; first++)
			scale *= 10;
	}
	if (error)
		return error;
	if (*string)
		return -EINVAL;
	*ret = (double)whole + (double)part / (double)scale;
	return 0;
}

enum dimension { DIMENSION_NONE, DIMENSION_BOOL, DIMENSION_TIME, DIMENSION_SIZE };

/* scale: nanoseconds or bytes in one unit */
static const struct {
	const char *name;
	enum dimension dimension;
	int64_t scale;
} units[] = {
	[UNIT_NONE] = { "", DIMENSION_NONE, 1 },
	[UNIT_BOOL] = { "", DIMENSION_BOOL, 1 },
	[UNIT_NS] = { "ns", DIMENSION_TIME, 1 },
	[UNIT_US] = { "us", DIMENSION_TIME, 1000 },
	[UNIT_MS] = { "ms", DIMENSION_TIME, 1000000 },
	[UNIT_BYTES] = { "B", DIMENSION_SIZE, 1 },
	[UNIT_KIB] = { "KiB", DIMENSION_SIZE, 1024 },
	[UNIT_SECTORS] = { "sectors", DIMENSION_SIZE, 512 },
	[UNIT_PERCENT] = { "%", DIMENSION_NONE, 1 },
};

static const struct {
	const char *suffix;
	enum dimension dimension;
	int64_t scale;
} suffixes[] = {
	{ "ns", DIMENSION_TIME, 1 },
	{ "us", DIMENSION_TIME, 1000 },
	{ "ms", DIMENSION_TIME, 1000000 },
	{ "s", DIMENSION_TIME, 1000000000 },
	{ "b", DIMENSION_SIZE, 1 },
	{ "k", DIMENSION_SIZE, 1024 },
	{ "kib", DIMENSION_SIZE, 1024 },
	{ "m", DIMENSION_SIZE, 1048576 },
	{ "mib", DIMENSION_SIZE, 1048576 },
	{ "g", DIMENSION_SIZE, 1073741824 },
	{ "gib", DIMENSION_SIZE, 1073741824 },
	{ "t", DIMENSION_SIZE, 1099511627776 },
	{ "tib", DIMENSION_SIZE, 1099511627776 },
	{ "sectors", DIMENSION_SIZE, 512 },
	{ "%", DIMENSION_NONE, 1 },
};

const char *unit_name(enum unit unit)
{
	return units[unit].name;
}

static int parse_bool(const char *string, int64_t *ret)
{
	static const struct {
		const char *word;
		int64_t value;
	} words[] = {
		{ "0", 0 }, { "off", 0 }, { "no", 0 }, { "false", 0 },
		{ "1", 1 }, { "on", 1 }, { "yes", 1 }, { "true", 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcasecmp(string, words[i].word)) {
			*ret = words[i].value;
			return 0;
		}
	}
	return -EINVAL;
}

static int convert(int64_t value, const char *suffix, enum unit unit, int64_t *ret)
{
	int64_t base;

	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++) {
		if (strcasecmp(suffix, suffixes[i].suffix))
			continue;
		if (suffixes[i].dimension != units[unit].dimension)
			return -EINVAL;
		if (suffixes[i].dimension == DIMENSION_NONE && unit != UNIT_PERCENT)
			return -EINVAL;
		if (__builtin_mul_overflow(value, suffixes[i].scale, &base))
			return -ERANGE;
		if (base % units[unit].scale)
			return -ERANGE;
		*ret = base / units[unit].scale;
		return 0;
	}
	return -EINVAL;
}

int number_parse_unit(const char *string, enum unit unit, int64_t *ret)
{
	bool is_negative = *string == '-';
	const char *p = string + is_negative;
	uint64_t magnitude;
	int64_t value;
	int error;

	if (unit == UNIT_BOOL)
		return parse_bool(string, ret);
	error = parse_digits(&p, &magnitude);
	if (!error)
		error = apply_sign(magnitude, is_negative, &value);
	if (error)
		return error;
	while (*p == ' ')
		p++;
	if (!*p) {
		*ret = value;
		return 0;
	}
	return convert(value, p, unit, ret);
}

int number_parse_duration(const char *string, uint64_t unit_ns, uint64_t *ret_ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} names[] = {
		{ "ns", 1 },
		{ "us", 1000 },
		{ "ms", 1000000 },
		{ "s", 1000000000 },
		{ "m", UINT64_C(60) * 1000000000 },
		{ "min", UINT64_C(60) * 1000000000 },
		{ "h", UINT64_C(3600) * 1000000000 },
	};
	char digits[32];
	size_t len = strspn(string, "0123456789."), row = 0;
	const char *name = string + len + strspn(string + len, " ");
	double number;
	int error;

	while (*name && row < ARRAY_SIZE(names) && strcasecmp(names[row].name, name))
		row++;
	if (row == ARRAY_SIZE(names) || len >= sizeof(digits) || (!*name && string[len]))
		return -EINVAL;
	memcpy(digits, string, len);
	digits[len] = '\0';
	error = number_parse_decimal(digits, &number);
	if (error)
		return error;
	number *= (double)(*name ? names[row].ns : unit_ns);
	/* Beyond that a double has no whole numbers any more. */
	if (number > (double)(UINT64_C(1) << 53))
		return -ERANGE;
	*ret_ns = (uint64_t)(number + 0.5);
	return 0;
}

void number_format_unit(int64_t value, enum unit unit, char *buf, size_t size)
{
	const char *name = units[unit].name;

	snprintf(buf, size, "%lld%s%s", (long long)value, *name ? " " : "", name);
}

void number_format_size(uint64_t bytes, char *buf, size_t size)
{
	static const char *const names[] = { "KiB", "MiB", "GiB", "TiB" };
	double value = (double)bytes;
	size_t step = 0;

	if (bytes < 1024) {
		snprintf(buf, size, "%u B", (unsigned)bytes);
		return;
	}
	for (value /= 1024; value >= 1024 && step + 1 < ARRAY_SIZE(names); step++)
		value /= 1024;
	snprintf(buf, size, "%.1f %s", value, names[step]);
}

void number_format_bytes(uint64_t bytes, char *buf, size_t size)
{
	static const char letters[] = "BKMGTPE";
	uint64_t tenths, unit = 1;
	size_t step = 0;

	while (letters[step + 1] && bytes / unit >= 1024) {
		unit *= 1024;
		step++;
	}
	tenths = (bytes % unit) * 10 / unit + bytes / unit * 10;
	if (tenths % 10)
		snprintf(buf, size, "%llu.%llu%c", (unsigned long long)(tenths / 10),
			 (unsigned long long)(tenths % 10), letters[step]);
	else
		snprintf(buf, size, "%llu%c", (unsigned long long)(tenths / 10),
			 letters[step]);
}
