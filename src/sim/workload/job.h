/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads that are made, not recorded: jobs that submit I/O and wait for it (closed loop)
 * or submit at a rate (open loop). A *workload* is a list of job descriptions, named
 * (workloads.c), or read from a fio job file (fio-file.c); a *job* is one running
 * instance, with its own random numbers.
 *
 * The simulation asks job_next() for the next I/O whenever the job may submit; how many are
 * in flight, when it starts and thinks, is kept by the simulation from the description.
 * Names and meanings of the fields are fio's.
 */
#ifndef IOSCHED_SIM_WORKLOAD_JOB_H
#define IOSCHED_SIM_WORKLOAD_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/random.h"
#include "sim/request.h"
#include "util/diag.h"

enum job_pattern { JOB_SEQUENTIAL, JOB_RANDOM };

enum job_distribution {
	JOB_UNIFORM,
	JOB_ZIPF,   /* parameter: theta */
	JOB_PARETO, /* parameter: h */
	JOB_NORMAL, /* parameter: deviation in per cent of the range */
	JOB_ZONED,  /* the zones below */
};

#define JOB_SIZES_MAX 16
#define JOB_ZONES_MAX 16
#define JOB_NAME_MAX  32

struct job_size {
	uint32_t sectors;
	double percent;
};

/* `access_percent` of the accesses fall on the next `size_percent` of the range. */
struct job_zone {
	double access_percent, size_percent;
};

struct job_spec {
	char name[JOB_NAME_MAX];   /* results of equal names are added up */
	unsigned numjobs;
	unsigned iodepth;          /* I/Os of one job in flight at most */
	enum job_pattern pattern;
	double read_percent;       /* of the I/Os; the others write */
	double trim_percent;       /* ... or discard */
	struct job_size sizes[SIM_DIRS][JOB_SIZES_MAX];
	unsigned size_count[SIM_DIRS];
	enum job_distribution distribution;
	double distribution_parameter;
	struct job_zone zones[JOB_ZONES_MAX];
	unsigned zone_count;
	uint64_t offset_sectors;   /* where its range begins */
	uint64_t size_sectors;     /* of its range; 0: to the end of the device */
	uint64_t offset_increment_sectors; /* the n-th instance begins n times this later */
	uint64_t align_sectors;    /* of random offsets; 0: the size of the I/O */
	unsigned sequential_run;   /* random: this many I/Os on end before a new place */

	uint64_t total_sectors;    /* ends after so much; 0: never by itself */
	uint64_t total_ios;        /* likewise */
	bool is_time_based;        /* begins again when its range was done */
	uint64_t start_ns;         /* startdelay */
	uint64_t runtime_ns;       /* ends so long after its start; 0: with the simulation */
	uint64_t think_ns;         /* pause ... */
	unsigned think_every;      /* ... after so many I/Os; 0 as 1 */
	bool is_think_random;      /* exponential with that mean */
	double rate_iops;          /* open loop: I/Os per second of one job; 0: closed */
	bool is_poisson;           /* open loop: exponential gaps */
	unsigned batch;            /* I/Os submitted under one plug; 0 as 1 */

	enum sim_class class;      /* ioprio */
	uint8_t level;
	bool is_sync;              /* writes that somebody waits for (O_SYNC, O_DIRECT) */
	bool shares_pid;           /* writeback: all instances are the flusher */
	unsigned fsync_every;      /* a flush after so many writes; 0: never */
	int cpu;                   /* pinned to this processor; -1: instances go round */
	unsigned device;           /* which of the devices it goes to */
	bool spreads_devices;      /* round robin over all devices, I/O by I/O */
};

struct workload {
	char name[JOB_NAME_MAX];
	struct job_spec *jobs;
	size_t job_count;
	uint64_t runtime_ns;       /* 0: not said */
};

void workload_done(struct workload *workload);

/* --- running ------------------------------------------------------------------------ */

/* What a job does next. */
struct job_io {
	enum sim_op op;
	unsigned flags;            /* enum sim_request_flag */
	uint64_t sector;
	uint32_t sectors;
	bool waits_for_all;        /* a flush: when the job's others are done */
};

struct job {
	const struct job_spec *spec;
	unsigned instance;         /* 0 ... numjobs - 1 */
	struct sim_random random;
	uint64_t range_begin, range_end; /* sectors */
	uint64_t position;
	unsigned run_left;
	uint64_t ios, sectors;     /* handed out */
	unsigned writes_since_flush;
	double zipf[4];            /* what the distribution computed once */
};

/*
 * Sets the job up on a device of this size. -EINVAL with a diag when its range lies
 * outside or is smaller than its I/O, or when the description contradicts itself.
 */
int job_init(struct job *job, const struct job_spec *spec, unsigned instance,
	     uint64_t capacity_sectors, uint64_t seed, struct diag *diag);

/* 1: *ret is the next I/O; 0: the job is done. */
int job_next(struct job *job, struct job_io *ret);

/* The pause before the next I/O, after this many: 0 mostly. */
uint64_t job_think_ns(struct job *job);
/* Open loop: the time to the next submission. */
uint64_t job_gap_ns(struct job *job);

/* --- where workloads come from -------------------------------------------------------- */

struct workload_row {
	const char *name;    /* "oltp" */
	const char *summary; /* N_() */
};

/* NULL past the end. */
const struct workload_row *workload_get(size_t index);
/* -ENOENT; -ENOMEM. Sizes follow the device where the workload says so. */
int workload_find(const char *name, uint64_t capacity_sectors, struct workload *ret);

/*
 * A fio job file. A key that changes the result and is not understood is -ENOTSUP with
 * file, line and key; keys without influence here go to `on_ignored`. -EINVAL: no job, a
 * value that fio would not take.
 */
struct fio_file_options {
	uint64_t capacity_sectors;
	void (*on_ignored)(void *context, unsigned line, const char *key, const char *why);
	void *context;
};
int fio_file_parse(const char *text, size_t len, const char *name,
		   const struct fio_file_options *options, struct workload *ret,
		   struct diag *diag);

#endif
