/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulation: a workload goes through the block layer and one scheduler to a device
 * model. The workload is a list of arrivals (a trace), or jobs that wait for their I/O.
 * Deterministic: the same input and seed give the same result, byte for byte.
 */
#ifndef IOSCHED_SIM_SIMULATE_H
#define IOSCHED_SIM_SIMULATE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/histogram.h"
#include "sim/media/media.h"
#include "sim/processor.h"
#include "sim/queue.h"
#include "sim/workload/job.h"
#include "sim/workload/trace.h"
#include "util/diag.h"

#define SIM_DEVICES_MAX 64
#define SIM_JOBS_MAX    65536

/* One dispatch, as it is issued. */
struct simulate_dispatch {
	uint64_t number;     /* from 1 */
	uint64_t time_ns;    /* of the simulation */
	enum sim_op op;
	uint64_t sector;
	uint32_t sectors;
	enum sim_class class;
	enum sim_reason reason;
	unsigned waiting;    /* requests that could have been chosen, itself included */
	unsigned device;
};

/* One I/O, as its submitter gets it back. */
struct simulate_completion {
	uint64_t time_ns, arrival_ns;
	enum sim_dir dir;
	uint32_t sectors;    /* 0: a flush */
	unsigned group;      /* index in simulate_result.groups; 0 for a trace */
	unsigned device;
	unsigned in_flight;  /* requests that the device has, without this one */
	unsigned waiting;    /* requests that the scheduler has */
};

struct simulate_options {
	struct sim_queue_config queue;
	/* NULL: every request takes service_ns. Its limits are for the caller to put into
	   the queue's configuration: sim_medium_to_queue(). */
	const struct sim_medium *medium;
	/* Of the last device, with the same queues; NULL: as the others. */
	const struct sim_medium *last_medium;
	uint64_t service_ns;
	unsigned devices;    /* equal ones on the same processors; 0 as 1 */
	const struct sim_machine *machine; /* NULL: processors cost nothing */
	uint64_t seed;
	/*
	 * The device begins to serve at this time; what arrives earlier waits in the
	 * scheduler, as on a frozen queue.
	 */
	uint64_t hold_ns;
	uint64_t warmup_ns;  /* completions before it are not counted */
	uint64_t runtime_ns; /* nothing is submitted after it; 0: while there is something */
	uint64_t ios_max;    /* nothing is submitted after so many; 0: no limit */

	void (*on_dispatch)(void *context, const struct simulate_dispatch *dispatch);
	void (*on_complete)(void *context, const struct simulate_completion *completion);
	/* Asked now and then with the simulation's time: true ends it, with what there is. */
	bool (*should_stop)(void *context, uint64_t now_ns);
	void *context;
};

struct simulate_direction {
	uint64_t ios, sectors;
	struct histogram latency_ns; /* from submission to completion */
};

/* The jobs of one name. */
struct simulate_group {
	char name[JOB_NAME_MAX];
	unsigned jobs;
	/* First submission; last completion that counts, or the end of the time if it paused. */
	uint64_t begin_ns, end_ns;
	struct simulate_direction directions[SIM_DIRS];
	struct simulate_direction flushes; /* they move no data: neither read nor written */
};

struct simulate_result {
	uint64_t requests;   /* issued; fewer than I/Os where they merged */
	uint64_t begin_ns;   /* counted from here: the end of the warm-up */
	uint64_t end_ns;     /* of the last group, or of the last completion */
	uint64_t expired;    /* requests issued after their deadline */
	struct simulate_direction directions[SIM_DIRS];
	struct simulate_direction flushes;
	struct simulate_group *groups; /* of jobs, in the workload's order; else NULL */
	size_t group_count;
	unsigned jobs;
	double fairness;     /* Jain's index of the jobs' bytes per second: 1/n to 1 */
	struct sim_media_stats media;  /* sums over the devices */
	uint64_t busy_ns;    /* of the processors, together */
	uint64_t lock_wait_ns;
	bool is_partial;     /* should_stop ended it */
};

void simulate_result_done(struct simulate_result *result);

/* Where I/Os come from: 1 and *ret filled, 0 at the end, negative errno. */
typedef int simulate_source(void *source, struct trace_record *ret, struct diag *diag);

/*
 * The first four are those of the source, of sim_queue_new(), of the medium, of the jobs.
 * -EINVAL: an I/O beyond the end of the device; -ENOMEM. *ret is to be released in every
 * case.
 */
int simulate_run(simulate_source *next, void *source, const struct simulate_options *options,
		 struct simulate_result *ret, struct diag *diag);
int simulate_jobs(const struct workload *workload, const struct simulate_options *options,
		  struct simulate_result *ret, struct diag *diag);

/* Puts the medium's hardware queues, depth and zones into the configuration. */
void sim_medium_to_queue(const struct sim_medium *medium, struct sim_queue_config *queue);

#endif
