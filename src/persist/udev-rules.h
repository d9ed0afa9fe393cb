/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The udev backend: the rules of a policy as native udev rules, for devices that are here
 * and for those that will come. No program is run for a device.
 *
 * The file first finds the class of the disk with the rows of the class table, then goes
 * through the rules of the policy in order of precedence and notes the first value for
 * each attribute in a property of its own (names that begin with '.' are not kept by
 * udev), and writes last, in the order that the kernel needs.
 */
#ifndef IOSCHED_PERSIST_UDEV_RULES_H
#define IOSCHED_PERSIST_UDEV_RULES_H

#include <stdbool.h>

#include "policy/policy.h"
#include "util/text.h"

#define UDEV_RULES_NAME "99-iosched-tune.rules"

struct udev_input {
	const struct policy_request
		*policy; /* profile and overrides; sets are not rendered */
	const char
		*instance_unit; /* "iosched-tune@": asked for by NVMe heads, whose hidden
				      paths no rule can reach; NULL: no such unit */
	bool is_without_hidden; /* it is known that there are no hidden devices here: that
				   they cannot be reached is no news */
};

/*
 * Appends the rules. `left`: a line for each rule of the policy that udev cannot express
 * or reach, and why. -ENOMEM; -E2BIG: more than a rules file should hold.
 */
int udev_render(const struct udev_input *input, struct text *out, struct strv *left);

/* --- the parts, for the tests --- */

/* What the rules that follow ask for, to leave out properties that nobody reads. */
struct udev_needs {
	bool serial, wwn;
};

/* ENV{.IOSCHED_TRANSPORT}, _MODEL, _VENDOR and _CLASS from the tables of src/device. */
void udev_add_classification(struct text *out, struct udev_needs needs);
void udev_add_class_overrides(struct text *out, const struct device_override *overrides,
			      size_t count);

/*
 * The conditions of a rule: `conditions` gets them joined with ", "; `before` the lines
 * that prepare them, with property names made from `tag`. *ret_unseen is why udev cannot
 * see one of them, NULL when it can.
 */
int udev_add_match(struct text *before, struct text *conditions,
		   const struct profile_match *match, const char *tag,
		   const char **ret_unseen);

/* Starts one more condition, "KEY==\"", to be closed with udev_close(). */
void udev_open(struct text *conditions, const char *key, const char *operator);
void udev_close(struct text *conditions);
/* KEY=="value" of our own. */
void udev_add_condition(struct text *conditions, const char *key, const char *operator,
			const char * value);

#endif
