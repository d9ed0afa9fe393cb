// SPDX-License-Identifier: GPL-2.0-or-later
/* Points of a sweep below each other. */
#include "report/comparison-sweep.h"

#include <errno.h>

#include "util/i18n.h"
#include "util/text.h"

/* Beside the objective. */
static const struct {
	const char *title;
	struct experiment_choice choice;
} columns[] = {
	{ N_("IOPS"), { .is_total = true, .total = TOTAL_IOPS } },
	{ N_("MEAN-MS"), { .is_total = true, .total = TOTAL_MEAN } },
	{ N_("READ-P99-MS"), { .dir = SIM_DIR_READ, .figure = FIGURE_P99 } },
	{ N_("WRITE-P99-MS"), { .dir = SIM_DIR_WRITE, .figure = FIGURE_P99 } },
};

static void format_value(const struct figure_format *format, const struct estimate *value,
			 bool has_margin, struct text *out)
{
	unsigned decimals = figure_decimals(format, value->mean);
	char buf[32];

	text_add(out, "");
	if (!value->count) {
		text_add(out, "-");
		return;
	}
	figure_format_number(format, decimals, value->mean, buf, sizeof(buf));
	text_add(out, buf);
	if (!has_margin || value->count < 2)
		return;
	figure_format_number(format, decimals, value->margin, buf, sizeof(buf));
	text_addf(out, " %s%s", figure_plus_minus(), buf);
}

static int add_row(struct table *table, const struct comparison *comparison, size_t i)
{
	const struct experiment_outcome *outcome = &comparison->outcomes[i];
	struct estimate value = objective_value(comparison->objective, outcome), best = { 0 };
	_text_ struct text text = { 0 };
	bool is_best = (int)i == comparison->best;

	if (comparison->best >= 0)
		best = objective_value(comparison->objective,
				       &comparison->outcomes[comparison->best]);
	table_add_row(table, TABLE_NO_PARENT);
	table_set(table, 0, comparison_title(&comparison->columns[i]), MOOD_PLAIN);
	format_value(figure_format_of(&comparison->objective->choice), &value, true, &text);
	if (text.error)
		return text.error;
	table_set(table, 1, text.data, is_best ? MOOD_GOOD : MOOD_PLAIN);
	table_set(table, 2, is_best ? "*" : estimate_is_same(&value, &best) ? "=" : "",
		  MOOD_PLAIN);
	for (size_t c = 0; c < ARRAY_SIZE(columns); c++) {
		struct estimate cell = experiment_value(outcome, &columns[c].choice);
		_text_ struct text line = { 0 };

		format_value(figure_format_of(&columns[c].choice), &cell, false, &line);
		if (line.error)
			return line.error;
		table_set(table, 3 + c, line.data, MOOD_PLAIN);
	}
	return 0;
}

/* A percentile is not shown somewhere. */
static bool has_too_few(const struct comparison *comparison)
{
	bool has = false;

	for (size_t c = 0; c < ARRAY_SIZE(columns); c++) {
		const struct comparison_row row = { .comparison = comparison, .group = -1,
						    .choice = columns[c].choice };

		for (size_t i = 0; i < comparison->count; i++)
			has |= comparison_has_too_few(&row, i);
	}
	return has;
}

int sweep_print(const struct comparison *comparison, const struct table_style *style)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	_text_ struct text title = { 0 }, why = { 0 };
	int error = table_new(style, &table);

	if (error)
		return error;
	text_addf(&title, "%s (%s)", comparison->objective->name,
		  _(figure_format_of(&comparison->objective->choice)->label));
	if (title.error)
		return title.error;
	table_add_column(table, _("POINT"), TABLE_LEFT);
	table_add_column(table, title.data, TABLE_RIGHT);
	table_add_column(table, "", TABLE_LEFT);
	for (size_t c = 0; c < ARRAY_SIZE(columns); c++)
		table_add_column(table, _(columns[c].title), TABLE_RIGHT);
	for (size_t i = 0; i < comparison->count && !error; i++)
		error = add_row(table, comparison, i);
	if (!error)
		error = table_print(table);
	if (!error && comparison->best >= 0)
		printf(_("\n* best by %s: %s\n= no difference from it: the intervals overlap\n"),
		       comparison->objective->name, _(comparison->objective->help));
	if (!error && comparison->is_ended)
		comparison_add_ended(comparison, &why);
	else if (!error && comparison->is_tie)
		comparison_add_tie(comparison, &why);
	if (!error)
		error = why.error;
	if (!error && why.data)
		printf("\n%s", why.data);
	if (!error && has_too_few(comparison))
		printf("%s%s\n", comparison->best >= 0 || why.data ? "" : "\n",
		       _("P99 is shown of 100 I/Os or more in each run"));
	return error;
}
