// SPDX-License-Identifier: GPL-2.0-or-later
/* NVMe: depth and saturation, the write buffer, reads behind writes, zones. */
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

/* The measured device: 56 us alone, 790 thousand a second at most. */
static void test_nvme_saturates(void **state)
{
	struct sim_medium medium;
	double iops[12], mean_us;

	(void)state;
	media_fixture_medium("nvme-enterprise", &medium);
	run_iops(&medium, 1, 0, 8, 20000);
	mean_us = (double)histogram_mean(&result.latency_ns[SIM_DIR_READ]) / US;
	assert_true(mean_us > 54 && mean_us < 58);
	for (unsigned i = 0; i < 12; i++)
		iops[i] = run_iops(&medium, 1u << i, 0, 8, 60000);
	/* More at once is never less, and half the way is linear. */
	for (unsigned i = 1; i < 12; i++)
		assert_true(iops[i] > iops[i - 1] * 0.98);
	assert_true(iops[3] > 7.2 * iops[0]);
	assert_true(iops[5] < 0.92 * 32 * iops[0]);
	assert_true(iops[8] > 700e3 && iops[8] <= 791e3);
	assert_true(iops[10] > 770e3 && iops[10] <= 791e3);
}

static void test_nvme_bandwidth(void **state)
{
	struct sim_medium medium;
	double mbps;

	(void)state;
	media_fixture_medium("nvme-enterprise", &medium);
	/* 64 KiB: 2.0 GiB/s. */
	mbps = run_iops(&medium, 64, 0, 128, 20000) * 65536 / 1e6;
	assert_true(mbps > 2090 && mbps < 2150);
	/* Writes drain at their own rate, once the buffer is full; random ones at less. */
	media_fixture_set(&medium, "amplification", 1);
	mbps = run_iops(&medium, 64, 1, 128, 30000) * 65536 / 1e6;
	assert_true(mbps > 1370 && mbps < 1450);
	media_fixture_set(&medium, "amplification", 3);
	mbps = run_iops(&medium, 64, 1, 128, 30000) * 65536 / 1e6;
	assert_true(mbps > 400 && mbps < 520);
	assert_true(result.stats.programmed_sectors > result.stats.written_sectors * 28 / 10);
}

static void test_nvme_servers_and_bound(void **state)
{
	struct sim_medium medium;
	double soft, hard;

	(void)state;
	media_fixture_medium("nvme-enterprise", &medium);
	media_fixture_set(&medium, "max_kiops", 5000);
	media_fixture_set(&medium, "bound", 0);
	media_fixture_set(&medium, "servers", 10);
	media_fixture_set(&medium, "write_mbps", 500);
	/* 10 servers of 52 us, however much waits. */
	hard = run_iops(&medium, 64, 0, 8, 60000);
	assert_true(hard > 188e3 && hard < 194e3);
	hard = run_iops(&medium, 10, 0, 8, 60000);
	media_fixture_set(&medium, "bound", 1);
	soft = run_iops(&medium, 10, 0, 8, 60000);
	assert_true(soft < 0.75 * hard);
}

/* What the buffer holds is taken at once; then writes wait for the flash. */
static void test_nvme_write_buffer(void **state)
{
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("nvme-enterprise", &medium);
	media_fixture_set(&medium, "buffer_mib", 64);
	run_iops(&medium, 1, 1, 2048, 60);
	assert_true(result.latency_ns[SIM_DIR_WRITE].max < 700 * US);
	run_iops(&medium, 16, 1, 2048, 400);
	assert_true(result.latency_ns[SIM_DIR_WRITE].max > 5 * MS);
}

/* A small read behind many large writes waits for them all; behind few it does not. */
static void test_reads_behind_large_writes(void **state)
{
	static const unsigned depths[] = { 0, 8, 512 };
	uint64_t p99_us[3];
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("nvme-enterprise", &medium);
	for (unsigned i = 0; i < 3; i++) {
		static struct sim_request writes[512], read;
		static struct histogram latency;
		struct event_queue events;
		struct sim_random random;
		struct sim_media media;
		uint64_t now = 0, issued = 0;

		event_queue_init(&events);
		sim_random_init(&random, 3, 0);
		memset(&latency, 0, sizeof(latency));
		assert_int_equal(sim_media_init(&media, &medium, 1, &events, NULL), 0);
		for (unsigned j = 0; j <= depths[i]; j++) {
			struct sim_request *rq = j ? &writes[j - 1] : &read;

			*rq = (struct sim_request){
				.op = j ? SIM_WRITE : SIM_READ, .sectors = j ? 128 : 8,
				.sector = sim_random_below(&random, 1000000) * 128,
			};
			assert_int_equal(media.ops->submit(&media, rq, 0), 0);
		}
		while (latency.count < 400) {
			struct sim_event event;
			struct sim_request *rq;

			event_queue_pop(&events, &event);
			now = event.time_ns;
			rq = event.object;
			assert_int_equal(sim_media_completed(&media, now), 0);
			if (rq == &read) {
				histogram_add(&latency, now - issued);
				issued = now;
			}
			rq->sector = sim_random_below(&random, 1000000) * 128;
			assert_int_equal(media.ops->submit(&media, rq, now), 0);
		}
		p99_us[i] = histogram_percentile(&latency, 990) / US;
		sim_media_done(&media);
		event_queue_done(&events);
	}
	assert_true(p99_us[0] < 100);
	assert_true(p99_us[1] > 500 && p99_us[1] < 10000);
	assert_true(p99_us[2] > 30000);
}

/* When the last request of queue 1 is done, of 40 reads in queue 0 and it. */
static uint64_t done_behind(const struct sim_medium *medium, unsigned queue)
{
	struct sim_request requests[41];
	struct event_queue events;
	struct sim_event event = { 0 };
	struct sim_media media;

	event_queue_init(&events);
	assert_int_equal(sim_media_init(&media, medium, 1, &events, NULL), 0);
	for (unsigned i = 0; i < 41; i++) {
		requests[i] = (struct sim_request){
			.op = SIM_READ, .sectors = 8, .sector = 5000 * i,
			.hctx = (uint16_t)(i == 40 ? queue : 0),
		};
		assert_int_equal(media.ops->submit(&media, &requests[i], 0), 0);
	}
	while (event.object != &requests[40]) {
		event_queue_pop(&events, &event);
		assert_int_equal(sim_media_completed(&media, event.time_ns), 0);
	}
	sim_media_done(&media);
	event_queue_done(&events);
	return event.time_ns;
}

/* The controller has so many commands at once, and asks its submission queues in turn. */
static void test_nvme_queues_in_turn(void **state)
{
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("nvme-enterprise", &medium);
	media_fixture_set(&medium, "read_us", 1000);
	media_fixture_set(&medium, "read_sigma", 0);
	media_fixture_set(&medium, "tail_ratio", 0);
	media_fixture_set(&medium, "bound", 0);
	media_fixture_set(&medium, "fetched", 4);
	medium.hw_queues = 2;
	/* Four at a time: behind the others it is in the eleventh turn, beside them in the second. */
	assert_in_range(done_behind(&medium, 0), 11 * MS, 11 * MS + MS / 2);
	assert_in_range(done_behind(&medium, 1), 2 * MS, 2 * MS + MS / 2);
	media_fixture_set(&medium, "fetched", 256);
	assert_in_range(done_behind(&medium, 0), MS, MS + MS / 2);
}

static void test_nvme_zones(void **state)
{
	const struct media_load sequential = { .depth = 1, .sectors = 64, .writes = 1,
					       .is_sequential = true, .to = 0.01,
					       .count = 40000, .seed = 5 };
	struct sim_medium medium;

	(void)state;
	media_fixture_medium("zns", &medium);
	media_fixture_run(&medium, &sequential, &result);
	assert_true(result.stats.zone_errors == 0);
	run_iops(&medium, 8, 1, 64, 50000);
	assert_true(result.stats.zone_errors > 30000);
	medium.is_host_managed = false;
	run_iops(&medium, 8, 1, 64, 50000);
	assert_true(result.stats.zone_errors == 0);
	assert_true(result.stats.zone_detours > 30000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nvme_saturates),
		cmocka_unit_test(test_nvme_bandwidth),
		cmocka_unit_test(test_nvme_servers_and_bound),
		cmocka_unit_test(test_nvme_write_buffer),
		cmocka_unit_test(test_reads_behind_large_writes),
		cmocka_unit_test(test_nvme_queues_in_turn),
		cmocka_unit_test(test_nvme_zones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
