// SPDX-License-Identifier: GPL-2.0-or-later
/* The spinning disk as a whole: what it does in a second, and in which order. */
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

static double run_mbps(const struct sim_medium *medium, double writes, double from, double to)
{
	const struct media_load load = { .depth = 1, .sectors = 2048, .writes = writes,
					 .is_sequential = true, .from = from, .to = to,
					 .count = 3000, .seed = 5 };

	media_fixture_run(medium, &load, &result);
	return media_fixture_mbps(&result, 2048);
}

/* One at a time: a seek, half a turn. 7200 rpm drives are sold with 75 to 85. */
static void test_random_reads_one_at_a_time(void **state)
{
	struct sim_medium medium;
	double iops;

	(void)state;
	media_fixture_medium("hdd-7200", &medium);
	iops = run_iops(&medium, 1, 0, 2000);
	assert_true(iops > 70 && iops < 90);
	media_fixture_medium("hdd-5400-laptop", &medium);
	iops = run_iops(&medium, 1, 0, 2000);
	assert_true(iops > 50 && iops < 70);
	media_fixture_medium("hdd-15k", &medium);
	iops = run_iops(&medium, 1, 0, 2000);
	assert_true(iops > 180 && iops < 220);
}

/* The queue of the drive: about twice as many; and none of it with a queue of one. */
static void test_the_drives_queue(void **state)
{
	struct sim_medium medium;
	double alone, queued, in_order;

	(void)state;
	media_fixture_medium("hdd-7200", &medium);
	alone = run_iops(&medium, 1, 0, 3000);
	queued = run_iops(&medium, 32, 0, 3000);
	assert_true(queued > 1.8 * alone && queued < 2.5 * alone);
	media_fixture_set(&medium, "queue", 1);
	in_order = run_iops(&medium, 32, 0, 3000);
	assert_true(in_order > 0.95 * alone && in_order < 1.1 * alone);
}

/* Who waits long is served out of turn. */
static void test_nobody_waits_for_ever(void **state)
{
	struct sim_medium medium;
	double nearest;

	(void)state;
	media_fixture_medium("hdd-7200", &medium);
	run_iops(&medium, 32, 0, 5000);
	assert_true(result.latency_ns[SIM_DIR_READ].max < 1600 * UINT64_C(1000000));
	media_fixture_set(&medium, "aging_ms", 0);
	media_fixture_set(&medium, "max_wait_ms", 300);
	run_iops(&medium, 32, 0, 5000);
	/* One after the other all are overdue at worst. */
	assert_true(result.latency_ns[SIM_DIR_READ].max < 800 * UINT64_C(1000000));
	media_fixture_set(&medium, "max_wait_ms", 1e6);
	run_iops(&medium, 32, 0, 5000);
	assert_true(result.latency_ns[SIM_DIR_READ].max > 1200 * UINT64_C(1000000));
	/* Aging alone bounds what is random, and costs next to nothing. */
	nearest = media_fixture_iops(&result);
	media_fixture_set(&medium, "aging_ms", 6);
	run_iops(&medium, 32, 0, 5000);
	assert_true(result.latency_ns[SIM_DIR_READ].max < 1000 * UINT64_C(1000000));
	assert_true(media_fixture_iops(&result) > 0.97 * nearest);
}

/* While the arm is far away four pieces of a stream come: in which order are they read? */
static void read_stream(const struct sim_medium *medium, uint64_t sector, uint64_t *ret_done)
{
	struct sim_request requests[5] = { 0 };
	struct event_queue events;
	struct sim_event event;
	struct sim_media media;
	unsigned done = 0;

	event_queue_init(&events);
	assert_int_equal(sim_media_init(&media, medium, 1, &events, NULL), 0);
	for (unsigned i = 0; i < 5; i++) {
		requests[i] = (struct sim_request){ .op = SIM_READ, .sectors = 1024 };
		requests[i].sector = i ? sector + (4 - i) * 1024 : medium->capacity_sectors / 2;
		assert_int_equal(media.ops->submit(&media, &requests[i], 0), 0);
	}
	while (events.count) {
		event_queue_pop(&events, &event);
		if (event.kind == SIM_EVENT_COMPLETE)
			ret_done[done++] = ((struct sim_request *)event.object)->sector;
		else
			assert_int_equal(media.ops->event(&media, event.object, event.time_ns), 0);
	}
	assert_int_equal(done, 5);
	sim_media_done(&media);
	event_queue_done(&events);
}

/* Wherever the platter stands, a stream is read from its beginning. */
static void test_a_stream_has_a_beginning(void **state)
{
	struct sim_medium medium;
	uint64_t done[5];

	(void)state;
	media_fixture_medium("hdd-7200", &medium);
	for (uint64_t sector = 0; sector < 64 * 1000; sector += 1000) {
		read_stream(&medium, sector, done);
		for (unsigned i = 0; i < 4; i++)
			assert_true(done[i + 1] == sector + i * 1024);
	}
}

/*
 * A stream of which one piece is asked for at a time, beside a request far away: the arm goes
 * there when the first piece is done, though the next comes as soon as that is answered. With
 * two pieces at a time it stays.
 */
static void test_an_answer_comes_after_the_next_choice(void **state)
{
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("hdd-7200", &medium);
	for (unsigned depth = 1; depth <= 2; depth++) {
		struct sim_request requests[8] = { 0 };
		struct event_queue events;
		struct sim_event event;
		struct sim_media media;
		unsigned done = 0, next = 0, far_was = 0;

		event_queue_init(&events);
		assert_int_equal(sim_media_init(&media, &medium, 1, &events, NULL), 0);
		for (unsigned i = 0; i < 8; i++)
			requests[i] = (struct sim_request){ .op = SIM_READ, .sectors = 1024,
							    .sector = i * 1024 };
		requests[7].sector = medium.capacity_sectors / 2;
		while (next < depth)
			assert_int_equal(media.ops->submit(&media, &requests[next++], 0), 0);
		assert_int_equal(media.ops->submit(&media, &requests[7], 0), 0);
		while (events.count) {
			event_queue_pop(&events, &event);
			if (event.kind != SIM_EVENT_COMPLETE) {
				assert_int_equal(media.ops->event(&media, event.object,
								  event.time_ns), 0);
				continue;
			}
			done++;
			if (event.object == &requests[7])
				far_was = done;
			else if (next < 7)
				assert_int_equal(media.ops->submit(&media, &requests[next++],
								   event.time_ns), 0);
		}
		assert_int_equal(done, 8);
		assert_int_equal(far_was, depth == 1 ? 2 : 8);
		sim_media_done(&media);
		event_queue_done(&events);
	}
}

static void test_sequential_rates(void **state)
{
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("hdd-7200", &medium);
	assert_true(run_mbps(&medium, 0, 0, 0.02) > 205 && run_mbps(&medium, 0, 0, 0.02) < 211);
	assert_true(run_mbps(&medium, 0, 0.98, 1) > 97 && run_mbps(&medium, 0, 0.98, 1) < 101);
	/* Through the cache as fast; without it every write misses its turn. */
	assert_true(run_mbps(&medium, 1, 0, 0.02) > 195);
	media_fixture_set(&medium, "write_cache_mib", 0);
	assert_true(run_mbps(&medium, 1, 0, 0.02) < 150);
}

/* What has been read ahead is there; without reading ahead each read waits for a turn. */
static void test_reading_ahead(void **state)
{
	const struct media_load load = { .depth = 1, .sectors = 8, .is_sequential = true,
					 .to = 0.01, .count = 4000, .seed = 5 };
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("hdd-7200", &medium);
	media_fixture_run(&medium, &load, &result);
	assert_true(media_fixture_iops(&result) > 5000);
	assert_true(result.stats.cache_hits > 3900);
	media_fixture_set(&medium, "readahead_kib", 0);
	media_fixture_run(&medium, &load, &result);
	assert_true(media_fixture_iops(&result) < 130);
	assert_true(result.stats.cache_hits == 0);
}

/* A region that fits into the cache's segments is read once. */
static void test_the_cache_has_what_was_read(void **state)
{
	const struct media_load load = { .depth = 1, .sectors = 8, .to = 0.0000001,
					 .count = 3000, .seed = 5 };
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("hdd-7200", &medium);
	media_fixture_run(&medium, &load, &result);
	assert_true(result.stats.cache_hits > 2900);
	media_fixture_set(&medium, "cache_mib", 0);
	media_fixture_run(&medium, &load, &result);
	assert_true(result.stats.cache_hits == 0);
}

/* What the cache has needs no arm: it passes what waits for one. */
static void test_hits_pass_the_arm(void **state)
{
	struct sim_request first = { .op = SIM_READ, .sector = 1000000, .sectors = 8 };
	struct sim_request far = { .op = SIM_READ, .sector = 5000000000, .sectors = 8 };
	struct sim_request again = { .op = SIM_READ, .sector = 1000000, .sectors = 8 };
	struct event_queue events;
	struct sim_medium medium;
	struct sim_media media;
	struct sim_event event;
	struct diag diag = { 0 };

	(void)state;
	media_fixture_medium("hdd-7200", &medium);
	event_queue_init(&events);
	assert_int_equal(sim_media_init(&media, &medium, 1, &events, &diag), 0);
	assert_int_equal(media.ops->submit(&media, &first, 0), 0);
	event_queue_pop(&events, &event);
	assert_ptr_equal(event.object, &first);
	assert_int_equal(media.ops->submit(&media, &far, event.time_ns), 0);
	assert_int_equal(media.ops->submit(&media, &again, event.time_ns), 0);
	do {
		event_queue_pop(&events, &event);
	} while (event.kind == SIM_EVENT_MEDIA);
	assert_ptr_equal(event.object, &again);
	sim_media_done(&media);
	event_queue_done(&events);
}

static void test_write_cache(void **state)
{
	const struct media_load load = { .depth = 1, .sectors = 8, .writes = 1, .count = 500,
					 .seed = 5 };
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("hdd-7200", &medium);
	media_fixture_run(&medium, &load, &result);
	/* None waits for the platter. */
	assert_true(result.latency_ns[SIM_DIR_WRITE].max < 1000000);
	/* All of it is written in the end, after the drive was left alone. */
	assert_true(result.stats.programmed_sectors > 480 * 8);
	media_fixture_set(&medium, "write_cache_mib", 0);
	media_fixture_run(&medium, &load, &result);
	assert_true(histogram_mean(&result.latency_ns[SIM_DIR_WRITE]) > 10000000);
	assert_true(result.stats.programmed_sectors == 500 * 8);
}

/* A write to a drive that was left alone, and a flush so long after it: what that takes. */
static uint64_t flush_after_ns(uint64_t begin_ns, uint64_t gap_ns, uint64_t *ret_done_ns)
{
	struct sim_request write = { .op = SIM_WRITE, .sector = 1000000, .sectors = 8 };
	struct sim_request flush = { .op = SIM_FLUSH };
	uint64_t flush_at_ns = begin_ns + gap_ns, flush_ns = 0;
	struct event_queue events;
	struct sim_medium medium;
	struct sim_media media;
	struct diag diag = { 0 };
	bool is_flushed = false;

	media_fixture_medium("hdd-7200", &medium);
	event_queue_init(&events);
	assert_int_equal(sim_media_init(&media, &medium, 1, &events, &diag), 0);
	assert_int_equal(media.ops->submit(&media, &write, begin_ns), 0);
	while (events.count || !is_flushed) {
		struct sim_event event;

		if (!is_flushed && event_queue_next_ns(&events) >= flush_at_ns) {
			assert_int_equal(media.ops->submit(&media, &flush, flush_at_ns), 0);
			is_flushed = true;
			continue;
		}
		event_queue_pop(&events, &event);
		if (event.kind == SIM_EVENT_MEDIA)
			assert_int_equal(media.ops->event(&media, NULL, event.time_ns), 0);
		else if (event.object == &flush)
			flush_ns = event.time_ns;
	}
	assert_true(media.stats.programmed_sectors == 8);
	sim_media_done(&media);
	event_queue_done(&events);
	*ret_done_ns = flush_ns - begin_ns;
	return flush_ns - flush_at_ns;
}

/* However long it was left alone before the write: that it has just got it counts. */
static void test_flush_after_idleness(void **state)
{
	uint64_t done_ns, later_ns;

	(void)state;
	/* Before it writes its cache by itself, after 10 ms. */
	assert_true(flush_after_ns(50000000, 200000, &done_ns) > 500000);
	assert_true(done_ns < 10000000 + 200000 + 20000000);
	/* While it does: until that is done, for whoever asks at whatever moment. */
	assert_true(flush_after_ns(50000000, 10100000, &done_ns) > 500000);
	assert_true(flush_after_ns(50000000, 10400000, &later_ns) > 200000);
	assert_true(done_ns == later_ns);
	/* Afterwards there is nothing to do. */
	assert_true(flush_after_ns(50000000, 40000000, &done_ns) < 500000);
}

/* A flush is done when what was accepted before is on disk. */
static void test_flush(void **state)
{
	struct sim_request write = { .op = SIM_WRITE, .sector = 1000000, .sectors = 8 };
	struct sim_request flush = { .op = SIM_FLUSH }, again = { .op = SIM_FLUSH };
	struct sim_request after = { .op = SIM_WRITE, .sector = 3000000000, .sectors = 8 };
	uint64_t write_ns = 0, flush_ns = 0, after_ns = 0;
	struct event_queue events;
	struct sim_medium medium;
	struct sim_media media;
	struct diag diag = { 0 };

	(void)state;
	media_fixture_medium("hdd-7200", &medium);
	event_queue_init(&events);
	assert_int_equal(sim_media_init(&media, &medium, 1, &events, &diag), 0);
	assert_int_equal(media.ops->submit(&media, &write, 0), 0);
	assert_int_equal(media.ops->submit(&media, &flush, 1000), 0);
	assert_int_equal(media.ops->submit(&media, &after, 2000), 0);
	while (events.count) {
		struct sim_event event;

		event_queue_pop(&events, &event);
		if (event.kind == SIM_EVENT_MEDIA)
			assert_int_equal(media.ops->event(&media, NULL, event.time_ns), 0);
		else if (event.object == &write)
			write_ns = event.time_ns;
		else if (event.object == &flush)
			flush_ns = event.time_ns;
		else
			after_ns = event.time_ns;
	}
	assert_true(write_ns > 0 && write_ns < 1000000);
	assert_true(flush_ns > 1000000);
	assert_true(media.stats.programmed_sectors == 16);
	/* Not accepted before the flush was done. */
	assert_true(after_ns >= flush_ns);
	/* With nothing to write it takes no time to speak of. */
	assert_int_equal(media.ops->submit(&media, &again, after_ns + 1000000000), 0);
	assert_true(event_queue_next_ns(&events) < after_ns + 1001000000);
	sim_media_done(&media);
	event_queue_done(&events);
}

/* Less of the stroke, shorter seeks. */
static void test_short_stroke(void **state)
{
	struct sim_medium medium;
	double full, part;

	(void)state;
	media_fixture_medium("hdd-7200", &medium);
	full = run_iops(&medium, 1, 0, 1500);
	media_fixture_set(&medium, "stroke", 0.05);
	part = run_iops(&medium, 1, 0, 1500);
	assert_true(part > 1.3 * full && part < 2.2 * full);
}

static void test_write_settle_and_head_travel(void **state)
{
	struct sim_medium medium;
	double reads, writes;

	(void)state;
	media_fixture_medium("hdd-cheetah-9lp", &medium);
	reads = 1e9 / run_iops(&medium, 1, 0, 3000);
	/* A third of the disk from one random place to the next. */
	assert_true(result.stats.travel_sectors / 3000 > medium.capacity_sectors * 3 / 10);
	assert_true(result.stats.travel_sectors / 3000 < medium.capacity_sectors * 4 / 10);
	assert_true(result.stats.seeks > 2900 && result.stats.seeks <= 3000);
	writes = 1e9 / run_iops(&medium, 1, 1, 3000);
	/* 0.461 ms: a part of it is lost in the wait for the platter anyway. */
	assert_true(writes - reads > 0.2e6 && writes - reads < 0.8e6);
}

static void test_host_managed_zones(void **state)
{
	const struct media_load sequential = { .depth = 4, .sectors = 2048, .writes = 1,
					       .is_sequential = true, .from = 0.5, .to = 0.51,
					       .count = 2000, .seed = 5 };
	const struct media_load random = { .depth = 4, .sectors = 2048, .writes = 1,
					   .from = 0.5, .to = 0.50001, .count = 2000, .seed = 5 };
	const struct media_load front = { .depth = 4, .sectors = 2048, .writes = 1,
					  .to = 0.005, .count = 500, .seed = 5 };
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("smr-host-managed", &medium);
	media_fixture_run(&medium, &sequential, &result);
	assert_true(result.stats.zone_errors == 0);
	media_fixture_run(&medium, &random, &result);
	assert_true(result.stats.zone_errors > 1900);
	/* Zones that are written anywhere. */
	media_fixture_run(&medium, &front, &result);
	assert_true(result.stats.zone_errors == 0);
}

/* Random writes are fast until the media cache is full: then a zone is cleaned for each. */
static void test_host_aware_cliff(void **state)
{
	const struct media_load load = { .depth = 4, .sectors = 2048, .writes = 1, .from = 0.3,
					 .to = 0.31, .count = 3000, .seed = 5 };
	struct sim_medium medium;
	double fast, slow;

	(void)state;
	media_fixture_medium("smr-host-aware", &medium);
	media_fixture_run(&medium, &load, &result);
	fast = media_fixture_mbps(&result, 2048);
	assert_true(result.stats.zone_detours > 2000);
	assert_true(result.stats.zone_errors == 0);
	media_fixture_set(&medium, "media_cache_gib", 0.5);
	media_fixture_run(&medium, &load, &result);
	slow = media_fixture_mbps(&result, 2048);
	assert_true(slow < fast / 10);
	assert_true(result.stats.stalls > 500);
	assert_true(result.latency_ns[SIM_DIR_WRITE].max > UINT64_C(1000000000));
}

/* A large zone on a slow disk is cleaned in large pieces: no endless events. */
static void test_cleaning_is_bounded(void **state)
{
	const struct media_load load = { .depth = 4, .sectors = 131072, .writes = 1,
					 .from = 0.4, .to = 0.401, .count = 150, .seed = 5 };
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("smr-host-aware", &medium);
	medium.zone_sectors = 1u << 21;
	media_fixture_set(&medium, "media_cache_gib", 2);
	media_fixture_set(&medium, "outer_mbps", 5);
	media_fixture_set(&medium, "inner_mbps", 5);
	media_fixture_set(&medium, "clean_slice_ms", 0.1);
	media_fixture_run(&medium, &load, &result);
	assert_true(result.stats.stalls > 3);
	assert_true(result.events < 100000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_reads_one_at_a_time),
		cmocka_unit_test(test_the_drives_queue),
		cmocka_unit_test(test_nobody_waits_for_ever),
		cmocka_unit_test(test_a_stream_has_a_beginning),
		cmocka_unit_test(test_an_answer_comes_after_the_next_choice),
		cmocka_unit_test(test_sequential_rates),
		cmocka_unit_test(test_reading_ahead),
		cmocka_unit_test(test_the_cache_has_what_was_read),
		cmocka_unit_test(test_hits_pass_the_arm),
		cmocka_unit_test(test_write_cache),
		cmocka_unit_test(test_flush), cmocka_unit_test(test_flush_after_idleness),
		cmocka_unit_test(test_short_stroke),
		cmocka_unit_test(test_write_settle_and_head_travel),
		cmocka_unit_test(test_host_managed_zones),
		cmocka_unit_test(test_host_aware_cliff),
		cmocka_unit_test(test_cleaning_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
