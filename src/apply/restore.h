/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Undo: the journal made into a plan, the plan carried out, and the journal cleared of
 * what came back. A restore takes the lock (apply_lock_take) before it scans and loads
 * the journal, and holds it to the end; a dry run needs none and ends with the plan.
 */
#ifndef IOSCHED_APPLY_RESTORE_H
#define IOSCHED_APPLY_RESTORE_H

#include <stddef.h>

#include "apply/apply.h"
#include "apply/journal.h"

/*
 * What has to be written to go back. `named`: only these devices; NULL and 0: all.
 * `ret_gone` gets a line for each thing that cannot be gone back to (see
 * journal_to_policy). -ENOMEM.
 */
int restore_plan(const struct journal *journal, const struct device_list *devices,
		 enum journal_target target, const struct device *const *named,
		 size_t named_count, struct plan **ret, struct strv *ret_gone);

/*
 * Carries that plan out and saves the journal without the devices that came back; also
 * when nothing had to be written. `is_everything`: no device was named. options->lock must be held; the journal given is
 * changed. Errors as apply_run(). When only the saving fails, the restore itself has
 * worked: *ret is set and the error returned is -EUCLEAN, with the cause in the diag.
 */
int restore_run(const struct root *root, const struct plan *plan,
		const struct device_list *devices, struct journal *journal,
		enum journal_target target, bool is_everything,
		const struct apply_options *options, struct apply_report **ret,
		struct diag *diag);

#endif
