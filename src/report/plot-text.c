// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A plot with letters: a grid for each panel, a letter for each line. Where lines meet the
 * later one shows.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/plot.h"
#include "util/i18n.h"
#include "util/text.h"

#define ROWS        12
#define COLUMNS_MAX 100
#define COLUMNS_MIN 30
/* Before the grid: a number and the axis. */
#define MARGIN      11
/* Of the panels that look alike only the first few. */
#define PANELS_MAX  6

struct grid {
	char cells[ROWS][COLUMNS_MAX];
	unsigned columns;
	double x_min, x_max, y_min, y_max; /* of the axes, logarithms where they are log */
};

static double place_y(const struct plot_panel *panel, double y)
{
	return panel->y_axis == PLOT_LOG ? log10(y > 0 ? y : 1e-9) : y;
}

static bool measure(const struct plot_panel *panel, struct grid *grid)
{
	bool is_first = true;

	for (size_t l = 0; l < panel->line_count; l++) {
		const struct plot_line *line = &panel->lines[l];

		for (size_t i = 0; i < line->count; i++) {
			double x = line->x[i], y = place_y(panel, line->y[i]);

			grid->x_min = is_first ? x : fmin(grid->x_min, x);
			grid->x_max = is_first ? x : fmax(grid->x_max, x);
			grid->y_min = is_first ? y : fmin(grid->y_min, y);
			grid->y_max = is_first ? y : fmax(grid->y_max, y);
			is_first = false;
		}
	}
	if (grid->x_max <= grid->x_min)
		grid->x_max = grid->x_min + 1;
	if (grid->y_max <= grid->y_min)
		grid->y_max = grid->y_min + 1;
	return !is_first;
}

static void draw(const struct plot_panel *panel, struct grid *grid)
{
	memset(grid->cells, ' ', sizeof(grid->cells));
	/* A head's way is its marks; the line between them is the first. */
	for (size_t l = panel->has_marks ? 1 : 0; l < panel->line_count; l++) {
		const struct plot_line *line = &panel->lines[l];

		for (size_t i = 0; i < line->count; i++) {
			double x = (line->x[i] - grid->x_min) / (grid->x_max - grid->x_min);
			double y = (place_y(panel, line->y[i]) - grid->y_min) /
				   (grid->y_max - grid->y_min);
			unsigned column = (unsigned)(x * (grid->columns - 1) + 0.5);
			unsigned row = (unsigned)((1 - y) * (ROWS - 1) + 0.5);

			grid->cells[row][column] = (char)('a' + l % 26);
		}
	}
}

/* "12.3" at the first, middle and last row. */
static void add_row(const struct plot_panel *panel, const struct grid *grid, unsigned row,
		    struct text *out)
{
	double part = 1 - (double)row / (ROWS - 1);
	double value = grid->y_min + part * (grid->y_max - grid->y_min);
	unsigned end = grid->columns;

	if (panel->y_axis == PLOT_LOG)
		value = pow(10, value);
	if (row == 0 || row == ROWS / 2 || row == ROWS - 1)
		text_addf(out, "%9.4g |", value);
	else
		text_addf(out, "%9s |", "");
	while (end > 0 && grid->cells[row][end - 1] == ' ')
		end--;
	text_add_bytes(out, grid->cells[row], end);
	text_add(out, "\n");
}

static void add_x_axis(const struct plot_panel *panel, const struct grid *grid,
		       struct text *out)
{
	char first[32], last[32];

	text_addf(out, "%9s +", "");
	for (unsigned i = 0; i < grid->columns; i++)
		text_add(out, "-");
	if (panel->x_axis == PLOT_NINES) {
		snprintf(first, sizeof(first), "%g %%", 100 - 100 * pow(10, -grid->x_min));
		snprintf(last, sizeof(last), "%g %%", 100 - 100 * pow(10, -grid->x_max));
	} else {
		snprintf(first, sizeof(first), "%.4g", grid->x_min);
		snprintf(last, sizeof(last), "%.4g", grid->x_max);
	}
	text_addf(out, "\n%*s%-*s%s\n", MARGIN, "", (int)(grid->columns - strlen(last)), first,
		  last);
}

static void add_legend(const struct plot_panel *panel, struct text *out)
{
	text_addf(out, "%*s%s; %s", MARGIN, "", panel->y_label, panel->x_label);
	for (size_t l = panel->has_marks ? 1 : 0; l < panel->line_count; l++) {
		text_addf(out, "; %c ", (char)('a' + l % 26));
		text_add_safe(out, panel->lines[l].title);
	}
	text_add(out, "\n");
}

int plot_print(const struct plot *plot, const struct table_style *style)
{
	_text_ struct text out = { 0 };

	for (size_t p = 0; p < plot->panel_count && p < PANELS_MAX; p++) {
		const struct plot_panel *panel = &plot->panels[p];
		struct grid grid = { .columns = 66 };

		if (style->is_terminal && style->width > MARGIN + COLUMNS_MIN)
			grid.columns = style->width - MARGIN - 1;
		if (grid.columns > COLUMNS_MAX)
			grid.columns = COLUMNS_MAX;
		if (!measure(panel, &grid))
			continue;
		draw(panel, &grid);
		text_add(&out, "\n");
		text_add_safe(&out, panel->title);
		text_add(&out, "\n");
		for (unsigned row = 0; row < ROWS; row++)
			add_row(panel, &grid, row, &out);
		add_x_axis(panel, &grid, &out);
		add_legend(panel, &out);
	}
	if (out.error)
		return out.error;
	if (out.data)
		fputs(out.data, stdout);
	return 0;
}
