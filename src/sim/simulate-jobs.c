/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs: each submits while it has fewer I/Os in flight than its depth, pauses, waits for a
 * flush, and blocks when there is no tag. A job that may submit has one event in the queue,
 * at the time at which its processor is through with the submission.
 */
#include "sim/simulate-internal.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "util/i18n.h"

/* The first process number; writeback's are apart. */
#define PID_FIRST   1000
#define PID_FLUSHER 1000000

/* io_uring(7), IORING_REGISTER_IOWQ_MAX_WORKERS: bounded workers of a ring. */
#define IO_WORKERS_PER_PROCESSOR 4

/* --- scheduling ----------------------------------------------------------------------- */

static bool may_submit(struct running_job *running)
{
	if (running->is_done || running->is_blocked || running->is_scheduled)
		return false;
	if (running->is_flushing)
		return running->has_next && running->in_flight == 0;
	/* It thinks about what it got: when it has it. */
	if (running->think_ns && running->in_flight > 0)
		return false;
	return job_room(&running->job, running->in_flight) > 0;
}

/*
 * The job's next submission begins at `at_ns` or when its processor has time. The processor
 * is taken now when it would be busy until then, and otherwise when the event is due: what
 * happens meanwhile goes first.
 */
static int schedule(struct simulation *sim, struct running_job *running, uint64_t at_ns)
{
	if (!may_submit(running))
		return 0;
	if (at_ns < running->due_ns)
		at_ns = running->due_ns;
	if (at_ns <= sim->now_ns)
		simulate_place(sim, running);
	running->is_paid = sim->has_processors &&
			   (at_ns <= sim->now_ns ||
			    at_ns <= sim->processors.free_ns[running->cpu]);
	if (running->is_paid)
		at_ns = sim_processor_work(&sim->processors, running->cpu, at_ns,
					   sim->cost->submit_ns);
	simulate_want_processor(sim, running);
	return simulate_push_job(sim, running, at_ns);
}

static int begin(struct simulation *sim, struct running_job *running)
{
	running->begin_ns = sim->now_ns + running->job.spec->start_ns;
	running->due_ns = running->turn_ns = running->begin_ns;
	return schedule(sim, running, running->begin_ns);
}

/* The jobs of the lowest stage that has not begun; none is left at the end. */
static int begin_stage(struct simulation *sim)
{
	unsigned stage = UINT_MAX;
	int r = 0;

	for (unsigned i = 0; i < sim->job_count; i++) {
		unsigned of = sim->jobs[i].job.spec->stage;

		if (!sim->jobs[i].has_begun && of < stage)
			stage = of;
	}
	for (unsigned i = 0; i < sim->job_count && r == 0; i++) {
		struct running_job *running = &sim->jobs[i];

		if (running->has_begun || running->job.spec->stage != stage)
			continue;
		running->has_begun = true;
		sim->stage_left++;
		r = begin(sim, running);
	}
	return r;
}

/* It submits nothing more, and all that it submitted is back. */
static int leave_when_done(struct simulation *sim, struct running_job *running)
{
	if (!running->is_done || running->in_flight > 0 || running->has_left)
		return 0;
	running->has_left = true;
	return --sim->stage_left > 0 ? 0 : begin_stage(sim);
}

/* When its time is over. */
static uint64_t time_limit_ns(const struct simulation *sim, const struct running_job *running)
{
	uint64_t of_all = sim->options->runtime_ns, own = running->job.spec->runtime_ns;

	of_all = of_all ? of_all : SIM_NEVER;
	own = own ? running->begin_ns + own : SIM_NEVER;
	return own < of_all ? own : of_all;
}

/* What it did took until then, though its last I/O came back before: it paused. */
static void took_until(struct simulation *sim, struct running_job *running, uint64_t end_ns)
{
	struct simulate_group *group = &sim->result->groups[running->group];

	if (running->end_ns < end_ns)
		running->end_ns = end_ns;
	if (group->end_ns < end_ns)
		group->end_ns = end_ns;
	if (sim->result->end_ns < end_ns)
		sim->result->end_ns = end_ns;
}

static bool is_over(struct simulation *sim, struct running_job *running)
{
	uint64_t limit_ns = time_limit_ns(sim, running);

	if (sim->now_ns >= limit_ns) {
		took_until(sim, running, limit_ns);
		return true;
	}
	return sim->options->ios_max && sim->submitted >= sim->options->ios_max;
}

static struct sim_device *pick_device(struct simulation *sim, struct running_job *running)
{
	if (!running->job.spec->spreads_devices)
		return &sim->devices[running->job.spec->device];
	return &sim->devices[running->next_device++ % sim->device_count];
}

static int submit_next(struct simulation *sim, struct running_job *running,
		       struct sim_device **ret)
{
	struct sim_device *device = pick_device(sim, running);
	const struct job_io *next = &running->next;
	struct sim_bio bio = {
		.op = next->op,
		.flags = next->flags,
		.sector = next->sector,
		.sectors = next->sectors,
		.cpu = running->cpu % device->queue->cpus,
		.pid = running->pid,
		.class = (uint8_t)running->job.spec->class,
		.level = running->job.spec->level,
	};
	struct sim_io *io = pool_take(&sim->ios);
	int r;

	if (!io)
		return -ENOMEM;
	*io = (struct sim_io){
		/* Open loop: what is late for want of a place has waited since. */
		.arrival_ns = running->job.spec->rate_iops > 0 && next->op != SIM_FLUSH
				      ? running->due_ns
				      : sim->now_ns,
		.owner = running,
		.sectors = next->sectors,
	};
	*ret = device;
	running->has_next = false;
	running->in_flight++;
	sim->submitted++;
	r = simulate_submit(device, &bio, io);
	if (r == 0)
		running->is_blocked = !running->job.spec->never_blocks;
	return r < 0 ? r : 0;
}

/* 1: `next` holds what it does now; 0: nothing now. */
static int fetch_next(struct simulation *sim, struct running_job *running)
{
	if (!running->has_next) {
		if (is_over(sim, running) || job_next(&running->job, &running->next) == 0) {
			running->is_done = true;
			running->has_next = false;
			return 0;
		}
		running->has_next = true;
		running->is_flushing = running->next.waits_for_all;
	}
	return !running->is_flushing || running->in_flight == 0;
}

/* --- answers -------------------------------------------------------------------------- */

/* The job has the oldest answer at `at_ns`. */
static void take_answer(struct simulation *sim, struct running_job *running, uint64_t at_ns)
{
	struct sim_io *io = running->answers;

	running->answers = io->next;
	running->in_flight--;
	/* The flush itself is done, or the last that it waited for. */
	if (running->is_flushing && !running->has_next)
		running->is_flushing = false;
	if (running->think_ns && running->in_flight == 0) {
		running->due_ns = at_ns + running->think_ns;
		running->think_ns = 0;
	}
	simulate_answer(sim, io, at_ns);
}

static void take_answers(struct simulation *sim, struct running_job *running)
{
	while (running->answers)
		take_answer(sim, running, running->answers->done_ns);
}

/*
 * A job that runs, when its processor lets it, fetches what came back until then. One that
 * slept is behind with it, and fetches no more than it needs to go on, as fio does, which asks
 * for as few as it may: each answer waits until those before it have been replaced.
 */
static void fetch_answers(struct simulation *sim, struct running_job *running)
{
	uint64_t ran_ns = sim->now_ns -
			  sim_processor_cost(&sim->processors, sim->cost->submit_ns);

	while (running->answers && running->answers->done_ns <= ran_ns &&
	       !(running->is_behind && job_room(&running->job, running->in_flight) > 0))
		take_answer(sim, running, ran_ns);
	running->is_behind = running->is_behind && running->answers;
}

/* It submits as soon as it has an answer: nothing else holds it back. */
static bool is_running(const struct simulation *sim, const struct running_job *running)
{
	return sim->has_processors && !running->is_done && !running->is_blocked &&
	       !running->is_flushing && !running->think_ns &&
	       !(running->job.spec->rate_iops > 0);
}

/* Writes that nobody waits for: the interrupt ends them, and no process fetches anything. */
static bool is_writeback(const struct job_spec *spec)
{
	return spec->read_percent < 100 && !spec->is_sync;
}

/* In the kernel, until there is a tag: it fetches nothing meanwhile. */
static bool is_asleep(const struct simulation *sim, const struct running_job *running)
{
	return sim->has_processors && running->is_blocked && !is_writeback(running->job.spec);
}

static void add_answer(struct running_job *running, struct sim_io *io)
{
	io->next = NULL;
	if (running->answers)
		running->answers_last->next = io;
	else
		running->answers = io;
	running->answers_last = io;
}

/* Its processor comes to the oldest answer. */
static int wait_for_answer(struct simulation *sim, struct running_job *running)
{
	running->is_paid = true;
	simulate_want_processor(sim, running);
	return simulate_push_job(sim, running,
				 sim_processor_work(&sim->processors, running->cpu,
						    running->answers->done_ns,
						    sim->cost->submit_ns));
}

/* It is on its processor at `at_ns`, and submits. */
static int keep_processor(struct simulation *sim, struct running_job *running, uint64_t at_ns)
{
	running->is_paid = true;
	simulate_want_processor(sim, running);
	return simulate_push_job(sim, running,
				 sim_processor_go_on(&sim->processors, running->cpu, at_ns,
						     sim->cost->submit_ns));
}

/* It slept until its answer came. */
static int wake_up(struct simulation *sim, struct running_job *running)
{
	simulate_place(sim, running);
	if (!simulate_goes_first(sim, running))
		return wait_for_answer(sim, running);
	return keep_processor(sim, running,
			      simulate_next_turn(sim, running, running->answers->done_ns));
}

int simulate_job_completed(struct simulation *sim, struct running_job *running,
			   struct sim_io *io)
{
	int r;

	add_answer(running, io);
	if (is_asleep(sim, running))
		return 0;
	if (is_running(sim, running))
		return running->is_scheduled ? 0 : wake_up(sim, running);
	take_answers(sim, running);
	r = schedule(sim, running, sim->now_ns);
	return r < 0 ? r : leave_when_done(sim, running);
}

int simulate_job_unblocked(struct simulation *sim, struct running_job *running)
{
	running->is_blocked = false;
	running->is_behind = running->answers;
	if (is_running(sim, running) && !may_submit(running) && running->answers)
		take_answer(sim, running, sim->at_ns);
	while (running->answers && !is_running(sim, running))
		take_answer(sim, running, sim->at_ns);
	return schedule(sim, running, sim->at_ns);
}

/* --- submission ----------------------------------------------------------------------- */

/* At a rate, reads and writes have their turns; a flush is due with the write before it. */
static void set_due(struct running_job *running)
{
	if (running->job.spec->rate_iops > 0) {
		if (running->next.op != SIM_FLUSH)
			running->turn_ns += job_gap_ns(&running->job);
		if (!job_flushes_next(&running->job))
			running->due_ns = running->turn_ns;
	} else {
		running->think_ns += job_think_ns(&running->job);
	}
}

/* A job that has more to submit keeps its processor. */
static int go_on(struct simulation *sim, struct running_job *running)
{
	if (is_asleep(sim, running))
		return 0;
	if (!is_running(sim, running)) {
		take_answers(sim, running);
		return schedule(sim, running, sim->at_ns);
	}
	running->ran_ns = sim->at_ns;
	if (!may_submit(running))
		return running->answers ? wait_for_answer(sim, running) : 0;
	return keep_processor(sim, running, sim->at_ns);
}

int simulate_job_event(struct simulation *sim, struct running_job *running)
{
	unsigned batch = running->job.spec->batch ? running->job.spec->batch : 1;
	struct sim_device *device = NULL, *last = NULL;
	uint64_t paid_ns = 0;
	int r = 0;

	/* Its processor still runs another, or stands at a lock: it cannot be here yet. */
	if (running->is_paid && simulate_must_wait(sim, running))
		return simulate_push_job(sim, running,
					 simulate_next_turn(sim, running, sim->now_ns));
	simulate_got_processor(sim, running);
	if (running->is_paid)
		paid_ns = sim_processor_cost(&sim->processors, sim->cost->submit_ns);
	if (running->is_paid && job_room(&running->job, running->in_flight) == 0)
		fetch_answers(sim, running);
	if (!running->is_paid)
		simulate_place(sim, running);
	simulate_enter(sim, running->cpu, sim->now_ns);
	if (sim->has_processors && !running->is_paid)
		sim->at_ns = sim_processor_work(&sim->processors, running->cpu, sim->now_ns,
						sim->cost->submit_ns);
	for (unsigned i = 0; i < batch && r == 0; i++) {
		if (!may_submit(running) || (i > 0 && running->due_ns > sim->now_ns) ||
		    !fetch_next(sim, running))
			break;
		last = device;
		r = submit_next(sim, running, &device);
		if (r == 0 && last && last != device)
			r = simulate_flush_plug(last);
		set_due(running);
	}
	if (r == 0 && device)
		r = simulate_flush_plug(device);
	if (sim->has_processors)
		simulate_charge_job(sim, running, sim->at_ns - sim->now_ns + paid_ns);
	if (r == 0)
		r = go_on(sim, running);
	return r < 0 ? r : leave_when_done(sim, running);
}

/* --- beginning and end ------------------------------------------------------------------ */

static unsigned group_of(struct simulate_result *result, const struct job_spec *spec)
{
	size_t i = 0;

	while (i < result->group_count && strcmp(result->groups[i].name, spec->name) != 0)
		i++;
	if (i == result->group_count) {
		memcpy(result->groups[i].name, spec->name, sizeof(spec->name));
		result->group_count++;
	}
	result->groups[i].jobs += spec->numjobs;
	return (unsigned)i;
}

static int count_jobs(struct simulation *sim)
{
	const struct workload *workload = sim->workload;
	uint64_t count = 0;

	for (size_t i = 0; i < workload->job_count; i++) {
		count += workload->jobs[i].numjobs;
		if (workload->jobs[i].device >= sim->device_count)
			return diag_set(sim->diag, -EINVAL,
					_("job \"%s\" goes to device %u of %u"),
					workload->jobs[i].name, workload->jobs[i].device + 1,
					sim->device_count);
	}
	if (count < 1 || count > SIM_JOBS_MAX)
		return diag_set(sim->diag, -EINVAL, _("a workload has 1 to %u jobs, not %llu"),
				SIM_JOBS_MAX, (unsigned long long)count);
	sim->job_count = (unsigned)count;
	return 0;
}

static int set_up_job(struct simulation *sim, struct running_job *running, size_t row,
		     unsigned instance, unsigned number)
{
	const struct job_spec *spec = &sim->workload->jobs[row];
	unsigned processors = sim->has_processors ? sim->processors.machine.processors :
						    sim->devices[0].queue->cpus;
	int r = job_init(&running->job, spec, instance, sim->capacity_sectors,
			 sim->options->seed, sim->diag);

	if (r < 0)
		return r;
	running->pid = spec->shares_pid ? PID_FLUSHER + (uint32_t)row : PID_FIRST + number;
	running->cpu = (spec->cpu >= 0 ? (unsigned)spec->cpu : number) % processors;
	running->next_device = number;
	sim_list_init(&running->unattended);
	if (spec->never_blocks)
		running->workers = IO_WORKERS_PER_PROCESSOR * processors;
	return 0;
}

int simulate_start_jobs(struct simulation *sim)
{
	const struct workload *workload = sim->workload;
	unsigned number = 0;
	int r = count_jobs(sim);

	if (r < 0)
		return r;
	sim->jobs = calloc(sim->job_count, sizeof(sim->jobs[0]));
	sim->result->groups = calloc(workload->job_count, sizeof(sim->result->groups[0]));
	if (!sim->jobs || !sim->result->groups)
		return -ENOMEM;
	sim->result->jobs = sim->job_count;
	for (size_t row = 0; row < workload->job_count && r == 0; row++) {
		unsigned group = group_of(sim->result, &workload->jobs[row]);

		for (unsigned i = 0; i < workload->jobs[row].numjobs && r == 0; i++) {
			sim->jobs[number].group = group;
			r = set_up_job(sim, &sim->jobs[number], row, i, number);
			number++;
		}
	}
	return r < 0 ? r : begin_stage(sim);
}

static void add_part(struct simulate_direction *whole, const struct simulate_direction *part)
{
	whole->ios += part->ios;
	whole->sectors += part->sectors;
	histogram_merge(&whole->latency_ns, &part->latency_ns);
}

static void add_up(struct simulate_result *result)
{
	for (size_t i = 0; i < result->group_count; i++) {
		const struct simulate_group *group = &result->groups[i];

		for (unsigned dir = 0; dir < SIM_DIRS; dir++)
			add_part(&result->directions[dir], &group->directions[dir]);
		add_part(&result->flushes, &group->flushes);
	}
}

/* Jain: the square of the sum over n times the sum of the squares. */
void simulate_finish_jobs(struct simulation *sim)
{
	struct simulate_result *result = sim->result;
	double sum = 0, squares = 0;

	add_up(result);
	for (unsigned i = 0; i < sim->job_count; i++) {
		const struct running_job *job = &sim->jobs[i];
		struct simulate_group *group = &result->groups[job->group];
		uint64_t begin = job->begin_ns > result->begin_ns ? job->begin_ns :
								    result->begin_ns;
		double rate = job->end_ns > begin ?
				      (double)job->sectors / (double)(job->end_ns - begin) :
				      0;

		sum += rate;
		squares += rate * rate;
		if (i == 0 || sim->jobs[i - 1].group != job->group || begin < group->begin_ns)
			group->begin_ns = begin;
	}
	result->fairness = squares > 0 ? sum * sum / (sim->job_count * squares) : 1;
}
