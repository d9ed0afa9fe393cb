// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * anticipatory, rule by rule as in facts on anticipatory: the two kinds and their times, the
 * one-way elevator, merging.
 */
#include "anticipatory-fixture.h"

/* --- kinds and expiry ----------------------------------------------------------------- */

/* Reads and sync writes on one side, the other writes on the other. */
static void test_sync_and_async(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, &no_wait, 1);
	bench_ask(&bench, 1, 'W', 100);
	bench_ask(&bench, 1, 'R', 300);
	bench_ask(&bench, 1, 'S', 400);
	bench_ask(&bench, 1, 'W', 200);
	assert_int_equal(as_of(&bench)->sorted[true].count, 2);
	assert_int_equal(as_of(&bench)->sorted[false].count, 2);
	bench_done(&bench);
}

/* What is older than 125 ms (250 ms for async) goes first, looked at as rarely. */
static void check_expiry(char op, unsigned expire_ms)
{
	struct bench bench;
	char first[32], second[32];

	snprintf(first, sizeof(first), "%c1000", op);
	snprintf(second, sizeof(second), "%c90000", op);
	for (unsigned late = 0; late < 2; late++) {
		begin(&bench, &no_wait, 1);
		bench_ask(&bench, 1, op, 1000);
		assert_string_equal(bench_take(&bench), first);
		bench_ask(&bench, 1, op, 90000);
		bench_ask(&bench, 1, op, 1008);
		bench_at(&bench, (expire_ms + late) * MS);
		if (late) {
			assert_string_equal(bench_take(&bench), second);
			assert_int_equal(bench.reason, SIM_REASON_BATCH_LATE);
		} else {
			assert_string_not_equal(bench_take(&bench), second);
			assert_int_equal(bench.reason, SIM_REASON_BATCH);
		}
		bench_done(&bench);
	}
}

static void test_expiry(void **state)
{
	(void)state;
	check_expiry('R', 125);
	check_expiry('W', 250);
}

/* Within the expiry time after one look at the clock nobody looks again. */
static void test_expiry_is_looked_at_rarely(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, &no_wait, 1);
	bench_ask(&bench, 1, 'R', 1000);
	bench_take(&bench);
	bench_ask(&bench, 1, 'R', 90000);
	bench_at(&bench, 5 * MS);
	bench_ask(&bench, 1, 'R', 80000);
	bench_ask(&bench, 1, 'R', 1008);
	bench_at(&bench, 126 * MS);
	assert_string_equal(bench_take(&bench), "R90000");
	bench_at(&bench, 140 * MS);
	assert_string_equal(bench_take(&bench), "R80000");
	assert_int_equal(bench.reason, SIM_REASON_BATCH);
	bench_done(&bench);
}

/* --- batches -------------------------------------------------------------------------- */

/* How long reads keep the device while a write waits. */
static unsigned read_batch_ms(const struct sim_setting *settings, size_t count)
{
	struct bench bench;
	uint64_t sector = 1000, begin_ns;

	begin(&bench, settings, count);
	bench_ask(&bench, 1, 'R', sector);
	bench_take(&bench);
	bench_ask(&bench, 2, 'W', 500000);
	begin_ns = bench.queue->now_ns;
	bench_complete(&bench);
	for (;;) {
		bench_ask(&bench, 1, 'R', sector += 8);
		if (strcmp(bench_take(&bench), "-") == 0)
			break;
		bench_at(&bench, bench.queue->now_ns + MS);
		if (bench.in_flight[0]->op == SIM_WRITE)
			break;
		bench_complete(&bench);
		assert_true(bench.queue->now_ns < 5000 * MS);
	}
	begin_ns = bench.queue->now_ns - begin_ns;
	bench_done(&bench);
	return (unsigned)(begin_ns / MS);
}

static void test_read_batch(void **state)
{
	const struct sim_setting settings[] = { { "antic_expire", "0" },
						{ "read_batch_expire", "40" } };
	unsigned ms;

	(void)state;
	/* 500 ms, then one tick more; a late request is looked at once on the way. */
	ms = read_batch_ms(&no_wait, 1);
	assert_true(ms >= 501 && ms <= 503);
	ms = read_batch_ms(settings, 2);
	assert_true(ms >= 41 && ms <= 43);
}

/* A batch of the other kind begins when the last requests of the first are done. */
static void test_kinds_do_not_mix(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, &no_wait, 1);
	bench_ask(&bench, 1, 'R', 1000);
	bench_ask(&bench, 1, 'R', 1008);
	bench_take(&bench);
	bench_take(&bench);
	bench_ask(&bench, 2, 'W', 5000);
	assert_string_equal(bench_take(&bench), "-");
	bench_complete(&bench);
	assert_string_equal(bench_take(&bench), "-");
	bench_complete(&bench);
	assert_string_equal(bench_take(&bench), "W5000");
	assert_int_equal(bench.reason, SIM_REASON_BATCH_NEW);
	bench_ask(&bench, 1, 'R', 1016);
	bench_ask(&bench, 2, 'W', 5008);
	assert_string_equal(bench_take(&bench), "W5008");
	bench_done(&bench);
}

/* Writes go on for their time or their number, whichever ends first. */
static void test_write_batch(void **state)
{
	const struct sim_setting settings[] = { { "antic_expire", "0" },
						{ "write_batch_expire", "30" } };
	struct bench bench;

	(void)state;
	for (unsigned slow = 0; slow < 2; slow++) {
		unsigned writes = 0;

		begin(&bench, settings, 2);
		bench_ask(&bench, 1, 'R', 992);
		bench_take(&bench);
		bench_complete(&bench);
		for (unsigned i = 0; i < 20; i++)
			bench_ask(&bench, 2, 'W', 5000 + i * 8);
		bench_take(&bench);
		bench_ask(&bench, 1, 'R', 1000);
		do {
			writes++;
			bench_at(&bench, bench.queue->now_ns + (slow ? 16 : 1) * MS);
			bench_complete(&bench);
		} while (bench_take(&bench)[0] == 'W');
		/* Two for ten of the batch's ticks; 30 ms are two of 16. */
		assert_int_equal(writes, slow ? 2 : 6);
		bench_done(&bench);
	}
}

/* The number of writes of a batch follows how long the last one took. */
static uint64_t write_count_after(unsigned service_ms)
{
	struct bench bench;
	uint64_t count;

	begin(&bench, &no_wait, 1);
	bench_ask(&bench, 1, 'R', 992);
	bench_take(&bench);
	bench_complete(&bench);
	for (unsigned i = 0; i < 40; i++)
		bench_ask(&bench, 2, 'W', 5000 + i * 8);
	bench_take(&bench);
	bench_ask(&bench, 1, 'R', 1000);
	for (;;) {
		bench_at(&bench, bench.queue->now_ns + service_ms * MS);
		bench_complete(&bench);
		if (bench_take(&bench)[0] == 'R')
			break;
	}
	bench_complete(&bench);
	count = as_of(&bench)->write_count;
	bench_done(&bench);
	return count;
}

static void test_write_count_adapts(void **state)
{
	(void)state;
	/* 24 to begin with, in 125 ms. */
	assert_int_equal(write_count_after(1), 48);
	assert_int_equal(write_count_after(3), 25);
	assert_int_equal(write_count_after(200), 23);
	assert_int_equal(write_count_after(500), 12);
}

/* What the device did while nobody waited for the end of the writes is not counted. */
static void test_idle_writes_do_not_count(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, &no_wait, 1);
	bench_ask(&bench, 1, 'R', 992);
	bench_take(&bench);
	bench_complete(&bench);
	bench_ask(&bench, 2, 'W', 5000);
	bench_take(&bench);
	bench_complete(&bench);
	bench_at(&bench, 700 * MS);
	bench_ask(&bench, 1, 'R', 1000);
	bench_take(&bench);
	bench_complete(&bench);
	assert_int_equal(as_of(&bench)->write_count, 24);
	bench_done(&bench);
}

/* A batch's time begins with the end of its first request. */
static void test_batch_begins_with_completion(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, &no_wait, 1);
	bench_ask(&bench, 1, 'R', 1000);
	bench_take(&bench);
	bench_ask(&bench, 1, 'R', 1008);
	bench_ask(&bench, 1, 'R', 1016);
	bench_ask(&bench, 2, 'W', 5000);
	bench_at(&bench, 600 * MS);
	assert_string_equal(bench_take(&bench), "R1008");
	bench_complete(&bench);
	bench_at(&bench, 1100 * MS);
	assert_string_equal(bench_take(&bench), "R1016");
	bench_done(&bench);
}

/* While no writes wait the reads' time does not run. */
static void test_reads_alone_have_time(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, &no_wait, 1);
	for (unsigned i = 0; i < 8; i++) {
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
		bench_take(&bench);
		bench_at(&bench, bench.queue->now_ns + 100 * MS);
		bench_complete(&bench);
	}
	bench_ask(&bench, 2, 'W', 5000);
	bench_ask(&bench, 1, 'R', 2000);
	assert_string_equal(bench_take(&bench), "R2000");
	bench_done(&bench);
}

/* --- the elevator --------------------------------------------------------------------- */

static void test_elevator(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, &no_wait, 1);
	bench_ask(&bench, 1, 'R', 2000000);
	bench_take(&bench);
	/* One Mi sectors back costs as much as two ahead. */
	bench_ask(&bench, 1, 'R', 2000008 - 1048576);
	bench_ask(&bench, 1, 'R', 2000008 + 2 * 1048576 + 1);
	assert_string_equal(bench_take(&bench), "R951432");
	bench_done(&bench);

	begin(&bench, &no_wait, 1);
	bench_ask(&bench, 1, 'R', 2000000);
	bench_take(&bench);
	/* Further back is for the next sweep. */
	bench_ask(&bench, 1, 'R', 2000008 - 1048577);
	bench_ask(&bench, 1, 'R', 2000008 + 9 * 1048576);
	assert_string_equal(bench_take(&bench), "R11437192");
	bench_done(&bench);
}

/* --- the rest ------------------------------------------------------------------------- */

static void test_merging(void **state)
{
	struct sim_bio bio = { .op = SIM_READ, .sector = 992, .sectors = 8, .pid = 1,
			       .class = SIM_CLASS_BE, .level = 4 };
	struct bench bench;
	struct sim_request *rq, *into = NULL;
	uint64_t first;

	(void)state;
	begin(&bench, &no_wait, 1);
	first = bench_ask(&bench, 1, 'R', 5016)->fifo_jiffies;
	bench_at(&bench, 50 * MS);
	rq = bench_ask(&bench, 1, 'R', 1000);
	assert_int_equal(sim_merge_bio(bench.queue, &bio, &into), 0);
	assert_ptr_equal(into, rq);
	assert_true(rq->sector == 992);
	/* Two become one, as late as the older one. */
	rq = bench_ask(&bench, 1, 'R', 5000);
	bio.sector = 5008;
	assert_int_equal(sim_merge_bio(bench.queue, &bio, &into), 0);
	assert_ptr_equal(into, rq);
	assert_int_equal(rq->sectors, 24);
	assert_true(rq->fifo_jiffies == first);
	assert_int_equal(as_of(&bench)->sorted[true].count, 2);
	bench_expect(&bench, MS, "R5000 R992 -");
	bench_done(&bench);
}

static void test_at_head_and_returned(void **state)
{
	struct bench bench;
	struct sim_request *rq;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 1000);
	bench_take(&bench);
	rq = bench.in_flight[--bench.count];
	sim_queue_requeue(bench.queue, rq);
	assert_int_equal(as_of(&bench)->dispatched, 0);
	assert_int_equal(sim_queue_insert(bench.queue, rq), 0);
	bench_expect_next(&bench, "R1000", SIM_REASON_AT_HEAD);
	bench_complete(&bench);
	bench_done(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sync_and_async),
		cmocka_unit_test(test_expiry),
		cmocka_unit_test(test_expiry_is_looked_at_rarely),
		cmocka_unit_test(test_read_batch),
		cmocka_unit_test(test_kinds_do_not_mix),
		cmocka_unit_test(test_write_batch),
		cmocka_unit_test(test_write_count_adapts),
		cmocka_unit_test(test_idle_writes_do_not_count),
		cmocka_unit_test(test_batch_begins_with_completion),
		cmocka_unit_test(test_reads_alone_have_time),
		cmocka_unit_test(test_elevator),
		cmocka_unit_test(test_merging),
		cmocka_unit_test(test_at_head_and_returned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
