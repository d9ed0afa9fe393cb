/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers of a simulation: xoshiro256** (Blackman and Vigna, "Scrambled linear
 * pseudorandom number generators", 2018), seeded by splitmix64. The same seed gives the
 * same numbers on every machine; each job and each medium has a generator of its own, so
 * that one does not disturb the other.
 */
#ifndef IOSCHED_SIM_RANDOM_H
#define IOSCHED_SIM_RANDOM_H

#include <stdint.h>

struct sim_random {
	uint64_t state[4];
};

/* Two streams of one seed are independent. */
void sim_random_init(struct sim_random *random, uint64_t seed, uint64_t stream);

uint64_t sim_random_next(struct sim_random *random);
/* 0 <= n < limit, without bias; 0 when the limit is 0. */
uint64_t sim_random_below(struct sim_random *random, uint64_t limit);
/* 0 <= x < 1 */
double sim_random_unit(struct sim_random *random);
/* Exponential with this mean; never negative. */
double sim_random_exponential(struct sim_random *random, double mean);
/* Normal with mean 0 and deviation 1. */
double sim_random_normal(struct sim_random *random);

#endif
