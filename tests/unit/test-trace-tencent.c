// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tencent tables.
 */
#include "trace-fixture.h"

#define GOOD "1538323200,12910952,128,0,1063"

static void test_record(void **state)
{
	struct trace_record r = fixture_only("tencent", GOOD "\n");

	(void)state;
	assert_int_equal(r.action, TRACE_IO);
	assert_int_equal(r.op, TRACE_READ);
	assert_int_equal(r.time_ns, 1538323200000000000);
	assert_int_equal(r.sector, 12910952);
	assert_int_equal(r.sectors, 128);
	assert_int_equal(r.bytes, 65536);
	assert_int_equal(r.device, 1063);
	r = fixture_only("tencent", "1538323200,0,8,1,1\n");
	assert_int_equal(r.op, TRACE_WRITE);
}

static void test_broken_lines(void **state)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "18446744074,0,8,1,1", "timestamp" },
		{ "1.5,0,8,1,1", "timestamp" },
		{ "1,0,0,1,1", "offset" },
		{ "1,0,4294967296,1,1", "offset" },
		{ "1,18446744073709551615,8,1,1", "offset" },
		{ "1,0,8,2,1", "0 nor 1" },
		{ "1,0,8,10,1", "0 nor 1" },
		{ "1,0,8", "0 nor 1" },
		{ "1,0,8,1", "0 nor 1" },
		{ "1,0,8,1,", "volume" },
		{ "1,0,8,1,4294967296", "volume" },
		{ "1,0,8,1,1,", "volume" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		fixture_expect_broken(GOOD, rows[i].line, rows[i].why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_broken_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
