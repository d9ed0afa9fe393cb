/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one-way elevator of cfq and anticipatory: the nearest request ahead of the head; one
 * a bounded way behind it counts as if it were further away by a factor; what is neither
 * waits for the next sweep, which begins at the lowest sector.
 */
#ifndef IOSCHED_SIM_ELEVATORS_SEEK_CHOICE_H
#define IOSCHED_SIM_ELEVATORS_SEEK_CHOICE_H

#include <stdint.h>

#include "sim/request.h"

struct seek_rule {
	uint64_t back_max_sectors;
	uint64_t back_penalty; /* a sector backwards costs as much as so many forwards */
};

/* The better of the two with the head at `head_sector`; either may be NULL. */
struct sim_request *seek_choose(const struct seek_rule *rule, struct sim_request *a,
				struct sim_request *b, uint64_t head_sector);

/* How far apart two sectors are. */
static inline uint64_t seek_distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

#endif
