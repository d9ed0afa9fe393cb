/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue under cfq, and processes that ask it for something.
 */
#ifndef IOSCHED_TESTS_CFQ_FIXTURE_H
#define IOSCHED_TESTS_CFQ_FIXTURE_H

#include "legacy-fixture.h"

#include "sim/elevators/cfq.h"

static inline void begin(struct bench *bench, const struct sim_setting *settings,
			 size_t count)
{
	bench_init(bench, fixture_queue("cfq", 4, 18, 32, settings, count));
}

static inline struct cfq_data *cfq_of(const struct bench *bench)
{
	return bench->queue->elevator_data;
}

static inline void ask_as(struct bench *bench, uint32_t pid, char op, uint64_t sector,
			  enum sim_class class, unsigned level)
{
	bench_ask_for(bench, &(const struct asked){ pid, op, sector, class, level, 0 });
}

/* Process 1 reads piece by piece, process 2 waits elsewhere. */
static inline void begin_pieces(struct bench *bench, const struct sim_setting *settings,
				size_t count)
{
	begin(bench, settings, count);
	bench_ask(bench, 1, 'R', 1000);
	bench_ask(bench, 2, 'R', 900000);
	assert_string_equal(bench_take(bench), "R1000");
	bench_at(bench, bench->queue->now_ns + MS);
	bench_complete(bench);
}

#endif
