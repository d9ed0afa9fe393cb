/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Outcomes of an experiment side by side: a column for each variant, as a table and as
 * JSON.
 */
#ifndef IOSCHED_REPORT_COMPARISON_H
#define IOSCHED_REPORT_COMPARISON_H

#include <jansson.h>
#include <stdbool.h>

#include "report/table.h"
#include "sim/objective.h"
#include "util/text.h"

struct comparison_column {
	const char *title;
	const char *scheduler;
	const struct sim_setting *settings;
	size_t setting_count;
	unsigned nr_requests; /* 0: the kernel's default */
};

struct comparison {
	const struct comparison_column *columns;
	const struct experiment_outcome *outcomes;
	size_t count;
	const struct objective *objective;
	int reference; /* the column that the others are compared with */
	int best;      /* by the objective; -1: none */
	bool is_tie;   /* none, since nothing that decides differs */
	bool is_ended; /* none, since it was ended before each had a whole run */
	bool is_median; /* the figures are medians of the runs, not means */
};

/* With the best column chosen. `objective` NULL: the default. `reference` -1: the first. */
struct comparison comparison_make(const struct comparison_column *columns,
				  const struct experiment_outcome *outcomes, size_t count,
				  const struct objective *objective, int reference);

/* The figures are medians of rounds; of fewer than ESTIMATE_MEDIAN_MIN none is the best. */
void comparison_of_medians(struct comparison *comparison);

/*
 * One table, or as many below each other as the terminal's width asks for, with the
 * reference in each; then what its marks mean.
 */
int comparison_print(const struct comparison *comparison, const struct table_style *style);

/* Adds "objective", "best", "reference" and "schedulers" to the object. 0, -ENOMEM. */
int comparison_to_json(const struct comparison *comparison, json_t *root);

/* --- the rows, for both ------------------------------------------------------------- */

/* One figure, of all columns. */
struct comparison_row {
	const struct comparison *comparison;
	int group;                   /* -1: of the whole */
	struct experiment_choice choice;
};

/* How a figure is called and written. */
struct figure_format {
	const char *label;    /* N_(): "P99 ms" */
	const char *key;      /* of JSON */
	double scale;         /* to the label's unit */
	unsigned decimals;
};
const struct figure_format *comparison_figure_format(enum experiment_figure figure);
const struct figure_format *comparison_total_format(enum experiment_total total);
const struct figure_format *figure_format_of(const struct experiment_choice *choice);

/* For people: what is now is called so in their language. */
const char *comparison_title(const struct comparison_column *column);
/* N_(): "read", "write" */
const char *comparison_direction(enum sim_dir dir);
/* ... "flush", or "-" for the whole */
const char *comparison_stream(const struct experiment_choice *choice);

/* It cannot be told from the best, which is another one; or all are alike. */
bool comparison_is_alike(const struct comparison *comparison, size_t column);

/* The lines that say so. */
void comparison_add_tie(const struct comparison *comparison, struct text *out);
void comparison_add_ended(const struct comparison *comparison, struct text *out);

/* There is such a percentile, but of too few I/Os to be shown. */
bool comparison_has_too_few(const struct comparison_row *row, size_t column);
struct estimate comparison_value(const struct comparison_row *row, size_t column);

/* How many decimals the figures of a row need whose largest is this. */
unsigned figure_decimals(const struct figure_format *format, double largest);
/* "12.345": in the label's unit. */
/* The sign before a margin, in the characters of the locale. */
const char *figure_plus_minus(void);
void figure_format_number(const struct figure_format *format, unsigned decimals, double value,
			  char *buf, size_t size);

#endif
