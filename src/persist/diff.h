/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The difference between two texts in the unified format, as `diff -u` prints it and
 * `patch` takes it.
 */
#ifndef IOSCHED_PERSIST_DIFF_H
#define IOSCHED_PERSIST_DIFF_H

#include <stddef.h>

#include "util/text.h"

/* NULL for a file that is not there. Nothing is added when both are equal. `path` without
   its leading slash; "a" and "b" are put before it. */
void diff_add(struct text *out, const char *path, const char *before, size_t before_len,
	      const char *after, size_t after_len);

#endif
