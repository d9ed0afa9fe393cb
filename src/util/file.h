/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that a person names on the command line: whole content, with a cap.
 */
#ifndef IOSCHED_UTIL_FILE_H
#define IOSCHED_UTIL_FILE_H

#include <stddef.h>

/*
 * Reads a regular file of at most `max` bytes into a buffer that is NUL-terminated
 * after its last byte; the content may hold NUL bytes itself. -ENOENT, -EACCES … as the
 * kernel gave them; -EISDIR; -EBADMSG for a device, pipe or socket; -EFBIG over the cap.
 */
int file_read(const char *path, size_t max, char **ret, size_t *ret_len);

#endif
