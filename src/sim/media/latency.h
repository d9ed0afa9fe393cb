/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long one operation of a device takes: log-normal around a mean, as measured read
 * times of flash and of hosts are, and now and then an outlier. The distribution is a
 * table of its quantiles, so that a number costs one look.
 */
#ifndef IOSCHED_SIM_MEDIA_LATENCY_H
#define IOSCHED_SIM_MEDIA_LATENCY_H

#include <stdint.h>

#include "sim/random.h"

#define LATENCY_STEPS 512 /* a power of two */

struct latency {
	uint64_t quantile_ns[LATENCY_STEPS];
	uint64_t tail_below; /* of 2^55 */
	uint64_t tail_ns;
};

/*
 * `sigma`: standard deviation of the logarithm, 0 for always the same. One in 1 / tail
 * takes longer by tail_ns, half to one and a half of it.
 */
void latency_init(struct latency *latency, double mean_ns, double sigma, double tail,
		  double tail_ns);

static inline uint64_t latency_draw(const struct latency *latency,
				    struct sim_random *random)
{
	uint64_t bits = sim_random_next(random);
	uint64_t ns = latency->quantile_ns[bits >> 55];

	if ((bits & ((UINT64_C(1) << 55) - 1)) < latency->tail_below)
		ns += latency->tail_ns / 2 + sim_random_below(random, latency->tail_ns + 1);
	return ns;
}

#endif
