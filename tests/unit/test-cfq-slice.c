// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slices of cfq: how long they are, what ends them, and who may preempt them.
 */
#include "cfq-fixture.h"

/* --- slices --------------------------------------------------------------------------- */

/* base + base / 5 * (4 - level), 100 ms for sync and 40 ms for async. */
static void test_slice_by_level(void **state)
{
	static const unsigned sync_ms[] = { 180, 160, 140, 120, 100, 80, 60, 40 };
	static const unsigned async_ms[] = { 72, 64, 56, 48, 40, 32, 24, 16 };
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned level = 0; level < 8; level++) {
		assert_true(cfq_base_slice_ns(cfq_of(&bench), true, level) ==
			    sync_ms[level] * (int64_t)MS);
		assert_true(cfq_base_slice_ns(cfq_of(&bench), false, level) ==
			    async_ms[level] * (int64_t)MS);
	}
	bench_done(&bench);
}

/* The length of the first slice when so many processes want one. */
static int64_t slice_with(unsigned processes, const struct sim_setting *settings, size_t count)
{
	const struct cfq_queue *active;
	struct bench bench;
	int64_t slice_ns;

	begin(&bench, settings, count);
	for (unsigned pid = 1; pid <= processes; pid++) {
		bench_ask(&bench, pid, 'R', pid * 1000);
		bench_ask(&bench, pid, 'R', pid * 1000 + 8);
	}
	bench_take(&bench);
	bench_complete(&bench);
	active = cfq_of(&bench)->active;
	slice_ns = active ? active->slice_end_ns - active->slice_start_ns : 0;
	bench_done(&bench);
	return slice_ns;
}

/* Shrunk so that all get one within target_latency, but not below two waits. */
static void test_slice_fits_target_latency(void **state)
{
	const struct sim_setting off = { "low_latency", "0" };
	const struct sim_setting longer = { "target_latency", "400" };

	(void)state;
	assert_true(slice_with(3, NULL, 0) == 100 * (int64_t)MS);
	/* The average of 0 and 6 queues is 5: 100 * 300 / 500. */
	assert_true(slice_with(6, NULL, 0) == 60 * (int64_t)MS);
	assert_true(slice_with(6, &longer, 1) == 80 * (int64_t)MS);
	assert_true(slice_with(6, &off, 1) == 100 * (int64_t)MS);
	assert_true(slice_with(60, NULL, 0) == 16 * (int64_t)MS);
}

/* The slice begins with its first completion, and the next queue comes at its end. */
static void test_slice_begins_with_completion(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 8; i++)
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
	bench_ask(&bench, 2, 'R', 9000);
	assert_string_equal(bench_take(&bench), "R1000");
	assert_int_equal(bench.reason, SIM_REASON_SLICE_NEW);
	bench_at(&bench, 110 * MS);
	assert_string_equal(bench_take(&bench), "R1008");
	assert_int_equal(bench.reason, SIM_REASON_SLICE);
	bench_complete(&bench);
	bench_at(&bench, 209 * MS);
	assert_string_equal(bench_take(&bench), "R1016");
	bench_at(&bench, 210 * MS);
	assert_string_equal(bench_take(&bench), "R9000");
	bench_done(&bench);
}

/* Once a slice the oldest request is looked at, and goes first if it is late. */
static void test_fifo_once_a_slice(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 5000);
	bench_at(&bench, MS);
	bench_ask(&bench, 1, 'R', 7000);
	bench_ask(&bench, 1, 'R', 100);
	bench_at(&bench, 126 * MS);
	assert_string_equal(bench_take(&bench), "R5000");
	assert_int_equal(bench.reason, SIM_REASON_SLICE_LATE);
	bench_ask(&bench, 1, 'R', 5008);
	assert_string_equal(bench_take(&bench), "R5008");
	bench_done(&bench);

	/* 124 ms: not late. */
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 5000);
	bench_ask(&bench, 1, 'R', 100);
	bench_at(&bench, 124 * MS);
	assert_string_equal(bench_take(&bench), "R100");
	bench_done(&bench);

	/* Async: 250 ms. */
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'W', 5000);
	bench_ask(&bench, 1, 'W', 100);
	bench_at(&bench, 249 * MS);
	assert_string_equal(bench_take(&bench), "W100");
	bench_done(&bench);
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'W', 5000);
	bench_ask(&bench, 1, 'W', 100);
	bench_at(&bench, 250 * MS);
	assert_string_equal(bench_take(&bench), "W5000");
	bench_done(&bench);
}

/* What a slice had left makes the next turn come sooner. */
static void test_rest_of_slice_counts(void **state)
{
	const struct cfq_queue *cfqq;
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 1000);
	cfqq = cfq_queue_of(cfq_of(&bench), bench_ask(&bench, 1, 'R', 2000));
	bench_ask(&bench, 2, 'R', 5000);
	bench_take(&bench);
	bench_complete(&bench);
	bench_at(&bench, 30 * MS);
	ask_as(&bench, 3, 'R', 9000, SIM_CLASS_RT, 4);
	/* Three queues, 80 ms behind the best level, and 70 ms of 100 were left. */
	assert_true(cfqq->key_ns == (30 + 2 * 80 - 70) * (int64_t)MS);
	bench_done(&bench);
}

/* An async queue gives 2 * slice_async_rq * (8 - level) requests while others wait. */
static void test_async_requests_in_slice(void **state)
{
	const struct sim_setting settings[] = { { "low_latency", "0" }, { "quantum", "64" } };
	struct bench bench;

	(void)state;
	begin(&bench, settings, 2);
	for (unsigned i = 0; i < 20; i++)
		ask_as(&bench, 1, 'W', 1000 + i * 8, SIM_CLASS_BE, 5);
	ask_as(&bench, 1, 'W', 9000, SIM_CLASS_BE, 4);
	/* 2 * 2 * 3 */
	for (unsigned i = 0; i < 12; i++)
		assert_int_equal(bench_take(&bench)[1], '1');
	assert_string_equal(bench_take(&bench), "W9000");
	bench_done(&bench);
}

/* --- preemption ----------------------------------------------------------------------- */

static void test_rt_goes_first(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 4; i++)
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
	bench_expect_next(&bench, "R1000", SIM_REASON_SLICE_NEW);
	ask_as(&bench, 2, 'R', 9000, SIM_CLASS_RT, 0);
	bench_expect_next(&bench, "R9000", SIM_REASON_SLICE_TAKEN);
	ask_as(&bench, 2, 'R', 9008, SIM_CLASS_RT, 0);
	bench_ask(&bench, 3, 'R', 100);
	bench_expect_next(&bench, "R9008", SIM_REASON_SLICE);
	/* While it is waited for nothing of a lower class goes, however near. */
	while (bench.count > 0)
		bench_complete(&bench);
	bench_ask(&bench, 4, 'R', 9016);
	assert_string_equal(bench_take(&bench), "-");
	bench_done(&bench);
}

/* In place of the one that is waited for: a near sync request, not a far one. */
static void test_close_request_goes_first(void **state)
{
	struct bench bench;

	(void)state;
	begin_pieces(&bench, NULL, 0);
	bench_ask(&bench, 3, 'R', 1008 + 8193);
	assert_string_equal(bench_take(&bench), "-");
	bench_ask(&bench, 4, 'R', 1008 + 8192);
	bench_expect_next(&bench, "R9200", SIM_REASON_SLICE_TAKEN);
	bench_done(&bench);
}

static void test_metadata_goes_first(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 1000);
	bench_ask(&bench, 1, 'R', 2000);
	bench_take(&bench);
	bench_ask_for(&bench, &(const struct asked){ 2, 'R', 900000, SIM_CLASS_BE, 4,
						     SIM_REQUEST_META });
	bench_expect_next(&bench, "R900000", SIM_REASON_SLICE_TAKEN);
	/* Not before metadata. */
	bench_ask_for(&bench, &(const struct asked){ 2, 'R', 900008, SIM_CLASS_BE, 4,
						     SIM_REQUEST_META });
	bench_ask_for(&bench, &(const struct asked){ 3, 'R', 500000, SIM_CLASS_BE, 4,
						     SIM_REQUEST_META });
	bench_expect_next(&bench, "R900008", SIM_REASON_SLICE);
	bench_done(&bench);
}

/* The idle class yields to all, and to none takes anything away. */
/* Who has used its slice up yields, even in flight; so does who is not waited for. */
static void test_used_slice_yields(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 4; i++)
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
	bench_ask(&bench, 3, 'R', 500000);
	bench_take(&bench);
	bench_complete(&bench);
	bench_at(&bench, 100 * MS);
	bench_ask(&bench, 2, 'R', 900000);
	bench_expect_next(&bench, "R900000", SIM_REASON_SLICE_TAKEN);
	bench_done(&bench);

	begin(&bench, NULL, 0);
	cfq_queue_of(cfq_of(&bench), bench_ask(&bench, 1, 'R', 1000));
	bench_take(&bench);
	cfq_of(&bench)->active->may_idle = false;
	cfq_of(&bench)->active->tree->think.ns = (struct decaying_mean){ 256, 0, 20 * MS };
	bench_ask(&bench, 2, 'R', 900000);
	bench_expect_next(&bench, "R900000", SIM_REASON_SLICE_TAKEN);
	bench_done(&bench);
}

/* Of one process: metadata before data, wherever it lies. */
static void test_metadata_first_in_queue(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 1000);
	bench_ask_for(&bench, &(const struct asked){ 1, 'R', 900000, SIM_CLASS_BE, 4,
						     SIM_REQUEST_META });
	bench_ask(&bench, 1, 'R', 1008);
	assert_string_equal(bench_take(&bench), "R900000");
	bench_done(&bench);
}

/* The next sweep begins at the lowest sector. */
static void test_wraps_to_lowest(void **state)
{
	const struct sim_setting none = { "back_seek_max", "0" };
	struct bench bench;

	(void)state;
	begin(&bench, &none, 1);
	bench_ask(&bench, 1, 'R', 90000);
	bench_take(&bench);
	bench_ask(&bench, 1, 'R', 2000);
	bench_ask(&bench, 1, 'R', 3000);
	bench_ask(&bench, 1, 'R', 1000);
	bench_expect(&bench, MS, "R1000 R2000 R3000 -");
	bench_done(&bench);
}

static void test_idle_class_yields(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	ask_as(&bench, 1, 'R', 1000, SIM_CLASS_IDLE, 0);
	ask_as(&bench, 1, 'R', 1008, SIM_CLASS_IDLE, 0);
	bench_take(&bench);
	bench_ask(&bench, 2, 'R', 9000);
	bench_expect_next(&bench, "R9000", SIM_REASON_SLICE_TAKEN);
	bench_complete(&bench);
	bench_complete(&bench);
	ask_as(&bench, 3, 'R', 9008, SIM_CLASS_IDLE, 0);
	assert_string_equal(bench_take(&bench), "-");
	bench_done(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slice_by_level),
		cmocka_unit_test(test_slice_fits_target_latency),
		cmocka_unit_test(test_slice_begins_with_completion),
		cmocka_unit_test(test_fifo_once_a_slice),
		cmocka_unit_test(test_rest_of_slice_counts),
		cmocka_unit_test(test_async_requests_in_slice),
		cmocka_unit_test(test_rt_goes_first),
		cmocka_unit_test(test_close_request_goes_first),
		cmocka_unit_test(test_metadata_goes_first),
		cmocka_unit_test(test_used_slice_yields),
		cmocka_unit_test(test_metadata_first_in_queue),
		cmocka_unit_test(test_wraps_to_lowest),
		cmocka_unit_test(test_idle_class_yields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
