// SPDX-License-Identifier: GPL-2.0-or-later
/* Predictions as a table and as JSON. */
#include "report/prediction.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/comparison.h"
#include "util/i18n.h"
#include "util/json-build.h"

void predictions_done(struct predictions *predictions)
{
	for (size_t i = 0; i < predictions->count; i++) {
		struct prediction *item = &predictions->items[i];

		strv_done(&item->devices);
		free(item->medium);
		free(item->workload);
		free(item->now.scheduler);
		strv_done(&item->now.settings);
		free(item->then.scheduler);
		strv_done(&item->then.settings);
		strv_done(&item->unmodelled);
		experiment_outcomes_free(item->outcomes, item->outcomes ? 2 : 0);
		free(item->reason);
	}
	free(predictions->items);
	*predictions = (struct predictions){ 0 };
}

/* --- rows ------------------------------------------------------------------------------ */

/* The figures that people decide by. */
static const struct experiment_choice rows[] = {
	{ .dir = SIM_DIR_READ, .figure = FIGURE_IOPS },
	{ .dir = SIM_DIR_READ, .figure = FIGURE_MEAN },
	{ .dir = SIM_DIR_READ, .figure = FIGURE_P99 },
	{ .dir = SIM_DIR_WRITE, .figure = FIGURE_IOPS },
	{ .dir = SIM_DIR_WRITE, .figure = FIGURE_MEAN },
	{ .dir = SIM_DIR_WRITE, .figure = FIGURE_P99 },
	{ .is_total = true, .total = TOTAL_BYTES },
	{ .is_total = true, .total = TOTAL_FAIRNESS },
	{ .is_total = true, .total = TOTAL_CPU },
};

static struct estimate value_of(const struct prediction *prediction, size_t row, size_t side)
{
	return experiment_value(&prediction->outcomes[side], &rows[row]);
}

static bool has_too_few(const struct prediction *prediction, size_t row)
{
	const struct experiment_choice *choice = &rows[row];

	for (size_t side = 0; side < 2 && !choice->is_total; side++) {
		const struct experiment_stream *stream =
			&prediction->outcomes[side].directions[choice->dir];

		if (stream->figures[choice->figure].count &&
		    !value_of(prediction, row, side).count)
			return true;
	}
	return false;
}

static bool is_larger_better(size_t row)
{
	if (rows[row].is_total)
		return rows[row].total != TOTAL_CPU;
	return rows[row].figure == FIGURE_IOPS;
}

static void format_value(size_t row, const struct estimate *value, unsigned decimals,
			 struct text *out)
{
	char buf[32];

	if (!value->count) {
		text_add(out, "-");
		return;
	}
	figure_format_number(figure_format_of(&rows[row]), decimals, value->mean, buf, sizeof(buf));
	text_add(out, buf);
	if (value->count < 2)
		return;
	figure_format_number(figure_format_of(&rows[row]), decimals, value->margin, buf, sizeof(buf));
	text_addf(out, " %s%s", figure_plus_minus(), buf);
}

static void add_row(struct table *table, const struct prediction *prediction,
		    const char *devices, size_t row)
{
	struct estimate now = value_of(prediction, row, 0), then = value_of(prediction, row, 1);
	double largest = fmax(now.mean, then.mean), percent;
	unsigned decimals = figure_decimals(figure_format_of(&rows[row]), largest);
	_text_ struct text before = { 0 }, after = { 0 };
	enum table_mood mood;
	char change[32];

	if (!now.count && !then.count)
		return;
	format_value(row, &now, decimals, &before);
	format_value(row, &then, decimals, &after);
	table_add_row(table, TABLE_NO_PARENT);
	table_set(table, 0, devices, MOOD_PLAIN);
	table_set(table, 1, rows[row].is_total ? _("all") : _(comparison_direction(rows[row].dir)),
		  MOOD_PLAIN);
	table_set(table, 2, _(figure_format_of(&rows[row])->label), MOOD_PLAIN);
	table_set(table, 3, before.data ? before.data : "", MOOD_PLAIN);
	table_set(table, 4, after.data ? after.data : "", MOOD_PLAIN);
	if (!now.count || !then.count || now.mean == 0)
		return;
	percent = (then.mean - now.mean) / now.mean * 100;
	if (estimate_is_same(&now, &then)) {
		table_set(table, 5, _("none"), MOOD_PLAIN);
		return;
	}
	mood = (percent > 0) == is_larger_better(row) ? MOOD_GOOD : MOOD_BAD;
	snprintf(change, sizeof(change), "%+.*f %%", fabs(percent) < 10 ? 1 : 0, percent);
	table_set(table, 5, change, mood);
}

static int join(const struct strv *list, const char *between, char **ret)
{
	_text_ struct text text = { 0 };

	text_add(&text, "");
	for (size_t i = 0; i < list->count; i++)
		text_addf(&text, "%s%s", i ? between : "", list->items[i]);
	return text_take(&text, ret);
}

static int add_rows(struct table *table, const struct prediction *prediction,
		    bool *has_gaps)
{
	_free_ char *devices = NULL;
	int error = join(&prediction->devices, ",", &devices);

	for (size_t row = 0; row < ARRAY_SIZE(rows) && !error && prediction->outcomes; row++) {
		add_row(table, prediction, devices, row);
		*has_gaps |= has_too_few(prediction, row);
	}
	return error;
}

/* "sda,sdb: oltp on hdd-7200: mq-deadline -> bfq (slice_idle=0)" */
static int print_heading(const struct prediction *prediction)
{
	_free_ char *devices = NULL, *settings = NULL, *unmodelled = NULL;
	_text_ struct text line = { 0 };

	if (join(&prediction->devices, ",", &devices) ||
	    join(&prediction->then.settings, ", ", &settings) ||
	    join(&prediction->unmodelled, ", ", &unmodelled))
		return -ENOMEM;
	text_add_safe(&line, devices);
	text_add(&line, ": ");
	if (!prediction->outcomes) {
		text_add_safe(&line, prediction->reason);
	} else {
		text_addf(&line, _("%s on %s: %s"), prediction->workload, prediction->medium,
			  prediction->now.scheduler);
		text_addf(&line, " -> %s", prediction->then.scheduler);
		if (settings[0])
			text_addf(&line, " (%s)", settings);
		if (unmodelled[0])
			text_addf(&line, _("; without %s, which has no model"), unmodelled);
	}
	if (line.error)
		return line.error;
	printf("%s\n", line.data);
	return 0;
}

int predictions_print(const struct predictions *predictions, const struct table_style *style)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	bool has_rows = false, has_gaps = false;
	int error = table_new(style, &table);

	if (error || !predictions->count)
		return error;
	printf("%s\n", _("Predicted:"));
	table_add_column(table, _("DEVICE"), TABLE_LEFT);
	table_add_column(table, _("DIR"), TABLE_LEFT);
	table_add_column(table, _("FIGURE"), TABLE_LEFT);
	table_add_column(table, _("NOW"), TABLE_RIGHT);
	table_add_column(table, _("THEN"), TABLE_RIGHT);
	table_add_column(table, _("DIFFERENCE"), TABLE_RIGHT);
	for (size_t i = 0; i < predictions->count && !error; i++) {
		error = print_heading(&predictions->items[i]);
		if (!error)
			error = add_rows(table, &predictions->items[i], &has_gaps);
		has_rows |= predictions->items[i].outcomes != NULL;
	}
	if (error || !has_rows)
		return error;
	putchar('\n');
	error = table_print(table);
	if (!error && has_gaps)
		printf("\n%s\n", _("P99 is shown of 100 I/Os or more in each run"));
	return error;
}

/* --- JSON ------------------------------------------------------------------------------ */

static json_t *side_to_json(const struct prediction *prediction, size_t side)
{
	const struct prediction_side *from = side ? &prediction->then : &prediction->now;
	json_t *object = json_object(), *margins = json_object(), *figures = json_object();
	int error = 0;

	json_put(object, "scheduler", json_text(from->scheduler), &error);
	json_put(object, "settings", json_text_array(&from->settings), &error);
	for (size_t row = 0; row < ARRAY_SIZE(rows); row++) {
		struct estimate value = value_of(prediction, row, side);
		char key[64];

		if (!value.count)
			continue;
		snprintf(key, sizeof(key), "%s%s%s",
			 rows[row].is_total ? "" : comparison_direction(rows[row].dir),
			 rows[row].is_total ? "" : "_", figure_format_of(&rows[row])->key);
		json_put(figures, key, json_real(value.mean), &error);
		if (value.count > 1)
			json_put(margins, key, json_real(value.margin), &error);
	}
	json_put(object, "figures", figures, &error);
	json_put(object, "margin", margins, &error);
	return json_finish(object, error);
}

json_t *predictions_to_json(const struct predictions *predictions)
{
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < predictions->count; i++) {
		const struct prediction *item = &predictions->items[i];
		json_t *object = json_object();

		json_put(object, "devices", json_text_array(&item->devices), &error);
		json_put(object, "class", json_text(item->class), &error);
		json_put(object, "medium", json_text(item->medium), &error);
		json_put(object, "workload", json_text(item->workload), &error);
		json_put(object, "reason", json_text(item->reason), &error);
		json_put(object, "unmodelled", json_text_array(&item->unmodelled), &error);
		json_put(object, "now", item->outcomes ? side_to_json(item, 0) : json_null(),
			 &error);
		json_put(object, "then", item->outcomes ? side_to_json(item, 1) : json_null(),
			 &error);
		json_push(array, object, &error);
	}
	return json_finish(array, error);
}
