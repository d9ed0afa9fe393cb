/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A load on a medium without a block layer: so many requests at once, each that is done
   followed by another. */
#ifndef IOSCHED_TESTS_MEDIA_FIXTURE_H
#define IOSCHED_TESTS_MEDIA_FIXTURE_H

#include "sim/histogram.h"
#include "sim/media/media.h"
#include "sim/random.h"
#include "test.h"

#define MEDIA_DEPTH_MAX 2048

struct media_load {
	unsigned depth;
	uint32_t sectors;
	double writes;          /* share of them */
	bool is_sequential;
	double from, to;        /* part of the device, 0 to 1 */
	uint64_t count;         /* requests in all */
	uint64_t seed;
	uint64_t media_seed;    /* 0: the same */
	uint64_t think_ns;      /* between an answer and the next request */
};

struct media_result {
	uint64_t ios[SIM_DIRS], end_ns;
	struct histogram latency_ns[SIM_DIRS];
	struct sim_media_stats stats;
	uint64_t digest;        /* of every completion's time and sector */
	uint64_t events;
};

struct media_run {
	struct sim_media media;
	struct event_queue events;
	struct sim_random random;
	const struct media_load *load;
	struct media_result *result;
	uint64_t first, span, next, submitted;
	bool is_out[MEDIA_DEPTH_MAX];
	struct sim_request requests[MEDIA_DEPTH_MAX];
};

static inline void media_fixture_medium(const char *name, struct sim_medium *ret)
{
	assert_int_equal(sim_medium_find(name, ret), 0);
}

static inline void media_fixture_set(struct sim_medium *medium, const char *key, double value)
{
	int index = sim_media_parameter(medium->ops, key);

	assert_true(index >= 0);
	medium->values[index] = value;
}

static inline void media_fixture_submit(struct media_run *run, struct sim_request *rq,
					uint64_t now_ns)
{
	const struct media_load *load = run->load;
	uint64_t slots = run->span / load->sectors;
	bool is_write = sim_random_unit(&run->random) < load->writes;
	uint64_t slot = load->is_sequential ? run->next++ % slots
					    : sim_random_below(&run->random, slots);

	*rq = (struct sim_request){
		.op = is_write ? SIM_WRITE : SIM_READ,
		.dir = is_write ? SIM_DIR_WRITE : SIM_DIR_READ,
		.sector = run->first + slot * load->sectors,
		.sectors = load->sectors,
		.issue_ns = now_ns + load->think_ns,
	};
	assert_false(run->is_out[rq - run->requests]);
	run->is_out[rq - run->requests] = true;
	run->submitted++;
	assert_int_equal(run->media.ops->submit(&run->media, rq, rq->issue_ns), 0);
}

static inline void media_fixture_complete(struct media_run *run, struct sim_request *rq,
					  uint64_t now_ns)
{
	struct media_result *result = run->result;

	assert_int_equal(sim_media_completed(&run->media, now_ns), 0);
	/* Once, and not before it was issued. */
	assert_true(run->is_out[rq - run->requests]);
	assert_true(now_ns >= rq->issue_ns);
	run->is_out[rq - run->requests] = false;
	result->ios[rq->dir]++;
	result->end_ns = now_ns;
	result->digest = (result->digest ^ (now_ns * 31 + rq->sector)) *
			 UINT64_C(0x100000001b3);
	histogram_add(&result->latency_ns[rq->dir], now_ns - rq->issue_ns);
	if (run->submitted < run->load->count)
		media_fixture_submit(run, rq, now_ns);
}

static inline void media_fixture_run(const struct sim_medium *medium,
				     const struct media_load *load, struct media_result *result)
{
	static struct media_run run;
	struct diag diag = { 0 };
	double to = load->to > 0 ? load->to : 1;
	uint64_t last_ns = 0;

	memset(&run, 0, sizeof(run));
	memset(result, 0, sizeof(*result));
	run.load = load;
	run.result = result;
	run.first = (uint64_t)((double)medium->capacity_sectors * load->from) / load->sectors *
		    load->sectors;
	run.span = (uint64_t)((double)medium->capacity_sectors * (to - load->from));
	event_queue_init(&run.events);
	sim_random_init(&run.random, load->seed, 1);
	if (sim_media_init(&run.media, medium,
			   load->media_seed ? load->media_seed : load->seed, &run.events, &diag))
		fail_msg("%s: %s", medium->name, diag.text);
	for (unsigned i = 0; i < load->depth && run.submitted < load->count; i++)
		media_fixture_submit(&run, &run.requests[i], 0);
	while (run.events.count) {
		struct sim_event event;

		event_queue_pop(&run.events, &event);
		assert_true(event.time_ns >= last_ns);
		last_ns = event.time_ns;
		result->events++;
		if (event.kind == SIM_EVENT_COMPLETE)
			media_fixture_complete(&run, event.object, event.time_ns);
		else
			assert_int_equal(run.media.ops->event(&run.media, event.object,
							      event.time_ns),
					 0);
	}
	assert_true(result->ios[0] + result->ios[1] == load->count);
	result->stats = run.media.stats;
	sim_media_done(&run.media);
	event_queue_done(&run.events);
}

static inline double media_fixture_iops(const struct media_result *result)
{
	return (double)(result->ios[0] + result->ios[1]) * 1e9 / (double)result->end_ns;
}

static inline double media_fixture_mbps(const struct media_result *result, uint32_t sectors)
{
	return media_fixture_iops(result) * sectors * 512 / 1e6;
}

#endif
