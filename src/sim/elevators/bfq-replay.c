/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Putting bfq on a recorded history. All of its state cannot be set back by value, since
 * arrivals and completions change the same things as choosing does. So a request that was
 * taken is given back with its service, and for the one that the kernel took its queue is
 * brought into service, or it is injected, whichever the engine's rules allow.
 */
#include "sim/elevators/bfq.h"

/* The queue has the device: would it, or another in its place, give a request? */
static bool gives(struct bfq_data *bfq, const struct bfq_queue *q)
{
	bool counts;

	if (q->next_rq)
		return true;
	if (q->waits_request || (q->dispatched && bfq_better_to_idle(bfq, q)))
		return bfq_injectable(bfq, q, &counts) != NULL;
	return true;
}

/*
 * What bfq_select() would come to, without its consequences. When a slot ends here and
 * the next queue is one that is idled for, which is rare, this says yes all the same.
 */
bool bfq_can_dispatch(const struct sim_hctx *hctx)
{
	struct bfq_data *bfq = bfq_of(hctx->queue);
	const struct bfq_queue *q = bfq->in_service;

	if (!sim_list_is_empty(&bfq->head))
		return true;
	if (!bfq->queued || (bfq->strict_guarantees && bfq->in_driver > 0))
		return false;
	if (!q)
		return bfq->next && gives(bfq, bfq->next);
	if (bfq_may_time_out(bfq, q) && !bfq_must_idle(bfq, q))
		return true;
	return gives(bfq, q);
}

static void put_in_fifo(struct bfq_queue *q, struct sim_request *rq)
{
	struct sim_link *at = q->fifo.next;

	while (at != &q->fifo) {
		const struct sim_request *other = sim_request_of(at);

		if (other->start_ns > rq->start_ns ||
		    (other->start_ns == rq->start_ns && other->number > rq->number))
			break;
		at = at->next;
	}
	sim_list_add_before(at, &rq->link);
}

int bfq_undo_dispatch(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct bfq_data *bfq = bfq_of(hctx->queue);
	struct bfq_queue *q = bfq_queue_of(bfq, rq);
	int64_t charge;
	int r;

	bfq->in_driver--;
	q->dispatched--;
	if (bfq->waited == rq)
		bfq->waited = NULL;
	if (rq->flags & SIM_REQUEST_AT_HEAD) {
		sim_list_add_head(&bfq->head, &rq->link);
		return 0;
	}
	r = sector_tree_insert(&q->sorted, rq);
	if (r < 0)
		return r;
	put_in_fifo(q, rq);
	merge_hash_add(&bfq->queue->merge_hash, rq);
	q->queued[bfq_rq_is_sync(rq)]++;
	bfq->queued++;
	charge = bfq_charge(bfq, q, rq);
	q->service = q->service > charge ? q->service - charge : 0;
	q->next_rq = rq;
	if (!q->is_busy) {
		if (q->budget < q->max_budget)
			q->budget = q->max_budget;
		bfq_add_busy(bfq, q);
	}
	if (!bfq->is_fast)
		bfq_move_close(bfq, q);
	return 0;
}

/* The queue in service may be idled for: what came from another was injected. */
static bool was_injected(struct bfq_data *bfq, const struct bfq_queue *q)
{
	bool counts;

	return bfq->in_service && !bfq->in_service->next_rq &&
	       bfq_injectable(bfq, bfq->in_service, &counts) && bfq_budget_left(q) > 0;
}

void bfq_force_dispatch(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct bfq_data *bfq = bfq_of(hctx->queue);
	struct bfq_queue *q = bfq_queue_of(bfq, rq);

	if (!rq->leaf) {
		sim_list_remove(&rq->link);
		q->dispatched++;
		bfq->in_driver++;
		return;
	}
	if (q != bfq->in_service && !was_injected(bfq, q)) {
		if (bfq->in_service)
			bfq_expire(bfq, bfq->in_service, false,
				   bfq->in_service->next_rq ? BFQ_PREEMPTED
							    : BFQ_NO_MORE_REQUESTS);
		bfq_take_queue(bfq, q);
		bfq_begin_slot(bfq, q);
	}
	q->next_rq = rq;
	bfq_dispatch_from(bfq, q);
}
