/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Submission: arrivals of one process at one instant are one plug, neighbours merge, and
 * what finds no scheduler tag waits for one in its order.
 */
#include "sim/simulate-internal.h"

#include <errno.h>

/* Requests of a plug (facts on plugging: 32, before 5.16 16; 64 with several queues). */
#define PLUG_MAX           32
#define PLUG_MAX_OLD       16
#define PLUG_MAX_QUEUES    64
#define PLUG_FLUSH_SECTORS 256 /* 128 KiB */

/* The I/O priority of who has none, from a nice value of 0 (facts on ionice). */
#define LEVEL_DEFAULT 4

static enum sim_op op_of(enum trace_op op)
{
	switch (op) {
	case TRACE_READ:
		return SIM_READ;
	case TRACE_WRITE:
		return SIM_WRITE;
	case TRACE_DISCARD:
		return SIM_DISCARD;
	case TRACE_FLUSH:
		return SIM_FLUSH;
	case TRACE_ZONE:
	case TRACE_OTHER:
		break;
	}
	return SIM_OTHER;
}

/* --- the plug ----------------------------------------------------------------------- */

static int issue_plug_directly(struct simulation *sim)
{
	bool newest_first = sim->queue->kernel.has[SIM_PLUG_REVERSED];
	unsigned waiting = sim->plugged;
	int r = 0;

	sim->plugged = 0;
	while (!sim_list_is_empty(&sim->plug) && r == 0) {
		struct sim_link *link = newest_first ? sim->plug.prev : sim->plug.next;
		struct sim_request *rq = sim_request_of(link);

		sim_list_remove(link);
		rq->reason = SIM_REASON_DIRECT;
		sim_hctx_issue_directly(sim_hctx_of(sim->queue, rq), rq);
		r = simulate_issue(sim, rq, waiting--);
	}
	return r;
}

/* Up to 6.4 the scheduler does not see what has to be flushed before or after. */
static bool bypasses_scheduler(const struct simulation *sim, const struct sim_request *rq)
{
	return (rq->flags & (SIM_REQUEST_FUA | SIM_REQUEST_PREFLUSH)) &&
	       !sim->queue->kernel.has[SIM_FUA_IS_SCHEDULED];
}

static int insert_plug(struct simulation *sim)
{
	int r = 0;

	while (!sim_list_is_empty(&sim->plug) && r == 0) {
		struct sim_request *rq = sim_request_of(sim->plug.next), *into;

		sim_list_remove(&rq->link);
		if (bypasses_scheduler(sim, rq)) {
			sim_queue_bypass(sim->queue, rq);
			continue;
		}
		r = sim_merge_insert(sim->queue, rq, &into);
		if (r < 0)
			return r;
		if (into)
			sim->allocated--;
		else
			r = sim_queue_insert(sim->queue, rq);
	}
	return r;
}

int simulate_flush_plug(struct simulation *sim)
{
	unsigned hctx_index;
	int r;

	if (!sim->plugged)
		return 0;
	hctx_index = sim_request_of(sim->plug.next)->hctx;
	if (sim->is_none && !sim->is_held && !sim->queue->hctxs[hctx_index].busy &&
	    sim->queue->waiting == 0)
		return issue_plug_directly(sim);
	sim->plugged = 0;
	r = insert_plug(sim);
	return r < 0 ? r : simulate_run_hctx(sim, &sim->queue->hctxs[hctx_index]);
}

static unsigned plug_max(const struct simulation *sim)
{
	if (!sim->queue->kernel.has[SIM_PLUG_HOLDS_32])
		return PLUG_MAX_OLD;
	return sim->queue->hw_queues > 1 ? PLUG_MAX_QUEUES : PLUG_MAX;
}

/* The plugged request that the bio touches. */
static struct sim_request *find_on_plug(struct simulation *sim, const struct sim_bio *bio,
					enum sim_merge *ret)
{
	struct sim_link *link = sim->plug.prev;

	for (; link != &sim->plug; link = link->prev) {
		struct sim_request *rq = sim_request_of(link);

		*ret = sim_request_merge_kind(rq, bio->op, bio->sector, bio->sectors);
		if (*ret != SIM_MERGE_NONE && rq->class == bio->class &&
		    rq->sectors + bio->sectors <= SIM_MERGE_SECTORS_MAX)
			return rq;
		if (sim->queue->kernel.has[SIM_PLUG_MERGES_LAST])
			break;
	}
	return NULL;
}

/* --- bios --------------------------------------------------------------------------- */

static void chain_io(struct sim_request *rq, struct sim_io *io)
{
	io->next = NULL;
	if (rq->ios)
		rq->ios_tail->next = io;
	else
		rq->ios = io;
	rq->ios_tail = io;
}

static unsigned tag_limit(const struct simulation *sim, const struct sim_bio *bio)
{
	struct sim_queue *queue = sim->queue;

	if (sim->is_none)
		return queue->nr_requests * queue->hw_queues;
	if (!queue->ops->limit_depth)
		return queue->nr_requests;
	return queue->ops->limit_depth(queue, bio->op, bio->flags);
}

/* 1: it joined a request or has one of its own; 0: no tag. */
static int place_bio(struct simulation *sim, const struct sim_bio *bio, struct sim_io *io,
		     uint32_t pid)
{
	struct sim_queue *queue = sim->queue;
	struct sim_request *rq;
	enum sim_merge merge = SIM_MERGE_NONE;
	int r;

	rq = find_on_plug(sim, bio, &merge);
	if (rq) {
		r = sim_merge_grow(queue, rq, merge, bio->sectors);
	} else {
		r = sim_merge_bio(queue, bio, &rq);
	}
	if (r < 0)
		return r;
	if (rq) {
		chain_io(rq, io);
		return 1;
	}
	if (sim->allocated >= tag_limit(sim, bio))
		return 0;

	rq = sim_request_new(queue, bio->op, bio->sector, bio->sectors);
	if (!rq)
		return -ENOMEM;
	rq->flags = (uint8_t)bio->flags;
	rq->class = bio->class;
	rq->level = bio->level;
	rq->cpu = (uint16_t)bio->cpu;
	rq->hctx = (uint16_t)sim_hctx_index(queue, bio->cpu);
	rq->pid = pid;
	chain_io(rq, io);
	sim->allocated++;
	if (sim->plugged > 0 &&
	    (sim->plug_pid != pid || sim->plugged >= plug_max(sim) ||
	     sim_request_of(sim->plug.next)->hctx != rq->hctx)) {
		r = simulate_flush_plug(sim);
		if (r < 0)
			return r;
	}
	sim_list_add_tail(&sim->plug, &rq->link);
	sim->plug_pid = pid;
	sim->plugged++;
	return rq->sectors >= PLUG_FLUSH_SECTORS ? (r = simulate_flush_plug(sim), r < 0 ? r : 1) : 1;
}

static int wait_for_tag(struct simulation *sim, const struct sim_bio *bio,
			struct sim_io *io, uint32_t pid)
{
	struct waiting_io *waiting = pool_take(&sim->waiting);

	if (!waiting)
		return -ENOMEM;
	waiting->io = io;
	waiting->bio = *bio;
	waiting->pid = pid;
	sim_list_add_tail(&sim->backlog, &waiting->link);
	sim->backlog_count++;
	return 0;
}

/* Tags came free: those that waited go on, in their order. */
int simulate_retry_backlog(struct simulation *sim)
{
	int r;

	while (!sim_list_is_empty(&sim->backlog)) {
		struct waiting_io *waiting =
			SIM_ENTRY(sim->backlog.next, struct waiting_io, link);

		r = place_bio(sim, &waiting->bio, waiting->io, waiting->pid);
		if (r < 0)
			return r;
		if (r == 0)
			break;
		sim_list_remove(&waiting->link);
		sim->backlog_count--;
		pool_give(&sim->waiting, waiting);
	}
	return simulate_flush_plug(sim);
}

int simulate_take_arrival(struct simulation *sim)
{
	const struct trace_record *record = &sim->arrival;
	struct sim_bio bio = {
		.op = op_of(record->op),
		.sector = record->sector,
		.sectors = record->sectors,
		.cpu = record->cpu % sim->queue->cpus,
		.pid = record->pid,
		.class = SIM_CLASS_BE,
		.level = LEVEL_DEFAULT,
	};
	struct sim_io *io = pool_take(&sim->ios);
	int r;

	if (!io)
		return -ENOMEM;
	if (record->flags & TRACE_FLAG_SYNC)
		bio.flags |= SIM_REQUEST_SYNC;
	if (record->flags & TRACE_FLAG_FUA)
		bio.flags |= SIM_REQUEST_FUA;
	if (record->flags & TRACE_FLAG_PREFLUSH)
		bio.flags |= SIM_REQUEST_PREFLUSH;
	if (record->prio_class != TRACE_PRIO_NONE) {
		bio.class = (uint8_t)(record->prio_class - TRACE_PRIO_RT);
		bio.level = record->prio_level;
	}
	*io = (struct sim_io){
		.arrival_ns = record->time_ns,
		.sectors = record->sectors,
	};
	/* Who waits longer goes first. */
	r = sim->backlog_count > 0 ? 0 : place_bio(sim, &bio, io, record->pid);
	return r == 0 ? wait_for_tag(sim, &bio, io, record->pid) : (r < 0 ? r : 0);
}

