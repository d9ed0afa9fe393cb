/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the rounds gave, kept until they are all there. Not for other folders. */
#ifndef IOSCHED_BENCH_ROUNDS_H
#define IOSCHED_BENCH_ROUNDS_H

#include "bench/fio-json.h"

/* All runs of one scheduler, in the order of the rounds. */
struct bench_rounds {
	struct fio_result *results;
	size_t count, room;
};

/* Takes over what the result owns. -ENOMEM; -EBADMSG: not the groups of the one before. */
int bench_rounds_add(struct bench_rounds *rounds, struct fio_result *result);
void bench_rounds_done(struct bench_rounds *rounds);

/*
 * Medians with their intervals; sums of I/Os. `workload` says how many jobs a group has;
 * 0 groups: of the whole only. -ENOMEM.
 */
int bench_rounds_conclude(const struct bench_rounds *rounds, const struct workload *workload,
			  struct experiment_outcome *ret);

#endif
