/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Scheduler modules and the initial RAM disk: which of the schedulers that a policy
 * chose are modules, and how to have them there early.
 */
#ifndef IOSCHED_PERSIST_INITRAMFS_H
#define IOSCHED_PERSIST_INITRAMFS_H

#include "device/host.h"
#include "policy/policy.h"
#include "sysfs/root.h"

/* The schedulers of the policy that this kernel has as modules, each once. -ENOMEM. */
int initramfs_list_schedulers(const struct root *root, const struct host *host,
			      const struct policy *policy, struct strv *ret);

/* What to put where so that the initial RAM disk holds a module. */
struct initramfs_advice {
	const char *tool; /* "dracut", "initramfs-tools"; NULL: none of them is here */
	const char *path; /* of the configuration file, from the root */
	char *line;
	const char *command;
	bool is_configured; /* the configuration names it already */
};
void initramfs_advice_done(struct initramfs_advice *advice);

/* `module`: "bfq", "kyber-iosched". -ENOMEM. */
int initramfs_advise(const struct root *root, const char *module,
		     struct initramfs_advice *ret);

#endif
