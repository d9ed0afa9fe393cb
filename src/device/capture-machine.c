// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The machine in a snapshot: kernel, hypervisor, modules, mounts, configuration, and the
 * names that devices have below dev/.
 */
#include <errno.h>
#include <string.h>

#include "device/capture-internal.h"
#include "device/scan-internal.h"
#include "sysfs/paths.h"

static const struct {
	const char *path;
	enum secrecy secrecy;
} machine_files[] = {
	{ PATH_OSRELEASE, SECRECY_KNOWN },
	{ PATH_BOOT_ID, SECRECY_KNOWN },
	{ PATH_CMDLINE, SECRECY_FORM },
	{ PATH_MOUNTINFO, SECRECY_FORM },
	{ PATH_SWAPS, SECRECY_FORM },
	{ PATH_HYPERVISOR_TYPE, SECRECY_KNOWN },
	{ PATH_OS_RELEASE_ETC, SECRECY_KNOWN },
	{ PATH_OS_RELEASE_USR, SECRECY_KNOWN },
	{ PATH_DMI "/sys_vendor", SECRECY_KNOWN },
	{ PATH_DMI "/product_name", SECRECY_KNOWN },
	{ PATH_DMI "/bios_vendor", SECRECY_KNOWN },
};

static void add_configuration(struct capture *capture, const char *path)
{
	capture_add_file(capture, path, SECRECY_FORM);
}

/* Keeps the lines that `wanted` says yes to. */
static void add_filtered(struct capture *capture, const char *path,
			 bool (*wanted)(const char *line))
{
	_free_ char *data = NULL;
	_text_ struct text kept = { 0 };
	_strv_ struct strv lines = { 0 };

	if (root_read(capture->root, path, &data))
		return;
	if (strv_split(&lines, data, "\n"))
		capture->error = -ENOMEM;
	for (size_t i = 0; i < lines.count; i++)
		if (wanted(lines.items[i]))
			text_addf(&kept, "%s%s", kept.len ? "\n" : "", lines.items[i]);
	text_add(&kept, "");
	if (kept.error)
		capture->error = -ENOMEM;
	else
		capture_add_value(capture, path, kept.data, false, SECRECY_KNOWN);
}

static bool names_scheduler_module(const char *line)
{
	for (size_t i = 0; scheduler_get(i); i++)
		if (scheduler_get(i)->module &&
		    host_lists_module(line, scheduler_get(i)->module))
			return true;
	return false;
}

/* A line of proc/modules: the name, with '_' for '-', and a space. */
static bool is_scheduler_module(const char *line)
{
	size_t len = strcspn(line, " ");

	for (size_t i = 0; scheduler_get(i); i++) {
		const char *module = scheduler_get(i)->module;
		size_t same = 0;

		while (module && module[same] && same < len &&
		       (module[same] == line[same] ||
			(module[same] == '-' && line[same] == '_')))
			same++;
		if (module && !module[same] && same == len)
			return true;
	}
	return false;
}

/* All processors have the same flags; one line is enough for whoever asks. */
static bool is_cpu_flags(const char *line)
{
	return text_starts_with(line, "flags") || text_starts_with(line, "vendor_id") ||
	       text_starts_with(line, "model name");
}

static void add_cpuinfo(struct capture *capture)
{
	_free_ char *data = NULL;
	_text_ struct text kept = { 0 };
	_strv_ struct strv lines = { 0 };
	char *end;

	if (root_read(capture->root, PATH_CPUINFO, &data))
		return;
	end = strstr(data, "\n\n"); /* the first processor */
	if (end)
		*end = '\0';
	if (strv_split(&lines, data, "\n"))
		capture->error = -ENOMEM;
	for (size_t i = 0; i < lines.count; i++)
		if (is_cpu_flags(lines.items[i]))
			text_addf(&kept, "%s%s", kept.len ? "\n" : "", lines.items[i]);
	text_add(&kept, "");
	if (kept.error)
		capture->error = -ENOMEM;
	else
		capture_add_value(capture, PATH_CPUINFO, kept.data, false, SECRECY_KNOWN);
}

/* The links below dev/disk and dev/mapper, by which people name devices. */
static void add_dev_links(struct capture *capture)
{
	_strv_ struct strv folder_names = { 0 };

	if (!root_list(capture->root, PATH_DEV "/disk", &folder_names)) {
		for (size_t i = 0; i < folder_names.count; i++) {
			const char *folder = folder_names.items[i];
			_free_ char *path = NULL;
			_strv_ struct strv names = { 0 };

			if (asprintf(&path, PATH_DEV "/disk/%s", folder) < 0) {
				path = NULL;
				capture->error = -ENOMEM;
				return;
			}
			if (root_list(capture->root, path, &names))
				continue;
			for (size_t n = 0; n < names.count; n++)
				CAPTURE_ADD(capture_add_link, capture, "%s/%s", path,
					    names.items[n]);
		}
	}
	strv_done(&folder_names);
	if (root_list(capture->root, PATH_DEV "/mapper", &folder_names))
		return;
	for (size_t i = 0; i < folder_names.count; i++)
		CAPTURE_ADD(capture_add_link, capture, PATH_DEV "/mapper/%s",
			    folder_names.items[i]);
}

void capture_add_machine(struct capture *capture, const char *release)
{
	static const char *const config[] = { PATH_CONFIG_PROFILES, PATH_CONFIG_DEVICES };
	static const char *const lists[] = { "modules.dep", "modules.builtin" };

	for (size_t i = 0; i < ARRAY_SIZE(machine_files); i++)
		capture_add_file(capture, machine_files[i].path,
				 machine_files[i].secrecy);
	add_cpuinfo(capture);
	add_filtered(capture, PATH_PROC_MODULES, is_scheduler_module);
	for (size_t i = 0; release && i < ARRAY_SIZE(lists); i++) {
		_free_ char *path = NULL;

		if (asprintf(&path, PATH_MODULES "/%s/%s", release, lists[i]) < 0) {
			path = NULL;
			capture->error = -ENOMEM;
			return;
		}
		add_filtered(capture, path, names_scheduler_module);
	}
	for (size_t i = 0; i < ARRAY_SIZE(config); i++) {
		_strv_ struct strv names = { 0 };

		if (root_list(capture->root, config[i], &names))
			continue;
		for (size_t n = 0; n < names.count; n++)
			CAPTURE_ADD(add_configuration, capture, "%s/%s", config[i],
				    names.items[n]);
	}
	add_dev_links(capture);
}
