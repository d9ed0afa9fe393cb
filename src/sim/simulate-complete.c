/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Completion: what is counted, whose tag is free, and who goes on. */
#include "sim/simulate-internal.h"

static void count_direction(struct simulate_direction *directions,
			    struct simulate_direction *flushes, const struct sim_io *io,
			    uint64_t latency_ns)
{
	struct simulate_direction *direction = io->sectors ? &directions[io->dir] : flushes;

	direction->ios++;
	direction->sectors += io->sectors;
	histogram_add(&direction->latency_ns, latency_ns);
}

static void count_io(struct simulation *sim, const struct sim_io *io, uint64_t done_ns)
{
	struct simulate_result *result = sim->result;
	struct running_job *job = io->owner;
	uint64_t latency_ns = done_ns - io->arrival_ns;

	if (done_ns < sim->options->warmup_ns)
		return;
	if (!job) {
		count_direction(result->directions, &result->flushes, io, latency_ns);
	} else {
		/* The whole is added up at the end. */
		struct simulate_group *group = &result->groups[job->group];

		count_direction(group->directions, &group->flushes, io, latency_ns);
		if (group->end_ns < done_ns)
			group->end_ns = done_ns;
		job->sectors += io->sectors;
		job->end_ns = done_ns;
	}
	if (result->end_ns < done_ns)
		result->end_ns = done_ns;
}

static void tell(const struct simulation *sim, const struct sim_io *io, uint64_t done_ns)
{
	const struct simulate_options *options = sim->options;
	const struct sim_queue *queue = sim->devices[io->device].queue;
	const struct running_job *job = io->owner;
	struct simulate_completion completion = {
		.time_ns = done_ns,
		.arrival_ns = io->arrival_ns,
		.dir = io->dir,
		.sectors = io->sectors,
		.group = job ? job->group : 0,
		.device = io->device,
		.waiting = queue->waiting,
	};

	for (unsigned i = 0; i < queue->hw_queues; i++) {
		completion.in_flight += queue->hctxs[i].in_flight;
		completion.waiting += queue->hctxs[i].dispatch_count;
	}
	options->on_complete(options->context, &completion);
}

void simulate_answer(struct simulation *sim, struct sim_io *io, uint64_t done_ns)
{
	count_io(sim, io, done_ns);
	if (sim->options->on_complete)
		tell(sim, io, done_ns);
	pool_give(&sim->ios, io);
}

/* The processor that submitted gets the interrupt; when the process has its answer. */
static uint64_t answer_ns(struct sim_device *device, const struct sim_request *rq)
{
	struct simulation *sim = device->sim;
	unsigned cpu;

	if (!sim->has_processors)
		return sim->now_ns;
	cpu = rq->cpu % sim->processors.machine.processors;
	simulate_enter(sim, cpu,
		       sim_processor_interrupt(&sim->processors, cpu, sim->now_ns,
					       sim->cost->complete_ns));
	simulate_charge_lock(device, sim->cost->complete_lock_ns);
	return sim->at_ns;
}

static int give_back(struct simulation *sim, const struct sim_device *device,
		     enum sim_dir dir, struct sim_io *ios, uint64_t done_ns)
{
	int r = 0;

	while (ios) {
		struct sim_io *io = ios;

		ios = io->next;
		io->device = (uint16_t)device->index;
		io->dir = (uint8_t)dir;
		io->done_ns = done_ns;
		if (io->owner && r == 0)
			r = simulate_job_completed(sim, io->owner, io);
		else
			simulate_answer(sim, io, done_ns);
	}
	return r;
}

int simulate_complete(struct simulation *sim, struct sim_request *rq)
{
	struct sim_device *device = rq->owner;
	struct sim_hctx *hctx = sim_hctx_of(device->queue, rq);
	struct sim_tags *tags = &device->tags[rq->hctx];
	struct sim_io *ios = rq->ios;
	enum sim_dir dir = rq->dir;
	uint64_t done_ns = answer_ns(device, rq);
	bool runs = sim_queue_complete(device->queue, rq);
	int r = sim_media_completed(&device->media, sim->now_ns);

	simulate_free_tag(device, rq);
	sim_request_free(device->queue, rq);
	/* Who waited for what came free is before this hardware queue and its processes. */
	if (r == 0 && device->queue->has_wanted_run)
		r = simulate_run_due(device);
	if (r == 0 && runs && (device->queue->waiting > 0 || hctx->dispatch_count > 0))
		r = simulate_run_hctx(device, hctx);
	if (r == 0)
		r = give_back(sim, device, dir, ios, done_ns);
	if (r == 0 && sim->backlog_count > 0)
		r = simulate_retry_backlog(device, tags);
	return r;
}
