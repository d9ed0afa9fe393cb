// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SPC tables.
 */
#include "trace-fixture.h"

#define GOOD "0,20941264,8192,W,0.551706"

static void test_record(void **state)
{
	struct trace_record r = fixture_only("spc", GOOD "\n");

	(void)state;
	assert_int_equal(r.action, TRACE_IO);
	assert_int_equal(r.op, TRACE_WRITE);
	assert_int_equal(r.time_ns, 551706000);
	assert_int_equal(r.sector, 20941264);
	assert_int_equal(r.sectors, 16);
	assert_int_equal(r.bytes, 8192);
	assert_int_equal(r.device, 0);
}

static void test_blanks_and_more_columns(void **state)
{
	struct trace_record r =
		fixture_only("spc", "17, 55590 ,\t3072, r, 12.0000000019 ,x,y\n");

	(void)state;
	assert_int_equal(r.op, TRACE_READ);
	assert_int_equal(r.device, 17);
	assert_int_equal(r.sectors, 6);
	/* digits beyond the nanosecond are dropped */
	assert_int_equal(r.time_ns, 12000000001);
}

static void test_broken_lines(void **state)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "-1,0,512,r,1", "unit" },
		{ "0,36028797018963968,512,r,1", "address" },
		{ "0,0,0,r,1", "address" },
		{ "0,0,512,x,1", "r nor w" },
		{ "0,0,512", "r nor w" },
		{ "0,0,512,r", "r nor w" },
		{ "0,0,512,r,", "timestamp" },
		{ "0,0,512,r,-1", "timestamp" },
		{ "0,0,512,r,1 2", "timestamp" },
		{ "0,0,512,r,18446744074", "timestamp" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		fixture_expect_broken(GOOD, rows[i].line, rows[i].why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_blanks_and_more_columns),
		cmocka_unit_test(test_broken_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
