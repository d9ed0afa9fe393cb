// SPDX-License-Identifier: GPL-2.0-or-later
/* bfq as a whole: shares by weight, priority classes, depths, bounded memory. */
#include "bfq-fixture.h"

static const struct sim_setting not_raised[] = { { "low_latency", "0" } };

static struct bfq_job reader(uint32_t pid, unsigned level)
{
	return (struct bfq_job){ .pid = pid, .op = SIM_READ, .class = SIM_CLASS_BE,
				 .level = level, .depth = 4, .sectors = 128,
				 .at = (uint64_t)pid * 100000 * MB_SECTORS, .step = 128 };
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
			.jobs = jobs, .job_count = 3, .service_ns = MS,
		};
		uint64_t total;

		bfq_device_run(&device, 60000 * MS);
		total = jobs[0].done_sectors + jobs[1].done_sectors + jobs[2].done_sectors;
		/* 80 : 40 : 20 */
		assert_in_range(jobs[0].done_sectors * 1000 / total, 541, 601);
		assert_in_range(jobs[1].done_sectors * 1000 / total, 265, 306);
		assert_in_range(jobs[2].done_sectors * 1000 / total, 122, 163);
		sim_queue_free(device.queue);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shares_follow_weights),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
