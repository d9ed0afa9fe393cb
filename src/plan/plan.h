/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan: what has to be written, in the order the kernel needs, to get from what is to
 * what should be; and for every device without a write, why. Printing a plan is a dry
 * run, carrying it out is apply or restore. Plans are minimal: what is right already is
 * not written.
 */
#ifndef IOSCHED_PLAN_PLAN_H
#define IOSCHED_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "device/device.h"
#include "policy/policy.h"

struct plan_step {
	const struct tunable *tunable;
	char from[TUNABLE_VALUE_MAX]; /* "" when it will only exist after a switch */
	char to[TUNABLE_VALUE_MAX];
	enum policy_origin origin;
	char *source;
	char *why;
	/* An earlier step brings it about, as far as can be told, or may have left it as it
	   is: looked at when its turn comes, and written only if it reads otherwise. */
	bool is_conditional;
};

enum plan_state {
	PLAN_CHANGE,   /* there are steps */
	PLAN_IN_FORCE, /* everything wanted is so already */
	PLAN_SKIPPED,  /* nothing is wanted of it: `reason` */
	PLAN_BLOCKED,  /* something is wanted that cannot be: an attribute that is there
			  but  not writable, a scheduler where none can be chosen: `reason`;
			  counts as a failure, and it has no steps. An absent attribute
			  is a note. */
};
const char *plan_state_name(enum plan_state state);

struct plan_device {
	char *name;	/* kernel name */
	char *sys_path; /* queue directory is <sys_path>/queue */
	unsigned major, minor;
	enum device_class class;
	enum plan_state state;
	char *reason;
	struct plan_step *steps; /* ordered by phase */
	size_t step_count;
	struct strv notes;
};

struct plan {
	char *profile_name; /* NULL for a restore */
	struct plan_device *items;
	size_t count;
};

void plan_free(struct plan *plan);
DEFINE_CLEANUP(struct plan *, plan_free)

/*
 * Compares the policy with what the scan read (it must have had SCAN_SCHEDULER,
 * SCAN_QUEUE, SCAN_IOSCHED, SCAN_STACK and SCAN_CLASS). -ENOMEM.
 */
int plan_make(const struct policy *policy, struct plan **ret);

size_t plan_count_steps(const struct plan *plan);
/* Those that are not conditional: a plan with steps has at least one. */
size_t plan_count_writes(const struct plan *plan);
size_t plan_device_count_writes(const struct plan_device *planned);
bool plan_has_blocked(const struct plan *plan);

/* The serialised form, part of the --json contract. New reference; NULL: no memory. */
json_t *plan_to_json(const struct plan *plan);

#endif
