// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What goes into a snapshot: the machine, then every disk with what is around it.
 */
#include "device/capture.h"

#include <errno.h>
#include <string.h>

#include "device/capture-internal.h"
#include "device/host.h"
#include "device/scan-internal.h"
#include "sysfs/paths.h"

static const struct {
	const char *path;
	enum secrecy secrecy;
} machine_files[] = {
	{ PATH_OSRELEASE, SECRECY_KNOWN },	{ PATH_BOOT_ID, SECRECY_KNOWN },
	{ PATH_CMDLINE, SECRECY_FORM },		{ PATH_MOUNTINFO, SECRECY_FORM },
	{ PATH_SWAPS, SECRECY_FORM },		{ PATH_HYPERVISOR_TYPE, SECRECY_KNOWN },
	{ PATH_OS_RELEASE_ETC, SECRECY_KNOWN }, { PATH_OS_RELEASE_USR, SECRECY_KNOWN },
	{ PATH_DMI "/sys_vendor", SECRECY_KNOWN },
	{ PATH_DMI "/product_name", SECRECY_KNOWN },
	{ PATH_DMI "/bios_vendor", SECRECY_KNOWN },
};

/* Of the disk's directory: counters, and what only the event code reads. */
static const char *const skipped[] = { "stat", "uevent", NULL };

/* Below a disk's directory, each with its attributes; absent ones are passed over. */
static const char *const folders[] = { "queue", "queue/iosched", "dm", "loop" };

/* Of an array; the rest of that directory may be long. */
static const char *const array_files[] = { "level", "raid_disks", "array_state",
					   "chunk_size" };

/* Of the device below a disk. */
static const char *const device_files[] = {
	"model",     "name", "vendor",	  "rev",  "fwrev", "serial",	 "firmware_rev",
	"wwid",	     "uid",  "transport", "type", "cid",   "raid_level", "state",
	"subsysnqn", "queue_depth",
};

/* Formats and adds; the sticky error stands for -ENOMEM. */
#define ADD(function, capture, ...)                                  \
	do {                                                         \
		_free_ char *path_ = NULL;                           \
		if (asprintf(&path_, __VA_ARGS__) < 0) {             \
			path_ = NULL;                                \
			(capture)->error = -ENOMEM;                  \
		} else {                                             \
			function(capture, path_);                    \
		}                                                    \
	} while (0)

static void add_known(struct capture *capture, const char *path)
{
	const char *slash = strrchr(path, '/');

	capture_add_file(capture, path,
			 redact_is_secret_file(slash ? slash + 1 : path) ? SECRECY_WHOLE :
									   SECRECY_KNOWN);
}

static void add_folder(struct capture *capture, const char *path)
{
	capture_add_attributes(capture, path, NULL);
}

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

static void add_machine(struct capture *capture, const struct host *host)
{
	static const char *const config[] = { PATH_CONFIG_PROFILES, PATH_CONFIG_DEVICES };
	static const char *const lists[] = { "modules.dep", "modules.builtin" };

	for (size_t i = 0; i < ARRAY_SIZE(machine_files); i++)
		capture_add_file(capture, machine_files[i].path, machine_files[i].secrecy);
	add_cpuinfo(capture);
	add_filtered(capture, PATH_PROC_MODULES, is_scheduler_module);
	for (size_t i = 0; host->release && i < ARRAY_SIZE(lists); i++) {
		_free_ char *path = NULL;

		if (asprintf(&path, PATH_MODULES "/%s/%s", host->release, lists[i]) < 0) {
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
			ADD(add_configuration, capture, "%s/%s", config[i], names.items[n]);
	}
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
				ADD(capture_add_link, capture, "%s/%s", path,
				    names.items[n]);
		}
	}
	strv_done(&folder_names);
	if (root_list(capture->root, PATH_DEV "/mapper", &folder_names))
		return;
	for (size_t i = 0; i < folder_names.count; i++)
		ADD(capture_add_link, capture, PATH_DEV "/mapper/%s", folder_names.items[i]);
}

/* Of udev's database only the properties and links: what a scan reads. */
static void add_udev_data(struct capture *capture, unsigned major, unsigned minor)
{
	_free_ char *path = NULL, *data = NULL;
	_strv_ struct strv lines = { 0 };
	_text_ struct text kept = { 0 };

	if (asprintf(&path, PATH_UDEV_DATA "/b%u:%u", major, minor) < 0) {
		path = NULL;
		capture->error = -ENOMEM;
		return;
	}
	if (root_read(capture->root, path, &data))
		return;
	if (strv_split(&lines, data, "\n"))
		capture->error = -ENOMEM;
	for (size_t i = 0; i < lines.count; i++)
		if (text_starts_with(lines.items[i], "E:") ||
		    text_starts_with(lines.items[i], "S:"))
			text_addf(&kept, "%s%s", kept.len ? "\n" : "", lines.items[i]);
	text_add(&kept, "");
	if (kept.error)
		capture->error = -ENOMEM;
	else
		capture_add_value(capture, path, kept.data, false, SECRECY_UDEV);
}

static void add_links_in(struct capture *capture, const char *path)
{
	_strv_ struct strv names = { 0 };

	if (root_list(capture->root, path, &names))
		return;
	for (size_t i = 0; i < names.count; i++)
		ADD(capture_add_link, capture, "%s/%s", path, names.items[i]);
	if (!names.count)
		capture_add_chain(capture, path);
}

static void add_partition(struct capture *capture, const struct device *disk,
			  const char *name)
{
	static const char *const files[] = { "dev",  "partition", "start",
					     "size", "ro",	  "alignment_offset" };
	_free_ char *path = NULL, *number = NULL;
	unsigned major, minor;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		ADD(add_known, capture, "%s/%s/%s", disk->sys_path, name, files[i]);
	ADD(add_links_in, capture, "%s/%s/holders", disk->sys_path, name);
	ADD(capture_add_link, capture, PATH_SYS_CLASS_BLOCK "/%s", name);
	if (asprintf(&path, "%s/%s/dev", disk->sys_path, name) < 0) {
		path = NULL;
		capture->error = -ENOMEM;
	}
	if (!path || root_read(capture->root, path, &number))
		return;
	ADD(capture_add_link, capture, PATH_SYS_DEV_BLOCK "/%s", number);
	if (!device_parse_devnum(number, &major, &minor))
		add_udev_data(capture, major, minor);
}

static void add_partitions(struct capture *capture, const struct device *disk)
{
	_strv_ struct strv names = { 0 };

	if (root_list(capture->root, disk->sys_path, &names))
		return;
	for (size_t i = 0; i < names.count; i++) {
		_free_ char *mark = NULL;

		if (!text_starts_with(names.items[i], disk->sys_name))
			continue;
		if (asprintf(&mark, "%s/%s/partition", disk->sys_path, names.items[i]) < 0) {
			mark = NULL;
			capture->error = -ENOMEM;
			return;
		}
		if (root_exists(capture->root, mark))
			add_partition(capture, disk, names.items[i]);
	}
}

static void add_hw_queues(struct capture *capture, const struct device *disk)
{
	_strv_ struct strv names = { 0 };
	_free_ char *path = NULL;

	if (asprintf(&path, "%s/mq", disk->sys_path) < 0) {
		path = NULL;
		capture->error = -ENOMEM;
		return;
	}
	if (root_list(capture->root, path, &names))
		return;
	for (size_t i = 0; i < names.count; i++)
		ADD(add_folder, capture, "%s/%s", path, names.items[i]);
}

/* The adapter's driver and a USB bridge's serial number: on the way to the disk. */
static void add_ancestors(struct capture *capture, const struct device *disk,
			  const char *path)
{
	for (const char *p = strchr(path, '/'); p; p = strchr(p + 1, '/')) {
		size_t len = strcspn(p + 1, "/");
		int whole = (int)(p + 1 + len - path), name = (int)len;

		if (text_starts_with(p + 1, "host")) {
			ADD(add_known, capture, "%.*s/scsi_host/%.*s/proc_name", whole, path,
			    name, p + 1);
			if (text_starts_with(disk->sys_path, PATH_SYS_BLOCK "/"))
				ADD(add_known, capture, PATH_SYS_SCSI_HOST "/%.*s/proc_name",
				    name, p + 1);
		}
		if (text_equal(disk->transport, "usb"))
			ADD(add_known, capture, "%.*s/serial", whole, path);
	}
}

static void add_bcache(struct capture *capture, const struct device *disk)
{
	_strv_ struct strv names = { 0 };
	_free_ char *set = NULL;

	if (disk->class != CLASS_BCACHE)
		return;
	if (asprintf(&set, PATH_SYS_BLOCK "/%s/bcache/cache", disk->sys_name) < 0) {
		set = NULL;
		capture->error = -ENOMEM;
		return;
	}
	capture_add_chain(capture, set);
	if (root_list(capture->root, set, &names))
		return;
	for (size_t i = 0; i < names.count; i++)
		if (text_starts_with(names.items[i], "cache"))
			ADD(capture_add_chain, capture, "%s/%s", set, names.items[i]);
}

static void add_content(struct capture *capture, const struct device *disk)
{
	const char *tag;
	char value[64];

	for (size_t i = 0; device_format_content(disk, i, &tag, value, sizeof(value)); i++) {
		_free_ char *path = NULL;

		if (!*value)
			continue;
		if (asprintf(&path, PATH_SNAPSHOT_BLKID "/%s/%s", disk->sys_name, tag) < 0) {
			path = NULL;
			capture->error = -ENOMEM;
			return;
		}
		capture_add_value(capture, path, value, false, SECRECY_KNOWN);
	}
}

static void add_device(struct capture *capture, const struct device *disk)
{
	_free_ char *link = NULL, *path = NULL;

	if (asprintf(&link, "%s/device", disk->sys_path) < 0) {
		link = NULL;
		capture->error = -ENOMEM;
		return;
	}
	if (root_resolve(capture->root, link, &path) ||
	    !root_exists(capture->root, path))
		return;
	capture_add_chain(capture, link);
	ADD(capture_add_chain, capture, "%s/driver", link);
	for (size_t i = 0; i < ARRAY_SIZE(device_files); i++)
		ADD(add_known, capture, "%s/%s", path, device_files[i]);
	add_ancestors(capture, disk, path);
}

static void add_disk(struct capture *capture, const struct device *disk)
{
	const char *path = disk->sys_path;

	ADD(capture_add_chain, capture, PATH_SYS_BLOCK "/%s", disk->sys_name);
	ADD(capture_add_link, capture, PATH_SYS_CLASS_BLOCK "/%s", disk->sys_name);
	ADD(capture_add_link, capture, PATH_SYS_DEV_BLOCK "/%u:%u", disk->major, disk->minor);
	add_device(capture, disk);
	capture_add_attributes(capture, path, skipped);
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		ADD(add_folder, capture, "%s/%s", path, folders[i]);
	for (size_t i = 0; i < ARRAY_SIZE(array_files); i++)
		ADD(add_known, capture, "%s/md/%s", path, array_files[i]);
	ADD(add_links_in, capture, "%s/slaves", path);
	ADD(add_links_in, capture, "%s/holders", path);
	add_hw_queues(capture, disk);
	add_partitions(capture, disk);
	add_bcache(capture, disk);
	add_udev_data(capture, disk->major, disk->minor);
	add_content(capture, disk);
}

int device_capture(const struct root *root, bool with_serials, struct text *out,
		   struct diag *diag)
{
	_cleanup_(cleanup_device_list_free) struct device_list *list = NULL;
	_cleanup_(capture_done) struct capture capture = {
		.root = root,
		.with_serials = with_serials,
	};
	int error = device_scan(root, SCAN_ALL, NULL, 0, &list, diag);

	if (error)
		return error;
	add_machine(&capture, list->host);
	add_dev_links(&capture);
	for (size_t i = 0; i < list->count; i++)
		add_disk(&capture, &list->items[i]);
	error = capture_write(&capture, out);
	return error ? diag_set(diag, error, "%s", strerror(-error)) : 0;
}
