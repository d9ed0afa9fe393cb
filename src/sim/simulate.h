/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A simulation: a workload's arrivals go through the block layer and one scheduler to a
 * device model. Deterministic: the same input gives the same result, byte for byte.
 */
#ifndef IOSCHED_SIM_SIMULATE_H
#define IOSCHED_SIM_SIMULATE_H

#include <stdint.h>

#include "sim/histogram.h"
#include "sim/queue.h"
#include "sim/workload/trace.h"
#include "util/diag.h"

/* One dispatch, as it is issued. */
struct simulate_dispatch {
	uint64_t number;     /* from 1 */
	uint64_t time_ns;    /* of the simulation */
	enum sim_op op;
	uint64_t sector;
	uint32_t sectors;
	enum sim_class class;
	enum sim_reason reason;
	unsigned waiting;    /* requests that could have been chosen, itself included */
};

struct simulate_options {
	struct sim_queue_config queue;
	uint64_t service_ns; /* of the null device */
	/*
	 * The device begins to serve at this time; what arrives earlier waits in the
	 * scheduler, as on a frozen queue.
	 */
	uint64_t hold_ns;

	void (*on_dispatch)(void *context, const struct simulate_dispatch *dispatch);
	void *context;
};

struct simulate_direction {
	uint64_t ios, sectors;
	struct histogram latency_ns; /* from arrival to completion */
};

struct simulate_result {
	uint64_t requests;   /* issued; fewer than I/Os where they merged */
	uint64_t end_ns;     /* of the last completion */
	uint64_t expired;    /* requests issued after their deadline */
	struct simulate_direction directions[SIM_DIRS];
};

/* Where I/Os come from: 1 and *ret filled, 0 at the end, negative errno. */
typedef int simulate_source(void *source, struct trace_record *ret, struct diag *diag);

/* Errors of the source, of sim_queue_new(); -ENOMEM. */
int simulate_run(simulate_source *next, void *source, const struct simulate_options *options,
		 struct simulate_result *ret, struct diag *diag);

#endif
