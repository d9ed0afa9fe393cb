/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Idling: a queue in service that has nothing to send may keep the device for a moment.
 * It does where that raises throughput (sequential, I/O-bound, and the device does not
 * queue by itself) or where it is needed to keep the shares (weights or classes differ,
 * raised queues beside others).
 */
#include "sim/elevators/bfq.h"

/* A raised queue is waited for at least this long. */
#define RAISED_IDLE_NS UINT64_C(20000000)

/* Think times that make a mean; smaller requests than this are waited behind. */
#define THINK_SAMPLES_MIN 80
#define WAIT_SECTORS      32

/* Requests of others in flight from which a raised queue idles. */
#define OTHERS_IN_FLIGHT 4

#define INTENSITY_NS UINT64_C(200000000)

static bool is_revised(const struct bfq_data *bfq)
{
	return bfq->queue->kernel.has[SIM_BFQ_REVISED];
}

bool bfq_idling_boosts(const struct bfq_data *bfq, const struct bfq_queue *q)
{
	bool rotates = !bfq->queue->is_nonrotational, boosts;
	bool is_steady = !bfq_is_seeky(q) && q->is_io_bound && q->has_short_think;

	boosts = (rotates && !bfq->hw_tag) || ((rotates || !bfq->hw_tag) && is_steady);
	/* Not at the expense of raised queues. */
	return boosts && bfq->busy_raised == 0;
}

bool bfq_idling_guarantees(const struct bfq_data *bfq, const struct bfq_queue *q)
{
	unsigned busy = bfq_busy(bfq);

	if (is_revised(bfq) && busy == 1)
		return true;
	return (q->raise.coeff > 1 &&
		(bfq->busy_raised < busy ||
		 bfq->in_driver >= q->dispatched + OTHERS_IN_FLIGHT)) ||
	       bfq_is_asymmetric(bfq, q);
}

bool bfq_better_to_idle(const struct bfq_data *bfq, const struct bfq_queue *q)
{
	if (!q->processes)
		return false;
	if (bfq->strict_guarantees)
		return true;
	if (!bfq->slice_idle_ns || !q->is_sync || q->class == SIM_CLASS_IDLE)
		return false;
	return bfq_idling_boosts(bfq, q) || bfq_idling_guarantees(bfq, q);
}

bool bfq_must_idle(const struct bfq_data *bfq, const struct bfq_queue *q)
{
	return bfq_is_empty(q) && bfq_better_to_idle(bfq, q);
}

void bfq_want_run(struct bfq_data *bfq)
{
	struct sim_queue *queue = bfq->queue;

	if (!bfq->queued || !queue->on_run_wanted)
		return;
	for (unsigned i = 0; i < queue->hw_queues; i++)
		queue->on_run_wanted(queue->context, &queue->hctxs[i]);
}

void bfq_arm_timer(struct bfq_data *bfq, struct bfq_queue *q)
{
	uint64_t idle_ns = bfq->slice_idle_ns;

	if (bfq_is_seeky(q) && q->raise.coeff == 1 && !bfq_is_asymmetric(bfq, q)) {
		if (idle_ns > BFQ_MIN_TT_NS)
			idle_ns = BFQ_MIN_TT_NS;
	} else if (q->raise.coeff > 1 && idle_ns < RAISED_IDLE_NS) {
		idle_ns = RAISED_IDLE_NS;
	}
	q->waits_request = true;
	bfq->idling_start_ns = bfq->queue->now_ns;
	bfq->queue->elevator_timer_ns = bfq->queue->now_ns + idle_ns;
}

void bfq_stop_waiting(struct bfq_data *bfq, struct bfq_queue *q)
{
	q->waits_request = false;
	bfq->queue->elevator_timer_ns = SIM_NEVER;
}

void bfq_timer(struct sim_queue *queue)
{
	struct bfq_data *bfq = bfq_of(queue);
	struct bfq_queue *q = bfq->in_service;

	queue->elevator_timer_ns = SIM_NEVER;
	if (!q)
		return;
	q->waits_request = false;
	if (bfq_is_timed_out(bfq, q))
		bfq_expire(bfq, q, true, BFQ_BUDGET_TIMEOUT);
	else if (bfq_is_empty(q))
		bfq_expire(bfq, q, true, BFQ_TOO_IDLE);
	bfq_want_run(bfq);
}

/* --- what the arrivals of a queue tell ---------------------------------------------- */

static void note_think_time(const struct bfq_data *bfq, struct bfq_queue *q)
{
	struct bfq_think *think = &q->think;
	uint64_t ns = bfq->queue->now_ns - think->last_end_ns;

	if (is_revised(bfq) && (q->dispatched || q->is_busy))
		return;
	if (ns > 2 * bfq->slice_idle_ns)
		ns = 2 * bfq->slice_idle_ns;
	think->samples = (7 * think->samples + 256) / 8;
	think->total_ns = (7 * think->total_ns + 256 * ns) / 8;
	think->mean_ns = (think->total_ns + 128) / think->samples;
}

static void judge_think_time(struct bfq_data *bfq, struct bfq_queue *q)
{
	uint64_t limit = is_revised(bfq) ? bfq->slice_idle_ns / 2 : bfq->slice_idle_ns;
	bool is_short = true, changed;

	if (!q->is_sync || q->class == SIM_CLASS_IDLE || !bfq->slice_idle_ns)
		return;
	/* Just split off: what was measured was the shared queue. */
	if (q->split_time + bfq_ms(bfq, 2000) >= bfq_now(bfq))
		return;
	if (q->think.samples > THINK_SAMPLES_MIN && q->think.mean_ns > limit)
		is_short = false;
	changed = is_short != q->has_short_think;
	q->has_short_think = is_short;
	if (changed && !q->last_serv_ns &&
	    (!is_short || q->decrease_time + bfq_ms(bfq, 100) <= bfq_now(bfq)))
		bfq_reset_injection(bfq, q);
}

void bfq_note_arrival(struct bfq_data *bfq, struct bfq_queue *q,
		      const struct sim_request *rq)
{
	note_think_time(bfq, q);
	judge_think_time(bfq, q);
	q->seek_history = q->seek_history << 1 | bfq_is_far(bfq, q->last_request_pos, rq);
	bfq_raise_seeky(bfq, q);
}

/* From 5.12: I/O-bound is who idles less than a fifth of the time. */
void bfq_note_intensity(struct bfq_data *bfq, struct bfq_queue *q)
{
	uint64_t now = bfq->queue->now_ns, total = now - q->io_start_ns;

	if (!is_revised(bfq))
		return;
	/* The request that arrives is counted already. */
	if (q->queued[0] + q->queued[1] == 1 && !q->dispatched)
		q->idle_total_ns += now - q->think.last_end_ns;
	if (q->is_just_created)
		return;
	q->is_io_bound = q->idle_total_ns * 5 <= total;
	if (total > INTENSITY_NS) {
		q->io_start_ns = now - total / 2;
		q->idle_total_ns /= 2;
	}
}

/* A request is in its queue. The queue was waited for: does the waiting end? */
void bfq_enqueued(struct bfq_data *bfq, struct bfq_queue *q, const struct sim_request *rq)
{
	bool timed_out;

	q->last_request_pos = sim_request_end(rq);
	if (q != bfq->in_service || !q->waits_request)
		return;
	timed_out = bfq_is_timed_out(bfq, q);
	/* One small request: others may follow that it can be merged with. */
	if (q->queued[bfq_rq_is_sync(rq)] == 1 && rq->sectors < WAIT_SECTORS &&
	    bfq_idling_boosts(bfq, q) && !timed_out)
		return;
	bfq_stop_waiting(bfq, q);
	if (timed_out)
		bfq_expire(bfq, q, false, BFQ_BUDGET_TIMEOUT);
}
