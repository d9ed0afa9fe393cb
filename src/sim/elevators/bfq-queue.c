/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order within a queue: the request that lies closest to where the head stands, a
 * short way back counted double; once a slot the oldest one, when it has waited too long.
 */
#include "sim/elevators/bfq.h"

/* Further apart than this is a seek. */
#define SEEK_SECTORS 800

/* Seeks among the last 32 requests that make a queue seeky. */
#define SEEKY_SEEKS 19

/* Async service counts this much (facts: async is charged x3). */
#define ASYNC_CHARGE 3

bool bfq_is_seeky(const struct bfq_queue *q)
{
	return __builtin_popcount(q->seek_history) > SEEKY_SEEKS;
}

bool bfq_is_totally_seeky(const struct bfq_queue *q)
{
	return q->seek_history == UINT32_MAX;
}

bool bfq_is_far(const struct bfq_data *bfq, uint64_t last, const struct sim_request *rq)
{
	uint64_t distance = rq->sector > last ? rq->sector - last : last - rq->sector;

	return distance > SEEK_SECTORS &&
	       (!bfq->queue->is_nonrotational || rq->sectors < BFQ_SMALL_SECTORS);
}

int64_t bfq_charge(const struct bfq_data *bfq, const struct bfq_queue *q,
		   const struct sim_request *rq)
{
	if (q->is_sync || q->raise.coeff > 1 || bfq_is_asymmetric(bfq, q))
		return rq->sectors;
	return (int64_t)rq->sectors * ASYNC_CHARGE;
}

/* Way to the request; false when it lies too far back. */
static bool way_to(const struct bfq_data *bfq, const struct sim_request *rq,
		   uint64_t last, uint64_t *ret)
{
	if (rq->sector >= last) {
		*ret = rq->sector - last;
		return true;
	}
	if (rq->sector + bfq->back_max < last)
		return false;
	*ret = (last - rq->sector) * (uint64_t)bfq->back_seek_penalty;
	return true;
}

struct sim_request *bfq_closer(const struct bfq_data *bfq, struct sim_request *a,
			       struct sim_request *b, uint64_t last)
{
	uint64_t way_a = 0, way_b = 0;
	bool reaches_a, reaches_b;

	if (!a || a == b)
		return b;
	if (!b)
		return a;
	if (bfq_rq_is_sync(a) != bfq_rq_is_sync(b))
		return bfq_rq_is_sync(a) ? a : b;
	if ((a->flags ^ b->flags) & SIM_REQUEST_META)
		return a->flags & SIM_REQUEST_META ? a : b;
	reaches_a = way_to(bfq, a, last, &way_a);
	reaches_b = way_to(bfq, b, last, &way_b);
	if (reaches_a && reaches_b) {
		if (way_a != way_b)
			return way_a < way_b ? a : b;
		return a->sector >= b->sector ? a : b;
	}
	if (reaches_a != reaches_b)
		return reaches_a ? a : b;
	/* Both would need a long way back: start over from the lowest. */
	return a->sector <= b->sector ? a : b;
}

/* The oldest request, once a slot, when its time has come. */
static struct sim_request *expired(const struct bfq_data *bfq, struct bfq_queue *q,
				   const struct sim_request *last)
{
	struct sim_request *rq = sim_request_of(q->fifo.next);

	if (q->fifo_checked)
		return NULL;
	q->fifo_checked = true;
	if (sim_list_is_empty(&q->fifo) || rq == last ||
	    bfq->queue->now_ns < rq->start_ns + bfq->fifo_expire_ns[bfq_rq_is_sync(rq)])
		return NULL;
	return rq;
}

static struct sim_request *find_next(const struct bfq_data *bfq, struct bfq_queue *q,
				     struct sim_request *last)
{
	struct sim_request *next = expired(bfq, q, last), *prev;

	if (next)
		return next;
	prev = sector_tree_prev(last);
	next = sector_tree_next(last);
	if (!next) {
		next = sector_tree_at_or_after(&q->sorted, 0);
		if (next == last)
			next = NULL;
	}
	return bfq_closer(bfq, next, prev, last->sector);
}

void bfq_next_changed(struct bfq_data *bfq, struct bfq_queue *q)
{
	int64_t budget;

	if (!q->next_rq || q == bfq->in_service)
		return;
	budget = bfq_charge(bfq, q, q->next_rq);
	if (budget < q->max_budget)
		budget = q->max_budget;
	if (budget < q->service)
		budget = q->service;
	if (q->budget == budget)
		return;
	q->budget = budget;
	if (q->place == BFQ_ACTIVE)
		bfq_requeue(bfq, q, false);
}

void bfq_remove_request(struct bfq_data *bfq, struct bfq_queue *q, struct sim_request *rq)
{
	struct sim_queue *queue = bfq->queue;

	if (q->next_rq == rq) {
		q->next_rq = find_next(bfq, q, rq);
		bfq_next_changed(bfq, q);
	}
	sim_list_remove(&rq->link);
	q->queued[bfq_rq_is_sync(rq)]--;
	bfq->queued--;
	sector_tree_remove(&q->sorted, rq);
	merge_hash_remove(&queue->merge_hash, rq);
	if (queue->last_merge == rq)
		queue->last_merge = NULL;
	if (bfq_is_empty(q)) {
		q->next_rq = NULL;
		if (q->is_busy && q != bfq->in_service) {
			bfq_del_busy(bfq, q, false);
			q->budget = 0;
			q->service = 0;
		}
		bfq_leave_close(bfq, q);
	} else if (!bfq->is_fast) {
		bfq_move_close(bfq, q);
	}
}

int bfq_add_request(struct bfq_data *bfq, struct bfq_queue *q,
		    struct bfq_process *process, struct sim_request *rq)
{
	struct sim_request *prev = q->next_rq;
	unsigned old_coeff = q->raise.coeff;
	bool is_interactive = false;
	int r;

	r = sector_tree_insert(&q->sorted, rq);
	if (r < 0)
		return r;
	q->queued[bfq_rq_is_sync(rq)]++;
	bfq->queued++;
	bfq_note_injection(bfq, q, process);
	if (q->is_sync)
		bfq_note_intensity(bfq, q);
	q->next_rq = bfq_closer(bfq, q->next_rq, rq, bfq->state.last_position);
	if (prev != q->next_rq && !bfq->is_fast)
		bfq_move_close(bfq, q);
	if (!q->is_busy) {
		bfq_became_busy(bfq, q, old_coeff, rq, &is_interactive);
	} else {
		bfq_raise_async(bfq, q, old_coeff, rq);
		if (prev != q->next_rq)
			bfq_next_changed(bfq, q);
	}
	if (bfq->low_latency && (old_coeff == 1 || q->raise.coeff == 1 || is_interactive))
		q->raise.start = bfq_now(bfq);
	return 0;
}
