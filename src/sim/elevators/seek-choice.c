/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one-way elevator with a bounded way back. */
#include "sim/elevators/seek-choice.h"

#include <stdbool.h>

/* UINT64_MAX: beyond the way back, so only the next sweep gets there. */
static uint64_t cost_of(const struct seek_rule *rule, uint64_t sector, uint64_t head)
{
	uint64_t back, cost;

	if (sector >= head)
		return sector - head;
	back = head - sector;
	if (back > rule->back_max_sectors ||
	    __builtin_mul_overflow(back, rule->back_penalty, &cost))
		return UINT64_MAX;
	return cost;
}

struct sim_request *seek_choose(const struct seek_rule *rule, struct sim_request *a,
				struct sim_request *b, uint64_t head_sector)
{
	uint64_t cost_a, cost_b;

	if (!a || !b || a == b)
		return a ? a : b;
	cost_a = cost_of(rule, a->sector, head_sector);
	cost_b = cost_of(rule, b->sector, head_sector);
	if (cost_a != cost_b)
		return cost_a < cost_b ? a : b;
	/* Both in the next sweep: the lower one. Equally far: the one ahead. */
	if (cost_a == UINT64_MAX)
		return a->sector <= b->sector ? a : b;
	return a->sector >= b->sector ? a : b;
}
