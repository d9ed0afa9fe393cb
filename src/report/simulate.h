/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a replay gave, and every dispatch of a simulation, as tables and JSON.
 */
#ifndef IOSCHED_REPORT_SIMULATE_H
#define IOSCHED_REPORT_SIMULATE_H

#include <jansson.h>
#include <stdio.h>

#include "report/table.h"
#include "sim/replay.h"
#include "sim/simulate.h"

/* --- replay ------------------------------------------------------------------------- */

/* The first differences, kept for the report. */
#define REPLAY_DIFFERENCES_MAX 20

struct replay_differences {
	struct replay_issue issues[REPLAY_DIFFERENCES_MAX];
	size_t issue_count;
	struct replay_kyber kyber[REPLAY_DIFFERENCES_MAX];
	size_t kyber_count;
};

int replay_print(const struct replay_result *result,
		 const struct replay_differences *differences,
		 const struct table_style *style);
/* Adds the result's keys to `root`; 0 or -ENOMEM. */
int replay_to_json(const struct replay_result *result,
		   const struct replay_differences *differences, json_t *root);

/* The dispatch log: its heading, then a line for each issue. */
void dispatch_log_begin(FILE *file);
void dispatch_log_replayed(FILE *file, const struct replay_issue *issue);
/* Of a simulation: nothing was recorded. */
void dispatch_log_simulated(FILE *file, const struct simulate_dispatch *dispatch);

/* --- simulation --------------------------------------------------------------------- */

/* One row a dispatch, for --explain. */
int dispatch_table_new(const struct table_style *style, struct table **ret);
void dispatch_table_add(struct table *table, const struct simulate_dispatch *dispatch);
json_t *dispatch_to_json(const struct simulate_dispatch *dispatch);

#endif
