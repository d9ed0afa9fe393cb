/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulation's loop: arrivals, completions and timers in the order of time. Arrivals
 * of one process at one instant are one plug. Reading stops while too many I/Os wait for a
 * tag, so that memory does not grow with the trace.
 */
#include "sim/simulate.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/media/media.h"
#include "sim/merge.h"
#include "util/i18n.h"

/* Requests of a plug (facts on plugging: 32, before 5.16 16; 64 with several queues). */
#define PLUG_MAX           32
#define PLUG_MAX_OLD       16
#define PLUG_MAX_QUEUES    64
#define PLUG_FLUSH_SECTORS 256 /* 128 KiB */

/* I/Os that wait for a tag before reading stops. */
#define BACKLOG_MAX 65536

struct waiting_io {
	struct sim_link link;
	struct sim_io *io;
	struct sim_bio bio;
	uint32_t pid;
};

struct simulation {
	const struct simulate_options *options;
	struct simulate_result *result;
	simulate_source *next;
	void *source;
	struct diag *diag;

	struct sim_queue *queue;
	struct event_queue events;
	struct sim_media media;
	struct null_media null;
	struct pool ios, waiting;

	struct trace_record arrival; /* the next one */
	bool has_arrival;

	struct sim_link plug;        /* requests not inserted yet */
	unsigned plugged;
	uint32_t plug_pid;
	struct sim_link backlog;     /* I/Os without a tag, oldest first */
	size_t backlog_count;
	unsigned allocated;          /* scheduler tags in use */
	bool is_none;
	bool is_held;
};

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

/* --- issuing ------------------------------------------------------------------------ */

static int issue(struct simulation *sim, struct sim_request *rq, unsigned waiting)
{
	struct sim_queue *queue = sim->queue;
	const struct simulate_dispatch dispatch = {
		.number = ++sim->result->requests,
		.time_ns = queue->now_ns,
		.op = rq->op,
		.sector = rq->sector,
		.sectors = rq->sectors,
		.class = rq->class,
		.reason = rq->reason,
		.waiting = waiting,
	};

	if (rq->fifo_jiffies && sim_queue_jiffies(queue) > rq->fifo_jiffies)
		sim->result->expired++;
	if (sim->options->on_dispatch)
		sim->options->on_dispatch(sim->options->context, &dispatch);
	return sim->media.ops->submit(&sim->media, rq, queue->now_ns);
}

/* Issues all that may be issued, on this hardware queue and on those it gave work to. */
static int run_hctx(struct simulation *sim, struct sim_hctx *hctx)
{
	struct sim_queue *queue = sim->queue;
	struct sim_request *rq;
	bool any;
	int r;

	if (sim->is_held)
		return 0;
	sim_hctx_run(hctx, true);
	do {
		any = false;
		for (unsigned i = 0; i < queue->hw_queues; i++) {
			while ((rq = sim_hctx_next(&queue->hctxs[i]))) {
				r = issue(sim, rq,
					  queue->waiting + queue->hctxs[i].dispatch_count);
				if (r < 0)
					return r;
				sim_hctx_issue(&queue->hctxs[i]);
				any = true;
			}
		}
	} while (any && queue->hw_queues > 1);
	return 0;
}

static int run_all(struct simulation *sim)
{
	int r = 0;

	for (unsigned i = 0; i < sim->queue->hw_queues && r == 0; i++)
		r = run_hctx(sim, &sim->queue->hctxs[i]);
	return r;
}

static void run_wanted(void *context, struct sim_hctx *hctx)
{
	/* Not from within a hook of the scheduler: at the same time, but after it. */
	(void)context;
	if (hctx->delayed_run_ns > hctx->queue->now_ns)
		hctx->delayed_run_ns = hctx->queue->now_ns;
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
		r = issue(sim, rq, waiting--);
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

static int flush_plug(struct simulation *sim)
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
	return r < 0 ? r : run_hctx(sim, &sim->queue->hctxs[hctx_index]);
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
		r = flush_plug(sim);
		if (r < 0)
			return r;
	}
	sim_list_add_tail(&sim->plug, &rq->link);
	sim->plug_pid = pid;
	sim->plugged++;
	return rq->sectors >= PLUG_FLUSH_SECTORS ? (r = flush_plug(sim), r < 0 ? r : 1) : 1;
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
static int retry_backlog(struct simulation *sim)
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
	return flush_plug(sim);
}

static int take_arrival(struct simulation *sim)
{
	const struct trace_record *record = &sim->arrival;
	struct sim_bio bio = {
		.op = op_of(record->op),
		.sector = record->sector,
		.sectors = record->sectors,
		.cpu = record->cpu % sim->queue->cpus,
		.class = SIM_CLASS_BE,
		.level = record->prio_level,
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
	if (record->prio_class != TRACE_PRIO_NONE)
		bio.class = (uint8_t)(record->prio_class - TRACE_PRIO_RT);
	*io = (struct sim_io){
		.arrival_ns = record->time_ns,
		.sectors = record->sectors,
	};
	/* Who waits longer goes first. */
	r = sim->backlog_count > 0 ? 0 : place_bio(sim, &bio, io, record->pid);
	return r == 0 ? wait_for_tag(sim, &bio, io, record->pid) : (r < 0 ? r : 0);
}

/* --- completion --------------------------------------------------------------------- */

static void count_io(struct simulation *sim, enum sim_dir dir, const struct sim_io *io)
{
	struct simulate_direction *direction = &sim->result->directions[dir];

	direction->ios++;
	direction->sectors += io->sectors;
	histogram_add(&direction->latency_ns, sim->queue->now_ns - io->arrival_ns);
}

static int complete(struct simulation *sim, struct sim_request *rq)
{
	struct sim_hctx *hctx = sim_hctx_of(sim->queue, rq);
	bool runs = sim_queue_complete(sim->queue, rq);

	while (rq->ios) {
		struct sim_io *io = rq->ios;

		rq->ios = io->next;
		count_io(sim, rq->dir, io);
		pool_give(&sim->ios, io);
	}
	sim_request_free(sim->queue, rq);
	sim->allocated--;
	sim->result->end_ns = sim->queue->now_ns;
	if (runs && (sim->queue->waiting > 0 || hctx->dispatch_count > 0)) {
		int r = run_hctx(sim, hctx);

		if (r < 0)
			return r;
	}
	return sim->backlog_count > 0 ? retry_backlog(sim) : 0;
}

/* --- the loop ----------------------------------------------------------------------- */

static int read_arrival(struct simulation *sim)
{
	int r = sim->next(sim->source, &sim->arrival, sim->diag);

	sim->has_arrival = r > 0;
	return r < 0 ? r : 0;
}

static uint64_t next_timer_ns(const struct simulation *sim)
{
	uint64_t next = sim->queue->elevator_timer_ns;

	for (unsigned i = 0; i < sim->queue->hw_queues; i++) {
		if (sim->queue->hctxs[i].delayed_run_ns < next)
			next = sim->queue->hctxs[i].delayed_run_ns;
	}
	return next;
}

static int run_timers(struct simulation *sim)
{
	struct sim_queue *queue = sim->queue;
	int r = 0;

	if (queue->elevator_timer_ns <= queue->now_ns)
		queue->ops->timer(queue);
	for (unsigned i = 0; i < queue->hw_queues && r == 0; i++) {
		if (queue->hctxs[i].delayed_run_ns > queue->now_ns)
			continue;
		queue->hctxs[i].delayed_run_ns = SIM_NEVER;
		r = run_hctx(sim, &queue->hctxs[i]);
	}
	return r;
}

/* All that completes now, then all that arrives now, then what that sets off. */
static int step(struct simulation *sim, uint64_t now_ns)
{
	struct sim_event event;
	int r = 0;

	sim->queue->now_ns = now_ns;
	while (r == 0 && event_queue_next_ns(&sim->events) <= now_ns) {
		event_queue_pop(&sim->events, &event);
		if (event.kind == SIM_EVENT_COMPLETE)
			r = complete(sim, event.object);
		else
			r = sim->media.ops->event(&sim->media, event.object, now_ns);
	}
	while (r == 0 && sim->has_arrival && sim->arrival.time_ns <= now_ns &&
	       sim->backlog_count < BACKLOG_MAX) {
		r = take_arrival(sim);
		if (r == 0)
			r = read_arrival(sim);
	}
	if (r == 0)
		r = flush_plug(sim);
	if (r == 0 && sim->is_held && now_ns >= sim->options->hold_ns) {
		sim->is_held = false;
		r = run_all(sim);
	}
	if (r == 0 && next_timer_ns(sim) <= now_ns)
		r = run_timers(sim);
	return r;
}

static int loop(struct simulation *sim)
{
	int r = read_arrival(sim);

	while (r == 0) {
		uint64_t next = event_queue_next_ns(&sim->events);

		if (sim->has_arrival && sim->arrival.time_ns < next &&
		    sim->backlog_count < BACKLOG_MAX)
			next = sim->arrival.time_ns;
		if (sim->is_held && (!sim->has_arrival || next >= sim->options->hold_ns))
			next = sim->options->hold_ns;
		/* A timer alone keeps nothing going but what waits for it. */
		if ((next != SIM_NEVER || sim->queue->waiting > 0) &&
		    next_timer_ns(sim) < next)
			next = next_timer_ns(sim);
		if (next == SIM_NEVER)
			break;
		if (next < sim->queue->now_ns)
			next = sim->queue->now_ns;
		r = step(sim, next);
	}
	return r;
}

static int set_up(struct simulation *sim)
{
	int r = sim_queue_new(&sim->options->queue, &sim->queue, sim->diag);

	if (r < 0)
		return r;
	sim->queue->on_run_wanted = run_wanted;
	sim->queue->context = sim->options->context;
	sim->is_none = strcmp(sim->queue->ops->name, "none") == 0;
	sim->is_held = sim->options->hold_ns > 0;
	null_media_init(&sim->media, &sim->null, sim->options->service_ns, &sim->events);
	return 0;
}

int simulate_run(simulate_source *next, void *source, const struct simulate_options *options,
		 struct simulate_result *ret, struct diag *diag)
{
	struct simulation sim = {
		.options = options,
		.result = ret,
		.next = next,
		.source = source,
		.diag = diag,
	};
	int r;

	memset(ret, 0, sizeof(*ret));
	event_queue_init(&sim.events);
	pool_init(&sim.ios, sizeof(struct sim_io));
	pool_init(&sim.waiting, sizeof(struct waiting_io));
	sim_list_init(&sim.plug);
	sim_list_init(&sim.backlog);
	r = set_up(&sim);
	if (r == 0)
		r = loop(&sim);
	if (r < 0)
		diag_set(diag, r, _("out of memory"));
	sim_queue_free(sim.queue);
	event_queue_done(&sim.events);
	pool_done(&sim.ios);
	pool_done(&sim.waiting);
	return r;
}
