/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The journal: the state of every device before it was first written, and before each
 * later step, in /var/lib/iosched-tune/journal.json (directory 0700, file 0600). It is
 * written and synced before the first write of an apply. sysfs starts afresh at each
 * boot, so steps of another boot (by boot id) are dropped when the next one is added.
 */
#ifndef IOSCHED_APPLY_JOURNAL_H
#define IOSCHED_APPLY_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "apply/apply.h"
#include "apply/state.h"
#include "device/device.h"
#include "plan/plan.h"
#include "policy/policy.h"
#include "sysfs/root.h"

/*
 * A journal that is read has at most so many steps. One that is written has fewer: the
 * oldest two are folded into one (which keeps each device's oldest state) until it fits
 * both this and JOURNAL_SIZE_MAX. Of what was asked for in the two, the later that was for
 * all devices is kept.
 */
#define JOURNAL_STEP_MAX   32
#define JOURNAL_DEVICE_MAX 65536
#define JOURNAL_SIZE_MAX   (12u * 1024 * 1024) /* bytes of JSON; below ROOT_READ_MAX */

struct journal_device {
	char *name;
	unsigned major, minor;
	char *serial,
		*wwn; /* NULL when it has none: to tell that another disk has come */
	struct queue_state state;
};

struct journal_step {
	uint64_t id;
	int64_t time_s; /* since the epoch */
	char *profile;	/* a name, or a file with its whole path; NULL: only values */
	struct strv sets;  /* "KEY=VALUE" given by hand, a scheduler list among them */
	struct strv named; /* the devices it was asked for; empty: all */
	char *boot_id;	/* NULL where the host has none */
	struct journal_device *devices;
	size_t device_count; /* 0: nothing had to be written, it only was asked for */
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
/* Atomic; an empty journal removes the file. -EFBIG: one step alone is too large. */
int journal_save(const struct root *root, struct journal *journal, struct diag *diag);

/*
 * Adds a step: `states` has the state of each device of the plan in the plan's order;
 * those without values are left out. Identity comes from the scan. Steps of another boot
 * are dropped. `asked` is kept with it; NULL: nothing but the plan's profile name.
 */
int journal_add_step(struct journal *journal, const struct plan *plan,
		     const struct queue_state *states, const struct device_list *devices,
		     const struct apply_asked *asked);
/*
 * A step without devices: what was asked for where all was right already. Earlier such
 * steps of which nothing is left then (a later profile for the same devices, the same
 * values again) are dropped, so that asking in turns does not make the journal grow.
 */
int journal_add_asked(struct journal *journal, const struct device_list *devices,
		      const struct apply_asked *asked);
/* Whether the newest step of this boot asked for just that. */
bool journal_is_asked_last(const struct journal *journal,
			   const struct device_list *devices,
			   const struct apply_asked *asked);
/* After a step was added: drops those without devices that no longer count. */
void journal_drop_superseded(struct journal *journal);
/* A profile, and no device was named. */
bool journal_step_is_for_all(const struct journal_step *step);
/* Whether there is a state to go back to. */
bool journal_has_devices(const struct journal *journal);

/* The index of the oldest step of this boot; step_count when there is none. `boot_id`
   NULL: not known, and then only steps without one are of this boot. */
size_t journal_find_boot(const struct journal *journal, const char *boot_id);

enum journal_target {
	JOURNAL_FIRST, /* each device as it was before the first apply */
	JOURNAL_LAST,  /* the devices of the newest step that has any, as before it */
};
/*
 * The state to go back to, as a policy (ORIGIN_JOURNAL) over the devices that are here,
 * or those of them that are named (NULL and 0: all). What cannot be gone back to is a
 * line of `ret_gone` for the person: a device that is gone, one whose name another disk
 * has now, steps of another boot.
 */
int journal_to_policy(const struct journal *journal, const struct device_list *devices,
		      enum journal_target target, const struct device *const *named,
		      size_t named_count, struct policy **ret, struct strv *ret_gone);
/*
 * After a restore: drops the devices that the report has as done or unchanged, from
 * every step (JOURNAL_FIRST) or the newest (JOURNAL_LAST); with them the devices that
 * journal_to_policy() finds gone, and the steps of another boot. Those that failed stay.
 * Of the steps without devices, those go that the restore undoes: of everything (no device
 * was named) all of them, or with JOURNAL_LAST those after that step; of named devices,
 * those for no other than these.
 */
void journal_drop(struct journal *journal, enum journal_target target, bool is_everything,
		  const struct apply_report *report, const struct device_list *devices);
/* After an apply: the newest step forgets the devices that were left or put back as they
   were. True when that changed it. */
bool journal_prune(struct journal *journal, const struct apply_report *report);

#endif
