// SPDX-License-Identifier: GPL-2.0-or-later
/* The queue run: tags, the parked request, how many are taken, jiffies, and bad sizes. */
#include <errno.h>

#include "sim-fixture.h"

static unsigned issue_all(struct sim_hctx *hctx)
{
	unsigned count = 0;

	while (sim_hctx_next(hctx)) {
		sim_hctx_issue(hctx);
		count++;
	}
	return count;
}

static void insert_many(struct sim_queue *queue, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		fixture_insert(queue, 'R', i * 100);
}

/* One request more than there are tags is taken, and it goes first. */
static void test_parked_request(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 2, NULL, 0);
	struct sim_hctx *hctx = &queue->hctxs[0];
	struct sim_request *rq, *parked;

	(void)state;
	insert_many(queue, 5);
	sim_hctx_run(hctx, true);
	rq = sim_hctx_next(hctx);
	assert_int_equal(issue_all(hctx), 2);
	assert_int_equal(hctx->in_flight, 2);
	assert_int_equal(hctx->dispatch_count, 1);
	assert_int_equal(queue->waiting, 2);
	parked = sim_request_of(hctx->dispatch.next);
	assert_true(parked->sector == 200);
	/* Inserted before it in sector order, but too late. */
	fixture_insert(queue, 'R', 150);
	sim_hctx_run(hctx, true);
	assert_null(sim_hctx_next(hctx));
	assert_true(sim_queue_complete(queue, rq));
	sim_request_free(queue, rq);
	sim_hctx_run(hctx, true);
	assert_ptr_equal(sim_hctx_next(hctx), parked);
	sim_queue_free(queue);
}

/* What a run takes at once while the driver is not busy. */
static void test_pulling(void **state)
{
	static const struct {
		unsigned major, minor, parked;
	} rows[] = {
		{ 4, 19, 1 },  /* one by one */
		{ 5, 10, 8 },  /* all, and keeps what has no tag */
		{ 5, 15, 1 },  /* stops at the first without a tag */
		{ 6, 12, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = fixture_queue("mq-deadline", rows[i].major,
							rows[i].minor, 2, NULL, 0);
		struct sim_hctx *hctx = &queue->hctxs[0];

		queue->nr_requests = 64;
		insert_many(queue, 10);
		sim_hctx_run(hctx, true);
		assert_int_equal(issue_all(hctx), 2);
		assert_int_equal(hctx->dispatch_count, rows[i].parked);
		sim_queue_free(queue);
	}
}

/* A busy driver is given one request at a time, until the average has faded. */
static void test_busy_average(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 5, 10, 1, NULL, 0);
	struct sim_hctx *hctx = &queue->hctxs[0];

	(void)state;
	queue->nr_requests = 64;
	insert_many(queue, 2);
	sim_hctx_run(hctx, true);
	assert_int_equal(issue_all(hctx), 1);
	assert_int_equal(hctx->busy, 2);
	for (unsigned i = 0; i < 50; i++)
		sim_hctx_run(hctx, true);
	assert_int_equal(hctx->busy, 9);
	sim_queue_free(queue);
}

static void test_restart_only_when_something_waits(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 2, NULL, 0);
	struct sim_hctx *hctx = &queue->hctxs[0];
	struct sim_request *rq;

	(void)state;
	insert_many(queue, 1);
	sim_hctx_run(hctx, true);
	rq = sim_hctx_next(hctx);
	sim_hctx_issue(hctx);
	assert_false(sim_queue_complete(queue, rq));
	sim_queue_free(queue);
}

/* Work that the scheduler does not give: the kernel looks again after 3 ms. */
static void test_second_look(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 4, NULL, 0);
	struct sim_hctx *hctx = &queue->hctxs[0];

	(void)state;
	fixture_insert_class(queue, 'R', 1, SIM_CLASS_RT);
	fixture_insert_class(queue, 'R', 2, SIM_CLASS_BE);
	sim_hctx_run(hctx, true);
	assert_int_equal(issue_all(hctx), 1);
	assert_int_equal(queue->waiting, 1);
	/* One jiffy of 4 ms, and the wheel's extra one. */
	assert_true(hctx->delayed_run_ns == 8 * MS);
	hctx->delayed_run_ns = SIM_NEVER;
	queue->now_ns = 5 * MS;
	sim_hctx_run(hctx, true);
	assert_true(hctx->delayed_run_ns == 12 * MS);
	sim_queue_free(queue);
}

static void test_jiffies(void **state)
{
	struct sim_queue *queue = fixture_queue("none", 6, 12, 1, NULL, 0);
	uint64_t start;

	(void)state;
	start = sim_queue_jiffies(queue);
	queue->now_ns = 4 * MS - 1;
	assert_true(sim_queue_jiffies(queue) == start);
	queue->now_ns = 4 * MS;
	assert_true(sim_queue_jiffies(queue) == start + 1);
	assert_true(sim_queue_jiffies_to_ns(queue, start + 1) == 4 * MS);
	queue->now_ns = 1000 * MS;
	assert_true(sim_queue_jiffies(queue) == start + 250);
	assert_true(sim_queue_ms_to_jiffies(queue, 0) == 0);
	assert_true(sim_queue_ms_to_jiffies(queue, 1) == 1);
	assert_true(sim_queue_ms_to_jiffies(queue, 4) == 1);
	assert_true(sim_queue_ms_to_jiffies(queue, 5) == 2);
	sim_queue_free(queue);
}

/* Replay: the kernel chose another one; the engine goes on from there. */
static void test_choose_instead(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 5, 10, 1, NULL, 0);
	struct sim_hctx *hctx = &queue->hctxs[0];
	struct sim_request *third = NULL;

	(void)state;
	queue->nr_requests = 64;
	assert_int_equal(sim_queue_log_states(queue), 0);
	for (unsigned i = 0; i < 6; i++) {
		struct sim_request *rq = fixture_insert(queue, 'R', i * 100);

		if (i == 3)
			third = rq;
	}
	sim_hctx_run(hctx, true);
	assert_int_equal(hctx->dispatch_count, 6);
	assert_int_equal(sim_hctx_choose_instead(hctx, third), 0);
	assert_ptr_equal(sim_hctx_next(hctx), third);
	assert_int_equal(queue->waiting, 5);
	sim_hctx_issue(hctx);
	assert_int_equal(third->state, SIM_STATE_ISSUED);
	/* The tag is out: what follows 300 in order is parked now. */
	assert_true(sim_request_of(hctx->dispatch.next)->sector == 400);
	sim_queue_free(queue);
}

static void test_yielding(void **state)
{
	static const struct {
		unsigned major, minor;
		bool yields;
	} rows[] = { { 5, 10, false }, { 6, 12, true } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = fixture_queue("mq-deadline", rows[i].major,
							rows[i].minor, 4, NULL, 0);
		struct sim_hctx *hctx = &queue->hctxs[0];

		insert_many(queue, 1);
		sim_hctx_run(hctx, false);
		assert_int_equal(sim_hctx_issue_yielding(hctx), rows[i].yields);
		sim_queue_free(queue);
	}
}

/* What the scheduler never had does not count as its own; what comes back is its again. */
static void test_bypass_and_requeue(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 4, NULL, 0);
	struct sim_hctx *hctx = &queue->hctxs[0];
	struct sim_request *flush = fixture_request(queue, 'R', 0), *rq;

	(void)state;
	sim_hctx_issue_directly(hctx, flush);
	assert_int_equal(hctx->in_flight, 1);
	assert_false(sim_queue_complete(queue, flush));
	assert_int_equal(hctx->in_flight, 0);
	/* An RT request that had been counted down would hold BE back for ever. */
	rq = fixture_request(queue, 'R', 5);
	rq->class = SIM_CLASS_RT;
	sim_hctx_issue_directly(hctx, rq);
	sim_queue_complete(queue, rq);
	rq = fixture_insert(queue, 'W', 7);
	sim_hctx_run(hctx, true);
	assert_ptr_equal(sim_hctx_next(hctx), rq);
	sim_hctx_issue(hctx);
	sim_queue_requeue(queue, rq);
	assert_int_equal(hctx->in_flight, 0);
	fixture_insert(queue, 'R', 6);
	assert_int_equal(sim_queue_insert(queue, rq), 0);
	sim_hctx_run(hctx, true);
	assert_ptr_equal(sim_hctx_next(hctx), rq);

	/* To the end of the dispatch list, with a tag like all others. */
	rq = fixture_request(queue, 'W', 9);
	sim_queue_bypass(queue, rq);
	assert_int_equal(issue_all(hctx), 3);
	assert_int_equal(rq->state, SIM_STATE_ISSUED);
	assert_int_equal(hctx->in_flight, 3);
	sim_queue_free(queue);
}

static void expect_refused(struct sim_queue_config config, int error, const char *word)
{
	struct sim_queue *queue = NULL;
	struct diag diag = { 0 };

	assert_int_equal(sim_queue_new(&config, &queue, &diag), error);
	assert_null(queue);
	if (!strstr(diag.text, word))
		fail_msg("\"%s\" does not say \"%s\"", diag.text, word);
}

static void test_bad_configurations(void **state)
{
	const struct sim_queue_config good = {
		.kernel = { 6, 12, 0 }, .scheduler = "mq-deadline", .hw_depth = 32,
		.hw_queues = 1, .cpus = 1, .hz = 250,
	};
	struct sim_setting setting = { "fifo_batch", "x" };
	struct sim_queue_config config = good;

	(void)state;
	config.hw_depth = 0;
	expect_refused(config, -ERANGE, "depth");
	config = good;
	config.hw_queues = SIM_HW_QUEUES_MAX + 1;
	expect_refused(config, -ERANGE, "queues");
	config = good;
	config.hz = 0;
	expect_refused(config, -ERANGE, "HZ");
	config = good;
	config.nr_requests = 2049;
	expect_refused(config, -ERANGE, "nr_requests");
	config = good;
	config.scheduler = "mq-dead";
	expect_refused(config, -EINVAL, "mq-dead");
	config.scheduler = "cfq";
	expect_refused(config, -ENOTSUP, "6.12");
	config = good;
	config.settings = &setting;
	config.setting_count = 1;
	expect_refused(config, -EINVAL, "fifo_batch");
	setting = (struct sim_setting){ "fifo_batch", "-1" };
	expect_refused(config, -ERANGE, "fifo_batch");
	setting = (struct sim_setting){ "read_lat_nsec", "5" };
	expect_refused(config, -ENOTSUP, "read_lat_nsec");
	/* prio_aging_expire came with 6.0. */
	setting = (struct sim_setting){ "prio_aging_expire", "5" };
	config.kernel = (struct kernel_version){ 5, 10, 0 };
	expect_refused(config, -ENOTSUP, "prio_aging_expire");
}

/* One tag of each word of their bitmap, and since 6.18 one of them all. */
static void test_least_limit(void **state)
{
	static const struct {
		unsigned minor, tags, limit;
	} rows[] = {
		{ 17, 1, 1 },  { 17, 3, 3 },   { 17, 4, 4 },   { 17, 31, 8 }, { 17, 64, 4 },
		{ 17, 256, 4 }, { 17, 1000, 16 }, { 18, 256, 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = fixture_queue("bfq", 6, rows[i].minor, 32, NULL, 0);

		queue->nr_requests = rows[i].tags;
		assert_int_equal(sim_queue_least_limit(queue), rows[i].limit);
		sim_queue_free(queue);
	}
}

/* Which of many hardware queues have a run that waits, in their order. */
static void test_running_queues(void **state)
{
	static const unsigned wanted[] = { 0, 63, 64, 199 };
	const struct sim_queue_config config = {
		.kernel = { 6, 12, 0 }, .scheduler = "none", .hw_queues = 200, .cpus = 200,
		.hw_depth = 4, .hz = 250,
	};
	struct sim_queue *queue;
	struct diag diag = { 0 };
	unsigned index = 0;

	(void)state;
	assert_int_equal(sim_queue_new(&config, &queue, &diag), 0);
	assert_int_equal(sim_queue_next_running(queue, 0), 200);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		struct sim_request *rq = fixture_request(queue, 'R', i * 100);

		rq->hctx = rq->cpu = (uint16_t)wanted[i];
		assert_int_equal(sim_queue_insert(queue, rq), 0);
		sim_hctx_run(&queue->hctxs[wanted[i]], true);
	}
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++, index++) {
		index = sim_queue_next_running(queue, index);
		assert_int_equal(index, wanted[i]);
		assert_true(sim_hctx_is_running(&queue->hctxs[index]));
	}
	assert_int_equal(sim_queue_next_running(queue, index), 200);
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++)
		assert_int_equal(issue_all(&queue->hctxs[wanted[i]]), 1);
	assert_int_equal(sim_queue_next_running(queue, 0), 200);
	sim_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parked_request),
		cmocka_unit_test(test_pulling),
		cmocka_unit_test(test_busy_average),
		cmocka_unit_test(test_restart_only_when_something_waits),
		cmocka_unit_test(test_second_look),
		cmocka_unit_test(test_jiffies),
		cmocka_unit_test(test_choose_instead),
		cmocka_unit_test(test_yielding),
		cmocka_unit_test(test_bypass_and_requeue),
		cmocka_unit_test(test_bad_configurations),
		cmocka_unit_test(test_least_limit),
		cmocka_unit_test(test_running_queues),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
