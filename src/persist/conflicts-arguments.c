// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Boot arguments about schedulers: those of the running kernel, and those that the boot
 * loader will pass next time, with their line.
 */
#include <errno.h>
#include <string.h>

#include "persist/boot-file.h"
#include "persist/bootloader.h"
#include "persist/conflicts.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

/* elevator= chooses; the other two decided which kind of queue a disk had, up to 4.20. */
static const char *const arguments[] = { "elevator", "scsi_mod.use_blk_mq",
					 "dm_mod.use_blk_mq" };

static const char advice[] = N_("without effect since Linux 5.0, unless a rule of the "
				"distribution reads it: remove "
				"the argument");

static int add_found(const struct boot_file *file, const char *name, const char *own,
		     const char *owner, struct conflicts *ret)
{
	_boot_arguments_ struct boot_arguments found = { 0 };
	int error = boot_file_find(file, name, &found, NULL);

	if (error)
		return error == -ENOMEM ? error : 0;
	for (size_t i = 0; !error && i < found.count; i++)
		if (!text_equal(found.items[i].text, own))
			error = conflicts_add(ret, owner, file->path, found.items[i].line,
					      found.items[i].text,
					      strlen(found.items[i].text), advice);
	return error;
}

static int search(const struct root *root, const char *path, enum boot_file_format format,
		  const char *own, const char *owner, struct conflicts *ret)
{
	_free_ char *text = NULL;
	int error = root_read(root, path, &text);

	if (error)
		return error == -ENOMEM ? error : 0;
	const struct boot_file file = { format, path, text, strlen(text) };

	for (size_t i = 0; !error && i < ARRAY_SIZE(arguments); i++)
		error = add_found(&file, arguments[i], own, owner, ret);
	return error;
}

static int search_drop_ins(const struct root *root, const char *own,
			   struct conflicts *ret)
{
	_strv_ struct strv names = { 0 };
	int error = 0;

	if (root_list(root, PATH_GRUB_DROP_INS, &names))
		return 0;
	for (size_t i = 0; !error && i < names.count; i++) {
		_free_ char *path = NULL;

		if (!text_ends_with(names.items[i], ".cfg"))
			continue;
		if (asprintf(&path, PATH_GRUB_DROP_INS "/%s", names.items[i]) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		error = search(root, path, BOOT_FILE_DEFAULTS, own, "boot loader", ret);
	}
	return error;
}

int conflicts_find_arguments(const struct root *root, const char *argument,
			     struct conflicts *ret)
{
	_bootloader_ struct bootloader bootloader = { 0 };
	int error = bootloader_detect(root, &bootloader);

	if (!error)
		error = search(root, PATH_CMDLINE, BOOT_FILE_CMDLINE, argument,
			       "kernel argument", ret);
	if (!error)
		error = search(root, PATH_GRUB_DEFAULTS, BOOT_FILE_DEFAULTS, argument,
			       "boot loader", ret);
	if (!error)
		error = search_drop_ins(root, argument, ret);
	if (!error && bootloader.menu_lst)
		error = search(root, bootloader.menu_lst, BOOT_FILE_MENU_LST, argument,
			       "boot loader", ret);
	for (size_t i = 0; !error && i < bootloader.entries.count; i++)
		error = search(root, bootloader.entries.items[i], BOOT_FILE_ENTRY,
			       argument, "boot loader", ret);
	return error;
}
