/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was asked for since boot, as the journal has it: the last profile for all devices,
 * and after it what was asked for single ones. status, show and verify without a profile
 * compare with this.
 */
#ifndef IOSCHED_CMD_APPLIED_H
#define IOSCHED_CMD_APPLIED_H

#include "apply/journal.h"
#include "policy/policy.h"
#include "policy/profile.h"

/* One apply that still counts. */
struct applied_step {
	const struct journal_step *step; /* borrows from the journal */
	struct profile *profile;         /* NULL: only values were asked for */
};

struct applied {
	struct journal *journal;
	struct applied_step *steps; /* oldest first */
	size_t count;
	struct profile *profile; /* for all devices; NULL: none was, or it is not here now */
	const char *missing;     /* a profile that is not here now; borrows, NULL: none */
	bool is_readable;        /* false: the journal may not be read */
	bool is_damaged;         /* the journal is there and cannot be understood */
};

/*
 * Reads the journal and the profiles in it. A journal that cannot be read or understood
 * is the same as none: the second is told, since restore will need it. -ENOMEM.
 */
int applied_read(const struct root *root, const char *search, struct applied *ret);
void applied_done(struct applied *applied);

/* Whether all that was applied is known; if not, a comparison proves nothing. */
bool applied_is_known(const struct applied *applied);

/* As profile_get_needs(), of all profiles in it. */
unsigned applied_get_needs(const struct applied *applied);

/*
 * The policy that all of it together asks for, over `base` (the profile for all devices).
 * Values that no device takes any more are left out. -ENOMEM.
 */
int applied_resolve(const struct applied *applied, const struct device_list *devices,
		    const struct policy_overrides *overrides, const struct profile *base,
		    struct policy **ret, struct diag *diag);

/* The profile that was applied to this device by its name; NULL: none was. */
const char *applied_profile_of(const struct applied *applied, const struct device *device);

/* How many devices got a profile or values of their own. */
size_t applied_count_single(const struct applied *applied);

#endif
