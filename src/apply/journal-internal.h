/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the journal share. Not for others.
 */
#ifndef IOSCHED_APPLY_JOURNAL_INTERNAL_H
#define IOSCHED_APPLY_JOURNAL_INTERNAL_H

#include "apply/journal.h"

void journal_device_done(struct journal_device *device);
void journal_step_done(struct journal_step *step);
void journal_remove_step(struct journal *journal, size_t index);

/* An empty step at the end; its fields are the caller's to fill. */
int journal_append(struct journal *journal, struct journal_step **ret);

/* A new step of this boot, numbered, dated; those of other boots are dropped. */
int journal_begin_step(struct journal *journal, const struct device_list *devices,
		       struct journal_step **ret);
/* Puts into the step what was asked for. */
int journal_keep_asked(struct journal_step *step, const char *profile,
		       const struct apply_asked *asked);

/* Makes one of the oldest two steps (there must be two): of a device that both have, the
   older state stays. */
int journal_fold(struct journal *journal);

/* A copy that is valid UTF-8 without control characters, as JSON and terminals take it;
   NULL stays NULL. The same string always gives the same copy. */
int journal_copy_text(const char *string, char **ret);
/* Whether `kept`, made by it, stands for `live`; false when either is NULL. */
bool journal_is_same_text(const char *kept, const char *live);

/* By serial number and WWN where both sides have one, else by device number. */
bool journal_is_same_disk(const struct journal_device *kept, const struct device *live);
/* The disk that is meant, or NULL; *ret_other: another one that has its name now. */
const struct device *journal_find_live(const struct device_list *devices,
				       const struct journal_device *kept,
				       const struct device **ret_other);

/* Of the host that was scanned; NULL where it has none. */
const char *journal_get_boot_id(const struct device_list *devices);
/* The steps of this boot that a target looks at: [*ret_from, *ret_to). */
void journal_find_range(const struct journal *journal, const char *boot_id,
			enum journal_target target, size_t *ret_from, size_t *ret_to);

#endif
