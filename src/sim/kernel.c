/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Behaviour by kernel version. */
#include "sim/kernel.h"

#include <stddef.h>

#include "util/cleanup.h"

struct behaviour_row {
	enum sim_behaviour behaviour;
	struct kernel_version since, until;
};

/* since <= version < until; a missing bound is open. */
static const struct behaviour_row behaviour_rows[] = {
	{ SIM_PULL_MANY, .since = { 5, 9, 0 } },
	{ SIM_PULL_STOPS_WITHOUT_TAG, .since = { 5, 12, 0 } },
	{ SIM_RUN_YIELDS, .since = { 6, 0, 0 } },
	{ SIM_PLUG_REVERSED, .since = { 5, 16, 0 }, .until = { 6, 12, 0 } },
	{ SIM_PLUG_MERGES_LAST, .since = { 5, 16, 0 } },
	{ SIM_PLUG_HOLDS_32, .since = { 5, 16, 0 } },
	{ SIM_MQD_CLASSES, .since = { 5, 14, 0 } },
	{ SIM_MQD_CLASS_WAITS, .since = { 6, 0, 0 } },
	{ SIM_MQD_AGING, .since = { 6, 0, 0 } },
	{ SIM_MQD_LATEST_POS, .since = { 6, 5, 0 } },
	{ SIM_MQD_ONE_POSITION, .until = { 5, 14, 0 } },
	{ SIM_MQD_STARTS_WRITING, .since = { 6, 0, 0 } },
	{ SIM_MQD_ZONE_LOCKS, .since = { 4, 16, 0 }, .until = { 6, 10, 0 } },
	{ SIM_MQD_ONE_HEAD_LIST, .since = { 6, 19, 0 } },
	{ SIM_MQD_ASYNC_THREE_QUARTERS, .since = { 5, 14, 0 }, .until = { 6, 1, 0 } },
	{ SIM_KYBER_ASYNC_OF_QUEUE, .since = { 7, 0, 0 } },
	{ SIM_FUA_IS_SCHEDULED, .since = { 6, 5, 0 } },
	{ SIM_BFQ_REVISED, .since = { 5, 12, 0 } },
	{ SIM_BFQ_STABLE_MERGE, .since = { 5, 13, 0 } },
	{ SIM_BFQ_WAKES_IDLE, .since = { 5, 14, 0 } },
	{ SIM_BFQ_WORK_IS_QUEUED, .since = { 5, 18, 0 } },
	{ SIM_BFQ_SHARES_TAGS, .since = { 5, 17, 0 } },
	{ SIM_LIMIT_IS_OF_ALL, .since = { 6, 18, 0 } },
};

void sim_kernel_init(struct sim_kernel *kernel, struct kernel_version version)
{
	*kernel = (struct sim_kernel){ .version = version };
	for (size_t i = 0; i < ARRAY_SIZE(behaviour_rows); i++) {
		const struct behaviour_row *row = &behaviour_rows[i];

		if (kernel_version_is_within(version, row->since, row->until))
			kernel->has[row->behaviour] = true;
	}
}

bool sim_kernel_is_beyond(struct kernel_version version)
{
	version.patch = 0;
	return kernel_version_compare(version, SIM_KERNEL_NEWEST) > 0;
}
