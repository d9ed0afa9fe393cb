/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every scheduler name that Linux has known, what it is called on the other kind of
 * queue, and which module brings it. Source: facts on names and queue/scheduler
 * (Linux 2.6.18 to 7.2).
 */
#ifndef IOSCHED_TUNABLE_SCHEDULER_H
#define IOSCHED_TUNABLE_SCHEDULER_H

#include <stdbool.h>
#include <stddef.h>

#include "tunable/kernel-version.h"

/* A 4.19 kernel can have both kinds of queue at once; 5.0 and later have only blk-mq. */
enum queue_kind {
	QUEUE_MQ,
	QUEUE_LEGACY, /* noop, deadline, cfq, anticipatory */
	QUEUE_BIO,    /* dm, md, zram, bcache, nvme heads: no scheduler at all */
};

struct scheduler {
	const char *name;
	enum queue_kind kind;
	const char *module;      /* file name without .ko; NULL: always built in */
	const char *counterpart; /* the nearest one on the other kind of queue */
	struct kernel_version since, until; /* until is the first version without it */
	const char *summary;     /* N_() */
};

/* Exact names only; NULL when there is none. */
const struct scheduler *scheduler_find(const char *name);
const struct scheduler *scheduler_get(size_t index); /* NULL past the end */

/* The policies that only the engine has: for simulation, never for a device. */
const struct scheduler *scheduler_find_textbook(const char *name);
const struct scheduler *scheduler_get_textbook(size_t index); /* NULL past the end */

/*
 * The name to write on a queue of `kind`: the name itself, its alias (deadline is
 * accepted by blk-mq and reads back as mq-deadline) or its counterpart (noop<->none,
 * deadline<->mq-deadline, cfq<->bfq, kyber->deadline, anticipatory->bfq). A bio-based
 * queue knows only "none". NULL: unknown name.
 */
const struct scheduler *scheduler_translate(const char *name, enum queue_kind kind);

#endif
