/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How this system's kernel gets its arguments: which boot loader, which files, and the
 * command that makes the loader's own configuration from them.
 */
#ifndef IOSCHED_PERSIST_BOOTLOADER_H
#define IOSCHED_PERSIST_BOOTLOADER_H

#include <stdbool.h>

#include "sysfs/root.h"
#include "util/text.h"

enum bootloader_kind {
	BOOTLOADER_NONE,  /* nothing of GRUB's: firmware or hypervisor boots the kernel */
	BOOTLOADER_OTHER, /* booted without GRUB although its files are here */
	BOOTLOADER_GRUB,  /* GRUB 2 */
	BOOTLOADER_LEGACY, /* GRUB legacy: menu.lst */
};

struct bootloader {
	enum bootloader_kind kind;
	char *id, *id_like;  /* of os-release; NULL */
	char *menu_lst;      /* LEGACY: path of the file */
	bool has_defaults;   /* etc/default/grub */
	bool reads_drop_ins; /* etc/default/grub.d/ *.cfg */
	struct strv
		entries; /* Boot Loader Specification: paths, when the loader reads them */
	bool has_kernel_cmdline; /* etc/kernel/cmdline */
	char *grubby;            /* "/usr/sbin/grubby"; NULL */
	struct strv regenerate;  /* argv; empty: nothing to run */
};

/* -ENOMEM only: what cannot be read is not there. */
int bootloader_detect(const struct root *root, struct bootloader *ret);
void bootloader_done(struct bootloader *bootloader);
#define _bootloader_ _cleanup_(bootloader_done)

/* "kylin" with ID_LIKE "debian" is of both; -1 for a NULL list. */
bool bootloader_is_like(const struct bootloader *bootloader, const char *id);

#endif
