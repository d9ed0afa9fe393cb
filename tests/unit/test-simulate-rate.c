// SPDX-License-Identifier: GPL-2.0-or-later
/* Jobs at a rate, and flushes in a simulation. */
#include "jobs-fixture.h"

/* At a rate: an I/O is late when the one before takes its place. */
static void test_rate(void **state)
{
	(void)state;
	add_job("a", 1, 100)->rate_iops = 100;
	run();
	assert_true(result.directions[SIM_DIR_READ].ios == 100);
	assert_true(result.directions[SIM_DIR_READ].latency_ns.max == MS);
	specs[0].rate_iops = 1250; /* every 0.8 ms: the last has waited for 0.2 s */
	run();
	assert_true(result.directions[SIM_DIR_READ].ios == 1000);
	assert_true(result.directions[SIM_DIR_READ].latency_ns.max > 195 * MS);
	specs[0].iodepth = 2;
	run();
	assert_true(result.directions[SIM_DIR_READ].ios == 1250);
	assert_true(result.directions[SIM_DIR_READ].latency_ns.max == MS);
}

/* A flush goes alone: the writes before it are done, those behind it wait. */
static void test_flush(void **state)
{
	struct order order = { 0 };
	struct job_spec *spec = add_job("a", 4, 0);

	(void)state;
	spec->fsync_every = 3;
	spec->total_ios = 6;
	spec->runtime_ns = 0;
	options.on_dispatch = keep_order;
	options.context = &order;
	run();
	assert_string_equal(order.text, "WWWFWWWF");
	assert_true(result.end_ns == 4 * MS);
	/* It is no I/O of either kind. */
	assert_true(result.directions[SIM_DIR_WRITE].ios == 6);
	assert_true(result.directions[SIM_DIR_READ].ios == 0);
	/* Who asked for it waits all the same: for each as long as the device needs. */
	assert_true(result.flushes.ios == 2 && result.groups[0].flushes.ios == 2);
	assert_true(result.flushes.sectors == 0);
	assert_true(result.flushes.latency_ns.max == MS);
}

/* A flush takes no turn of the rate, and follows the write that it is for. */
static void test_flush_at_rate(void **state)
{
	struct job_spec *spec = add_job("log", 1, 0);

	(void)state;
	spec->rate_iops = 50;
	spec->fsync_every = 1;
	run();
	assert_true(result.directions[SIM_DIR_WRITE].ios == 50);
	assert_true(result.flushes.ios == 50);
	/* It waits from the write's end, not from the time at which that was due. */
	assert_true(result.flushes.latency_ns.max == MS);
	assert_true(result.end_ns == 1000 * MS);
	spec->fsync_every = 4;
	run();
	assert_true(result.directions[SIM_DIR_WRITE].ios == 50);
	assert_true(result.flushes.ios == 12);
	spec->is_poisson = true;
	run();
	assert_true(result.directions[SIM_DIR_WRITE].ios > 30);
	assert_true(result.directions[SIM_DIR_WRITE].ios < 70);
}

/* Written and flushed in 2 ms: what has to come each 1.6 ms is late by what adds up. */
static void test_flush_beyond_rate(void **state)
{
	struct job_spec *spec = add_job("log", 1, 0);

	(void)state;
	spec->rate_iops = 625;
	spec->fsync_every = 1;
	run();
	assert_true(result.directions[SIM_DIR_WRITE].ios == 500);
	assert_true(result.directions[SIM_DIR_WRITE].latency_ns.max > 195 * MS);
	assert_true(result.flushes.latency_ns.max == MS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_rate), TEST(test_flush), TEST(test_flush_at_rate),
		TEST(test_flush_beyond_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
