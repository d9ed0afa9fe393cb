/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processors: what a request costs on the way down and up, and the locks on which the
 * schedulers of several processors meet. A processor does one thing at a time: interrupts
 * first, the rest in the order in which it is asked. So does a lock. Contention is what comes
 * out, not what is put in.
 *
 * Source of the costs: facts on published results, "Per-request CPU cost derived from F"
 * and "serial section under contention" (doi 10.1145/3629526.3645053).
 */
#ifndef IOSCHED_SIM_PROCESSOR_H
#define IOSCHED_SIM_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "util/cleanup.h"

/* What a scheduler makes a request cost, on the machine of those measurements. */
struct sim_cost {
	const char *scheduler;
	unsigned submit_ns;        /* from the system call to the scheduler */
	unsigned complete_ns;      /* from the interrupt to the process */
	unsigned insert_lock_ns;   /* with the scheduler's lock held */
	unsigned dispatch_lock_ns;
	unsigned complete_lock_ns;
	unsigned transfer_ns;      /* more, when another processor had the lock last */
	unsigned miss_ns;          /* likewise, for what else it changed, after the lock */
	unsigned waiter_ns;        /* more, for each processor that waits for the lock */
};

/* The scheduler's row; that of a simple one when it has none of its own. */
const struct sim_cost *sim_cost_find(const char *scheduler);

struct sim_machine {
	unsigned processors;
	double slowness;   /* 1: as the machine of the costs; 2: takes twice as long */
	uint64_t wake_ns;  /* until an idle processor goes on after an interrupt */
};

struct sim_lock {
	uint64_t free_ns;
	unsigned last_processor;
};

struct sim_processors {
	struct sim_machine machine;
	uint64_t *free_ns; /* by processor: has nothing to do after it */
	uint64_t *taken_ns; /* by processor: by what runs, or spins, until then */
	uint64_t *task_ns; /* by processor: a process runs there until then */
	uint64_t busy_ns, wait_ns; /* sums; waiting for a lock is busy */
};

/* 0, -ENOMEM; -ERANGE: no processor, too many, or a slowness that is none. */
int sim_processors_init(struct sim_processors *processors,
			const struct sim_machine *machine);
void sim_processors_done(struct sim_processors *processors);

/* What so much takes on this machine. */
uint64_t sim_processor_cost(const struct sim_processors *processors, unsigned cost_ns);
/* The processor works for so long, not before `at_ns`; when it is done. */
uint64_t sim_processor_work(struct sim_processors *processors, unsigned processor,
			    uint64_t at_ns, unsigned cost_ns);
/*
 * What runs at `at_ns` goes on for so long; what the processor was given to do afterwards is
 * later by as much.
 */
uint64_t sim_processor_go_on(struct sim_processors *processors, unsigned processor,
			     uint64_t at_ns, unsigned cost_ns);
/*
 * Work that an interrupt brings: it goes before what the processor was given to do, but not
 * before what runs, or spins, at the moment; an idle processor wakes up first.
 */
uint64_t sim_processor_interrupt(struct sim_processors *processors, unsigned processor,
				 uint64_t at_ns, unsigned cost_ns);
/*
 * The processor, which is at `at_ns`, takes the lock, holds it for so long and spins until
 * it has it; when it lets go. What it was going to do afterwards is later by as much. `at_ns`
 * may be a little after the simulation's time `now_ns`: the lock is not idle until then, since
 * others may still come before.
 */
uint64_t sim_processor_lock(struct sim_processors *processors, unsigned processor,
			    struct sim_lock *lock, const struct sim_cost *cost,
			    uint64_t now_ns, uint64_t at_ns, unsigned hold_ns);

#endif
