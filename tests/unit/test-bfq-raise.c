// SPDX-License-Identifier: GPL-2.0-or-later
/* Weight raising: who is raised, how much, until when; bursts. */
#include "bfq-fixture.h"

static unsigned coeff_of(struct sim_queue *queue, uint32_t pid)
{
	return bfq_sync_queue(queue, pid)->raise.coeff;
}

static void test_new_process_is_raised(void **state)
{
	static const struct {
		unsigned major, minor, level;
		const char *low_latency;
		char op;
		unsigned coeff;
	} rows[] = {
		{ 6, 12, 4, "1", 'R', 30 },
		{ 6, 12, 4, "0", 'R', 1 },
		/* From 5.12 who was given another weight keeps it. */
		{ 6, 12, 2, "1", 'R', 1 },
		{ 5, 10, 2, "1", 'R', 30 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct sim_setting setting = { "low_latency", rows[i].low_latency };
		struct sim_queue *queue =
			bfq_fixture(rows[i].major, rows[i].minor, 1, false, &setting, 1);
		struct sim_request *rq = fixture_request(queue, rows[i].op, 1000);

		rq->pid = 1;
		rq->level = (uint8_t)rows[i].level;
		assert_int_equal(sim_queue_insert(queue, rq), 0);
		assert_int_equal(coeff_of(queue, 1), rows[i].coeff);
		assert_int_equal(bfq_sync_queue(queue, 1)->weight,
				 (8 - rows[i].level) * 10 * rows[i].coeff);
		sim_queue_free(queue);
	}
}

/* The first request's budget is small: twice the least. */
static void test_raised_budget(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, NULL, 0);

	(void)state;
	bfq_submit(queue, 1, 'R', 1000, 8);
	assert_int_equal(bfq_sync_queue(queue, 1)->budget, 2 * 512);
	sim_queue_free(queue);
}

/* How long: on the reference devices, and on those that turned out slow or fast. */
static void test_duration(void **state)
{
	static const struct {
		bool is_flash;
		uint64_t rate; /* 0: as at first */
		int64_t ms;
	} rows[] = {
		{ false, 0, 10500 },
		{ true, 0, 3750 },
		{ true, 1, 25000 },
		{ true, 1000000, 3000 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue =
			bfq_fixture(6, 12, 1, rows[i].is_flash, NULL, 0);
		struct bfq_data *bfq = bfq_of(queue);

		if (rows[i].rate)
			bfq->rate = rows[i].rate;
		assert_in_range(bfq_raise_duration(bfq), rows[i].ms - 1, rows[i].ms + 1);
		sim_queue_free(queue);
	}
}

/* Keeps the process busy for so many requests. */
static void keep_busy(struct sim_queue *queue, unsigned count, unsigned sectors,
		      uint64_t each_ns)
{
	static uint64_t sector;

	for (unsigned i = 0; i < count; i++) {
		struct sim_request *rq;

		bfq_submit(queue, 1, 'R', sector += sectors, sectors);
		bfq_submit(queue, 1, 'R', sector += sectors, sectors);
		while ((rq = bfq_take(queue))) {
			queue->now_ns += each_ns / 2;
			bfq_done(queue, rq);
		}
	}
}

static void test_ends_after_time(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, true, NULL, 0);

	(void)state;
	keep_busy(queue, 370, 8, 10 * MS);
	assert_int_equal(coeff_of(queue, 1), 30);
	keep_busy(queue, 20, 8, 10 * MS);
	assert_int_equal(coeff_of(queue, 1), 1);
	assert_int_equal(bfq_sync_queue(queue, 1)->weight, 40);
	sim_queue_free(queue);
}

static void test_ends_after_service(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, true, NULL, 0);

	(void)state;
	/* 2 x 58 x 1024 sectors are below 120000, two times two more are above. */
	keep_busy(queue, 58, 1024, MS);
	assert_int_equal(coeff_of(queue, 1), 30);
	keep_busy(queue, 2, 1024, MS);
	assert_int_equal(coeff_of(queue, 1), 1);
	sim_queue_free(queue);
}

/* Two seconds of silence make it interactive again; less does not. */
static void test_starts_again(void **state)
{
	static const struct {
		uint64_t silence_ms;
		unsigned coeff;
	} rows[] = { { 1900, 1 }, { 2100, 30 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = bfq_fixture(6, 12, 1, true, NULL, 0);

		keep_busy(queue, 62, 1024, MS);
		assert_int_equal(coeff_of(queue, 1), 1);
		/* Not soft real-time, for which it would be eligible. */
		bfq_sync_queue(queue, 1)->soft_rt_next_start = INT64_MAX / 2;
		/* The idle timer ends its slot. */
		queue->now_ns += 20 * MS;
		queue->ops->timer(queue);
		queue->now_ns += (rows[i].silence_ms - 20) * MS;
		bfq_submit(queue, 1, 'R', 1000, 8);
		assert_int_equal(coeff_of(queue, 1), rows[i].coeff);
		sim_queue_free(queue);
	}
}

/* A modest rate with pauses: a hundred times more, for 300 ms at a time. */
static void test_soft_real_time(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, true, NULL, 0);
	unsigned raised = 0;

	(void)state;
	keep_busy(queue, 62, 1024, MS);
	assert_int_equal(coeff_of(queue, 1), 1);
	/* What it used before counts until the mean is below 7000 sectors/s. */
	bfq_sync_queue(queue, 1)->soft_rt_next_start = 0;
	bfq_sync_queue(queue, 1)->backlog_service = 0;
	for (unsigned frame = 0; frame < 50; frame++) {
		struct sim_request *rq;

		if (queue->elevator_timer_ns != SIM_NEVER) {
			queue->now_ns = queue->elevator_timer_ns;
			queue->ops->timer(queue);
		}
		queue->now_ns += 40 * MS;
		bfq_submit(queue, 1, 'R',
			   frame % 2 ? 1000 + frame * 64 : 1064 + frame * 64, 64);
		raised += coeff_of(queue, 1) == 3000;
		rq = bfq_take(queue);
		assert_non_null(rq);
		bfq_done(queue, rq);
	}
	assert_in_range(raised, 40, 50);
	sim_queue_free(queue);
}

/* Eight queues within 180 ms are a burst, and its queues are not raised. */
static void test_burst(void **state)
{
	static const struct {
		unsigned apart_ms;
		bool is_burst;
	} rows[] = { { 20, true }, { 200, false } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		/* Before 5.13, so that queues are not merged at once. */
		struct sim_queue *queue = bfq_fixture(5, 10, 1, true, NULL, 0);

		for (uint32_t pid = 1; pid <= 9; pid++) {
			bfq_submit(queue, pid, 'R', pid * 1000000, 8);
			queue->now_ns += rows[i].apart_ms * MS;
		}
		assert_int_equal(bfq_sync_queue(queue, 9)->in_large_burst,
				 rows[i].is_burst);
		assert_int_equal(bfq_sync_queue(queue, 1)->in_large_burst,
				 rows[i].is_burst);
		assert_int_equal(coeff_of(queue, 9), rows[i].is_burst ? 1 : 30);
		sim_queue_free(queue);
	}
}

/* A raised process that wakes up goes before one that is not. */
static void test_raised_preempts(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, NULL, 0);
	struct sim_request *rq;

	(void)state;
	keep_busy(queue, 62, 1024, MS);
	assert_int_equal(coeff_of(queue, 1), 1);
	for (unsigned i = 0; i < 3; i++)
		bfq_submit(queue, 1, 'R', 500000 + i * 8, 8);
	rq = bfq_take(queue);
	assert_int_equal(rq ? rq->pid : 0, 1);
	bfq_submit(queue, 2, 'R', 900000, 8);
	rq = bfq_take(queue);
	assert_int_equal(rq ? rq->pid : 0, 2);
	assert_int_equal(rq ? rq->reason : 0, SIM_REASON_RAISED_SLOT);
	sim_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new_process_is_raised),
		cmocka_unit_test(test_raised_budget),
		cmocka_unit_test(test_duration),
		cmocka_unit_test(test_ends_after_time),
		cmocka_unit_test(test_ends_after_service),
		cmocka_unit_test(test_starts_again),
		cmocka_unit_test(test_soft_real_time),
		cmocka_unit_test(test_burst),
		cmocka_unit_test(test_raised_preempts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
