// SPDX-License-Identifier: GPL-2.0-or-later
/* Queues that become one, by place and by time of creation, and come apart again. */
#include "bfq-fixture.h"

static const struct sim_setting not_raised[] = { { "low_latency", "0" } };

/* A queue of each process, with some sequential history. */
static struct sim_queue *two_readers(unsigned minor, uint64_t first, uint64_t second)
{
	struct sim_queue *queue =
		bfq_fixture(minor == 10 ? 5 : 6, minor, 1, false, not_raised, 1);

	for (unsigned i = 0; i < 4; i++) {
		bfq_submit(queue, 1, 'R', first + 64 * i, 64);
		bfq_submit(queue, 2, 'R', second + 64 * i, 64);
	}
	return queue;
}

static bool is_one(struct sim_queue *queue)
{
	return bfq_sync_queue(queue, 1) == bfq_sync_queue(queue, 2);
}

/* Two that read within 4 MiB of each other share a queue. */
static void test_close_readers(void **state)
{
	static const struct {
		uint64_t second;
		bool becomes_one;
	} rows[] = { { 2000, true },
		     { 1000 + 64 + 8192, true },
		     { 1000 + 3 * 64 + 8193, false } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = two_readers(10, 1000, rows[i].second);

		assert_int_equal(is_one(queue), rows[i].becomes_one);
		assert_int_equal(bfq_sync_queue(queue, 2)->is_shared,
				 rows[i].becomes_one);
		sim_queue_free(queue);
	}
}

/* On flash that queues, and for seeky ones, it does not pay. */
static void test_not_where_useless(void **state)
{
	static const struct {
		bool is_flash, is_seeky, is_one;
	} rows[] = { { false, false, true },
		     { true, false, false },
		     { false, true, false } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue =
			bfq_fixture(5, 10, 32, rows[i].is_flash, not_raised, 1);

		bfq_submit(queue, 1, 'R', 1000, 64);
		bfq_submit(queue, 2, 'R', 2000, 64);
		if (rows[i].is_seeky)
			bfq_sync_queue(queue, 2)->seek_history = UINT32_MAX;
		bfq_submit(queue, 1, 'R', 1064, 64);
		assert_int_equal(is_one(queue), rows[i].is_one);
		sim_queue_free(queue);
	}
}

/* A common queue that is seeky is taken apart, and each gets its state back. */
static void test_split(void **state)
{
	struct sim_queue *queue = two_readers(10, 1000, 2000);
	struct bfq_data *bfq = bfq_of(queue);
	struct bfq_queue *shared = bfq_sync_queue(queue, 1);

	(void)state;
	assert_true(is_one(queue));
	assert_int_equal(shared->processes, 2);
	bfq_take(queue);
	shared->seek_history = UINT32_MAX;
	bfq_expire(bfq, bfq->in_service, false, BFQ_BUDGET_EXHAUSTED);
	shared->must_split = true;
	bfq_submit(queue, 2, 'R', 900000, 64);
	assert_false(is_one(queue));
	assert_int_equal(shared->processes, 1);
	assert_ptr_equal(bfq_sync_queue(queue, 1), shared);
	/* The one that stays has it for itself again. */
	bfq_submit(queue, 1, 'R', 300000, 64);
	assert_false(shared->is_shared);
	assert_ptr_equal(shared->process, bfq_find_process(bfq, 1));
	sim_queue_free(queue);
}

/* From 5.13 processes that begin together share a queue at once on flash. */
static void test_created_together(void **state)
{
	static const struct {
		unsigned major, minor, apart_ms;
		bool is_flash, is_one;
	} rows[] = {
		{ 5, 10, 0, true, false },  { 5, 13, 0, true, true },
		{ 7, 2, 0, true, true },    { 7, 2, 170, true, true },
		{ 7, 2, 190, true, false }, { 7, 2, 0, false, false },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = bfq_fixture(rows[i].major, rows[i].minor, 32,
						      rows[i].is_flash, not_raised, 1);

		bfq_submit(queue, 1, 'R', 1000, 64);
		queue->now_ns += rows[i].apart_ms * MS;
		bfq_submit(queue, 2, 'R', 9000000, 64);
		assert_int_equal(is_one(queue), rows[i].is_one);
		sim_queue_free(queue);
	}
}

/* On a disk 600 ms later, unless idling for the process pays. */
static void test_together_later(void **state)
{
	static const struct {
		unsigned wait_ms;
		bool is_steady, is_one;
	} rows[] = { { 500, false, false }, { 700, false, true }, { 700, true, false } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = bfq_fixture(6, 12, 1, false, not_raised, 1);

		bfq_of(queue)->hw_tag = 1;
		bfq_submit(queue, 1, 'R', 1000, 64);
		bfq_submit(queue, 2, 'R', 9000000, 64);
		queue->now_ns += rows[i].wait_ms * MS;
		if (!rows[i].is_steady)
			bfq_sync_queue(queue, 2)->seek_history = UINT32_MAX;
		bfq_submit(queue, 2, 'R', 9000064, 64);
		assert_int_equal(is_one(queue), rows[i].is_one);
		sim_queue_free(queue);
	}
}

/* What is left after many have come, merged and gone. */
static void test_nothing_left(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, NULL, 0);
	struct bfq_data *bfq = bfq_of(queue);
	uint64_t random = 3;

	(void)state;
	for (unsigned i = 0; i < 60000; i++) {
		struct sim_request *rq;

		random = random * UINT64_C(6364136223846793005) + 1;
		bfq_submit(queue, (uint32_t)(random >> 40) % 50000,
			   random >> 63 ? 'R' : 'W', (random >> 33) % 2000000, 8);
		queue->now_ns += (random >> 50) % 3000000;
		if (queue->elevator_timer_ns <= queue->now_ns)
			queue->ops->timer(queue);
		while (queue->waiting > 20) {
			rq = bfq_take(queue);
			if (rq) {
				bfq_done(queue, rq);
				continue;
			}
			assert_true(queue->elevator_timer_ns != SIM_NEVER);
			queue->now_ns = queue->elevator_timer_ns;
			queue->ops->timer(queue);
		}
	}
	/* 16384 processes at most, each with a queue, and some that still fade. */
	assert_in_range(bfq->process_count, 10000, 16384);
	assert_true(bfq->slot_count < 20000);
	sim_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_close_readers),
		cmocka_unit_test(test_not_where_useless),
		cmocka_unit_test(test_split),
		cmocka_unit_test(test_created_together),
		cmocka_unit_test(test_together_later),
		cmocka_unit_test(test_nothing_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
