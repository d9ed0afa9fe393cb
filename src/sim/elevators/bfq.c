/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bfq: each process has a queue and gets the device for a budget of sectors, in the order
 * of B-WF2Q+. What the engine calls; the parts are listed in bfq.h.
 */
#include "sim/elevators/bfq.h"

#include <errno.h>

#include "sim/elevators/elevators.h"
#include "sim/merge.h"

#define SLICE_IDLE_US 8000
#define TIMEOUT_MS    125

/* Shares of nr_requests (facts): async, sync writes; lower while queues are raised. */
static const unsigned write_percent[2][2] = { { 50, 75 }, { 18, 37 } };

static const struct sim_parameter bfq_parameters[] = {
	{ "fifo_expire_sync", offsetof(struct bfq_data, fifo_expire_sync_ms) },
	{ "fifo_expire_async", offsetof(struct bfq_data, fifo_expire_async_ms) },
	{ "back_seek_max", offsetof(struct bfq_data, back_seek_max_kib) },
	{ "back_seek_penalty", offsetof(struct bfq_data, back_seek_penalty) },
	{ "slice_idle", offsetof(struct bfq_data, slice_idle_ms) },
	{ "slice_idle_us", offsetof(struct bfq_data, slice_idle_us) },
	{ "max_budget", offsetof(struct bfq_data, max_budget_sectors) },
	{ "timeout_sync", offsetof(struct bfq_data, timeout_sync_ms) },
	{ "strict_guarantees", offsetof(struct bfq_data, strict_guarantees) },
	{ "low_latency", offsetof(struct bfq_data, low_latency) },
};

static int bfq_init(struct sim_queue *queue)
{
	struct bfq_data *bfq = bfq_of(queue);

	bfq->queue = queue;
	bfq->fifo_expire_ns[0] = (uint64_t)bfq->fifo_expire_async_ms * 1000000;
	bfq->fifo_expire_ns[1] = (uint64_t)bfq->fifo_expire_sync_ms * 1000000;
	bfq->back_max = (uint64_t)bfq->back_seek_max_kib * 2;
	/* Two files for one value; the one that was changed counts. */
	bfq->slice_idle_ns = bfq->slice_idle_us != SLICE_IDLE_US
				     ? (uint64_t)bfq->slice_idle_us * 1000
				     : (uint64_t)bfq->slice_idle_ms * 1000000;
	/* The default is an eighth of a second in whole ticks. */
	bfq->timeout = bfq->timeout_sync_ms == TIMEOUT_MS
			       ? (queue->hz >= 8 ? queue->hz / 8 : 1)
			       : bfq_ms(bfq, bfq->timeout_sync_ms);
	bfq->max_budget =
		bfq->max_budget_sectors ? bfq->max_budget_sectors : bfq_max_budget(bfq);
	bfq->idle_class_served = bfq_now(bfq);
	sim_list_init(&bfq->active_list);
	sim_list_init(&bfq->head);
	bfq_rate_init(bfq);
	bfq_raise_init(bfq);
	return bfq_processes_init(bfq);
}

static void bfq_exit(struct sim_queue *queue)
{
	bfq_processes_done(bfq_of(queue));
}

/*
 * Since 5.17 a process may have its part of the tags, by its weight among those that are
 * served: classes above its own count more. Where there are few tags, all who are beyond their
 * part wait for the same one or two. Who waits there is then often taken for woken by whom has
 * them, and the idle class may be injected: a real 6.18 does the same, with 64 tags or fewer.
 */
static bool is_over_share(const struct bfq_data *bfq, const struct sim_bio *bio, unsigned limit)
{
	const struct bfq_process *process = bfq_find_process(bfq, bio->pid);
	const struct bfq_queue *q = NULL;
	uint64_t weights = 0;

	if (process)
		q = sim_request_is_sync(bio->op, bio->flags) ? process->sync : process->async;
	if (!q || (q->place == BFQ_NOWHERE && q != bfq->in_service))
		return false;
	for (unsigned class = SIM_CLASS_RT; class <= q->class; class++)
		weights = weights * BFQ_LEVELS + bfq->classes[class].weights;
	return weights && q->allocated >= (limit * (uint64_t)q->weight + weights / 2) / weights;
}

static unsigned bfq_limit_depth(struct sim_queue *queue, const struct sim_bio *bio)
{
	const struct bfq_data *bfq = bfq_of(queue);
	bool is_sync = sim_request_is_sync(bio->op, bio->flags);
	unsigned limit = queue->nr_requests;

	if (bio->op != SIM_READ)
		limit = limit * write_percent[bfq->busy_raised > 0][is_sync] / 100;
	if (queue->kernel.has[SIM_BFQ_SHARES_TAGS] && is_over_share(bfq, bio, limit))
		limit = sim_queue_least_limit(queue);
	return limit > 0 ? limit : 1;
}

/* --- insertion ---------------------------------------------------------------------- */

static void note_owner(struct bfq_queue *q, struct sim_request *rq)
{
	rq->queue_index = (uint32_t)(q->id & 0xffffff);
	q->allocated++;
}

static int insert_head(struct bfq_data *bfq, struct bfq_queue *q, struct sim_request *rq)
{
	sim_list_add_head(&bfq->head, &rq->link);
	note_owner(q, rq);
	return 0;
}

static int bfq_insert_request(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct sim_queue *queue = hctx->queue;
	struct bfq_data *bfq = bfq_of(queue);
	struct bfq_process *process;
	struct bfq_queue *q = bfq_queue_for(bfq, rq, &process), *other;
	int r;

	if (!q)
		return -ENOMEM;
	process->requests++;
	if (rq->flags & SIM_REQUEST_AT_HEAD)
		return insert_head(bfq, q, rq);
	other = bfq_cooperator(bfq, q, process, rq);
	if (other) {
		q->is_just_created = false;
		if (process->sync == q)
			bfq_become_one(bfq, process, q, other);
		q = other;
	}
	bfq_note_arrival(bfq, q, rq);
	note_owner(q, rq);
	r = bfq_add_request(bfq, q, process, rq);
	if (r < 0)
		return r;
	/* It waits from now on: fifo_expire counts from here. */
	rq->start_ns = queue->now_ns;
	rq->fifo_jiffies = sim_queue_jiffies(queue) +
			   sim_queue_ms_to_jiffies(
				   queue, bfq_rq_is_sync(rq) ? bfq->fifo_expire_sync_ms
							     : bfq->fifo_expire_async_ms);
	sim_list_add_tail(&q->fifo, &rq->link);
	merge_hash_add(&queue->merge_hash, rq);
	if (!queue->last_merge)
		queue->last_merge = rq;
	bfq_enqueued(bfq, q, rq);
	return 0;
}

/* --- merging of requests ------------------------------------------------------------ */

/* The queue that a bio's request would be in, if there is one. */
static struct bfq_queue *queue_of_bio(const struct bfq_data *bfq,
				      const struct sim_bio *bio)
{
	const struct bfq_process *process = bfq_find_process(bfq, bio->pid);

	if (!process)
		return NULL;
	return sim_request_is_sync(bio->op, bio->flags) ? process->sync : process->async;
}

static bool bfq_allow_bio(struct sim_queue *queue, const struct sim_request *rq,
			  const struct sim_bio *bio)
{
	const struct bfq_data *bfq = bfq_of(queue);

	return queue_of_bio(bfq, bio) == bfq_queue_of(bfq, rq);
}

static struct sim_request *bfq_request_merge(struct sim_queue *queue,
					     const struct sim_bio *bio)
{
	const struct bfq_queue *q = queue_of_bio(bfq_of(queue), bio);

	return q ? sector_tree_find(&q->sorted, bio->sector + bio->sectors) : NULL;
}

static int bfq_request_merged(struct sim_queue *queue, struct sim_request *rq,
			      enum sim_merge merge, uint64_t old_sector)
{
	struct bfq_data *bfq = bfq_of(queue);
	struct bfq_queue *q = bfq_queue_of(bfq, rq);
	struct sim_request *prev = q->next_rq;
	uint64_t sector = rq->sector;
	int r;

	if (merge != SIM_MERGE_FRONT || !rq->leaf)
		return 0;
	rq->sector = old_sector;
	sector_tree_remove(&q->sorted, rq);
	rq->sector = sector;
	r = sector_tree_insert(&q->sorted, rq);
	if (r < 0)
		return r;
	q->next_rq = bfq_closer(bfq, q->next_rq, rq, bfq->state.last_position);
	if (prev != q->next_rq) {
		bfq_next_changed(bfq, q);
		if (!bfq->is_fast)
			bfq_move_close(bfq, q);
	}
	return 0;
}

static void bfq_requests_merged(struct sim_queue *queue, struct sim_request *rq,
				struct sim_request *next)
{
	struct bfq_data *bfq = bfq_of(queue);
	struct bfq_queue *q = bfq_queue_of(bfq, next);

	if (!next->leaf)
		return;
	if (rq->leaf && rq->queue_index == next->queue_index) {
		/* The earlier one's place in the FIFO is kept. */
		if (next->start_ns < rq->start_ns) {
			sim_list_remove(&rq->link);
			sim_list_add_before(&next->link, &rq->link);
			rq->start_ns = next->start_ns;
		}
		if (q->next_rq == next)
			q->next_rq = rq;
	}
	bfq_remove_request(bfq, q, next);
}

static struct sim_request *bfq_former_request(struct sim_queue *queue,
					      struct sim_request *rq)
{
	(void)queue;
	return rq->leaf ? sector_tree_prev(rq) : NULL;
}

static struct sim_request *bfq_next_request(struct sim_queue *queue,
					    struct sim_request *rq)
{
	(void)queue;
	return rq->leaf ? sector_tree_next(rq) : NULL;
}

/* --- dispatch ----------------------------------------------------------------------- */

struct sim_request *bfq_dispatch_from(struct bfq_data *bfq, struct bfq_queue *q)
{
	struct sim_request *rq = q->next_rq;

	bfq_served(bfq, q, bfq_charge(bfq, q, rq));
	if (q == bfq->in_service && bfq->wait_dispatch) {
		bfq->wait_dispatch = false;
		bfq->waited = rq;
	}
	q->dispatched++;
	bfq_rate_dispatch(bfq, q, rq);
	bfq_remove_request(bfq, q, rq);
	if (q == bfq->in_service) {
		bfq_raise_progress(bfq, q);
		if (bfq_busy(bfq) > 1 && q->class == SIM_CLASS_IDLE)
			bfq_expire(bfq, q, false, BFQ_BUDGET_EXHAUSTED);
	}
	bfq->in_driver++;
	return rq;
}

static struct sim_request *bfq_dispatch_request(struct sim_hctx *hctx)
{
	struct bfq_data *bfq = bfq_of(hctx->queue);
	enum sim_reason reason = SIM_REASON_NONE;
	struct sim_request *rq;
	struct bfq_queue *q;

	if (!sim_list_is_empty(&bfq->head)) {
		rq = sim_request_of(bfq->head.next);
		sim_list_remove(&rq->link);
		q = bfq_queue_of(bfq, rq);
		q->dispatched++;
		bfq->in_driver++;
		rq->reason = SIM_REASON_AT_HEAD;
		return rq;
	}
	if (!bfq_busy(bfq) || (bfq->strict_guarantees && bfq->in_driver > 0))
		return NULL;
	q = bfq_select(bfq, &reason);
	if (!q)
		return NULL;
	q->next_rq->reason = (uint8_t)reason;
	return bfq_dispatch_from(bfq, q);
}

static bool bfq_has_work(const struct sim_hctx *hctx)
{
	const struct bfq_data *bfq = bfq_of(hctx->queue);

	if (!sim_list_is_empty(&bfq->head))
		return true;
	if (hctx->queue->kernel.has[SIM_BFQ_WORK_IS_QUEUED])
		return bfq->queued > 0;
	return bfq_busy(bfq) > 0;
}

/* --- completion --------------------------------------------------------------------- */

static void complete(struct bfq_data *bfq, struct bfq_queue *q, struct sim_request *rq)
{
	uint64_t now = bfq->queue->now_ns;

	if (rq == bfq->waited)
		bfq_update_injection(bfq, q);
	bfq_note_depth(bfq);
	bfq->in_driver--;
	q->dispatched--;
	if (!q->dispatched && !q->is_busy) {
		q->budget_timeout = bfq_now(bfq);
		bfq_uncount_weight(bfq, q);
	}
	q->think.last_end_ns = now;
	bfq_rate_complete(bfq);
	bfq->last_completed =
		q->is_shared && bfq->queue->kernel.has[SIM_BFQ_REVISED] ? 0 : q->id;
	if (q->softrt_update && !q->dispatched && bfq_is_empty(q))
		bfq_soft_update(bfq, q);
	if (q != bfq->in_service)
		return;
	if (bfq_must_idle(bfq, q)) {
		if (!q->dispatched)
			bfq_arm_timer(bfq, q);
		return;
	}
	if (bfq_may_time_out(bfq, q))
		bfq_expire(bfq, q, false, BFQ_BUDGET_TIMEOUT);
	else if (bfq_is_empty(q) && (!q->dispatched || !bfq_better_to_idle(bfq, q)))
		bfq_expire(bfq, q, false, BFQ_NO_MORE_REQUESTS);
}

static void bfq_finish_request(struct sim_queue *queue, struct sim_request *rq)
{
	struct bfq_data *bfq = bfq_of(queue);
	struct bfq_queue *q = bfq_queue_of(bfq, rq);
	struct bfq_process *process = bfq_find_process(bfq, rq->pid);

	if (rq->state == SIM_STATE_ISSUED) {
		complete(bfq, q, rq);
		if (!bfq->in_driver)
			bfq_want_run(bfq);
	}
	q->allocated--;
	if (process)
		process->requests--;
	bfq_release(bfq, q);
}

const struct sim_elevator_ops sim_elevator_bfq = {
	.name = "bfq",
	.kind = QUEUE_MQ,
	.parameters = bfq_parameters,
	.parameter_count = ARRAY_SIZE(bfq_parameters),
	.data_size = sizeof(struct bfq_data),
	.state_size = sizeof(struct bfq_state),
	.merges_inserts = true,
	.judges_work = true,
	.has_precise_timer = true,
	.init_sched = bfq_init,
	.exit_sched = bfq_exit,
	.limit_depth = bfq_limit_depth,
	.request_merge = bfq_request_merge,
	.allow_bio = bfq_allow_bio,
	.request_merged = bfq_request_merged,
	.requests_merged = bfq_requests_merged,
	.former_request = bfq_former_request,
	.next_request = bfq_next_request,
	.insert_request = bfq_insert_request,
	.dispatch_request = bfq_dispatch_request,
	.has_work = bfq_has_work,
	.finish_request = bfq_finish_request,
	.timer = bfq_timer,
	.can_dispatch = bfq_can_dispatch,
	.undo_dispatch = bfq_undo_dispatch,
	.force_dispatch = bfq_force_dispatch,
};
