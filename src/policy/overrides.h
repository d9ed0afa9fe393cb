/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The inside of struct policy_overrides, for this folder only. The format is described
 * in policy/profile-reader.h.
 */
#ifndef IOSCHED_POLICY_OVERRIDES_H
#define IOSCHED_POLICY_OVERRIDES_H

#include "policy/policy.h"

struct override_file {
	char *path; /* "devices.d/10-log.json" */
	struct profile_rule *rules;
	size_t rule_count;
};

struct policy_overrides {
	struct override_file *files; /* in the order of their names: the last one wins */
	size_t count;
	struct device_override *classes;
	size_t class_count;
};

#endif
