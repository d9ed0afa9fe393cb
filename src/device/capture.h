/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host as text: all that a scan with SCAN_ALL reads of a root, with the scheduler
 * modules, the configuration and the release files, so that status, show and a plan from
 * the snapshot are what they are from the root itself.
 */
#ifndef IOSCHED_DEVICE_CAPTURE_H
#define IOSCHED_DEVICE_CAPTURE_H

#include <stdbool.h>

#include "sysfs/root.h"
#include "util/diag.h"
#include "util/text.h"

/* What stands in the place of a serial number. */
#define CAPTURE_REDACTED "REDACTED"

/* Further files, which higher layers want in it. */
struct capture_extras {
	struct capture_extra {
		char *path;
		char *value; /* NULL: a folder, or something of which only that counts */
	} *items;
	size_t count;
};

int capture_extras_add(struct capture_extras *extras, const char *path,
		       const char *value);
void capture_extras_done(struct capture_extras *extras);

/*
 * Appends the snapshot of `root` (form: sysfs/snapshot.h, sorted by path). Without
 * `with_serials` every serial number, WWN, UUID, card id and subsystem name is
 * CAPTURE_REDACTED wherever it occurs: attributes, udev's database, links, boot
 * arguments, mounts, configuration. The UUID of a dm device keeps its prefix, which
 * tells what the device is. An attribute that is there but cannot be read is recorded
 * by its error. `extras` may be NULL. -ENOENT with a diag where there is no sysfs; -ENOMEM.
 */
int device_capture(const struct root *root, bool with_serials,
		   const struct capture_extras *extras, struct text *out,
		   struct diag *diag);

#endif
