// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers: strictness, overflow, units.
 */
#include "test.h"

#include <errno.h>
#include <string.h>

#include "util/cleanup.h"
#include "util/number.h"

static void test_u64_whole_string_only(void **state)
{
	static const struct {
		const char *text;
		int error;
		uint64_t value;
	} cases[] = {
		{ "0", 0, 0 },
		{ "18446744073709551615", 0, UINT64_MAX },
		{ "18446744073709551616", -ERANGE, 0 },
		{ "99999999999999999999999", -ERANGE, 0 },
		{ "", -EINVAL, 0 },
		{ " 1", -EINVAL, 0 },
		{ "1 ", -EINVAL, 0 },
		{ "+1", -EINVAL, 0 },
		{ "-1", -EINVAL, 0 },
		{ "0x10", -EINVAL, 0 },
		{ "1e3", -EINVAL, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t value = 77;

		assert_int_equal(number_parse_u64(cases[i].text, &value), cases[i].error);
		assert_int_equal(value, cases[i].error ? 77 : cases[i].value);
	}
}

static void test_i64_ends(void **state)
{
	int64_t value = 0;

	(void)state;
	assert_int_equal(number_parse_i64("-9223372036854775808", &value), 0);
	assert_true(value == INT64_MIN);
	assert_int_equal(number_parse_i64("9223372036854775807", &value), 0);
	assert_true(value == INT64_MAX);
	assert_int_equal(number_parse_i64("9223372036854775808", &value), -ERANGE);
	assert_int_equal(number_parse_i64("-9223372036854775809", &value), -ERANGE);
	assert_int_equal(number_parse_i64("--1", &value), -EINVAL);
	assert_int_equal(number_parse_range("5", 6, 9, &value), -ERANGE);
	assert_int_equal(number_parse_range("9", 6, 9, &value), 0);
	assert_int_equal(value, 9);
}

static void test_units_convert(void **state)
{
	static const struct {
		const char *text;
		enum unit unit;
		int error;
		int64_t value;
	} cases[] = {
		{ "500", UNIT_MS, 0, 500 },
		{ "1s", UNIT_MS, 0, 1000 },
		{ "2 ms", UNIT_NS, 0, 2000000 },
		{ "1500us", UNIT_MS, -ERANGE, 0 }, /* not a whole number of ms */
		{ "128K", UNIT_KIB, 0, 128 },
		{ "4MiB", UNIT_KIB, 0, 4096 },
		{ "8192sectors", UNIT_KIB, 0, 4096 }, /* 512-byte sectors are not KiB */
		{ "1sectors", UNIT_KIB, -ERANGE, 0 },
		{ "1M", UNIT_SECTORS, 0, 2048 },
		{ "5ms", UNIT_KIB, -EINVAL, 0 },
		{ "5K", UNIT_MS, -EINVAL, 0 },
		{ "5K", UNIT_NONE, -EINVAL, 0 },
		{ "5 apples", UNIT_MS, -EINVAL, 0 },
		{ "9223372036854775807s", UNIT_NS, -ERANGE, 0 },
		{ "-1", UNIT_US, 0, -1 },
		{ "on", UNIT_BOOL, 0, 1 },
		{ "NO", UNIT_BOOL, 0, 0 },
		{ "2", UNIT_BOOL, -EINVAL, 0 },
		{ "75%", UNIT_PERCENT, 0, 75 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		int64_t value = -77;

		assert_int_equal(number_parse_unit(cases[i].text, cases[i].unit, &value),
				 cases[i].error);
		assert_int_equal(value, cases[i].error ? -77 : cases[i].value);
	}
}

static void test_format(void **state)
{
	char text[32];

	(void)state;
	number_format_unit(128, UNIT_KIB, text, sizeof(text));
	assert_string_equal(text, "128 KiB");
	number_format_unit(3, UNIT_NONE, text, sizeof(text));
	assert_string_equal(text, "3");
	number_format_unit(75, UNIT_PERCENT, text, sizeof(text));
	assert_string_equal(text, "75 %");
	number_format_bytes(0, text, sizeof(text));
	assert_string_equal(text, "0B");
	number_format_bytes(1024, text, sizeof(text));
	assert_string_equal(text, "1K");
	number_format_bytes(1000204886016, text, sizeof(text));
	assert_string_equal(text, "931.5G");
	number_format_bytes(UINT64_MAX, text, sizeof(text));
	assert_string_equal(text, "15.9E");
}

static void test_decimal(void **state)
{
	static const char *const refused[] = { "", ".", "1.", ".5", "-1", "+1", "1e3", "1,5", " 1",
					       "1 ", "1.5.2", "0x1", "nan", "inf" };
	char zeros[200] = "1.";
	double value = 7;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		assert_int_equal(number_parse_decimal(refused[i], &value), -EINVAL);
	/* However many there are: 10 to the power of 64 is 0 in 64 bits. */
	for (size_t len = strlen(zeros); len < sizeof(zeros) - 1; len++) {
		zeros[len] = '0';
		if (len >= strlen("1.000000000"))
			assert_int_equal(number_parse_decimal(zeros, &value), -ERANGE);
	}
	assert_int_equal(number_parse_decimal("18446744073709551616", &value), -ERANGE);
	assert_int_equal(number_parse_decimal("0.0000000001", &value), -ERANGE);
	assert_true(value == 7);
	assert_int_equal(number_parse_decimal("1.25", &value), 0);
	assert_true(value == 1.25);
	assert_int_equal(number_parse_decimal("0.000000001", &value), 0);
	assert_true(value == 1e-9);
	assert_int_equal(number_parse_decimal("300", &value), 0);
	assert_true(value == 300);
}

static void test_sizes_in_a_sentence(void **state)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} rows[] = {
		{ 0, "0 B" },		   { 1023, "1023 B" },
		{ 1024, "1.0 KiB" },	   { 25000, "24.4 KiB" },
		{ 1048576, "1.0 MiB" },	   { UINT64_C(3) << 30, "3.0 GiB" },
		{ UINT64_C(5) << 40, "5.0 TiB" }, { UINT64_C(1) << 60, "1048576.0 TiB" },
	};
	char text[32];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		number_format_size(rows[i].bytes, text, sizeof(text));
		assert_string_equal(text, rows[i].text);
	}
}

static void test_durations(void **state)
{
	static const struct {
		const char *text;
		uint64_t ns;
	} rows[] = {
		{ "2", 2000000000 },	   { "0", 0 },
		{ "0.5", 500000000 },	   { "7ns", 7 },
		{ "1.5us", 1500 },	   { "500 ms", 500000000 },
		{ "10s", 10000000000 },	   { "5m", 300000000000 },
		{ "5min", 300000000000 },  { "1.5h", 5400000000000 },
		{ "24H", 86400000000000 },
	};
	static const char *const junk[] = { "",	    "s",    "-1s", "1d",   "1mm",  "1s ",
					    "1 ", "1e3", ".5s", "1.s", "1.2.3", "5m30s", "0x5" };
	uint64_t ns = 42;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_int_equal(number_parse_duration(rows[i].text, 1000000000, &ns), 0);
		assert_int_equal(ns, rows[i].ns);
	}
	assert_int_equal(number_parse_duration("3", 1000000, &ns), 0);
	assert_int_equal(ns, 3000000);
	for (size_t i = 0; i < ARRAY_SIZE(junk); i++)
		assert_int_equal(number_parse_duration(junk[i], 1000000000, &ns), -EINVAL);
	assert_int_equal(number_parse_duration("99999999h", 1, &ns), -ERANGE);
	assert_int_equal(number_parse_duration("99999999999999999999", 1, &ns), -ERANGE);
	assert_int_equal(ns, 3000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_decimal),
		cmocka_unit_test(test_u64_whole_string_only),
		cmocka_unit_test(test_i64_ends),
		cmocka_unit_test(test_units_convert),
		cmocka_unit_test(test_format),
		cmocka_unit_test(test_durations),
		cmocka_unit_test(test_sizes_in_a_sentence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
