// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the result of a run to its figures, and from those of several runs to means with
 * their confidence.
 */
#include "sim/experiment-internal.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/cleanup.h"

/* In millionths. */
static const unsigned quantiles[FIGURES] = {
	[FIGURE_P50] = 500000,
	[FIGURE_P99] = 990000,
	[FIGURE_P99_9] = 999000,
	[FIGURE_P99_99] = 999900,
};

static void reduce_stream(const struct simulate_direction *direction, uint64_t time_ns,
			  struct run_stream *ret)
{
	const struct histogram *latency = &direction->latency_ns;
	double seconds = (double)time_ns / 1e9;

	ret->ios = direction->ios;
	ret->sectors = direction->sectors;
	for (unsigned i = 0; i < FIGURES; i++)
		ret->figures[i] = NAN;
	if (!direction->ios)
		return;
	if (time_ns) {
		ret->figures[FIGURE_IOPS] = (double)direction->ios / seconds;
		if (direction->sectors)
			ret->figures[FIGURE_BYTES] = (double)direction->sectors * 512 / seconds;
	}
	ret->figures[FIGURE_MEAN] = (double)latency->sum / (double)latency->count;
	ret->figures[FIGURE_MAX] = (double)latency->max;
	for (unsigned i = FIGURE_P50; i <= FIGURE_P99_99; i++)
		ret->figures[i] = (double)histogram_quantile(latency, quantiles[i]);
}

static void reduce_totals(const struct simulate_result *result, struct run *ret)
{
	const struct simulate_direction *directions = result->directions;
	uint64_t time_ns = result->end_ns - result->begin_ns;
	double seconds = (double)time_ns / 1e9, ios = 0, sectors = 0, sum_ns = 0;
	double *totals = ret->totals;

	for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
		ios += (double)directions[dir].ios;
		sectors += (double)directions[dir].sectors;
		sum_ns += (double)directions[dir].latency_ns.sum;
	}
	for (unsigned i = 0; i < TOTALS; i++)
		totals[i] = NAN;
	totals[TOTAL_EXPIRED] = (double)result->expired;
	totals[TOTAL_REQUESTS] = (double)result->requests;
	if (result->jobs > 1)
		totals[TOTAL_FAIRNESS] = result->fairness;
	if (!(ios > 0))
		return;
	if (time_ns) {
		totals[TOTAL_IOPS] = ios / seconds;
		totals[TOTAL_BYTES] = sectors * 512 / seconds;
	}
	totals[TOTAL_MEAN] = sum_ns / ios;
	if (result->media.seeks)
		totals[TOTAL_TRAVEL] = (double)result->media.travel_sectors / ios;
	if (result->busy_ns) {
		totals[TOTAL_CPU] = (double)result->busy_ns / ios;
		totals[TOTAL_LOCK_WAIT] = (double)result->lock_wait_ns / ios;
	}
}

int run_reduce(const struct simulate_result *result, struct run *ret)
{
	uint64_t time_ns = 0;

	*ret = (struct run){
		.has_result = true,
		.is_partial = result->is_partial,
		.jobs = result->jobs,
		.begin_ns = result->begin_ns,
		.end_ns = result->end_ns,
		.refused = result->media.zone_errors,
	};
	if (result->end_ns > result->begin_ns)
		time_ns = result->end_ns - result->begin_ns;
	for (unsigned dir = 0; dir < SIM_DIRS; dir++)
		reduce_stream(&result->directions[dir], time_ns, &ret->directions[dir]);
	reduce_stream(&result->flushes, time_ns, &ret->flushes);
	reduce_totals(result, ret);
	if (!result->group_count)
		return 0;
	ret->groups = calloc(result->group_count, sizeof(*ret->groups));
	if (!ret->groups)
		return -ENOMEM;
	ret->group_count = result->group_count;
	for (size_t i = 0; i < result->group_count; i++) {
		const struct simulate_group *from = &result->groups[i];
		struct run_group *group = &ret->groups[i];

		memcpy(group->name, from->name, sizeof(group->name));
		group->jobs = from->jobs;
		time_ns = from->end_ns > from->begin_ns ? from->end_ns - from->begin_ns : 0;
		for (unsigned dir = 0; dir < SIM_DIRS; dir++)
			reduce_stream(&from->directions[dir], time_ns, &group->directions[dir]);
		reduce_stream(&from->flushes, time_ns, &group->flushes);
	}
	return 0;
}

void run_done(struct run *run)
{
	free(run->groups);
	run->groups = NULL;
}

/* --- several runs ------------------------------------------------------------------------ */

/* Behind the directions, where streams are counted through. */
#define STREAM_FLUSHES SIM_DIRS

/* The place of a stream in a run: of a group, or of the whole with `group` -1. */
static const struct run_stream *find_stream(const struct run *run, int group, unsigned stream)
{
	if (stream == STREAM_FLUSHES)
		return group < 0 ? &run->flushes : &run->groups[group].flushes;
	return group < 0 ? &run->directions[stream] : &run->groups[group].directions[stream];
}

static void combine_stream(const struct run *runs, unsigned count, int group, unsigned stream,
			   struct experiment_stream *ret)
{
	double values[EXPERIMENT_SEEDS_MAX];

	for (unsigned figure = 0; figure < FIGURES; figure++) {
		for (unsigned i = 0; i < count; i++)
			values[i] = runs[i].has_result
				? find_stream(&runs[i], group, stream)->figures[figure] : NAN;
		ret->figures[figure] = estimate_from(values, count);
	}
	for (unsigned i = 0; i < count; i++) {
		uint64_t ios;

		if (!runs[i].has_result)
			continue;
		ios = find_stream(&runs[i], group, stream)->ios;
		ret->ios += ios;
		ret->sectors += find_stream(&runs[i], group, stream)->sectors;
		if (ios && (!ret->ios_fewest || ios < ret->ios_fewest))
			ret->ios_fewest = ios;
	}
}

static int combine_groups(const struct run *runs, unsigned count, const struct run *first,
			  struct experiment_outcome *ret)
{
	if (!first->group_count)
		return 0;
	ret->groups = calloc(first->group_count, sizeof(*ret->groups));
	if (!ret->groups)
		return -ENOMEM;
	ret->group_count = first->group_count;
	for (size_t i = 0; i < first->group_count; i++) {
		struct experiment_group *group = &ret->groups[i];

		memcpy(group->name, first->groups[i].name, sizeof(group->name));
		group->jobs = first->groups[i].jobs;
		for (unsigned dir = 0; dir < SIM_DIRS; dir++)
			combine_stream(runs, count, (int)i, dir, &group->directions[dir]);
		combine_stream(runs, count, (int)i, STREAM_FLUSHES, &group->flushes);
	}
	return 0;
}

/* What was cut short counts only where there is nothing better. */
static void drop_partial(struct run *runs, unsigned count)
{
	bool has_whole = false;

	for (unsigned i = 0; i < count; i++)
		has_whole |= runs[i].has_result && !runs[i].is_partial;
	for (unsigned i = 0; has_whole && i < count; i++)
		runs[i].has_result &= !runs[i].is_partial;
}

int run_combine(struct run *runs, unsigned count, struct experiment_outcome *ret)
{
	double values[EXPERIMENT_SEEDS_MAX];
	const struct run *first = NULL;

	drop_partial(runs, count);
	for (unsigned i = 0; i < count; i++) {
		ret->is_partial |= !runs[i].has_result || runs[i].is_partial;
		if (!runs[i].has_result)
			continue;
		ret->is_cut |= runs[i].is_partial;
		ret->runs++;
		ret->refused += runs[i].refused;
		if (!first)
			first = &runs[i];
	}
	if (!first)
		return 0;
	ret->jobs = first->jobs;
	ret->begin_ns = first->begin_ns;
	ret->end_ns = first->end_ns;
	for (unsigned dir = 0; dir < SIM_DIRS; dir++)
		combine_stream(runs, count, -1, dir, &ret->directions[dir]);
	combine_stream(runs, count, -1, STREAM_FLUSHES, &ret->flushes);
	for (unsigned total = 0; total < TOTALS; total++) {
		for (unsigned i = 0; i < count; i++)
			values[i] = runs[i].has_result ? runs[i].totals[total] : NAN;
		ret->totals[total] = estimate_from(values, count);
	}
	return combine_groups(runs, count, first, ret);
}

struct estimate experiment_figure_value(const struct experiment_stream *stream,
					enum experiment_figure figure)
{
	if (quantiles[figure] && stream->ios_fewest &&
	    !histogram_is_enough(stream->ios_fewest, quantiles[figure]))
		return (struct estimate){ 0 };
	return stream->figures[figure];
}

const struct experiment_stream *experiment_stream_of(const struct experiment_stream *directions,
						     const struct experiment_stream *flushes,
						     const struct experiment_choice *choice)
{
	return choice->is_flush ? flushes : &directions[choice->dir];
}

struct estimate experiment_value(const struct experiment_outcome *outcome,
				 const struct experiment_choice *choice)
{
	if (choice->is_total)
		return outcome->totals[choice->total];
	return experiment_figure_value(experiment_stream_of(outcome->directions,
							    &outcome->flushes, choice),
				       choice->figure);
}
