/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The load of disks beside what they are: one table, or one JSON object, for each interval.
 */
#ifndef IOSCHED_REPORT_WATCH_H
#define IOSCHED_REPORT_WATCH_H

#include <jansson.h>

#include "device/load.h"
#include "report/table.h"

struct watch_row {
	const struct device *device;
	struct device_load load;
	bool has_load; /* false: it came just now, or the kernel does not count */
};

/* To stdout, -ENOMEM. */
int watch_print(const struct watch_row *rows, size_t count,
		const struct table_style *style);

/* The load of one disk; null where there is none. A new reference; NULL when memory is
   short. */
json_t *load_to_json(const struct device_load *load);
/* The rows as an array, likewise. */
json_t *watch_to_json(const struct watch_row *rows, size_t count);

#endif
