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
#include "persist/elevator.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

/* elevator= chooses; the other two decided which kind of queue a disk had, up to 4.20, and
   nothing else: there they are no conflict. */
static const char *const arguments[] = { ELEVATOR_NAME, "scsi_mod.use_blk_mq",
					 "dm_mod.use_blk_mq" };

static const char stale[] = N_("without effect since Linux 5.0: remove the argument");
static const char read_by_rule[] = N_("a rule of the distribution reads it: remove it, or let "
				      "'iosched-tune persist install --method grub' write it");
static const char in_force[] = N_("it gives legacy queues their scheduler until something "
				  "else sets it: remove it, or let 'iosched-tune persist "
				  "install --method grub' write it");

/* Where the arguments are looked for, and what one means there. */
struct search {
	const struct root *root;
	const char *own;
	bool has_legacy_queues;
	bool has_rule; /* a udev rule reads elevator= and sets the scheduler */
};

static const char *judge(const struct search *search, const char *name)
{
	if (search->has_legacy_queues)
		return in_force;
	return search->has_rule && !strcmp(name, ELEVATOR_NAME) ? read_by_rule : stale;
}

static bool has_legacy_queues(const struct root *root)
{
	const struct kernel_version first_without = { 5, 0, 0 };
	struct kernel_version kernel = KERNEL_VERSION_NONE;
	_free_ char *release = NULL;

	if (root_read(root, PATH_OSRELEASE, &release) ||
	    kernel_version_parse(text_trim(release), &kernel))
		kernel = elevator_installed_kernel(root);
	return kernel.major && kernel_version_compare(kernel, first_without) < 0;
}

static int add_found(const struct search *search, const struct boot_file *file,
		     const char *name, const char *owner, struct conflicts *ret)
{
	_boot_arguments_ struct boot_arguments found = { 0 };
	const char *advice = judge(search, name);
	size_t before = ret->count;
	int error = boot_file_find(file, name, &found, NULL);

	if (error)
		return error == -ENOMEM ? error : 0;
	for (size_t i = 0; !error && i < found.count; i++)
		if (!text_equal(found.items[i].text, search->own))
			error = conflicts_add(ret, owner, file->path, found.items[i].line,
					      found.items[i].text,
					      strlen(found.items[i].text), advice);
	for (size_t i = before; i < ret->count; i++)
		ret->items[i].is_stale = advice == stale;
	return error;
}

static int search_file(const struct search *search, const char *path,
		       enum boot_file_format format, const char *owner,
		       struct conflicts *ret)
{
	size_t count = search->has_legacy_queues ? 1 : ARRAY_SIZE(arguments);
	_free_ char *text = NULL;
	int error = root_read(search->root, path, &text);

	if (error)
		return error == -ENOMEM ? error : 0;
	const struct boot_file file = { format, path, text, strlen(text) };

	for (size_t i = 0; !error && i < count; i++)
		error = add_found(search, &file, arguments[i], owner, ret);
	return error;
}

static int search_drop_ins(const struct search *search, struct conflicts *ret)
{
	_strv_ struct strv paths = { 0 };
	int error = root_list_files(search->root, PATH_GRUB_DROP_INS, ".cfg",
					    &paths);

	for (size_t i = 0; !error && i < paths.count; i++)
		error = search_file(search, paths.items[i], BOOT_FILE_DEFAULTS,
				    "boot loader", ret);
	return error;
}

int conflicts_find_arguments(const struct root *root, const char *argument,
			     struct conflicts *ret)
{
	struct search search = {
		.root = root,
		.own = argument,
		.has_legacy_queues = has_legacy_queues(root),
	};
	_bootloader_ struct bootloader bootloader = { 0 };
	_free_ char *rule = NULL;
	int error = elevator_find_rule(root, &rule);

	search.has_rule = rule;
	if (!error)
		error = bootloader_detect(root, &bootloader);
	if (!error)
		error = search_file(&search, PATH_CMDLINE, BOOT_FILE_CMDLINE,
				    "kernel argument", ret);
	if (!error)
		error = search_file(&search, PATH_GRUB_DEFAULTS, BOOT_FILE_DEFAULTS,
				    "boot loader", ret);
	if (!error)
		error = search_drop_ins(&search, ret);
	if (!error && bootloader.menu_lst)
		error = search_file(&search, bootloader.menu_lst, BOOT_FILE_MENU_LST,
				    "boot loader", ret);
	for (size_t i = 0; !error && i < bootloader.entries.count; i++)
		error = search_file(&search, bootloader.entries.items[i], BOOT_FILE_ENTRY,
				    "boot loader", ret);
	return error;
}
