// SPDX-License-Identifier: GPL-2.0-or-later
/* What flash drives share: garbage, caches, flushes, reading ahead. */
#include "sim/media/media.h"

#include "media-fixture.h"

#define US 1000
#define MS 1000000

static struct media_result result;

static double run_iops(const struct sim_medium *medium, unsigned depth, double writes,
		       uint32_t sectors, uint64_t count)
{
	const struct media_load load = { .depth = depth, .sectors = sectors, .writes = writes,
					 .count = count, .seed = 5 };

	media_fixture_run(medium, &load, &result);
	return media_fixture_iops(&result);
}

static uint64_t percentile_us(enum sim_dir dir, unsigned per_mille)
{
	return histogram_percentile(&result.latency_ns[dir], per_mille) / US;
}

/* A drive without capacitors empties its buffer before a flush is done. */
static void test_flushes(void **state)
{
	static const char *const names[] = { "nvme", "sata-ssd" };

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		static struct sim_request writes[64];
		struct sim_request flush = { .op = SIM_FLUSH };
		bool is_safe = i % 2;
		struct event_queue events;
		struct sim_medium medium;
		struct sim_media media;
		struct sim_event event;

		/* 8 MiB come over the link in 2 or 16 ms, and are written in more than 80. */
		media_fixture_medium(names[i / 2], &medium);
		media_fixture_set(&medium, "slc_gib", 0);
		media_fixture_set(&medium, i / 2 ? "program_us" : "write_mbps",
				  i / 2 ? 20000 : 100);
		media_fixture_set(&medium, "is_safe", is_safe);
		event_queue_init(&events);
		assert_int_equal(sim_media_init(&media, &medium, 1, &events, NULL), 0);
		for (unsigned j = 0; j < 64; j++) {
			writes[j] = (struct sim_request){ .op = SIM_WRITE, .dir = SIM_DIR_WRITE,
							  .sector = j * 100000, .sectors = 256 };
			assert_int_equal(media.ops->submit(&media, &writes[j], 0), 0);
		}
		assert_int_equal(media.ops->submit(&media, &flush, 0), 0);
		do {
			event_queue_pop(&events, &event);
		} while (event.object != &flush);
		assert_true(is_safe ? event.time_ns < 25 * MS : event.time_ns > 80 * MS);
		sim_media_done(&media);
		event_queue_done(&events);
	}
}

/* Garbage: fresh flash has none of it; later random writes are slow and reads have a tail,
   sequential writes are spared. */
static void test_garbage_makes_a_tail(void **state)
{
	const struct media_load sequential = { .depth = 16, .sectors = 256, .writes = 1,
					       .is_sequential = true, .count = 20000,
					       .seed = 5 };
	struct sim_medium medium;
	uint64_t fresh_us, steady_us;
	double fresh, steady;

	(void)state;
	media_fixture_medium("sata-ssd", &medium);
	media_fixture_set(&medium, "slc_gib", 0);
	media_fixture_set(&medium, "amplification", 6);
	run_iops(&medium, 16, 0.3, 8, 60000);
	fresh_us = percentile_us(SIM_DIR_READ, 999);
	fresh = run_iops(&medium, 32, 1, 8, 300000);
	assert_true(result.stats.programmed_sectors == result.stats.written_sectors);
	media_fixture_set(&medium, "fresh_gib", 0);
	run_iops(&medium, 16, 0.3, 8, 60000);
	steady_us = percentile_us(SIM_DIR_READ, 999);
	assert_true(result.stats.stalls > 100);
	steady = run_iops(&medium, 32, 1, 64, 100000) * 8;
	assert_true(result.stats.programmed_sectors > result.stats.written_sectors * 57 / 10);
	assert_true(steady_us > 4 * fresh_us);
	assert_true(steady_us > 3000);
	assert_true(fresh > 50e3 && steady < 120e3);
	media_fixture_run(&medium, &sequential, &result);
	assert_true(result.stats.programmed_sectors < result.stats.written_sectors * 102 / 100);
}

static void test_slc_cache_runs_out(void **state)
{
	const struct media_load load = { .depth = 8, .sectors = 2048, .writes = 1,
					 .is_sequential = true, .count = 3000, .seed = 5 };
	struct sim_medium medium;
	double cached, full;

	(void)state;
	media_fixture_medium("nvme", &medium);
	media_fixture_run(&medium, &load, &result);
	cached = media_fixture_mbps(&result, 2048);
	assert_true(cached > 2800 && cached < 3100);
	media_fixture_set(&medium, "slc_gib", 0.1);
	media_fixture_run(&medium, &load, &result);
	full = media_fixture_mbps(&result, 2048);
	assert_true(full > 1050 && full < 1700);
	media_fixture_set(&medium, "slc_gib", 0);
	media_fixture_run(&medium, &load, &result);
	assert_true(media_fixture_mbps(&result, 2048) < 1130);
}

static void test_sequential_reads_are_read_ahead(void **state)
{
	const struct media_load load = { .depth = 1, .sectors = 8, .is_sequential = true,
					 .count = 5000, .seed = 5 };
	static const char *const names[] = { "sata-ssd", "nvme" };
	struct sim_medium medium;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		double random, sequential;

		media_fixture_medium(names[i], &medium);
		random = run_iops(&medium, 1, 0, 8, 5000);
		assert_true(result.stats.cache_hits < 10);
		media_fixture_run(&medium, &load, &result);
		sequential = media_fixture_iops(&result);
		assert_true(result.stats.cache_hits == 4999);
		assert_true(sequential > 2 * random);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flushes),
		cmocka_unit_test(test_garbage_makes_a_tail),
		cmocka_unit_test(test_slc_cache_runs_out),
		cmocka_unit_test(test_sequential_reads_are_read_ahead),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
