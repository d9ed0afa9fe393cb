/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of a simulation share: the loop (simulate.c), arrivals (simulate-trace.c),
 * jobs (simulate-jobs.c), submission (simulate-submit.c) and completion
 * (simulate-complete.c).
 */
#ifndef IOSCHED_SIM_SIMULATE_INTERNAL_H
#define IOSCHED_SIM_SIMULATE_INTERNAL_H

#include "sim/media/media.h"
#include "sim/merge.h"
#include "sim/simulate.h"
#include "sim/tag-map.h"

struct simulation;

/* An I/O that waits for a scheduler tag. */
struct waiting_io {
	struct sim_link link;
	struct sim_io *io;
	struct sim_device *device;
	struct sim_bio bio;
	unsigned limit;              /* as it was when it began to wait */
};

#define SIM_TAG_LINES_MAX 8

/* Those that wait for the same part of the tags, in the order in which they came. */
struct sim_tag_line {
	unsigned limit;
	struct sim_link waiting;
};

/* The tags of one hardware queue, and who waits for them. */
struct sim_tags {
	/* [1]: legacy queues', for what nobody waits for. */
	struct tag_map maps[2];
	struct sim_tag_line lines[SIM_TAG_LINES_MAX];
};

struct sim_device {
	struct simulation *sim;
	unsigned index;
	struct sim_queue *queue;
	struct sim_media media;
	struct sim_lock lock;        /* the scheduler's */
	struct sim_tags *tags;       /* by hardware queue */
	struct sim_link plug;        /* requests not inserted yet */
	unsigned plugged;
	uint32_t plug_pid;
	bool is_none;
	uint64_t head_sector;        /* behind the request that was issued last */
	struct sim_random random;    /* who of several comes first */
};

/* Jobs that want one processor. */
struct sim_run_queue {
	int64_t fair_ns;             /* what each that never slept has had of it */
	unsigned runnable;
	unsigned urgent;             /* of them, those that go before the others */
	uint64_t urgent_ns;          /* when the last of these is due */
};

/* A job that runs. */
struct running_job {
	struct job job;
	unsigned group;
	uint32_t pid;
	unsigned cpu;
	uint64_t ran_ns;             /* it ran until then */
	int64_t virtual_ns;          /* what it had, to be compared with fair_ns */
	unsigned next_device;
	unsigned in_flight;
	uint64_t begin_ns, end_ns;   /* of its submissions */
	uint64_t due_ns;             /* not before it: at a rate, or after thinking */
	uint64_t turn_ns;            /* at a rate: of the next read or write */
	uint64_t think_ns;           /* to think when all in flight is back */
	uint64_t sectors;            /* done, and counted */
	struct sim_io *answers, *answers_last; /* done, to be fetched when it runs */
	/* A job that does not block leaves the waiting to its workers, as many as it has. */
	unsigned workers, workers_busy;
	struct sim_link unattended;  /* I/Os that wait for a worker */
	bool has_begun, has_left;
	bool is_scheduled;           /* a SIM_EVENT_JOB of it is in the queue */
	bool is_urgent;              /* goes before the others of its processor */
	bool is_runnable;            /* counted among those of its processor */
	bool is_paid;                /* ... and the processor was taken for it */
	bool is_blocked;             /* one of its I/Os waits for a tag */
	bool is_behind;              /* it has answers from the time when it was blocked */
	bool is_flushing;            /* waits for a flush, or for all before it */
	bool is_done;                /* submits nothing more */
	bool has_next;               /* `next` was asked for and not submitted */
	struct job_io next;
};

struct simulation {
	const struct simulate_options *options;
	struct simulate_result *result;
	struct diag *diag;

	struct event_queue events;
	struct sim_device *devices;
	unsigned device_count;
	struct pool ios, waiting;
	uint64_t now_ns;
	uint64_t capacity_sectors;
	size_t backlog_count;
	bool is_held;

	/* A trace's arrivals. */
	simulate_source *next;
	void *source;
	struct trace_record arrival; /* the next one */
	bool has_arrival;

	/* Jobs. */
	const struct workload *workload;
	struct running_job *jobs;
	unsigned job_count;
	unsigned stage_left;         /* jobs of the stage that runs, not done yet */
	uint64_t submitted;

	/* Processors: who works at the moment, and how far it is. */
	bool has_processors;
	struct sim_processors processors;
	struct sim_run_queue *run_queues; /* by processor */
	const struct sim_cost *cost;
	unsigned cpu;
	uint64_t at_ns;
};

/* --- submission ---------------------------------------------------------------------- */

/* 1: it has a request, or joined one; 0: it waits for a tag; negative errno. */
int simulate_submit(struct sim_device *device, const struct sim_bio *bio, struct sim_io *io);
void simulate_free_tag(struct sim_device *device, const struct sim_request *rq);
/* Tags came free: those that waited go on, in their order. */
int simulate_retry_backlog(struct sim_device *device, struct sim_tags *tags);
/* What is on the plug goes to the scheduler, or directly to the device. */
int simulate_flush_plug(struct sim_device *device);
/* The hardware queues whose time has come. */
int simulate_run_due(struct sim_device *device);
/* Runs the hardware queue and issues all that may be issued. */
int simulate_run_hctx(struct sim_device *device, struct sim_hctx *hctx);
/* Gives a request that left the queue to the device. `waiting`: it was chosen from so many. */
int simulate_issue(struct sim_device *device, struct sim_request *rq, unsigned waiting);

/* --- completion ---------------------------------------------------------------------- */

int simulate_complete(struct simulation *sim, struct sim_request *rq);
/* The submitter has its answer at `done_ns`: counted, and given back. */
void simulate_answer(struct simulation *sim, struct sim_io *io, uint64_t done_ns);

/* --- arrivals and jobs --------------------------------------------------------------- */

/* Whether another arrival may be taken, and takes it. */
int simulate_read_arrival(struct simulation *sim);
int simulate_take_arrival(struct simulation *sim);

int simulate_start_jobs(struct simulation *sim);
void simulate_finish_jobs(struct simulation *sim);
/* A SIM_EVENT_JOB is due. */
int simulate_job_event(struct simulation *sim, struct running_job *running);
/* One of its I/Os is done at its done_ns, and the job's to give back. */
int simulate_job_completed(struct simulation *sim, struct running_job *running,
			   struct sim_io *io);
/* The I/O that waited for a tag has one. */
int simulate_job_unblocked(struct simulation *sim, struct running_job *running);

/* --- jobs on processors ----------------------------------------------------------------- */

/* The job wakes up now: it goes where no other job runs; one that is bound stays. */
void simulate_place(struct simulation *sim, struct running_job *running);
/* Whether it goes before those that run where it woke up: it had less than its share. */
bool simulate_goes_first(struct simulation *sim, struct running_job *running);
/* The processor's next time for the job: `at_ns`, or when others are through. */
uint64_t simulate_next_turn(const struct simulation *sim, const struct running_job *running,
			    uint64_t at_ns);
/* Its event is due, but its processor is taken, or there for one that goes first. */
bool simulate_must_wait(const struct simulation *sim, const struct running_job *running);
/* Its event is due at `at_ns`. 0, -ENOMEM. */
int simulate_push_job(struct simulation *sim, struct running_job *running, uint64_t at_ns);
/* A SIM_EVENT_JOB of it is about to be pushed, or was taken. */
void simulate_want_processor(struct simulation *sim, struct running_job *running);
void simulate_got_processor(struct simulation *sim, struct running_job *running);
/* It ran for so long. */
void simulate_charge_job(struct simulation *sim, struct running_job *running, uint64_t ran_ns);

/* --- processors ----------------------------------------------------------------------- */

/* The processor at work holds the scheduler's lock for so long. */
static inline void simulate_charge_lock(struct sim_device *device, unsigned hold_ns)
{
	struct simulation *sim = device->sim;

	if (sim->has_processors && hold_ns)
		sim->at_ns = sim_processor_lock(&sim->processors, sim->cpu, &device->lock,
						sim->cost, sim->now_ns, sim->at_ns, hold_ns);
}

/* Everything that follows happens on this processor, from this moment. */
static inline void simulate_enter(struct simulation *sim, unsigned cpu, uint64_t at_ns)
{
	sim->cpu = cpu;
	sim->at_ns = at_ns;
}

#endif
