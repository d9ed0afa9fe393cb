// SPDX-License-Identifier: GPL-2.0-or-later
/* The order within one process's queue: nearness, the way back, age, what async costs. */
#include "bfq-fixture.h"

static void expect_order(struct sim_queue *queue, const char *expected)
{
	char order[512] = "";
	size_t len = 0;
	struct sim_request *rq;

	while ((rq = bfq_take(queue))) {
		len += (size_t)snprintf(order + len, sizeof(order) - len, "%s%llu",
					len ? " " : "", (unsigned long long)rq->sector);
		bfq_done(queue, rq);
	}
	assert_string_equal(order, expected);
}

/* Puts the head behind `sector`. */
static void move_head(struct sim_queue *queue, uint64_t sector)
{
	struct sim_request *rq;

	bfq_submit(queue, 1, 'R', sector - 8, 8);
	rq = bfq_take(queue);
	assert_non_null(rq);
	bfq_done(queue, rq);
}

static void test_nearest_first(void **state)
{
	static const struct {
		const char *settings[2];
		const char *order;
	} rows[] = {
		/* 900 back counts 200, 1150 forth 150: forth first, then down from there. */
		{ { NULL, NULL }, "1150 1500 900 100" },
		/* Without a penalty 900 is nearer. */
		{ { "back_seek_penalty", "1" }, "900 1150 1500 100" },
		/* Nothing lies back but round the whole disk. */
		{ { "back_seek_max", "0" }, "1150 1500 100 900" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct sim_setting setting = { rows[i].settings[0],
						     rows[i].settings[1] };
		struct sim_queue *queue =
			bfq_fixture(6, 12, 1, false, &setting, setting.file ? 1 : 0);

		move_head(queue, 1000);
		bfq_submit(queue, 1, 'R', 100, 8);
		bfq_submit(queue, 1, 'R', 900, 8);
		bfq_submit(queue, 1, 'R', 1150, 8);
		bfq_submit(queue, 1, 'R', 1500, 8);
		expect_order(queue, rows[i].order);
		sim_queue_free(queue);
	}
}

/* The FIFO is looked at once a slot, after the first request of it. */
static void test_oldest_once_a_slot(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, NULL, 0);
	struct bfq_queue *q;

	(void)state;
	move_head(queue, 1000);
	bfq_submit(queue, 1, 'R', 90000, 8);
	bfq_submit(queue, 1, 'R', 50000, 8);
	queue->now_ns += 130 * MS;
	bfq_submit(queue, 1, 'R', 1000, 8);
	bfq_submit(queue, 1, 'R', 1008, 8);
	bfq_submit(queue, 1, 'R', 90008, 8);
	q = bfq_sync_queue(queue, 1);
	q->fifo_checked = false;
	/* 90000 is late; 50000 is, too, but the look at the clock is taken. */
	expect_order(queue, "1000 90000 90008 1008 50000");
	sim_queue_free(queue);
}

/* Not before fifo_expire_sync, which is exact to the nanosecond. */
static void test_not_late_yet(void **state)
{
	static const struct {
		uint64_t wait_ns;
		const char *order;
	} rows[] = {
		{ 50 * MS - 1, "1000 1008 90000" },
		{ 50 * MS, "1000 90000 1008" },
	};
	const struct sim_setting setting = { "fifo_expire_sync", "50" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = bfq_fixture(6, 12, 1, false, &setting, 1);

		move_head(queue, 1000);
		bfq_submit(queue, 1, 'R', 90000, 8);
		bfq_submit(queue, 1, 'R', 1000, 8);
		bfq_submit(queue, 1, 'R', 1008, 8);
		queue->now_ns += rows[i].wait_ns;
		bfq_sync_queue(queue, 1)->fifo_checked = false;
		expect_order(queue, rows[i].order);
		sim_queue_free(queue);
	}
}

static void test_metadata_first(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, NULL, 0);
	struct sim_request *rq;

	(void)state;
	move_head(queue, 1000);
	bfq_submit(queue, 1, 'R', 1000, 8);
	rq = fixture_request(queue, 'R', 500000);
	rq->pid = 1;
	rq->flags = SIM_REQUEST_META;
	assert_int_equal(sim_queue_insert(queue, rq), 0);
	expect_order(queue, "500000 1000");
	sim_queue_free(queue);
}

/* A request that grows to the front moves in the order. */
static void test_front_merge(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, NULL, 0);
	struct sim_bio bio = { .op = SIM_READ,
			       .sector = 992,
			       .sectors = 8,
			       .pid = 1,
			       .class = SIM_CLASS_BE,
			       .level = BFQ_LEVEL_DEFAULT };
	struct sim_request *rq;

	(void)state;
	move_head(queue, 900);
	bfq_submit(queue, 1, 'R', 1000, 8);
	bfq_submit(queue, 1, 'R', 2000, 8);
	assert_int_equal(sim_merge_bio(queue, &bio, &rq), 0);
	assert_non_null(rq);
	assert_int_equal(rq->sector, 992);
	expect_order(queue, "992 2000");
	sim_queue_free(queue);
}

/* Only the process whose queue it is may add to a request. */
static void test_merges_own_only(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, NULL, 0);
	struct sim_bio bio = { .op = SIM_READ,
			       .sector = 1008,
			       .sectors = 8,
			       .class = SIM_CLASS_BE,
			       .level = BFQ_LEVEL_DEFAULT };
	struct sim_request *rq;

	(void)state;
	bfq_submit(queue, 1, 'R', 1000, 8);
	bfq_submit(queue, 2, 'R', 70000, 8);
	bio.pid = 2;
	assert_int_equal(sim_merge_bio(queue, &bio, &rq), 0);
	assert_null(rq);
	bio.pid = 1;
	assert_int_equal(sim_merge_bio(queue, &bio, &rq), 0);
	assert_non_null(rq);
	sim_queue_free(queue);
}

/* Async service costs three times as much, unless shares or raising are at stake. */
static void test_async_charge(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, NULL, 0);
	struct bfq_data *bfq = bfq_of(queue);
	struct sim_request *write, *read;
	struct bfq_queue *async, *sync;

	(void)state;
	write = bfq_submit(queue, 1, 'W', 1000, 100);
	async = bfq_queue_of(bfq, write);
	assert_false(async->is_sync);
	assert_int_equal(bfq_charge(bfq, async, write), 300);
	read = bfq_submit(queue, 1, 'R', 5000, 100);
	sync = bfq_queue_of(bfq, read);
	assert_ptr_not_equal(sync, async);
	assert_int_equal(bfq_charge(bfq, sync, read), 100);
	/* Two classes are busy. */
	read = fixture_request(queue, 'R', 9000);
	read->class = SIM_CLASS_RT;
	read->pid = 3;
	assert_int_equal(sim_queue_insert(queue, read), 0);
	assert_int_equal(bfq_charge(bfq, async, write), 100);
	sim_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nearest_first),
		cmocka_unit_test(test_oldest_once_a_slot),
		cmocka_unit_test(test_not_late_yet),
		cmocka_unit_test(test_metadata_first),
		cmocka_unit_test(test_front_merge),
		cmocka_unit_test(test_merges_own_only),
		cmocka_unit_test(test_async_charge),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
