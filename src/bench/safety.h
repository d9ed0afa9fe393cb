/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What may be written. A device may, when it holds nothing and nobody uses it, and the
 * person has named it; else a file does that is made for it on a mounted filesystem.
 */
#ifndef IOSCHED_BENCH_SAFETY_H
#define IOSCHED_BENCH_SAFETY_H

#include <stdint.h>

#include "device/device.h"
#include "sysfs/root.h"
#include "util/diag.h"

/* What a scan has to read for it. */
#define BENCH_SAFETY_NEEDS (SCAN_BASICS | SCAN_STACK | SCAN_MOUNTS | SCAN_IDENTITY)

/*
 * Claims the device for writing: the descriptor, open for itself alone until it is closed.
 * With a diag: -EBUSY somebody uses it, -EROFS, -EEXIST it holds something, -EINVAL `named`,
 * which the person said may be destroyed, is not its name (NULL: nothing was said).
 */
int bench_claim_device(const struct root *root, const struct device *device,
		       const char *named, struct diag *diag);

/* --- a file --------------------------------------------------------------------------------- */

struct bench_file {
	int fd;             /* of a file without a name any more */
	uint64_t size_bytes;
	char open_path[64]; /* by which another process of ours opens it */
};

/* Smaller ones stand for nothing. */
#define BENCH_FILE_MIN (UINT64_C(8) * 1024 * 1024)
/* Half of what is free, and no more than this. */
#define BENCH_FILE_MAX (UINT64_C(1024) * 1024 * 1024)

/*
 * Makes `path`, which must not be there, on a filesystem of the device, and takes its name
 * away at once: whatever happens, nothing is left. Filled with data, so that reads of it go
 * to the device. `on_progress` is asked between pieces, with what is done (0 to 1); true ends
 * it with -EINTR. Others: -EEXIST, -EXDEV the filesystem is not the device's, -ENOSPC, with a
 * diag.
 */
int bench_file_make(const struct root *root, const struct device *device, const char *path,
		    bool (*on_progress)(void *context, double fraction), void *context,
		    struct bench_file *ret, struct diag *diag);
void bench_file_done(struct bench_file *file);
#define _bench_file_ _cleanup_(bench_file_done)

#endif
