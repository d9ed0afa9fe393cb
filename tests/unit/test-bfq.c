// SPDX-License-Identifier: GPL-2.0-or-later
/* bfq as a whole: shares by weight, priority classes, depths, who waits how long. */
#include "bfq-fixture.h"

static const struct sim_setting not_raised[] = { { "low_latency", "0" } };

static struct bfq_job reader(uint32_t pid, unsigned level)
{
	return (struct bfq_job){ .pid = pid,
				 .op = SIM_READ,
				 .class = SIM_CLASS_BE,
				 .level = level,
				 .depth = 4,
				 .sectors = 128,
				 .at = (uint64_t)pid * 100000 * MB_SECTORS,
				 .step = 128 };
}

/* Sequential readers get throughput in proportion to 8 - level, on disks and on flash. */
static void test_shares_follow_weights(void **state)
{
	static const struct {
		unsigned major, minor;
		bool is_flash;
	} rows[] = { { 5, 10, false }, { 6, 1, true }, { 6, 12, false }, { 7, 2, true } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bfq_job jobs[] = { reader(1, 0), reader(2, 4), reader(3, 6) };
		struct bfq_device device = {
			.queue = bfq_fixture(rows[i].major, rows[i].minor, 1,
					     rows[i].is_flash, not_raised, 1),
			.jobs = jobs,
			.job_count = 3,
			.service_ns = MS,
		};
		uint64_t total;

		bfq_device_run(&device, 60000 * MS);
		total = jobs[0].done_sectors + jobs[1].done_sectors +
			jobs[2].done_sectors;
		/* 80 : 40 : 20 */
		assert_in_range(jobs[0].done_sectors * 1000 / total, 541, 601);
		assert_in_range(jobs[1].done_sectors * 1000 / total, 265, 306);
		assert_in_range(jobs[2].done_sectors * 1000 / total, 122, 163);
		sim_queue_free(device.queue);
	}
}

/* The same when each has but one request at a time: idling keeps their place. */
static void test_shares_one_at_a_time(void **state)
{
	struct bfq_job jobs[] = { reader(1, 0), reader(2, 4) };
	struct bfq_device device = {
		.queue = bfq_fixture(6, 12, 1, false, not_raised, 1),
		.jobs = jobs,
		.job_count = 2,
		.service_ns = MS,
	};

	(void)state;
	jobs[0].depth = 1;
	jobs[1].depth = 1;
	jobs[0].think_ns = MS / 10;
	jobs[1].think_ns = MS / 10;
	bfq_device_run(&device, 60000 * MS);
	assert_in_range(jobs[0].done_sectors * 100 / jobs[1].done_sectors, 180, 220);
	sim_queue_free(device.queue);
}

/* RT before BE before IDLE; IDLE gets a turn now and then. */
static void test_classes(void **state)
{
	struct bfq_job jobs[] = { reader(1, 4), reader(2, 4), reader(3, 4) };
	struct bfq_device device = {
		.queue = bfq_fixture(6, 12, 1, false, not_raised, 1),
		.jobs = jobs,
		.job_count = 3,
		.service_ns = MS,
	};

	(void)state;
	jobs[0].class = SIM_CLASS_RT;
	jobs[2].class = SIM_CLASS_IDLE;
	bfq_device_run(&device, 20000 * MS);
	assert_int_equal(jobs[1].done, 0);
	assert_true(jobs[0].done > 15000);
	/* One request each 200 ms. */
	assert_in_range(jobs[2].done, 50, 110);
	/* RT ends: BE has the device. */
	jobs[0].depth = 0;
	bfq_device_run(&device, 20000 * MS);
	assert_true(jobs[1].done > 15000);
	sim_queue_free(device.queue);
}

/* Something small now and then, beside two bulk readers, is served soon. */
static void test_interactive_is_served_soon(void **state)
{
	static const struct {
		const char *low_latency;
		uint64_t least_ns, most_ns; /* on average */
	} rows[] = { { "1", MS, 5 * MS }, { "0", 30 * MS, 200 * MS } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct sim_setting setting = { "low_latency", rows[i].low_latency };
		struct bfq_job jobs[] = { reader(1, 4), reader(2, 4), reader(3, 4) };
		struct bfq_device device = {
			.queue = bfq_fixture(6, 12, 1, false, &setting, 1),
			.jobs = jobs,
			.job_count = 2,
			.service_ns = MS,
		};

		/* Their own raising is over after 12 s. */
		bfq_device_run(&device, 20000 * MS);
		jobs[2].depth = 1;
		jobs[2].think_ns = 2500 * MS;
		device.job_count = 3;
		bfq_device_run(&device, 60000 * MS);
		assert_in_range(jobs[2].done, 20, 25);
		assert_in_range(jobs[2].waited_ns / jobs[2].done, rows[i].least_ns,
				rows[i].most_ns);
		sim_queue_free(device.queue);
	}
}

/* Tags for writes (facts): 50 % async, 75 % sync; 18 and 37 % while a queue is raised. */
static void test_depths(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, NULL, 0);

	(void)state;
	assert_int_equal(fixture_limit(queue, SIM_READ, 0), 256);
	assert_int_equal(fixture_limit(queue, SIM_WRITE, 0), 128);
	assert_int_equal(fixture_limit(queue, SIM_WRITE, SIM_REQUEST_SYNC), 192);
	bfq_submit(queue, 1, 'R', 1000, 8);
	assert_int_equal(bfq_of(queue)->busy_raised, 1);
	assert_int_equal(fixture_limit(queue, SIM_READ, 0), 256);
	assert_int_equal(fixture_limit(queue, SIM_WRITE, 0), 46);
	assert_int_equal(fixture_limit(queue, SIM_WRITE, SIM_REQUEST_SYNC), 94);
	queue->nr_requests = 2;
	assert_int_equal(fixture_limit(queue, SIM_WRITE, 0), 1);
	sim_queue_free(queue);
}

static unsigned limit_of(struct sim_queue *queue, uint32_t pid, enum sim_op op)
{
	const struct sim_bio bio = { .op = op, .flags = SIM_REQUEST_SYNC, .pid = pid };

	return queue->ops->limit_depth(queue, &bio);
}

/* Since 5.17 a process has its part of the tags, and one of each word beyond it. */
static void test_part_of_a_process(void **state)
{
	static const struct {
		unsigned major, minor, beyond;
	} rows[] = { { 5, 16, 256 }, { 5, 17, 4 }, { 6, 17, 4 }, { 6, 18, 1 } };
	const struct sim_setting plain = { "low_latency", "0" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue =
			bfq_fixture(rows[i].major, rows[i].minor, 512, true, &plain, 1);

		queue->now_ns += 1000 * MS;
		bfq_submit(queue, 1, 'R', 0, 8);
		/* Far from the first in time: they are not taken for one. */
		queue->now_ns += 2000 * MS;
		bfq_submit(queue, 2, 'R', 8000, 8);
		for (unsigned n = 1; n < 127; n++)
			bfq_submit(queue, 1, 'R', 100000 * (uint64_t)n, 8);
		assert_int_equal(limit_of(queue, 1, SIM_READ), 256);
		bfq_submit(queue, 1, 'R', 100000000, 8);
		assert_int_equal(limit_of(queue, 1, SIM_READ), rows[i].minor == 16 ? 256 : rows[i].beyond);
		/* The other has hardly begun, and who has no queue yet has no part. */
		assert_int_equal(limit_of(queue, 2, SIM_READ), 256);
		assert_int_equal(limit_of(queue, 3, SIM_READ), 256);
		/* Of the 192 that writes may have, half is 96. */
		assert_int_equal(limit_of(queue, 1, SIM_WRITE), rows[i].minor == 16 ? 192 : rows[i].beyond);
		assert_int_equal(limit_of(queue, 2, SIM_WRITE), 192);
		sim_queue_free(queue);
	}
}

/* Writes of all processes share a queue for each level; a changed level moves on. */
static void test_async_queues(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, NULL, 0);
	struct bfq_data *bfq = bfq_of(queue);
	struct sim_request *first = bfq_submit(queue, 1, 'W', 1000, 8);
	struct sim_request *second = bfq_submit(queue, 2, 'W', 2000, 8);
	struct sim_request *other = fixture_request(queue, 'W', 3000);

	(void)state;
	assert_ptr_equal(bfq_queue_of(bfq, first), bfq_queue_of(bfq, second));
	other->pid = 1;
	other->level = 2;
	assert_int_equal(sim_queue_insert(queue, other), 0);
	assert_ptr_not_equal(bfq_queue_of(bfq, other), bfq_queue_of(bfq, first));
	assert_int_equal(bfq_queue_of(bfq, other)->weight, 60);
	sim_queue_free(queue);
}

/* Inserted at the head: before everything, whoever is in service. */
static void test_at_head(void **state)
{
	struct sim_queue *queue = bfq_fixture(6, 12, 1, false, NULL, 0);
	struct sim_request *rq = fixture_request(queue, 'R', 500);

	(void)state;
	bfq_submit(queue, 1, 'R', 1000, 8);
	rq->flags = SIM_REQUEST_AT_HEAD;
	rq->pid = 2;
	assert_int_equal(sim_queue_insert(queue, rq), 0);
	assert_ptr_equal(bfq_take(queue), rq);
	assert_int_equal(rq->reason, SIM_REASON_AT_HEAD);
	bfq_done(queue, rq);
	fixture_expect_order(queue, "R1000");
	sim_queue_free(queue);
}

/* Up to 5.17 a busy queue is work, even if nothing waits. */
static void test_work(void **state)
{
	static const struct {
		unsigned major, minor;
		bool has_work;
	} rows[] = { { 5, 10, true }, { 6, 12, false } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue =
			bfq_fixture(rows[i].major, rows[i].minor, 1, false, NULL, 0);

		assert_false(queue->ops->has_work(&queue->hctxs[0]));
		bfq_submit(queue, 1, 'R', 1000, 8);
		assert_true(queue->ops->has_work(&queue->hctxs[0]));
		bfq_take(queue);
		assert_int_equal(queue->ops->has_work(&queue->hctxs[0]),
				 rows[i].has_work);
		sim_queue_free(queue);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares_follow_weights),
		cmocka_unit_test(test_shares_one_at_a_time),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_interactive_is_served_soon),
		cmocka_unit_test(test_depths),
		cmocka_unit_test(test_part_of_a_process),
		cmocka_unit_test(test_async_queues),
		cmocka_unit_test(test_at_head),
		cmocka_unit_test(test_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
