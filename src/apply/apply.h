/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Carries a plan out: journal first, then the queues in parallel, each write read back,
 * each device within a time limit, and a device whose plan fails half-way put back.
 *
 * The writes happen in one child process with a pool of threads, so that a write that
 * never returns (a queue that cannot be frozen) neither holds up the others nor keeps
 * the parent from ending.
 */
#ifndef IOSCHED_APPLY_APPLY_H
#define IOSCHED_APPLY_APPLY_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "device/device.h"
#include "plan/plan.h"
#include "sysfs/root.h"
#include "util/diag.h"

#define APPLY_TIMEOUT_DEFAULT_MS 30000

enum apply_outcome {
	APPLY_DONE,	 /* every step holds: written, or right already, and read back */
	APPLY_UNCHANGED, /* the plan had no step for it */
	APPLY_PUT_BACK,	 /* a step failed; the device is as it was before */
	APPLY_BROKEN,	 /* a step failed and so did putting back; journal keeps it */
	APPLY_STUCK,	 /* over the time limit; the write may still happen */
	APPLY_GONE,	 /* the device went away between plan and write */
	APPLY_INTERRUPTED, /* not begun, because of a signal */
	APPLY_BLOCKED,	   /* PLAN_BLOCKED */
};
const char *apply_outcome_name(enum apply_outcome outcome);

/* What became of one step. */
struct apply_write {
	bool is_written;	     /* false: not reached, right already, or put off */
	char old[TUNABLE_VALUE_MAX]; /* as it read just before */
};

struct apply_device {
	const struct plan_device *planned;
	enum apply_outcome outcome;
	size_t steps_done;		/* steps that hold; 0 after putting back */
	const struct plan_step *failed; /* NULL when none */
	int error; /* of the failed step; -EIO when it reads back otherwise */
	char actual[TUNABLE_VALUE_MAX]; /* what it read back then, "" when not read */
	struct apply_write *writes; /* one a step of the plan; NULL when it has none */
};

struct apply_report {
	struct apply_device *items; /* as in the plan */
	size_t count;
	bool is_interrupted;
};

void apply_report_free(struct apply_report *report);
DEFINE_CLEANUP(struct apply_report *, apply_report_free)

/*
 * Runs exclude each other. Taken by apply_run() when the caller does not hold it; a
 * restore takes it before it reads the journal and scans, for a run that was killed may
 * still be ending its last write. Waits for its end: after two seconds, or the time that
 * is given, -EWOULDBLOCK, with the holder in the diag. -EROFS, -EACCES, -ENOSPC …: no
 * place for the lock.
 */
struct apply_lock {
	int fd;
};
struct apply_wait {
	unsigned timeout_ms; /* 0: two seconds */
	/* Called once when it takes longer than a moment; holder 0: a write of a run that
	   was ended. NULL: nobody is told. */
	void (*say)(pid_t holder, unsigned timeout_ms);
};
#define APPLY_LOCK_NONE ((struct apply_lock){ .fd = -1 })
int apply_lock_take(const struct root *root, struct apply_lock *ret, struct diag *diag);
int apply_lock_wait(const struct root *root, const struct apply_wait *wait,
		    struct apply_lock *ret, struct diag *diag);
void apply_lock_release(struct apply_lock *lock);
#define _apply_lock_ _cleanup_(apply_lock_release)

/* What the person asked for, kept in the journal so that a later verify knows it. */
struct apply_asked {
	const char *profile;	       /* to load it again: name, or a file's whole path */
	const char *const *sets;       /* "KEY=VALUE" */
	size_t set_count;
	const struct device *const *named; /* none: all devices were meant */
	size_t named_count;
};

struct apply_options {
	const struct apply_asked *asked; /* NULL: only the plan's profile name is kept */
	unsigned timeout_ms;	       /* for each device; 0: APPLY_TIMEOUT_DEFAULT_MS */
	unsigned workers;	       /* 0: as many as there are devices, at most 128 */
	bool no_journal;	       /* restore keeps its own books */
	const struct apply_lock *lock; /* held by the caller; NULL: taken here */
	struct apply_wait wait;        /* when it is taken here */
};

/*
 * `devices` is the scan that the plan was made from. Errors come before the first write
 * (nothing is changed then): -EWOULDBLOCK another run holds the lock; -ESTALE a device
 * is not as it was scanned: scan and plan again; -EROFS, -EACCES, -EPERM not allowed to
 * write; -ENOSPC and others from the journal; -EAGAIN no process or thread to be had. A
 * plan without steps succeeds without touching anything. The outcome of each device is in
 * the report, which is set whenever 0 is returned, and written to the audit trail.
 *
 * SIGINT, SIGTERM and SIGHUP are held while it runs: no further device is begun, those
 * that were begun are finished or put back, and the report says is_interrupted.
 */
int apply_run(const struct root *root, const struct plan *plan,
	      const struct device_list *devices, const struct apply_options *options,
	      struct apply_report **ret, struct diag *diag);

#endif
