/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of devices, and the same as JSON.
 */
#ifndef IOSCHED_REPORT_STATUS_H
#define IOSCHED_REPORT_STATUS_H

#include <jansson.h>

#include "report/column.h"
#include "report/table.h"

/* A device that is shown, in order; a path of another row's device comes below it. */
struct status_rows {
	struct column_row *items;
	size_t count;
};

/* How many rows are in each state. */
struct status_count {
	size_t in_force, drift, blocked, left, elsewhere;
};

int status_print_table(const struct column_set *set, const struct status_rows *rows,
		       const struct table_style *style);
/* An array of objects, one a device. New reference; NULL: no memory. */
json_t *status_to_json(const struct column_set *set, const struct status_rows *rows);
struct status_count status_count_states(const struct status_rows *rows);

/* "NAME  help" for every column and attribute. */
int status_print_columns(const struct table_style *style);

#endif
