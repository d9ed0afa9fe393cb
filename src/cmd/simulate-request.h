/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of simulate, read and checked.
 */
#ifndef IOSCHED_CMD_SIMULATE_REQUEST_H
#define IOSCHED_CMD_SIMULATE_REQUEST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cmd/simulate-sweep.h"
#include "cmd/verb.h"
#include "report/plot.h"
#include "sim/objective.h"
#include "sim/queue.h"
#include "util/diag.h"
#include "util/text.h"

#define SIMULATE_SCHEDULERS_MAX 16
#define SIMULATE_SETTINGS_MAX   64

/* As the option table fills it. */
struct simulate_verb_options {
	/* what is simulated */
	const char *profile, *scheduler, *workload, *fio, *trace, *medium;
	const char *runtime, *warmup, *ios, *seed, *seeds, *jobs, *cores, *slowness;
	const char *time_scale, *objective;
	/* the queue */
	const char *depth, *hw_queues, *nr_requests, *service_time, *hold, *zone_size, *hz;
	const char *kernel;
	/* what comes out */
	const char *replay, *dispatch_log, *plot, *plot_kind;
	struct strv sets, sweeps;
	bool has_explain, is_strict, is_published;
};

/* Zero, false or NULL where not given. */
struct simulate_numbers {
	unsigned depth, hw_queues, nr_requests, hz, seeds, threads, cores;
	uint64_t service_ns, hold_ns, runtime_ns, warmup_ns, ios, seed;
	uint32_t zone_sectors;
	double slowness, time_scale;
	bool has_service, has_warmup, has_seed;
};

/* What the command line comes to. */
struct simulate_request {
	const struct simulate_verb_options *options;
	struct simulate_numbers numbers;
	struct kernel_version kernel;    /* zero where not given */
	struct strv schedulers;
	struct sim_setting settings[SIMULATE_SETTINGS_MAX];
	const char *owners[SIMULATE_SETTINGS_MAX]; /* NULL: every scheduler that has it */
	size_t setting_count;
	struct strv words;               /* owns the settings' texts */
	const struct objective *objective; /* NULL: the default */
	struct sweep sweep;
	enum plot_kind plot_kind;
	FILE *log;
	bool needs_medium; /* one must be named, or known of the device or the recording */
};

/* 0, or an error of the command line with a diag. simulate_request_done() in any case. */
int simulate_request_read(const struct cmd_context *context,
			  const struct simulate_verb_options *options,
			  struct simulate_request *request, struct diag *diag);
void simulate_request_done(struct simulate_request *request);

/*
 * Those settings that are for the scheduler; NULL: all. One without an owner is for those
 * that have it; -EINVAL where none of `schedulers` has it is for the caller to find. `ret`
 * has room for SIMULATE_SETTINGS_MAX. How many.
 */
size_t simulate_request_pick_settings(const struct simulate_request *request,
				      const char *scheduler, struct sim_setting *ret);
/* What --jobs says, else one a processor; one where a log is written. */
unsigned simulate_request_threads(const struct simulate_request *request);

#endif
