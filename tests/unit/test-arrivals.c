// SPDX-License-Identifier: GPL-2.0-or-later
/* Which lines of a trace are arrivals. */
#include "trace-fixture.h"

#include <errno.h>
#include <math.h>

#include "sim/workload/arrivals.h"

#define LINE(time, event) "  fio-6 [001] ..... " time ": " event "\n"

static struct arrivals *open_arrivals(const char *text, struct trace_reader **ret_reader)
{
	struct arrivals *arrivals = NULL;
	struct diag diag = { 0 };

	*ret_reader = fixture_open_bytes(text, strlen(text), TRACE_STRICT);
	if (arrivals_new(*ret_reader, &arrivals, &diag))
		fail_msg("%s", diag.text);
	return arrivals;
}

static void expect_next(struct arrivals *arrivals, uint64_t time_ns, uint64_t sector)
{
	struct trace_record record;
	struct diag diag = { 0 };

	assert_int_equal(arrivals_next(arrivals, &record, &diag), 1);
	assert_true(record.time_ns == time_ns);
	assert_true(record.sector == sector);
}

static void expect_end(struct arrivals *arrivals)
{
	struct trace_record record;
	struct diag diag = { 0 };

	assert_int_equal(arrivals_next(arrivals, &record, &diag), 0);
}

static void test_earliest_stage(void **state)
{
	struct trace_reader *reader;
	struct arrivals *arrivals = open_arrivals(
		LINE("5.000100", "block_rq_issue: 8,0 R 4096 () 900 + 8 [fio]")
		LINE("5.000200", "block_bio_queue: 8,0 R 100 + 8 [fio]")
		LINE("5.000210", "block_rq_insert: 8,0 R 4096 () 100 + 8 [fio]")
		LINE("5.000300", "block_bio_queue: 8,0 W 200 + 16 [fio]"), &reader);

	(void)state;
	expect_next(arrivals, 0, 100);
	expect_next(arrivals, 100000, 200);
	expect_end(arrivals);
	assert_true(arrivals_counts(arrivals)->given == 2);
	arrivals_free(arrivals);
	trace_reader_free(reader);
}

static void test_only_issues(void **state)
{
	struct trace_reader *reader;
	struct arrivals *arrivals = open_arrivals(
		LINE("5.000100", "block_rq_issue: 8,0 R 4096 () 900 + 8 [fio]")
		LINE("5.000200", "block_rq_complete: 8,0 R () 900 + 8 [0]"), &reader);

	(void)state;
	expect_next(arrivals, 0, 900);
	expect_end(arrivals);
	arrivals_free(arrivals);
	trace_reader_free(reader);
}

static void test_one_device(void **state)
{
	struct trace_reader *reader;
	struct arrivals *arrivals = open_arrivals(
		LINE("5.1", "block_bio_queue: 8,16 R 1 + 8 [fio]")
		LINE("5.2", "block_bio_queue: 8,0 R 2 + 8 [fio]")
		LINE("5.3", "block_bio_queue: 8,16 N 0 + 0 [fio]")
		LINE("5.4", "block_bio_queue: 8,16 R 3 + 8 [fio]"), &reader);

	(void)state;
	expect_next(arrivals, 0, 1);
	expect_next(arrivals, 300000000, 3);
	expect_end(arrivals);
	assert_true(arrivals_counts(arrivals)->other_device == 1);
	assert_true(arrivals_counts(arrivals)->without_data == 1);
	arrivals_free(arrivals);
	trace_reader_free(reader);
}

/* However it is written; a write that is flushed before it stays a write. */
static void test_flushes(void **state)
{
	struct trace_reader *reader;
	struct arrivals *arrivals = open_arrivals(
		LINE("5.1", "block_bio_queue: 8,0 WS 80 + 8 [fio]")
		LINE("5.2", "block_bio_queue: 8,0 FWS 0 + 0 [fio]")
		LINE("5.3", "block_bio_queue: 8,0 FF 18446744073709551615 + 0 [fio]")
		LINE("5.4", "block_bio_queue: 8,0 FWFS 88 + 8 [jbd2/sda]"), &reader);
	struct trace_record record;

	(void)state;
	expect_next(arrivals, 0, 80);
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(arrivals_next(arrivals, &record, NULL), 1);
		assert_int_equal(record.op, TRACE_FLUSH);
		assert_int_equal(record.sector, 0);
		assert_int_equal(record.sectors, 0);
		assert_int_equal(record.flags, TRACE_FLAG_SYNC);
	}
	assert_int_equal(arrivals_next(arrivals, &record, NULL), 1);
	assert_int_equal(record.op, TRACE_WRITE);
	assert_int_equal(record.sector, 88);
	expect_end(arrivals);
	assert_true(arrivals_counts(arrivals)->without_data == 0);
	arrivals_free(arrivals);
	trace_reader_free(reader);
}

static void test_backwards(void **state)
{
	/* A collection may be merged from several hosts. */
	static const char csv[] =
		"128166372003061629,usr,0,Read,8192,4096,100\n"
		"128166372002061629,usr,0,Write,4096,4096,100\n"
		"128166372003061639,usr,0,Read,512,4096,100\n";
	struct trace_reader *reader;
	struct arrivals *arrivals = open_arrivals(csv, &reader);

	(void)state;
	expect_next(arrivals, 0, 16);
	expect_next(arrivals, 0, 8);
	expect_next(arrivals, 1000, 1);
	expect_end(arrivals);
	assert_true(arrivals_counts(arrivals)->backwards == 1);
	arrivals_free(arrivals);
	trace_reader_free(reader);
}

#define FIVE \
	LINE("5.000100", "block_bio_queue: 8,0 R 100 + 8 [fio]") \
	LINE("5.000200", "block_bio_queue: 8,0 R 5096 + 8 [fio]") \
	LINE("5.000400", "block_bio_queue: 8,0 R 1992 + 16 [fio]") \
	LINE("5.000500", "block_bio_queue: 8,0 W 992 + 8 [fio]") \
	LINE("5.000600", "block_bio_queue: 8,0 W 7 + 4000 [fio]")

static void test_scaled(void **state)
{
	const struct arrivals_options slow = { .time_scale = 2.5 };
	const struct arrivals_options fast = { .time_scale = 0.001 };
	const struct arrivals_options wrong[] = {
		{ .time_scale = -1.0 }, { .time_scale = NAN }, { .time_scale = INFINITY }
	};
	struct trace_reader *reader;
	struct arrivals *arrivals = open_arrivals(FIVE, &reader);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(arrivals_set_options(arrivals, &wrong[i], NULL), -EINVAL);
	assert_int_equal(arrivals_set_options(arrivals, &slow, NULL), 0);
	expect_next(arrivals, 0, 100);
	expect_next(arrivals, 250000, 5096);
	expect_next(arrivals, 750000, 1992);
	arrivals_free(arrivals);
	trace_reader_free(reader);
	arrivals = open_arrivals(FIVE, &reader);
	assert_int_equal(arrivals_set_options(arrivals, &fast, NULL), 0);
	expect_next(arrivals, 0, 100);
	expect_next(arrivals, 100, 5096);
	arrivals_free(arrivals);
	trace_reader_free(reader);
}

static void test_folded(void **state)
{
	const struct arrivals_options options = { .fold_sectors = 1003 };
	struct trace_record record;
	struct trace_reader *reader;
	struct arrivals *arrivals = open_arrivals(FIVE, &reader);

	(void)state;
	assert_int_equal(arrivals_set_options(arrivals, &options, NULL), 0);
	expect_next(arrivals, 0, 100);
	/* modulo 1000, the whole pages of the device */
	expect_next(arrivals, 100000, 96);
	/* 992 + 16 would end beyond it */
	expect_next(arrivals, 300000, 984);
	/* fits as it is */
	expect_next(arrivals, 400000, 992);
	assert_int_equal(arrivals_next(arrivals, &record, NULL), 1);
	assert_true(record.sector == 0 && record.sectors == 1000);
	expect_end(arrivals);
	assert_true(arrivals_counts(arrivals)->folded == 3);
	assert_true(arrivals_counts(arrivals)->cut == 1);
	arrivals_free(arrivals);
	trace_reader_free(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_earliest_stage),
		cmocka_unit_test(test_only_issues),
		cmocka_unit_test(test_one_device),
		cmocka_unit_test(test_flushes),
		cmocka_unit_test(test_backwards),
		cmocka_unit_test(test_scaled),
		cmocka_unit_test(test_folded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
