/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The audit trail: one structured record for each attribute that was written. Goes to
 * journald (IOSCHED_DEVICE=, IOSCHED_ATTRIBUTE=, IOSCHED_OLD=, IOSCHED_NEW=,
 * IOSCHED_PROFILE=, IOSCHED_ORIGIN=, MESSAGE_ID=) where it runs and the root is this
 * host; otherwise one line in /var/log/iosched-tune.log below the root. Never fails.
 * apply_run() calls it.
 */
#ifndef IOSCHED_APPLY_AUDIT_H
#define IOSCHED_APPLY_AUDIT_H

#include "apply/apply.h"

void audit_report(const struct root *root, const struct plan *plan,
		  const struct apply_report *report);

#endif
