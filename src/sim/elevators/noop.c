/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * noop: the legacy first-in, first-out scheduler. It merges, through the block layer's
 * hash at the back and through its list's neighbours between requests, and sorts nothing.
 */
#include "sim/elevators/elevators.h"

#include "sim/queue.h"

struct noop_data {
	struct sim_link list;
};

static int noop_init(struct sim_queue *queue)
{
	struct noop_data *noop = queue->elevator_data;

	sim_list_init(&noop->list);
	return 0;
}

static int noop_insert_request(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct sim_queue *queue = hctx->queue;
	struct noop_data *noop = queue->elevator_data;

	if (rq->flags & SIM_REQUEST_AT_HEAD) {
		sim_list_add_head(&noop->list, &rq->link);
		return 0;
	}
	sim_list_add_tail(&noop->list, &rq->link);
	merge_hash_add(&queue->merge_hash, rq);
	if (!queue->last_merge)
		queue->last_merge = rq;
	return 0;
}

static void noop_take(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct sim_queue *queue = hctx->queue;

	sim_list_remove(&rq->link);
	merge_hash_remove(&queue->merge_hash, rq);
	if (queue->last_merge == rq)
		queue->last_merge = NULL;
}

static struct sim_request *noop_dispatch_request(struct sim_hctx *hctx)
{
	struct noop_data *noop = hctx->queue->elevator_data;
	struct sim_request *rq;

	if (sim_list_is_empty(&noop->list))
		return NULL;
	rq = sim_request_of(noop->list.next);
	noop_take(hctx, rq);
	rq->reason = rq->flags & SIM_REQUEST_AT_HEAD ? SIM_REASON_AT_HEAD : SIM_REASON_FIFO;
	return rq;
}

static bool noop_has_work(const struct sim_hctx *hctx)
{
	const struct noop_data *noop = hctx->queue->elevator_data;

	return !sim_list_is_empty(&noop->list);
}

static void noop_requests_merged(struct sim_queue *queue, struct sim_request *rq,
				 struct sim_request *next)
{
	(void)rq;
	noop_take(sim_hctx_of(queue, next), next);
}

static struct sim_request *noop_former_request(struct sim_queue *queue,
					       struct sim_request *rq)
{
	struct noop_data *noop = queue->elevator_data;

	return rq->link.prev == &noop->list ? NULL : sim_request_of(rq->link.prev);
}

static struct sim_request *noop_next_request(struct sim_queue *queue,
					     struct sim_request *rq)
{
	struct noop_data *noop = queue->elevator_data;

	return rq->link.next == &noop->list ? NULL : sim_request_of(rq->link.next);
}

static int noop_undo_dispatch(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct noop_data *noop = hctx->queue->elevator_data;

	sim_list_add_head(&noop->list, &rq->link);
	if (!(rq->flags & SIM_REQUEST_AT_HEAD))
		merge_hash_add(&hctx->queue->merge_hash, rq);
	return 0;
}

const struct sim_elevator_ops sim_elevator_noop = {
	.name = "noop",
	.kind = QUEUE_LEGACY,
	.data_size = sizeof(struct noop_data),
	.init_sched = noop_init,
	.requests_merged = noop_requests_merged,
	.former_request = noop_former_request,
	.next_request = noop_next_request,
	.insert_request = noop_insert_request,
	.dispatch_request = noop_dispatch_request,
	.has_work = noop_has_work,
	.can_dispatch = noop_has_work,
	.undo_dispatch = noop_undo_dispatch,
	.force_dispatch = noop_take,
};
