/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether elevator= on the kernel's command line does anything here, and which value a
 * policy gives it. Source: facts on elevator=: the kernel heeds it for legacy queues
 * only (up to 4.20); some distributions have a udev rule that reads it.
 */
#ifndef IOSCHED_PERSIST_ELEVATOR_H
#define IOSCHED_PERSIST_ELEVATOR_H

#include "persist/backend.h"

#define ELEVATOR_NAME "elevator"

struct elevator {
	bool has_effect;
	char *rule;    /* the udev rule that reads it; NULL: the kernel does, or nobody */
	char why[256]; /* has_effect false: why not */
	char *argument; /* "elevator=deadline"; NULL: the policy sets no scheduler */
	bool is_mixed; /* devices want different schedulers; this is the most frequent one */
};
void elevator_done(struct elevator *elevator);
#define _elevator_ _cleanup_(elevator_done)

/* -ENOMEM only. */
int elevator_judge(const struct persist_input *input, struct elevator *ret);

/* The udev rules file that imports elevator= from the command line; NULL: none. */
int elevator_find_rule(const struct root *root, char **ret);

/* The version that will be booted: the running one's, or the newest of the tree. */
struct kernel_version elevator_kernel(const struct persist_input *input);
/* The newest one whose modules are in the tree; zero: none. */
struct kernel_version elevator_installed_kernel(const struct root *root);

#endif
