/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulation's loop: arrivals, completions and timers in the order of time. Reading
 * stops while too many I/Os wait for a tag, so that memory does not grow with the trace.
 */
#include "sim/simulate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/simulate-internal.h"
#include "util/i18n.h"

/* I/Os that wait for a tag before reading stops. */
#define BACKLOG_MAX 65536

/* --- issuing ------------------------------------------------------------------------ */

int simulate_issue(struct simulation *sim, struct sim_request *rq, unsigned waiting)
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
int simulate_run_hctx(struct simulation *sim, struct sim_hctx *hctx)
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
				r = simulate_issue(sim, rq,
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
		r = simulate_run_hctx(sim, &sim->queue->hctxs[i]);
	return r;
}

static void run_wanted(void *context, struct sim_hctx *hctx)
{
	/* Not from within a hook of the scheduler: at the same time, but after it. */
	(void)context;
	if (hctx->delayed_run_ns > hctx->queue->now_ns)
		hctx->delayed_run_ns = hctx->queue->now_ns;
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
		int r = simulate_run_hctx(sim, hctx);

		if (r < 0)
			return r;
	}
	return sim->backlog_count > 0 ? simulate_retry_backlog(sim) : 0;
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
		r = simulate_run_hctx(sim, &queue->hctxs[i]);
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
		r = simulate_take_arrival(sim);
		if (r == 0)
			r = read_arrival(sim);
	}
	if (r == 0)
		r = simulate_flush_plug(sim);
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
	struct sim_medium medium;
	int r = sim_queue_new(&sim->options->queue, &sim->queue, sim->diag);

	if (r < 0)
		return r;
	sim->queue->on_run_wanted = run_wanted;
	sim->queue->context = sim->options->context;
	sim->is_none = strcmp(sim->queue->ops->name, "none") == 0;
	sim->is_held = sim->options->hold_ns > 0;
	sim_medium_null(&medium, sim->options->service_ns);
	return sim_media_init(&sim->media, &medium, 0, &sim->events, sim->diag);
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
	sim_media_done(&sim.media);
	event_queue_done(&sim.events);
	pool_done(&sim.ios);
	pool_done(&sim.waiting);
	return r;
}
