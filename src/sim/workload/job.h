/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workloads that are made, not recorded: jobs that submit I/O and wait for it (closed loop)
 * or submit at a rate (open loop). A *workload* is a list of job descriptions, named
 * (workloads.c), or read from a fio job file (fio-file.c); a *job* is one running
 * instance, with its own random numbers.
 *
 * The simulation asks job_room() how many I/Os a job may submit and job_next() for each of
 * them; when it starts, thinks and ends is kept by the simulation from the description.
 * Names and meanings of the fields are fio's.
 */
#ifndef IOSCHED_SIM_WORKLOAD_JOB_H
#define IOSCHED_SIM_WORKLOAD_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/random.h"
#include "sim/request.h"
#include "sim/workload/distribution.h"
#include "util/diag.h"

enum job_pattern { JOB_SEQUENTIAL, JOB_RANDOM };

/* Sizes by what the I/O does: SIM_READ, SIM_WRITE, SIM_DISCARD. */
#define JOB_OPS          3
#define JOB_SIZES_MAX    64
#define JOB_NAME_MAX     32
#define JOB_NUMJOBS_MAX  65536
#define JOB_IODEPTH_MAX  65536
#define JOB_SECTORS_MAX  (UINT32_C(1) << 21) /* of one I/O: 1 GiB */

/* So many per cent of the I/Os are any multiple of `sectors` up to `sectors_max`. */
struct job_size {
	uint32_t sectors, sectors_max;
	double percent;
};

struct job_spec {
	char name[JOB_NAME_MAX];   /* results of equal names are added up */
	unsigned numjobs;
	unsigned iodepth;          /* I/Os of one job in flight at most, at a rate too */
	unsigned drain;            /* once there are so many, waits for this many of them
				      before it goes on; 0 as 1 (iodepth_low,
				      iodepth_batch_complete) */
	unsigned batch;            /* I/Os submitted under one plug; 0 as 1 */
	enum job_pattern pattern;
	double read_percent;       /* of the I/Os; the others write */
	double trim_percent;       /* ... or discard */
	bool trims_first;          /* every place that is written is discarded before */
	struct job_size sizes[JOB_OPS][JOB_SIZES_MAX];
	unsigned size_count[JOB_OPS];
	struct distribution_spec places; /* of random I/Os */
	double sequential_percent; /* random: so many go on where the last one ended */
	unsigned sequential_run;   /* random: this many I/Os on end before a new place */
	int64_t skip_sectors;      /* sequential: from the end of one to the next; negative:
				      backwards */
	uint64_t offset_sectors;   /* where its range begins */
	uint64_t size_sectors;     /* of its range; 0: to the end of the device */
	uint64_t offset_increment_sectors; /* the n-th instance begins n times this later */
	uint64_t align_sectors;    /* of random offsets; 0: the smallest size */

	uint64_t total_sectors;    /* ends after so much; 0: the size of its range, or never
				      where it is time-based */
	uint64_t total_ios;        /* ends after so many; 0: no such limit */
	bool is_time_based;        /* begins again when its range was done */
	unsigned stage;            /* starts when all jobs of the stages below are done */
	uint64_t start_ns;         /* so long after its stage begins (startdelay) */
	uint64_t runtime_ns;       /* ends so long after its start; 0: with the simulation */
	uint64_t think_ns;         /* pause ... */
	unsigned think_every;      /* ... after so many I/Os; 0 as 1 */
	bool is_think_random;      /* exponential with that mean */
	double rate_iops;          /* I/Os per second of one job; 0: as fast as they come back */
	bool is_poisson;           /* at a rate: exponential gaps */

	enum sim_class class;      /* ioprio */
	uint8_t level;
	bool is_sync;              /* writes that somebody waits for (O_SYNC, O_DIRECT) */
	bool is_durable;           /* ... until they are on the medium (O_SYNC: FUA) */
	bool never_blocks;         /* goes on while an I/O of it waits for a tag */
	bool shares_pid;           /* writeback: all instances are the flusher */
	unsigned fsync_every;      /* a flush after so many writes; 0: never */
	bool fsyncs_at_end;
	int cpu;                   /* pinned to this processor; -1: instances go round */
	unsigned device;           /* which of the devices it goes to */
	bool spreads_devices;      /* round robin over all devices, I/O by I/O */
};

struct workload {
	char name[JOB_NAME_MAX];
	struct job_spec *jobs;
	size_t job_count;
	unsigned devices;          /* that the jobs name: 1 mostly */
	uint64_t runtime_ns;       /* 0: not said */
	uint64_t warmup_ns;        /* not counted (ramp_time) */
};

void workload_done(struct workload *workload);
#define _workload_ _cleanup_(workload_done)

/* One job at depth 1, best effort 4, on any processor; no sizes, pattern sequential. */
void job_spec_init(struct job_spec *spec, const char *name);
/* All I/Os of this kind have this size. */
void job_spec_set_size(struct job_spec *spec, enum sim_op op, uint32_t sectors);

/* --- running ------------------------------------------------------------------------ */

/* What a job does next. */
struct job_io {
	enum sim_op op;
	unsigned flags;            /* enum sim_request_flag */
	uint64_t sector;
	uint32_t sectors;          /* 0 for a flush */
	bool waits_for_all;        /* a flush: goes when the job's others are done, and
				      nothing of the job goes before it is done */
};

struct job {
	const struct job_spec *spec; /* borrowed */
	unsigned instance;         /* 0 ... numjobs - 1 */
	struct sim_random random;
	uint64_t range_begin, range_end; /* sectors */
	uint64_t position[JOB_OPS]; /* where the last one of the kind ended */
	unsigned run_left;
	uint64_t ios, sectors;     /* handed out, without flushes */
	uint64_t ios_limit, sectors_limit; /* UINT64_MAX: none */
	unsigned writes_since_flush;
	bool is_draining;
	uint64_t thought_at;       /* ios at the last pause */
	double gap_carry_ns;       /* at a rate: less than a nanosecond, not handed out */
	uint64_t trimmed_sector;   /* trims_first: to be written next */
	uint32_t trimmed_sectors;
	uint64_t align[JOB_OPS];
	uint32_t least[JOB_OPS];   /* the smallest size */
	uint8_t places_of[JOB_OPS]; /* kinds with equal steps share their places */
	struct distribution places[JOB_OPS];
};

/* Whether job_next() will ask for a flush. */
bool job_flushes_next(const struct job *job);

/* So many sectors from there are more than the device has: how many, and what to do. -EINVAL. */
int job_fail_room(const struct job_spec *spec, uint64_t begin_sectors, uint64_t size_sectors,
		  uint64_t capacity_sectors, struct diag *diag);

/*
 * Sets the job up on a device of this size. -EINVAL with a diag when its range lies
 * outside or is smaller than its I/O, or when the description contradicts itself.
 */
int job_init(struct job *job, const struct job_spec *spec, unsigned instance,
	     uint64_t capacity_sectors, uint64_t seed, struct diag *diag);

/* How many I/Os it may submit while so many of its own are in flight. */
unsigned job_room(struct job *job, unsigned in_flight);

/* 1: *ret is the next I/O; 0: the job is done. */
int job_next(struct job *job, struct job_io *ret);

/* The pause before the next I/O, after this one: 0 mostly. Ask once after each. */
uint64_t job_think_ns(struct job *job);
/* At a rate: the time from the last submission to the next one. */
uint64_t job_gap_ns(struct job *job);

/* --- where workloads come from -------------------------------------------------------- */

struct workload_row {
	const char *name;    /* "oltp" */
	const char *alias;   /* another name for it, or NULL */
	const char *summary; /* N_() */
};

/* NULL past the end. */
const struct workload_row *workload_get(size_t index);
/*
 * By its name or alias; *ret has the name. The jobs lie within the device, smaller where it is small. -ENOENT; -ENOMEM; -EINVAL: a
 * device below 8 MiB. *ret is for workload_done().
 */
int workload_find(const char *name, uint64_t capacity_sectors, struct workload *ret);

/*
 * A fio job file. A key that changes the result and is not understood is -ENOTSUP with
 * file, line and key. Told through `on_note`: keys without influence here, and what is
 * taken as something else (I/O through the page cache). -EINVAL: no job, a value that fio
 * would not take.
 */
struct fio_file_options {
	uint64_t capacity_sectors;
	void (*on_note)(void *context, unsigned line, const char *key, const char *why);
	void *context;
};
int fio_file_parse(const char *text, size_t len, const char *name,
		   const struct fio_file_options *options, struct workload *ret,
		   struct diag *diag);

#endif
