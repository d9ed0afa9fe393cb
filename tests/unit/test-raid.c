// SPDX-License-Identifier: GPL-2.0-or-later
/* A RAID volume as a whole: what small writes cost, what the cache saves. */
#include "sim/media/media.h"

#include "media-fixture.h"

static struct media_result result;

static double run_iops(const struct sim_medium *medium, unsigned depth, double writes,
		       uint64_t count)
{
	const struct media_load load = { .depth = depth, .sectors = 8, .writes = writes,
					 .count = count, .seed = 5 };

	media_fixture_run(medium, &load, &result);
	return media_fixture_iops(&result);
}

static void volume(const char *level, unsigned members, struct sim_medium *ret)
{
	static const char *const levels[] = { "raid0", "raid1", "raid5", "raid6", "raid10" };

	media_fixture_medium("raid5-hdd", ret);
	media_fixture_set(ret, "members", members);
	media_fixture_set(ret, "cache_mib", 0);
	for (unsigned i = 0; i < 5; i++) {
		if (strcmp(levels[i], level) == 0)
			media_fixture_set(ret, "level", i);
	}
}

/* Without a cache a small write of RAID 5 reads two and writes two, of RAID 6 three and
   three; a mirror writes two. */
static void test_small_write_penalty(void **state)
{
	struct sim_medium medium;
	double raid0, raid5, raid6, raid10;

	(void)state;
	volume("raid0", 8, &medium);
	raid0 = run_iops(&medium, 64, 1, 4000);
	assert_true(result.stats.programmed_sectors == result.stats.written_sectors);
	volume("raid5", 8, &medium);
	raid5 = run_iops(&medium, 64, 1, 4000);
	assert_true(result.stats.programmed_sectors == 2 * result.stats.written_sectors);
	volume("raid6", 8, &medium);
	raid6 = run_iops(&medium, 64, 1, 4000);
	assert_true(result.stats.programmed_sectors == 3 * result.stats.written_sectors);
	volume("raid10", 8, &medium);
	raid10 = run_iops(&medium, 64, 1, 4000);
	assert_true(result.stats.programmed_sectors == 2 * result.stats.written_sectors);
	assert_true(raid5 < raid0 / 2.2 && raid5 > raid0 / 4.5);
	assert_true(raid6 < raid5 * 0.85);
	assert_true(raid10 < raid0 * 0.7 && raid10 > raid5 * 1.3);
}

/* Reads use every spindle; a mirror reads from either half. */
static void test_reads_scale(void **state)
{
	struct sim_medium medium;
	double one, eight, mirror;

	(void)state;
	volume("raid0", 1, &medium);
	one = run_iops(&medium, 1, 0, 1500);
	assert_true(one > 70 && one < 90);
	volume("raid0", 8, &medium);
	eight = run_iops(&medium, 64, 0, 6000);
	assert_true(eight > 10 * one);
	volume("raid1", 2, &medium);
	one = run_iops(&medium, 1, 0, 1500);
	mirror = run_iops(&medium, 2, 0, 3000);
	/* Alone, a read has the choice of the nearer head. */
	assert_true(mirror > 1.4 * one);
}

/* A cache answers at once, until it is full. */
static void test_write_cache(void **state)
{
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("raid5-hdd", &medium);
	run_iops(&medium, 1, 1, 1000);
	assert_true(result.latency_ns[SIM_DIR_WRITE].max < 100000);
	media_fixture_set(&medium, "cache_mib", 1);
	run_iops(&medium, 32, 1, 3000);
	assert_true(result.latency_ns[SIM_DIR_WRITE].max > 10000000);
}

/* The cache makes whole rows of what is sequential: no reading, one parity for seven. */
static void test_whole_rows(void **state)
{
	const struct media_load load = { .depth = 8, .sectors = 512, .writes = 1,
					 .is_sequential = true, .to = 0.01, .count = 20000,
					 .seed = 5 };
	struct sim_medium medium;
	double cached, bare;

	(void)state;
	media_fixture_medium("raid5-hdd", &medium);
	media_fixture_set(&medium, "cache_mib", 256);
	media_fixture_run(&medium, &load, &result);
	cached = media_fixture_mbps(&result, 512);
	assert_true(result.stats.programmed_sectors < result.stats.written_sectors * 125 / 100);
	assert_true(cached > 700);
	media_fixture_set(&medium, "cache_mib", 0);
	media_fixture_run(&medium, &load, &result);
	bare = media_fixture_mbps(&result, 512);
	assert_true(bare < cached / 3);
}

static void test_reads_of_the_cache_and_flushes(void **state)
{
	struct sim_request write = { .op = SIM_WRITE, .dir = SIM_DIR_WRITE, .sector = 512000,
				     .sectors = 8 };
	struct sim_request read = { .op = SIM_READ, .sector = 512000, .sectors = 8 };
	struct sim_request flush = { .op = SIM_FLUSH }, discard = { .op = SIM_DISCARD };
	struct event_queue events;
	struct sim_medium medium;
	struct sim_media media;
	unsigned done = 0;

	(void)state;
	media_fixture_medium("raid5-hdd", &medium);
	media_fixture_set(&medium, "destages", 1);
	event_queue_init(&events);
	assert_int_equal(sim_media_init(&media, &medium, 1, &events, NULL), 0);
	/* The first write occupies the members, so that the second stays in the cache. */
	assert_int_equal(media.ops->submit(&media, &(struct sim_request){ .op = SIM_WRITE,
					   .dir = SIM_DIR_WRITE, .sector = 8, .sectors = 8 }, 0),
			 0);
	assert_int_equal(media.ops->submit(&media, &write, 0), 0);
	assert_int_equal(media.ops->submit(&media, &read, 100), 0);
	assert_int_equal(media.ops->submit(&media, &flush, 200), 0);
	assert_int_equal(media.ops->submit(&media, &discard, 300), 0);
	assert_true(media.stats.cache_hits == 1);
	while (events.count) {
		struct sim_event event;

		event_queue_pop(&events, &event);
		if (event.kind == SIM_EVENT_MEDIA) {
			assert_int_equal(media.ops->event(&media, NULL, event.time_ns), 0);
			continue;
		}
		done++;
		if (event.object == &flush || event.object == &read)
			assert_true(event.time_ns < 1000000);
	}
	assert_int_equal(done, 5);
	sim_media_done(&media);
	event_queue_done(&events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small_write_penalty),
		cmocka_unit_test(test_reads_scale),
		cmocka_unit_test(test_write_cache),
		cmocka_unit_test(test_whole_rows),
		cmocka_unit_test(test_reads_of_the_cache_and_flushes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
