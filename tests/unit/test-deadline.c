// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * deadline: batches, expiry, starved writes. The orders are worked out by hand from the
 * rules in facts on mq-deadline.
 */
#include "sim-fixture.h"

/* The lesson of the man page: 17 requests, one of them past its deadline. */
static void test_classic_lesson(void **state)
{
	static const unsigned reads[] = { 1000, 200, 8000, 500, 3000, 100, 6000, 1500 };
	static const unsigned writes[] = { 4000, 700, 9000, 300, 5000, 2000, 7000, 150 };
	struct sim_queue *queue = fixture_queue("deadline", 4, 19, 1, NULL, 0);

	(void)state;
	fixture_insert(queue, 'R', 50000);
	queue->now_ns = 600 * MS;
	for (unsigned i = 0; i < 8; i++)
		fixture_insert(queue, 'R', reads[i]);
	for (unsigned i = 0; i < 8; i++)
		fixture_insert(queue, 'W', writes[i]);
	fixture_expect_order(queue,
			     "R50000 R1000 R1500 R3000 R6000 R8000 "
			     "W4000 W5000 W7000 W9000 "
			     "R200 R500 R100 "
			     "W700 W2000 W300 W150");
	sim_queue_free(queue);
}

static void test_batch_ends(void **state)
{
	const struct sim_setting small = { "fifo_batch", "2" };
	struct sim_queue *queue = fixture_queue("deadline", 4, 19, 1, &small, 1);

	(void)state;
	/* Without expiry a new batch goes on in sector order all the same. */
	for (unsigned sector = 1; sector <= 5; sector++)
		fixture_insert(queue, 'R', sector * 100);
	fixture_insert(queue, 'W', 50);
	fixture_expect_order(queue, "R100 R200 R300 R400 W50 R500");
	sim_queue_free(queue);
}

static void test_no_wrap(void **state)
{
	struct sim_queue *queue = fixture_queue("deadline", 4, 19, 1, NULL, 0);

	(void)state;
	fixture_insert(queue, 'R', 500);
	fixture_insert(queue, 'R', 100);
	fixture_insert(queue, 'R', 300);
	/* 500 is the oldest; behind it there is nothing: back to the oldest, 100. */
	fixture_expect_order(queue, "R500 R100 R300");
	sim_queue_free(queue);
}

static void test_expiry_is_in_jiffies(void **state)
{
	struct sim_queue *queue = fixture_queue("deadline", 4, 19, 1, NULL, 0);
	char buf[32];

	(void)state;
	/* 2 ms into a tick of 4 ms: the deadline is the tick at 500 ms, not 502 ms. */
	queue->now_ns = 2 * MS;
	fixture_insert(queue, 'R', 5000);
	fixture_insert(queue, 'R', 1);
	queue->now_ns = 499 * MS + 999999;
	fixture_insert(queue, 'R', 6000);
	assert_string_equal(fixture_take(queue, buf, sizeof(buf)), "R5000");
	queue->now_ns = 500 * MS;
	/* In a batch nobody looks at the clock. */
	assert_string_equal(fixture_take(queue, buf, sizeof(buf)), "R6000");
	assert_string_equal(fixture_take(queue, buf, sizeof(buf)), "R1");
	sim_queue_free(queue);
}

static void test_expired_write_does_not_turn(void **state)
{
	struct sim_queue *queue = fixture_queue("deadline", 4, 19, 1, NULL, 0);
	char buf[32];

	(void)state;
	fixture_insert(queue, 'W', 10);
	queue->now_ns = 6000 * MS;
	fixture_insert(queue, 'R', 20);
	assert_string_equal(fixture_take(queue, buf, sizeof(buf)), "R20");
	assert_string_equal(fixture_take(queue, buf, sizeof(buf)), "W10");
	sim_queue_free(queue);
}

static void test_reasons(void **state)
{
	struct sim_queue *queue = fixture_queue("deadline", 4, 19, 1, NULL, 0);
	struct sim_request *rq;

	(void)state;
	fixture_insert(queue, 'R', 10);
	queue->now_ns = 501 * MS;
	fixture_insert(queue, 'R', 20);
	rq = queue->ops->dispatch_request(&queue->hctxs[0]);
	assert_int_equal(rq->reason, SIM_REASON_EXPIRED_READ);
	rq = queue->ops->dispatch_request(&queue->hctxs[0]);
	assert_int_equal(rq->reason, SIM_REASON_BATCH);
	fixture_insert(queue, 'W', 30);
	rq = queue->ops->dispatch_request(&queue->hctxs[0]);
	assert_int_equal(rq->reason, SIM_REASON_OLDEST_WRITE);
	sim_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_classic_lesson),
		cmocka_unit_test(test_batch_ends),
		cmocka_unit_test(test_no_wrap),
		cmocka_unit_test(test_expiry_is_in_jiffies),
		cmocka_unit_test(test_expired_write_does_not_turn),
		cmocka_unit_test(test_reasons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
