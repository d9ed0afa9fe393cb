// SPDX-License-Identifier: GPL-2.0-or-later
/* Idling: for whom, how long, what ends it; injection meanwhile. */
#include "bfq-fixture.h"

static const struct sim_setting not_raised[] = { { "low_latency", "0" } };

/* One request of process 1 was served and nothing more has come. */
static struct sim_queue *served_one(unsigned major, unsigned minor, bool is_flash,
				    const struct sim_setting *settings, size_t count)
{
	struct sim_queue *queue = bfq_fixture(major, minor, 1, is_flash, settings, count);
	struct sim_request *rq;

	bfq_submit(queue, 1, 'R', 1000, 64);
	rq = bfq_take(queue);
	assert_non_null(rq);
	queue->now_ns += MS;
	bfq_done(queue, rq);
	return queue;
}

static void test_how_long(void **state)
{
	static const struct {
		const char *name;
		struct sim_setting settings[2];
		bool is_flash, is_seeky;
		uint64_t ns; /* 0: no idling */
	} rows[] = {
		{ "sequential", { { "low_latency", "0" } }, false, false, 8 * MS },
		{ "seeky", { { "low_latency", "0" } }, false, true, 2 * MS },
		{ "raised", { { "low_latency", "1" } }, false, false, 20 * MS },
		{ "raised and seeky", { { "low_latency", "1" } }, false, true, 20 * MS },
		{ "set in ms",
		  { { "low_latency", "0" }, { "slice_idle", "5" } },
		  false,
		  false,
		  5 * MS },
		{ "set in us",
		  { { "low_latency", "0" }, { "slice_idle_us", "700" } },
		  false,
		  false,
		  700000 },
		{ "off",
		  { { "low_latency", "0" }, { "slice_idle", "0" } },
		  false,
		  false,
		  0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue =
			bfq_fixture(6, 12, 1, rows[i].is_flash, rows[i].settings,
				    rows[i].settings[1].file ? 2 : 1);
		struct sim_request *rq;

		bfq_submit(queue, 1, 'R', 1000, 64);
		if (rows[i].is_seeky)
			bfq_sync_queue(queue, 1)->seek_history = 0xfffff;
		rq = bfq_take(queue);
		assert_non_null(rq);
		bfq_done(queue, rq);
		if ((rows[i].ns ? queue->now_ns + rows[i].ns : SIM_NEVER) !=
		    queue->elevator_timer_ns)
			fail_msg(
				"%s: %d us", rows[i].name,
				(int)((queue->elevator_timer_ns - queue->now_ns) / 1000));
		sim_queue_free(queue);
	}
}

/* While it is idled for, another one waits; then the timer ends the slot. */
static void test_timer_ends_it(void **state)
{
	struct sim_queue *queue = served_one(6, 12, false, not_raised, 1);
	struct sim_request *rq;

	(void)state;
	bfq_submit(queue, 2, 'R', 900000, 8);
	assert_null(bfq_take(queue));
	queue->now_ns = queue->elevator_timer_ns;
	queue->ops->timer(queue);
	assert_true(queue->elevator_timer_ns == SIM_NEVER);
	/* It was too idle: its budget shrinks by four times the least, from 2/3 of 16384. */
	assert_int_equal(bfq_sync_queue(queue, 1)->max_budget, 10922 - 4 * 512);
	rq = bfq_take(queue);
	assert_int_equal(rq ? rq->pid : 0, 2);
	sim_queue_free(queue);
}

/* What it was idled for comes: it goes on, and the timer is off. */
static void test_request_ends_it(void **state)
{
	struct sim_queue *queue = served_one(6, 12, false, not_raised, 1);
	struct sim_request *rq;

	(void)state;
	bfq_submit(queue, 2, 'R', 900000, 8);
	bfq_submit(queue, 1, 'R', 1064, 64);
	assert_true(queue->elevator_timer_ns == SIM_NEVER);
	rq = bfq_take(queue);
	assert_int_equal(rq ? rq->pid : 0, 1);
	assert_int_equal(rq ? rq->reason : 0, SIM_REASON_SLOT);
	sim_queue_free(queue);
}

static void test_for_whom(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 32, true, not_raised, 1);
	struct bfq_data *bfq = bfq_of(queue);
	struct bfq_queue *q;
	struct sim_request *rq;

	(void)state;
	bfq_submit(queue, 1, 'R', 1000, 64);
	q = bfq_sync_queue(queue, 1);
	/* Alone. */
	assert_true(bfq_better_to_idle(bfq, q));
	/* Another one, of the same weight, and the device queues: nothing is gained. */
	rq = fixture_request(queue, 'R', 900000);
	rq->pid = 2;
	rq->level = 3;
	assert_int_equal(sim_queue_insert(queue, rq), 0);
	bfq_sync_queue(queue, 2)->level = 4;
	bfq_sync_queue(queue, 2)->prio_changed = true;
	bfq_requeue(bfq, bfq_sync_queue(queue, 2), false);
	assert_false(bfq_better_to_idle(bfq, q));
	/* The device does not queue: the drive's own order is worth idling for. */
	bfq->hw_tag = 0;
	assert_true(bfq_better_to_idle(bfq, q));
	q->seek_history = UINT32_MAX;
	assert_false(bfq_better_to_idle(bfq, q));
	bfq->hw_tag = 1;
	/* Less weight beside: it has something to lose. */
	bfq_sync_queue(queue, 2)->level = 5;
	bfq_sync_queue(queue, 2)->prio_changed = true;
	bfq_requeue(bfq, bfq_sync_queue(queue, 2), false);
	assert_true(bfq_better_to_idle(bfq, q));
	assert_false(bfq_better_to_idle(bfq, bfq_sync_queue(queue, 2)));
	sim_queue_free(queue);
}

/* Before 5.12 being alone is no reason. */
static void test_alone(void **state)
{
	static const struct {
		unsigned major, minor;
		bool idles;
	} rows[] = { { 5, 10, false }, { 5, 12, true }, { 7, 2, true } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = bfq_fixture(rows[i].major, rows[i].minor, 32,
						      true, not_raised, 1);

		bfq_submit(queue, 1, 'R', 1000, 64);
		assert_int_equal(
			bfq_better_to_idle(bfq_of(queue), bfq_sync_queue(queue, 1)),
			rows[i].idles);
		sim_queue_free(queue);
	}
}

/* --- injection ----------------------------------------------------------------------- */

static void test_injection_limit(void **state)
{
	static const struct {
		unsigned limit, sectors, in_driver;
		bool is_flash, is_injected;
	} rows[] = {
		{ 0, 8, 0, false, false },
		{ 1, 8, 0, false, true },
		{ 1, 8, 1, false, false },
		{ 2, 8, 1, false, true },
		/* Large ones on flash: one at a time. */
		{ 2, 64, 1, true, false },
		{ 2, 8, 1, true, true },
		{ 2, 64, 1, false, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = served_one(5, 10, false, not_raised, 1);
		struct bfq_data *bfq = bfq_of(queue);
		struct sim_request *rq;

		queue->is_nonrotational = rows[i].is_flash;
		bfq->hw_tag = 1;
		assert_true(bfq_sync_queue(queue, 1)->waits_request);
		bfq_sync_queue(queue, 1)->is_io_bound = false;
		bfq_sync_queue(queue, 1)->inject_limit = rows[i].limit;
		bfq_submit(queue, 2, 'R', 900000, rows[i].sectors);
		/* Its arrival does not end the waiting. */
		assert_ptr_equal(bfq->in_service, bfq_sync_queue(queue, 1));
		bfq->in_driver = rows[i].in_driver;
		rq = bfq_take(queue);
		assert_int_equal(rq != NULL, rows[i].is_injected);
		assert_int_equal(rq ? rq->reason : SIM_REASON_INJECTED,
				 SIM_REASON_INJECTED);
		assert_int_equal(bfq->was_injected, rows[i].is_injected);
		sim_queue_free(queue);
	}
}

/* What injection costs moves the limit. */
static void test_limit_follows_cost(void **state)
{
	static const struct {
		unsigned before;
		uint64_t base_ns, total_ns;
		unsigned after;
	} rows[] = {
		{ 0, 0, 3 * MS, 1 },          /* the base is known from now on */
		{ 2, 2 * MS, 3 * MS - 1, 3 }, /* less than half more */
		{ 2, 2 * MS, 3 * MS, 1 },
		{ 0, 2 * MS, 9 * MS, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = served_one(6, 12, false, not_raised, 1);
		struct bfq_data *bfq = bfq_of(queue);
		struct bfq_queue *q = bfq_sync_queue(queue, 1);

		q->inject_limit = rows[i].before;
		q->last_serv_ns = rows[i].base_ns;
		bfq->was_injected = rows[i].base_ns > 0;
		bfq->max_in_driver = 8;
		bfq->in_driver = 1;
		bfq->empty_occupied_ns = queue->now_ns - rows[i].total_ns;
		bfq_update_injection(bfq, q);
		assert_int_equal(q->inject_limit, rows[i].after);
		if (!rows[i].base_ns)
			assert_true(q->last_serv_ns == rows[i].total_ns);
		sim_queue_free(queue);
	}
}

/* Who keeps waking it is served while it is waited for. */
static void test_waker(void **state)
{
	struct sim_queue *queue = served_one(6, 12, false, not_raised, 1);
	struct sim_request *rq;

	(void)state;
	bfq_submit(queue, 2, 'R', 900000, 8);
	assert_null(bfq_take(queue));
	bfq_set_waker(bfq_sync_queue(queue, 1), bfq_sync_queue(queue, 2));
	rq = bfq_take(queue);
	assert_int_equal(rq ? rq->pid : 0, 2);
	assert_int_equal(rq ? rq->reason : 0, SIM_REASON_INJECTED);
	sim_queue_free(queue);
}

/* From 5.12 also whom it wakes. */
static void test_woken(void **state)
{
	static const struct {
		unsigned major, minor;
		bool is_served;
	} rows[] = { { 5, 10, false }, { 6, 12, true } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue =
			served_one(rows[i].major, rows[i].minor, false, not_raised, 1);

		bfq_submit(queue, 2, 'R', 900000, 8);
		bfq_set_waker(bfq_sync_queue(queue, 2), bfq_sync_queue(queue, 1));
		assert_int_equal(bfq_take(queue) != NULL, rows[i].is_served);
		sim_queue_free(queue);
	}
}

/* Three arrivals, each just after another one's completion, find the waker. */
static void test_waker_is_found(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, not_raised, 1);
	struct bfq_queue *q = NULL;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct sim_request *rq;

		bfq_submit(queue, 1, 'R', 1000 + i * 64, 8);
		while (!(rq = bfq_take(queue))) {
			queue->now_ns = queue->elevator_timer_ns;
			queue->ops->timer(queue);
		}
		queue->now_ns += MS;
		bfq_done(queue, rq);
		queue->now_ns += MS;
		if (q) {
			q->has_short_think = false;
			/* The mean think time says so, too. */
			q->think.samples = 100;
			q->think.mean_ns = 100 * MS;
			q->think.total_ns = 100 * MS * 256;
			assert_null(q->waker);
		}
		bfq_submit(queue, 2, 'R', 900000 + i * 64, 8);
		q = bfq_sync_queue(queue, 2);
		while (!(rq = bfq_take(queue))) {
			queue->now_ns = queue->elevator_timer_ns;
			queue->ops->timer(queue);
		}
		queue->now_ns += MS;
		bfq_done(queue, rq);
		queue->now_ns += 20 * MS;
		if (queue->elevator_timer_ns <= queue->now_ns)
			queue->ops->timer(queue);
	}
	assert_non_null(q);
	assert_ptr_equal(q ? q->waker : NULL, bfq_sync_queue(queue, 1));
	sim_queue_free(queue);
}

/* A request of the queue arrives just after one of another was done. */
static void arrive_after(struct sim_queue *queue, uint32_t pid, uint32_t done_pid)
{
	struct bfq_data *bfq = bfq_of(queue);
	struct bfq_queue *q = bfq_sync_queue(queue, pid);

	queue->now_ns += 10 * MS;
	bfq->last_completed = bfq_sync_queue(queue, done_pid)->id;
	bfq->last_completion_ns = queue->now_ns;
	q->has_short_think = false;
	bfq_note_injection(bfq, q, bfq_find_process(bfq, pid));
}

/*
 * Another one is found where it comes three times in a row; before 5.12 twice, and the present
 * waker's times between do not count.
 */
static void test_waker_changes(void **state)
{
	static const struct {
		unsigned major, minor;
		uint32_t after[5], waker[5];
	} rows[] = {
		{ 5, 10, { 3, 2, 3 }, { 2, 2, 3 } },
		{ 6, 12, { 3, 3, 2, 3, 3 }, { 2, 2, 2, 2, 2 } },
		{ 6, 12, { 2, 3, 3, 3 }, { 2, 2, 2, 3 } },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = bfq_fixture(rows[i].major, rows[i].minor, 1, false,
						      not_raised, 1);

		for (uint32_t pid = 1; pid <= 3; pid++)
			bfq_submit(queue, pid, 'R', pid * 900000, 8);
		bfq_set_waker(bfq_sync_queue(queue, 1), bfq_sync_queue(queue, 2));
		for (unsigned n = 0; n < 5 && rows[i].after[n]; n++) {
			arrive_after(queue, 1, rows[i].after[n]);
			assert_ptr_equal(bfq_sync_queue(queue, 1)->waker,
					 bfq_sync_queue(queue, rows[i].waker[n]));
		}
		sim_queue_free(queue);
	}
}

/* Nobody is looked for who would wake a process of the idle class. */
static void test_idle_class_has_no_waker(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, not_raised, 1);

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct sim_request *rq;

		bfq_submit(queue, 1, 'R', 1000 + i * 64, 8);
		rq = bfq_take(queue);
		assert_non_null(rq);
		queue->now_ns += MS;
		bfq_done(queue, rq);
		queue->now_ns += MS;
		rq = fixture_request(queue, 'R', 900000 + i * 64);
		rq->pid = 2;
		rq->class = SIM_CLASS_IDLE;
		assert_int_equal(sim_queue_insert(queue, rq), 0);
		assert_null(bfq_sync_queue(queue, 2)->waker);
		while (!(rq = bfq_take(queue))) {
			queue->now_ns = queue->elevator_timer_ns;
			queue->ops->timer(queue);
		}
		queue->now_ns += 20 * MS;
		bfq_done(queue, rq);
		queue->now_ns += 20 * MS;
		if (queue->elevator_timer_ns <= queue->now_ns)
			queue->ops->timer(queue);
	}
	sim_queue_free(queue);
}

/* Whose only request was filled in pays for that, not for all that it might have had. */
static void test_injected_pays_for_itself(void **state)
{
	struct sim_queue *queue = served_one(6, 12, false, not_raised, 1);
	struct bfq_queue *q;
	uint64_t start;

	(void)state;
	bfq_submit(queue, 2, 'R', 900000, 8);
	q = bfq_sync_queue(queue, 2);
	start = q->start;
	assert_true(q->finish > start + (UINT64_C(1000) << 22) / q->weight);
	bfq_set_waker(bfq_sync_queue(queue, 1), q);
	assert_non_null(bfq_take(queue));
	assert_true(q->finish == start + (UINT64_C(8) << 22) / q->weight);
	sim_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_how_long),
		cmocka_unit_test(test_timer_ends_it),
		cmocka_unit_test(test_request_ends_it),
		cmocka_unit_test(test_for_whom),
		cmocka_unit_test(test_alone),
		cmocka_unit_test(test_injection_limit),
		cmocka_unit_test(test_limit_follows_cost),
		cmocka_unit_test(test_waker),
		cmocka_unit_test(test_woken),
		cmocka_unit_test(test_waker_is_found),
		cmocka_unit_test(test_waker_changes),
		cmocka_unit_test(test_idle_class_has_no_waker),
		cmocka_unit_test(test_injected_pays_for_itself),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
