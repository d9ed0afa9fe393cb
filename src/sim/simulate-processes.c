/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which processor a job runs on, and when, as far as the kernel's process scheduler decides
 * what an I/O waits: a job that wakes up goes to an idle processor, and one that mostly
 * sleeps goes before those that never do, until it had its fair share.
 *
 * Source of the rules and times: the kernel's documentation of its "completely fair"
 * scheduler (Documentation/scheduler/sched-design-CFS.rst), and its defaults for eight
 * processors or more: a latency of 24 ms, of which a sleeper is given half.
 */
#include "sim/simulate-internal.h"

#define SLEEPER_CREDIT_NS     12000000
#define WAKEUP_GRANULARITY_NS 4000000

static struct sim_run_queue *run_queue_of(struct simulation *sim,
					  const struct running_job *running)
{
	return &sim->run_queues[running->cpu];
}

static void move(struct simulation *sim, struct running_job *running, unsigned cpu)
{
	if (cpu == running->cpu)
		return;
	/* What it is ahead or behind goes with it. */
	running->virtual_ns += sim->run_queues[cpu].fair_ns - run_queue_of(sim, running)->fair_ns;
	running->cpu = cpu;
}

void simulate_place(struct simulation *sim, struct running_job *running)
{
	const uint64_t *task_ns = sim->processors.task_ns;
	unsigned processors = sim->processors.machine.processors;

	if (!sim->has_processors || running->job.spec->cpu >= 0 ||
	    sim->now_ns <= running->ran_ns)
		return;
	for (unsigned i = 0; i < processors; i++) {
		unsigned cpu = (running->cpu + i) % processors;

		if (task_ns[cpu] <= sim->now_ns) {
			move(sim, running, cpu);
			return;
		}
	}
}

void simulate_want_processor(struct simulation *sim, struct running_job *running)
{
	running->is_scheduled = true;
	running->is_runnable = running->is_paid;
	if (running->is_runnable)
		run_queue_of(sim, running)->runnable++;
}

void simulate_got_processor(struct simulation *sim, struct running_job *running)
{
	running->is_scheduled = false;
	if (running->is_runnable)
		run_queue_of(sim, running)->runnable--;
	if (running->is_urgent)
		run_queue_of(sim, running)->urgent--;
	running->is_runnable = running->is_urgent = false;
}

void simulate_charge_job(struct simulation *sim, struct running_job *running, uint64_t ran_ns)
{
	struct sim_run_queue *queue = run_queue_of(sim, running);

	running->virtual_ns += (int64_t)ran_ns;
	queue->fair_ns += (int64_t)ran_ns / (queue->runnable + 1);
}

bool simulate_goes_first(struct simulation *sim, struct running_job *running)
{
	struct sim_run_queue *queue = run_queue_of(sim, running);

	if (running->virtual_ns < queue->fair_ns - SLEEPER_CREDIT_NS)
		running->virtual_ns = queue->fair_ns - SLEEPER_CREDIT_NS;
	running->is_urgent = running->virtual_ns + WAKEUP_GRANULARITY_NS < queue->fair_ns;
	queue->urgent += running->is_urgent;
	return running->is_urgent;
}

bool simulate_must_wait(const struct simulation *sim, const struct running_job *running)
{
	if (sim->processors.taken_ns[running->cpu] > sim->now_ns)
		return true;
	return !running->is_urgent && sim->run_queues[running->cpu].urgent > 0;
}

uint64_t simulate_next_turn(const struct simulation *sim, const struct running_job *running,
			    uint64_t at_ns)
{
	const struct sim_run_queue *queue = &sim->run_queues[running->cpu];
	uint64_t taken_ns = sim->processors.taken_ns[running->cpu];

	if (at_ns < taken_ns)
		at_ns = taken_ns;
	/* Their events are due until then, and are taken before one that is pushed now. */
	if (!running->is_urgent && queue->urgent && at_ns < queue->urgent_ns)
		at_ns = queue->urgent_ns;
	return at_ns;
}

int simulate_push_job(struct simulation *sim, struct running_job *running, uint64_t at_ns)
{
	/* Only where there are processors is a job urgent. */
	if (running->is_urgent && run_queue_of(sim, running)->urgent_ns < at_ns)
		run_queue_of(sim, running)->urgent_ns = at_ns;
	return event_queue_push(&sim->events, at_ns, SIM_EVENT_JOB, running);
}
