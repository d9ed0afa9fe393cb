/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mean in which a sample counts 1/8 and the past 7/8, in fixed point: how cfq and
 * anticipatory remember a process' think time. The weight of all samples so far begins at
 * 0 and comes near 256.
 */
#ifndef IOSCHED_SIM_ELEVATORS_DECAYING_MEAN_H
#define IOSCHED_SIM_ELEVATORS_DECAYING_MEAN_H

#include <stdint.h>

struct decaying_mean {
	uint32_t weight; /* of the samples; 0: there is none */
	uint64_t total;
	uint64_t mean;
};

/* The sample must be below 2^55. */
static inline void decaying_mean_add(struct decaying_mean *mean, uint64_t sample)
{
	mean->weight = (7 * mean->weight + 256) / 8;
	mean->total = (7 * mean->total + 256 * sample) / 8;
	mean->mean = (mean->total + mean->weight / 2) / mean->weight;
}

#endif
