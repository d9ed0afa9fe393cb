/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the kernel arguments are in a boot loader's file: one row a format, one function
 * each. For boot-file.c only.
 */
#ifndef IOSCHED_PERSIST_BOOT_SLOT_H
#define IOSCHED_PERSIST_BOOT_SLOT_H

#include "persist/boot-file.h"
#include "persist/kernel-args.h"

/* A stretch of kernel arguments. */
struct boot_slot {
	struct arg_text text;
	size_t group; /* slots of one group make one command line; they are neighbours */
	bool is_target; /* where a new argument goes; the last target of a group counts */
	unsigned line;
};

struct boot_slots {
	struct boot_slot *items;
	size_t count;
};

void boot_slots_done(struct boot_slots *slots);
#define _boot_slots_ _cleanup_(boot_slots_done)

/* -EINVAL with diag when the file is not understood. */
int boot_slots_find(const struct boot_file *file, struct boot_slots *ret,
		    struct diag *diag);

#endif
