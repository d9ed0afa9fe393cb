/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What fio says at the end of a run (--output-format=json+), as figures: of each of its
 * groups, in the order of the job file's sections, and of all together. fio's output is
 * taken for hostile: what is missing or no number of its kind is not known, not wrong.
 */
#ifndef IOSCHED_BENCH_FIO_JSON_H
#define IOSCHED_BENCH_FIO_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/experiment.h"
#include "util/diag.h"

#define FIO_OUTPUT_MAX (32u * 1024 * 1024) /* bytes; a section with every bin takes 100 KiB */
#define FIO_GROUPS_MAX 1024

/* Streams: the directions, and behind them the syncs that fsync and its like ask for. */
#define FIO_SYNCS   SIM_DIRS
#define FIO_STREAMS (SIM_DIRS + 1)

/*
 * In one direction: I/Os that ended after the warm-up, all figures by these. NAN where
 * nothing is known. Syncs move no bytes.
 */
struct fio_stream {
	uint64_t ios, bytes;
	double figures[FIGURES];
};

struct fio_group {
	char name[JOB_NAME_MAX]; /* as fio has it: to be made safe where it is shown */
	int error;               /* errno of fio's job; 0: none */
	bool has_uncounted;      /* it ended before the warm-up was over, in a direction */
	double runtime_s;        /* the longer of its directions */
	struct fio_stream streams[FIO_STREAMS];
};

struct fio_result {
	char version[32];
	struct fio_group *groups;
	size_t group_count;
	struct fio_stream streams[FIO_STREAMS]; /* of all groups, as though they ran at once */
	double totals[TOTALS];                  /* NAN: not known; of the directions only */
	struct histogram *latency_ns;           /* FIO_STREAMS */
};

/*
 * `stages`: for each group the stage of its section, which run one after the other; NULL:
 * all at once. -EBADMSG with a diag: not such an output; -E2BIG too many groups; -ENOMEM.
 */
int fio_json_parse(const char *text, size_t len, const unsigned *stages, size_t stage_count,
		   struct fio_result *ret, struct diag *diag);
void fio_result_done(struct fio_result *result);
#define _fio_result_ _cleanup_(fio_result_done)

#endif
