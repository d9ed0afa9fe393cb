/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All that a measurement needs, from the command line to what came out.
 */
#ifndef IOSCHED_CMD_BENCH_TASK_H
#define IOSCHED_CMD_BENCH_TASK_H

#include "bench/bench.h"
#include "bench/conditions.h"
#include "bench/safety.h"
#include "cmd/bench-predict.h"
#include "cmd/gather.h"
#include "cmd/progress.h"
#include "report/bench.h"

struct bench_task {
	const struct cmd_context *context;
	struct bench_request request;
	struct gathered gathered;
	const struct device *device;
	struct strv schedulers;
	char *fio, *job_file;
	struct workload workload;
	struct strv names;     /* under which a job file may know the device */
	enum bench_target target;
	int claim;             /* of BENCH_DEVICE */
	struct bench_file file;
	uint64_t size_bytes;
	struct bench bench;
	const char **list;     /* the schedulers, for `bench` */
	struct bench_prediction prediction;
	struct conditions conditions;
	struct bench_result result;
	char *path;            /* of the device */
	struct progress_line line;
};

/* On a device of this size; the one of before is let go. */
int bench_task_read_workload(struct bench_task *task, uint64_t size_sectors,
			     struct diag *diag);

/*
 * Looks around, makes the file where there is to be one, measures and goes back, with the
 * signals held. `ret_original`: the scheduler of before, to free.
 */
int bench_task_measure(struct bench_task *task, char **ret_original, struct diag *diag);

#endif
