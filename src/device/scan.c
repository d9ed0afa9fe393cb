// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scan: every entry of sys/block in turn, as much of each as was asked for, then
 * what only the whole list can tell.
 */
#include <errno.h>
#include <string.h>

#include "device/host.h"
#include "device/scan-internal.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

/* More disks than any machine has; a made-up snapshot could list a million. */
#define DISK_MAX 32768

/* What a need cannot be met without. */
static unsigned expand_needs(unsigned needs, bool has_overrides)
{
	if (needs & SCAN_CLASS)
		needs |= SCAN_STACK | SCAN_BASICS | SCAN_SYSFS_IDENTITY |
			 (has_overrides ? SCAN_IDENTITY : 0u);
	if (needs & SCAN_MOUNTS)
		needs |= SCAN_STACK;
	if (needs & SCAN_CONTENT)
		needs |= SCAN_UDEV;
	if (needs & SCAN_IDENTITY)
		needs |= SCAN_SYSFS_IDENTITY | SCAN_UDEV;
	if (needs & (SCAN_IOSCHED | SCAN_STACK))
		needs |= SCAN_SCHEDULER;
	if (needs & (SCAN_UDEV | SCAN_MOUNTS | SCAN_CONTENT))
		needs |= SCAN_BASICS;
	return needs;
}

/*
 * "../devices/…/block/sda" is "sys/devices/…/block/sda": one readlink, since the kernel
 * makes these links straight. Before 2.6.25 the entry is the directory itself.
 */
static int read_sys_path(const struct scan *scan, struct device *device)
{
	_free_ char *path = NULL, *target = NULL;
	int error;

	if (asprintf(&path, PATH_SYS_BLOCK "/%s", device->sys_name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	error = root_read_link(scan->root, path, &target);
	if (error == -ENOMEM)
		return error;
	if (error || !text_starts_with(target, "../devices/") || strstr(target + 3, ".."))
		return root_resolve(scan->root, path, &device->sys_path);
	if (asprintf(&device->sys_path, PATH_SYS "/%s", target + 3) < 0) {
		device->sys_path = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int read_number(const struct root_dir *dir, struct device *device)
{
	char buf[32];
	ssize_t len = root_dir_read(dir, "dev", buf, sizeof(buf));

	/* A hidden path has no node, so no number. Of others it is missing when the device
	   has gone since its directory was opened. */
	if (len == -ENOENT && device->is_hidden)
		return 0;
	return len < 0 || device_parse_devnum(buf, &device->major, &device->minor)
		       ? -ENODEV
		       : 0;
}

static int read_basics(const struct root_dir *dir, struct device *device)
{
	_free_ char *zoned = NULL;
	int error;

	device->is_hidden = device_read_flag(dir, "hidden");
	error = read_number(dir, device);
	if (error)
		return error;
	(void)device_read_u64(dir, "size", &device->size_sectors);
	(void)device_read_u64(dir, "diskseq", &device->diskseq);
	device->is_removable = device_read_flag(dir, "removable");
	device->is_read_only = device_read_flag(dir, "ro");
	error = device_read_string(dir, "queue/zoned", &zoned);
	if (!error && zoned && strlen(zoned) < sizeof(device->zoned))
		memcpy(device->zoned, zoned, strlen(zoned) + 1);
	return error;
}

static int read_names(const struct scan *scan, const char *sys_name,
		      struct device *device)
{
	int error = device_set_string(&device->sys_name, sys_name);

	if (!error)
		error = device_set_string(&device->name, sys_name);
	if (error)
		return error;
	for (char *p = device->name; (p = strchr(p, '!'));)
		*p = '/';
	return read_sys_path(scan, device);
}

static int read_parts(const struct scan *scan, const struct root_dir *dir,
		      struct device *device)
{
	unsigned needs = scan->needs;
	int error = needs & SCAN_BASICS ? read_basics(dir, device) : 0;

	if (!error)
		error = device_read_queue(scan, dir, device);
	if (!error && needs & SCAN_UDEV)
		error = device_read_udev(scan, device);
	if (!error && needs & SCAN_SYSFS_IDENTITY)
		error = device_read_identity(scan, dir, device);
	if (!error && needs & SCAN_STACK)
		error = device_read_slaves(scan, dir, device);
	if (!error && needs & SCAN_CONTENT)
		error = device_read_content(scan, dir, device);
	return error;
}

/* A disk that has gone, or that is no disk, is -ENODEV: left out. */
static int read_device(const struct scan *scan, const char *sys_name,
		       struct device *device)
{
	struct root_dir dir = ROOT_DIR_NONE;
	int error = read_names(scan, sys_name, device);

	if (!error)
		error = root_dir_open(scan->root, device->sys_path, &dir);
	if (error)
		return error == -ENOMEM ? error : -ENODEV;
	error = read_parts(scan, &dir, device);
	root_dir_done(&dir);
	return error == -ENOMEM || !error ? error : -ENODEV;
}

static int read_devices(struct scan *scan, const struct strv *names)
{
	struct device_list *list = scan->list;

	list->items = calloc(names->count + 1, sizeof(*list->items));
	if (!list->items)
		return -ENOMEM;
	for (size_t i = 0; i < names->count; i++) {
		struct device *device = &list->items[list->count];
		int error = read_device(scan, names->items[i], device);

		if (error == -ENODEV) {
			device_done(device);
			*device = (struct device){ 0 };
			continue;
		}
		list->count++;
		if (error)
			return error;
	}
	return 0;
}

static bool has_loop_file(const struct device_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].loop_file)
			return true;
	return false;
}

static int scan_all(struct scan *scan, const struct strv *names,
		    const struct device_override *overrides, size_t override_count)
{
	unsigned needs = scan->needs;
	int error = read_devices(scan, names);

	if (!error &&
	    (needs & SCAN_MOUNTS || (needs & SCAN_STACK && has_loop_file(scan->list))))
		error = mounts_read(scan);
	if (!error && needs & SCAN_STACK)
		error = scan_link_stack(scan);
	if (!error && needs & SCAN_MOUNTS)
		error = scan_attach_mounts(scan);
	if (!error && needs & SCAN_CLASS)
		error = scan_classify(scan, overrides, override_count);
	return error;
}

int device_scan(const struct root *root, unsigned needs,
		const struct device_override *overrides, size_t override_count,
		struct device_list **ret, struct diag *diag)
{
	_cleanup_(cleanup_device_list_free) struct device_list *list =
		calloc(1, sizeof(*list));
	_strv_ struct strv names = { 0 };
	struct scan scan = { .root = root, .list = list };
	int error;

	if (!list)
		return diag_set(diag, -ENOMEM, "%s", strerror(ENOMEM));
	scan.needs = expand_needs(needs, override_count != 0);
	error = host_read(root, &list->host, diag);
	if (error)
		return error;
	error = root_list(root, PATH_SYS_BLOCK, &names);
	if (error) {
		diag_at(diag, "/" PATH_SYS_BLOCK, 0);
		diag_set(diag, error, _("no block devices can be read: %s"),
			 strerror(-error));
		diag_hint(diag, _("is sysfs mounted, and is '%s' the right root?"),
			  root_get_name(root));
		return error;
	}
	if (names.count > DISK_MAX)
		return diag_set(diag, -E2BIG, _("more than %u block devices"), DISK_MAX);
	if (scan.needs & SCAN_UDEV)
		error = scan_open_udev(&scan);
	if (!error)
		error = scan_all(&scan, &names, overrides, override_count);
	mounts_free(scan.mounts);
	scan_close_udev(&scan);
	if (!error)
		error = root_check_shortage(root, diag);
	if (error)
		return diag_set(diag, error, "%s", strerror(-error));
	*ret = TAKE_PTR(list);
	return 0;
}
