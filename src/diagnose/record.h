/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a snapshot needs beyond the scan so that a diagnosis of it says what it would have
 * said of the host.
 */
#ifndef IOSCHED_DIAGNOSE_RECORD_H
#define IOSCHED_DIAGNOSE_RECORD_H

#include "device/capture.h"

/*
 * Adds the interrupts, the files of other managers, the times; and with `seconds` above 0
 * the counters of before these seconds (which it waits for) and what smartctl says. Of a
 * snapshot or a tree only what is in it. -ENOMEM; errors of the scan, with diag.
 */
int diagnose_record(const struct root *root, double seconds, struct capture_extras *ret,
		    struct diag *diag);

/* Sleeps; ends early on a signal that is handled: then false. */
bool diagnose_wait(double seconds);

#endif
