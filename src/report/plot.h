/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pictures of a comparison: panels of lines, made here as plain values, then drawn by
 * gnuplot into a file (plot-gnuplot.c) or with letters on the terminal (plot-text.c).
 */
#ifndef IOSCHED_REPORT_PLOT_H
#define IOSCHED_REPORT_PLOT_H

#include "report/comparison.h"
#include "report/table.h"
#include "sim/samples.h"
#include "util/diag.h"
#include "util/text.h"

enum plot_kind {
	PLOT_LATENCY,    /* percentiles of the latency, all runs together */
	PLOT_HEAD,       /* where the first dispatches went, scheduler by scheduler */
	PLOT_DEPTH,      /* requests waiting and with the device, over time */
	PLOT_THROUGHPUT, /* by group of jobs, over time, scheduler by scheduler */
	PLOT_ALL,        /* one below the other */
	PLOT_KINDS,
};

/* "latency" ... */
const char *plot_kind_name(enum plot_kind kind);
/* -EINVAL */
int plot_kind_parse(const char *name, enum plot_kind *ret);

struct plot_line {
	char *title;
	double *x, *y;
	size_t count;
};

enum plot_axis {
	PLOT_LINEAR,
	PLOT_LOG,
	PLOT_NINES, /* percentiles, each further nine as far from the last */
};

struct plot_panel {
	char *title;
	const char *x_label, *y_label; /* translated, with their units */
	enum plot_axis x_axis, y_axis;
	bool has_marks;  /* the points themselves matter: marks on each */
	bool has_legend; /* more than one line */
	struct plot_line *lines;
	size_t line_count;
	/* Of the axes; equal in panels that are to be compared. */
	double x_max, y_min, y_max;
};

struct plot {
	char *title, *subtitle;
	struct plot_panel *panels;
	size_t panel_count;
};

/* `samples` of the first run of each column. 0, -ENOMEM, -ENODATA: nothing to draw. */
int plot_make(enum plot_kind kind, const struct comparison *comparison,
	      const struct samples *samples, const char *title, const char *subtitle,
	      struct plot *ret);
void plot_done(struct plot *plot);

/* Whether it ends as a picture does: -EINVAL. */
int plot_check_name(const char *path, struct diag *diag);

/*
 * Draws it into the file, which is replaced when the picture is whole. Its name says the
 * format: .svg or .png. -EINVAL: neither; -ENOPKG: no gnuplot, with the package that
 * brings it in the diag's hint; -EIO: gnuplot failed, with what it said.
 */
int plot_write(const struct plot *plot, const char *path, struct diag *diag);

/* With letters, a line each. 0, -ENOMEM. */
int plot_print(const struct plot *plot, const struct table_style *style);

/* The script for gnuplot, from plot_write(); `format` "svg" or "png". 0, -ENOMEM. */
int plot_script(const struct plot *plot, const char *format, struct text *ret);

#endif
