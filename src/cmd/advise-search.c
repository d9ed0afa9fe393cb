// SPDX-License-Identifier: GPL-2.0-or-later
/* Searching schedulers and parameters on the windows of a trace. */
#include "cmd/advise-search.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/simulate-load.h"
#include "util/i18n.h"

/* What is tried of a scheduler: those that articles and kernels' documents name. */
static const struct parameter_row {
	const char *scheduler, *file;
	const char *values[5];
} parameters[] = {
	{ "mq-deadline", "read_expire", { "50", "100", "250", "1000" } },
	{ "mq-deadline", "fifo_batch", { "1", "4", "8", "32" } },
	{ "mq-deadline", "writes_starved", { "1", "4", "8" } },
	{ "mq-deadline", "write_expire", { "1000", "10000" } },
	{ "deadline", "read_expire", { "50", "100", "250", "1000" } },
	{ "deadline", "fifo_batch", { "1", "4", "8", "32" } },
	{ "deadline", "writes_starved", { "1", "4", "8" } },
	{ "kyber", "read_lat_nsec", { "500000", "1000000", "5000000" } },
	{ "kyber", "write_lat_nsec", { "2000000", "5000000", "20000000" } },
	{ "bfq", "low_latency", { "0" } },
	{ "bfq", "slice_idle", { "0", "2", "4" } },
	{ "cfq", "slice_idle", { "0", "2", "4" } },
	{ "cfq", "quantum", { "16", "32" } },
};

/* Schedulers whose parameters are tried. */
#define TUNED_SCHEDULERS 2

void advise_search_done(struct advise_search *search)
{
	simulate_variants_done(&search->variants);
}

/* --- figures ------------------------------------------------------------------------- */

static size_t index_of(const struct objective *objective)
{
	size_t i = 0;

	while (objective_get(i) != objective)
		i++;
	return i;
}

struct estimate advise_value(const struct advise_search *search, size_t candidate,
			     const struct objective *objective)
{
	return estimate_from(search->candidates[candidate].values[index_of(objective)],
			     search->windows);
}

struct estimate advise_gain(const struct advise_search *search, size_t candidate,
			    size_t reference, const struct objective *objective,
			    unsigned *ret_better)
{
	size_t row = index_of(objective);
	const double *ours = search->candidates[candidate].values[row];
	const double *theirs = search->candidates[reference].values[row];
	double ratios[ADVISE_WINDOWS];
	struct estimate gain;
	double mean;

	*ret_better = 0;
	for (unsigned i = 0; i < search->windows; i++) {
		ratios[i] = objective->is_larger_better ? log(ours[i] / theirs[i]) :
							  log(theirs[i] / ours[i]);
		*ret_better += ratios[i] > 0;
	}
	gain = estimate_from(ratios, search->windows);
	mean = gain.mean;
	gain.mean = objective->is_larger_better ? expm1(mean) : -expm1(-mean);
	/* As wide in shares as it was in logarithms: what holds there holds here. */
	gain.margin *= mean != 0 ? gain.mean / mean : 1;
	return gain;
}

bool advise_is_clear(const struct estimate *gain, double min)
{
	return gain->count >= ADVISE_COMPARED_MIN && gain->mean > min &&
	       gain->mean > gain->margin;
}

int advise_best(const struct advise_search *search, const struct objective *objective,
		bool with_tuned)
{
	struct estimate best = { 0 };
	int found = -1;

	for (size_t i = 0; i < search->count; i++) {
		struct estimate value = advise_value(search, i, objective);

		if (search->candidates[i].is_tuned && !with_tuned)
			continue;
		if (value.count && (found < 0 || objective_is_better(objective, &value, &best))) {
			found = (int)i;
			best = value;
		}
	}
	return found;
}

/* --- running ---------------------------------------------------------------------------- */

static void keep_figures(struct advise_search *search, size_t first,
			 const struct experiment_outcome *outcomes, size_t count,
			 unsigned window)
{
	for (size_t i = 0; i < count; i++) {
		struct advise_candidate *candidate = &search->candidates[first + i];

		for (size_t row = 0; row < OBJECTIVE_COUNT; row++) {
			struct estimate value =
				objective_value(objective_get(row), &outcomes[i]);

			candidate->values[row][window] = value.count ? value.mean : NAN;
		}
		search->was_ended |= outcomes[i].is_partial;
	}
}

/* The candidates from `first` on, in every window. */
static int measure(struct simulate_case *simulated, struct advise_search *search, size_t first,
		   struct diag *diag)
{
	const struct simulate_variants kept = simulated->variants;
	size_t count = search->count - first;
	int error = 0;

	simulated->seeds = 1;
	for (unsigned w = 0; w < search->windows && !error && !search->was_ended; w++) {
		struct experiment_outcome *outcomes = NULL;

		simulated->source.skip =
			(uint64_t)((double)w * (double)search->window_ios * search->stride);
		simulated->source.limit = search->window_ios;
		simulated->seed = search->seed + w;
		simulated->variants.items = &search->variants.items[first];
		simulated->variants.count = count;
		error = simulate_case_run(simulated, NULL, &outcomes, diag);
		/* The plain ones come first; varied ones cannot be quicker by much. */
		if (!error && first == 0)
			search->overloaded += simulate_is_overloaded(simulated, outcomes);
		simulated->variants = kept;
		if (error)
			break;
		keep_figures(search, first, outcomes, count, w);
		if (!search->objective)
			search->objective = objective_default(outcomes, count);
		experiment_outcomes_free(outcomes, count);
	}
	return error;
}

static int add_candidate(struct advise_search *search, bool is_tuned)
{
	struct advise_candidate *candidate = &search->candidates[search->count];

	if (search->count == ADVISE_CANDIDATES_MAX)
		return -E2BIG;
	candidate->is_tuned = is_tuned;
	/* It may be ended before every window has its figures. */
	for (size_t row = 0; row < OBJECTIVE_COUNT; row++) {
		for (unsigned w = 0; w < ADVISE_WINDOWS; w++)
			candidate->values[row][w] = NAN;
	}
	search->count++;
	return 0;
}

/* --- parameters --------------------------------------------------------------------------- */

/* The variant again, with one parameter at another value. */
static int add_variation(struct advise_search *search, size_t of, const char *file,
			 const char *value)
{
	const struct simulate_variant *from = &search->variants.items[of];
	struct simulate_variant *variant =
		simulate_variant_add(&search->variants, from->scheduler);
	_free_ char *title = NULL;
	int error = variant ? 0 : -ENOMEM;

	/* Adding may have moved them. */
	from = &search->variants.items[of];
	for (size_t i = 0; i < from->setting_count && !error; i++)
		error = simulate_variant_set(variant, from->settings[i].file,
					     from->settings[i].value);
	if (!error)
		error = simulate_variant_set(variant, file, value);
	if (error)
		return error;
	variant->nr_requests = from->nr_requests;
	if (asprintf(&title, "%s %s=%s", from->title, file, value) < 0)
		return -ENOMEM;
	free(variant->title);
	variant->title = TAKE_PTR(title);
	return add_candidate(search, true);
}

static bool is_known(const struct advise_search *search)
{
	const struct simulate_variants *variants = &search->variants;

	for (size_t i = 0; i + 1 < variants->count; i++)
		if (simulate_variant_is_same(&variants->items[i],
					     &variants->items[variants->count - 1]))
			return true;
	return false;
}

static void drop_last(struct advise_search *search)
{
	simulate_variants_drop_last(&search->variants);
	search->count--;
}

/* One parameter of a candidate: where a value is better, it goes on from there. */
static int try_parameter(struct simulate_case *simulated, struct advise_search *search,
			 const struct parameter_row *row, size_t *at, struct diag *diag)
{
	size_t first = search->count, from = *at;
	unsigned better;
	int error = 0;

	for (size_t i = 0; i < ARRAY_SIZE(row->values) && row->values[i] && !error; i++) {
		error = add_variation(search, from, row->file, row->values[i]);
		if (error == -E2BIG)
			break;
		if (!error && is_known(search))
			drop_last(search);
	}
	if (error == -E2BIG) {
		simulate_variants_drop_last(&search->variants);
		error = 0;
	}
	if (error || search->count == first)
		return error;
	error = measure(simulated, search, first, diag);
	for (size_t i = first; i < search->count && !error; i++) {
		struct estimate gain =
			advise_gain(search, i, *at, search->objective, &better);

		if (advise_is_clear(&gain, ADVISE_PARAMETER_MIN))
			*at = i;
	}
	return error;
}

static int tune(struct simulate_case *simulated, struct advise_search *search, size_t at,
		struct diag *diag)
{
	const char *scheduler = search->variants.items[at].scheduler;
	int error = 0;

	for (size_t i = 0; i < ARRAY_SIZE(parameters) && !error && !search->was_ended; i++)
		if (strcmp(parameters[i].scheduler, scheduler) == 0)
			error = try_parameter(simulated, search, &parameters[i], &at, diag);
	return error;
}

/* The best candidate of another scheduler than those; -1: none. */
static int best_but(const struct advise_search *search, const char *const *schedulers,
		    size_t count)
{
	struct estimate best = { 0 };
	int found = -1;

	for (size_t i = 0; i < search->count; i++) {
		struct estimate value = advise_value(search, i, search->objective);
		bool is_done = false;

		for (size_t k = 0; k < count; k++)
			is_done |= strcmp(search->variants.items[i].scheduler,
					  schedulers[k]) == 0;
		if (is_done || !value.count ||
		    (found >= 0 && !objective_is_better(search->objective, &value, &best)))
			continue;
		found = (int)i;
		best = value;
	}
	return found;
}

/* --- the whole ------------------------------------------------------------------------------ */

/* A tuned candidate must beat what it was tuned from clearly; else the plain one is enough. */
static void decide(struct advise_search *search)
{
	int plain = advise_best(search, search->objective, false);
	int any = advise_best(search, search->objective, true);
	unsigned better;

	search->best = search->reference;
	if (plain < 0 || any < 0)
		return;
	search->best = (size_t)plain;
	if (any != plain) {
		struct estimate gain = advise_gain(search, (size_t)any, (size_t)plain,
						   search->objective, &better);

		if (advise_is_clear(&gain, ADVISE_PARAMETER_MIN))
			search->best = (size_t)any;
	}
	search->gain = advise_gain(search, search->best, search->reference, search->objective,
				   &search->better_windows);
	search->is_worth_it = search->best != search->reference &&
			      advise_is_clear(&search->gain, ADVISE_GAIN_MIN);
}

static void choose_windows(uint64_t ios, struct advise_search *search)
{
	uint64_t each = ios / ADVISE_WINDOWS;

	search->windows = ADVISE_WINDOWS;
	search->window_ios = each < ADVISE_WINDOW_IOS ? each : ADVISE_WINDOW_IOS;
	search->stride = search->window_ios ? (double)each / (double)search->window_ios : 1;
}

int advise_search_run(struct simulate_case *simulated, uint64_t ios,
		      const struct objective *objective, struct advise_search *ret,
		      struct diag *diag)
{
	const char *done[TUNED_SCHEDULERS];
	int error = 0;

	*ret = (struct advise_search){ .objective = objective, .seed = simulated->seed };
	ret->variants = simulated->variants;
	simulated->variants = (struct simulate_variants){ 0 };
	choose_windows(ios, ret);
	if (ret->window_ios < ADVISE_WINDOW_IOS_MIN)
		return diag_set(diag, -ENODATA,
				_("%llu I/Os are too few to advise on: record for longer, or "
				  "when there is more to do"), (unsigned long long)ios);
	for (size_t i = 0; i < ret->variants.count && !error; i++) {
		if (ret->variants.items[i].role == VARIANT_NOW)
			ret->reference = i;
		error = add_candidate(ret, false);
	}
	if (!error)
		error = measure(simulated, ret, 0, diag);
	for (size_t i = 0; i < TUNED_SCHEDULERS && !error && !ret->was_ended; i++) {
		int at = best_but(ret, done, i);

		if (at < 0)
			break;
		done[i] = ret->variants.items[at].scheduler;
		error = tune(simulated, ret, (size_t)at, diag);
	}
	if (!error)
		decide(ret);
	return error;
}
