/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parent's side of an apply: starts the writing process, follows its records, gives
 * up devices that are over their time, and passes on a signal. Not for other folders.
 */
#ifndef IOSCHED_APPLY_SUPERVISE_H
#define IOSCHED_APPLY_SUPERVISE_H

#include "apply/apply.h"
#include "apply/worker.h"
#include "util/signals.h"

struct supervised {
	struct worker_job job;
	struct apply_device *result; /* its writes are there */
};

/*
 * Runs the jobs, until one of `signals` asks to end, and fills each result and
 * report->is_interrupted. Returns an error only when no job was begun.
 */
int supervise_run(const struct root *root, const struct supervised *jobs, size_t count,
		  const struct apply_options *options, struct held_signals *signals,
		  struct apply_report *report);

#endif
