/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parser, the lookup and the writer of snapshots share.
 */
#ifndef IOSCHED_SYSFS_SNAPSHOT_INTERNAL_H
#define IOSCHED_SYSFS_SNAPSHOT_INTERNAL_H

#include "sysfs/snapshot.h"

#define SNAPSHOT_HEADER "# iosched-tune snapshot 1"
/* The longest path, as in Linux. */
#define SNAPSHOT_PATH_MAX 4096

struct snapshot_item {
	struct snapshot_entry entry;
	unsigned line;
};

struct snapshot {
	struct snapshot_item *items; /* sorted by path, byte order */
	size_t count, room;
};

/* "EACCES" of `len` bytes to -EACCES; -EINVAL when the format has no such name. */
int snapshot_error_parse(const char *name, size_t len, int *ret);

/* The first entry whose path is not below `key` in byte order. */
size_t snapshot_lower_bound(const struct snapshot *snapshot, const char *key);
/* The first entry below the directory `path`, SIZE_MAX for none. `path` has room for one
   more byte, which is put back. */
size_t snapshot_find_below(const struct snapshot *snapshot, char *path);

#endif
