/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Service slots: one queue has the device until its budget is used, its time is over, it
 * has nothing more, or a more urgent one comes. How the slot ended sets the next budget.
 */
#include "sim/elevators/bfq.h"

/* Before the rate is known: 16384 sectors (facts), for this many (scaled) assignments. */
#define BUDGET_DEFAULT    16384
#define ASSIGNMENTS_MIN   194
#define BUDGET_MIN_FACTOR 32

/* Slower than this, a slot tells about the device: 20 ms. */
#define SLOW_US   20000
#define SHORT_US  1000
#define NS_PER_US 1000

int64_t bfq_max_budget(const struct bfq_data *bfq)
{
	return bfq->budgets_assigned < ASSIGNMENTS_MIN ? BUDGET_DEFAULT : bfq->max_budget;
}

int64_t bfq_min_budget(const struct bfq_data *bfq)
{
	return bfq_max_budget(bfq) / BUDGET_MIN_FACTOR;
}

bool bfq_is_timed_out(struct bfq_data *bfq, const struct bfq_queue *q)
{
	return q->budget_timeout <= bfq_now(bfq);
}

/* A queue that is idled for may finish its budget while little of it is left. */
bool bfq_may_time_out(struct bfq_data *bfq, const struct bfq_queue *q)
{
	return (!q->waits_request || bfq_budget_left(q) >= q->budget / 3) &&
	       bfq_is_timed_out(bfq, q);
}

/* --- the beginning ------------------------------------------------------------------ */

static bool is_soft_raised(const struct bfq_data *bfq, const struct bfq_queue *q)
{
	return q->raise.max_time == bfq_ms(bfq, 300);
}

void bfq_begin_slot(struct bfq_data *bfq, struct bfq_queue *q)
{
	int64_t now = bfq_now(bfq), factor = q->weight / q->orig_weight;

	q->fifo_checked = false;
	bfq->budgets_assigned = (bfq->budgets_assigned * 7 + 256) / 8;
	/* A soft real-time period does not run while the queue waits for its turn. */
	if (q->raise.start < now && q->raise.coeff > 1 && is_soft_raised(bfq, q) &&
	    q->budget_timeout < now) {
		q->raise.start += now - q->budget_timeout;
		if (q->raise.start > now)
			q->raise.start = now;
	}
	if (is_soft_raised(bfq, q))
		factor = 1;
	bfq->budget_start_ns = bfq->queue->now_ns;
	q->budget_timeout = now + bfq->timeout * factor;
	bfq->in_service_pos = 0;
}

/* What a queue may use that gets busy. True: it goes on where it was, or is raised. */
bool bfq_activation_budget(struct bfq_data *bfq, struct bfq_queue *q, bool in_time,
			   bool is_raised)
{
	if (q->waited_not_blocking && in_time && bfq_budget_left(q) > 0) {
		q->budget = bfq_budget_left(q);
		if (q->budget > q->max_budget)
			q->budget = q->max_budget;
		q->service = 0;
		return true;
	}
	q->service = 0;
	q->waited_not_blocking = false;
	q->budget = bfq_charge(bfq, q, q->next_rq);
	if (q->budget < q->max_budget)
		q->budget = q->max_budget;
	return is_raised;
}

/* --- the end ------------------------------------------------------------------------ */

/* Has it used the device badly? *ret_ms: how long it had it. */
static bool is_slow(const struct bfq_data *bfq, const struct bfq_queue *q, bool is_late,
		    int64_t *ret_ms)
{
	uint64_t end = is_late ? bfq->idling_start_ns : bfq->queue->now_ns;
	int64_t us = ((int64_t)end - (int64_t)bfq->budget_start_ns) / NS_PER_US;

	*ret_ms = 0;
	if (!q->is_sync)
		return false;
	if (us < SHORT_US) {
		*ret_ms = (int64_t)(!bfq->queue->is_nonrotational ? bfq->slice_idle_ns
								  : BFQ_MIN_TT_NS) /
			  1000000;
		return bfq_is_seeky(q);
	}
	*ret_ms = us / 1000;
	if (us > SLOW_US)
		return q->service < bfq->max_budget / 2;
	return bfq_is_seeky(q);
}

/* Charged for its time rather than for the little that it got done in it. */
static void charge_time(struct bfq_data *bfq, struct bfq_queue *q, int64_t ms)
{
	int64_t timeout_ms = bfq->timeout * (int64_t)bfq->queue->tick_ns / 1000000;
	int64_t charge = q->service;

	if (ms > timeout_ms)
		ms = timeout_ms;
	if (bfq->max_budget * ms / timeout_ms > charge)
		charge = bfq->max_budget * ms / timeout_ms;
	if (charge > q->budget)
		q->budget = charge;
	bfq_served(bfq, q, charge - q->service);
}

static int64_t at_most(int64_t value, int64_t max)
{
	return value < max ? value : max;
}

static int64_t feed_back(const struct bfq_data *bfq, const struct bfq_queue *q,
			 enum bfq_expiry reason)
{
	const int64_t min = bfq_min_budget(bfq);

	switch (reason) {
	case BFQ_TOO_IDLE:
		if (q->dispatched > 0)
			return at_most(q->max_budget * 2, bfq->max_budget);
		return q->max_budget > 5 * min ? q->max_budget - 4 * min : min;
	case BFQ_BUDGET_TIMEOUT:
		return at_most(q->max_budget * 2, bfq->max_budget);
	case BFQ_BUDGET_EXHAUSTED:
		return at_most(q->max_budget * 4, bfq->max_budget);
	case BFQ_NO_MORE_REQUESTS:
		return q->service > min ? q->service : min;
	case BFQ_PREEMPTED:
		break;
	}
	return -1;
}

static void set_next_budget(struct bfq_data *bfq, struct bfq_queue *q,
			    enum bfq_expiry reason)
{
	int64_t budget;

	if (!q->is_sync)
		budget = bfq->max_budget;
	else if (q->raise.coeff > 1)
		budget = 2 * bfq_min_budget(bfq);
	else
		budget = feed_back(bfq, q, reason);
	if (budget < 0)
		return;
	q->max_budget = budget;
	if (bfq->budgets_assigned >= ASSIGNMENTS_MIN && !bfq->max_budget_sectors)
		q->max_budget = at_most(q->max_budget, bfq->max_budget);
	if (q->next_rq) {
		q->budget = bfq_charge(bfq, q, q->next_rq);
		if (q->budget < q->max_budget)
			q->budget = q->max_budget;
	}
}

static void leave_service(struct bfq_data *bfq, struct bfq_queue *q,
			  enum bfq_expiry reason)
{
	if (q->is_shared && bfq_is_seeky(q))
		q->must_split = true;
	if (bfq_is_empty(q) &&
	    !(reason == BFQ_PREEMPTED && bfq_idling_guarantees(bfq, q))) {
		if (!q->dispatched)
			q->budget_timeout = bfq_now(bfq);
		bfq_del_busy(bfq, q, true);
	} else {
		bfq_requeue(bfq, q, true);
		if (!bfq->is_fast)
			bfq_move_close(bfq, q);
	}
	bfq_stop_waiting(bfq, q);
	bfq->in_service = NULL;
}

void bfq_expire(struct bfq_data *bfq, struct bfq_queue *q, bool is_late,
		enum bfq_expiry reason)
{
	int64_t ms;
	bool slow = is_slow(bfq, q, is_late, &ms);

	if (q->raise.coeff == 1 && (slow || (reason == BFQ_BUDGET_TIMEOUT &&
					     bfq_budget_left(q) >= q->budget / 3)))
		charge_time(bfq, q, ms);
	if (!bfq->queue->kernel.has[SIM_BFQ_REVISED] && reason == BFQ_TOO_IDLE &&
	    q->service <= 2 * q->budget / 10)
		q->is_io_bound = false;
	if (bfq->low_latency && q->raise.coeff == 1)
		q->raise.start = bfq_now(bfq);
	if (bfq->low_latency && bfq_is_empty(q)) {
		if (q->dispatched)
			q->softrt_update = true;
		else
			bfq_soft_update(bfq, q);
	}
	set_next_budget(bfq, q, reason);
	leave_service(bfq, q, reason);
	if (!q->is_busy && reason != BFQ_BUDGET_TIMEOUT && reason != BFQ_BUDGET_EXHAUSTED)
		q->waited_not_blocking = true;
	else
		q->service = 0;
	bfq_release(bfq, q);
}

/* --- the choice --------------------------------------------------------------------- */

static enum sim_reason reason_of(const struct bfq_queue *q, bool is_new)
{
	if (!is_new)
		return SIM_REASON_SLOT;
	return q->raise.coeff > 1 ? SIM_REASON_RAISED_SLOT : SIM_REASON_NEW_SLOT;
}

/*
 * The queue whose next request goes, NULL when none may: the one in service while it has
 * requests, budget and time; another one's while it is idled for, if that does no harm; else
 * the next.
 */
struct bfq_queue *bfq_select(struct bfq_data *bfq, enum sim_reason *ret)
{
	struct bfq_queue *q = bfq->in_service;
	enum bfq_expiry reason = BFQ_BUDGET_TIMEOUT;
	bool is_new = false;

	if (q && bfq_may_time_out(bfq, q) && !bfq_must_idle(bfq, q)) {
		bfq_expire(bfq, q, false, reason);
		q = NULL;
	}
	for (;;) {
		if (!q) {
			q = bfq_next_queue(bfq);
			if (!q)
				return NULL;
			bfq_begin_slot(bfq, q);
			is_new = true;
		}
		if (q->next_rq && bfq_charge(bfq, q, q->next_rq) <= bfq_budget_left(q)) {
			bfq_stop_waiting(bfq, q);
			*ret = reason_of(q, is_new);
			return q;
		}
		if (!q->next_rq &&
		    (q->waits_request || (q->dispatched && bfq_better_to_idle(bfq, q)))) {
			*ret = SIM_REASON_INJECTED;
			return bfq_injectable(bfq, q, &bfq->was_injected);
		}
		reason = q->next_rq ? BFQ_BUDGET_EXHAUSTED : BFQ_NO_MORE_REQUESTS;
		bfq_expire(bfq, q, false, reason);
		q = NULL;
	}
}
