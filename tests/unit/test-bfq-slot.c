// SPDX-License-Identifier: GPL-2.0-or-later
/* Slots: how they end, and what budget follows from it. */
#include "bfq-fixture.h"

static const struct sim_setting not_raised[] = { { "low_latency", "0" } };

struct slot {
	struct sim_queue *queue;
	struct bfq_data *bfq;
	struct bfq_queue *q;
};

/* A queue with three requests, the first in service, and a budget of 4000. */
static struct slot begin(void)
{
	struct slot slot = { .queue = bfq_fixture(6, 12, 1, false, not_raised, 1) };

	slot.bfq = bfq_of(slot.queue);
	for (unsigned i = 0; i < 3; i++)
		bfq_submit(slot.queue, 1, 'R', 1000 + 100 * i, 100);
	slot.q = bfq_sync_queue(slot.queue, 1);
	slot.q->max_budget = 4000;
	slot.q->budget = 4000;
	bfq_take(slot.queue);
	assert_ptr_equal(slot.bfq->in_service, slot.q);
	return slot;
}

/* The next budget by how the slot ended; min is 16384 / 32. */
static void test_feedback(void **state)
{
	static const struct {
		enum bfq_expiry reason;
		unsigned in_flight;
		int64_t before, after;
	} rows[] = {
		{ BFQ_BUDGET_EXHAUSTED, 1, 3000, 12000 },
		{ BFQ_BUDGET_EXHAUSTED, 1, 5000, 16384 },
		{ BFQ_BUDGET_TIMEOUT, 1, 3000, 6000 },
		{ BFQ_TOO_IDLE, 1, 3000, 6000 },
		{ BFQ_TOO_IDLE, 0, 3000, 3000 - 4 * 512 },
		{ BFQ_TOO_IDLE, 0, 2000, 512 },
		{ BFQ_NO_MORE_REQUESTS, 1, 3000, 700 },
		{ BFQ_PREEMPTED, 1, 3000, 3000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct slot slot = begin();

		slot.queue->now_ns += 10 * MS;
		slot.q->dispatched = rows[i].in_flight;
		slot.q->max_budget = rows[i].before;
		slot.q->service = 700;
		bfq_expire(slot.bfq, slot.q, false, rows[i].reason);
		assert_int_equal(slot.q->max_budget, rows[i].after);
		assert_null(slot.bfq->in_service);
		sim_queue_free(slot.queue);
	}
}

/* No more requests: at least the smallest budget. */
static void test_least_budget(void **state)
{
	struct slot slot = begin();

	(void)state;
	slot.q->service = 100;
	bfq_expire(slot.bfq, slot.q, false, BFQ_NO_MORE_REQUESTS);
	assert_int_equal(slot.q->max_budget, 512);
	sim_queue_free(slot.queue);
}

/* Two readers: one slot ends when the next request does not fit. */
static void test_budget_ends_slot(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, not_raised, 1);
	struct sim_request *rq;
	char order[64] = "";

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		bfq_submit(queue, 1, 'R', 1000 + 100 * i, 100);
	for (unsigned i = 0; i < 2; i++)
		bfq_submit(queue, 2, 'R', 900000 + 100 * i, 100);
	bfq_sync_queue(queue, 1)->budget = 250;
	while (queue->waiting > 0) {
		rq = bfq_take(queue);
		if (rq) {
			strcat(order, rq->pid == 1 ? "1" : "2");
			bfq_done(queue, rq);
			continue;
		}
		/* The second one is idled for. */
		assert_true(queue->elevator_timer_ns != SIM_NEVER);
		queue->now_ns = queue->elevator_timer_ns;
		queue->ops->timer(queue);
	}
	/* Two of 100 fit into 250. */
	assert_string_equal(order, "112211");
	sim_queue_free(queue);
}

static void test_time_ends_slot(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, not_raised, 1);
	struct sim_request *rq;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		bfq_submit(queue, 1, 'R', 1000 + 8 * i, 8);
	bfq_submit(queue, 2, 'R', 900000, 8);
	rq = bfq_take(queue);
	assert_int_equal(rq ? rq->pid : 0, 1);
	/* An eighth of a second. */
	queue->now_ns += 124 * MS;
	rq = bfq_take(queue);
	assert_int_equal(rq ? rq->pid : 0, 1);
	queue->now_ns += MS;
	rq = bfq_take(queue);
	assert_int_equal(rq ? rq->pid : 0, 2);
	sim_queue_free(queue);
}

static void test_timeout_is_set(void **state)
{
	const struct sim_setting settings[] = { { "low_latency", "0" },
						{ "timeout_sync", "40" } };
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, settings, 2);
	struct sim_request *rq;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		bfq_submit(queue, 1, 'R', 1000 + 8 * i, 8);
	bfq_submit(queue, 2, 'R', 900000, 8);
	bfq_take(queue);
	queue->now_ns += 40 * MS;
	rq = bfq_take(queue);
	assert_int_equal(rq ? rq->pid : 0, 2);
	sim_queue_free(queue);
}

/* A slow queue pays for its time: as much of the device's budget as of the timeout. */
static void test_slow_pays_time(void **state)
{
	static const struct {
		uint64_t ms, of_timeout_ms;
	} rows[] = { { 62, 62 }, { 125, 125 }, { 300, 125 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct slot slot = begin();
		uint64_t start = slot.q->start;

		slot.queue->now_ns += rows[i].ms * MS;
		bfq_expire(slot.bfq, slot.q, false, BFQ_BUDGET_EXHAUSTED);
		/* At weight 40, in units of 2^-22. */
		assert_int_equal(slot.q->start - start,
				 ((16384 * rows[i].of_timeout_ms / 125) << 22) / 40);
		sim_queue_free(slot.queue);
	}
}

/* The user's budget replaces what would be learnt. */
static void test_budget_is_set(void **state)
{
	const struct sim_setting settings[] = { { "low_latency", "0" },
						{ "max_budget", "2000" } };
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, settings, 2);
	struct bfq_data *bfq = bfq_of(queue);
	struct bfq_queue *q;

	(void)state;
	bfq_submit(queue, 1, 'R', 1000, 100);
	bfq_submit(queue, 1, 'R', 1100, 100);
	q = bfq_sync_queue(queue, 1);
	q->max_budget = 1500;
	bfq_take(queue);
	bfq_expire(bfq, q, false, BFQ_BUDGET_EXHAUSTED);
	assert_int_equal(q->max_budget, 2000);
	sim_queue_free(queue);
}

/* One at a time, and always idling. */
static void test_strict(void **state)
{
	const struct sim_setting settings[] = { { "low_latency", "0" },
						{ "strict_guarantees", "1" } };
	struct sim_queue *queue = bfq_fixture(6, 12, 8, false, settings, 2);
	struct sim_request *rq;

	(void)state;
	bfq_submit(queue, 1, 'R', 1000, 8);
	bfq_submit(queue, 1, 'R', 1008, 8);
	bfq_submit(queue, 2, 'R', 90000, 8);
	rq = bfq_take(queue);
	assert_non_null(rq);
	assert_null(bfq_take(queue));
	bfq_done(queue, rq);
	rq = bfq_take(queue);
	assert_non_null(rq);
	bfq_done(queue, rq);
	assert_null(bfq_take(queue));
	assert_true(bfq_sync_queue(queue, 1)->waits_request);
	sim_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_feedback),
		cmocka_unit_test(test_least_budget),
		cmocka_unit_test(test_budget_ends_slot),
		cmocka_unit_test(test_time_ends_slot),
		cmocka_unit_test(test_timeout_is_set),
		cmocka_unit_test(test_slow_pays_time),
		cmocka_unit_test(test_budget_is_set),
		cmocka_unit_test(test_strict),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
