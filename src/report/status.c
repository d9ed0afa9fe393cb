// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Rendering of the status rows.
 */
#include "report/status.h"

#include <errno.h>
#include <string.h>

#include "util/i18n.h"
#include "util/json-build.h"

static enum table_mood state_mood(const struct column_row *row)
{
	const char *state = column_state(row);

	if (text_equal(state, "in-force"))
		return MOOD_GOOD;
	if (text_equal(state, "drift"))
		return MOOD_NOTICE;
	if (text_equal(state, "blocked"))
		return MOOD_BAD;
	return MOOD_PLAIN;
}

static int fill_row(struct table *table, const struct column_set *set,
		    const struct column_row *row, bool is_raw)
{
	for (size_t i = 0; i < set->count; i++) {
		_cell_ struct cell cell = { 0 };
		_text_ struct text text = { 0 };
		bool is_state = text_equal(column_choice_name(&set->items[i]), "STATE");

		column_choice_render(&set->items[i], row, &cell);
		cell_add_text(&cell, is_raw, &text);
		if (text.error)
			return text.error;
		table_set(table, i, text.data, is_state ? state_mood(row) : MOOD_PLAIN);
	}
	return 0;
}

/* Adds the row of `index` and below it those of its paths. */
static int add_rows(struct table *table, const struct column_set *set,
		    const struct status_rows *rows, size_t index, bool is_raw)
{
	const struct device *device = rows->items[index].device;
	size_t parent = table_add_row(table, TABLE_NO_PARENT);
	int error = fill_row(table, set, &rows->items[index], is_raw);

	if (!device->paths.count)
		return error;
	for (size_t i = 0; i < rows->count && !error; i++) {
		const struct device *path = rows->items[i].device;

		if (!path->is_hidden || !text_equal(path->head, device->name))
			continue;
		table_add_row(table, parent);
		error = fill_row(table, set, &rows->items[i], is_raw);
	}
	return error;
}

/* A hidden path whose head has a row of its own: shown there. */
static bool is_below_another(const struct status_rows *rows, const struct device *device)
{
	if (!device->is_hidden || !device->head)
		return false;
	for (size_t i = 0; i < rows->count; i++)
		if (!strcmp(rows->items[i].device->name, device->head))
			return true;
	return false;
}

int status_print_table(const struct column_set *set, const struct status_rows *rows,
		       const struct table_style *style)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	int error = table_new(style, &table);

	for (size_t i = 0; i < set->count && !error; i++) {
		enum table_align align = column_choice_align(&set->items[i]);
		const char *name = column_choice_name(&set->items[i]);

		/* Scripts, and attributes of the kernel, have one name. */
		table_add_column(table, style->is_raw || !set->items[i].column ? name : _(name),
				 align);
	}
	for (size_t i = 0; i < rows->count && !error; i++)
		if (!is_below_another(rows, rows->items[i].device))
			error = add_rows(table, set, rows, i, style->is_raw);
	return error ? error : table_print(table);
}

static json_t *row_to_json(const struct column_set *set, const struct column_row *row)
{
	json_t *object = json_object();
	int error = 0;

	for (size_t i = 0; i < set->count; i++) {
		_cell_ struct cell cell = { 0 };

		column_choice_render(&set->items[i], row, &cell);
		json_put(object, column_choice_key(&set->items[i]), cell_to_json(&cell),
			 &error);
	}
	return json_finish(object, error);
}

json_t *status_to_json(const struct column_set *set, const struct status_rows *rows)
{
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < rows->count; i++)
		json_push(array, row_to_json(set, &rows->items[i]), &error);
	return json_finish(array, error);
}

struct status_count status_count_states(const struct status_rows *rows)
{
	struct status_count count = { 0 };

	for (size_t i = 0; i < rows->count; i++) {
		const char *state = column_state(&rows->items[i]);

		if (text_equal(state, "in-force"))
			count.in_force++;
		else if (text_equal(state, "drift"))
			count.drift++;
		else if (text_equal(state, "blocked"))
			count.blocked++;
		else if (text_equal(state, "left-alone"))
			count.left++;
		else
			count.elsewhere++;
	}
	return count;
}

int status_print_columns(const struct table_style *style)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	const struct column *column;
	int error = table_new(style, &table);

	if (error)
		return error;
	table_add_column(table, _("COLUMN"), TABLE_LEFT);
	table_add_column(table, _("MEANING"), TABLE_WRAP);
	for (size_t i = 0; (column = column_get(i)); i++) {
		table_add_row(table, TABLE_NO_PARENT);
		table_set(table, 0, column->name, MOOD_PLAIN);
		table_set(table, 1, _(column->help), MOOD_PLAIN);
	}
	for (size_t i = 0; i < tunable_count(); i++) {
		const struct tunable *tunable = tunable_get(i);

		table_add_row(table, TABLE_NO_PARENT);
		table_set(table, 0, tunable->key, MOOD_PLAIN);
		table_set(table, 1, _(tunable->help), MOOD_PLAIN);
	}
	return table_print(table);
}
