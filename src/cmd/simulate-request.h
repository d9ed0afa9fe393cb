/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of simulate, read and checked.
 */
#ifndef IOSCHED_CMD_SIMULATE_REQUEST_H
#define IOSCHED_CMD_SIMULATE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cmd/verb.h"
#include "sim/queue.h"
#include "util/diag.h"
#include "util/text.h"

#define SIMULATE_SCHEDULERS_MAX 16
#define SIMULATE_SETTINGS_MAX   64

/* As the option table fills it. */
struct simulate_verb_options {
	const char *replay, *trace, *scheduler, *depth, *service_time, *kernel, *hz;
	const char *nr_requests, *hw_queues, *hold, *zone_size, *dispatch_log;
	struct strv sets;
	bool has_explain, is_strict;
};

/* What the command line comes to. */
struct simulate_request {
	struct sim_queue_config config; /* scheduler and settings are set for each run */
	uint64_t service_ns, hold_ns;
	unsigned depth, nr_requests, hz; /* 0 where not given */
	struct kernel_version kernel;    /* zero where not given */
	struct strv schedulers;
	struct sim_setting settings[SIMULATE_SETTINGS_MAX];
	const char *owners[SIMULATE_SETTINGS_MAX]; /* NULL: every scheduler that has it */
	size_t setting_count;
	struct strv words;                /* owns the settings' texts */
	FILE *log;
};

/* 0, or an error of the command line with a diag. simulate_request_done() in any case. */
int simulate_request_read(const struct cmd_context *context,
			  const struct simulate_verb_options *options,
			  struct simulate_request *request, struct diag *diag);
void simulate_request_done(struct simulate_request *request);

/*
 * Those settings that are for the scheduler; NULL: all. `ret` has room for
 * SIMULATE_SETTINGS_MAX. How many.
 */
size_t simulate_request_pick_settings(const struct simulate_request *request,
				      const char *scheduler, struct sim_setting *ret);

#endif
