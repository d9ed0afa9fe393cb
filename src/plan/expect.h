/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a value will read when its turn in a plan comes, where earlier writes of the same
 * plan change it: a switch of the scheduler brings the kernel's defaults.
 */
#ifndef IOSCHED_PLAN_EXPECT_H
#define IOSCHED_PLAN_EXPECT_H

#include <stdbool.h>

#include "policy/policy.h"

/* One device on its way from `active` to `target`. */
struct expectation {
	const struct policy_device *wanted;
	const char *active, *target; /* schedulers; NULL: not known */
	bool is_switch;
};

/*
 * `was_right`: it reads as it is wanted before the plan begins. True when `value`, which an earlier write of the plan brings about or may change, is
 * likely to be as it is wanted by then, or nothing can be told: the carrying out looks, and
 * writes only what reads otherwise. Of the kernel: `initial` of the catalogue, and facts on
 * nr_requests (2 x min(tags, 128), or the tags under none), async_depth (nr_requests, or 3/4
 * of it) and wbt (off under bfq, the default again after it).
 */
bool expect_is_right(const struct expectation *expectation,
		     const struct policy_value *value, bool was_right);

#endif
