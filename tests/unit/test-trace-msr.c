// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * MSR Cambridge tables.
 */
#include "trace-fixture.h"

#define GOOD "128166372003061629,hm,1,Read,383496192,32768,413"

static void test_record(void **state)
{
	struct trace_record r = fixture_only("msr", GOOD "\n");

	(void)state;
	assert_int_equal(r.action, TRACE_IO);
	assert_int_equal(r.op, TRACE_READ);
	assert_int_equal(r.time_ns, 12816637200306162900u);
	assert_int_equal(r.sector, 749016);
	assert_int_equal(r.sectors, 64);
	assert_int_equal(r.bytes, 32768);
	assert_int_equal(r.duration_ns, 41300);
	assert_int_equal(r.device, 1);
}

static void test_hosts_and_odd_bytes(void **state)
{
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open(GOOD "\n2,src,3,Write,511,2,0\n3,hm,0,write,0,512,0\n");
	struct trace_record r;

	(void)state;
	fixture_next(reader);
	r = fixture_next(reader);
	assert_int_equal(r.op, TRACE_WRITE);
	assert_int_equal(r.device, 1u << 20 | 3);
	assert_int_equal(r.sector, 0);
	assert_int_equal(r.sectors, 2); /* the two bytes lie in two sectors */
	assert_int_equal(r.bytes, 2);
	assert_int_equal(fixture_next(reader).device, 0);
	assert_int_equal(trace_reader_counts(reader)->backwards, 1);
}

static void test_broken_lines(void **state)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "x,hm,1,Read,0,512,1", "timestamp" },
		{ "-5,hm,1,Read,0,512,1", "timestamp" },
		{ "184467440737095517,hm,1,Read,0,512,1", "timestamp" },
		{ "5,,1,Read,0,512,1", "disk" },
		{ "5,hm,-1,Read,0,512,1", "disk" },
		{ "5,hm,1048576,Read,0,512,1", "disk" },
		{ "5,hm,1,Trim,0,512,1", "Read nor Write" },
		{ "5,hm,1,Read,-1,512,1", "offset" },
		{ "5,hm,1,Read,0,0,1", "offset" },
		{ "5,hm,1,Read,18446744073709551615,512,1", "offset" },
		{ "5,hm,1,Read,0,99999999999999,1", "offset" },
		{ "5,hm,1,Read,0,512", "response" },
		{ "5,hm,1,Read,0,512,", "response" },
		{ "5,hm,1,Read,0,512,1,7", "response" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		fixture_expect_broken(GOOD, rows[i].line, rows[i].why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_hosts_and_odd_bytes),
		cmocka_unit_test(test_broken_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
