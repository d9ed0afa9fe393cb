// SPDX-License-Identifier: GPL-2.0-or-later
/* Jobs in a simulation: depth, pauses, stages, tags, and what is counted. */
#include "jobs-fixture.h"

#include <errno.h>
#include <math.h>

/* Depth requests at a time, a millisecond each, for a second. */
static void test_closed_loop(void **state)
{
	(void)state;
	add_job("a", 4, 100);
	run();
	assert_true(result.directions[SIM_DIR_READ].ios == 4000);
	assert_true(result.directions[SIM_DIR_READ].latency_ns.max == MS);
	assert_true(result.end_ns == 1000 * MS);
	assert_int_equal(result.group_count, 1);
	assert_string_equal(result.groups[0].name, "a");
	assert_true(result.groups[0].directions[SIM_DIR_READ].ios == 4000);
}

/* Two of depth 1 and one of depth 2: (1+1+2)^2 / (3 * (1+1+4)). */
static void test_fairness(void **state)
{
	(void)state;
	add_job("small", 1, 100)->numjobs = 2;
	add_job("big", 2, 100);
	run();
	assert_int_equal(result.jobs, 3);
	assert_int_equal(result.groups[0].jobs, 2);
	assert_true(fabs(result.fairness - 16.0 / 18.0) < 0.01);
}

static void test_think(void **state)
{
	(void)state;
	add_job("a", 1, 100)->think_ns = 4 * MS;
	run();
	assert_true(result.directions[SIM_DIR_READ].ios == 200);
}

/* A pause at the end counts like those before: rates are over all of the time. */
static void test_pause_at_end(void **state)
{
	(void)state;
	add_job("a", 1, 100)->think_ns = 700 * MS;
	add_job("b", 1, 100)->think_ns = 20000 * MS;
	specs[1].runtime_ns = 300 * MS;
	run();
	assert_true(result.groups[0].directions[SIM_DIR_READ].ios == 2);
	assert_true(result.groups[0].end_ns == 1000 * MS);
	assert_true(result.groups[1].directions[SIM_DIR_READ].ios == 1);
	assert_true(result.groups[1].end_ns == 300 * MS);
	assert_true(result.end_ns == 1000 * MS);
	/* 2 a second and 1 in 0.3 s. */
	assert_true(fabs(result.fairness - (2 + 1 / 0.3) * (2 + 1 / 0.3) /
						   (2 * (4 + 1 / 0.09))) < 0.001);
	/* Who is done is not pausing. */
	specs[0].total_ios = 1;
	run();
	assert_true(result.groups[0].end_ns == MS);
}

/* The jobs of the second stage begin when the last of the first is done. */
static void test_stages(void **state)
{
	struct order order = { 0 };

	(void)state;
	add_job("first", 1, 0)->total_ios = 5;
	add_job("also", 1, 0)->total_ios = 3;
	add_job("second", 1, 100)->total_ios = 2;
	specs[2].stage = 1;
	options.on_dispatch = keep_order;
	options.context = &order;
	run();
	assert_string_equal(order.text, "WWWWWWWWRR");
	assert_true(result.end_ns == 7 * MS);
	assert_true(result.groups[2].begin_ns == 5 * MS);
}

/* A job whose I/O waits for a tag submits nothing more meanwhile. */
static void test_blocked(void **state)
{
	(void)state;
	add_job("deep", 32, 100);
	add_job("other", 1, 100);
	options.queue.nr_requests = 4;
	options.queue.hw_depth = 2;
	run();
	assert_true(result.directions[SIM_DIR_READ].ios >= 2000 &&
		    result.directions[SIM_DIR_READ].ios <= 2010);
	/* One of at most five that are ahead, two at a time. */
	assert_true(result.groups[1].directions[SIM_DIR_READ].latency_ns.max <= 4 * MS);
	assert_true(result.groups[1].directions[SIM_DIR_READ].ios > 200);
}

/*
 * Schedulers let writes have a part of the tags. Reads may take all, and lie in that part as
 * in the rest: there is always one for a write, in its turn.
 */
static void test_part_of_the_tags(void **state)
{
	static const char *const schedulers[] = { "mq-deadline", "kyber", "bfq" };
	static const unsigned depths[] = { 60, 128 };

	(void)state;
	add_job("reader", 1, 100);
	add_job("writer", 1, 0)->fsync_every = 1;
	options.queue.nr_requests = 64;
	options.queue.hw_depth = 8;
	for (size_t i = 0; i < ARRAY_SIZE(schedulers); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(depths); k++) {
			options.queue.scheduler = schedulers[i];
			specs[0].iodepth = depths[k];
			run();
			assert_true(result.groups[1].directions[SIM_DIR_WRITE].ios > 25);
			assert_true(result.groups[0].directions[SIM_DIR_READ].ios > 5000);
		}
	}
}

/*
 * Four tenants under bfq, of which two are beyond their part of the tags and sleep for one of
 * the few that are left to them. They hold up nobody who may have more: as many I/Os as on a
 * Linux 6.18 with a device that needs 2 ms for each (gold 2519 to 2566, silver 2081 to 2208,
 * bronze 48, batch 1 a second; with 256 tags).
 */
static void test_beyond_their_part(void **state)
{
	struct job_spec *gold, *silver, *bronze, *batch;
	uint64_t ios[4];

	(void)state;
	gold = add_job("gold", 4, 90);
	gold->numjobs = 2;
	gold->level = 0;
	silver = add_job("silver", 16, 70);
	job_spec_set_size(silver, SIM_READ, 32);
	job_spec_set_size(silver, SIM_WRITE, 32);
	bronze = add_job("bronze", 16, 100);
	bronze->pattern = JOB_SEQUENTIAL;
	bronze->level = 7;
	job_spec_set_size(bronze, SIM_READ, 256);
	batch = add_job("batch", 32, 0);
	batch->pattern = JOB_SEQUENTIAL;
	batch->class = SIM_CLASS_IDLE;
	job_spec_set_size(batch, SIM_WRITE, 512);
	options.queue.kernel = (struct kernel_version){ 6, 18, 0 };
	options.queue.scheduler = "bfq";
	options.queue.is_nonrotational = true;
	options.queue.hw_depth = 128;
	options.service_ns = 2 * MS;
	options.runtime_ns = 5000 * MS;
	run();
	for (unsigned i = 0; i < 4; i++)
		ios[i] = (result.groups[i].directions[SIM_DIR_READ].ios +
			  result.groups[i].directions[SIM_DIR_WRITE].ios) / 5;
	assert_in_range(ios[0], 2000, 3200);
	assert_in_range(ios[1], 1500, 2600);
	assert_in_range(ios[2], 20, 100);
	assert_in_range(ios[3], 1, 40);
}

/*
 * Who sleeps for a tag fetches nothing, and then one answer for each I/O that it submits: its
 * answers have waited for all that is ahead of them, whatever the tags are.
 */
static void test_asleep(void **state)
{
	const struct sim_machine machine = { .processors = 1, .slowness = 1 };

	(void)state;
	add_job("deep", 32, 100);
	options.queue.hw_depth = 2;
	options.machine = &machine;
	for (unsigned tags = 4; tags <= 16; tags *= 2) {
		const struct histogram *latency_ns;

		options.queue.nr_requests = tags;
		run();
		latency_ns = &result.directions[SIM_DIR_READ].latency_ns;
		assert_in_range(result.directions[SIM_DIR_READ].ios, 1990, 2040);
		/* 32, of which two are done in a millisecond. */
		assert_in_range(histogram_mean(latency_ns), 15 * MS, 17 * MS);
	}
	options.queue.nr_requests = 4;
	/* The kernel's own writeback is not a process that fetches. */
	specs[0].read_percent = 0;
	specs[0].is_sync = false;
	run();
	assert_in_range(histogram_mean(&result.directions[SIM_DIR_WRITE].latency_ns), 2 * MS,
			3 * MS);
	specs[0].read_percent = 100;
	/* One that pauses when all is back gets all of it. */
	specs[0].think_ns = MS;
	specs[0].think_every = 32;
	run();
	assert_in_range(result.directions[SIM_DIR_READ].ios, 1800, 1950);
}

static void test_warmup(void **state)
{
	(void)state;
	add_job("a", 1, 100);
	options.warmup_ns = 400 * MS;
	run();
	assert_true(result.directions[SIM_DIR_READ].ios == 601);
	assert_true(result.begin_ns == 400 * MS);
}

static void test_devices(void **state)
{
	(void)state;
	add_job("a", 1, 100);
	add_job("b", 1, 100)->device = 1;
	options.devices = 2;
	options.queue.hw_depth = 1;
	run();
	assert_true(result.directions[SIM_DIR_READ].ios == 2000);
	specs[1].device = 0;
	run();
	assert_true(result.directions[SIM_DIR_READ].ios >= 1000 &&
		    result.directions[SIM_DIR_READ].ios <= 1002);
	specs[0].spreads_devices = specs[1].spreads_devices = true;
	specs[0].iodepth = specs[1].iodepth = 2;
	run();
	assert_true(result.directions[SIM_DIR_READ].ios >= 1990);
}

static void test_bad_device(void **state)
{
	struct diag diag = { 0 };

	(void)state;
	add_job("a", 1, 100)->device = 1;
	assert_int_equal(simulate_jobs(&workload, &options, &result, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "device 2 of 1"));
}

static bool stop_at_half(void *context, uint64_t now_ns)
{
	*(uint64_t *)context = now_ns;
	return now_ns > 500 * MS;
}

static void test_stop(void **state)
{
	uint64_t stopped_ns = 0;

	(void)state;
	add_job("a", 64, 100);
	add_job("b", 64, 100);
	options.should_stop = stop_at_half;
	options.context = &stopped_ns;
	options.service_ns = MS / 10;
	run();
	assert_true(result.is_partial);
	assert_true(stopped_ns > 500 * MS && stopped_ns < 1000 * MS);
	assert_true(result.end_ns <= stopped_ns);
}

static void test_ios_max(void **state)
{
	(void)state;
	add_job("a", 4, 100);
	options.ios_max = 10;
	run();
	assert_true(result.directions[SIM_DIR_READ].ios == 10);
}

static bool stop_at_once(void *context, uint64_t now_ns)
{
	(void)context;
	(void)now_ns;
	return true;
}

/* It can be ended in the middle of a moment at which very much happens. */
static void test_ended_within_a_moment(void **state)
{
	(void)state;
	add_job("a", 8000, 100);
	options.queue.scheduler = "none";
	options.queue.hw_depth = 8192;
	options.runtime_ns = 3 * MS;
	options.should_stop = stop_at_once;
	run();
	assert_true(result.is_partial);
	assert_true(result.directions[SIM_DIR_READ].ios < 8000);
}

/* One processor is the limit; a scheduler that costs more gives less. */
static void test_processors(void **state)
{
	const struct sim_machine machine = { .processors = 1, .slowness = 1 };
	uint64_t none;

	(void)state;
	add_job("a", 64, 100);
	options.service_ns = 50000;
	options.machine = &machine;
	options.runtime_ns = 100 * MS;
	options.queue.scheduler = "none";
	run();
	none = result.directions[SIM_DIR_READ].ios;
	/* 2.8 us each. */
	assert_in_range(none, 35000, 35800);
	options.queue.scheduler = "mq-deadline";
	run();
	/* 3.4 us each. */
	assert_in_range(result.directions[SIM_DIR_READ].ios, 28900, 29500);
	assert_true(result.lock_wait_ns == 0);
	assert_true(result.busy_ns > 99 * MS);
}

/* Four processors at one lock are slower than it alone; without a lock they are four. */
static void test_contention(void **state)
{
	const struct sim_machine machine = { .processors = 4, .slowness = 1 };

	(void)state;
	add_job("a", 64, 100)->numjobs = 4;
	options.queue.hw_queues = 4;
	options.queue.cpus = 4;
	options.service_ns = 50000;
	options.machine = &machine;
	options.runtime_ns = 100 * MS;
	run();
	/* Below one request each 1.25 us: the line from another processor, then both holds. */
	assert_in_range(result.directions[SIM_DIR_READ].ios, 45000, 80000);
	assert_true(result.lock_wait_ns > 0);
	options.queue.scheduler = "none";
	run();
	assert_in_range(result.directions[SIM_DIR_READ].ios, 130000, 143500);
}

/*
 * Beside four that never sleep on one processor a reader that mostly does is not kept waiting,
 * as long as it wants less than a fifth; one of four more that sleep as little waits its turn.
 */
static void test_sleepers_go_first(void **state)
{
	const struct sim_machine machine = { .processors = 1, .slowness = 1 };
	uint64_t reader_ns;

	(void)state;
	add_job("busy", 64, 100)->numjobs = 4;
	add_job("reader", 1, 100);
	options.service_ns = 50000;
	options.machine = &machine;
	options.queue.scheduler = "none";
	options.queue.hw_depth = 1023;
	options.warmup_ns = 200 * MS;
	options.runtime_ns = 600 * MS;
	run();
	reader_ns = histogram_percentile(&result.groups[1].directions[SIM_DIR_READ].latency_ns, 990);
	assert_in_range(reader_ns, 50000, 70000);
	assert_true(histogram_percentile(&result.groups[0].directions[SIM_DIR_READ].latency_ns,
					 500) > 500000);
}

/* The fifth of five jobs begins where the first is, and goes where the others have been. */
static void test_places(void **state)
{
	const struct sim_machine machine = { .processors = 4, .slowness = 1 };
	uint64_t free_ios;

	(void)state;
	add_job("first", 3, 100);
	add_job("short", 1, 100)->numjobs = 3;
	specs[1].runtime_ns = MS;
	add_job("fifth", 3, 100);
	options.service_ns = 10000;
	options.machine = &machine;
	options.queue.scheduler = "none";
	options.queue.hw_queues = options.queue.cpus = 4;
	options.runtime_ns = 50 * MS;
	run();
	free_ios = result.directions[SIM_DIR_READ].ios;
	specs[0].cpu = specs[2].cpu = 0;
	run();
	/* Bound, they share one processor, which is all that holds them back. */
	assert_in_range(result.directions[SIM_DIR_READ].ios, 15000, 18100);
	assert_true(free_ios > result.directions[SIM_DIR_READ].ios * 5 / 4);
}

/*
 * What a job that does not block has waiting for tags, others have to wait behind: four for
 * each processor, though it has many more.
 */
static void test_workers(void **state)
{
	const struct sim_machine machine = { .processors = 1, .slowness = 1 };
	uint64_t mean_ns[2];

	(void)state;
	add_job("deep", 200, 100);
	add_job("reader", 1, 100);
	options.machine = &machine;
	options.queue.hw_depth = 4;
	options.queue.nr_requests = 8;
	options.runtime_ns = 4000 * MS;
	for (unsigned i = 0; i < 2; i++) {
		specs[0].never_blocks = i == 0;
		run();
		mean_ns[i] = histogram_mean(
			&result.groups[1].directions[SIM_DIR_READ].latency_ns);
		assert_true(result.directions[SIM_DIR_READ].ios > 15900);
	}
	/* Behind four that wait and eight that have tags, at four a millisecond; behind one. */
	assert_in_range(mean_ns[0], 2 * MS + MS / 2, 3 * MS + MS / 2);
	assert_in_range(mean_ns[1], MS, 2 * MS + MS / 2);
}

/*
 * Who does not block and has I/Os that wait for a worker: one that found a tag at once leaves
 * the worker to the next. None is forgotten when nothing waits for a tag any more.
 */
static void test_workers_attend_to_all(void **state)
{
	struct sim_medium fast, slow;
	const struct sim_machine machine = { .processors = 1, .slowness = 1 };

	(void)state;
	sim_medium_null(&fast, MS);
	sim_medium_null(&slow, 50 * MS);
	add_job("deep", 200, 100)->never_blocks = true;
	specs[0].spreads_devices = true;
	specs[0].is_time_based = false;
	specs[0].total_ios = 1000;
	options.machine = &machine;
	options.medium = &fast;
	options.last_medium = &slow;
	options.devices = 8;
	options.queue.hw_depth = 4;
	options.queue.nr_requests = 8;
	options.runtime_ns = 0;
	run();
	assert_true(result.directions[SIM_DIR_READ].ios == 1000);
}

/* Media with events of their own, a disk and a volume, as each of several devices. */
static void test_devices_have_their_events(void **state)
{
	static const char *const names[] = { "hdd-7200", "raid5-hdd" };

	(void)state;
	add_job("all", 4, 50)->is_time_based = false;
	specs[0].spreads_devices = true;
	specs[0].total_ios = 60;
	options.devices = 3;
	options.runtime_ns = 0;
	for (unsigned i = 0; i < ARRAY_SIZE(names); i++) {
		struct sim_medium medium;

		assert_int_equal(sim_medium_find(names[i], &medium), 0);
		options.medium = &medium;
		run();
		assert_true(result.directions[SIM_DIR_READ].ios +
				    result.directions[SIM_DIR_WRITE].ios == 60);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_closed_loop), TEST(test_fairness), TEST(test_think),
		TEST(test_pause_at_end),
		TEST(test_stages), TEST(test_blocked),
		TEST(test_part_of_the_tags), TEST(test_beyond_their_part),
		TEST(test_asleep), TEST(test_warmup), TEST(test_devices), TEST(test_bad_device),
		TEST(test_stop), TEST(test_ios_max), TEST(test_sleepers_go_first), TEST(test_places), TEST(test_workers),
		TEST(test_workers_attend_to_all), TEST(test_devices_have_their_events),
		TEST(test_ended_within_a_moment),
		TEST(test_processors),
		TEST(test_contention),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
