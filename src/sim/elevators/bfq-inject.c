/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Injection: while the queue in service is idled for, requests of others may fill the gap.
 * How many depends on what they cost it: its total service time, from a request's
 * arrival to its completion, with and without them. A queue that keeps waking another
 * (the waker) and one that it wakes are served at once, since idling would wait for them.
 */
#include "sim/elevators/bfq.h"

/* A waker's completion and the woken one's arrival lie this close. */
#define WAKER_NS     UINT64_C(4000000)
#define WAKER_NS_OLD UINT64_C(200000)
#define WAKER_TIMES  3
#define CANDIDATE_NS (128 * UINT64_C(8000000))

/* --- who ---------------------------------------------------------------------------- */

static bool can_give(const struct bfq_data *bfq, const struct bfq_queue *q)
{
	return q->next_rq && bfq_charge(bfq, q, q->next_rq) <= bfq_budget_left(q);
}

static struct bfq_queue *first_woken(const struct bfq_queue *q)
{
	if (sim_list_is_empty(&q->woken))
		return NULL;
	return SIM_ENTRY(q->woken.next, struct bfq_queue, woken_link);
}

static struct bfq_queue *any_within_limit(const struct bfq_data *bfq,
					  const struct bfq_queue *in_service)
{
	bool takes_all = in_service->raise.coeff == 1 || !in_service->has_short_think;

	if (bfq->in_driver >= in_service->inject_limit)
		return NULL;
	for (struct sim_link *link = bfq->active_list.next; link != &bfq->active_list;
	     link = link->next) {
		struct bfq_queue *q = SIM_ENTRY(link, struct bfq_queue, active_link);
		unsigned limit = in_service->inject_limit;

		if (!can_give(bfq, q) || (!takes_all && q->raise.coeff == 1))
			continue;
		/* Large ones are slow on flash: one at a time. */
		if (bfq->queue->is_nonrotational &&
		    q->next_rq->sectors >= BFQ_SMALL_SECTORS)
			limit = 1;
		if (bfq->in_driver < limit)
			return q;
	}
	return NULL;
}

struct bfq_queue *bfq_injectable(const struct bfq_data *bfq, const struct bfq_queue *q,
				 bool *ret_counts)
{
	struct bfq_queue *async = q->process ? q->process->async : NULL;
	struct bfq_queue *woken = first_woken(q), *found;

	if (async && async->is_busy && can_give(bfq, async) &&
	    async->next_rq->pid == q->process->pid)
		return async;
	if (q->waker && q->waker->is_busy && can_give(bfq, q->waker))
		return q->waker;
	if (bfq->queue->kernel.has[SIM_BFQ_REVISED] && woken && woken->is_busy &&
	    can_give(bfq, woken))
		return woken;
	if (bfq_idling_boosts(bfq, q) ||
	    !(q->raise.coeff == 1 || bfq->busy_raised > 1 || !q->has_short_think))
		return NULL;
	found = any_within_limit(bfq, q);
	if (found)
		*ret_counts = true;
	return found;
}

/* --- how much ----------------------------------------------------------------------- */

void bfq_reset_injection(struct bfq_data *bfq, struct bfq_queue *q)
{
	q->last_serv_ns = 0;
	bfq->waited = NULL;
	q->inject_limit = q->has_short_think ? 0 : 1;
	q->decrease_time = bfq_now(bfq);
}

/* The request that was measured is done: did what was injected meanwhile cost much? */
void bfq_update_injection(struct bfq_data *bfq, struct bfq_queue *q)
{
	uint64_t total = bfq->queue->now_ns - bfq->empty_occupied_ns;
	unsigned old = q->inject_limit;

	if (q->last_serv_ns > 0 && bfq->was_injected) {
		uint64_t threshold = q->last_serv_ns * 3 / 2;

		if (total >= threshold && old > 0) {
			q->inject_limit--;
			q->decrease_time = bfq_now(bfq);
		} else if (total < threshold && old <= bfq->max_in_driver) {
			q->inject_limit++;
		}
	}
	if ((!q->last_serv_ns && bfq->in_driver == 1) || total < q->last_serv_ns) {
		if (!q->last_serv_ns)
			q->inject_limit = old > 1 ? old : 1;
		q->last_serv_ns = total;
	} else if (!bfq->was_injected && bfq->in_driver == 1) {
		q->last_serv_ns = total;
	}
	bfq->waited = NULL;
	bfq->was_injected = false;
}

/* --- wakers ------------------------------------------------------------------------- */

void bfq_forget_waker(struct bfq_queue *q)
{
	if (q->waker)
		sim_list_remove(&q->woken_link);
	q->waker = NULL;
}

void bfq_set_waker(struct bfq_queue *q, struct bfq_queue *waker)
{
	bfq_forget_waker(q);
	if (!waker || waker == q)
		return;
	q->waker = waker;
	sim_list_add_head(&waker->woken, &q->woken_link);
}

static void look_for_waker(struct bfq_data *bfq, struct bfq_queue *q)
{
	struct bfq_queue *last = bfq_deref(bfq, bfq->last_completed);
	bool is_revised = bfq->queue->kernel.has[SIM_BFQ_REVISED];
	uint64_t now = bfq->queue->now_ns;

	if (!last || last == q || q->has_short_think ||
	    now - bfq->last_completion_ns >= (is_revised ? WAKER_NS : WAKER_NS_OLD))
		return;
	/* Since 5.12 the present waker, too, comes between the times of another. */
	if (!is_revised && last == q->waker)
		return;
	if (last->id != q->candidate_waker ||
	    now > q->candidate_since_ns + CANDIDATE_NS) {
		q->candidate_waker = last->id;
		q->candidate_count = 0;
		q->candidate_since_ns = now;
	}
	if (++q->candidate_count >= (is_revised ? WAKER_TIMES : 2)) {
		bfq_set_waker(q, last);
		q->candidate_waker = 0;
	}
}

/* A request arrived, and is counted already. */
void bfq_note_injection(struct bfq_data *bfq, struct bfq_queue *q,
			const struct bfq_process *process)
{
	bool is_first = q->queued[0] + q->queued[1] == 1;
	int64_t now = bfq_now(bfq);

	if (!q->is_sync)
		return;
	if (bfq->queue->kernel.has[SIM_BFQ_WAKES_IDLE] ? process->requests <= 1
						       : is_first)
		look_for_waker(bfq, q);
	if (!is_first)
		return;
	if (q->decrease_time + bfq_ms(bfq, 1000) <= now)
		bfq_reset_injection(bfq, q);
	/* The device is empty, or holds what was injected: the time counts from here. */
	if (q == bfq->in_service &&
	    (bfq->in_driver == 0 || (q->last_serv_ns > 0 && bfq->was_injected)) &&
	    q->decrease_time + bfq_ms(bfq, 10) <= now) {
		bfq->empty_occupied_ns = bfq->queue->now_ns;
		bfq->wait_dispatch = true;
		bfq->waited = NULL;
		if (bfq->in_driver == 0)
			bfq->was_injected = false;
	}
}
