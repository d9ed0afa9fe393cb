/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parent's side of an apply: starts the writing process, follows its records, gives
 * up devices that are over their time, and passes on a signal. Not for other folders.
 */
#ifndef IOSCHED_APPLY_SUPERVISE_H
#define IOSCHED_APPLY_SUPERVISE_H

#include <signal.h>

#include "apply/apply.h"
#include "apply/worker.h"

/* Signals that ask the run to end, held from the journal to the end. Those that the
   process ignores are let alone. */
struct supervise_signals {
	int fd; /* signalfd */
	sigset_t old;
};
int supervise_hold_signals(struct supervise_signals *ret);
/* What came meanwhile and was not looked at is dropped. */
void supervise_release_signals(struct supervise_signals *signals);

struct supervised {
	struct worker_job job;
	struct apply_device *result; /* its writes are there */
};

/*
 * Runs the jobs and fills each result and report->is_interrupted. Returns an error only
 * when no job was begun.
 */
int supervise_run(const struct root *root, const struct supervised *jobs, size_t count,
		  const struct apply_options *options, int signal_fd,
		  struct apply_report *report);

#endif
