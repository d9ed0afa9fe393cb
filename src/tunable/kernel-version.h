/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kernel versions as numbers. Only major and minor decide behaviour here; distribution
 * kernels that carry features from later versions are recognised by their attributes.
 */
#ifndef IOSCHED_TUNABLE_KERNEL_VERSION_H
#define IOSCHED_TUNABLE_KERNEL_VERSION_H

#include <stdbool.h>

struct kernel_version {
	unsigned major;
	unsigned minor;
	unsigned patch;
};

#define KERNEL_VERSION_NONE ((struct kernel_version){ 0, 0, 0 })

/* "6.1", "6.12.3", "5.10.0-28-amd64", "2.6.18-8.el5"; -EINVAL for anything else. */
int kernel_version_parse(const char *string, struct kernel_version *ret);

/* Compares major, minor, patch: below, equal, above zero. */
int kernel_version_compare(struct kernel_version a, struct kernel_version b);

/* since <= version < until; a bound that is all zero is open. */
bool kernel_version_is_within(struct kernel_version version, struct kernel_version since,
			      struct kernel_version until);

#endif
