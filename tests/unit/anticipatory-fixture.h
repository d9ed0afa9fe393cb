/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue under anticipatory. At HZ=1000 a tick is a millisecond, and antic_expire is 6 of
 * them.
 */
#ifndef IOSCHED_TESTS_ANTICIPATORY_FIXTURE_H
#define IOSCHED_TESTS_ANTICIPATORY_FIXTURE_H

#include "legacy-fixture.h"

#include "sim/elevators/anticipatory.h"

static inline struct sim_queue *new_queue(const struct sim_setting *settings,
					  size_t count, unsigned hz, bool is_flash)
{
	const struct sim_queue_config config = {
		.kernel = { 2, 6, 32 },
		.scheduler = "anticipatory",
		.settings = settings,
		.setting_count = count,
		.hw_depth = 32,
		.hw_queues = 1,
		.cpus = 1,
		.hz = hz,
		.is_nonrotational = is_flash,
	};
	struct sim_queue *queue = NULL;
	struct diag diag = { 0 };

	if (sim_queue_new(&config, &queue, &diag))
		fail_msg("no queue: %s", diag.text);
	return queue;
}

static inline void begin(struct bench *bench, const struct sim_setting *settings,
			 size_t count)
{
	bench_init(bench, new_queue(settings, count, 1000, false));
}

static inline struct as_data *as_of(const struct bench *bench)
{
	return bench->queue->elevator_data;
}

static const struct sim_setting no_wait = { "antic_expire", "0" };

#endif
