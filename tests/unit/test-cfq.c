// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * cfq, rule by rule as in facts on cfq: whose requests wait together, in which order the
 * queues come and for how long, when the device is kept free, how deep a queue may go.
 */
#include "legacy-fixture.h"

#include "sim/elevators/cfq.h"

static void begin(struct bench *bench, const struct sim_setting *settings, size_t count)
{
	bench_init(bench, fixture_queue("cfq", 4, 18, 32, settings, count));
}

static struct cfq_data *cfq_of(const struct bench *bench)
{
	return bench->queue->elevator_data;
}

static void ask_as(struct bench *bench, uint32_t pid, char op, uint64_t sector,
		   enum sim_class class, unsigned level)
{
	bench_ask_for(bench, &(const struct asked){ pid, op, sector, class, level, 0 });
}

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

/* --- idling --------------------------------------------------------------------------- */

/* Process 1 reads piece by piece, process 2 waits elsewhere. */
static void begin_pieces(struct bench *bench, const struct sim_setting *settings, size_t count)
{
	begin(bench, settings, count);
	bench_ask(bench, 1, 'R', 1000);
	bench_ask(bench, 2, 'R', 900000);
	assert_string_equal(bench_take(bench), "R1000");
	bench_at(bench, bench->queue->now_ns + MS);
	bench_complete(bench);
}

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
	assert_true(cfq_of(&bench)->active->tree == &cfq_of(&bench)->trees[SIM_CLASS_BE][CFQ_SYNC_NOIDLE]);
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

/* --- preemption ----------------------------------------------------------------------- */

static void expect_next(struct bench *bench, const char *name, enum sim_reason reason)
{
	assert_string_equal(bench_take(bench), name);
	assert_int_equal(bench->reason, reason);
}

static void test_rt_goes_first(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 4; i++)
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
	expect_next(&bench, "R1000", SIM_REASON_SLICE_NEW);
	ask_as(&bench, 2, 'R', 9000, SIM_CLASS_RT, 0);
	expect_next(&bench, "R9000", SIM_REASON_SLICE_TAKEN);
	ask_as(&bench, 2, 'R', 9008, SIM_CLASS_RT, 0);
	bench_ask(&bench, 3, 'R', 100);
	expect_next(&bench, "R9008", SIM_REASON_SLICE);
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
	expect_next(&bench, "R9200", SIM_REASON_SLICE_TAKEN);
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
	expect_next(&bench, "R900000", SIM_REASON_SLICE_TAKEN);
	/* Not before metadata. */
	bench_ask_for(&bench, &(const struct asked){ 2, 'R', 900008, SIM_CLASS_BE, 4,
						     SIM_REQUEST_META });
	bench_ask_for(&bench, &(const struct asked){ 3, 'R', 500000, SIM_CLASS_BE, 4,
						     SIM_REQUEST_META });
	expect_next(&bench, "R900008", SIM_REASON_SLICE);
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
	expect_next(&bench, "R900000", SIM_REASON_SLICE_TAKEN);
	bench_done(&bench);

	begin(&bench, NULL, 0);
	cfq_queue_of(cfq_of(&bench), bench_ask(&bench, 1, 'R', 1000));
	bench_take(&bench);
	cfq_of(&bench)->active->may_idle = false;
	cfq_of(&bench)->active->tree->think.ns = (struct decaying_mean){ 256, 0, 20 * MS };
	bench_ask(&bench, 2, 'R', 900000);
	expect_next(&bench, "R900000", SIM_REASON_SLICE_TAKEN);
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
	expect_next(&bench, "R9000", SIM_REASON_SLICE_TAKEN);
	bench_complete(&bench);
	bench_complete(&bench);
	ask_as(&bench, 3, 'R', 9008, SIM_CLASS_IDLE, 0);
	assert_string_equal(bench_take(&bench), "-");
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
		cmocka_unit_test(test_slice_by_level),
		cmocka_unit_test(test_slice_fits_target_latency),
		cmocka_unit_test(test_slice_begins_with_completion),
		cmocka_unit_test(test_fifo_once_a_slice),
		cmocka_unit_test(test_rest_of_slice_counts),
		cmocka_unit_test(test_async_requests_in_slice),
		cmocka_unit_test(test_waits_for_next),
		cmocka_unit_test(test_waits_slice_idle),
		cmocka_unit_test(test_waits_for_sync_only),
		cmocka_unit_test(test_no_timer_while_in_flight),
		cmocka_unit_test(test_no_wait_on_flash),
		cmocka_unit_test(test_waits_on_flash_without_depth),
		cmocka_unit_test(test_seeky),
		cmocka_unit_test(test_seeks_are_forgotten),
		cmocka_unit_test(test_tree_waits_for_its_last),
		cmocka_unit_test(test_think_time),
		cmocka_unit_test(test_think_time_beyond_slice),
		cmocka_unit_test(test_sync_waits_for_async),
		cmocka_unit_test(test_async_waits_for_sync),
		cmocka_unit_test(test_async_depth),
		cmocka_unit_test(test_quantum),
		cmocka_unit_test(test_no_quantum_alone),
		cmocka_unit_test(test_rt_goes_first),
		cmocka_unit_test(test_close_request_goes_first),
		cmocka_unit_test(test_metadata_goes_first),
		cmocka_unit_test(test_idle_class_yields),
		cmocka_unit_test(test_back_seek),
		cmocka_unit_test(test_merging),
		cmocka_unit_test(test_merged_is_as_late_as_the_older),
		cmocka_unit_test(test_at_head_and_returned),
		cmocka_unit_test(test_deep_and_seeky),
		cmocka_unit_test(test_deep_but_slow),
		cmocka_unit_test(test_tree_takes_any),
		cmocka_unit_test(test_lone_slice_is_extended),
		cmocka_unit_test(test_lone_slice_drains),
		cmocka_unit_test(test_quantum_before_slice),
		cmocka_unit_test(test_used_slice_yields),
		cmocka_unit_test(test_metadata_first_in_queue),
		cmocka_unit_test(test_wraps_to_lowest),
		cmocka_unit_test(test_async_gets_its_turn),
		cmocka_unit_test(test_workload_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
