// SPDX-License-Identifier: GPL-2.0-or-later
/* The figures of a comparison: names, units, and where each is found. */
#include "report/comparison.h"

#include <langinfo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "util/i18n.h"

#define PER_MS 1e-6
#define PER_US 1e-3

static const struct figure_format figures[FIGURES] = {
	[FIGURE_IOPS] = { N_("IOPS"), "iops", 1, 0 },
	[FIGURE_BYTES] = { N_("MB/s"), "bytes_per_second", 1e-6, 1 },
	[FIGURE_MEAN] = { N_("mean ms"), "mean_ns", PER_MS, 3 },
	[FIGURE_P50] = { N_("P50 ms"), "p50_ns", PER_MS, 3 },
	[FIGURE_P99] = { N_("P99 ms"), "p99_ns", PER_MS, 3 },
	[FIGURE_P99_9] = { N_("P99.9 ms"), "p99_9_ns", PER_MS, 3 },
	[FIGURE_P99_99] = { N_("P99.99 ms"), "p99_99_ns", PER_MS, 3 },
	[FIGURE_MAX] = { N_("max ms"), "max_ns", PER_MS, 3 },
};

/* What moves no data is no I/O to who reads the table. */
static const struct figure_format flush_rate = { N_("per second"), "iops", 1, 0 };

static const struct figure_format totals[TOTALS] = {
	[TOTAL_IOPS] = { N_("IOPS"), "iops", 1, 0 },
	[TOTAL_BYTES] = { N_("MB/s"), "bytes_per_second", 1e-6, 1 },
	[TOTAL_MEAN] = { N_("mean ms"), "mean_ns", PER_MS, 3 },
	[TOTAL_FAIRNESS] = { N_("fairness"), "fairness", 1, 3 },
	[TOTAL_EXPIRED] = { N_("past deadline"), "expired", 1, 0 },
	[TOTAL_REQUESTS] = { N_("requests"), "requests", 1, 0 },
	[TOTAL_TRAVEL] = { N_("travel MiB/IO"), "travel_sectors_per_io", 1.0 / 2048, 0 },
	[TOTAL_CPU] = { N_("CPU us/IO"), "cpu_ns_per_io", PER_US, 2 },
	[TOTAL_LOCK_WAIT] = { N_("lock us/IO"), "lock_wait_ns_per_io", PER_US, 2 },
};

const struct figure_format *comparison_figure_format(enum experiment_figure figure)
{
	return &figures[figure];
}

const struct figure_format *comparison_total_format(enum experiment_total total)
{
	return &totals[total];
}

const struct figure_format *figure_format_of(const struct experiment_choice *choice)
{
	if (choice->is_total)
		return comparison_total_format(choice->total);
	if (choice->is_flush && choice->figure == FIGURE_IOPS)
		return &flush_rate;
	return comparison_figure_format(choice->figure);
}

const char *comparison_title(const struct comparison_column *column)
{
	/* JSON calls it so in any language. */
	return strcmp(column->title, "now") == 0 ? _("now") : column->title;
}

const char *comparison_direction(enum sim_dir dir)
{
	return dir == SIM_DIR_READ ? N_("read") : N_("write");
}

const char *comparison_stream(const struct experiment_choice *choice)
{
	if (choice->is_total)
		return "-";
	return choice->is_flush ? N_("flush") : comparison_direction(choice->dir);
}

static const struct experiment_stream *find_stream(const struct comparison_row *row,
						   size_t column)
{
	const struct experiment_outcome *outcome = &row->comparison->outcomes[column];
	const struct experiment_group *group;

	if (row->group < 0)
		return experiment_stream_of(outcome->directions, &outcome->flushes, &row->choice);
	/* A variant of which there is nothing has no groups either. */
	if ((size_t)row->group >= outcome->group_count)
		return NULL;
	group = &outcome->groups[row->group];
	return experiment_stream_of(group->directions, &group->flushes, &row->choice);
}

bool comparison_has_too_few(const struct comparison_row *row, size_t column)
{
	const struct experiment_stream *stream =
		row->choice.is_total ? NULL : find_stream(row, column);

	return stream && stream->figures[row->choice.figure].count &&
	       !experiment_figure_value(stream, row->choice.figure).count;
}

struct estimate comparison_value(const struct comparison_row *row, size_t column)
{
	const struct experiment_stream *stream;

	if (row->choice.is_total)
		return experiment_value(&row->comparison->outcomes[column], &row->choice);
	stream = find_stream(row, column);
	return stream ? experiment_figure_value(stream, row->choice.figure)
		      : (struct estimate){ 0 };
}

unsigned figure_decimals(const struct figure_format *format, double largest)
{
	unsigned decimals = format->decimals;

	largest = fabs(largest * format->scale);
	/* Of a few I/Os per second the tenths matter. */
	if (decimals == 0)
		return largest < 10 && largest > 0 ? 1 : 0;
	/* Four digits are more than any of these is good for. */
	while (decimals > 0 && largest >= pow(10, 4.0 - decimals))
		decimals--;
	return decimals;
}

const char *figure_plus_minus(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0 ? "\302\261" : "+-";
}

void figure_format_number(const struct figure_format *format, unsigned decimals, double value,
			  char *buf, size_t size)
{
	snprintf(buf, size, "%.*f", (int)decimals, value * format->scale);
}

void comparison_add_tie(const struct comparison *comparison, struct text *out)
{
	text_addf(out, _("best by %s: all are alike\n"),
		  comparison->objective->name);
}

bool comparison_is_alike(const struct comparison *comparison, size_t column)
{
	const struct experiment_outcome *outcomes = comparison->outcomes;
	struct estimate value, best;

	if (comparison->best < 0 || (int)column == comparison->best)
		return comparison->is_tie;
	value = objective_value(comparison->objective, &outcomes[column]);
	best = objective_value(comparison->objective, &outcomes[comparison->best]);
	return estimate_is_same(&value, &best);
}

/* What it has is of another length than what the others have, or nothing. */
static bool is_unfinished(const struct experiment_outcome *outcome)
{
	return outcome->is_partial && (outcome->is_cut || !outcome->runs);
}

void comparison_add_ended(const struct comparison *comparison, struct text *out)
{
	unsigned count = 0;

	text_add(out, _("which is best is not known: there is no whole run of "));
	for (size_t i = 0; i < comparison->count; i++) {
		if (!is_unfinished(&comparison->outcomes[i]))
			continue;
		text_add(out, count++ ? ", " : "");
		text_add_safe(out, comparison_title(&comparison->columns[i]));
	}
	text_add(out, "\n");
}

static bool has_unfinished(const struct experiment_outcome *outcomes, size_t count)
{
	for (size_t i = 0; count > 1 && i < count; i++) {
		if (is_unfinished(&outcomes[i]))
			return true;
	}
	return false;
}

struct comparison comparison_make(const struct comparison_column *columns,
				  const struct experiment_outcome *outcomes, size_t count,
				  const struct objective *objective, int reference)
{
	bool is_ended = has_unfinished(outcomes, count);

	if (!objective)
		objective = objective_default(outcomes, count);
	return (struct comparison){
		.columns = columns,
		.outcomes = outcomes,
		.count = count,
		.objective = objective,
		.reference = reference < 0 ? 0 : reference,
		.best = is_ended ? -1 : objective_best(objective, outcomes, count),
		.is_tie = !is_ended && objective_is_tie(objective, outcomes, count),
		.is_ended = is_ended,
	};
}
