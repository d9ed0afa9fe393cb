// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Alibaba tables.
 */
#include "trace-fixture.h"

#define GOOD "419,W,8792731648,16384,1577808144360767"

static void test_record(void **state)
{
	struct trace_record r = fixture_only("alibaba", GOOD "\n");

	(void)state;
	assert_int_equal(r.action, TRACE_IO);
	assert_int_equal(r.op, TRACE_WRITE);
	assert_int_equal(r.time_ns, 1577808144360767000);
	assert_int_equal(r.sector, 17173304);
	assert_int_equal(r.sectors, 32);
	assert_int_equal(r.device, 419);
	assert_int_equal(r.duration_ns, 0);
}

static void test_broken_lines(void **state)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "4294967296,W,0,512,1", "device" },
		{ "x,W,0,512,1", "device" },
		{ "1,D,0,512,1", "R nor W" },
		{ "1,,0,512,1", "R nor W" },
		{ "1,R,0,0,1", "offset" },
		{ "1,R,-512,512,1", "offset" },
		{ "1,R,0", "offset" },
		{ "1,R,0,512", "timestamp" },
		{ "1,R,0,512,-1", "timestamp" },
		{ "1,R,0,512,18446744073709552", "timestamp" },
		{ "1,R,0,512,1,1", "timestamp" },
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
