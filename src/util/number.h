/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers with a unit. Parsers take the whole string or refuse it: no leading or
 * trailing junk, no sign where none is meant, no overflow, nothing silently clamped.
 */
#ifndef IOSCHED_UTIL_NUMBER_H
#define IOSCHED_UTIL_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* 0; -EINVAL junk or empty; -ERANGE outside the type or [min, max]. Decimal only. */
int number_parse_u64(const char *string, uint64_t *ret);
int number_parse_i64(const char *string, int64_t *ret);
int number_parse_range(const char *string, int64_t min, int64_t max, int64_t *ret);

/* "1.25", "3": digits with at most nine behind a point, whatever the locale. As above. */
int number_parse_decimal(const char *string, double *ret);

/* What a number measures. The catalogue gives each sysfs attribute one of these. */
enum unit {
	UNIT_NONE,    /* a bare count or factor */
	UNIT_BOOL,    /* 0 or 1 */
	UNIT_NS,
	UNIT_US,
	UNIT_MS,
	UNIT_BYTES,
	UNIT_KIB,
	UNIT_SECTORS, /* 512 bytes each, whatever the logical block size */
	UNIT_PERCENT,
};

/* "", "", "ns", "us", "ms", "B", "KiB", "sectors", "%" */
const char *unit_name(enum unit unit);

/*
 * Reads a number with an optional suffix and converts it to `unit`. Times: ns us ms s;
 * sizes: B, K/KiB, M/MiB, G/GiB, T/TiB, "sectors" (512 B); booleans: 0 1 on off yes no
 * true false. Without a suffix the number is in `unit`. -EINVAL: junk or a suffix of
 * another dimension; -ERANGE: overflow, or not a whole number of `unit`.
 */
int number_parse_unit(const char *string, enum unit unit, int64_t *ret);

/*
 * A time that a person gives: "90", "1.5h", "500 ms". Units: ns us ms s m min h; without one
 * the number counts times of `unit_ns`. Whole nanoseconds. -EINVAL; -ERANGE: overflow.
 * Attributes have no minutes: there "m" would be a slip for "ms".
 */
int number_parse_duration(const char *string, uint64_t unit_ns, uint64_t *ret_ns);

/* "500 ms", "128 KiB", "1", "on"/"off" stay 1/0: exactly the sysfs number plus the unit. */
void number_format_unit(int64_t value, enum unit unit, char *buf, size_t size);

/* Bytes in a sentence: "512 B", "3.4 KiB", "12.0 MiB". */
void number_format_size(uint64_t bytes, char *buf, size_t size);

/* Bytes for people, three digits: "931.5G", "4K"; binary units as lsblk prints them. */
void number_format_bytes(uint64_t bytes, char *buf, size_t size);

#endif
