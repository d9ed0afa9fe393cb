/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal: the state of every device before it was first written, and before each
 * later step, in /var/lib/iosched-tune/journal.json (directory 0700, file 0600). It is
 * written and synced before the first write of an apply. sysfs starts afresh at each boot, so
 * steps of another boot (by boot id) are dropped when the next one is added.
 */
#ifndef IOSCHED_APPLY_JOURNAL_H
#define IOSCHED_APPLY_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/device.h"
#include "plan/plan.h"
#include "sysfs/root.h"

/* The writable state of a device: scheduler, iosched values, queue values. */
struct journal_device {
	char *name;
	unsigned major, minor;
	char *serial, *wwn; /* NULL when it has none: to tell that another disk has come */
	struct {
		const struct tunable *tunable;
		char text[TUNABLE_VALUE_MAX];
	} *values;
	size_t value_count;
};

struct journal_step {
	uint64_t id;
	int64_t time_s; /* since the epoch */
	char *profile;  /* NULL */
	char *boot_id;  /* NULL where the host has none */
	struct journal_device *devices;
	size_t device_count;
};

struct journal {
	struct journal_step *steps; /* oldest first */
	size_t step_count;
};

void journal_free(struct journal *journal);
DEFINE_CLEANUP(struct journal *, journal_free)

/* No file: an empty journal. -EBADMSG with diag for one that cannot be understood: it is
   left as it is. */
int journal_load(const struct root *root, struct journal **ret, struct diag *diag);
/* Atomic; an empty journal removes the file. */
int journal_save(const struct root *root, const struct journal *journal, struct diag *diag);
/* Adds the present state of every device that the plan will write. */
int journal_add_step(struct journal *journal, const struct plan *plan,
		     const struct device_list *devices);
/* The profile of the newest step of this boot, NULL when there is none. */
const char *journal_profile(const struct journal *journal, const char *boot_id);

enum journal_target { JOURNAL_FIRST, JOURNAL_LAST };
/*
 * The state to go back to, as a policy (ORIGIN_JOURNAL) over the devices that are here.
 * Devices that are gone, or whose name another disk has now, come out as POLICY_LEFT
 * with the reason in a list of their own.
 */
int journal_to_policy(const struct journal *journal, const struct device_list *devices,
		      enum journal_target target, struct policy **ret, struct strv *ret_gone);
/* After a restore that worked: drops what was restored. */
void journal_drop(struct journal *journal, enum journal_target target);

#endif
