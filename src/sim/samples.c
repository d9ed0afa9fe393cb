// SPDX-License-Identifier: GPL-2.0-or-later
/* Timelines that get coarser as they get longer, and the first dispatches. */
#include "sim/samples.h"

#include <string.h>

/* A tenth of a millisecond: a whole timeline of flash takes 25 ms at first. */
#define WIDTH_FIRST_NS 100000

static void join_bins(struct timeline *timeline)
{
	for (size_t i = 0; i < TIMELINE_BINS / 2; i++) {
		timeline->sums[i] = timeline->sums[2 * i] + timeline->sums[2 * i + 1];
		timeline->counts[i] = timeline->counts[2 * i] + timeline->counts[2 * i + 1];
	}
	memset(&timeline->sums[TIMELINE_BINS / 2], 0, sizeof(timeline->sums) / 2);
	memset(&timeline->counts[TIMELINE_BINS / 2], 0, sizeof(timeline->counts) / 2);
	timeline->used = (timeline->used + 1) / 2;
	timeline->width_ns *= 2;
}

void timeline_add(struct timeline *timeline, uint64_t time_ns, double value)
{
	size_t bin;

	if (!timeline->width_ns)
		timeline->width_ns = WIDTH_FIRST_NS;
	while (time_ns / timeline->width_ns >= TIMELINE_BINS)
		join_bins(timeline);
	bin = (size_t)(time_ns / timeline->width_ns);
	timeline->sums[bin] += value;
	timeline->counts[bin]++;
	if (timeline->used <= bin)
		timeline->used = bin + 1;
}

void timeline_coarsen(struct timeline *timeline, size_t bins)
{
	while (timeline->used > bins && timeline->used > 1)
		join_bins(timeline);
}

double timeline_mean(const struct timeline *timeline, size_t bin)
{
	if (!timeline->counts[bin])
		return 0;
	return timeline->sums[bin] / (double)timeline->counts[bin];
}

double timeline_rate(const struct timeline *timeline, size_t bin)
{
	if (!timeline->width_ns)
		return 0;
	return timeline->sums[bin] * 1e9 / (double)timeline->width_ns;
}

double timeline_seconds(const struct timeline *timeline, size_t bin)
{
	return ((double)bin + 0.5) * (double)timeline->width_ns / 1e9;
}

void samples_keep_dispatch(struct samples *samples, const struct simulate_dispatch *dispatch)
{
	struct samples_head *head = &samples->head[samples->head_count];

	if (dispatch->time_ns < samples->from_ns || samples->head_count == SAMPLES_HEAD_MAX ||
	    dispatch->device != 0 || !dispatch->sectors)
		return;
	*head = (struct samples_head){
		.time_ns = dispatch->time_ns,
		.sector = dispatch->sector,
		.dir = dispatch->op == SIM_READ ? SIM_DIR_READ : SIM_DIR_WRITE,
	};
	samples->head_count++;
}

void samples_keep_completion(struct samples *samples,
			     const struct simulate_completion *completion)
{
	timeline_add(&samples->depth, completion->time_ns,
		     completion->in_flight + completion->waiting);
	if (completion->group >= SAMPLES_GROUPS_MAX)
		return;
	if (samples->group_count <= completion->group)
		samples->group_count = completion->group + 1;
	timeline_add(&samples->groups[completion->group], completion->time_ns,
		     completion->sectors);
}
