// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cfq, rule by rule as in facts on cfq: queues by process and class, sync beside async, how
 * much is in flight, the order within a queue, workloads.
 */
#include "cfq-fixture.h"

/* --- queues --------------------------------------------------------------------------- */

/* A queue for each process: one after the other, not by sector across both. */
static void test_queue_by_process(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 1; i <= 3; i++) {
		bench_ask(&bench, 1, 'R', i * 100);
		bench_ask(&bench, 2, 'R', i * 100 + 50);
	}
	assert_int_equal(cfq_of(&bench)->busy, 2);
	bench_expect(&bench, MS, "R100 R200 R300 -");
	bench_at(&bench, 20 * MS);
	bench_expect(&bench, MS, "R150 R250 R350 -");
	bench_done(&bench);
}

/* The I/O priority makes another queue of it, and so does sync against async. */
static void test_queue_by_priority_and_sync(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 100);
	bench_ask(&bench, 1, 'S', 300);
	assert_int_equal(cfq_of(&bench)->busy, 1);
	ask_as(&bench, 1, 'R', 200, SIM_CLASS_BE, 5);
	assert_int_equal(cfq_of(&bench)->busy, 2);
	ask_as(&bench, 1, 'R', 200, SIM_CLASS_RT, 4);
	assert_int_equal(cfq_of(&bench)->busy, 3);
	bench_ask(&bench, 1, 'W', 400);
	assert_int_equal(cfq_of(&bench)->busy, 4);
	assert_int_equal(cfq_of(&bench)->busy_sync, 3);
	/* Where nobody is named, too. */
	bench_ask(&bench, 0, 'R', 500);
	assert_int_equal(cfq_of(&bench)->busy, 5);
	bench_ask(&bench, 0, 'W', 600);
	assert_int_equal(cfq_of(&bench)->busy, 5);
	bench_done(&bench);
}

/* Async requests of one priority share a queue, whoever asks. */
static void test_async_is_shared(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'W', 100);
	bench_ask(&bench, 2, 'W', 200);
	bench_ask(&bench, 1, 'W', 300);
	assert_int_equal(cfq_of(&bench)->busy, 1);
	bench_expect(&bench, MS, "W100 W200 W300 -");
	ask_as(&bench, 1, 'W', 100, SIM_CLASS_BE, 4);
	ask_as(&bench, 1, 'W', 200, SIM_CLASS_BE, 7);
	assert_int_equal(cfq_of(&bench)->busy, 2);
	bench_done(&bench);
}

/* --- classes -------------------------------------------------------------------------- */

static void test_classes(void **state)
{
	const struct sim_setting no_idle[] = { { "slice_idle", "0" }, { "group_idle", "0" } };
	struct bench bench;

	(void)state;
	begin(&bench, no_idle, 2);
	ask_as(&bench, 1, 'R', 10, SIM_CLASS_IDLE, 0);
	ask_as(&bench, 2, 'R', 20, SIM_CLASS_BE, 7);
	ask_as(&bench, 3, 'R', 30, SIM_CLASS_BE, 0);
	ask_as(&bench, 4, 'R', 40, SIM_CLASS_RT, 7);
	bench_expect(&bench, MS, "R40 R30 R20 R10 -");
	bench_done(&bench);
}

/* The idle class gives one request and lets go, the class above gives all it has. */
static void test_idle_class_gives_one(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	ask_as(&bench, 1, 'R', 10, SIM_CLASS_IDLE, 0);
	ask_as(&bench, 1, 'R', 11, SIM_CLASS_IDLE, 0);
	ask_as(&bench, 2, 'R', 50, SIM_CLASS_IDLE, 0);
	assert_string_equal(bench_take(&bench), "R10");
	assert_null(cfq_of(&bench)->active);
	assert_string_equal(bench_take(&bench), "R50");
	/* One at a time of each. */
	assert_string_equal(bench_take(&bench), "-");
	bench_done(&bench);
}

/* --- sync and async ------------------------------------------------------------------- */

/* A sync queue that is worth a wait begins when the async requests are done. */
static void test_sync_waits_for_async(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'W', 1000);
	bench_ask(&bench, 1, 'W', 1008);
	assert_string_equal(bench_take(&bench), "W1000");
	/* Its turn at once, but not yet. */
	bench_ask(&bench, 2, 'R', 5000);
	assert_string_equal(bench_take(&bench), "-");
	bench_complete(&bench);
	assert_string_equal(bench_take(&bench), "R5000");
	assert_int_equal(bench.reason, SIM_REASON_SLICE_TAKEN);
	bench_done(&bench);
}

static void test_async_waits_for_sync(void **state)
{
	const struct sim_setting no_idle[] = { { "slice_idle", "0" }, { "group_idle", "0" } };
	struct bench bench;

	(void)state;
	begin(&bench, no_idle, 2);
	bench_ask(&bench, 2, 'R', 5000);
	assert_string_equal(bench_take(&bench), "R5000");
	bench_ask(&bench, 1, 'W', 1000);
	assert_string_equal(bench_take(&bench), "-");
	bench_complete(&bench);
	assert_string_equal(bench_take(&bench), "W1000");
	bench_done(&bench);
}

/* How many async requests are given, so long after the last sync request that was late. */
static unsigned async_depth_after(uint64_t calm_ns, const struct sim_setting *settings,
				  size_t count)
{
	struct bench bench;
	unsigned depth = 0;

	begin(&bench, settings, count);
	bench_ask(&bench, 1, 'R', 1000);
	bench_take(&bench);
	bench_at(&bench, 130 * MS);
	bench_complete(&bench);
	bench_at(&bench, 130 * MS + calm_ns);
	for (unsigned i = 0; i < 50; i++)
		bench_ask(&bench, 2, 'W', 9000 + i * 8);
	while (strcmp(bench_take(&bench), "-") != 0)
		depth++;
	bench_done(&bench);
	return depth;
}

/* Async depth: the time since a sync request was late, in sync slices; at least one. */
static void test_async_depth(void **state)
{
	const struct sim_setting off = { "low_latency", "0" };
	const struct sim_setting lenient = { "fifo_expire_sync", "131" };

	(void)state;
	assert_int_equal(async_depth_after(50 * MS, NULL, 0), 1);
	assert_int_equal(async_depth_after(150 * MS, NULL, 0), 1);
	assert_int_equal(async_depth_after(250 * MS, NULL, 0), 2);
	assert_int_equal(async_depth_after(740 * MS, NULL, 0), 7);
	/* Nothing was late: a second at the beginning, and what has passed since. */
	assert_int_equal(async_depth_after(50 * MS, &lenient, 1), 11);
	assert_int_equal(async_depth_after(50 * MS, &off, 1), 50);
}

/* --- depth ---------------------------------------------------------------------------- */

static unsigned take_many(struct bench *bench)
{
	unsigned count = 0;

	while (strcmp(bench_take(bench), "-") != 0)
		count++;
	return count;
}

/* Half the quantum before the slice has begun, the quantum in it, half towards its end. */
static void test_quantum(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 40; i++) {
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
		bench_ask(&bench, 2, 'R', 900000 + i * 8);
	}
	assert_int_equal(take_many(&bench), 4);
	bench_complete(&bench);
	assert_int_equal(take_many(&bench), 5);
	assert_int_equal(bench.count, 8);
	/* Eight in flight need up to 8 * slice_idle. */
	while (bench.count > 3)
		bench_complete(&bench);
	bench_at(&bench, 97 * MS);
	assert_int_equal(take_many(&bench), 1);
	assert_int_equal(bench.count, 4);
	bench_done(&bench);
}

/* Nothing is known of the slice's end before it has begun. */
static void test_quantum_before_slice(void **state)
{
	const struct sim_setting no_idle = { "slice_idle", "0" };
	struct bench bench;

	(void)state;
	begin(&bench, &no_idle, 1);
	for (unsigned i = 0; i < 40; i++) {
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
		bench_ask(&bench, 2, 'R', 900000 + i * 8);
	}
	assert_int_equal(take_many(&bench), 4);
	bench_done(&bench);
}

static void test_no_quantum_alone(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 40; i++)
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
	assert_int_equal(take_many(&bench), 40);
	bench_done(&bench);

	/* The only sync queue need not mind async ones. */
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 40; i++)
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
	bench_ask(&bench, 2, 'W', 1);
	assert_int_equal(take_many(&bench), 40);
	bench_done(&bench);
}

/* --- order within a queue ------------------------------------------------------------- */

static void test_back_seek(void **state)
{
	const struct sim_setting near = { "back_seek_max", "16" };
	const struct sim_setting dear = { "back_seek_penalty", "4" };
	struct bench bench;

	(void)state;
	/* 100 back cost as much as 200 ahead. */
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 10000);
	bench_take(&bench);
	bench_ask(&bench, 1, 'R', 9908);
	bench_ask(&bench, 1, 'R', 10209);
	assert_string_equal(bench_take(&bench), "R9908");
	bench_done(&bench);

	begin(&bench, &dear, 1);
	bench_ask(&bench, 1, 'R', 10000);
	bench_take(&bench);
	bench_ask(&bench, 1, 'R', 9908);
	bench_ask(&bench, 1, 'R', 10209);
	assert_string_equal(bench_take(&bench), "R10209");
	bench_done(&bench);

	/* 16 KiB are 32 sectors. */
	begin(&bench, &near, 1);
	bench_ask(&bench, 1, 'R', 10000);
	bench_take(&bench);
	bench_ask(&bench, 1, 'R', 9975);
	bench_ask(&bench, 1, 'R', 90000);
	assert_string_equal(bench_take(&bench), "R90000");
	bench_done(&bench);
}

static struct sim_request *merge(struct bench *bench, uint32_t pid, enum sim_op op,
				 uint64_t sector, unsigned flags)
{
	const struct sim_bio bio = { .op = op, .sector = sector, .sectors = 8, .pid = pid,
				     .class = SIM_CLASS_BE, .level = 4, .flags = flags };
	struct sim_request *rq = NULL;

	assert_int_equal(sim_merge_bio(bench->queue, &bio, &rq), 0);
	return rq;
}

/* Within a process only, and sync not with async. */
static void test_merging(void **state)
{
	struct bench bench;
	struct sim_request *rq;

	(void)state;
	begin(&bench, NULL, 0);
	rq = bench_ask(&bench, 1, 'R', 1000);
	assert_null(merge(&bench, 2, SIM_READ, 1008, 0));
	assert_null(merge(&bench, 2, SIM_READ, 992, 0));
	assert_ptr_equal(merge(&bench, 1, SIM_READ, 1008, 0), rq);
	bench.queue->last_merge = NULL;
	assert_ptr_equal(merge(&bench, 1, SIM_READ, 992, 0), rq);
	assert_int_equal(rq->sectors, 24);
	bench_ask(&bench, 1, 'R', 5000);
	assert_string_equal(bench_take(&bench), "R992");
	/* It has gone. */
	assert_null(merge(&bench, 1, SIM_READ, 1016, 0));
	bench_complete(&bench);
	bench_expect(&bench, MS, "R5000 -");

	rq = bench_ask(&bench, 1, 'W', 2000);
	assert_null(merge(&bench, 1, SIM_WRITE, 2008, SIM_REQUEST_SYNC));
	assert_ptr_equal(merge(&bench, 2, SIM_WRITE, 2008, 0), rq);
	bench_done(&bench);
}

/* Two that became one have the older one's time. */
static void test_merged_is_as_late_as_the_older(void **state)
{
	struct bench bench;
	struct sim_request *rq;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 5016);
	bench_at(&bench, 100 * MS);
	bench_ask(&bench, 1, 'R', 100);
	rq = bench_ask(&bench, 1, 'R', 5000);
	assert_ptr_equal(merge(&bench, 1, SIM_READ, 5008, 0), rq);
	assert_int_equal(rq->sectors, 24);
	bench_at(&bench, 125 * MS);
	assert_string_equal(bench_take(&bench), "R5000");
	assert_int_equal(bench.reason, SIM_REASON_SLICE_LATE);
	assert_string_equal(bench_take(&bench), "R100");
	assert_string_equal(bench_take(&bench), "-");
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
	assert_int_equal(cfq_of(&bench)->in_flight[true], 0);
	bench_ask(&bench, 1, 'R', 10);
	assert_int_equal(sim_queue_insert(bench.queue, rq), 0);
	assert_string_equal(bench_take(&bench), "R1000");
	assert_int_equal(bench.reason, SIM_REASON_AT_HEAD);
	bench_complete(&bench);
	bench_expect(&bench, MS, "R10 -");
	bench_done(&bench);
}

/* --- workloads ------------------------------------------------------------------------ */

/* A reader that never stops does not keep the writes away for longer than the target. */
static void test_async_gets_its_turn(void **state)
{
	struct bench bench;
	uint64_t sector = 1000;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', sector);
	bench_ask(&bench, 2, 'W', 900000);
	while (bench.queue->now_ns < 1000 * MS) {
		const char *name = bench_take(&bench);

		if (name[0] == 'W')
			break;
		assert_string_not_equal(name, "-");
		bench_at(&bench, bench.queue->now_ns + MS);
		bench_complete(&bench);
		bench_ask(&bench, 1, 'R', sector += 8);
	}
	assert_true(bench.queue->now_ns >= 90 * MS);
	assert_true(bench.queue->now_ns <= 300 * MS);
	bench_done(&bench);
}

/* A kind's time is its part of the target by queues; async has less by the slices' ratio. */
static void test_workload_time(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'W', 1000);
	bench_ask(&bench, 2, 'R', 900000);
	assert_string_equal(bench_take(&bench), "W1000");
	/* 300 * 1 / 2 * 40 / 100 */
	assert_true(cfq_of(&bench)->workload_end_ns == 60 * (int64_t)MS);
	bench_done(&bench);

	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 1000);
	bench_ask(&bench, 2, 'R', 900000);
	bench_ask(&bench, 2, 'W', 5000);
	assert_string_equal(bench_take(&bench), "R1000");
	assert_true(cfq_of(&bench)->workload_end_ns == 200 * (int64_t)MS);
	bench_done(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_queue_by_process),
		cmocka_unit_test(test_queue_by_priority_and_sync),
		cmocka_unit_test(test_async_is_shared),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_idle_class_gives_one),
		cmocka_unit_test(test_sync_waits_for_async),
		cmocka_unit_test(test_async_waits_for_sync),
		cmocka_unit_test(test_async_depth),
		cmocka_unit_test(test_quantum),
		cmocka_unit_test(test_quantum_before_slice),
		cmocka_unit_test(test_no_quantum_alone),
		cmocka_unit_test(test_back_seek),
		cmocka_unit_test(test_merging),
		cmocka_unit_test(test_merged_is_as_late_as_the_older),
		cmocka_unit_test(test_at_head_and_returned),
		cmocka_unit_test(test_async_gets_its_turn),
		cmocka_unit_test(test_workload_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
