/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The generator and its seeding. */
/*
 * Random numbers of which each stream is its own: xoshiro256**, seeded by splitmix64, and
 * the distributions that the simulation draws from them.
 */
#include "sim/random.h"

#include <math.h>

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void sim_random_init(struct sim_random *random, uint64_t seed, uint64_t stream)
{
	uint64_t state = seed;

	/* The stream's number goes through the mixer too: neighbours share nothing. */
	state = splitmix(&state) ^ stream;
	for (unsigned i = 0; i < 4; i++)
		random->state[i] = splitmix(&state);
}

static uint64_t rotate_left(uint64_t x, unsigned by)
{
	return (x << by) | (x >> (64 - by));
}

uint64_t sim_random_next(struct sim_random *random)
{
	uint64_t *s = random->state;
	uint64_t result = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

uint64_t sim_random_below(struct sim_random *random, uint64_t limit)
{
	/* Values below this would favour the small results. */
	uint64_t least = limit ? -limit % limit : 0, value;

	if (!limit)
		return 0;
	do {
		value = sim_random_next(random);
	} while (value < least);
	return value % limit;
}

double sim_random_unit(struct sim_random *random)
{
	return (double)(sim_random_next(random) >> 11) * 0x1p-53;
}

double sim_random_exponential(struct sim_random *random, double mean)
{
	return -mean * log1p(-sim_random_unit(random));
}

double sim_random_normal(struct sim_random *random)
{
	double radius = sqrt(sim_random_exponential(random, 2.0));

	return radius * cos(2.0 * M_PI * sim_random_unit(random));
}
