/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Weight raising: what looks interactive (comes after 2 s of silence) or soft real-time
 * (a modest rate with pauses) gets 30 times its weight for a while. Many queues that
 * appear within a short time are a burst: a boot, a build; they are not raised.
 */
#include "sim/elevators/bfq.h"

#define RAISE_COEFF 30 /* facts: x30 */
/* A soft real-time queue's raise is so large that others hardly matter. */
#define SOFT_FACTOR    100
#define SOFT_MS        300    /* facts: 300 ms */
#define SOFT_RATE      7000   /* facts: sectors/s */
#define IDLE_MS        2000   /* facts: 2 s of idleness */
#define RAISE_SECTORS  120000 /* facts: ends at 120000 sectors */
#define ASYNC_PAUSE_MS 500
#define RAISE_MIN_MS   3000
#define RAISE_MAX_MS   25000

#define BURST_MS        180 /* facts: 8 queues in 180 ms */
#define BURST_QUEUES    8
#define BURST_FORGET_MS 10000
#define SPLIT_PAUSE_MS  10

void bfq_raise_init(struct bfq_data *bfq)
{
	sim_list_init(&bfq->burst);
	bfq->last_in_burst = BFQ_LONG_AGO;
}

/* The slower the device, the longer: as if the same amount were to be read. */
int64_t bfq_raise_duration(const struct bfq_data *bfq)
{
	int64_t duration = (int64_t)(bfq->rate_duration / bfq->rate);

	if (duration < bfq_ms(bfq, RAISE_MIN_MS))
		return bfq_ms(bfq, RAISE_MIN_MS);
	if (duration > bfq_ms(bfq, RAISE_MAX_MS))
		return bfq_ms(bfq, RAISE_MAX_MS);
	return duration;
}

static bool is_soft(const struct bfq_data *bfq, const struct bfq_queue *q)
{
	return q->raise.max_time == bfq_ms(bfq, SOFT_MS);
}

/* --- the end ------------------------------------------------------------------------ */

void bfq_raise_end(struct bfq_data *bfq, struct bfq_queue *q)
{
	if (q->raise.coeff > 1 && q->is_busy)
		bfq->busy_raised--;
	q->raise.coeff = 1;
	q->raise.max_time = 0;
	q->raise.start = bfq_now(bfq);
	q->prio_changed = true;
}

static void back_to_interactive(struct bfq_data *bfq, struct bfq_queue *q)
{
	q->raise.coeff = RAISE_COEFF;
	q->raise.max_time = bfq_raise_duration(bfq);
	q->raise.start = q->raise.interactive_start;
	q->prio_changed = true;
}

static void end_period(struct bfq_data *bfq, struct bfq_queue *q)
{
	int64_t now = bfq_now(bfq);

	if (!is_soft(bfq, q) ||
	    q->raise.interactive_start + bfq_raise_duration(bfq) < now)
		bfq_raise_end(bfq, q);
	else
		back_to_interactive(bfq, q);
}

/* After each request of the queue in service. */
void bfq_raise_progress(struct bfq_data *bfq, struct bfq_queue *q)
{
	if (q->raise.coeff > 1) {
		if (q->in_large_burst)
			bfq_raise_end(bfq, q);
		else if (q->raise.start + q->raise.max_time < bfq_now(bfq))
			end_period(bfq, q);
		if (q->raise.coeff > 1 && !is_soft(bfq, q) &&
		    q->raise.service > RAISE_SECTORS)
			bfq_raise_end(bfq, q);
	}
	if ((q->weight > q->orig_weight) != (q->raise.coeff > 1))
		bfq_update_weight(bfq, q, false);
}

/* Real-time queues are not seeky through and through. */
void bfq_raise_seeky(struct bfq_data *bfq, struct bfq_queue *q)
{
	if (q->raise.coeff > 1 && is_soft(bfq, q) && bfq_is_totally_seeky(q)) {
		if (bfq->queue->kernel.has[SIM_BFQ_REVISED])
			end_period(bfq, q);
		else
			bfq_raise_end(bfq, q);
	}
}

/* --- the beginning ------------------------------------------------------------------ */

void bfq_soft_update(struct bfq_data *bfq, struct bfq_queue *q)
{
	int64_t now = bfq_now(bfq), by_rate, by_idle;

	/* Before 5.12 what an interactive queue uses does not count. */
	if (!bfq->queue->kernel.has[SIM_BFQ_REVISED] && q->raise.coeff == RAISE_COEFF)
		return;
	by_rate = q->last_idle_backlogged +
		  (int64_t)(bfq->queue->hz * q->backlog_service / SOFT_RATE);
	by_idle = now + (int64_t)(bfq->slice_idle_ns / bfq->queue->tick_ns) + 4;
	if (by_rate > q->soft_rt_next_start)
		q->soft_rt_next_start = by_rate;
	if (by_idle > q->soft_rt_next_start)
		q->soft_rt_next_start = by_idle;
}

static void raise_interactive(struct bfq_data *bfq, struct bfq_queue *q)
{
	q->raise.coeff = RAISE_COEFF;
	q->raise.max_time = bfq_raise_duration(bfq);
}

static void raise_soft(struct bfq_data *bfq, struct bfq_queue *q)
{
	q->raise.coeff = RAISE_COEFF * SOFT_FACTOR;
	q->raise.max_time = bfq_ms(bfq, SOFT_MS);
}

struct activation {
	bool in_burst, interactive, soft, deserves;
};

static void update_raise(struct bfq_data *bfq, struct bfq_queue *q, unsigned old_coeff,
			 const struct activation *activation)
{
	if (old_coeff == 1 && activation->deserves) {
		if (activation->interactive) {
			q->raise.service = 0;
			raise_interactive(bfq, q);
		} else {
			q->raise.interactive_start = BFQ_LONG_AGO;
			raise_soft(bfq, q);
		}
		/* Latency counts now: a small budget. */
		if (q->budget > 2 * bfq_min_budget(bfq))
			q->budget = 2 * bfq_min_budget(bfq);
	} else if (old_coeff > 1) {
		if (activation->interactive) {
			raise_interactive(bfq, q);
		} else if (activation->in_burst) {
			q->raise.coeff = 1;
		} else if (activation->soft) {
			if (!is_soft(bfq, q)) {
				q->raise.interactive_start = q->raise.start;
				raise_soft(bfq, q);
			}
			q->raise.start = bfq_now(bfq);
		}
	}
	if (q->raise.coeff != old_coeff)
		q->prio_changed = true;
}

static struct activation judge(struct bfq_data *bfq, const struct bfq_queue *q)
{
	int64_t now = bfq_now(bfq);
	bool is_default =
		!bfq->queue->kernel.has[SIM_BFQ_REVISED] || q->level == BFQ_LEVEL_DEFAULT;
	struct activation activation = { .in_burst = q->in_large_burst };

	activation.soft = !bfq_is_totally_seeky(q) && !q->in_large_burst &&
			  q->soft_rt_next_start < now && !q->dispatched && is_default;
	activation.interactive = !q->in_large_burst && is_default &&
				 q->budget_timeout + bfq_ms(bfq, IDLE_MS) < now;
	activation.deserves =
		bfq->low_latency &&
		(q->raise.coeff > 1 || (q->is_sync && q->process &&
					(activation.interactive || activation.soft)));
	return activation;
}

/* 5.10: I/O-bound is who comes back in time often enough. */
static void count_in_time(struct bfq_data *bfq, struct bfq_queue *q, bool in_time)
{
	const unsigned often = 120;

	if (bfq->queue->kernel.has[SIM_BFQ_REVISED] || q->is_io_bound)
		return;
	q->within_timer = in_time ? q->within_timer + 1 : 0;
	if (q->within_timer >= often)
		q->is_io_bound = true;
}

static bool is_more_important(const struct bfq_queue *q, const struct bfq_queue *other)
{
	if (q->class != other->class)
		return q->class < other->class;
	return q->weight > other->weight;
}

static void preempt(struct bfq_data *bfq, struct bfq_queue *q, bool wants)
{
	struct bfq_queue *other = bfq->in_service;

	if (!other || bfq->next == other)
		return;
	if ((wants && q->raise.coeff >= other->raise.coeff) ||
	    is_more_important(q, other) ||
	    (bfq->queue->kernel.has[SIM_BFQ_REVISED] && !bfq_better_to_idle(bfq, other)))
		bfq_expire(bfq, other, false, BFQ_PREEMPTED);
}

static void leave_burst(struct bfq_queue *q)
{
	sim_list_remove(&q->burst_link);
	sim_list_init(&q->burst_link);
	q->in_large_burst = false;
}

void bfq_became_busy(struct bfq_data *bfq, struct bfq_queue *q, unsigned old_coeff,
		     struct sim_request *rq, bool *ret_interactive)
{
	struct activation activation = judge(bfq, q);
	int64_t now = bfq_now(bfq);
	bool in_time, wants;

	(void)rq;
	in_time = bfq->queue->now_ns <= q->think.last_end_ns + 3 * bfq->slice_idle_ns;
	wants = bfq_activation_budget(bfq, q, in_time, activation.deserves);
	if (!q->is_just_created && q->budget_timeout + bfq_ms(bfq, BURST_FORGET_MS) < now)
		leave_burst(q);
	q->is_just_created = false;
	count_in_time(bfq, q, in_time);
	if (bfq->low_latency && q->split_time + bfq_ms(bfq, IDLE_MS) < now)
		update_raise(bfq, q, old_coeff, &activation);
	q->last_idle_backlogged = now;
	q->backlog_service = 0;
	q->softrt_update = false;
	bfq_add_busy(bfq, q);
	preempt(bfq, q, wants);
	*ret_interactive = activation.interactive;
}

/* An async queue is raised once, when its writes begin after a pause. */
void bfq_raise_async(struct bfq_data *bfq, struct bfq_queue *q, unsigned old_coeff,
		     const struct sim_request *rq)
{
	if (!bfq->low_latency || old_coeff != 1 || bfq_rq_is_sync(rq) ||
	    q->raise.start + bfq_ms(bfq, ASYNC_PAUSE_MS) >= bfq_now(bfq))
		return;
	raise_interactive(bfq, q);
	bfq->busy_raised++;
	q->prio_changed = true;
}

/* --- bursts ------------------------------------------------------------------------- */

static void start_burst(struct bfq_data *bfq, struct bfq_queue *q)
{
	while (!sim_list_is_empty(&bfq->burst)) {
		struct sim_link *link = bfq->burst.next;

		sim_list_remove(link);
		sim_list_init(link);
	}
	bfq->large_burst = false;
	sim_list_add_head(&bfq->burst, &q->burst_link);
	bfq->burst_size = 1;
}

static void add_to_burst(struct bfq_data *bfq, struct bfq_queue *q)
{
	sim_list_add_head(&bfq->burst, &q->burst_link);
	if (++bfq->burst_size < BURST_QUEUES)
		return;
	bfq->large_burst = true;
	while (!sim_list_is_empty(&bfq->burst)) {
		struct sim_link *link = bfq->burst.next;

		SIM_ENTRY(link, struct bfq_queue, burst_link)->in_large_burst = true;
		sim_list_remove(link);
		sim_list_init(link);
	}
}

void bfq_note_created(struct bfq_data *bfq, struct bfq_queue *q)
{
	int64_t now = bfq_now(bfq);

	if (!q->is_just_created || !sim_list_is_empty(&q->burst_link) ||
	    q->in_large_burst || q->split_time + bfq_ms(bfq, SPLIT_PAUSE_MS) >= now)
		return;
	if (bfq->last_in_burst + bfq_ms(bfq, BURST_MS) < now)
		start_burst(bfq, q);
	else if (bfq->large_burst)
		q->in_large_burst = true;
	else
		add_to_burst(bfq, q);
	bfq->last_in_burst = now;
}
