// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When cfq leaves the device idle for the next request of a process, and when it does not.
 */
#include "cfq-fixture.h"

static void test_waits_for_next(void **state)
{
	struct bench bench;

	(void)state;
	begin_pieces(&bench, NULL, 0);
	assert_string_equal(bench_take(&bench), "-");
	assert_true(bench.queue->elevator_timer_ns == 9 * MS);
	bench_at(&bench, 8 * MS);
	assert_string_equal(bench_take(&bench), "-");
	bench_ask(&bench, 1, 'R', 1008);
	assert_true(bench.queue->elevator_timer_ns == SIM_NEVER);
	assert_string_equal(bench_take(&bench), "R1008");
	assert_int_equal(bench.reason, SIM_REASON_SLICE_AWAITED);
	bench_done(&bench);
}

static void test_waits_slice_idle(void **state)
{
	const struct sim_setting shorter = { "slice_idle", "3" };
	const struct sim_setting none = { "slice_idle", "0" };
	struct bench bench;

	(void)state;
	begin_pieces(&bench, NULL, 0);
	cfq_of(&bench)->active->is_deep = true;
	bench_at(&bench, 9 * MS);
	assert_int_equal(bench.runs, 1);
	assert_string_equal(bench_take(&bench), "R900000");
	/* In vain: it is not deep any more. */
	assert_false(((const struct cfq_queue *)(const void *)process_table_at(
			      &cfq_of(&bench)->processes, 0))->is_deep);
	bench_done(&bench);

	begin_pieces(&bench, &shorter, 1);
	assert_string_equal(bench_take(&bench), "-");
	bench_at(&bench, 4 * MS);
	assert_string_equal(bench_take(&bench), "R900000");
	bench_done(&bench);

	begin_pieces(&bench, &none, 1);
	assert_string_equal(bench_take(&bench), "R900000");
	bench_done(&bench);
}

/* Async requests and the idle class are not waited for. */
static void test_waits_for_sync_only(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'W', 1000);
	ask_as(&bench, 1, 'W', 900000, SIM_CLASS_BE, 5);
	bench_expect(&bench, MS, "W1000 W900000 -");
	bench_done(&bench);

	begin(&bench, NULL, 0);
	ask_as(&bench, 1, 'R', 1000, SIM_CLASS_IDLE, 0);
	ask_as(&bench, 2, 'R', 900000, SIM_CLASS_IDLE, 0);
	bench_expect(&bench, MS, "R1000 R900000 -");
	bench_done(&bench);
}

/* While requests of the process are in flight nobody waits on the clock. */
static void test_no_timer_while_in_flight(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 1000);
	bench_ask(&bench, 1, 'R', 1008);
	bench_ask(&bench, 2, 'R', 900000);
	bench_take(&bench);
	bench_take(&bench);
	bench_complete(&bench);
	assert_true(bench.queue->elevator_timer_ns == SIM_NEVER);
	/* The other one is not let in all the same. */
	assert_string_equal(bench_take(&bench), "-");
	bench_complete(&bench);
	assert_true(bench.queue->elevator_timer_ns == 8 * MS);
	bench_done(&bench);
}

static struct sim_queue *flash_queue(const struct sim_setting *settings, size_t count,
				     unsigned depth)
{
	const struct sim_queue_config config = {
		.kernel = { 4, 18, 0 }, .scheduler = "cfq", .settings = settings,
		.setting_count = count, .hw_depth = depth, .hw_queues = 1, .cpus = 1,
		.hz = 250, .is_nonrotational = true,
	};
	struct sim_queue *queue = NULL;
	struct diag diag = { 0 };

	assert_int_equal(sim_queue_new(&config, &queue, &diag), 0);
	return queue;
}

/* None on non-rotational devices that take several requests at once. */
static void test_no_wait_on_flash(void **state)
{
	const struct sim_setting idle = { "slice_idle", "8" };
	struct bench bench;

	(void)state;
	/* Off by default... */
	bench_init(&bench, flash_queue(NULL, 0, 32));
	assert_int_equal(cfq_of(&bench)->slice_idle_ms, 0);
	bench_done(&bench);
	/* ... and where it is set, as long as the device may have a depth. */
	bench_init(&bench, flash_queue(&idle, 1, 32));
	bench_ask(&bench, 1, 'R', 1000);
	bench_ask(&bench, 2, 'R', 900000);
	bench_take(&bench);
	bench_complete(&bench);
	assert_string_equal(bench_take(&bench), "R900000");
	bench_done(&bench);
}

/* A device that never had five requests at once, though they were there, has no depth. */
static void test_waits_on_flash_without_depth(void **state)
{
	const struct sim_setting idle = { "slice_idle", "8" };
	struct bench bench;

	(void)state;
	bench_init(&bench, flash_queue(&idle, 1, 1));
	for (unsigned i = 0; i < 70; i++)
		bench_ask(&bench, 1, 'R', 1000 + i * 100);
	while (bench.queue->waiting > 0) {
		assert_string_not_equal(bench_take(&bench), "-");
		bench_complete(&bench);
	}
	assert_false(cfq_of(&bench)->has_depth);
	/* Large requests, so that the process counts as sequential on flash. */
	for (unsigned i = 0; i < 32; i++)
		cfq_of(&bench)->active->seek_history <<= 1;
	bench_ask(&bench, 1, 'R', 100000)->sectors = 256;
	bench_ask(&bench, 2, 'R', 900000);
	assert_string_equal(bench_take(&bench), "R100000");
	bench_complete(&bench);
	assert_string_equal(bench_take(&bench), "-");
	bench_done(&bench);
}

/* Whether a process is worth a wait that makes requests so far apart. */
static bool is_awaited_after(unsigned seeks, uint64_t distance)
{
	const struct cfq_queue *cfqq = NULL;
	struct bench bench;
	bool may_idle;

	begin(&bench, NULL, 0);
	for (unsigned i = 0; i <= seeks; i++) {
		cfqq = cfq_queue_of(cfq_of(&bench),
				    bench_ask(&bench, 1, 'R', 1000 + i * (8 + distance)));
		bench_take(&bench);
		bench_complete(&bench);
	}
	may_idle = cfqq->may_idle;
	bench_done(&bench);
	return may_idle;
}

/* More than 4 of the last 32 requests more than 800 sectors away: seeky, not waited for. */
static void test_seeky(void **state)
{
	(void)state;
	assert_true(is_awaited_after(4, 801));
	assert_false(is_awaited_after(5, 801));
	assert_true(is_awaited_after(30, 800));
}

/* Who had four requests waiting at once is waited for in spite of the seeks. */
static void test_deep_and_seeky(void **state)
{
	const struct cfq_queue *cfqq = NULL;
	struct bench bench;

	(void)state;
	for (unsigned waiting = 3; waiting <= 4; waiting++) {
		begin(&bench, NULL, 0);
		for (unsigned i = 0; i < 12; i++) {
			cfqq = cfq_queue_of(cfq_of(&bench),
					    bench_ask(&bench, 1, 'R', 1000 + i * 10000));
			if (i % waiting != waiting - 1)
				continue;
			while (bench.queue->waiting > 0) {
				bench_take(&bench);
				bench_complete(&bench);
			}
		}
		assert_int_equal(cfqq->may_idle, waiting == 4);
		bench_done(&bench);
	}
}

/*
 * A deep and seeky queue that is empty before half of its slice is over: the device is
 * faster than the process, and is not kept free for it.
 */
static void test_deep_but_slow(void **state)
{
	struct cfq_queue *cfqq;
	struct bench bench;

	(void)state;
	for (unsigned used_ms = 49; used_ms <= 51; used_ms += 2) {
		begin(&bench, NULL, 0);
		cfqq = cfq_queue_of(cfq_of(&bench), bench_ask(&bench, 1, 'R', 1000));
		bench_ask(&bench, 1, 'R', 1008);
		bench_ask(&bench, 1, 'R', 1016);
		bench_ask(&bench, 2, 'R', 900000);
		bench_take(&bench);
		bench_take(&bench);
		bench_take(&bench);
		bench_complete(&bench);
		cfqq->is_deep = true;
		cfqq->seek_history = 0xff;
		bench_at(&bench, used_ms * MS);
		bench_complete(&bench);
		/* One in flight still. */
		assert_string_equal(bench_take(&bench), used_ms < 50 ? "R900000" : "-");
		bench_done(&bench);
	}
}

/* Seeks are forgotten after 32 requests. */
static void test_seeks_are_forgotten(void **state)
{
	struct cfq_queue cfqq = { .seek_history = 0x1f };

	(void)state;
	assert_true(cfq_is_seeky(&cfqq));
	cfqq.seek_history <<= 27;
	assert_true(cfq_is_seeky(&cfqq));
	cfqq.seek_history <<= 1;
	assert_false(cfq_is_seeky(&cfqq));
}

/* A seeky process is waited for as the last one of its tree only. */
static void test_tree_waits_for_its_last(void **state)
{
	struct bench bench;
	uint64_t sector = 0;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 8; i++) {
		sector += 10000;
		bench_ask(&bench, 1, 'R', sector);
		bench_take(&bench);
		bench_complete(&bench);
	}
	bench_at(&bench, 10 * MS);
	assert_null(cfq_of(&bench)->active);
	/* In the tree of the seeky ones, alone; an async queue waits. */
	bench_ask(&bench, 1, 'R', sector + 10000);
	bench_take(&bench);
	bench_ask(&bench, 9, 'W', 70000);
	bench_complete(&bench);
	assert_ptr_equal(cfq_of(&bench)->active->tree,
			 &cfq_of(&bench)->trees[SIM_CLASS_BE][CFQ_SYNC_NOIDLE]);
	assert_string_equal(bench_take(&bench), "-");
	/* Another seeky process need not wait until that is over. */
	for (unsigned i = 0; i < 3; i++)
		bench_ask(&bench, 2, 'R', 500000 + i * 10000);
	assert_string_equal(bench_take(&bench), "-");
	bench_done(&bench);
}

/* Where the tree is waited for, any of the tree's will do. */
static void test_tree_takes_any(void **state)
{
	struct bench bench;
	struct cfq_queue *cfqq;

	(void)state;
	begin(&bench, NULL, 0);
	cfqq = cfq_queue_of(cfq_of(&bench), bench_ask(&bench, 2, 'R', 500000));
	bench_take(&bench);
	bench_complete(&bench);
	bench_at(&bench, 10 * MS);
	cfqq->may_idle = false;
	bench_ask(&bench, 1, 'R', 1000);
	bench_take(&bench);
	bench_complete(&bench);
	cfq_of(&bench)->serving_kind = CFQ_SYNC_NOIDLE;
	cfqq->seek_history = 0xff;
	bench_ask(&bench, 2, 'R', 900000);
	assert_string_equal(bench_take(&bench), "R900000");
	assert_int_equal(bench.reason, SIM_REASON_SLICE_TAKEN);
	bench_done(&bench);
}

/* Alone, a process is waited for at the end of its slice, too. */
static void test_lone_slice_is_extended(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 1000);
	bench_ask(&bench, 1, 'R', 1008);
	bench_take(&bench);
	bench_complete(&bench);
	bench_take(&bench);
	bench_at(&bench, 101 * MS);
	bench_complete(&bench);
	bench_at(&bench, 103 * MS);
	bench_ask(&bench, 2, 'R', 900000);
	assert_string_equal(bench_take(&bench), "-");
	/* What comes then begins a new slice, behind the others. */
	bench_ask(&bench, 1, 'R', 1016);
	assert_string_equal(bench_take(&bench), "R900000");
	bench_done(&bench);
}

/* Alone at the end of the slice: what is in flight ends before the next slice begins. */
static void test_lone_slice_drains(void **state)
{
	const struct sim_setting off = { "group_idle", "0" };
	struct bench bench;

	(void)state;
	for (unsigned with = 0; with < 2; with++) {
		begin(&bench, &off, with);
		for (unsigned i = 0; i < 4; i++)
			bench_ask(&bench, 1, 'R', 1000 + i * 8);
		bench_take(&bench);
		bench_complete(&bench);
		bench_take(&bench);
		bench_at(&bench, 101 * MS);
		assert_string_equal(bench_take(&bench), with ? "R1016" : "-");
		if (!with) {
			bench_complete(&bench);
			assert_string_equal(bench_take(&bench), "R1016");
		}
		bench_done(&bench);
	}
}

/* Who thinks longer than slice_idle is not waited for. */
static void test_think_time(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 4; i++) {
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
		bench_take(&bench);
		bench_complete(&bench);
		bench_at(&bench, bench.queue->now_ns + 12 * MS);
	}
	bench_ask(&bench, 1, 'R', 2000);
	bench_take(&bench);
	bench_ask(&bench, 2, 'W', 900000);
	bench_complete(&bench);
	/* Nor is the tree of those who are not waited for: the wait would be as vain. */
	assert_string_equal(bench_take(&bench), "W900000");
	bench_done(&bench);
}

/* Who thinks longer than what is left of the slice is not waited for. */
static void test_think_time_beyond_slice(void **state)
{
	const struct sim_setting longer = { "slice_idle", "40" };
	struct bench bench;

	(void)state;
	begin(&bench, &longer, 1);
	for (unsigned i = 0; i < 4; i++) {
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
		if (i == 0)
			bench_ask(&bench, 2, 'R', 900000);
		assert_string_not_equal(bench_take(&bench), "-");
		bench_complete(&bench);
		if (i == 3)
			break;
		/* 100, 70, 40 ms are left. */
		assert_string_equal(bench_take(&bench), "-");
		bench_at(&bench, bench.queue->now_ns + 30 * MS);
	}
	/* 10 ms, and it needs about 25. */
	assert_true(bench.queue->elevator_timer_ns == SIM_NEVER);
	assert_string_equal(bench_take(&bench), "R900000");
	bench_done(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waits_for_next),
		cmocka_unit_test(test_waits_slice_idle),
		cmocka_unit_test(test_waits_for_sync_only),
		cmocka_unit_test(test_no_timer_while_in_flight),
		cmocka_unit_test(test_no_wait_on_flash),
		cmocka_unit_test(test_waits_on_flash_without_depth),
		cmocka_unit_test(test_seeky),
		cmocka_unit_test(test_deep_and_seeky),
		cmocka_unit_test(test_deep_but_slow),
		cmocka_unit_test(test_seeks_are_forgotten),
		cmocka_unit_test(test_tree_waits_for_its_last),
		cmocka_unit_test(test_tree_takes_any),
		cmocka_unit_test(test_lone_slice_is_extended),
		cmocka_unit_test(test_lone_slice_drains),
		cmocka_unit_test(test_think_time),
		cmocka_unit_test(test_think_time_beyond_slice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
