/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables on a terminal or in a pipe, through libsmartcols where it is there. Whatever a device or file
 * supplied is made safe here.
 */
#ifndef IOSCHED_REPORT_TABLE_H
#define IOSCHED_REPORT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "util/cleanup.h"

struct table;

/* For both ways of printing. Narrower than this a wrapped column is not made: its text
   follows below the row, indented by so many blanks. */
#define TABLE_WRAP_MIN	  20
#define TABLE_BELOW_INDENT 4

struct table_style {
	unsigned width; /* of the terminal */
	bool is_terminal; /* false: lines are as long as they need */
	bool has_colour;
	bool is_raw; /* no heading, no alignment: one blank between columns */
	bool no_heading;
};

enum table_align {
	TABLE_LEFT,
	TABLE_RIGHT,
	TABLE_CUT,  /* left, cut short when the terminal is too narrow */
	TABLE_WRAP, /* left, broken into lines at blanks then, or below its row where there
		       is no room beside; only the last column */
	TABLE_TREE, /* left, children drawn below their parent */
};

enum table_mood { MOOD_PLAIN, MOOD_GOOD, MOOD_NOTICE, MOOD_BAD };

int table_new(const struct table_style *style, struct table **ret);
void table_free(struct table *table);
DEFINE_CLEANUP(struct table *, table_free)

/* Errors (-ENOMEM) are kept until table_print(). */
void table_add_column(struct table *table, const char *title, enum table_align align);
#define TABLE_NO_PARENT ((size_t)-1)
/* The index of the new row. */
size_t table_add_row(struct table *table, size_t parent);
void table_set(struct table *table, size_t column, const char *text,
	       enum table_mood mood); /* of the row that was added last */
/* To stdout. */
int table_print(struct table *table);

#endif
