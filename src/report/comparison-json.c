// SPDX-License-Identifier: GPL-2.0-or-later
/* A comparison as JSON: exact figures, each with its margin where it has one. */
#include "report/comparison.h"

#include <errno.h>
#include <math.h>

#include "util/json-build.h"

/*
 * Whole numbers where nothing smaller is meant: counts and nanoseconds. Of few of them the
 * table shows tenths.
 */
static json_t *number(const struct figure_format *format, double value)
{
	bool has_tenths = format->decimals == 0 && format->scale == 1 && fabs(value) < 10 &&
			  value != round(value);

	if (has_tenths || (format->decimals == 3 && format->scale == 1))
		return json_real(value);
	return json_integer((json_int_t)llround(value));
}

static void put_figure(json_t *object, json_t *margins, const struct figure_format *format,
		       const struct estimate *value, int *error)
{
	if (!value->count)
		return;
	json_put(object, format->key, number(format, value->mean), error);
	if (estimate_has_margin(value))
		json_put(margins, format->key, number(format, value->margin), error);
}

static json_t *stream_to_json(const struct experiment_stream *stream, bool is_flush)
{
	json_t *object = json_object(), *margins = json_object();
	int error = 0;

	json_put(object, "ios", json_integer((json_int_t)stream->ios), &error);
	if (!is_flush)
		json_put(object, "sectors", json_integer((json_int_t)stream->sectors), &error);
	for (unsigned i = 0; i < FIGURES; i++) {
		struct estimate value = experiment_figure_value(stream, i);

		put_figure(object, margins, comparison_figure_format(i), &value, &error);
	}
	json_put(object, "margin", margins, &error);
	return json_finish(object, error);
}

static void put_streams(json_t *object, const struct experiment_stream *directions,
			const struct experiment_stream *flushes, int *error)
{
	for (unsigned dir = 0; dir < SIM_DIRS; dir++)
		json_put(object, comparison_direction(dir),
			 stream_to_json(&directions[dir], false), error);
	if (flushes->ios)
		json_put(object, "flush", stream_to_json(flushes, true), error);
}

static json_t *groups_to_json(const struct experiment_outcome *outcome)
{
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < outcome->group_count; i++) {
		const struct experiment_group *group = &outcome->groups[i];
		json_t *object = json_object();

		json_put(object, "name", json_text(group->name), &error);
		json_put(object, "jobs", json_integer(group->jobs), &error);
		put_streams(object, group->directions, &group->flushes, &error);
		json_push(array, object, &error);
	}
	return json_finish(array, error);
}

static json_t *settings_to_json(const struct comparison_column *column)
{
	json_t *object = json_object();
	int error = 0;

	for (size_t i = 0; i < column->setting_count; i++)
		json_put(object, column->settings[i].file, json_text(column->settings[i].value),
			 &error);
	return json_finish(object, error);
}

static json_t *column_to_json(const struct comparison_column *column,
			      const struct experiment_outcome *outcome)
{
	json_t *object = json_object(), *margins = json_object();
	int error = 0;

	json_put(object, "title", json_text(column->title), &error);
	json_put(object, "scheduler", json_text(column->scheduler), &error);
	json_put(object, "settings", settings_to_json(column), &error);
	json_put(object, "nr_requests",
		 column->nr_requests ? json_integer(column->nr_requests) : json_null(), &error);
	json_put(object, "runs", json_integer(outcome->runs), &error);
	json_put(object, "is_partial", json_boolean(outcome->is_partial), &error);
	json_put(object, "is_cut", json_boolean(outcome->is_cut), &error);
	json_put(object, "end_ns", json_integer((json_int_t)outcome->end_ns), &error);
	for (unsigned i = 0; i < TOTALS; i++)
		put_figure(object, margins, comparison_total_format(i), &outcome->totals[i],
			   &error);
	json_put(object, "margin", margins, &error);
	put_streams(object, outcome->directions, &outcome->flushes, &error);
	json_put(object, "jobs", groups_to_json(outcome), &error);
	return json_finish(object, error);
}

/* Those that cannot be told from the best by the objective, or all where nothing differs. */
static json_t *alike_to_json(const struct comparison *comparison)
{
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < comparison->count; i++) {
		if (comparison_is_alike(comparison, i))
			json_push(array, json_text(comparison->columns[i].title), &error);
	}
	return json_finish(array, error);
}

int comparison_to_json(const struct comparison *comparison, json_t *root)
{
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < comparison->count; i++)
		json_push(array,
			  column_to_json(&comparison->columns[i], &comparison->outcomes[i]),
			  &error);
	json_put(root, "objective", json_string(comparison->objective->name), &error);
	json_put(root, "best",
		 comparison->best < 0
			 ? json_null()
			 : json_text(comparison->columns[comparison->best].title),
		 &error);
	json_put(root, "alike", alike_to_json(comparison), &error);
	json_put(root, "reference",
		 json_text(comparison->columns[comparison->reference].title), &error);
	json_put(root, "schedulers", array, &error);
	return error;
}
