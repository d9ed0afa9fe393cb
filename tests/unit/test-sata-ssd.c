// SPDX-License-Identifier: GPL-2.0-or-later
/* SATA and SAS: the controller, the link, depth. */
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

static void test_sata_depths(void **state)
{
	struct sim_medium medium;
	double iops;

	(void)state;
	media_fixture_medium("sata-ssd", &medium);
	iops = run_iops(&medium, 1, 0, 8, 20000);
	assert_true(iops > 8000 && iops < 11000);
	iops = run_iops(&medium, 32, 0, 8, 60000);
	assert_true(iops > 95e3 && iops < 106e3);
	/* The controller, not the flash, is the ceiling. */
	media_fixture_set(&medium, "command_us", 5);
	iops = run_iops(&medium, 32, 0, 8, 60000);
	assert_true(iops > 125e3 && iops < 140e3);
	media_fixture_medium("sas-ssd", &medium);
	iops = run_iops(&medium, 128, 0, 8, 60000);
	assert_true(iops > 215e3 && iops < 230e3);
}

static void test_sata_link(void **state)
{
	struct sim_medium medium;
	double mixed, duplex, mbps;

	(void)state;
	media_fixture_medium("sata-ssd", &medium);
	mbps = run_iops(&medium, 8, 0, 2048, 3000) * 1048576 / 1e6;
	assert_true(mbps > 535 && mbps < 552);
	/* Both directions share it, unless it is duplex. */
	mixed = run_iops(&medium, 8, 0.5, 2048, 3000) * 1048576 / 1e6;
	assert_true(mixed < 560);
	media_fixture_set(&medium, "is_duplex", 1);
	duplex = run_iops(&medium, 8, 0.5, 2048, 3000) * 1048576 / 1e6;
	assert_true(duplex > mixed * 1.3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sata_depths),
		cmocka_unit_test(test_sata_link),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
