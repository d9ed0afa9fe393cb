// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The table of a comparison. A cell is "mean ±margin" and a mark; its parts are padded here, so
 * that points and signs stand below each other.
 */
#include "report/comparison.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/i18n.h"
#include "util/text.h"
#include "util/wrap.h"

#define NUMBER_MAX 32

struct cell_parts {
	char value[NUMBER_MAX], margin[NUMBER_MAX];
	bool is_same; /* as the reference */
};

/* A table's lines, rendered before they are laid out. */
struct comparison_lines {
	const struct comparison *comparison;
	struct comparison_row *rows;
	size_t count, room;
	struct cell_parts *cells; /* by row, then by column */
	size_t *value_width, *margin_width; /* by column */
	bool has_groups, has_margins, has_same, has_too_few;
};

static void lines_done(struct comparison_lines *lines)
{
	free(lines->rows);
	free(lines->cells);
	free(lines->value_width);
	free(lines->margin_width);
}

/* --- which rows there are ---------------------------------------------------------------- */

static bool has_value(const struct comparison_row *row)
{
	for (size_t i = 0; i < row->comparison->count; i++) {
		if (comparison_value(row, i).count)
			return true;
	}
	return false;
}

static int add_row(struct comparison_lines *lines, struct comparison_row row)
{
	row.comparison = lines->comparison;
	for (size_t i = 0; i < row.comparison->count; i++)
		lines->has_too_few |= comparison_has_too_few(&row, i);
	if (!has_value(&row))
		return 0;
	if (lines->count == lines->room) {
		size_t room = lines->room ? lines->room * 2 : 64;
		struct comparison_row *rows = reallocarray(lines->rows, room, sizeof(*rows));

		if (!rows)
			return -ENOMEM;
		lines->rows = rows;
		lines->room = room;
	}
	lines->rows[lines->count++] = row;
	return 0;
}

static int add_streams(struct comparison_lines *lines, int group)
{
	int error = 0;

	for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
		for (unsigned i = 0; i < FIGURES && !error; i++)
			error = add_row(lines, (struct comparison_row){
				.group = group, .choice = { .dir = dir, .figure = i } });
	}
	for (unsigned i = 0; i < FIGURES && !error; i++)
		error = add_row(lines, (struct comparison_row){
			.group = group, .choice = { .is_flush = true, .figure = i } });
	return error;
}

static size_t count_groups(const struct comparison *comparison)
{
	size_t count = 0;

	for (size_t i = 0; i < comparison->count; i++) {
		if (comparison->outcomes[i].group_count > count)
			count = comparison->outcomes[i].group_count;
	}
	return count;
}

static int find_rows(struct comparison_lines *lines)
{
	static const enum experiment_total totals[] = {
		TOTAL_FAIRNESS, TOTAL_EXPIRED, TOTAL_TRAVEL, TOTAL_CPU, TOTAL_LOCK_WAIT,
	};
	size_t groups = count_groups(lines->comparison);
	int error = add_streams(lines, -1);

	/* A single group is the whole. */
	lines->has_groups = groups > 1;
	for (size_t i = 0; groups > 1 && i < groups && !error; i++)
		error = add_streams(lines, (int)i);
	for (size_t i = 0; i < ARRAY_SIZE(totals) && !error; i++)
		error = add_row(lines, (struct comparison_row){
			.group = -1, .choice = { .is_total = true, .total = totals[i] } });
	return error;
}

/* --- cells ------------------------------------------------------------------------------- */

static unsigned row_decimals(const struct comparison_row *row)
{
	double largest = 0;

	for (size_t i = 0; i < row->comparison->count; i++) {
		struct estimate value = comparison_value(row, i);

		if (value.count && fabs(value.mean) > largest)
			largest = fabs(value.mean);
	}
	return figure_decimals(figure_format_of(&row->choice), largest);
}

static void fill_cell(struct comparison_lines *lines, size_t r, size_t column,
		      unsigned decimals)
{
	const struct comparison *comparison = lines->comparison;
	const struct comparison_row *row = &lines->rows[r];
	struct cell_parts *cell = &lines->cells[r * comparison->count + column];
	struct estimate value = comparison_value(row, column);
	struct estimate reference = comparison_value(row, (size_t)comparison->reference);

	if (!value.count) {
		snprintf(cell->value, sizeof(cell->value), "-");
	} else {
		figure_format_number(figure_format_of(&row->choice), decimals, value.mean, cell->value,
				     sizeof(cell->value));
		if (estimate_has_margin(&value))
			figure_format_number(figure_format_of(&row->choice), decimals, value.margin,
					     cell->margin, sizeof(cell->margin));
		cell->is_same = (int)column != comparison->reference &&
				estimate_is_same(&value, &reference);
	}
	if (strlen(cell->value) > lines->value_width[column])
		lines->value_width[column] = strlen(cell->value);
	if (strlen(cell->margin) > lines->margin_width[column])
		lines->margin_width[column] = strlen(cell->margin);
	lines->has_margins |= cell->margin[0] != '\0';
	lines->has_same |= cell->is_same;
}

static int fill_cells(struct comparison_lines *lines)
{
	size_t columns = lines->comparison->count;

	lines->cells = calloc(lines->count * columns + 1, sizeof(*lines->cells));
	lines->value_width = calloc(columns + 1, sizeof(size_t));
	lines->margin_width = calloc(columns + 1, sizeof(size_t));
	if (!lines->cells || !lines->value_width || !lines->margin_width)
		return -ENOMEM;
	for (size_t r = 0; r < lines->count; r++) {
		unsigned decimals = row_decimals(&lines->rows[r]);

		for (size_t column = 0; column < columns; column++)
			fill_cell(lines, r, column, decimals);
	}
	return 0;
}

static void cell_text(const struct comparison_lines *lines, size_t r, size_t column,
		      struct text *out)
{
	const struct cell_parts *cell = &lines->cells[r * lines->comparison->count + column];
	int value_width = (int)lines->value_width[column];
	int margin_width = (int)lines->margin_width[column];

	text_addf(out, "%*s", value_width, cell->value);
	if (margin_width && cell->margin[0])
		text_addf(out, " %s%-*s", figure_plus_minus(), cell->is_same ? margin_width : 0,
			  cell->margin);
	else if (margin_width && cell->is_same)
		text_addf(out, " %*s", (int)strlen("+-") + margin_width, "");
	if (cell->is_same)
		text_add(out, " =");
}

static void title_text(const struct comparison *comparison, size_t column, struct text *out)
{
	text_add_safe(out, comparison_title(&comparison->columns[column]));
	/* One alone is no best. */
	if ((int)column == comparison->best && comparison->count > 1)
		text_add(out, " *");
}

static size_t column_width(const struct comparison_lines *lines, size_t column)
{
	_text_ struct text title = { 0 };
	size_t width = lines->value_width[column];
	size_t margin = lines->margin_width[column];

	title_text(lines->comparison, column, &title);
	if (margin)
		width += margin + 2;
	if (lines->has_same)
		width += 2;
	if (title.data && wrap_columns(title.data) > width)
		width = wrap_columns(title.data);
	return width + 1;
}

/* --- tables ------------------------------------------------------------------------------ */

static const char *group_name(const struct comparison *comparison, int group)
{
	for (size_t i = 0; group >= 0 && i < comparison->count; i++) {
		if ((size_t)group < comparison->outcomes[i].group_count)
			return comparison->outcomes[i].groups[group].name;
	}
	return _("all");
}

/* Columns chosen: `shown` by index. */
static int print_block(const struct comparison_lines *lines, const size_t *shown,
		       size_t shown_count, const struct table_style *style)
{
	const struct comparison *comparison = lines->comparison;
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	size_t at, first = lines->has_groups ? 3 : 2;
	int error = table_new(style, &table);

	if (error)
		return error;
	if (lines->has_groups)
		table_add_column(table, _("JOB"), TABLE_LEFT);
	table_add_column(table, _("DIR"), TABLE_LEFT);
	table_add_column(table, _("FIGURE"), TABLE_LEFT);
	for (size_t i = 0; i < shown_count; i++) {
		_text_ struct text title = { 0 };

		title_text(comparison, shown[i], &title);
		if (title.error)
			return title.error;
		table_add_column(table, title.data, TABLE_LEFT);
	}
	for (size_t r = 0; r < lines->count; r++) {
		const struct comparison_row *row = &lines->rows[r];

		at = 0;
		table_add_row(table, TABLE_NO_PARENT);
		if (lines->has_groups)
			table_set(table, at++, group_name(comparison, row->group), MOOD_PLAIN);
		table_set(table, at++, _(comparison_stream(&row->choice)), MOOD_PLAIN);
		table_set(table, at, _(figure_format_of(&row->choice)->label), MOOD_PLAIN);
		for (size_t i = 0; i < shown_count; i++) {
			_text_ struct text text = { 0 };

			cell_text(lines, r, shown[i], &text);
			if (text.error)
				return text.error;
			table_set(table, first + i, text.data,
				  (int)shown[i] == comparison->best ? MOOD_GOOD : MOOD_PLAIN);
		}
	}
	return table_print(table);
}

static void widen(size_t *width, const char *text)
{
	size_t columns = wrap_columns(text);

	*width = columns > *width ? columns : *width;
}

/* Of all columns before the schedulers', each with a blank behind it. */
static size_t labels_width(const struct comparison_lines *lines)
{
	size_t group = wrap_columns(_("JOB")), dir = wrap_columns(_("DIR"));
	size_t figure = wrap_columns(_("FIGURE"));

	for (size_t r = 0; r < lines->count; r++) {
		const struct comparison_row *row = &lines->rows[r];

		widen(&group, group_name(lines->comparison, row->group));
		widen(&dir, _(comparison_stream(&row->choice)));
		widen(&figure, _(figure_format_of(&row->choice)->label));
	}
	return dir + 1 + figure + 1 + (lines->has_groups ? group + 1 : 0);
}

/* As many columns as fit, with the reference first in each block. */
static int print_blocks(const struct comparison_lines *lines, const struct table_style *style)
{
	const struct comparison *comparison = lines->comparison;
	size_t reference = (size_t)comparison->reference, next = 0;
	_free_ size_t *shown = calloc(comparison->count + 1, sizeof(*shown));
	int error = 0;

	if (!shown)
		return -ENOMEM;
	for (unsigned block = 0; !error && (block == 0 || next < comparison->count); block++) {
		size_t width = labels_width(lines) + column_width(lines, reference), count = 0;

		shown[count++] = reference;
		for (; next < comparison->count; next++) {
			if (next == reference)
				continue;
			width += column_width(lines, next);
			if (style->is_terminal && width > style->width && count > 1)
				break;
			shown[count++] = next;
		}
		if (block > 0 && count == 1)
			break;
		if (block > 0)
			putchar('\n');
		error = print_block(lines, shown, count, style);
	}
	return error;
}

/* --- what the marks mean ------------------------------------------------------------------ */

/* Those that cannot be told from the best. */
static void add_equals(const struct comparison *comparison, struct text *out)
{
	unsigned count = 0;

	for (size_t i = 0; i < comparison->count; i++) {
		if (!comparison_is_alike(comparison, i))
			continue;
		text_add(out, count++ ? ", " : "");
		text_add_safe(out, comparison_title(&comparison->columns[i]));
	}
}

static bool has_few_rounds(const struct comparison *comparison)
{
	for (size_t i = 0; comparison->is_median && i < comparison->count; i++) {
		if (comparison->outcomes[i].runs < ESTIMATE_MEDIAN_MIN)
			return true;
	}
	return false;
}

void comparison_of_medians(struct comparison *comparison)
{
	comparison->is_median = true;
	if (has_few_rounds(comparison))
		comparison->best = -1;
}

static int print_marks(const struct comparison_lines *lines)
{
	const struct comparison *comparison = lines->comparison;
	_text_ struct text text = { 0 }, equals = { 0 }, reference = { 0 };
	unsigned runs = comparison->outcomes[comparison->reference].runs;

	if (comparison->is_ended) {
		comparison_add_ended(comparison, &text);
	} else if (comparison->is_tie) {
		comparison_add_tie(comparison, &text);
	} else if (comparison->best >= 0 && comparison->count > 1) {
		text_addf(&text, _("* best by %s: %s"), comparison->objective->name,
			  _(comparison->objective->help));
		add_equals(comparison, &equals);
		text_add(&text, "\n");
		if (equals.data)
			text_addf(&text, _("  no difference from it: %s\n"), equals.data);
	} else if (comparison->count > 1 && has_few_rounds(comparison)) {
		text_addf(&text, _("which is best is not known: it takes %d rounds or more\n"),
			  ESTIMATE_MEDIAN_MIN);
	} else if (comparison->count > 1) {
		text_addf(&text, _("which is best is not known: there is no %s\n"),
			  comparison->objective->name);
	}
	if (lines->has_same) {
		text_add_safe(&reference,
			      comparison_title(&comparison->columns[comparison->reference]));
		text_addf(&text,
			  lines->has_margins
				  ? _("= no difference from %s: the intervals overlap\n")
				  : _("= no difference from %s\n"),
			  reference.data ? reference.data : "");
	}
	if (lines->has_margins)
		text_addf(&text,
			  comparison->is_median
				  ? _("%s 95 %% confidence; medians of %u rounds\n")
				  : _("%s 95 %% confidence over %u runs\n"),
			  figure_plus_minus(), runs);
	if (lines->has_too_few)
		text_add(&text, _("P99 is shown of 100 I/Os or more in each run, P99.9 of 1000, "
				  "P99.99 of 10000\n"));
	if (text.error || equals.error || reference.error)
		return -ENOMEM;
	if (text.data)
		printf("\n%s", text.data);
	return 0;
}

int comparison_print(const struct comparison *comparison, const struct table_style *style)
{
	_cleanup_(lines_done) struct comparison_lines lines = { .comparison = comparison };
	int error = find_rows(&lines);

	if (!error)
		error = fill_cells(&lines);
	if (!error)
		error = print_blocks(&lines, style);
	return error ? error : print_marks(&lines);
}
