/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of the root handle share. Not for other folders.
 */
#ifndef IOSCHED_SYSFS_ROOT_INTERNAL_H
#define IOSCHED_SYSFS_ROOT_INTERNAL_H

#include "sysfs/root.h"
#include "sysfs/snapshot.h"

struct root {
	enum root_kind kind;
	char *name;
	int fd; /* O_PATH of the directory, -1 for a snapshot */
	struct snapshot *snapshot;
	_Atomic int *shortage; /* root_get_shortage(); set through a const handle */
};

/* Passes a negative errno on, and remembers one that says nothing about the file. */
int root_note(const struct root *root, int error);
/* Says what that error means; returns it. */
int root_set_shortage(int error, struct diag *diag);

/* Relative, no empty, "." or ".." component: -EINVAL otherwise. */
int root_check_path(const char *path);

/*
 * openat() below the root of a host or a directory. Links do not leave a directory root.
 * O_CLOEXEC is added. A descriptor or a negative errno.
 */
int root_openat(const struct root *root, const char *path, int flags, mode_t mode);

/* The directory that holds `path`, opened; *ret_base points to the last component. */
int root_open_parent(const struct root *root, const char *path, const char **ret_base,
		     int *ret_fd);

/* The names in an open directory, sorted. Takes the descriptor over. */
int root_list_fd(int fd, struct strv *ret);

/* Reads an open attribute: retries EINTR, refuses NUL bytes, trims trailing newlines. */
ssize_t root_read_fd(int fd, char *buf, size_t size);

/*
 * The rest of an open file, whatever its size is said to be; /proc files come in many short
 * reads. -EFBIG: more than ROOT_READ_MAX; -ENOMEM; errors of read(2).
 */
int root_read_rest(int fd, struct text *ret);

#endif
