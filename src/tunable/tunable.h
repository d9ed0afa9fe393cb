/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The catalogue: every attribute of a queue and of its scheduler, one row each. Help,
 * completion, validation, plans and generated rules all read it. Source of each row:
 * facts on sysfs attributes, checked against live kernels by the live tests.
 */
#ifndef IOSCHED_TUNABLE_TUNABLE_H
#define IOSCHED_TUNABLE_TUNABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tunable/kernel-version.h"
#include "util/diag.h"
#include "util/number.h"

enum tunable_place {
	TUNABLE_QUEUE,   /* queue/<file> */
	TUNABLE_IOSCHED, /* queue/iosched/<file>, there only while `owner` is active */
};

/* The order that the kernel needs; writes of one phase come before those of the next. */
enum tunable_phase {
	PHASE_SCHEDULER,   /* replaces iosched/, resets nr_requests, disturbs wbt */
	PHASE_IOSCHED,
	PHASE_NR_REQUESTS,
	PHASE_ASYNC_DEPTH, /* bounded by nr_requests */
	PHASE_QUEUE,
	PHASE_WBT,         /* bfq disables it while active: last */
	PHASE_COUNT,
};

enum tunable_type {
	TUNABLE_INT,
	TUNABLE_BOOL,
	TUNABLE_CHOICE, /* one word of a list: the scheduler, write_cache */
	TUNABLE_TEXT,   /* read-only descriptions */
};

/* How the kernel changes an accepted value before it reads back. */
enum tunable_rounding {
	ROUND_EXACT,
	ROUND_JIFFY,     /* milliseconds kept in jiffies: up to the next whole jiffy */
	ROUND_PAGE_DOWN, /* KiB kept in pages */
	ROUND_CLAMP_LOW, /* raised to the row's minimum: nr_requests below 4 */
};

#define TUNABLE_VALUE_MAX 64

struct tunable {
	const char *key;   /* unique: "nr_requests", "mq-deadline.read_expire" */
	const char *file;  /* below queue/ or queue/iosched/ */
	enum tunable_place place;
	const char *owner; /* scheduler name for iosched, NULL for queue */
	enum tunable_type type;
	enum unit unit;
	int64_t min, max;  /* TUNABLE_INT: accepted range in `unit`, inclusive */
	const char *initial; /* the kernel's default as text; NULL: depends on the device */
	enum tunable_phase phase;
	enum tunable_rounding rounding;
	bool is_readonly;  /* the kernel takes no write */
	bool is_policy;    /* a profile may set it; false: shown only */
	struct kernel_version since, until; /* mainline presence */
	const char *help;  /* N_(): one line */
	const char *note;  /* N_(): ceilings and quirks, NULL when there are none */
};

size_t tunable_count(void);
const struct tunable *tunable_get(size_t index);
/* By key; "read_expire" alone finds nothing unless `owner` is given. */
const struct tunable *tunable_find(const char *key);
const struct tunable *tunable_find_iosched(const char *owner, const char *file);
const struct tunable *tunable_find_queue(const char *file);
/* The row of queue/scheduler itself. */
const struct tunable *tunable_scheduler(void);

/* What a queue looks like to the quirk rules. Zero or NULL where not known. */
struct tunable_context {
	struct kernel_version kernel;
	const char *scheduler;     /* active, or the one that will be */
	int64_t hw_depth;          /* driver tags: nr_requests' ceiling under none */
	int64_t max_hw_sectors_kb;
	bool is_bio;               /* bio-based queue */
};

/*
 * Checks a value in text form (unit suffixes allowed) and gives what to write to sysfs.
 * -EINVAL (not a value of this type or unit), -ERANGE (outside the range, with the
 * range in the diag), -EPERM (read-only or not a policy attribute), -ENOTSUP (this kernel's file
 * does something else: async_depth on 5.15). Writes at most TUNABLE_VALUE_MAX bytes.
 * A NULL context checks the row alone. Whether the attribute exists is not asked here.
 */
int tunable_check(const struct tunable *tunable, const char *value,
		  const struct tunable_context *context, char *ret, struct diag *diag);

/* True when reading `actual` after writing `wanted` is what the kernel's rounding gives. */
bool tunable_is_equal(const struct tunable *tunable, const char *wanted, const char *actual);

#endif
