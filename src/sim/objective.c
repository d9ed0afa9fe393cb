// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of objectives, and choosing by one. */
#include "sim/objective.h"

#include <math.h>
#include <string.h>

#include "util/i18n.h"

static const struct objective objectives[] = {
	{ .name = "p99-read", .help = N_("the latency that 99 of 100 reads stay below"),
	  .choice = { .dir = SIM_DIR_READ, .figure = FIGURE_P99 } },
	{ .name = "p99-write", .help = N_("the latency that 99 of 100 writes stay below"),
	  .choice = { .dir = SIM_DIR_WRITE, .figure = FIGURE_P99 } },
	{ .name = "iops", .help = N_("I/Os per second, reads and writes"),
	  .choice = { .is_total = true, .total = TOTAL_IOPS }, .is_larger_better = true },
	{ .name = "throughput", .help = N_("bytes per second, read and written"),
	  .choice = { .is_total = true, .total = TOTAL_BYTES }, .is_larger_better = true },
	{ .name = "mean", .help = N_("the mean latency"),
	  .choice = { .is_total = true, .total = TOTAL_MEAN } },
	{ .name = "fairness", .help = N_("equal shares of the jobs (Jain's index)"),
	  .choice = { .is_total = true, .total = TOTAL_FAIRNESS }, .is_larger_better = true },
};

_Static_assert(ARRAY_SIZE(objectives) == OBJECTIVE_COUNT, "who makes room for one each");

const struct objective *objective_get(size_t index)
{
	return index < ARRAY_SIZE(objectives) ? &objectives[index] : NULL;
}

const struct objective *objective_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(objectives); i++) {
		if (strcmp(objectives[i].name, name) == 0)
			return &objectives[i];
	}
	return NULL;
}

const struct objective *objective_default(const struct experiment_outcome *outcomes,
					  size_t count)
{
	bool has_reads = false;

	for (size_t i = 0; i < count; i++)
		has_reads |= outcomes[i].directions[SIM_DIR_READ].ios > 0;
	for (size_t i = 0; i < count; i++) {
		enum sim_dir dir = has_reads ? SIM_DIR_READ : SIM_DIR_WRITE;

		if (experiment_figure_value(&outcomes[i].directions[dir], FIGURE_P99).count)
			return objective_find(has_reads ? "p99-read" : "p99-write");
	}
	return objective_find("mean");
}

struct estimate objective_value(const struct objective *objective,
				const struct experiment_outcome *outcome)
{
	return experiment_value(outcome, &objective->choice);
}

bool objective_is_better(const struct objective *objective, const struct estimate *a,
			 const struct estimate *b)
{
	if (!a->count || !b->count)
		return a->count > 0;
	return objective->is_larger_better ? a->mean > b->mean : a->mean < b->mean;
}

/* Of those that are left, by mean value; of equals the first. */
static int find_top(const struct objective *objective,
		    const struct experiment_outcome *outcomes, size_t count, const bool *is_out)
{
	struct estimate best = { 0 };
	int ret = -1;

	for (size_t i = 0; i < count; i++) {
		struct estimate value = objective_value(objective, &outcomes[i]);

		if (is_out[i] || !objective_is_better(objective, &value, &best))
			continue;
		best = value;
		ret = (int)i;
	}
	return ret;
}

/* What decides among those that an objective about one direction leaves: of its I/Os. */
static const struct objective means[SIM_DIRS] = {
	[SIM_DIR_READ] = { .choice = { .dir = SIM_DIR_READ, .figure = FIGURE_MEAN } },
	[SIM_DIR_WRITE] = { .choice = { .dir = SIM_DIR_WRITE, .figure = FIGURE_MEAN } },
};

/* Where nothing is left to chance figures differ by nanoseconds: no one is better by these. */
#define NOTICED_PART 0.001

static bool is_alike(const struct estimate *value, const struct estimate *best)
{
	return estimate_is_same(value, best) ||
	       (value->count && best->count &&
		fabs(value->mean - best->mean) <= NOTICED_PART * fabs(best->mean));
}

/* Leaves those that cannot be told from the best; all where none has the figure. */
static void keep_alike(const struct objective *objective,
		       const struct experiment_outcome *outcomes, size_t count, bool *is_out)
{
	int top = find_top(objective, outcomes, count, is_out);
	struct estimate best;

	if (top < 0)
		return;
	best = objective_value(objective, &outcomes[top]);
	for (size_t i = 0; i < count; i++) {
		struct estimate value = objective_value(objective, &outcomes[i]);

		is_out[i] |= !is_alike(&value, &best);
	}
}

/* The best of `count`, and how many are like it. */
static int choose(const struct objective *objective,
		  const struct experiment_outcome *outcomes, size_t count, size_t *ret_alike)
{
	bool is_out[EXPERIMENT_VARIANTS_MAX] = { false };
	size_t alike = 0;

	if (count > ARRAY_SIZE(is_out))
		count = ARRAY_SIZE(is_out);
	if (find_top(objective, outcomes, count, is_out) < 0)
		return -1;
	keep_alike(objective, outcomes, count, is_out);
	if (!objective->choice.is_total)
		keep_alike(&means[objective->choice.dir], outcomes, count, is_out);
	keep_alike(objective_find("mean"), outcomes, count, is_out);
	keep_alike(objective_find("iops"), outcomes, count, is_out);
	for (size_t i = 0; i < count; i++)
		alike += !is_out[i];
	*ret_alike = alike;
	return find_top(objective, outcomes, count, is_out);
}

int objective_best(const struct objective *objective,
		   const struct experiment_outcome *outcomes, size_t count)
{
	size_t alike = 0;
	int best = choose(objective, outcomes, count, &alike);

	return alike == count && count > 1 ? -1 : best;
}

bool objective_is_tie(const struct objective *objective,
		      const struct experiment_outcome *outcomes, size_t count)
{
	size_t alike = 0;

	return choose(objective, outcomes, count, &alike) >= 0 && alike == count && count > 1;
}
