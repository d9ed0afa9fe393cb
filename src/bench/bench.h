/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A measurement: one workload on one device under several schedulers, in rounds. In each
 * round every scheduler has its turn, in another order than in the round before, so that
 * what drifts (temperature, a disk that fills, other load) strikes all alike. What comes
 * out is an outcome for each, as of an experiment of the simulation, with medians over the
 * rounds.
 */
#ifndef IOSCHED_BENCH_BENCH_H
#define IOSCHED_BENCH_BENCH_H

#include "bench/fio-job.h"
#include "bench/fio-run.h"
#include "bench/switch.h"
#include "sim/experiment.h"

#define BENCH_ROUNDS_MAX     100
#define BENCH_SCHEDULERS_MAX 16

struct bench_progress {
	unsigned round, rounds; /* from 0 */
	const char *scheduler;
	bool is_running;        /* false: its turn begins */
	double fraction;        /* of everything, 0 to 1 */
	double seconds_left;
};

struct bench {
	const struct root *root;
	const struct device *device;
	const char *fio;               /* the program */
	const struct workload *workload;
	const char *job_file;          /* text of a person's job file; NULL: the workload's */
	const char *dev_folder;        /* with a job file: see fio_job_adapt() */
	const struct strv *names;
	struct fio_terms terms;        /* seed: of the first run */
	bool is_read_only;
	const char *const *schedulers;
	size_t scheduler_count;
	unsigned rounds;
	void (*on_progress)(void *context, const struct bench_progress *progress);
	void *context;
};

struct bench_result {
	struct experiment_outcome *outcomes; /* one a scheduler; runs: rounds that it had */
	size_t count;
	struct strv notes;      /* what fio does otherwise than described */
	char fio_version[32];
	bool is_partial;        /* a signal has ended it */
	double seconds;         /* that it took */
};

/*
 * Whether it is the historic comparison: dd bs=2M count=300 through the page cache. What fio
 * counts of it are calls into the page cache; what the device gets is known by its bytes only.
 */
bool bench_is_dd(const struct bench *bench);

/* Which scheduler has the turn; each once in each round. */
size_t bench_turn(unsigned round, size_t turn, size_t count);

/*
 * Runs it with the signals held. `state` was begun; whatever happens, bench_switch_back() is
 * for the caller afterwards. 0 also when a signal ended it and every scheduler had a round;
 * -EINTR when not.
 */
int bench_run(const struct bench *bench, struct bench_switch *state,
	      struct held_signals *signals, struct bench_result *ret, struct diag *diag);
void bench_result_done(struct bench_result *result);
#define _bench_result_ _cleanup_(bench_result_done)

#endif
