/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps in the journal what was asked for when nothing had to be written, so that a later
 * verify knows it.
 */
#ifndef IOSCHED_APPLY_RECORD_H
#define IOSCHED_APPLY_RECORD_H

#include "apply/apply.h"

/*
 * Adds a step without devices, unless the newest one asked for the same. Takes the lock
 * when there is something to add. Errors as of apply_lock_wait() and of the journal, with
 * the cause in the diag; the devices are as they should be in any case.
 */
int apply_record_asked(const struct root *root, const struct device_list *devices,
		       const struct apply_asked *asked, const struct apply_wait *wait,
		       struct diag *diag);

#endif
