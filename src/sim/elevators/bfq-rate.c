/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What bfq learns about the device: its peak rate, from which budgets and raising times
 * follow, and whether it keeps several requests at once. It is observed for a second at a
 * time, or until a pause, but for 300 ms at least; what was sequential enough, or fast, is
 * mixed in.
 */
#include "sim/elevators/bfq.h"

#define NS_PER_US    1000
#define OBSERVE_NS   UINT64_C(300000000)
#define REFERENCE_NS UINT64_C(1000000000)
#define PAUSE_NS     UINT64_C(100000000)
#define SAMPLES_MIN  32
#define SIZE_SAMPLES 32
/* Sectors a microsecond: more than this is a mistake (about 10 GB/s). */
#define RATE_MAX ((uint64_t)20 << BFQ_RATE_SHIFT)

/* Rate and raising time of the reference devices: rotating, not rotating. */
static const uint64_t reference_rates[] = { 14000, 33000 };
static const int64_t reference_ms[] = { 7000, 2500 };

/* Requests that the device must have kept at once to count as queueing. */
#define DEPTH_MIN     3
#define DEPTH_SAMPLES 32

void bfq_rate_init(struct bfq_data *bfq)
{
	unsigned kind = bfq->queue->is_nonrotational;

	bfq->hw_tag = -1;
	/* Until the contrary is seen. */
	bfq->is_fast = bfq->queue->is_nonrotational;
	bfq->rate_duration =
		reference_rates[kind] * (uint64_t)bfq_ms(bfq, reference_ms[kind]);
	bfq->rate = reference_rates[kind] * 2 / 3;
}

static void reset_rate(struct bfq_data *bfq, const struct sim_request *rq)
{
	bfq->rate_samples = 0;
	if (!rq)
		return;
	bfq->last_dispatch_ns = bfq->queue->now_ns;
	bfq->first_dispatch_ns = bfq->queue->now_ns;
	bfq->rate_samples = 1;
	bfq->sequential_samples = 0;
	bfq->sampled_sectors = rq->sectors;
	bfq->last_rq_max = rq->sectors;
}

static void update_max_budget(struct bfq_data *bfq)
{
	uint64_t timeout_ms = (uint64_t)bfq->timeout * bfq->queue->tick_ns / 1000000;

	if (!bfq->max_budget_sectors)
		bfq->max_budget =
			(int64_t)((bfq->rate * 1000 * timeout_ms) >> BFQ_RATE_SHIFT);
}

static void update_rate(struct bfq_data *bfq)
{
	uint64_t rate, weight;

	if (bfq->rate_samples < SAMPLES_MIN || bfq->delta_first_ns < OBSERVE_NS)
		return;
	if (bfq->last_completion_ns > bfq->first_dispatch_ns &&
	    bfq->last_completion_ns - bfq->first_dispatch_ns > bfq->delta_first_ns)
		bfq->delta_first_ns = bfq->last_completion_ns - bfq->first_dispatch_ns;
	rate = (bfq->sampled_sectors << BFQ_RATE_SHIFT) /
	       (bfq->delta_first_ns / NS_PER_US);
	if ((bfq->sequential_samples < bfq->rate_samples * 3 / 4 && rate <= bfq->rate) ||
	    rate > RATE_MAX)
		return;
	/* The longer and the more sequential, the more it counts: up to 8 in 10. */
	weight = 9 * bfq->sequential_samples / bfq->rate_samples;
	weight = weight * bfq->delta_first_ns / REFERENCE_NS;
	if (weight > 8)
		weight = 8;
	bfq->rate = bfq->rate * (9 - weight) / (10 - weight) + rate / (10 - weight);
	if (!bfq->rate)
		bfq->rate = 1;
	update_max_budget(bfq);
}

static void sample(struct bfq_data *bfq, const struct sim_request *rq)
{
	uint64_t now = bfq->queue->now_ns;

	bfq->rate_samples++;
	if ((bfq->in_driver > 0 || now - bfq->last_completion_ns < BFQ_MIN_TT_NS) &&
	    !bfq_is_far(bfq, bfq->state.last_position, rq))
		bfq->sequential_samples++;
	bfq->sampled_sectors += rq->sectors;
	if (bfq->rate_samples % SIZE_SAMPLES == 0 || rq->sectors > bfq->last_rq_max)
		bfq->last_rq_max = rq->sectors;
	bfq->delta_first_ns = now - bfq->first_dispatch_ns;
}

void bfq_rate_dispatch(struct bfq_data *bfq, const struct bfq_queue *q,
		       const struct sim_request *rq)
{
	uint64_t now = bfq->queue->now_ns;

	if (bfq->rate_samples == 0) {
		reset_rate(bfq, rq);
	} else if (now - bfq->last_dispatch_ns > PAUSE_NS && bfq->in_driver == 0) {
		update_rate(bfq);
		reset_rate(bfq, rq);
	} else {
		sample(bfq, rq);
		if (bfq->delta_first_ns >= REFERENCE_NS) {
			update_rate(bfq);
			reset_rate(bfq, rq);
		}
	}
	bfq->state.last_position = sim_request_end(rq);
	if (q == bfq->in_service)
		bfq->in_service_pos = bfq->state.last_position;
	bfq->last_dispatch_ns = now;
}

void bfq_rate_complete(struct bfq_data *bfq)
{
	uint64_t now = bfq->queue->now_ns;
	uint64_t delta_us = (now - bfq->last_completion_ns) / NS_PER_US;

	/* A long time for so little: what was observed is not the device at its peak. */
	if (delta_us > BFQ_MIN_TT_NS / NS_PER_US &&
	    ((uint64_t)bfq->last_rq_max << BFQ_RATE_SHIFT) / delta_us <
		    (uint64_t)1 << (BFQ_RATE_SHIFT - 10)) {
		update_rate(bfq);
		reset_rate(bfq, NULL);
	}
	bfq->last_completion_ns = now;
}

void bfq_note_depth(struct bfq_data *bfq)
{
	const struct bfq_queue *q = bfq->in_service;

	if (bfq->in_driver > bfq->max_in_driver)
		bfq->max_in_driver = bfq->in_driver;
	bfq->is_fast = bfq->queue->is_nonrotational && bfq->hw_tag;
	if (bfq->in_driver + bfq->queued <= DEPTH_MIN)
		return;
	/* A queue that is idled for does not send enough to tell. */
	if (q && q->has_short_think &&
	    q->dispatched + q->queued[0] + q->queued[1] < DEPTH_MIN &&
	    bfq->in_driver < DEPTH_MIN)
		return;
	if (bfq->hw_tag_samples++ < DEPTH_SAMPLES)
		return;
	bfq->hw_tag = bfq->max_in_driver > DEPTH_MIN;
	bfq->max_in_driver = 0;
	bfq->hw_tag_samples = 0;
	bfq->is_fast = bfq->queue->is_nonrotational && bfq->hw_tag;
}
