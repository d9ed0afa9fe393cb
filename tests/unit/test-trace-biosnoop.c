// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * biosnoop, with and without queue times and patterns.
 */
#include "trace-fixture.h"

#define GOOD "0.504060    supervise    417000   xvda1   W 6495856    4096     0.97"

static void test_record(void **state)
{
	struct trace_record r = fixture_only("biosnoop", GOOD "\n");

	(void)state;
	assert_int_equal(r.action, TRACE_IO);
	assert_int_equal(r.op, TRACE_WRITE);
	assert_int_equal(r.time_ns, 504060000 - 970000);
	assert_int_equal(r.duration_ns, 970000);
	assert_int_equal(r.sector, 6495856);
	assert_int_equal(r.sectors, 8);
	assert_int_equal(r.pid, 417000);
	assert_int_equal(r.device, 0);
	assert_string_equal(r.comm, "supervise");
}

static void test_variants(void **state)
{
	static const char text[] =
		"TIME(s)     COMM           PID    DISK   T SECTOR     BYTES  P QUE(ms) "
		"LAT(ms)\n"
		"5.000000    Web Content    13888  xvda1  WS 10979304   4096   S    0.50 "
		"   0.97\n"
		"Possibly lost 12 samples\n"
		"5.100000                   7      vda    R 1244992    1048576?    0.00  "
		"  1.47\n"
		"5.100000    ?              0      vda    FF 0    0 0.00    1.47\n"
		"0.001000    a              1      vda    R 0    512     1.47\n";
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open(text);
	struct trace_record r = fixture_next(reader);

	(void)state;
	assert_string_equal(r.comm, "Web Content");
	assert_int_equal(r.flags, TRACE_FLAG_SYNC);
	assert_int_equal(r.duration_ns, 1470000);
	assert_int_equal(r.time_ns, 5000000000 - 1470000);
	r = fixture_next(reader);
	assert_string_equal(r.comm, "");
	assert_int_equal(r.bytes, 1048576);
	assert_int_equal(r.pid, 7);
	assert_int_equal(r.device, 1);
	r = fixture_next(reader);
	assert_int_equal(r.op, TRACE_FLUSH);
	assert_int_equal(r.sectors, 0);
	/* was under way when the recording began */
	assert_int_equal(fixture_next(reader).time_ns, 0);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 0);
	assert_int_equal(trace_reader_counts(reader)->lost, 12);
	assert_int_equal(trace_reader_counts(reader)->other, 2);
}

static void test_broken_lines(void **state)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "x a 1 vda R 0 512 1.0", "begin" },
		{ "-1.0 a 1 vda R 0 512 1.0", "begin" },
		{ "1.0 a 1 vda R 0 512", "end" },
		{ "1.0 a 1 vda R 0 x 1.0", "end" },
		{ "1.0 a 1 vda R 0 S 1.0", "sector" },
		{ "1.0 a 1 vda R 0 512 X 1.0", "end" },
		{ "1.0 S 1.0", "end" },
		{ "1.0 1.0", "end" },
		{ "1.0 a 1 vda R 0 512 18446744073710.0", "end" },
		{ "1.0 a 1 vda R -1 512 1.0", "sector" },
		{ "1.0 a 1 vda R 36028797018963968 512 1.0", "sector" },
		{ "1.0 a 1 vda Q 0 512 1.0", "letters" },
		{ "1.0 vda R 0 512 1.0", "disk and pid" },
		{ "1.0 a 4294967296 vda R 0 512 1.0", "disk and pid" },
		{ "1.0 a 1 vda R 36028797018963967 513 1.0", "fit" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		fixture_expect_broken(GOOD, rows[i].line, rows[i].why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_variants),
		cmocka_unit_test(test_broken_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
