/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text form of a host, "# iosched-tune snapshot 1" and then one entry a line:
 *
 *	/sys/block/sda -> ../devices/pci0000:00/…/block/sda
 *	/sys/devices/…/block/sda/queue/rotational = 1
 *	/run/udev/data/b8:0 = E:ID_BUS=ata\nE:ID_MODEL=…
 *	/sys/devices/…/block/sda/queue/io_timeout ! EACCES
 *
 * Paths, targets and values are escaped as in text_add_escaped(), a space in a path as
 * \x20; " !" records an attribute that is there but could not be read, by its errno name.
 * " = " of a file that may be written by its owner is spelled " := ". Directories exist
 * by what is in them; an empty one is a line that ends in "/". Lines that start with '#'
 * and empty lines are comments. Lines may end in CR LF when the first one does. Duplicates, relative paths, "..", NUL and entries below a
 * file or a link are errors with their line number. Links may loop: resolving gives -ELOOP.
 */
#ifndef IOSCHED_SYSFS_SNAPSHOT_H
#define IOSCHED_SYSFS_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>

#include "util/cleanup.h"
#include "util/diag.h"
#include "util/text.h"

#define SNAPSHOT_SIZE_MAX  (64u * 1024 * 1024)
#define SNAPSHOT_ENTRY_MAX 1000000u

enum snapshot_kind {
	SNAPSHOT_FILE,
	SNAPSHOT_LINK,
	SNAPSHOT_DIR,
	SNAPSHOT_ERROR
};

struct snapshot_entry {
	char *path; /* without the leading slash */
	enum snapshot_kind kind;
	char *value; /* file content or link target; NULL for a directory or an error */
	size_t len;
	int error; /* negative errno for SNAPSHOT_ERROR */
	bool is_writable;
};

struct snapshot;

/* Parses `len` bytes; does not keep them. */
int snapshot_parse(const char *data, size_t len, const char *name, struct snapshot **ret,
		   struct diag *diag);
void snapshot_free(struct snapshot *snapshot);
DEFINE_CLEANUP(struct snapshot *, snapshot_free)

/* Follows links in every component (and the last one if follow_last). *ret is never NULL:
   a directory that exists by what is in it gives an entry of that kind without a path.
   *ret_path is the resolved path. -ENOENT, -ELOOP, -ENOTDIR, -ENAMETOOLONG. */
int snapshot_lookup(const struct snapshot *snapshot, const char *path, bool follow_last,
		    const struct snapshot_entry **ret, char **ret_path);
/* Names directly below a resolved path, natural order; appends. */
int snapshot_list(const struct snapshot *snapshot, const char *path, struct strv *ret);

/* Append one line in the form above; `path` without its leading slash. */
void snapshot_add_header(struct text *out);
void snapshot_add_value(struct text *out, const char *path, const char *data, size_t len,
			bool is_writable);
void snapshot_add_link(struct text *out, const char *path, const char *target);
/* An errno without a name in the format is written as EIO. */
void snapshot_add_error(struct text *out, const char *path, int error);
void snapshot_add_dir(struct text *out, const char *path);

#endif
