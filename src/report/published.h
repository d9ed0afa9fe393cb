/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Published measurements beside simulated ones: a line for each ratio, what the errors
 * come to, and where each measurement is from.
 */
#ifndef IOSCHED_REPORT_PUBLISHED_H
#define IOSCHED_REPORT_PUBLISHED_H

#include <jansson.h>

#include "report/table.h"
#include "sim/published.h"

int published_print(const struct published *list, size_t count,
		    const struct table_style *style);
/* Adds the keys to `root`; 0 or -ENOMEM. */
int published_to_json(const struct published *list, size_t count, json_t *root);

#endif
