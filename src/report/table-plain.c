// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables without libsmartcols: the same on a pipe, and on a terminal as far as anybody
 * notices.
 */
#include "report/table.h"

#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/feature.h"
#include "util/text.h"
#include "util/wrap.h"

#if !HAVE_SMARTCOLS

struct table_column {
	char *title;
	enum table_align align;
	size_t width;
};

struct table_cell {
	char *text; /* NULL: empty */
	enum table_mood mood;
};

struct table_row {
	size_t parent;
	struct table_cell *cells;
};

struct table {
	struct table_style style;
	struct table_column *columns;
	size_t column_count;
	bool is_below; /* what is to be wrapped has no room beside the others */
	struct table_row *rows;
	size_t count;
	int error;
};

int table_new(const struct table_style *style, struct table **ret)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return -ENOMEM;
	table->style = *style;
	*ret = table;
	return 0;
}

void table_free(struct table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->count; i++) {
		for (size_t j = 0; j < table->column_count; j++)
			free(table->rows[i].cells[j].text);
		free(table->rows[i].cells);
	}
	for (size_t i = 0; i < table->column_count; i++)
		free(table->columns[i].title);
	free(table->columns);
	free(table->rows);
	free(table);
}

/* All columns come before the first row. */
void table_add_column(struct table *table, const char *title, enum table_align align)
{
	struct table_column *columns = reallocarray(
		table->columns, table->column_count + 1, sizeof(*columns));

	if (!columns) {
		table->error = -ENOMEM;
		return;
	}
	table->columns = columns;
	columns[table->column_count] = (struct table_column){
		.title = strdup(title),
		.align = align,
		.width = wrap_columns(title),
	};
	if (columns[table->column_count].title)
		table->column_count++;
	else
		table->error = -ENOMEM;
}

size_t table_add_row(struct table *table, size_t parent)
{
	struct table_row *rows =
		reallocarray(table->rows, table->count + 1, sizeof(*rows));
	struct table_cell *cells = calloc(table->column_count + 1, sizeof(*cells));

	if (rows)
		table->rows = rows;
	if (!rows || !cells) {
		free(cells);
		table->error = -ENOMEM;
		return table->count ? table->count - 1 : 0;
	}
	rows[table->count] = (struct table_row){
		.parent = parent < table->count ? parent : TABLE_NO_PARENT,
		.cells = cells,
	};
	return table->count++;
}

/* Without a character set beyond ASCII its bytes are shown by number; blanks are too where
   they separate columns. */
static int make_safe(const struct table *table, const char *text, char **ret)
{
	_text_ struct text safe = { 0 }, out = { 0 };

	text_add_safe(&safe, text);
	if (safe.error)
		return safe.error;
	for (const char *p = safe.data ? safe.data : ""; *p; p++) {
		if (((unsigned char)*p >= 0x80 && MB_CUR_MAX == 1) ||
		    (table->style.is_raw && *p == ' '))
			text_addf(&out, "\\x%02x", (unsigned char)*p);
		else
			text_add_bytes(&out, p, 1);
	}
	if (!out.error)
		*ret = TAKE_PTR(out.data);
	return out.error;
}

void table_set(struct table *table, size_t column, const char *text, enum table_mood mood)
{
	struct table_cell *cell;

	if (table->error || !table->count)
		return;
	cell = &table->rows[table->count - 1].cells[column];
	free(cell->text);
	cell->text = NULL;
	cell->mood = mood;
	table->error = make_safe(table, text, &cell->text);
}

/* --- trees ---------------------------------------------------------------------------- */

static bool has_sibling_below(const struct table *table, size_t index)
{
	for (size_t i = index + 1; i < table->count; i++)
		if (table->rows[i].parent == table->rows[index].parent)
			return true;
	return false;
}

/* What is drawn before the name of a row: two columns for each row above it. */
static void add_branches(const struct table *table, size_t index, bool is_own,
			 struct text *out)
{
	bool is_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	bool has_more = has_sibling_below(table, index);

	if (table->rows[index].parent == TABLE_NO_PARENT)
		return;
	add_branches(table, table->rows[index].parent, false, out);
	if (is_own)
		text_add(out, is_utf8 ? has_more ? "\u251c\u2500" : "\u2514\u2500"
			      : has_more ? "|-"
					 : "`-");
	else
		text_add(out, !has_more ? "  " : is_utf8 ? "\u2502 " : "| ");
}

/* --- widths --------------------------------------------------------------------------- */

static size_t cell_columns(const struct table *table, size_t row, size_t column)
{
	const char *text = table->rows[row].cells[column].text;
	size_t columns = text ? wrap_columns(text) : 0;

	if (table->columns[column].align == TABLE_TREE)
		for (size_t up = row; table->rows[up].parent != TABLE_NO_PARENT;
		     up = table->rows[up].parent)
			columns += 2;
	return columns;
}

/* Of a terminal that is too narrow, the columns that may be cut give what is missing. */
static void make_fit(struct table *table)
{
	size_t total = 0, last = table->column_count - 1;

	for (size_t i = 0; i < table->column_count; i++)
		total += table->columns[i].width + (i > 0);
	if (table->columns[last].align == TABLE_WRAP &&
	    total - table->columns[last].width + TABLE_WRAP_MIN > table->style.width) {
		table->is_below = true;
		total -= table->columns[last].width + 1;
	}
	for (size_t i = last + !table->is_below; i-- && total > table->style.width;) {
		struct table_column *column = &table->columns[i];
		size_t least = wrap_columns(column->title);
		size_t missing = total - table->style.width, spare;

		if (column->align == TABLE_WRAP)
			least = TABLE_WRAP_MIN;
		else if (column->align != TABLE_CUT)
			continue;
		spare = column->width > least ? column->width - least : 0;
		column->width -= missing < spare ? missing : spare;
		total -= missing < spare ? missing : spare;
	}
}

static void measure(struct table *table)
{
	for (size_t i = 0; i < table->column_count; i++) {
		struct table_column *column = &table->columns[i];

		for (size_t j = 0; j < table->count; j++)
			if (cell_columns(table, j, i) > column->width)
				column->width = cell_columns(table, j, i);
	}
	if (table->style.is_terminal && table->style.width)
		make_fit(table);
}

/* --- printing ------------------------------------------------------------------------- */

/* As many characters as fit into `columns`. */
static size_t cut(const char *text, size_t columns)
{
	size_t len = strlen(text);

	while (len) {
		_free_ char *head = strndup(text, len);

		if (!head || wrap_columns(head) <= columns)
			break;
		do
			len--;
		while (len && ((unsigned char)text[len] & 0xc0) == 0x80);
	}
	return len;
}

static void add_coloured(const struct table *table, const char *text, size_t len,
			 enum table_mood mood, struct text *out)
{
	/* ECMA-48, select graphic rendition */
	static const char *const colours[] = {
		[MOOD_GOOD] = "\x1b[32m",
		[MOOD_NOTICE] = "\x1b[33m",
		[MOOD_BAD] = "\x1b[31m",
	};
	bool is_coloured = table->style.has_colour && mood != MOOD_PLAIN && len;

	if (is_coloured)
		text_add(out, colours[mood]);
	text_add_bytes(out, text, len);
	if (is_coloured)
		text_add(out, "\x1b[0m");
}

/* `at` is where the column begins on the line. */
static void add_cell(const struct table *table, size_t index, const char *text,
		     enum table_mood mood, size_t at, struct text *out)
{
	const struct table_column *column = &table->columns[index];
	bool is_last = index + 1 == table->column_count - table->is_below;
	_text_ struct text lines = { 0 };
	size_t columns, len = strlen(text);

	if (column->align == TABLE_WRAP && table->style.is_terminal &&
	    wrap_columns(text) > column->width) {
		wrap_add(&lines, text, at, at, at + column->width);
		text = lines.data ? lines.data : "";
		add_coloured(table, text, strlen(text), mood, out);
		out->error = out->error ? out->error : lines.error;
		return;
	}
	if (table->style.is_terminal && column->align == TABLE_CUT)
		len = cut(text, column->width);
	columns = len == strlen(text) ? wrap_columns(text) : column->width;
	if (columns > column->width || table->style.is_raw)
		columns = column->width;
	if (column->align == TABLE_RIGHT)
		text_addf(out, "%*s", (int)(column->width - columns), "");
	add_coloured(table, text, len, mood, out);
	if (column->align != TABLE_RIGHT && !is_last)
		text_addf(out, "%*s", (int)(column->width - columns), "");
}

/* The last cell, on lines of its own. */
static void add_below(const struct table *table, const struct table_cell *cell,
		      struct text *out)
{
	if (!cell->text || !*cell->text)
		return;
	text_addf(out, "%*s", TABLE_BELOW_INDENT, "");
	wrap_add(out, cell->text, TABLE_BELOW_INDENT, TABLE_BELOW_INDENT,
		 table->style.width);
	text_add(out, "\n");
}

/* Row `index`, or the headings. */
static void add_line(const struct table *table, size_t index, struct text *out)
{
	size_t count = table->column_count - table->is_below, at = 0, begin = out->len;

	for (size_t i = 0; i < count; i++) {
		const struct table_column *column = &table->columns[i];
		const struct table_cell *cell =
			index < table->count ? &table->rows[index].cells[i] : NULL;
		_text_ struct text text = { 0 };

		if (cell && column->align == TABLE_TREE && !table->style.is_raw)
			add_branches(table, index, true, &text);
		text_add(&text, !cell ? column->title : cell->text ? cell->text : "");
		add_cell(table, i, text.data ? text.data : "",
			 cell ? cell->mood : MOOD_PLAIN, at, out);
		out->error = out->error ? out->error : text.error;
		if (i + 1 < count)
			text_add(out, " ");
		at += column->width + 1;
	}
	/* Empty cells at its end leave blanks. */
	while (!table->style.is_raw && out->len > begin && out->data[out->len - 1] == ' ')
		out->data[--out->len] = '\0';
	text_add(out, "\n");
	if (table->is_below && index < table->count)
		add_below(table, &table->rows[index].cells[count], out);
}

/* The row and all that hang below it. */
static void add_rows(const struct table *table, size_t index, struct text *out)
{
	add_line(table, index, out);
	for (size_t i = index + 1; i < table->count; i++)
		if (table->rows[i].parent == index)
			add_rows(table, i, out);
}

int table_print(struct table *table)
{
	_text_ struct text out = { 0 };

	if (table->error)
		return table->error;
	measure(table);
	if (!table->count)
		return 0;
	if (!table->style.no_heading)
		add_line(table, table->count, &out);
	for (size_t i = 0; i < table->count; i++)
		if (table->rows[i].parent == TABLE_NO_PARENT)
			add_rows(table, i, &out);
	if (!out.error && out.len)
		fwrite(out.data, 1, out.len, stdout);
	return out.error;
}

#endif
