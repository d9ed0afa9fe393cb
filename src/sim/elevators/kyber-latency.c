/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kyber's measurements. Each completion counts into two histograms of its domain, total
 * time and time on the device, in quarters of the target. A timer, armed by completions,
 * takes percentiles once there are enough samples; a congested device (p90 on the device
 * above target anywhere) lets p99 of the total resize the domains.
 */
#include "sim/elevators/kyber.h"

#include <string.h>

#define NS_PER_SECOND       UINT64_C(1000000000)
#define DISCARD_TARGET_NS   (5 * NS_PER_SECOND)
#define QUARTERS_SHIFT      2
#define GOOD_BUCKETS        (1 << QUARTERS_SHIFT)
#define ENOUGH_SAMPLES      500
#define CONGESTION_PERCENT  90
#define RESIZE_PERCENT      99
#define TIMERS_PER_SECOND   10

static const char *const latency_names[KYBER_LATENCIES] = {
	[KYBER_TOTAL] = "total",
	[KYBER_IO] = "I/O",
};

void kyber_latency_init(struct sim_queue *queue)
{
	struct kyber_data *kyber = queue->elevator_data;

	kyber->targets_ns[KYBER_READ] = (uint64_t)kyber->read_lat_ns;
	kyber->targets_ns[KYBER_WRITE] = (uint64_t)kyber->write_lat_ns;
	kyber->targets_ns[KYBER_DISCARD] = DISCARD_TARGET_NS;
	for (unsigned i = 0; i < KYBER_MEASURED; i++)
		kyber->last_p99[i] = -1;
}

static void count_sample(struct kyber_data *kyber, unsigned domain,
			 enum kyber_latency type, uint64_t from_ns, uint64_t now_ns)
{
	uint64_t quarter_ns = kyber->targets_ns[domain] >> QUARTERS_SHIFT;
	uint64_t bucket = 0;

	if (quarter_ns == 0)
		quarter_ns = 1;
	if (now_ns > from_ns)
		bucket = (now_ns - from_ns - 1) / quarter_ns;
	if (bucket >= KYBER_BUCKETS)
		bucket = KYBER_BUCKETS - 1;
	kyber->buckets[domain][type][bucket]++;
}

void kyber_completed_request(struct sim_queue *queue, struct sim_request *rq)
{
	struct kyber_data *kyber = queue->elevator_data;
	enum kyber_domain domain = kyber_domain_of(rq->op);
	uint64_t timer_ns;

	if (domain >= KYBER_MEASURED)
		return;
	count_sample(kyber, domain, KYBER_TOTAL, rq->start_ns, queue->now_ns);
	count_sample(kyber, domain, KYBER_IO, rq->issue_ns, queue->now_ns);

	timer_ns = sim_queue_timer_ns(queue, queue->hz / TIMERS_PER_SECOND);
	if (timer_ns < queue->elevator_timer_ns)
		queue->elevator_timer_ns = timer_ns;
}

/* The bucket below which `percent` of the samples lie; -1: too few samples yet. */
static int take_percentile(struct sim_queue *queue, unsigned domain,
			   enum kyber_latency type, unsigned percent)
{
	struct kyber_data *kyber = queue->elevator_data;
	uint32_t *buckets = kyber->buckets[domain][type];
	uint64_t now = sim_queue_jiffies(queue);
	uint64_t samples = 0, below;
	unsigned bucket;

	for (bucket = 0; bucket < KYBER_BUCKETS; bucket++)
		samples += buckets[bucket];
	if (samples == 0)
		return -1;
	if (!kyber->timeout_jiffies[domain])
		kyber->timeout_jiffies[domain] = now + queue->hz;
	if (samples < ENOUGH_SAMPLES && now < kyber->timeout_jiffies[domain])
		return -1;
	kyber->timeout_jiffies[domain] = 0;

	below = (samples * percent + 99) / 100;
	for (bucket = 0; bucket < KYBER_BUCKETS - 1; bucket++) {
		if (buckets[bucket] >= below)
			break;
		below -= buckets[bucket];
	}
	memset(buckets, 0, sizeof(kyber->buckets[domain][type]));

	if (queue->on_kyber_event) {
		const struct sim_kyber_event event = {
			.domain = kyber_domain_names[domain],
			.type = latency_names[type],
			.percentile = percent,
			.numerator = bucket + 1,
			.denominator = 1 << QUARTERS_SHIFT,
			.samples = (unsigned)samples,
		};

		queue->on_kyber_event(queue->context, &event);
	}
	return (int)bucket;
}

static void resize_domain(struct sim_queue *queue, unsigned domain, unsigned size)
{
	struct kyber_data *kyber = queue->elevator_data;

	if (size > kyber_tokens_max[domain])
		size = kyber_tokens_max[domain];
	if (size < 1)
		size = 1;
	if (size == kyber->tokens[domain].size)
		return;
	token_map_resize(&kyber->tokens[domain], size);
	if (queue->on_kyber_event) {
		const struct sim_kyber_event event = {
			.is_adjust = true,
			.domain = kyber_domain_names[domain],
			.type = "",
			.depth = size,
		};

		queue->on_kyber_event(queue->context, &event);
	}
}

void kyber_timer(struct sim_queue *queue)
{
	struct kyber_data *kyber = queue->elevator_data;
	bool is_bad = false;

	queue->elevator_timer_ns = SIM_NEVER;
	for (unsigned i = 0; i < KYBER_MEASURED; i++) {
		if (take_percentile(queue, i, KYBER_IO, CONGESTION_PERCENT) >= GOOD_BUCKETS)
			is_bad = true;
	}
	for (unsigned i = 0; i < KYBER_MEASURED; i++) {
		int p99 = take_percentile(queue, i, KYBER_TOTAL, RESIZE_PERCENT);

		/* Domains fill up at different times: the last p99 waits for congestion. */
		if (is_bad) {
			if (p99 < 0)
				p99 = kyber->last_p99[i];
			kyber->last_p99[i] = -1;
		} else if (p99 >= 0) {
			kyber->last_p99[i] = p99;
		}
		if (p99 < 0 || (!is_bad && p99 < GOOD_BUCKETS))
			continue;
		resize_domain(queue, i,
			      (kyber->tokens[i].size * ((unsigned)p99 + 1)) >> QUARTERS_SHIFT);
	}
}
