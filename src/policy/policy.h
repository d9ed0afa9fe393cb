/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The resolved policy: for every device the scheduler and each value that should be in
 * force, with the origin of each. Apply, verify, persistence and simulation all start
 * from this value and cannot disagree.
 *
 * Precedence, highest first: command line (--set, --scheduler), device override
 * (devices.d, later files first), the profile's rules top to bottom, then its parents'
 * rules. Every rule that matches contributes; for one value the first one that sets it
 * wins, and a rule of "keep" alone ends the list.
 */
#ifndef IOSCHED_POLICY_POLICY_H
#define IOSCHED_POLICY_POLICY_H

#include <stdbool.h>
#include <stddef.h>

#include "device/device.h"
#include "policy/profile.h"

enum policy_origin {
	ORIGIN_COMMAND_LINE,
	ORIGIN_OVERRIDE,
	ORIGIN_PROFILE,
	ORIGIN_INHERITED,
	ORIGIN_JOURNAL, /* restore: the state before */
};
const char *policy_origin_name(enum policy_origin origin); /* N_(): "command-line" … */

struct policy_value {
	const struct tunable *tunable;
	char value[TUNABLE_VALUE_MAX];
	enum policy_origin origin;
	char *source; /* "database.json:12", "--set", "devices.d/10-log.json:4" */
	char *why;    /* the reason given there, NULL when none */
};

/* A scheduler of the rule's list that was passed over, and why. */
struct policy_rejected {
	char *name;
	char *why; /* "not offered by this kernel", "zoned disk needs mq-deadline" … */
};

enum policy_state {
	POLICY_SET,   /* there are values to hold */
	POLICY_LEFT,  /* no rule for its class, one that keeps what there is, or nothing
			 that this queue has: `reason` */
	POLICY_BELOW, /* the scheduler lives in the devices of `dev->owners`: `reason` */
	POLICY_NONE,  /* no scheduler anywhere: `reason` */
};

struct policy_device {
	const struct device *device;
	enum policy_state state;
	char *reason; /* always set unless POLICY_SET */
	struct policy_value *values; /* scheduler first when it is set */
	size_t value_count;
	struct policy_rejected *rejected;
	size_t rejected_count;
	struct strv notes; /* "treated as ssd: named, and the profile has no rule for loop";
			      "noop is called none on this queue"; attribute absent … */
};

struct policy {
	char *profile_name;
	struct policy_device *items;
	size_t count;
};

void policy_free(struct policy *policy);
DEFINE_CLEANUP(struct policy *, policy_free)

/* What `from` has for a device takes the place of what `policy` has for it. `from` is
   left with the rest. */
void policy_take_devices(struct policy *policy, struct policy *from);
void policy_drop_device(struct policy *policy, size_t index);

struct policy_set {
	const char *key;   /* "read_expire", "mq-deadline.read_expire", "nr_requests", "scheduler" */
	const char *value; /* with unit suffix if the user likes */
	/* Only for these, and for them without asking whether a rule is for them. NULL: for
	   those that the request reaches. */
	const struct device *const *devices;
	size_t device_count;
	bool is_earlier; /* was set earlier: not an error where it is no longer taken */
};

/* Device overrides of /etc/iosched-tune/devices.d, in order of their file names. */
struct policy_overrides;
int policy_overrides_load(const struct root *root, struct policy_overrides **ret,
			  struct diag *diag);
/* The same, without the files that cannot be understood: for reports. A line for each of
   those is added to *ret_problems: file, line and cause. */
int policy_overrides_load_sound(const struct root *root, struct policy_overrides **ret,
				struct strv *ret_problems, struct diag *diag);
void policy_overrides_free(struct policy_overrides *overrides);
DEFINE_CLEANUP(struct policy_overrides *, policy_overrides_free)
/* As profile_get_needs(). */
unsigned policy_overrides_get_needs(const struct policy_overrides *overrides);
/* The class settings among them, for device_scan(); borrowed. */
const struct device_override *policy_overrides_classes(const struct policy_overrides *overrides,
						       size_t *ret_count);

/*
 * The rules below the command line, in order of precedence: one item a file. Resolving
 * goes through them; so does whoever renders them for devices that are not here yet. A
 * rule that leaves a device alone ends the list for it.
 */
struct policy_layer {
	enum policy_origin origin;
	const char *path; /* of the file; all borrowed from the request */
	const struct profile_rule *rules;
	size_t rule_count;
};

struct policy_request {
	const struct profile *profile; /* NULL: only --set and overrides */
	const struct policy_overrides *overrides; /* NULL: none */
	const struct policy_set *sets;
	size_t set_count;
	/* Devices named on the command line, elements of the list's own array: never left
	   alone. Without a rule for its class a device gets those for the nearest medium, a
	   rule that keeps holds its scheduler as it is. A named stacked device names
	   the queues below it as well. NULL and 0: all devices. */
	const struct device *const *named;
	size_t named_count;
};

/* *ret to free(). -ENOMEM. */
int policy_list_layers(const struct policy_request *request, struct policy_layer **ret,
		       size_t *ret_count);

/* -EINVAL (with diag) for a --set that no device can take; -ENOMEM. */
int policy_resolve(const struct device_list *devices, const struct policy_request *request,
		   struct policy **ret, struct diag *diag);

#endif
