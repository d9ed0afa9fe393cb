// SPDX-License-Identifier: GPL-2.0-or-later
/* From the results of rounds to one outcome. */
#include "bench/rounds.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/cleanup.h"

#define SECTOR 512u

int bench_rounds_add(struct bench_rounds *rounds, struct fio_result *result)
{
	if (rounds->count && rounds->results[0].group_count != result->group_count)
		return -EBADMSG;
	if (rounds->count == rounds->room) {
		size_t room = rounds->room ? rounds->room * 2 : 8;
		struct fio_result *items =
			reallocarray(rounds->results, room, sizeof(*items));

		if (!items)
			return -ENOMEM;
		rounds->results = items;
		rounds->room = room;
	}
	rounds->results[rounds->count++] = *result;
	*result = (struct fio_result){ 0 };
	return 0;
}

void bench_rounds_done(struct bench_rounds *rounds)
{
	for (size_t i = 0; i < rounds->count; i++)
		fio_result_done(&rounds->results[i]);
	free(rounds->results);
	*rounds = (struct bench_rounds){ 0 };
}

/* `group` -1: of the whole. */
static const struct fio_stream *find_stream(const struct fio_result *result, int group,
					    unsigned index)
{
	return group < 0 ? &result->streams[index] : &result->groups[group].streams[index];
}

static void conclude_stream(const struct bench_rounds *rounds, int group, unsigned index,
			    double *values, struct experiment_stream *ret)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < rounds->count; i++) {
		uint64_t ios = find_stream(&rounds->results[i], group, index)->ios;

		ret->ios += ios;
		if (ios && (!ret->ios_fewest || ios < ret->ios_fewest))
			ret->ios_fewest = ios;
		bytes += find_stream(&rounds->results[i], group, index)->bytes;
	}
	ret->sectors = bytes / SECTOR;
	if (!ret->ios)
		return;
	for (unsigned figure = 0; figure < FIGURES; figure++) {
		for (size_t i = 0; i < rounds->count; i++)
			values[i] = find_stream(&rounds->results[i], group, index)->figures[figure];
		ret->figures[figure] = estimate_from_median(values, rounds->count);
	}
}

static void conclude_groups(const struct bench_rounds *rounds, const struct workload *workload,
			    double *values, struct experiment_outcome *outcome)
{
	for (size_t i = 0; i < outcome->group_count; i++) {
		struct experiment_group *group = &outcome->groups[i];

		snprintf(group->name, sizeof(group->name), "%s",
			 rounds->results[0].groups[i].name);
		group->jobs = workload && i < workload->job_count
				      ? workload->jobs[i].numjobs : 1;
		for (unsigned dir = 0; dir < SIM_DIRS; dir++)
			conclude_stream(rounds, (int)i, dir, values, &group->directions[dir]);
		conclude_stream(rounds, (int)i, FIO_SYNCS, values, &group->flushes);
	}
}

int bench_rounds_conclude(const struct bench_rounds *rounds, const struct workload *workload,
			  struct experiment_outcome *ret)
{
	_free_ double *values = calloc(rounds->count + 1, sizeof(*values));
	struct experiment_outcome outcome = { .runs = (unsigned)rounds->count };

	if (rounds->count)
		outcome.group_count = rounds->results[0].group_count;
	outcome.groups = calloc(outcome.group_count + 1, sizeof(*outcome.groups));
	outcome.latency_ns = calloc(SIM_DIRS, sizeof(*outcome.latency_ns));
	if (!values || !outcome.groups || !outcome.latency_ns) {
		free(outcome.groups);
		free(outcome.latency_ns);
		return -ENOMEM;
	}
	for (unsigned dir = 0; dir < SIM_DIRS; dir++)
		conclude_stream(rounds, -1, dir, values, &outcome.directions[dir]);
	conclude_stream(rounds, -1, FIO_SYNCS, values, &outcome.flushes);
	for (unsigned total = 0; total < TOTALS; total++) {
		for (size_t i = 0; i < rounds->count; i++)
			values[i] = rounds->results[i].totals[total];
		outcome.totals[total] = estimate_from_median(values, rounds->count);
	}
	conclude_groups(rounds, workload, values, &outcome);
	for (size_t i = 0; i < outcome.group_count; i++)
		outcome.jobs += outcome.groups[i].jobs;
	for (size_t i = 0; i < rounds->count; i++) {
		for (unsigned dir = 0; dir < SIM_DIRS; dir++)
			histogram_merge(&outcome.latency_ns[dir],
					&rounds->results[i].latency_ns[dir]);
	}
	*ret = outcome;
	return 0;
}
