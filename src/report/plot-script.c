// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A plot as a script for gnuplot. All data lies in the script; names that come from outside
 * stand in single quotes, in which gnuplot expands nothing. Colours are those of Okabe and
 * Ito ("Color Universal Design", 2008), which the colour-blind tell apart; dashes and marks
 * tell them apart on paper without colours.
 */
#include "report/plot.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <string.h>

#include "util/wrap.h"

#define WIDTH         960
#define PANEL_HEIGHT  300
#define SINGLE_HEIGHT 480
#define TITLE_HEIGHT  58
/* Characters that fit the width. */
#define TITLE_MAX     88
#define SUBTITLE_MAX  120
#define LEGEND_MAX    30

static const struct {
	const char *colour;
	unsigned dash, mark;
} looks[] = {
	{ "#0072B2", 1, 4 },  /* blue */
	{ "#D55E00", 2, 6 },  /* vermillion */
	{ "#009E73", 4, 8 },  /* bluish green */
	{ "#E69F00", 5, 10 }, /* orange */
	{ "#CC79A7", 3, 12 }, /* reddish purple */
	{ "#000000", 1, 1 },
	{ "#56B4E9", 2, 2 },  /* sky blue */
	{ "#999999", 4, 3 },
};

/* In single quotes gnuplot knows only '' for '. Control characters have no place there. */
static void add_quoted(struct text *out, const char *string)
{
	text_add(out, "'");
	for (; *string; string++) {
		unsigned char c = (unsigned char)*string;

		if (c == '\'')
			text_add(out, "''");
		else if (c < ' ' || c == 0x7f)
			text_add(out, "?");
		else
			text_add_bytes(out, string, 1);
	}
	text_add(out, "'");
}

/* Cut to what fits, not within a character of several bytes. */
static void add_title(struct text *out, const char *title, size_t max)
{
	_text_ struct text cut = { 0 };
	size_t columns = 0;

	for (; *title && columns < max; title++) {
		text_add_bytes(&cut, title, 1);
		columns += (title[1] & 0xc0) != 0x80;
	}
	if (*title)
		text_add(&cut, "...");
	if (cut.error)
		out->error = cut.error;
	else
		add_quoted(out, cut.data ? cut.data : "");
}

/* Room for the longest name of a legend, in characters. */
static unsigned legend_width(const struct plot *plot)
{
	size_t longest = 10;

	for (size_t p = 0; p < plot->panel_count; p++) {
		for (size_t l = 0; l < plot->panels[p].line_count; l++) {
			size_t len = wrap_columns(plot->panels[p].lines[l].title);

			longest = len > longest ? len : longest;
		}
	}
	return (unsigned)(longest < LEGEND_MAX ? longest : LEGEND_MAX) + 10;
}

static void add_data(struct text *out, const struct plot *plot)
{
	for (size_t p = 0; p < plot->panel_count; p++) {
		for (size_t l = 0; l < plot->panels[p].line_count; l++) {
			const struct plot_line *line = &plot->panels[p].lines[l];

			text_addf(out, "$p%zul%zu << END\n", p, l);
			for (size_t i = 0; i < line->count; i++)
				text_addf(out, "%.6g %.6g\n", line->x[i], line->y[i]);
			text_add(out, "END\n");
		}
	}
}

/* Down to what is a ten-thousandth of the largest, up to a full step. */
static void add_log_range(struct text *out, const struct plot_panel *panel)
{
	double top = panel->y_max > 0 ? panel->y_max : 1;
	double bottom = fmax(panel->y_min, top * 1e-5);

	text_addf(out, "set logscale y\nset yrange [%.6g:%.6g]\n", bottom * 0.8, top * 1.25);
}

static void add_axes(struct text *out, const struct plot_panel *panel)
{
	text_add(out, "set title ");
	add_quoted(out, panel->title);
	text_add(out, "\nset xlabel ");
	add_quoted(out, panel->x_label);
	text_add(out, "\nset ylabel ");
	add_quoted(out, panel->y_label);
	text_addf(out, "\nunset logscale\nset xtics autofreq\nset xrange [0:%.6g]\n",
		  panel->x_max > 0 ? panel->x_max : 1);
	/* A line along the top is not to be taken for the frame. */
	text_addf(out, "set yrange [0:%.6g]\n", panel->y_max > 0 ? panel->y_max * 1.05 : 1);
	if (panel->y_axis == PLOT_LOG)
		add_log_range(out, panel);
	if (panel->x_axis == PLOT_NINES)
		text_add(out, "set xrange [0:4]\n"
			      "set xtics ('0 %%' 0, '50 %%' 0.30103, '90 %%' 1, '99 %%' 2, "
			      "'99.9 %%' 3, '99.99 %%' 4)\n");
	text_add(out, panel->has_legend ? "set key outside right top vertical Left reverse\n"
					: "unset key\n");
}

/* A head's way is a thin line; reads and writes are marks on it. */
static void add_head_style(struct text *out, size_t line)
{
	static const char *const styles[] = {
		"with lines lw 1 lc rgb '#999999'",
		"with points pt 6 ps 0.6 lw 1.5 lc rgb '#0072B2'",
		"with points pt 9 ps 0.7 lc rgb '#D55E00'",
	};

	text_add(out, styles[line < ARRAY_SIZE(styles) ? line : 0]);
}

static void add_line_style(struct text *out, const struct plot_line *line, size_t index)
{
	size_t look = index % ARRAY_SIZE(looks);
	/* About ten marks on a line, not all at the same places. */
	size_t every = line->count / 10 + 1;

	text_addf(out, "with linespoints lw 2 dt %u pt %u ps 0.8 pi %zu lc rgb '%s'",
		  looks[look].dash, looks[look].mark, every, looks[look].colour);
}

static void add_lines(struct text *out, const struct plot *plot, size_t p)
{
	const struct plot_panel *panel = &plot->panels[p];
	bool is_first = true;

	for (size_t l = 0; l < panel->line_count; l++) {
		if (!panel->lines[l].count)
			continue;
		text_addf(out, "%s$p%zul%zu using 1:2 ", is_first ? "plot " : ", \\\n     ", p, l);
		if (panel->has_marks)
			add_head_style(out, l);
		else
			add_line_style(out, &panel->lines[l], l);
		text_add(out, " title ");
		add_title(out, panel->lines[l].title, LEGEND_MAX);
		is_first = false;
	}
	text_add(out, "\n");
}

static bool has_points(const struct plot_panel *panel)
{
	for (size_t i = 0; i < panel->line_count; i++) {
		if (panel->lines[i].count)
			return true;
	}
	return false;
}

static void add_panels(struct text *out, const struct plot *plot, unsigned height)
{
	double top = 1 - (double)TITLE_HEIGHT / height, share = top;

	if (plot->panel_count)
		share /= (double)plot->panel_count;
	for (size_t p = 0; p < plot->panel_count; p++) {
		if (!has_points(&plot->panels[p]))
			continue;
		text_addf(out, "set size 1,%.5f\nset origin 0,%.5f\n", share,
			  top - share * (double)(p + 1));
		add_axes(out, &plot->panels[p]);
		add_lines(out, plot, p);
		/* The title of the whole is drawn once. */
		if (p == 0)
			text_add(out, "unset label\n");
	}
}

int plot_script(const struct plot *plot, const char *format, struct text *ret)
{
	unsigned panels = (unsigned)plot->panel_count;
	unsigned height = TITLE_HEIGHT +
			  (panels == 1 ? SINGLE_HEIGHT : panels * PANEL_HEIGHT);
	bool is_svg = strcmp(format, "svg") == 0;
	locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before;

	if (!plain)
		return -ENOMEM;
	before = uselocale(plain);
	text_add(ret, "set encoding utf8\n");
	if (is_svg)
		text_addf(ret, "set terminal svg size %u,%u font 'sans-serif,14' noenhanced "
			       "background '#ffffff'\n", WIDTH, height);
	else
		text_addf(ret, "set terminal pngcairo size %u,%u font 'sans-serif,11' noenhanced "
			       "background '#ffffff'\n", WIDTH, height);
	add_data(ret, plot);
	text_addf(ret, "set border 3 lc rgb '#404040'\nset tics nomirror\n"
		       "set grid lc rgb '#dddddd' lt 1 lw 0.5\n"
		       "set lmargin 11\nset rmargin %u\nset tmargin 2.5\nset bmargin 3.5\n"
		       "set multiplot\nset label 1 ", legend_width(plot));
	add_title(ret, plot->title, TITLE_MAX);
	text_addf(ret, " at screen 0.5,%.5f center font ',%u'\nset label 2 ",
		  1 - 20.0 / height, is_svg ? 17 : 13);
	add_title(ret, plot->subtitle, SUBTITLE_MAX);
	text_addf(ret, " at screen 0.5,%.5f center font ',%u' textcolor rgb '#404040'\n",
		  1 - 42.0 / height, is_svg ? 13 : 10);
	add_panels(ret, plot, height);
	text_add(ret, "unset multiplot\n");
	uselocale(before);
	freelocale(plain);
	return ret->error;
}
