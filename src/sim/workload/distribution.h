/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which place of a range a random I/O goes to. Places are numbered 0 ... count - 1; every
 * draw takes constant time and memory, however large the range.
 *
 * The meanings are those of fio (its HOWTO, "random_distribution"): zipf, pareto and
 * normal say how popular the places are; which place has which rank is scattered over
 * the range, so the hottest ones are not neighbours and not at its beginning.
 */
#ifndef IOSCHED_SIM_WORKLOAD_DISTRIBUTION_H
#define IOSCHED_SIM_WORKLOAD_DISTRIBUTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/random.h"
#include "util/diag.h"

enum distribution_kind {
	DISTRIBUTION_UNIFORM,
	DISTRIBUTION_EACH_ONCE, /* uniform; no place again before all had their turn */
	DISTRIBUTION_ZIPF,      /* parameter: theta, 0 < theta <= 10; the n-th: n^-theta */
	DISTRIBUTION_PARETO,    /* h, 0 < h < 1: 1 - h of the draws on h of the places */
	DISTRIBUTION_NORMAL,    /* the added deviation in per cent, 0 to 100 */
	DISTRIBUTION_ZONED,     /* by zones */
};

#define DISTRIBUTION_ZONES_MAX 64

/* `access_percent` of the draws fall on the next `size_percent` of the range. */
struct distribution_zone {
	double access_percent, size_percent;
};

struct distribution_spec {
	enum distribution_kind kind;
	double parameter;
	struct distribution_zone zones[DISTRIBUTION_ZONES_MAX];
	unsigned zone_count;
};

struct distribution {
	const struct distribution_spec *spec; /* borrowed */
	uint64_t count;
	uint64_t drawn;     /* each once: of this round */
	uint64_t key[2];    /* which place has which rank */
	uint64_t mask;      /* of the numbers that are mixed: 2^n - 1 >= count - 1 */
	unsigned shift;
	double constants[4]; /* what the kind computes once */
};

/* What contradicts itself: -EINVAL with a diag. Zones must add up to 100 % each. */
int distribution_check(const struct distribution_spec *spec, struct diag *diag);

/* For a checked spec. count >= 1. Keys are drawn from `random`. */
void distribution_init(struct distribution *distribution,
		       const struct distribution_spec *spec, uint64_t count,
		       struct sim_random *random);

/* 0 <= place < count */
uint64_t distribution_next(struct distribution *distribution, struct sim_random *random);

#endif
