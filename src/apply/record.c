// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An apply that finds everything right already: nothing is written, but what was asked for
 * is what counts from then on.
 */
#include "apply/record.h"

#include "apply/journal.h"
#include "sysfs/paths.h"

int apply_record_asked(const struct root *root, const struct device_list *devices,
		       const struct apply_asked *asked, const struct apply_wait *wait,
		       struct diag *diag)
{
	_cleanup_(cleanup_journal_free) struct journal *journal = NULL;
	_apply_lock_ struct apply_lock lock = APPLY_LOCK_NONE;
	int error = journal_load(root, &journal, diag);

	/* Most often it is the same as last time: then not even the lock is touched. */
	if (error || journal_is_asked_last(journal, devices, asked))
		return error;
	error = apply_lock_wait(root, wait, &lock, diag);
	if (error)
		return error;
	journal_free(TAKE_PTR(journal));
	error = journal_load(root, &journal, diag);
	if (error || journal_is_asked_last(journal, devices, asked))
		return error;
	error = journal_add_asked(journal, devices, asked);
	return error ? error : journal_save(root, journal, diag);
}
