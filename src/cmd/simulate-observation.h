/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept of the first run of each variant: its dispatches as a table, as JSON and in
 * the log, and samples for pictures.
 */
#ifndef IOSCHED_CMD_SIMULATE_OBSERVATION_H
#define IOSCHED_CMD_SIMULATE_OBSERVATION_H

#include <jansson.h>

#include "cmd/simulate-case.h"
#include "report/table.h"

/* Of each variant, in memory; a trace can have any number. */
#define OBSERVED_DISPATCHES_MAX 100000u

/* Of one variant; filled by the thread that runs it. */
struct observed {
	struct table *table;
	json_t *list;
	FILE *log;
	uint64_t dispatches; /* that there were */
	struct samples *samples; /* in the observation's array */
	int error;
};

struct observation {
	struct observed *items;
	struct samples *samples; /* NULL without a picture */
	void **contexts;
	size_t count;
};

/* What the command line asks for. -ENOMEM. */
int observation_init(const struct cmd_context *cmd, const struct simulate_request *request,
		     const struct simulate_case *simulated, struct observation *ret);
void observation_done(struct observation *observation);

/* The callbacks; false: nothing is to be observed. */
bool observation_watch(const struct observation *observation, struct simulate_watch *ret);

int observation_print(const struct simulate_case *simulated,
		      const struct observation *observation);
/* The dispatches; a new reference, NULL without memory. */
json_t *observation_to_json(const struct simulate_case *simulated,
			    const struct observation *observation);

#endif
