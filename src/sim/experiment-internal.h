/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of an experiment, reduced to its figures; experiment.c runs it. */
#ifndef IOSCHED_SIM_EXPERIMENT_INTERNAL_H
#define IOSCHED_SIM_EXPERIMENT_INTERNAL_H

#include "sim/experiment.h"

struct run_stream {
	uint64_t ios, sectors;
	double figures[FIGURES]; /* NAN: no I/O of this kind */
};

struct run_group {
	char name[JOB_NAME_MAX];
	unsigned jobs;
	struct run_stream directions[SIM_DIRS], flushes;
};

struct run {
	bool has_result, is_partial;
	unsigned jobs;
	uint64_t begin_ns, end_ns;
	uint64_t refused;
	struct run_stream directions[SIM_DIRS], flushes;
	double totals[TOTALS];
	struct run_group *groups;
	size_t group_count;
};

/* 0 or -ENOMEM. */
int run_reduce(const struct simulate_result *result, struct run *ret);
void run_done(struct run *run);

/*
 * The runs of one variant, in the order of their seeds. One that was cut short counts only
 * where there is no whole one. 0 or -ENOMEM.
 */
int run_combine(struct run *runs, unsigned count, struct experiment_outcome *ret);

#endif
