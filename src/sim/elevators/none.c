/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * none: no scheduler. A list a processor, first in, first out. While the driver takes
 * everything the lists are emptied in processor order; while it is busy one request is
 * taken at a time, from each processor in turn. Bios merge with the last eight requests
 * of their processor's list (facts: the blk-mq frame).
 */
#include "sim/elevators/elevators.h"

#include <errno.h>
#include <stdlib.h>

#include "sim/queue.h"

#define NONE_MERGE_SCAN 8

struct none_state {
	uint32_t next_cpu[SIM_HW_QUEUES_MAX]; /* whose turn it is while busy */
};

struct none_data {
	struct none_state state;
	struct sim_link *lists;   /* one a processor */
	uint64_t *waiting;        /* bit a processor: its list is not empty */
	unsigned counts[SIM_HW_QUEUES_MAX];
};

static int none_init(struct sim_queue *queue)
{
	struct none_data *none = queue->elevator_data;

	none->lists = calloc(queue->cpus, sizeof(none->lists[0]));
	none->waiting = calloc((queue->cpus + 63) / 64, sizeof(none->waiting[0]));
	if (!none->lists || !none->waiting)
		return -ENOMEM;
	for (unsigned cpu = 0; cpu < queue->cpus; cpu++)
		sim_list_init(&none->lists[cpu]);
	return 0;
}

static void none_exit(struct sim_queue *queue)
{
	struct none_data *none = queue->elevator_data;

	free(none->lists);
	free(none->waiting);
}

static int none_insert_request(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct none_data *none = hctx->queue->elevator_data;

	if (rq->flags & SIM_REQUEST_AT_HEAD)
		sim_list_add_head(&none->lists[rq->cpu], &rq->link);
	else
		sim_list_add_tail(&none->lists[rq->cpu], &rq->link);
	if (hctx->queue->cpus > 1)
		none->waiting[rq->cpu / 64] |= UINT64_C(1) << (rq->cpu % 64);
	none->counts[hctx->index]++;
	return 0;
}

/* The first processor at or after `cpu` with something for this hardware queue. */
static bool next_waiting_cpu(const struct sim_hctx *hctx, unsigned cpu, unsigned *ret)
{
	const struct none_data *none = hctx->queue->elevator_data;
	unsigned cpus = hctx->queue->cpus;

	if (cpus == 1) {
		*ret = 0;
		return cpu == 0 && none->counts[0] > 0;
	}
	while (cpu < cpus) {
		uint64_t word = none->waiting[cpu / 64] >> (cpu % 64);

		if (!word) {
			cpu = (cpu / 64 + 1) * 64;
			continue;
		}
		cpu += (unsigned)__builtin_ctzll(word);
		if (sim_hctx_index(hctx->queue, cpu) == hctx->index) {
			*ret = cpu;
			return true;
		}
		cpu++;
	}
	return false;
}

static void none_take(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct none_data *none = hctx->queue->elevator_data;

	sim_list_remove(&rq->link);
	none->counts[hctx->index]--;
	if (hctx->queue->cpus > 1 && sim_list_is_empty(&none->lists[rq->cpu]))
		none->waiting[rq->cpu / 64] &= ~(UINT64_C(1) << (rq->cpu % 64));
}

static struct sim_request *none_dispatch_request(struct sim_hctx *hctx)
{
	struct none_data *none = hctx->queue->elevator_data;
	struct sim_request *rq;
	unsigned cpu, start = hctx->busy ? none->state.next_cpu[hctx->index] : 0;

	if (!next_waiting_cpu(hctx, start, &cpu) && !next_waiting_cpu(hctx, 0, &cpu))
		return NULL;
	rq = sim_request_of(none->lists[cpu].next);
	none_take(hctx, rq);
	if (hctx->busy)
		none->state.next_cpu[hctx->index] = cpu + 1;
	rq->reason = hctx->busy && hctx->queue->cpus > 1 ? SIM_REASON_ROUND_ROBIN :
							   SIM_REASON_FIFO;
	return rq;
}

static bool none_has_work(const struct sim_hctx *hctx)
{
	const struct none_data *none = hctx->queue->elevator_data;

	return none->counts[hctx->index] > 0;
}

static bool none_bio_merge(struct sim_queue *queue, enum sim_op op, uint64_t sector,
			   uint32_t sectors, unsigned cpu, struct sim_request **ret,
			   enum sim_merge *ret_merge)
{
	struct none_data *none = queue->elevator_data;
	struct sim_link *link = none->lists[cpu].prev;

	for (int i = 0; i < NONE_MERGE_SCAN && link != &none->lists[cpu]; i++) {
		struct sim_request *rq = sim_request_of(link);
		enum sim_merge merge = sim_request_merge_kind(rq, op, sector, sectors);

		if (merge != SIM_MERGE_NONE) {
			*ret = rq;
			*ret_merge = merge;
			return true;
		}
		link = link->prev;
	}
	return false;
}

static void none_requests_merged(struct sim_queue *queue, struct sim_request *rq,
				 struct sim_request *next)
{
	(void)rq;
	none_take(sim_hctx_of(queue, next), next);
}

static int none_undo_dispatch(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct none_data *none = hctx->queue->elevator_data;

	sim_list_add_head(&none->lists[rq->cpu], &rq->link);
	none->waiting[rq->cpu / 64] |= UINT64_C(1) << (rq->cpu % 64);
	none->counts[hctx->index]++;
	return 0;
}

const struct sim_elevator_ops sim_elevator_none = {
	.name = "none",
	.kind = QUEUE_MQ,
	.data_size = sizeof(struct none_data),
	.state_size = sizeof(struct none_state),
	.init_sched = none_init,
	.exit_sched = none_exit,
	.bio_merge = none_bio_merge,
	.requests_merged = none_requests_merged,
	.insert_request = none_insert_request,
	.dispatch_request = none_dispatch_request,
	.has_work = none_has_work,
	.can_dispatch = none_has_work,
	.undo_dispatch = none_undo_dispatch,
	.force_dispatch = none_take,
};
