/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The root handle: the only way to /sys, /proc, /dev, /run, /etc and /var. It stands for
 * this host, for another directory tree (--root DIR) or for a text snapshot of a host
 * (--root FILE). Paths are relative to it, without a leading slash ("sys/block/sda").
 * Symbolic links never lead out of a directory root: they resolve inside it.
 *
 * Errors everywhere: -ENOENT, -EACCES, -EROFS, -ENODEV ... as the kernel gave them;
 * -EINVAL for a path with "..", -EFBIG for content over the cap, -EBADMSG for what is
 * not a regular file or directory.
 */
#ifndef IOSCHED_SYSFS_ROOT_H
#define IOSCHED_SYSFS_ROOT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "util/cleanup.h"
#include "util/diag.h"
#include "util/text.h"

enum root_kind {
	ROOT_HOST,
	ROOT_DIR,
	ROOT_SNAPSHOT, /* read-only: every write gives -EROFS */
};

struct root;

/*
 * `where` NULL or "/": this host. A directory, or a snapshot file of at most 64 MiB.
 * -EMFILE when fewer than ROOT_SPARE_FILES can be opened further: libraries that find no
 * descriptor left say only that there is nothing.
 */
#define ROOT_SPARE_FILES 8
int root_open(const char *where, struct root **ret, struct diag *diag);
void root_free(struct root *root);
DEFINE_CLEANUP(struct root *, root_free)

enum root_kind root_get_kind(const struct root *root);
/* As given to root_open(); "/" for the host. */
const char *root_get_name(const struct root *root);

/*
 * The first -EMFILE, -ENFILE or -ENOMEM that opening below this root gave, 0 for none. An
 * attribute that cannot be read is data for most callers, and goes unsaid; then what was
 * read since is not to be believed, and this is the way to know.
 */
int root_get_shortage(const struct root *root);
/* The same as an error with its cause and advice in the diag; 0 for none. */
int root_check_shortage(const struct root *root, struct diag *diag);

/* The largest attribute or file that is read; a longer one gives -EFBIG. */
#define ROOT_READ_MAX (16u * 1024 * 1024)

/* Whole content as text, trailing newlines removed; NUL bytes give -EBADMSG. */
int root_read(const struct root *root, const char *path, char **ret);
/* The link's own text. */
int root_read_link(const struct root *root, const char *path, char **ret);
/* Where the path ends after all links, relative to the root: "sys/devices/…/sda". */
int root_resolve(const struct root *root, const char *path, char **ret);
/* Names in a directory, natural order, without "." and "..". */
int root_list(const struct root *root, const char *path, struct strv *ret);
/*
 * The same for a folder of configuration files: paths of those whose names end so. A folder
 * that is not there, or cannot be read, has none. -ENOMEM.
 */
int root_list_files(const struct root *root, const char *folder, const char *suffix,
		    struct strv *ret);
bool root_exists(const struct root *root, const char *path);
/* The node's device number; -ENOTBLK when it is no block device node. Not for snapshots,
   which give -ENOTBLK always: their nodes are found by name and by link. */
int root_get_devnum(const struct root *root, const char *path, unsigned *ret_major,
		    unsigned *ret_minor);

/* Opens a block device of this host for reading, close-on-exec: the descriptor, or an
   error. -EOPNOTSUPP for other kinds of root, whose nodes are not this host's devices;
   -ENODEV when the node is not that device. */
int root_open_device(const struct root *root, const char *path, unsigned major,
		     unsigned minor);
/* The same for writing, with the claim that nobody else has: -EBUSY when it is mounted, in
   use as swap or by another driver, or claimed by another program. While it is open nobody
   can begin to use it so. */
int root_claim_device(const struct root *root, const char *path, unsigned major,
		      unsigned minor);

/* A directory kept open: many attributes of one device without walking the path again. */
struct root_dir {
	const struct root *root;
	int fd;        /* host only, -1 otherwise */
	char *path;    /* tree and snapshot: from the root */
};

int root_dir_open(const struct root *root, const char *path, struct root_dir *ret);
int root_dir_open_at(const struct root_dir *dir, const char *name, struct root_dir *ret);
void root_dir_done(struct root_dir *dir);
#define _root_dir_ _cleanup_(root_dir_done)
#define ROOT_DIR_NONE ((struct root_dir){ .root = NULL, .fd = -1, .path = NULL })

/* Reads a short attribute into buf, trailing newlines removed: its length, or an error.
   -EFBIG when it does not fit. `name` may hold slashes ("device/model"). */
ssize_t root_dir_read(const struct root_dir *dir, const char *name, char *buf, size_t size);
int root_dir_read_link(const struct root_dir *dir, const char *name, char **ret);
int root_dir_list(const struct root_dir *dir, const char *name, struct strv *ret);
bool root_dir_exists(const struct root_dir *dir, const char *name);
/* True when the owner may write it by its mode (sysfs modes tell what is settable). */
bool root_dir_is_writable(const struct root_dir *dir, const char *name);
/* As root_write(), below the directory that was opened, whoever has its name now. */
int root_dir_write(const struct root_dir *dir, const char *name, const char *value);
/* Whether a write would be let in: opens for writing and closes. -EROFS, -EACCES … */
int root_dir_check_write(const struct root_dir *dir, const char *name);

/* One write(2) of an existing attribute; never creates. A short write gives -EIO. */
int root_write(const struct root *root, const char *path, const char *value);

/* --- files of our own and configuration (not sysfs) --- */

/* Creates the directory and its parents; the last one gets `mode`. Existing: fine. */
int root_make_dir(const struct root *root, const char *path, mode_t mode);
/* Temporary file in the same directory + fsync + rename + fsync of the directory. Either
   the old or the new content is there at every instant. Refuses (-ELOOP) to replace a
   symbolic link; a file that is replaced keeps its owner. */
int root_replace(const struct root *root, const char *path, const char *data, size_t len,
		 mode_t mode);
int root_remove(const struct root *root, const char *path);
int root_remove_dir(const struct root *root, const char *path); /* -ENOTEMPTY */

/* A file as it is, every byte of it. */
struct root_file {
	char *data; /* NUL-terminated after its last byte */
	size_t len;
	mode_t mode; /* permission bits */
};
void root_file_done(struct root_file *file);
#define _root_file_ _cleanup_(root_file_done)
/* Does not follow a link in the last component: -ELOOP. -EFBIG over ROOT_READ_MAX. */
int root_read_file(const struct root *root, const char *path, struct root_file *ret);

/* A symbolic link with that text. One that is there already is fine; -EEXIST for anything
   else of that name. */
int root_make_link(const struct root *root, const char *path, const char *target);

/* Appends one line with one write(2); creates with `mode`. */
int root_append(const struct root *root, const char *path, const char *line, mode_t mode);
/* Opens (creating, 0600) and takes an exclusive flock. -EWOULDBLOCK when another holds
   it, and then *ret_holder is that process, 0 when not known. The file holds our pid. */
int root_lock(const struct root *root, const char *path, int *ret_fd, pid_t *ret_holder);

#endif
