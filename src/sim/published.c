/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Running a published experiment, and comparing. */
#include "sim/published.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/i18n.h"

#define HZ 250

static const struct experiment_group *find_group(const struct experiment_outcome *outcome,
						 const char *job)
{
	for (size_t i = 0; i < outcome->group_count; i++) {
		if (strcmp(outcome->groups[i].name, job) == 0)
			return &outcome->groups[i];
	}
	return NULL;
}

static double stream_figure(const struct experiment_stream *stream,
			    enum published_figure figure)
{
	static const enum experiment_figure map[] = {
		[PUBLISHED_IOPS] = FIGURE_IOPS,   [PUBLISHED_BYTES] = FIGURE_BYTES,
		[PUBLISHED_MEAN] = FIGURE_MEAN,   [PUBLISHED_P99] = FIGURE_P99,
		[PUBLISHED_P99_9] = FIGURE_P99_9, [PUBLISHED_P99_99] = FIGURE_P99_99,
	};

	return stream->figures[map[figure]].mean;
}

static double total_figure(const struct experiment_outcome *outcome,
			   enum published_figure figure)
{
	const struct estimate *totals = outcome->totals;

	switch (figure) {
	case PUBLISHED_IOPS:
		return totals[TOTAL_IOPS].mean;
	case PUBLISHED_BYTES:
		return totals[TOTAL_BYTES].mean;
	case PUBLISHED_CPU:
		return totals[TOTAL_CPU].mean * totals[TOTAL_IOPS].mean;
	default:
		return totals[TOTAL_MEAN].mean;
	}
}

static double figure_of(const struct experiment_outcome *outcome,
			const struct published_row *row)
{
	const struct experiment_group *group;

	if (row->direction < 0)
		return total_figure(outcome, row->figure);
	if (!row->job[0])
		return stream_figure(&outcome->directions[row->direction], row->figure);
	group = find_group(outcome, row->job);
	return group ? stream_figure(&group->directions[row->direction], row->figure) : 0;
}

int published_run(struct published *published, unsigned threads,
		  bool (*on_progress)(void *, const struct experiment_progress *),
		  void *context, struct diag *diag)
{
	struct experiment_variant variants[PUBLISHED_SCHEDULERS_MAX] = { { 0 } };
	struct experiment experiment = {
		.options = {
			.queue = {
				.kernel = published->kernel,
				.cpus = published->machine.processors,
				.hz = HZ,
			},
			.medium = &published->medium,
			.last_medium = published->has_last_medium ?
					       &published->last_medium : NULL,
			.devices = published->devices,
			.machine = &published->machine,
			.warmup_ns = published->warmup_ns,
			.runtime_ns = published->runtime_ns,
		},
		.workload = &published->workload,
		.variants = variants,
		.variant_count = published->scheduler_count,
		.seed = 1,
		.seeds = published->seeds,
		.threads = threads,
		.on_progress = on_progress,
		.context = context,
	};
	struct experiment_outcome *outcomes = NULL;
	bool is_partial = false;
	int r;

	sim_medium_to_queue(&published->medium, &experiment.options.queue);
	for (size_t i = 0; i < published->scheduler_count; i++) {
		variants[i].scheduler = published->schedulers[i];
		variants[i].nr_requests = strcmp(published->schedulers[i], "none")
						  ? published->nr_requests
						  : 0;
	}
	r = experiment_run(&experiment, &outcomes, diag);
	if (r < 0)
		return r;
	for (size_t i = 0; i < published->scheduler_count; i++) {
		is_partial |= outcomes[i].is_partial;
		for (size_t k = 0; k < published->row_count; k++)
			published->rows[k].values[i].simulated =
				figure_of(&outcomes[i], &published->rows[k]);
	}
	experiment_outcomes_free(outcomes, published->scheduler_count);
	return is_partial ? diag_set(diag, -EINTR, _("interrupted")) : 0;
}

/* --- comparing ------------------------------------------------------------------------ */

double published_measured_ratio(const struct published_row *row, size_t index)
{
	if (!row->values[0].is_given || !row->values[index].is_given)
		return 0;
	return row->values[index].measured / row->values[0].measured;
}

double published_simulated_ratio(const struct published_row *row, size_t index)
{
	if (!(row->values[0].simulated > 0))
		return 0;
	return row->values[index].simulated / row->values[0].simulated;
}

/* -1, 0, 1: the first is less, about equal, more. */
static int order_of(double a, double b)
{
	if (a < b * (1 - PUBLISHED_TIE))
		return -1;
	return b < a * (1 - PUBLISHED_TIE) ? 1 : 0;
}

bool published_is_ordered(const struct published_row *row)
{
	for (size_t i = 0; i < PUBLISHED_SCHEDULERS_MAX; i++) {
		for (size_t k = 0; k < i; k++) {
			int measured;

			if (!row->values[i].is_given || !row->values[k].is_given)
				continue;
			measured = order_of(row->values[i].measured,
					    row->values[k].measured);
			if (measured == 0)
				continue;
			if (measured < 0
				    ? row->values[i].simulated >= row->values[k].simulated
				    : row->values[i].simulated <=
					      row->values[k].simulated)
				return false;
		}
	}
	return true;
}
