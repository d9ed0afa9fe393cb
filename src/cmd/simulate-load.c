// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads that are more than the medium can do, found by what was left undone or refused. */
#include "cmd/simulate-load.h"

#include <math.h>
#include <string.h>

#include "util/i18n.h"
#include "util/log.h"

/* Less than this part of what was asked for is too little. */
#define DONE_PART  0.95
/* More than chance leaves undone of I/Os that come at random: so many deviations. */
#define DEVIATIONS 3
/* Of a trace's length: what it takes longer than the I/O took to come. Less than a second
   is a burst. */
#define LATE_PART   0.1
#define LATE_MIN_NS 1000000000

/* Of the jobs of this name together; 0: not all of them have a rate. */
static double wanted_iops(const struct workload *workload, const char *name)
{
	double sum = 0;

	for (size_t i = 0; i < workload->job_count; i++) {
		const struct job_spec *job = &workload->jobs[i];

		if (strcmp(job->name, name) != 0)
			continue;
		if (!(job->rate_iops > 0))
			return 0;
		sum += job->rate_iops * job->numjobs;
	}
	return sum;
}

static double done_iops(const struct experiment_group *group, uint64_t *ret_ios)
{
	double sum = 0;

	*ret_ios = 0;
	for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
		const struct experiment_stream *stream = &group->directions[dir];

		*ret_ios += stream->ios;
		if (stream->figures[FIGURE_IOPS].count)
			sum += stream->figures[FIGURE_IOPS].mean;
	}
	return sum;
}

static bool is_too_little(double done, double wanted, uint64_t ios)
{
	double expected = done > 0 ? (double)ios * wanted / done : 0;

	return done < wanted * DONE_PART &&
	       expected - (double)ios > DEVIATIONS * sqrt(expected);
}

/* By the variant that does most of it. */
static void note_group(const struct simulate_case *simulated,
		       const struct experiment_outcome *outcomes, size_t index)
{
	double best = 0, wanted = 0;
	const char *name = NULL;
	uint64_t best_ios = 0;

	for (size_t i = 0; i < simulated->variants.count; i++) {
		const struct experiment_group *group;
		uint64_t ios;
		double done;

		if (index >= outcomes[i].group_count)
			continue;
		group = &outcomes[i].groups[index];
		name = group->name;
		wanted = wanted_iops(&simulated->workload, name);
		done = done_iops(group, &ios);
		if (done > best) {
			best = done;
			best_ios = ios;
		}
	}
	if (name && is_too_little(best, wanted, best_ios))
		log_notice(_("%s on %s: the load exceeds what the medium can do: of %g I/Os per "
			     "second %.3g are done at most; the latencies grow with the length "
			     "of the run"),
			   name, simulated->medium.name, wanted, best);
}

/* How much longer than the I/O took to come the quickest variant takes; 0: not too long. */
static uint64_t find_late_ns(const struct simulate_case *simulated,
			     const struct experiment_outcome *outcomes)
{
	uint64_t last_ns = simulated->source.last_ns, late_ns = UINT64_MAX;

	for (size_t i = 0; i < simulated->variants.count; i++) {
		uint64_t late = outcomes[i].end_ns > last_ns ? outcomes[i].end_ns - last_ns : 0;

		if (late < late_ns)
			late_ns = late;
	}
	return late_ns > LATE_MIN_NS && (double)late_ns > LATE_PART * (double)last_ns ? late_ns :
											 0;
}

static void note_trace(const struct simulate_case *simulated,
		       const struct experiment_outcome *outcomes)
{
	uint64_t last_ns = simulated->source.last_ns;
	uint64_t late_ns = find_late_ns(simulated, outcomes);

	if (late_ns)
		log_notice(_("the load exceeds what the medium can do: I/O that came within %.3g "
			     "s takes %.3g s longer at least; the latencies grow with the "
			     "length of the trace"),
			   (double)last_ns / 1e9, (double)late_ns / 1e9);
}

bool simulate_is_overloaded(const struct simulate_case *simulated,
			    const struct experiment_outcome *outcomes)
{
	return find_late_ns(simulated, outcomes) > 0;
}

void simulate_note_overload(const struct simulate_case *simulated,
			    const struct experiment_outcome *outcomes)
{
	if (simulated->options.hold_ns || !simulated->has_medium)
		return;
	for (size_t i = 0; i < simulated->variants.count; i++) {
		if (outcomes[i].is_partial)
			return;
	}
	if (!simulated->has_workload) {
		/* A window may be a burst. */
		if (!simulated->source.limit)
			note_trace(simulated, outcomes);
		return;
	}
	for (size_t i = 0; simulated->variants.count && i < outcomes[0].group_count; i++)
		note_group(simulated, outcomes, i);
}

void simulate_note_refused(const struct simulate_case *simulated,
			   const struct experiment_outcome *outcomes)
{
	uint64_t refused = 0;
	unsigned runs = 0;

	for (size_t i = 0; i < simulated->variants.count; i++) {
		refused += outcomes[i].refused;
		runs += outcomes[i].runs;
	}
	if (refused)
		log_notice(_("%s refuses writes that are not at their zone's write pointer, %llu in "
			     "%u runs: their figures are those of refusals; such a device needs "
			     "what writes in order, a zoned file system for example "
			     "(--workload sequential-write)"),
			   simulated->medium.name, (unsigned long long)refused, runs);
}
