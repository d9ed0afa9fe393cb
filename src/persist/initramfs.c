// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scheduler modules and the initial RAM disk. Sources: initramfs-tools(7) (the file
 * "modules" has one a line), dracut.conf(5) (add_drivers+=).
 */
#include "persist/initramfs.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "persist/run.h"
#include "sysfs/paths.h"

/* Is the module's file in the list of what the kernel image holds? */
static bool is_builtin(const struct root *root, const struct host *host,
		       const char *module)
{
	_free_ char *path = NULL, *list = NULL;
	_free_ char *file = NULL;

	if (asprintf(&path, PATH_MODULES "/%s/modules.builtin", host->release) < 0) {
		path = NULL;
		return false;
	}
	if (asprintf(&file, "/%s.ko", module) < 0) {
		file = NULL;
		return false;
	}
	return !root_read(root, path, &list) && strstr(list, file);
}

int initramfs_list_schedulers(const struct root *root, const struct host *host,
			      const struct policy *policy, struct strv *ret)
{
	for (size_t i = 0; host && host->release && policy && i < policy->count; i++) {
		const struct policy_device *item = &policy->items[i];

		for (size_t v = 0; v < item->value_count; v++) {
			const struct scheduler *scheduler;
			int error;

			if (item->values[v].tunable != tunable_scheduler())
				continue;
			scheduler = scheduler_find(item->values[v].value);
			if (!scheduler || !scheduler->module ||
			    strv_contains(ret, scheduler->name) ||
			    !strv_contains(&host->modules, scheduler->module) ||
			    is_builtin(root, host, scheduler->module))
				continue;
			error = strv_add(ret, scheduler->name);
			if (error)
				return error;
		}
	}
	return 0;
}

void initramfs_advice_done(struct initramfs_advice *advice)
{
	free(advice->line);
	*advice = (struct initramfs_advice){ 0 };
}

/* The word in a line that is no comment. */
static bool names_module(const char *text, const char *module)
{
	size_t len = strlen(module);

	for (const char *line = text; *line;) {
		size_t line_len = strcspn(line, "\n");
		const char *end = line + line_len, *p = line;

		while (line[strspn(line, " \t")] != '#' &&
		       (p = memmem(p, (size_t)(end - p), module, len))) {
			bool begins = p == line || strchr(" \t\"'=", p[-1]);

			p += len;
			if (begins && (p == end || strchr(" \t\"'", *p)))
				return true;
		}
		line += line_len + (*end == '\n');
	}
	return false;
}

static bool file_names_module(const struct root *root, const char *path,
			      const char *module)
{
	_free_ char *text = NULL;

	return !root_read(root, path, &text) && names_module(text, module);
}

static bool folder_names_module(const struct root *root, const char *folder,
				const char *module)
{
	_strv_ struct strv names = { 0 };

	if (root_list(root, folder, &names))
		return false;
	for (size_t i = 0; i < names.count; i++) {
		_free_ char *path = NULL;

		if (asprintf(&path, "%s/%s", folder, names.items[i]) < 0) {
			path = NULL;
			return false;
		}
		if (file_names_module(root, path, module))
			return true;
	}
	return false;
}

static bool has_program(const struct root *root, const char *name)
{
	_free_ char *path = NULL;

	return run_find(root, name, &path) == 0;
}

int initramfs_advise(const struct root *root, const char *module,
		     struct initramfs_advice *ret)
{
	const char *format;

	*ret = (struct initramfs_advice){ 0 };
	if (root_exists(root, PATH_INITRAMFS_TOOLS) ||
	    has_program(root, "update-initramfs")) {
		ret->tool = "initramfs-tools";
		ret->path = PATH_INITRAMFS_MODULES;
		ret->command = "update-initramfs -u";
		ret->is_configured = file_names_module(root, ret->path, module);
		format = "%s";
	} else if (root_exists(root, PATH_DRACUT_CONF_D) || has_program(root, "dracut")) {
		ret->tool = "dracut";
		ret->path = PATH_DRACUT_CONFIG;
		ret->command = "dracut --force";
		ret->is_configured =
			file_names_module(root, PATH_DRACUT_CONF, module) ||
			folder_names_module(root, PATH_DRACUT_CONF_D, module);
		format = "add_drivers+=\" %s \"";
	} else {
		return 0;
	}
	if (asprintf(&ret->line, format, module) < 0) {
		ret->line = NULL;
		return -ENOMEM;
	}
	return 0;
}
