// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Logs of fio, both versions.
 */
#include "trace-fixture.h"

#define GOOD "fio version 3 iolog\n10 /dev/sda read 0 512"

static void test_version_2(void **state)
{
	static const char text[] = "fio version 2 iolog\n"
				   "/dev/sdb add\n"
				   "/dev/sdb open\n"
				   "/dev/sdb write 16384 4096\n"
				   "/dev/sdb wait 1500 0\n"
				   "/dev/sdc read 512 512\n"
				   "/dev/sdb wait 500\n"
				   "/dev/sdb datasync 0 0\n"
				   "/dev/sdb trim 0 1048576\n"
				   "/dev/sdb close\n";
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open(text);
	struct trace_record r = fixture_next(reader);

	(void)state;
	assert_int_equal(r.action, TRACE_IO);
	assert_int_equal(r.op, TRACE_WRITE);
	assert_int_equal(r.time_ns, 0);
	assert_int_equal(r.sector, 32);
	assert_int_equal(r.sectors, 8);
	assert_int_equal(r.device, 0);
	r = fixture_next(reader);
	assert_int_equal(r.action, TRACE_WAIT);
	assert_int_equal(r.op, TRACE_OTHER);
	assert_int_equal(r.duration_ns, 1500000);
	assert_int_equal(r.time_ns, 1500000);
	r = fixture_next(reader);
	assert_int_equal(r.op, TRACE_READ);
	assert_int_equal(r.device, 1);
	assert_int_equal(r.time_ns, 1500000);
	fixture_next(reader);
	r = fixture_next(reader);
	assert_int_equal(r.op, TRACE_FLUSH);
	assert_int_equal(r.time_ns, 2000000);
	assert_int_equal(r.sectors, 0);
	r = fixture_next(reader);
	assert_int_equal(r.op, TRACE_DISCARD);
	assert_int_equal(r.sectors, 2048);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 0);
}

static void test_version_3(void **state)
{
	struct trace_record r = fixture_only("fio-iolog-v3", GOOD "\n");

	(void)state;
	assert_int_equal(r.time_ns, 10000);
	assert_int_equal(r.sectors, 1);
}

/* fio appends to a log that exists. */
static void test_appended(void **state)
{
	static const char text[] = GOOD "\n99 /dev/sda close\n" GOOD "\n";
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open(text);

	(void)state;
	assert_int_equal(fixture_next(reader).time_ns, 10000);
	assert_int_equal(fixture_next(reader).time_ns, 109000);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 0);
}

static void test_too_many_files(void **state)
{
	static char text[64 * 1024];
	size_t len = (size_t)snprintf(text, sizeof(text), "fio version 2 iolog\n");
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;

	(void)state;
	for (int i = 0; i < 1030; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"f%d read 0 512\n", i);
	snprintf(text + len, sizeof(text) - len, "f1023 read 0 512\n");
	reader = fixture_open(text);
	for (unsigned i = 0; i < 1024; i++)
		assert_int_equal(fixture_next(reader).device, i);
	assert_int_equal(fixture_next(reader).device, 1023);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 6);
}

static void test_broken_waits(void **state)
{
	(void)state;
	fixture_expect_broken("fio version 2 iolog\nf read 0 512", "f wait", "wait");
	fixture_expect_broken("fio version 2 iolog\nf read 0 512", "f wait -1 0", "wait");
	fixture_expect_broken("fio version 2 iolog\nf read 0 512",
			      "f wait 18446744073709552 0", "wait");
}

static void test_broken_lines(void **state)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "x /dev/sda read 0 512", "microseconds" },
		{ "18446744073709552 /dev/sda read 0 512", "microseconds" },
		{ "20 /dev/sda", "action" },
		{ "20 /dev/sda chew 0 512", "not known" },
		{ "20 /dev/sda reads 0 512", "not known" },
		{ "20 /dev/sda read 0", "offset" },
		{ "20 /dev/sda read 0 0", "offset" },
		{ "20 /dev/sda read -1 512", "offset" },
		{ "20 /dev/sda read 0 512 7", "goes on" },
		{ "20 /dev/sda wait 5 0", "no waits" },
		{ "9 /dev/sda read 0 512", "earlier" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		fixture_expect_broken(GOOD, rows[i].line, rows[i].why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_version_2),
		cmocka_unit_test(test_version_3),
		cmocka_unit_test(test_appended),
		cmocka_unit_test(test_too_many_files),
		cmocka_unit_test(test_broken_waits),
		cmocka_unit_test(test_broken_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
