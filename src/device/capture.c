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

/* Of the disk's directory: what only the event code reads. */
static const char *const skipped[] = { "uevent", NULL };

/* Below a disk's directory, each with its attributes; absent ones are passed over. */
static const char *const folders[] = { "queue", "queue/iosched", "dm", "loop" };

/* Of an array; the rest of that directory may be long. */
static const char *const array_files[] = { "level",	   "raid_disks", "array_state",
					   "chunk_size", "degraded",   "sync_action" };

/* Of the device below a disk. */
static const char *const device_files[] = {
	"model",        "name",  "vendor",    "rev",         "fwrev", "serial",
	"firmware_rev", "wwid",  "uid",       "transport",   "type",  "cid",
	"raid_level",   "state", "subsysnqn", "queue_depth",
	"ioerr_cnt",    "iodone_cnt", "iotmo_cnt", "pre_eol_info",
};

static void add_known(struct capture *capture, const char *path)
{
	const char *slash = strrchr(path, '/');

	capture_add_file(capture, path,
			 redact_is_secret_file(slash ? slash + 1 : path) ? SECRECY_WHOLE
									 : SECRECY_KNOWN);
}

static void add_folder(struct capture *capture, const char *path)
{
	capture_add_attributes(capture, path, NULL);
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
		CAPTURE_ADD(capture_add_link, capture, "%s/%s", path, names.items[i]);
	if (!names.count)
		capture_add_chain(capture, path);
}

static void add_partition(struct capture *capture, const struct device *disk,
			  const char *name)
{
	static const char *const files[] = { "dev",  "partition", "start",
					     "size", "ro",        "alignment_offset" };
	_free_ char *path = NULL, *number = NULL;
	unsigned major, minor;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		CAPTURE_ADD(add_known, capture, "%s/%s/%s", disk->sys_path, name,
			    files[i]);
	CAPTURE_ADD(add_links_in, capture, "%s/%s/holders", disk->sys_path, name);
	CAPTURE_ADD(capture_add_link, capture, PATH_SYS_CLASS_BLOCK "/%s", name);
	if (asprintf(&path, "%s/%s/dev", disk->sys_path, name) < 0) {
		path = NULL;
		capture->error = -ENOMEM;
	}
	if (!path || root_read(capture->root, path, &number))
		return;
	CAPTURE_ADD(capture_add_link, capture, PATH_SYS_DEV_BLOCK "/%s", number);
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
		if (asprintf(&mark, "%s/%s/partition", disk->sys_path, names.items[i]) <
		    0) {
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
		CAPTURE_ADD(add_folder, capture, "%s/%s", path, names.items[i]);
}

/* The adapter's driver and a USB bridge's serial number: on the way to the disk. */
static void add_ancestors(struct capture *capture, const struct device *disk,
			  const char *path)
{
	for (const char *p = strchr(path, '/'); p; p = strchr(p + 1, '/')) {
		size_t len = strcspn(p + 1, "/");
		int whole = (int)(p + 1 + len - path), name = (int)len;

		if (text_starts_with(p + 1, "host")) {
			CAPTURE_ADD(add_known, capture, "%.*s/scsi_host/%.*s/proc_name",
				    whole, path, name, p + 1);
			if (text_starts_with(disk->sys_path, PATH_SYS_BLOCK "/"))
				CAPTURE_ADD(add_known, capture,
					    PATH_SYS_SCSI_HOST "/%.*s/proc_name", name,
					    p + 1);
		}
		if (text_equal(disk->transport, "usb"))
			CAPTURE_ADD(add_known, capture, "%.*s/serial", whole, path);
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
			CAPTURE_ADD(capture_add_chain, capture, "%s/%s", set,
				    names.items[i]);
}

static void add_content(struct capture *capture, const struct device *disk)
{
	const char *tag;
	char value[64];

	for (size_t i = 0; device_format_content(disk, i, &tag, value, sizeof(value));
	     i++) {
		_free_ char *path = NULL;

		if (!*value)
			continue;
		if (asprintf(&path, PATH_SNAPSHOT_BLKID "/%s/%s", disk->sys_name, tag) <
		    0) {
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
	if (root_resolve(capture->root, link, &path) || !root_exists(capture->root, path))
		return;
	capture_add_chain(capture, link);
	CAPTURE_ADD(capture_add_chain, capture, "%s/driver", link);
	for (size_t i = 0; i < ARRAY_SIZE(device_files); i++)
		CAPTURE_ADD(add_known, capture, "%s/%s", path, device_files[i]);
	add_ancestors(capture, disk, path);
}

static void add_disk(struct capture *capture, const struct device *disk)
{
	const char *path = disk->sys_path;

	CAPTURE_ADD(capture_add_chain, capture, PATH_SYS_BLOCK "/%s", disk->sys_name);
	CAPTURE_ADD(capture_add_link, capture, PATH_SYS_CLASS_BLOCK "/%s",
		    disk->sys_name);
	if (device_has_node(disk))
		CAPTURE_ADD(capture_add_link, capture, PATH_SYS_DEV_BLOCK "/%u:%u",
			    disk->major, disk->minor);
	add_device(capture, disk);
	capture_add_attributes(capture, path, skipped);
	for (size_t i = 0; i < ARRAY_SIZE(folders); i++)
		CAPTURE_ADD(add_folder, capture, "%s/%s", path, folders[i]);
	for (size_t i = 0; i < ARRAY_SIZE(array_files); i++)
		CAPTURE_ADD(add_known, capture, "%s/md/%s", path, array_files[i]);
	CAPTURE_ADD(add_links_in, capture, "%s/slaves", path);
	CAPTURE_ADD(add_links_in, capture, "%s/holders", path);
	add_hw_queues(capture, disk);
	add_partitions(capture, disk);
	add_bcache(capture, disk);
	if (device_has_node(disk))
		add_udev_data(capture, disk->major, disk->minor);
	add_content(capture, disk);
}

int capture_extras_add(struct capture_extras *extras, const char *path, const char *value)
{
	struct capture_extra extra = { .path = strdup(path),
				       .value = value ? strdup(value) : NULL };
	struct capture_extra *items = reallocarray(extras->items, extras->count + 1,
						   sizeof(*items));

	if (items)
		extras->items = items;
	if (!items || !extra.path || (value && !extra.value)) {
		free(extra.path);
		free(extra.value);
		return -ENOMEM;
	}
	items[extras->count++] = extra;
	return 0;
}

void capture_extras_done(struct capture_extras *extras)
{
	for (size_t i = 0; i < extras->count; i++) {
		free(extras->items[i].path);
		free(extras->items[i].value);
	}
	free(extras->items);
	*extras = (struct capture_extras){ 0 };
}

static void add_extras(struct capture *capture, const struct capture_extras *extras)
{
	for (size_t i = 0; extras && i < extras->count; i++) {
		const struct capture_extra *extra = &extras->items[i];

		if (extra->value)
			capture_add_value(capture, extra->path, extra->value, false,
					  SECRECY_FORM);
		else
			capture_add_chain(capture, extra->path);
	}
}

int device_capture(const struct root *root, bool with_serials,
		   const struct capture_extras *extras, struct text *out,
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
	capture_add_machine(&capture, list->host->release);
	for (size_t i = 0; i < list->count; i++)
		add_disk(&capture, &list->items[i]);
	add_extras(&capture, extras);
	error = capture_write(&capture, out);
	return error ? diag_set(diag, error, "%s", strerror(-error)) : 0;
}
