/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that a person names on the command line: whole content, with a cap.
 */
#ifndef IOSCHED_UTIL_FILE_H
#define IOSCHED_UTIL_FILE_H

#include <stddef.h>
#include <sys/types.h>

#include "util/diag.h"

/*
 * Reads a regular file of at most `max` bytes into a buffer that is NUL-terminated
 * after its last byte; the content may hold NUL bytes itself. -ENOENT, -EACCES … as the
 * kernel gave them; -EISDIR; -EBADMSG for a device, pipe or socket; -EFBIG over the cap.
 */
int file_read(const char *path, size_t max, char **ret, size_t *ret_len);

/*
 * Writes a file as a whole: a temporary beside it takes its place, so that after a failure
 * there is what was there before. Through links; a file that is there keeps its mode, a new
 * one gets `mode` but for what the umask takes of it. What is no regular file (a terminal, a pipe) is written as it is. -EISDIR;
 * -EEXIST for a block device: there is more on it than a file.
 */
int file_write(const char *path, const char *data, size_t len, mode_t mode);

/*
 * To say so before the work: 0; -EEXIST for a block device, -EISDIR; -ENOENT without the
 * folder; -EACCES, -EROFS. That the disk is full shows only later.
 */
int file_check_output(const char *path, struct diag *diag);

/* Says that it cannot be written, why, and what to do about that; returns `error`. */
int file_fail_output(const char *path, int error, struct diag *diag);

#endif
