/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulation's loop: arrivals, jobs, completions and timers in the order of time.
 * Reading a trace stops while too many I/Os wait for a tag, so that memory does not grow
 * with the trace.
 */
#include "sim/simulate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/simulate-internal.h"
#include "util/i18n.h"

/* I/Os that wait for a tag before reading stops. */
#define BACKLOG_MAX 65536

/* The generator's stream of who comes first. */
#define WORKERS_STREAM UINT64_C(0x776f726b657273)

/* Steps between two questions whether to stop. */
#define STEPS_UNTIL_ASKED 4096

/* --- timers ------------------------------------------------------------------------- */

static void run_wanted(void *context, struct sim_hctx *hctx)
{
	/* Not from within a hook of the scheduler: at the same time, but after it. */
	(void)context;
	hctx->queue->has_delayed_run = true;
	hctx->queue->has_wanted_run = true;
	if (hctx->delayed_run_ns > hctx->queue->now_ns)
		hctx->delayed_run_ns = hctx->queue->now_ns;
}

static void merged_away(struct sim_request *rq)
{
	simulate_free_tag(rq->owner, rq);
}

static int run_all(struct simulation *sim)
{
	int r = 0;

	for (unsigned d = 0; d < sim->device_count; d++) {
		struct sim_queue *queue = sim->devices[d].queue;

		for (unsigned i = 0; i < queue->hw_queues && r == 0; i++)
			r = simulate_run_hctx(&sim->devices[d], &queue->hctxs[i]);
	}
	return r;
}

/* A timer alone keeps nothing going but what waits for it. */
static uint64_t next_timer_ns(const struct simulation *sim, bool only_with_work)
{
	uint64_t next = SIM_NEVER;

	for (unsigned d = 0; d < sim->device_count; d++) {
		const struct sim_queue *queue = sim->devices[d].queue;

		if (only_with_work && !queue->waiting)
			continue;
		if (queue->elevator_timer_ns < next)
			next = queue->elevator_timer_ns;
		if (!queue->has_delayed_run)
			continue;
		for (unsigned i = 0; i < queue->hw_queues; i++) {
			if (queue->hctxs[i].delayed_run_ns < next)
				next = queue->hctxs[i].delayed_run_ns;
		}
	}
	return next;
}

int simulate_run_due(struct sim_device *device)
{
	struct sim_queue *queue = device->queue;
	unsigned first;
	int r = 0;

	/* What is armed meanwhile sets them again. */
	queue->has_delayed_run = false;
	queue->has_wanted_run = false;
	/* They run at the same time: each may be first. */
	first = (unsigned)sim_random_below(&device->random, queue->hw_queues);
	for (unsigned i = 0; i < queue->hw_queues && r == 0; i++) {
		struct sim_hctx *hctx =
			&queue->hctxs[(first + i) % queue->hw_queues];

		if (hctx->delayed_run_ns <= queue->now_ns) {
			hctx->delayed_run_ns = SIM_NEVER;
			r = simulate_run_hctx(device, hctx);
		}
		queue->has_delayed_run |= hctx->delayed_run_ns != SIM_NEVER;
	}
	return r;
}

static int run_device_timers(struct sim_device *device)
{
	struct sim_queue *queue = device->queue;

	simulate_enter(device->sim, 0, device->sim->now_ns);
	if (queue->elevator_timer_ns <= queue->now_ns)
		queue->ops->timer(queue);
	return simulate_run_due(device);
}

static int run_timers(struct simulation *sim)
{
	int r = 0;

	for (unsigned d = 0; d < sim->device_count && r == 0; d++)
		r = run_device_timers(&sim->devices[d]);
	return r;
}

/* --- the loop ----------------------------------------------------------------------- */

static void set_now(struct simulation *sim, uint64_t now_ns)
{
	sim->now_ns = now_ns;
	for (unsigned d = 0; d < sim->device_count; d++)
		sim->devices[d].queue->now_ns = now_ns;
}

static int handle_event(struct simulation *sim)
{
	struct sim_event event;
	struct sim_media *media;

	event_queue_pop(&sim->events, &event);
	simulate_enter(sim, 0, sim->now_ns);
	switch (event.kind) {
	case SIM_EVENT_COMPLETE:
		return simulate_complete(sim, event.object);
	case SIM_EVENT_JOB:
		return simulate_job_event(sim, event.object);
	default:
		media = &sim->devices[event.kind - SIM_EVENT_MEDIA].media;
		return media->ops->event(media, event.object, sim->now_ns);
	}
}

static int take_arrivals(struct simulation *sim)
{
	int r = 0;

	while (r == 0 && sim->has_arrival && sim->arrival.time_ns <= sim->now_ns &&
	       sim->backlog_count < BACKLOG_MAX) {
		r = simulate_take_arrival(sim);
		if (r == 0)
			r = simulate_read_arrival(sim);
	}
	for (unsigned d = 0; d < sim->device_count && r == 0; d++)
		r = simulate_flush_plug(&sim->devices[d]);
	return r;
}

/* Asked between events, so that one moment that never ends can be ended, too. */
static bool must_stop(struct simulation *sim, unsigned *steps)
{
	if (sim->result->is_partial)
		return true;
	if (!sim->options->should_stop || ++*steps < STEPS_UNTIL_ASKED)
		return false;
	*steps = 0;
	sim->result->is_partial =
		sim->options->should_stop(sim->options->context, sim->now_ns);
	return sim->result->is_partial;
}

/* All that completes now, then all that arrives now, then what that sets off. */
static int step(struct simulation *sim, unsigned *steps)
{
	int r = 0;

	while (r == 0 && event_queue_next_ns(&sim->events) <= sim->now_ns) {
		if (must_stop(sim, steps))
			return 0;
		r = handle_event(sim);
	}
	if (r == 0 && sim->next)
		r = take_arrivals(sim);
	if (r == 0 && sim->is_held && sim->now_ns >= sim->options->hold_ns) {
		sim->is_held = false;
		simulate_enter(sim, 0, sim->now_ns);
		r = run_all(sim);
	}
	if (r == 0 && next_timer_ns(sim, false) <= sim->now_ns)
		r = run_timers(sim);
	return r;
}

static uint64_t next_ns(const struct simulation *sim)
{
	uint64_t next = event_queue_next_ns(&sim->events), timer;

	if (sim->has_arrival && sim->arrival.time_ns < next &&
	    sim->backlog_count < BACKLOG_MAX)
		next = sim->arrival.time_ns;
	if (sim->is_held &&
	    ((sim->next && !sim->has_arrival) || next >= sim->options->hold_ns))
		next = sim->options->hold_ns;
	timer = next_timer_ns(sim, next == SIM_NEVER);
	return timer < next ? timer : next;
}

static int loop(struct simulation *sim)
{
	unsigned steps = 0;
	int r = simulate_read_arrival(sim);

	while (r == 0 && !must_stop(sim, &steps)) {
		uint64_t next = next_ns(sim);

		if (next == SIM_NEVER)
			break;
		set_now(sim, next < sim->now_ns ? sim->now_ns : next);
		r = step(sim, &steps);
	}
	return r;
}

/* --- beginning and end -------------------------------------------------------------- */

void sim_medium_to_queue(const struct sim_medium *medium, struct sim_queue_config *queue)
{
	queue->hw_queues = medium->hw_queues;
	queue->hw_depth = medium->hw_depth;
	queue->zone_sectors = medium->zone_sectors;
	queue->capacity_sectors = medium->capacity_sectors;
	queue->is_nonrotational = !medium->is_rotational;
}

static int set_up_device(struct simulation *sim, unsigned index,
			 const struct sim_medium *medium)
{
	const struct simulate_options *options = sim->options;
	struct sim_device *device = &sim->devices[index];
	int r;

	device->sim = sim;
	device->index = index;
	sim_random_init(&device->random, options->seed + index, WORKERS_STREAM);
	sim_list_init(&device->plug);
	r = sim_queue_new(&options->queue, &device->queue, sim->diag);
	if (r < 0)
		return r;
	device->queue->on_run_wanted = run_wanted;
	device->queue->on_merged_away = merged_away;
	device->queue->context = options->context;
	device->is_none = strcmp(device->queue->ops->name, "none") == 0;
	device->tags = calloc(device->queue->hw_queues, sizeof(device->tags[0]));
	if (!device->tags)
		return -ENOMEM;
	for (unsigned i = 0; i < device->queue->hw_queues; i++) {
		for (unsigned k = 0; k < SIM_TAG_LINES_MAX; k++)
			sim_list_init(&device->tags[i].lines[k].waiting);
		for (unsigned k = 0; k < ARRAY_SIZE(device->tags[i].maps) && r == 0; k++)
			r = tag_map_init(&device->tags[i].maps[k], device->queue->nr_requests,
					 device->queue->cpus,
					 device->queue->kernel.has[SIM_LIMIT_IS_OF_ALL]);
	}
	if (r < 0)
		return r;
	r = sim_media_init(&device->media, medium, options->seed + index, &sim->events,
			   sim->diag);
	device->media.event_kind = SIM_EVENT_MEDIA + index;
	return r;
}

static int set_up(struct simulation *sim)
{
	const struct simulate_options *options = sim->options;
	struct sim_medium null;
	const struct sim_medium *medium = options->medium;
	int r = 0;

	if (!medium) {
		sim_medium_null(&null, options->service_ns);
		medium = &null;
	}
	sim->capacity_sectors = medium->capacity_sectors;
	sim->is_held = options->hold_ns > 0;
	sim->device_count = options->devices ? options->devices : 1;
	if (sim->device_count > SIM_DEVICES_MAX)
		return diag_set(sim->diag, -ERANGE, _("1 to %d devices can be simulated"),
				SIM_DEVICES_MAX);
	sim->devices = calloc(sim->device_count, sizeof(sim->devices[0]));
	if (!sim->devices)
		return -ENOMEM;
	for (unsigned i = 0; i < sim->device_count && r == 0; i++) {
		bool is_last = i == sim->device_count - 1 && options->last_medium;

		r = set_up_device(sim, i, is_last ? options->last_medium : medium);
	}
	if (r < 0 || !options->machine)
		return r;
	r = sim_processors_init(&sim->processors, options->machine);
	if (r == -ERANGE)
		return diag_set(sim->diag, r, _("1 to 1024 processors can be simulated"));
	if (r < 0)
		return r;
	sim->run_queues = calloc(options->machine->processors, sizeof(sim->run_queues[0]));
	if (!sim->run_queues)
		return -ENOMEM;
	sim->has_processors = true;
	sim->cost = sim_cost_find(options->queue.scheduler);
	return r;
}

static void sum_up(struct simulation *sim)
{
	struct simulate_result *result = sim->result;

	for (unsigned i = 0; i < sim->device_count; i++) {
		const struct sim_media_stats *stats = &sim->devices[i].media.stats;

		result->media.travel_sectors += stats->travel_sectors;
		result->media.seeks += stats->seeks;
		result->media.cache_hits += stats->cache_hits;
		result->media.zone_errors += stats->zone_errors;
		result->media.busy_ns += stats->busy_ns;
	}
	result->busy_ns = sim->processors.busy_ns;
	result->lock_wait_ns = sim->processors.wait_ns;
	if (sim->jobs)
		simulate_finish_jobs(sim);
}

static void free_tags(struct sim_device *device)
{
	for (unsigned i = 0; device->tags && i < device->queue->hw_queues; i++) {
		for (unsigned k = 0; k < ARRAY_SIZE(device->tags[i].maps); k++)
			tag_map_done(&device->tags[i].maps[k]);
	}
	free(device->tags);
}

static void tear_down(struct simulation *sim)
{
	for (unsigned i = 0; sim->devices && i < sim->device_count; i++) {
		free_tags(&sim->devices[i]);
		sim_queue_free(sim->devices[i].queue);
		sim_media_done(&sim->devices[i].media);
	}
	free(sim->devices);
	free(sim->jobs);
	sim_processors_done(&sim->processors);
	free(sim->run_queues);
	event_queue_done(&sim->events);
	pool_done(&sim->ios);
	pool_done(&sim->waiting);
}

static int run(struct simulation *sim)
{
	int r;

	memset(sim->result, 0, sizeof(*sim->result));
	sim->result->begin_ns = sim->options->warmup_ns;
	sim->result->fairness = 1;
	event_queue_init(&sim->events);
	pool_init(&sim->ios, sizeof(struct sim_io));
	pool_init(&sim->waiting, sizeof(struct waiting_io));
	r = set_up(sim);
	if (r == 0 && sim->workload)
		r = simulate_start_jobs(sim);
	if (r == 0)
		r = loop(sim);
	if (r == 0)
		sum_up(sim);
	if (r < 0)
		diag_set(sim->diag, r, _("out of memory"));
	tear_down(sim);
	return r;
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

	return run(&sim);
}

int simulate_jobs(const struct workload *workload, const struct simulate_options *options,
		  struct simulate_result *ret, struct diag *diag)
{
	struct simulation sim = {
		.options = options,
		.result = ret,
		.workload = workload,
		.diag = diag,
	};

	return run(&sim);
}

void simulate_result_done(struct simulate_result *result)
{
	free(result->groups);
	result->groups = NULL;
	result->group_count = 0;
}
