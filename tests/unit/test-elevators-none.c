// SPDX-License-Identifier: GPL-2.0-or-later
/* none: lists by processor, in order while idle, in turns while busy. */
#include "sim-fixture.h"

static void insert_on(struct sim_queue *queue, unsigned cpu, uint64_t sector)
{
	struct sim_request *rq = fixture_request(queue, 'R', sector);

	rq->cpu = (uint16_t)cpu;
	assert_int_equal(sim_queue_insert(queue, rq), 0);
}

static void test_fifo(void **state)
{
	struct sim_queue *queue = fixture_queue("none", 6, 12, 8, NULL, 0);

	(void)state;
	fixture_insert(queue, 'R', 900);
	fixture_insert(queue, 'W', 100);
	fixture_insert(queue, 'R', 500);
	fixture_expect_order(queue, "R900 W100 R500");
	sim_queue_free(queue);
}

static void test_processors(void **state)
{
	struct sim_queue *queue = fixture_queue("none", 6, 12, 8, NULL, 0);

	(void)state;
	for (int busy = 0; busy < 2; busy++) {
		insert_on(queue, 2, 20);
		insert_on(queue, 2, 21);
		insert_on(queue, 0, 1);
		insert_on(queue, 0, 2);
		insert_on(queue, 3, 30);
		queue->hctxs[0].busy = busy ? 4 : 0;
		fixture_expect_order(queue, busy ? "R1 R20 R30 R2 R21" :
						   "R1 R2 R20 R21 R30");
	}
	sim_queue_free(queue);
}

static void test_merges_with_the_last_eight(void **state)
{
	struct sim_queue *queue = fixture_queue("none", 6, 12, 16, NULL, 0);
	struct sim_bio bio = { .op = SIM_READ, .sectors = 8,
			       .class = SIM_CLASS_BE };
	struct sim_request *rq;

	(void)state;
	for (unsigned i = 0; i < 9; i++)
		fixture_insert(queue, 'R', 1000 * i);
	bio.sector = 8;
	assert_int_equal(sim_merge_bio(queue, &bio, &rq), 0);
	assert_null(rq);
	bio.sector = 1008;
	assert_int_equal(sim_merge_bio(queue, &bio, &rq), 0);
	assert_non_null(rq);
	assert_true(rq->sector == 1000);
	bio.cpu = 1;
	bio.sector = 2008;
	assert_int_equal(sim_merge_bio(queue, &bio, &rq), 0);
	assert_null(rq);
	sim_queue_free(queue);
}

static void test_undo_and_force(void **state)
{
	struct sim_queue *queue = fixture_queue("none", 6, 12, 8, NULL, 0);
	struct sim_request *first, *last;

	(void)state;
	first = fixture_insert(queue, 'R', 1);
	fixture_insert(queue, 'R', 2);
	last = fixture_insert(queue, 'R', 3);
	assert_ptr_equal(queue->ops->dispatch_request(&queue->hctxs[0]), first);
	assert_int_equal(queue->ops->undo_dispatch(&queue->hctxs[0], first), 0);
	queue->ops->force_dispatch(&queue->hctxs[0], last);
	queue->waiting--;
	fixture_expect_order(queue, "R1 R2");
	sim_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fifo),
		cmocka_unit_test(test_processors),
		cmocka_unit_test(test_merges_with_the_last_eight),
		cmocka_unit_test(test_undo_and_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
