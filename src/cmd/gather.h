/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The way from a command line to what the verbs report on: overrides, scan, named
 * devices, profile, resolved policy, plan.
 */
#ifndef IOSCHED_CMD_GATHER_H
#define IOSCHED_CMD_GATHER_H

#include <jansson.h>

#include "cmd/applied.h"
#include "cmd/verb.h"
#include "device/device.h"
#include "plan/plan.h"
#include "policy/policy.h"
#include "policy/profile.h"
#include "report/column.h"

/* What a policy and its plan need to know of every device, but for the rules of the
   profile (profile_get_needs) and the driver's tags, the ceiling of nr_requests. */
#define GATHER_POLICY_NEEDS                                                        \
	(SCAN_SCHEDULER | SCAN_QUEUE | SCAN_IOSCHED | SCAN_STACK | SCAN_CLASS |    \
	 SCAN_IDENTITY | SCAN_HWQUEUES)

enum gather_policy {
	GATHER_NO_POLICY,     /* scan only */
	GATHER_POLICY,        /* the profile asked for, or what was applied, or the default */
	GATHER_POLICY_ASKED,  /* only a profile that was asked for; --set alone will do */
};

struct gather_request {
	enum gather_policy policy;
	unsigned needs; /* enum scan_need, beyond those of the policy */
	const char *profile; /* --profile, NULL when not given */
	const struct strv *sets; /* --set, NULL when the verb has none */
	const char *scheduler;   /* --scheduler, NULL when not given */
	const char *const *names; /* DEVICE arguments */
	/* With a profile that is asked for, the policy is the one of these devices and also
	   where it would leave them alone, for reports as for apply: they have to agree.
	   Without one they choose among what was applied. */
	size_t name_count;
	/* Something will be written: a device override that cannot be understood ends it.
	   Reports warn, go on without it, and have it in `problems`. */
	bool needs_all_overrides;
};

enum gather_source {
	PROFILE_ASKED,
	PROFILE_APPLIED, /* last since boot, as the journal has it */
	PROFILE_DEFAULT, /* nothing was applied */
	PROFILE_GUESSED, /* the default, for the journal may not be read */
};

struct gathered {
	struct policy_overrides *overrides;
	struct strv problems; /* a line for each of their files that was left out */
	struct device_list *devices;
	const struct device **named; /* in the order given, without repetition */
	size_t named_count;
	struct applied applied; /* empty when a profile was asked for */
	struct profile *profile; /* NULL: only values that were set by hand */
	enum gather_source source;
	struct policy *policy; /* NULL without policy */
	struct plan *plan;     /* likewise */
};

void gathered_done(struct gathered *gathered);
#define _gathered_ _cleanup_(gathered_done)

/* EXIT_STATUS_DONE, or the exit status of an error that it has printed. `verb` for the
   advice on mistakes in the command line. */
int gather(const struct cmd_context *context, const struct verb *verb,
	   const struct gather_request *request, struct gathered *ret);

/* True when no device is named, or this one is. */
bool gathered_is_asked(const struct gathered *gathered, const struct device *device);

/* The member "problems" of JSON output. A new reference. */
json_t *gathered_problems_to_json(const struct gathered *gathered);

/* The device with its part of policy and plan. */
struct column_row gathered_row(const struct gathered *gathered, const struct device *device);

#endif
