/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs of the running system that a backend needs: found by name in the usual
 * folders, run without a shell.
 */
#ifndef IOSCHED_PERSIST_RUN_H
#define IOSCHED_PERSIST_RUN_H

#include "sysfs/root.h"
#include "util/text.h"

/* "/usr/sbin/update-grub"; -ENOENT. */
int run_find(const struct root *root, const char *name, char **ret);

/*
 * Runs it to its end: no input, its output goes to our stderr. 0 when it exits with 0;
 * -EIO when it fails, with its exit status in *ret_status (or -1 for a signal); the error
 * of starting it.
 */
int run_command(const struct strv *argv, int *ret_status);

#endif
