/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The named workloads as tables: what is behind workload_get() and workload_find(). Places
 * are shares of the device, so that a workload means the same on a small and a large one.
 */
#ifndef IOSCHED_SIM_WORKLOAD_WORKLOADS_H
#define IOSCHED_SIM_WORKLOAD_WORKLOADS_H

#include "sim/workload/job.h"

#define WORKLOAD_SIZES_MAX 4
#define WORKLOAD_JOBS_MAX  6

/* `percent` of the I/Os have this size; a single one needs no percent. */
struct workload_size {
	unsigned kib;
	double percent;
};

/* One job; what is not said is as job_spec_init() sets it. */
struct workload_job {
	const char *name;
	unsigned numjobs, iodepth, batch;  /* 0 as 1 */
	bool is_random;
	double read_percent;
	struct workload_size reads[WORKLOAD_SIZES_MAX], writes[WORKLOAD_SIZES_MAX];
	struct distribution_spec places;
	unsigned sequential_run;
	double begin_percent, size_percent; /* of the device; all instances together */
	unsigned size_mib_max;              /* ... and no more than this; 0: no limit */
	bool splits_range;                  /* each instance has its own part of it */
	bool ends;                          /* when its range was done */
	uint64_t think_us;                  /* exponential */
	unsigned think_every;
	double rate_iops;
	bool is_poisson;
	bool is_idle;                       /* ioprio class */
	unsigned level_plus_1;              /* ioprio level + 1; 0: 4 */
	bool is_sync;                       /* writes */
	bool shares_pid;
	unsigned fsync_every;
};

struct workload_definition {
	struct workload_row row;
	struct workload_job jobs[WORKLOAD_JOBS_MAX]; /* up to one without a name */
};

extern const struct workload_definition workload_definitions[];
extern const size_t workload_definition_count;

#endif
