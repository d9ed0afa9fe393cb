// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A thin layer over libsmartcols.
 */
#include "report/table.h"

#include <errno.h>
#include <string.h>

#include <libsmartcols.h>

#include "util/text.h"

struct table {
	struct libscols_table *scols;
	struct libscols_line **rows;
	size_t count, room;
	int error;
};

static const char *const mood_colours[] = {
	[MOOD_GOOD] = "green",
	[MOOD_NOTICE] = "yellow",
	[MOOD_BAD] = "red",
	[MOOD_FAINT] = "darkgray",
};

int table_new(const struct table_style *style, struct table **ret)
{
	_cleanup_(cleanup_table_free) struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return -ENOMEM;
	table->scols = scols_new_table();
	if (!table->scols)
		return -ENOMEM;
	scols_table_enable_noheadings(table->scols, style->no_heading);
	scols_table_enable_raw(table->scols, style->is_raw);
	scols_table_enable_colors(table->scols, style->has_colour);
	scols_table_set_termforce(table->scols, style->is_terminal ? SCOLS_TERMFORCE_ALWAYS :
								      SCOLS_TERMFORCE_NEVER);
	if (style->is_terminal)
		scols_table_set_termwidth(table->scols, style->width);
	*ret = TAKE_PTR(table);
	return 0;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	scols_unref_table(table->scols);
	free(table->rows);
	free(table);
}

static void keep_error(struct table *table, int error)
{
	if (error && !table->error)
		table->error = error;
}

void table_add_column(struct table *table, const char *title, enum table_align align)
{
	static const int flags[] = {
		[TABLE_RIGHT] = SCOLS_FL_RIGHT,
		[TABLE_CUT] = SCOLS_FL_TRUNC,
		[TABLE_WRAP] = SCOLS_FL_WRAP,
		[TABLE_TREE] = SCOLS_FL_TREE,
	};

	if (!scols_table_new_column(table->scols, title, 0, flags[align]))
		keep_error(table, -ENOMEM);
}

size_t table_add_row(struct table *table, size_t parent)
{
	struct libscols_line *line = NULL;

	if (table->count == table->room) {
		size_t room = table->room ? table->room * 2 : 32;
		struct libscols_line **rows =
			reallocarray(table->rows, room, sizeof(*table->rows));

		if (!rows) {
			keep_error(table, -ENOMEM);
			return table->count ? table->count - 1 : 0;
		}
		table->rows = rows;
		table->room = room;
	}
	line = scols_table_new_line(table->scols,
				    parent < table->count ? table->rows[parent] : NULL);
	if (!line) {
		keep_error(table, -ENOMEM);
		return table->count ? table->count - 1 : 0;
	}
	table->rows[table->count] = line;
	return table->count++;
}

/*
 * libsmartcols itself writes control characters and invalid bytes as \xNN, and would
 * escape our backslashes again. It lets through what turns the writing direction: a text
 * with such characters (U+202A.., U+2066..) is given to it escaped, the others as they are.
 */
static int set_safely(struct libscols_line *line, size_t column, const char *text)
{
	_text_ struct text safe = { 0 };

	if (!strstr(text, "\xe2\x80") && !strstr(text, "\xe2\x81"))
		return scols_line_set_data(line, column, text);
	text_add_safe(&safe, text);
	if (safe.error)
		return safe.error;
	return scols_line_set_data(line, column,
				   strstr(safe.data, "\\xe2\\x8") ? safe.data : text);
}

void table_set(struct table *table, size_t column, const char *text, enum table_mood mood)
{
	struct libscols_line *line;
	struct libscols_cell *cell;

	if (table->error || !table->count)
		return;
	line = table->rows[table->count - 1];
	keep_error(table, set_safely(line, column, text));
	cell = scols_line_get_cell(line, column);
	if (cell && mood != MOOD_PLAIN)
		keep_error(table, scols_cell_set_color(cell, mood_colours[mood]));
}

int table_print(struct table *table)
{
	if (table->error)
		return table->error;
	return scols_print_table(table->scols);
}
