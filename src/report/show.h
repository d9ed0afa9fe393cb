/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One device in full, readable at 80 columns, and as JSON.
 */
#ifndef IOSCHED_REPORT_SHOW_H
#define IOSCHED_REPORT_SHOW_H

#include <jansson.h>

#include "report/column.h"
#include "report/table.h"

struct show_view {
	struct column_row row; /* with policy and plan */
	const struct device_list *devices;
	const char *profile_name;
};

int show_print(const struct show_view *view, const struct table_style *style);
/* New reference; NULL: no memory. */
json_t *show_to_json(const struct show_view *view);

/* An attribute of the device: what is, what is wanted. */
struct show_attribute {
	const struct tunable *tunable;
	const struct device_value *now;    /* NULL: not there now */
	const struct policy_value *wanted; /* NULL: the policy does not set it */
};

#define SHOW_ATTRIBUTE_MAX 256

/* All that the device has or should have: the scheduler's first, then the queue's, in the
   order of the catalogue. Gives the number, at most SHOW_ATTRIBUTE_MAX. */
size_t show_collect_attributes(const struct show_view *view, struct show_attribute *ret);

/* A scheduler that this queue offers or could load. */
struct show_scheduler {
	const struct scheduler *scheduler;
	bool is_active, is_offered; /* not offered: can be loaded */
};

#define SHOW_SCHEDULER_MAX 16

size_t show_collect_schedulers(const struct show_view *view, struct show_scheduler *ret);

/* What nr_requests means on this queue, in words; empty when it has none. */
int show_explain_requests(const struct device *device, struct text *out);

#endif
