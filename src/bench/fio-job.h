/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what a job does, as the simulation knows it, to a fio job file that does the same on
 * a real device; and from a fio job file of a person to one that can do nothing but I/O on
 * that device. Both are given to fio as text on its standard input.
 */
#ifndef IOSCHED_BENCH_FIO_JOB_H
#define IOSCHED_BENCH_FIO_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/workload/job.h"
#include "util/diag.h"
#include "util/text.h"

/* What is the same for every job of a run. */
struct fio_terms {
	const char *filename;  /* of the device or file, as fio opens it */
	uint64_t runtime_ns;   /* of each job at most */
	uint64_t warmup_ns;    /* not counted */
	const char *cpus;      /* "0-3,8"; NULL: any */
	unsigned seed;
	bool is_runtime_given; /* in the place of what a job file says */
};

/* Whether it writes or discards anything. */
bool fio_workload_writes(const struct workload *workload);
/* Whether it discards. */
bool fio_workload_trims(const struct workload *workload);
/* Whether jobs of it wait for others, so that there is no warm-up for all. */
bool fio_workload_is_staged(const struct workload *workload);

/*
 * The text for a workload. What fio cannot do as described is done as near as it can and
 * told in `ret_notes`, a line each, translated. -ENOTSUP with a diag: it cannot be done at
 * all; -ENOMEM.
 */
int fio_job_text(const struct workload *workload, const struct fio_terms *terms,
		 struct text *ret, struct strv *ret_notes, struct diag *diag);

/* The historic comparison: dd bs=2M count=300 through the page cache. Such a workload's
   name begins so. */
bool fio_is_dd(const struct workload *workload);

/*
 * The text for a job file that fio_file_parse() has taken and made `workload` of. Every
 * section gets the terms; keys that are not about I/O (programs to run, files to write,
 * users to become) are left out and told in `ret_notes`. A file name below `dev_folder`
 * ("/dev/") that is none of `names` is -EINVAL with a diag: it means another device.
 */
int fio_job_adapt(const char *text, const struct workload *workload,
		  const struct fio_terms *terms, const char *dev_folder,
		  const struct strv *names, struct text *ret, struct strv *ret_notes,
		  struct diag *diag);

#endif
