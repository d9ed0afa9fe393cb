// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order of writes: the phases of the catalogue, and within a phase what one
 * attribute does to another.
 */
#include "plan/order.h"

#include <string.h>

/*
 * Writing `first` may change `then`, in every kernel that has both (facts on iosched and
 * queue attributes; checked by the live tests). Where `then` is wanted as well it has
 * to be written later, and looked at even when it was right before.
 */
static const struct {
	const char *first, *then;
} disturbances[] = {
	/* 1 raises slice_idle to 8 ms */
	{ "bfq.strict_guarantees", "bfq.slice_idle" },
	{ "bfq.strict_guarantees", "bfq.slice_idle_us" },
	/* one variable, of which slice_idle_us is the finer view */
	{ "bfq.slice_idle", "bfq.slice_idle_us" },
	{ "nr_requests", "async_depth" },
	{ "nr_requests", "mq-deadline.async_depth" },
};

bool plan_is_disturbed(const struct tunable *first, const struct tunable *then)
{
	if (first->phase == PHASE_SCHEDULER)
		return then->place == TUNABLE_IOSCHED ||
		       then->phase == PHASE_NR_REQUESTS ||
		       then->phase == PHASE_ASYNC_DEPTH || then->phase == PHASE_WBT;
	for (size_t i = 0; i < ARRAY_SIZE(disturbances); i++)
		if (!strcmp(first->key, disturbances[i].first) &&
		    !strcmp(then->key, disturbances[i].then))
			return true;
	return false;
}

/* How many others of its phase an attribute waits for, at most. */
static int get_rank(const struct tunable *tunable)
{
	int rank = 0;

	for (size_t i = 0; i < ARRAY_SIZE(disturbances); i++)
		if (!strcmp(tunable->key, disturbances[i].then))
			rank++;
	return rank;
}

int plan_compare_order(const struct tunable *a, const struct tunable *b)
{
	if (a->phase != b->phase)
		return a->phase < b->phase ? -1 : 1;
	return get_rank(a) - get_rank(b);
}
