// SPDX-License-Identifier: GPL-2.0-or-later
/* Virtual disks: their latency, limits and pauses. */
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

static void test_virtual_disk_and_its_limits(void **state)
{
	struct sim_medium medium;
	double iops, mean_us;

	(void)state;
	media_fixture_medium("virtio", &medium);
	media_fixture_set(&medium, "pause_ms", 0);
	run_iops(&medium, 1, 0, 8, 20000);
	mean_us = (double)histogram_mean(&result.latency_ns[SIM_DIR_READ]) / 1e3;
	/* 110 us at the host, 35 us there and back. */
	assert_true(mean_us > 143 && mean_us < 150);
	iops = run_iops(&medium, 64, 0, 8, 60000);
	assert_true(iops > 135e3 && iops < 147e3);
	media_fixture_set(&medium, "max_iops", 5000);
	iops = run_iops(&medium, 64, 0, 8, 30000);
	/* A burst of a tenth of a second more than its rate. */
	assert_true(iops > 5000 && iops < 5200);
	media_fixture_set(&medium, "burst_s", 3);
	iops = run_iops(&medium, 64, 0, 8, 30000);
	assert_true(iops > 9000);
	media_fixture_set(&medium, "max_iops", 0);
	media_fixture_set(&medium, "burst_s", 0.1);
	media_fixture_set(&medium, "max_mbps", 100);
	iops = run_iops(&medium, 8, 0.5, 256, 5000);
	assert_true(iops * 131072 > 100e6 && iops * 131072 < 105e6);
}

static void test_the_host_pauses(void **state)
{
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("virtio", &medium);
	media_fixture_set(&medium, "pause_ms", 0);
	run_iops(&medium, 4, 0, 8, 50000);
	assert_true(result.latency_ns[SIM_DIR_READ].max < 1000000);
	assert_true(result.stats.stalls == 0);
	media_fixture_set(&medium, "pause_ms", 8);
	media_fixture_set(&medium, "pause_every_s", 0.1);
	run_iops(&medium, 4, 0, 8, 50000);
	assert_true(result.latency_ns[SIM_DIR_READ].max > 7000000);
	assert_true(result.stats.stalls > 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_virtual_disk_and_its_limits),
		cmocka_unit_test(test_the_host_pauses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
