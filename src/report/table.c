// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A thin layer over libsmartcols.
 */
#include "report/table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "util/feature.h"
#include "util/text.h"
#include "util/wrap.h"

#if HAVE_SMARTCOLS
#include <libsmartcols.h>

#define NO_COLUMN ((size_t)-1)

struct table {
	struct libscols_table *scols;
	struct libscols_line **rows;
	size_t count, room;
	size_t width;   /* of the terminal, 0 when there is none */
	size_t *widths; /* of each column, as far as it is filled */
	size_t column_count;
	size_t wrapped; /* the column of type TABLE_WRAP, NO_COLUMN: none */
	bool is_raw;
	int error;
};

static const char *const mood_colours[] = {
	[MOOD_GOOD] = "green",
	[MOOD_NOTICE] = "yellow",
	[MOOD_BAD] = "red",
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
	scols_table_set_termforce(table->scols, style->is_terminal
							? SCOLS_TERMFORCE_ALWAYS
							: SCOLS_TERMFORCE_NEVER);
	table->wrapped = NO_COLUMN;
	table->is_raw = style->is_raw;
	if (style->is_terminal) {
		scols_table_set_termwidth(table->scols, style->width);
		table->width = style->width;
	}
	*ret = TAKE_PTR(table);
	return 0;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	scols_unref_table(table->scols);
	free(table->rows);
	free(table->widths);
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
	size_t *widths =
		reallocarray(table->widths, table->column_count + 1, sizeof(*widths));
	struct libscols_column *column =
		scols_table_new_column(table->scols, title, 0,
				       /* a script wants names, not lines */
				       table->is_raw && align == TABLE_TREE ? 0 : flags[align]);

	if (widths)
		table->widths = widths;
	if (!widths || !column) {
		keep_error(table, -ENOMEM);
		return;
	}
	if (align == TABLE_WRAP) {
		table->wrapped = table->column_count;
		keep_error(table, scols_column_set_safechars(column, "\n"));
		keep_error(table,
			   scols_column_set_wrapfunc(column, scols_wrapnl_chunksize,
						     scols_wrapnl_nextchunk, NULL));
	}
	table->widths[table->column_count++] = wrap_columns(title);
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
	if (wrap_columns(text) > table->widths[column])
		table->widths[column] = wrap_columns(text);
	keep_error(table, set_safely(line, column, text));
	cell = scols_line_get_cell(line, column);
	if (cell && mood != MOOD_PLAIN)
		keep_error(table, scols_cell_set_color(cell, mood_colours[mood]));
}

/* Columns before the wrapped one. */
static size_t count_used(const struct table *table)
{
	size_t used = 0;

	for (size_t i = 0; i < table->wrapped; i++)
		used += table->widths[i] + 1;
	return used;
}

static const char *get_wrapped(const struct table *table, size_t row)
{
	const struct libscols_cell *cell =
		scols_line_get_cell(table->rows[row], table->wrapped);

	return cell ? scols_cell_get_data(cell) : NULL;
}

/* libsmartcols breaks lines anywhere: give it lines that fit, broken at blanks. */
static int break_lines(struct table *table, size_t used)
{
	for (size_t i = 0; i < table->count; i++) {
		const char *text = get_wrapped(table, i);
		_text_ struct text broken = { 0 };
		int error;

		if (!text)
			continue;
		wrap_add(&broken, text, 0, 0, table->width - used);
		error = broken.error;
		if (!error && broken.data)
			error = scols_line_set_data(table->rows[i], table->wrapped,
						    broken.data);
		if (error)
			return error;
	}
	return 0;
}

/* What libsmartcols does not print it does not make safe either. */
static int print_below(const char *text, size_t width)
{
	_text_ struct text safe = { 0 }, out = { 0 };

	text_add_safe(&safe, text);
	if (safe.error || !safe.len)
		return safe.error;
	text_addf(&out, "%*s", TABLE_BELOW_INDENT, "");
	wrap_add(&out, safe.data, TABLE_BELOW_INDENT, TABLE_BELOW_INDENT, width);
	if (!out.error)
		puts(out.data);
	return out.error;
}

/* Empty cells at the end of a line leave blanks, which nobody sees but who compares; between
 * single blanks a script counts them. */
static void put_lines(const struct table *table, char *lines)
{
	for (char *line = lines; line && *line;) {
		char *end = line + strcspn(line, "\n"), *last = end;

		while (last > line && last[-1] == ' ' && !table->is_raw)
			last--;
		fwrite(line, 1, (size_t)(last - line), stdout);
		if (*end)
			putchar('\n');
		line = *end ? end + 1 : end;
	}
	free(lines);
}

/* Each row by itself, and below it what has no room beside it. */
static int print_rows_and_texts(struct table *table)
{
	struct libscols_column *column = scols_table_get_column(table->scols, table->wrapped);
	int error = scols_column_set_flags(column, SCOLS_FL_HIDDEN);

	for (size_t i = 0; !error && i < table->count; i++) {
		const char *text = get_wrapped(table, i);
		char *line = NULL;

		error = scols_table_print_range_to_string(table->scols, table->rows[i],
							  table->rows[i], &line);
		if (error)
			break;
		put_lines(table, line);
		/* behind the last one it ends the table, not the line */
		if (i + 1 == table->count)
			putchar('\n');
		if (text)
			error = print_below(text, table->width);
	}
	return error;
}

int table_print(struct table *table)
{
	int error = table->error;
	char *lines = NULL;
	bool is_open;
	size_t used;

	if (error)
		return error;
	if (table->width && table->wrapped != NO_COLUMN && table->count) {
		used = count_used(table);
		if (used + TABLE_WRAP_MIN > table->width)
			return print_rows_and_texts(table);
		error = break_lines(table, used);
	}
	if (!error)
		error = scols_print_table_to_string(table->scols, &lines);
	if (error)
		return error;
	/* libsmartcols ends the last line where it prints itself only. */
	is_open = lines && *lines && lines[strlen(lines) - 1] != '\n';
	put_lines(table, lines);
	if (is_open)
		putchar('\n');
	return 0;
}

#endif
