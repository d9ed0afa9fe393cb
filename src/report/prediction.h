/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a plan is predicted to do: the workload's figures as the devices are, and as the
 * plan would have them.
 */
#ifndef IOSCHED_REPORT_PREDICTION_H
#define IOSCHED_REPORT_PREDICTION_H

#include <jansson.h>

#include "report/table.h"
#include "sim/experiment.h"
#include "util/text.h"

struct prediction_side {
	char *scheduler;
	struct strv settings; /* "read_expire=100" */
};

/* Devices of which the plan changes the same in the same way. */
struct prediction {
	struct strv devices;
	const char *class;
	char *medium, *workload;
	struct prediction_side now, then;
	struct strv unmodelled; /* changes of the plan that have no part in it */
	struct experiment_outcome *outcomes; /* of now, and then; NULL: `reason` */
	char *reason; /* why nothing can be said, translated */
};

struct predictions {
	struct prediction *items;
	size_t count;
};

void predictions_done(struct predictions *predictions);

/* One row a figure: before, after, the difference in per cent. */
int predictions_print(const struct predictions *predictions, const struct table_style *style);
/* A new reference, an array; NULL without memory. */
json_t *predictions_to_json(const struct predictions *predictions);

#endif
