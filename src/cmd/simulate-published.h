/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate --published. */
#ifndef IOSCHED_CMD_SIMULATE_PUBLISHED_H
#define IOSCHED_CMD_SIMULATE_PUBLISHED_H

#include "cmd/verb.h"
#include "util/diag.h"

/*
 * Runs the experiments of these names or files, all that are installed when there are
 * none, and prints them. -EINVAL: there is no such experiment; -EINTR: Ctrl-C.
 */
int simulate_published(const struct cmd_context *context, const char *const *names,
		       size_t name_count, unsigned threads, struct diag *diag);

#endif
