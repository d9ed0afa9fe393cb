/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a comparison is decided by: "p99-read", "iops" ... One row each.
 */
#ifndef IOSCHED_SIM_OBJECTIVE_H
#define IOSCHED_SIM_OBJECTIVE_H

#include "sim/experiment.h"

struct objective {
	const char *name;
	const char *help;       /* N_() */
	struct experiment_choice choice;
	bool is_larger_better;
};

/* How many there are. */
#define OBJECTIVE_COUNT 6

const struct objective *objective_get(size_t index); /* NULL past the end */
const struct objective *objective_find(const char *name);
/*
 * Where none is named: the reads' P99, or where nothing is read that of the writes; the
 * mean where too little was done to know either.
 */
const struct objective *objective_default(const struct experiment_outcome *outcomes,
					  size_t count);

/* Its count is 0 where the outcome has no such figure. */
struct estimate objective_value(const struct objective *objective,
				const struct experiment_outcome *outcome);

/* a is better than b, by its mean. What has no figure is never better. */
bool objective_is_better(const struct objective *objective, const struct estimate *a,
			 const struct estimate *b);

/*
 * The best by its mean. Of those that cannot be told from it, the one with the lower mean
 * latency in the objective's direction, where it has one, else of the whole, else with more
 * I/Os per second, else the better by its mean, else the first. Less than a thousandth is no
 * difference. -1: none has the figure, or objective_is_tie().
 */
int objective_best(const struct objective *objective,
		   const struct experiment_outcome *outcomes, size_t count);
/* There are several, all have the figure, and no two differ by any of these. */
bool objective_is_tie(const struct objective *objective,
		      const struct experiment_outcome *outcomes, size_t count);

#endif
