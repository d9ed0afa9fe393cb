/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What generate and persist share: profile, overrides, devices where there are any, and
 * the resolved policy, as the backends want them.
 */
#ifndef IOSCHED_CMD_PERSIST_CASE_H
#define IOSCHED_CMD_PERSIST_CASE_H

#include "cmd/verb.h"
#include "persist/backend.h"
#include "plan/plan.h"

struct persist_case {
	struct profile *profile;
	struct policy_overrides *overrides;
	struct device_list *devices; /* empty in a tree without sysfs */
	struct policy_request request;
	struct policy *policy;
	struct plan *plan;
	char *profile_argument; /* for `apply --profile` */
	char *program;
	struct persist_input input; /* borrows from all of these */
};

void persist_case_done(struct persist_case *persist_case);
#define _persist_case_ _cleanup_(persist_case_done)

/*
 * `asked`: the profile of the command line, NULL: none; `otherwise`: what was installed, NULL
 * or empty: the default. An exit status; errors are printed.
 */
int persist_case_make(const struct cmd_context *context, const char *asked,
		      const char *otherwise, bool is_forced, struct persist_case *ret);

/* In force where nobody has chosen. */
#define PERSIST_PROFILE_DEFAULT "balanced"

#endif
