/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's "a [b] c" attributes: a list of words with the active one in brackets.
 * queue/scheduler is one; the order of the words differs between kernel versions, so
 * only the brackets count. A bio-based queue shows a bare "none" (facts: up to 6.4).
 */
#ifndef IOSCHED_SYSFS_CHOICE_H
#define IOSCHED_SYSFS_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#define CHOICE_MAX      16 /* words; the kernel offers at most five schedulers */
#define CHOICE_NAME_MAX 32

struct choice {
	char names[CHOICE_MAX][CHOICE_NAME_MAX];
	size_t count;
	int active; /* index, -1 when nothing is in brackets */
};

/* -EINVAL: empty, two active words, broken brackets, or a name with other than
   [A-Za-z0-9_.+-]; -E2BIG: more or longer words than fit. */
int choice_parse(const char *text, struct choice *ret);
/* NULL when nothing is active. */
const char *choice_active(const struct choice *choice);
bool choice_has(const struct choice *choice, const char *name);

#endif
