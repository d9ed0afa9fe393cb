/* SPDX-License-Identifier: GPL-2.0-or-later */
/* simulate --published. */
#ifndef IOSCHED_CMD_SIMULATE_PUBLISHED_H
#define IOSCHED_CMD_SIMULATE_PUBLISHED_H

#include "cmd/verb.h"
#include "util/diag.h"
#include "util/text.h"

/*
 * Runs the experiments of these names or files, all that are installed when there are
 * none, and prints them. -EINVAL: there is no such experiment, or its file is broken; -EINTR: Ctrl-C,
 * and those that were done until then are printed.
 */
int simulate_published(const struct cmd_context *context, const char *const *names,
		       size_t name_count, unsigned threads, struct diag *diag);
/* Of those that are installed, as they are typed. 0 or a negative errno. */
int simulate_published_names(struct strv *ret);

#endif
