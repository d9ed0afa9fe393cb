/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where this program lies, so that it can run from the tree that it was built in.
 */
#ifndef IOSCHED_UTIL_PROGRAM_H
#define IOSCHED_UTIL_PROGRAM_H

/*
 * `relative` seen from the program's own folder, links resolved: "../profiles".
 * -ENOENT when nothing is there or the program cannot tell where it is; -ENOMEM. The
 * caller owns *ret.
 */
int program_find(const char *relative, char **ret);

#endif
