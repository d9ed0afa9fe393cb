// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What blkparse prints.
 */
#include "trace-fixture.h"

#define GOOD "  8,16   3       11     0.000011000   640  Q  WS 63352 + 8 [fio]"

static struct trace_record only(const char *text)
{
	return fixture_only("blkparse", text);
}

static void test_record(void **state)
{
	struct trace_record r = only(GOOD "\n");

	(void)state;
	assert_int_equal(r.action, TRACE_BIO_QUEUE);
	assert_int_equal(r.op, TRACE_WRITE);
	assert_int_equal(r.flags, TRACE_FLAG_SYNC);
	assert_int_equal(r.time_ns, 11000);
	assert_int_equal(r.sector, 63352);
	assert_int_equal(r.sectors, 8);
	assert_int_equal(r.bytes, 4096);
	assert_int_equal(r.cpu, 3);
	assert_int_equal(r.pid, 640);
	assert_int_equal(r.device, 8u << 20 | 16);
	assert_string_equal(r.comm, "fio");
}

static void test_actions(void **state)
{
	static const struct {
		const char *letter;
		enum trace_action action;
	} rows[] = {
		{ "Q", TRACE_BIO_QUEUE },     { "G", TRACE_GETRQ },
		{ "I", TRACE_RQ_INSERT },     { "D", TRACE_RQ_ISSUE },
		{ "M", TRACE_BIO_BACKMERGE }, { "F", TRACE_BIO_FRONTMERGE },
	};
	char line[128];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(line, sizeof(line), "259,0 12 7 1.5 1 %s RA 8 + 1 [a b]",
			 rows[i].letter);
		assert_int_equal(only(line).action, rows[i].action);
	}
}

static void test_complete(void **state)
{
	struct trace_record r = only("8,0 1 2 0.5 0 C R 24 + 8 [65531]");

	(void)state;
	assert_int_equal(r.action, TRACE_RQ_COMPLETE);
	assert_int_equal(r.error, -5);
	r = only("8,0 1 2 0.5 0 C R 24 + 8 (   60000) [0]"); /* with -t */
	assert_int_equal(r.error, 0);
	assert_int_equal(r.sectors, 8);
	r = only("8,0 1 2 0.5 0 C FN 0 [-5]");
	assert_int_equal(r.op, TRACE_FLUSH);
	assert_int_equal(r.error, -5);
	r = only("8,0 1 2 0.5 0 R W 24 + 8 [0]");
	assert_int_equal(r.action, TRACE_RQ_REQUEUE);
}

static void test_without_sectors(void **state)
{
	struct trace_record r = only("8,0 1 2 0.5 640 D FN [fio]");

	(void)state;
	assert_int_equal(r.op, TRACE_FLUSH);
	assert_int_equal(r.sectors, 0);
	r = only("8,0 1 2 0.5 640 Q FWS [fio]");
	assert_int_equal(r.op, TRACE_WRITE);
	assert_int_equal(r.flags, TRACE_FLAG_PREFLUSH | TRACE_FLAG_SYNC);
	r = only("8,0 1 2 0.5 640 D R 36 (12 00 00 00 24 00 ..) [fio]");
	assert_int_equal(r.op, TRACE_OTHER);
	assert_int_equal(r.bytes, 36);
	assert_int_equal(r.sectors, 1);
	assert_string_equal(r.comm, "fio");
}

static void test_plug(void **state)
{
	struct trace_record r = only("8,0 1 2 0.5 640 P N [fio]");

	(void)state;
	assert_int_equal(r.action, TRACE_PLUG);
	assert_int_equal(r.op, TRACE_OTHER);
	r = only("8,0 1 2 0.5 640 U N [fio] 13");
	assert_int_equal(r.action, TRACE_UNPLUG);
	assert_int_equal(r.count, 13);
	assert_int_equal(only("8,0 1 2 0.5 640 UT N [fio] 2").count, 2);
}

static void test_bystanders(void **state)
{
	static const char text[] =
		"  8,16   0 0     0.000000000     0  m   N cfq120A / activate\n"
		"  8,16   0 1     0.000000001     0  A   R 8 + 8 <- (8,17) 0\n"
		"  8,16   0 2     0.000000002     0  X   R 8 / 16 [fio]\n" GOOD
		"\nCPU0 (sda):\n Reads Queued: 2, 12KiB\n\nTotal (sda):\n"
		" Reads Queued: 2\n\nThroughput (R/W): 0KiB/s / 0KiB/s\n"
		"Events (sda): 19 entries\nSkips: 0 forward (0 -   0.0%)\n" GOOD "\n";
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open(text);

	(void)state;
	fixture_next(reader);
	fixture_next(reader);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 0);
	assert_int_equal(trace_reader_counts(reader)->other, 12);
}

static void test_broken_lines(void **state)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "junk", "begin" },
		{ "4096,0 1 2 0.5 640 Q R 8 + 8 [a]", "begin" },
		{ "8,0 1 2 -0.5 640 Q R 8 + 8 [a]", "begin" },
		{ "8,0 1 2 0.5 640", "begin" },
		{ "8,0 1 2 0.5 640 Q", "action and operation" },
		{ "8,0 1 2 0.5 640 Q XX 8 + 8 [a]", "letters" },
		{ "8,0 1 2 0.5 640 Q R 8 + 4294967296 [a]", "sector" },
		{ "8,0 1 2 0.5 640 Q R 18446744073709551615 + 8 [a]", "beyond" },
		{ "8,0 1 2 0.5 640 Q R 8 + 8", "[command]" },
		{ "8,0 1 2 0.5 640 Q R 8 + 8 [a", "[command]" },
		{ "8,0 1 2 0.5 640 C R 8 + 8 [x]", "[error]" },
		{ "8,0 1 2 0.5 640 U N [a]", "number of requests" },
		{ "8,0 1 2 0.5 640 D R 8 (12 [a]", "sector" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		fixture_expect_broken(GOOD, rows[i].line, rows[i].why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record),
		cmocka_unit_test(test_actions),
		cmocka_unit_test(test_complete),
		cmocka_unit_test(test_without_sectors),
		cmocka_unit_test(test_plug),
		cmocka_unit_test(test_bystanders),
		cmocka_unit_test(test_broken_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
