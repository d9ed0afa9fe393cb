/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a run looked like over time, in bounded memory whatever its length: where the
 * device was sent first, how many requests waited, what each group of jobs got. The same
 * run gives the same samples.
 */
#ifndef IOSCHED_SIM_SAMPLES_H
#define IOSCHED_SIM_SAMPLES_H

#include "sim/simulate.h"

#define TIMELINE_BINS      256
#define SAMPLES_HEAD_MAX   160
#define SAMPLES_GROUPS_MAX 12

/*
 * Values by time, in bins of equal width. When a time lies beyond the last bin, bins are
 * joined by two until it does not.
 */
struct timeline {
	uint64_t width_ns;   /* of a bin; 0: nothing was added */
	double sums[TIMELINE_BINS];
	uint64_t counts[TIMELINE_BINS];
	size_t used;         /* bins up to the last with something in it */
};

void timeline_add(struct timeline *timeline, uint64_t time_ns, double value);
/* Mean of the bin's values; 0 without one. */
double timeline_mean(const struct timeline *timeline, size_t bin);
/* Sum of the bin's values for each second of its width. */
double timeline_rate(const struct timeline *timeline, size_t bin);
/* Its middle. */
double timeline_seconds(const struct timeline *timeline, size_t bin);
/* Joins bins until no more than so many are used. */
void timeline_coarsen(struct timeline *timeline, size_t bins);

struct samples_head {
	uint64_t time_ns, sector;
	enum sim_dir dir;
};

struct samples {
	uint64_t from_ns;              /* earlier dispatches do not count (the warm-up) */
	struct timeline depth;         /* requests waiting and with the device */
	struct timeline groups[SAMPLES_GROUPS_MAX]; /* sectors; those beyond are left out */
	size_t group_count;
	struct samples_head head[SAMPLES_HEAD_MAX]; /* the first dispatches */
	size_t head_count;
};

/* Zeroed, with from_ns set, it is empty. Callbacks of a simulation of one device. */
void samples_keep_dispatch(struct samples *samples, const struct simulate_dispatch *dispatch);
void samples_keep_completion(struct samples *samples,
			     const struct simulate_completion *completion);

#endif
