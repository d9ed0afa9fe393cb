/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device that serves one request after the other, and processes that keep it busy: what
 * the tests of bfq measure shares and waits on.
 */
#ifndef IOSCHED_TESTS_BFQ_FIXTURE_H
#define IOSCHED_TESTS_BFQ_FIXTURE_H

#include "sim-fixture.h"

#include "sim/elevators/bfq.h"

#define JOBS_MAX   16
#define MB_SECTORS 2048

/* A process in a closed loop: so many requests at once, each followed by the next. */
struct bfq_job {
	uint32_t pid;
	enum sim_op op;
	enum sim_class class;
	unsigned level, depth, sectors;
	uint64_t at, step; /* next sector, and how far the one after it lies */
	uint64_t think_ns; /* from a completion to the next request */
	uint64_t done_sectors, done;
	uint64_t waited_ns;   /* by all requests, from submission to completion */
	uint64_t wake_ns[32]; /* SIM_NEVER: nothing to submit in this place */
};

struct bfq_device {
	struct sim_queue *queue;
	struct bfq_job *jobs;
	size_t job_count;
	uint64_t service_ns; /* of every request */
	struct sim_request *flying[64];
	uint64_t ends_ns[64];
	unsigned flying_count;
	bool wants_run;
};

static inline void bfq_device_wants_run(void *context, struct sim_hctx *hctx)
{
	struct bfq_device *device = context;

	(void)hctx;
	device->wants_run = true;
}

static inline struct sim_queue *bfq_fixture(unsigned major, unsigned minor,
					    unsigned depth, bool is_flash,
					    const struct sim_setting *settings,
					    size_t count)
{
	const struct sim_queue_config config = {
		.kernel = { major, minor, 0 },
		.scheduler = "bfq",
		.settings = settings,
		.setting_count = count,
		.hw_depth = depth,
		.hw_queues = 1,
		.cpus = 1,
		.nr_requests = 256,
		.hz = 1000,
		.is_nonrotational = is_flash,
	};
	struct sim_queue *queue = NULL;
	struct diag diag = { 0 };

	if (sim_queue_new(&config, &queue, &diag))
		fail_msg("no queue: %s", diag.text);
	/* Time zero is special to nothing, but leave it all the same. */
	queue->now_ns = 1000 * MS;
	return queue;
}

static inline struct sim_request *bfq_submit(struct sim_queue *queue, uint32_t pid,
					     char op, uint64_t sector, unsigned sectors)
{
	struct sim_request *rq = fixture_request(queue, op, sector);

	rq->pid = pid;
	rq->sectors = sectors;
	rq->level = BFQ_LEVEL_DEFAULT;
	assert_int_equal(sim_queue_insert(queue, rq), 0);
	return rq;
}

/* The scheduler's next request, which is the driver's from now on; NULL: none. */
static inline struct sim_request *bfq_take(struct sim_queue *queue)
{
	struct sim_request *rq = queue->ops->dispatch_request(&queue->hctxs[0]);

	if (!rq)
		return NULL;
	queue->waiting--;
	rq->state = SIM_STATE_ISSUED;
	queue->hctxs[0].in_flight++;
	return rq;
}

static inline void bfq_done(struct sim_queue *queue, struct sim_request *rq)
{
	sim_queue_complete(queue, rq);
	sim_request_free(queue, rq);
}

static inline struct bfq_queue *bfq_sync_queue(struct sim_queue *queue, uint32_t pid)
{
	static struct bfq_queue none;
	struct bfq_process *process = bfq_find_process(bfq_of(queue), pid);

	if (process && process->sync)
		return process->sync;
	fail_msg("process %u has no queue", pid);
	return &none;
}

/* --- the loop ------------------------------------------------------------------------ */

static inline void bfq_device_issue(struct bfq_device *device)
{
	struct sim_hctx *hctx = &device->queue->hctxs[0];
	struct sim_request *rq;

	device->wants_run = false;
	sim_hctx_run(hctx, true);
	while ((rq = sim_hctx_next(hctx))) {
		uint64_t begin = device->queue->now_ns;

		if (device->flying_count > 0 &&
		    device->ends_ns[device->flying_count - 1] > begin)
			begin = device->ends_ns[device->flying_count - 1];
		device->flying[device->flying_count] = rq;
		device->ends_ns[device->flying_count++] = begin + device->service_ns;
		sim_hctx_issue(hctx);
	}
}

static inline void bfq_device_submit(struct bfq_device *device, struct bfq_job *job)
{
	for (unsigned i = 0; i < job->depth; i++) {
		struct sim_request *rq;

		if (job->wake_ns[i] > device->queue->now_ns)
			continue;
		job->wake_ns[i] = SIM_NEVER;
		rq = sim_request_new(device->queue, job->op, job->at, job->sectors);
		assert_non_null(rq);
		rq->pid = job->pid;
		rq->class = (uint8_t)job->class;
		rq->level = (uint8_t)job->level;
		rq->owner = job;
		rq->token = (uint16_t)i;
		job->at += job->step;
		assert_int_equal(sim_queue_insert(device->queue, rq), 0);
		device->wants_run = true;
	}
}

static inline void bfq_device_complete(struct bfq_device *device)
{
	struct sim_request *rq = device->flying[0];
	struct bfq_job *job = rq->owner;

	device->flying_count--;
	memmove(device->flying, device->flying + 1,
		device->flying_count * sizeof(device->flying[0]));
	memmove(device->ends_ns, device->ends_ns + 1,
		device->flying_count * sizeof(device->ends_ns[0]));
	job->done_sectors += rq->sectors;
	job->done++;
	job->waited_ns += device->queue->now_ns - rq->start_ns;
	job->wake_ns[rq->token] = device->queue->now_ns + job->think_ns;
	bfq_done(device->queue, rq);
	device->wants_run = true;
}

static inline uint64_t bfq_device_next_ns(const struct bfq_device *device)
{
	uint64_t next = device->queue->elevator_timer_ns;

	if (device->queue->hctxs[0].delayed_run_ns < next)
		next = device->queue->hctxs[0].delayed_run_ns;
	if (device->flying_count > 0 && device->ends_ns[0] < next)
		next = device->ends_ns[0];
	for (size_t j = 0; j < device->job_count; j++) {
		for (unsigned i = 0; i < device->jobs[j].depth; i++) {
			if (device->jobs[j].wake_ns[i] < next)
				next = device->jobs[j].wake_ns[i];
		}
	}
	return next;
}

/* Lets the processes run for so long. */
static inline void bfq_device_run(struct bfq_device *device, uint64_t for_ns)
{
	struct sim_queue *queue = device->queue;
	uint64_t end = queue->now_ns + for_ns, next;

	queue->on_run_wanted = bfq_device_wants_run;
	queue->context = device;
	while ((next = bfq_device_next_ns(device)) <= end) {
		if (next > queue->now_ns)
			queue->now_ns = next;
		if (queue->elevator_timer_ns <= queue->now_ns)
			queue->ops->timer(queue);
		if (queue->hctxs[0].delayed_run_ns <= queue->now_ns)
			device->wants_run = true;
		while (device->flying_count > 0 && device->ends_ns[0] <= queue->now_ns)
			bfq_device_complete(device);
		for (size_t j = 0; j < device->job_count; j++)
			bfq_device_submit(device, &device->jobs[j]);
		while (device->wants_run)
			bfq_device_issue(device);
	}
	queue->now_ns = end;
}

#endif
