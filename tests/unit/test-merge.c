// SPDX-License-Identifier: GPL-2.0-or-later
/* Merging of bios and requests, and what it does to deadlines and order. */
#include "sim-fixture.h"

static struct sim_request *merge_bio(struct sim_queue *queue, enum sim_op op,
				     uint64_t sector)
{
	const struct sim_bio bio = { .op = op, .sector = sector, .sectors = 8,
				     .class = SIM_CLASS_BE };
	struct sim_request *rq = NULL;

	assert_int_equal(sim_merge_bio(queue, &bio, &rq), 0);
	return rq;
}

static void test_back_and_front(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 1, NULL, 0);
	struct sim_request *rq = fixture_insert(queue, 'R', 1000);

	(void)state;
	assert_null(merge_bio(queue, SIM_WRITE, 1008));
	assert_null(merge_bio(queue, SIM_READ, 1016));
	assert_ptr_equal(merge_bio(queue, SIM_READ, 1008), rq);
	assert_ptr_equal(merge_bio(queue, SIM_READ, 992), rq);
	assert_true(rq->sector == 992);
	assert_int_equal(rq->sectors, 24);
	/* Found by its new end and its new beginning. */
	queue->last_merge = NULL;
	assert_ptr_equal(merge_bio(queue, SIM_READ, 1016), rq);
	queue->last_merge = NULL;
	assert_ptr_equal(merge_bio(queue, SIM_READ, 984), rq);
	fixture_expect_order(queue, "R984");
	sim_queue_free(queue);
}

static void test_front_merges_off(void **state)
{
	const struct sim_setting off = { "front_merges", "0" };
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 1, &off, 1);

	(void)state;
	fixture_insert(queue, 'R', 1000);
	queue->last_merge = NULL;
	assert_null(merge_bio(queue, SIM_READ, 992));
	assert_non_null(merge_bio(queue, SIM_READ, 1008));
	sim_queue_free(queue);
}

static void test_other_class_does_not_merge(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 1, NULL, 0);

	(void)state;
	fixture_insert_class(queue, 'R', 1000, SIM_CLASS_RT);
	assert_null(merge_bio(queue, SIM_READ, 1008));
	sim_queue_free(queue);
}

static void test_growing_joins_neighbours(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 1, NULL, 0);
	struct sim_request *rq = fixture_insert(queue, 'W', 1000);

	(void)state;
	fixture_insert(queue, 'W', 1016);
	assert_ptr_equal(merge_bio(queue, SIM_WRITE, 1008), rq);
	assert_int_equal(rq->sectors, 24);
	assert_int_equal(queue->waiting, 1);
	fixture_expect_order(queue, "W1000");
	sim_queue_free(queue);
}

static void test_earlier_deadline_is_inherited(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 1, NULL, 0);
	struct sim_request *first = fixture_insert(queue, 'R', 5000), *second;
	uint64_t deadline = first->fifo_jiffies;

	(void)state;
	queue->now_ns = 100 * MS;
	fixture_insert(queue, 'R', 9000);
	second = fixture_insert(queue, 'R', 4992);
	assert_true(second->fifo_jiffies > deadline);
	sim_merge_requests(queue, second, first);
	sim_request_free(queue, first);
	assert_true(second->fifo_jiffies == deadline);
	assert_true(second->start_ns == 0);
	assert_int_equal(second->sectors, 16);
	/* It has the older one's place in the FIFO, too: it expires first. */
	queue->now_ns = 520 * MS;
	fixture_expect_order(queue, "R4992 R9000");
	sim_queue_free(queue);
}

static void test_insertion_merges(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 1, NULL, 0);
	struct sim_request *rq = fixture_insert(queue, 'R', 1000), *next, *into = NULL;

	(void)state;
	next = fixture_request(queue, 'R', 1008);
	assert_int_equal(sim_merge_insert(queue, next, &into), 0);
	assert_ptr_equal(into, rq);
	assert_int_equal(rq->sectors, 16);
	next = fixture_request(queue, 'R', 2000);
	assert_int_equal(sim_merge_insert(queue, next, &into), 0);
	assert_null(into);
	sim_request_free(queue, next);
	sim_queue_free(queue);
}

static void test_size_limit(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 1, NULL, 0);
	struct sim_request *rq = fixture_insert(queue, 'R', 0);

	(void)state;
	for (uint64_t end = 8; end < SIM_MERGE_SECTORS_MAX; end += 8)
		assert_ptr_equal(merge_bio(queue, SIM_READ, end), rq);
	assert_int_equal(rq->sectors, SIM_MERGE_SECTORS_MAX);
	assert_null(merge_bio(queue, SIM_READ, SIM_MERGE_SECTORS_MAX));
	sim_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_back_and_front),
		cmocka_unit_test(test_front_merges_off),
		cmocka_unit_test(test_other_class_does_not_merge),
		cmocka_unit_test(test_growing_joins_neighbours),
		cmocka_unit_test(test_earlier_deadline_is_inherited),
		cmocka_unit_test(test_insertion_merges),
		cmocka_unit_test(test_size_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
