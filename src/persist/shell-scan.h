/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the assignments of some variables in a shell configuration file such as
 * /etc/default/grub, without running it: quotes of every kind, comments, continuations,
 * expansions and compound commands are understood as far as is needed to know where
 * each word begins and ends.
 */
#ifndef IOSCHED_PERSIST_SHELL_SCAN_H
#define IOSCHED_PERSIST_SHELL_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "persist/kernel-args.h"
#include "util/diag.h"

struct shell_assignment {
	const char *name; /* one of the names asked for */
	size_t at;        /* of the name */
	struct arg_text value;
	bool is_append;        /* NAME+=… */
	bool is_conditional;   /* inside of if, a loop, a function, or after && and || */
	bool refers_to_itself; /* "$NAME …" */
	unsigned line;
};

struct shell_assignments {
	struct shell_assignment *items;
	size_t count;
};

void shell_assignments_done(struct shell_assignments *assignments);
#define _shell_assignments_ _cleanup_(shell_assignments_done)

/*
 * `names` ends with NULL; `path` is for the diag. -EINVAL with the line: a quote or a
 * compound command that is not closed, a here document, NUL bytes, one of the names unset
 * or an array; -ENOMEM.
 */
int shell_scan(const char *path, const char *data, size_t len, const char *const *names,
	       struct shell_assignments *ret, struct diag *diag);

#endif
