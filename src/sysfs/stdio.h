/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The three standard descriptors.
 */
#ifndef IOSCHED_SYSFS_STDIO_H
#define IOSCHED_SYSFS_STDIO_H

/*
 * Occupies each of descriptors 0 to 2 that the caller left closed, so that no file opened
 * later gets its number and with it what is printed. Reads from it give end of file,
 * writes to it fail with EBADF. Call before anything is opened.
 */
void stdio_ensure(void);

#endif
