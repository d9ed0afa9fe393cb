// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Load files of blkreplay.
 */
#include "trace-fixture.h"

#define GOOD "   1646.446100205 ;     37836712 ;    8 ;RA ; 0.0 ; 0.0"

static void test_record(void **state)
{
	struct trace_record r = fixture_only("blkreplay", GOOD "\n");

	(void)state;
	assert_int_equal(r.action, TRACE_IO);
	assert_int_equal(r.op, TRACE_READ);
	assert_int_equal(r.flags, TRACE_FLAG_AHEAD);
	assert_int_equal(r.time_ns, 1646446100205);
	assert_int_equal(r.sector, 37836712);
	assert_int_equal(r.sectors, 8);
	assert_int_equal(r.bytes, 4096);
	assert_int_equal(r.duration_ns, 0);
}

static void test_prose_and_duration(void **state)
{
	static const char text[] = "This is prose; it may hold ; marks\n\n####\n"
				   "start ; sector; length ; op ;  replay_delay=0 ; "
				   "replay_duration=0\n"
				   "0.1;8;1;W;0.25;0.5\n"
				   "start ; sector; length ; op\n"
				   "0.2;8;1;W\n";
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open(text);
	struct trace_record r = fixture_next(reader);

	(void)state;
	assert_int_equal(r.line, 5);
	assert_int_equal(r.duration_ns, 500000000);
	assert_int_equal(fixture_next(reader).line, 7);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 0);
}

static void test_broken_lines(void **state)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "prose after a record", "start" },
		{ "-1 ; 0 ; 8 ; R ; 0.0 ; 0.0", "start" },
		{ "18446744074 ; 0 ; 8 ; R ; 0.0 ; 0.0", "start" },
		{ "1.0 ; 0 ; 0 ; R ; 0.0 ; 0.0", "sector" },
		{ "1.0 ; x ; 8 ; R ; 0.0 ; 0.0", "sector" },
		{ "1.0 ; 0 ; 8", "letters" },
		{ "1.0 ; 0 ; 8 ; Q ; 0.0 ; 0.0", "letters" },
		{ "1.0 ; 0 ; 8 ; R ; 0.0", "two times" },
		{ "1.0 ; 0 ; 8 ; R ; 0.0 ; 0.0 ; 1", "two times" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		fixture_expect_broken(GOOD, rows[i].line, rows[i].why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_prose_and_duration),
		cmocka_unit_test(test_broken_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
