// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory cards: the ranges that are published, erase groups, tidying up. */
#include "sim/media/media.h"

#include "media-fixture.h"

static struct media_result result;

static double run_iops(const struct sim_medium *medium, unsigned depth, double writes,
		       uint32_t sectors, uint64_t count)
{
	const struct media_load load = { .depth = depth, .sectors = sectors, .writes = writes,
					 .count = count, .seed = 5 };

	media_fixture_run(medium, &load, &result);
	return media_fixture_iops(&result);
}

static double run_mbps(const struct sim_medium *medium, double writes)
{
	const struct media_load load = { .depth = 4, .sectors = 1024, .writes = writes,
					 .is_sequential = true, .count = 2000, .seed = 5 };

	media_fixture_run(medium, &load, &result);
	return media_fixture_mbps(&result, 1024);
}

/* eMMC 5.1: 6 to 10 thousand reads, 2 to 4 thousand writes a second, 0.2 to 2 ms. */
static void test_emmc_is_in_the_published_ranges(void **state)
{
	struct sim_medium medium;
	double iops, mean_us;

	(void)state;
	media_fixture_medium("emmc", &medium);
	assert_int_equal(medium.hw_depth, 32);
	iops = run_iops(&medium, 32, 0, 8, 20000);
	assert_true(iops >= 6000 && iops <= 10000);
	iops = run_iops(&medium, 32, 1, 8, 20000);
	assert_true(iops >= 2000 && iops <= 4000);
	run_iops(&medium, 1, 0, 8, 5000);
	mean_us = (double)histogram_mean(&result.latency_ns[SIM_DIR_READ]) / 1e3;
	assert_true(mean_us >= 200 && mean_us <= 2000);
	run_iops(&medium, 1, 1, 8, 5000);
	mean_us = (double)histogram_mean(&result.latency_ns[SIM_DIR_WRITE]) / 1e3;
	assert_true(mean_us >= 200 && mean_us <= 2000);
}

static void test_sequential_rates_of_cards(void **state)
{
	static const struct {
		const char *name;
		double read, write;
	} rows[] = { { "emmc", 280, 120 }, { "sdcard", 90, 30 }, { "ufs", 2000, 800 },
		     { "usb-stick", 140, 28 } };
	struct sim_medium medium;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		double mbps;

		media_fixture_medium(rows[i].name, &medium);
		mbps = run_mbps(&medium, 0);
		assert_true(mbps > rows[i].read * 0.75 && mbps <= rows[i].read * 1.01);
		mbps = run_mbps(&medium, 1);
		assert_true(mbps > rows[i].write * 0.6 && mbps <= rows[i].write * 1.01);
	}
}

/* A simple card copies an erase group for every write that is elsewhere. */
static void test_erase_groups(void **state)
{
	const struct media_load within = { .depth = 1, .sectors = 8, .writes = 1, .to = 0.0002,
					   .count = 500, .seed = 5 };
	struct sim_medium medium;
	double scattered, mapped, few;

	(void)state;
	media_fixture_medium("sdcard", &medium);
	media_fixture_set(&medium, "busy_ratio", 0);
	scattered = run_iops(&medium, 1, 1, 8, 500);
	assert_true(scattered < 60);
	assert_true(result.stats.programmed_sectors > 500 * result.stats.written_sectors);
	media_fixture_run(&medium, &within, &result);
	few = media_fixture_iops(&result);
	assert_true(few < 60);
	/* With a map of pages only another group costs anything. */
	media_fixture_set(&medium, "is_mapped", 1);
	media_fixture_run(&medium, &within, &result);
	mapped = media_fixture_iops(&result);
	assert_true(mapped > 5 * scattered);
	assert_true(run_iops(&medium, 1, 1, 8, 500) < mapped / 5);
}

static void test_tidying_up_and_flushes(void **state)
{
	struct sim_medium medium;
	struct sim_request write = { .op = SIM_WRITE, .dir = SIM_DIR_WRITE, .sectors = 8 };
	struct sim_request flush = { .op = SIM_FLUSH };
	struct event_queue events;
	struct sim_media media;
	struct sim_event first, second;

	(void)state;
	media_fixture_medium("emmc", &medium);
	media_fixture_set(&medium, "busy_ratio", 0);
	run_iops(&medium, 4, 1, 8, 3000);
	assert_true(result.latency_ns[SIM_DIR_WRITE].max < 10000000);
	media_fixture_set(&medium, "busy_ratio", 0.01);
	run_iops(&medium, 4, 1, 8, 3000);
	assert_true(result.latency_ns[SIM_DIR_WRITE].max > 15000000);
	media_fixture_set(&medium, "busy_ratio", 0);
	event_queue_init(&events);
	assert_int_equal(sim_media_init(&media, &medium, 1, &events, NULL), 0);
	assert_int_equal(media.ops->submit(&media, &write, 0), 0);
	assert_int_equal(media.ops->submit(&media, &flush, 0), 0);
	event_queue_pop(&events, &first);
	event_queue_pop(&events, &second);
	/* The cache has it at once; the flush waits for the flash. */
	assert_ptr_equal(first.object, &write);
	assert_true(first.time_ns < 100000);
	assert_true(second.time_ns > 800000);
	sim_media_done(&media);
	event_queue_done(&events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_emmc_is_in_the_published_ranges),
		cmocka_unit_test(test_sequential_rates_of_cards),
		cmocka_unit_test(test_erase_groups),
		cmocka_unit_test(test_tidying_up_and_flushes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
