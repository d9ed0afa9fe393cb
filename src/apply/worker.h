/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process that writes: a child with a pool of threads, one device a thread at a time.
 * It tells each thing that happened in a record on a pipe, and takes two orders on
 * another one. It dies with the parent, and holds the descriptor of the lock until then.
 */
#ifndef IOSCHED_APPLY_WORKER_H
#define IOSCHED_APPLY_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "apply/apply.h"
#include "apply/state.h"
#include "plan/plan.h"
#include "sysfs/root.h"

struct worker_job {
	const struct plan_device *planned; /* has steps */
	const struct queue_state *before;  /* to put it back to */
};

enum worker_event {
	WORKER_BEGUN,	  /* `job` */
	WORKER_HOLDS,	  /* `job`, `step`: written, or right already, and read back */
	WORKER_FAILED,	  /* `job`, `step`, `error`, `actual`; putting back begins */
	WORKER_ENDED,	  /* `job`, `outcome`, `error` */
	WORKER_CANCELLED, /* no job is begun after this record */
};

/* Smaller than PIPE_BUF: each is written and read whole. */
struct worker_record {
	uint32_t job;
	uint32_t step;
	uint8_t event;	 /* enum worker_event */
	uint8_t outcome; /* enum apply_outcome */
	bool is_written;
	int32_t error;
	char old[TUNABLE_VALUE_MAX];
	char actual[TUNABLE_VALUE_MAX];
};

struct worker {
	pid_t pid;
	int record_fd;	/* to read; ends when the process is gone */
	int control_fd; /* to write; the process ends when it is closed */
};

enum worker_order {
	WORKER_CANCEL = 'c', /* begin no further job */
	WORKER_GROW = 'w',   /* another thread, for one that is stuck */
};

/*
 * Starts it with so many threads (fewer where the system has no more; none at all shows
 * as a process that ends without a record). Not for a process with threads of its own.
 * -EAGAIN, -ENOMEM, -EMFILE.
 */
int worker_start(const struct root *root, const struct worker_job *jobs, size_t count,
		 size_t threads, struct worker *ret);

#endif
