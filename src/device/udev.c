// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What udev knows of a disk. On the host libudev is asked; for another tree or a
 * snapshot its database is read as text. Both give the same: the stored properties,
 * without those that the kernel's own event carries, sorted by key, and the links.
 */
#include <errno.h>
#include <libudev.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "device/scan-internal.h"
#include "sysfs/paths.h"

/* Given by the kernel with each event or kept by udev for itself; not in the database's
   E: lines. */
static const char *const event_keys[] = {
	"ACTION",
	"CURRENT_TAGS",
	"DEVLINKS",
	"DEVNAME",
	"DEVNUM",
	"DEVPATH",
	"DEVTYPE",
	"DISKSEQ",
	"MAJOR",
	"MINOR",
	"NPARTS",
	"PARTN",
	"PARTNAME",
	"PARTUUID",
	"SEQNUM",
	"SUBSYSTEM",
	"SYNTH_UUID",
	"TAGS",
	"UDEV_DATABASE_VERSION",
	"USEC_INITIALIZED",
};

static bool is_event_key(const char *key, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(event_keys); i++)
		if (strlen(event_keys[i]) == len && !memcmp(event_keys[i], key, len))
			return true;
	return false;
}

static int add_property(struct device *device, const char *key, size_t key_len,
			const char *value)
{
	struct device_property *list, property;

	if (is_event_key(key, key_len))
		return 0;
	list = reallocarray(device->udev, device->udev_count + 1, sizeof(*list));
	if (!list)
		return -ENOMEM;
	device->udev = list;
	property.key = strndup(key, key_len);
	property.value = strdup(value);
	if (!property.key || !property.value) {
		free(property.key);
		free(property.value);
		return -ENOMEM;
	}
	list[device->udev_count++] = property;
	return 0;
}

static int compare_properties(const void *a, const void *b)
{
	const struct device_property *left = a, *right = b;

	return strcmp(left->key, right->key);
}

static void sort_all(struct device *device)
{
	if (device->udev_count)
		qsort(device->udev, device->udev_count, sizeof(*device->udev),
		      compare_properties);
	strv_sort_natural(&device->devlinks);
}

int scan_open_udev(struct scan *scan)
{
	scan->has_udev_data = root_exists(scan->root, PATH_UDEV_DATA);
	if (!scan->has_udev_data || root_get_kind(scan->root) != ROOT_HOST)
		return 0;
	scan->udev = udev_new();
	return scan->udev ? 0 : -ENOMEM;
}

void scan_close_udev(struct scan *scan)
{
	if (scan->udev)
		udev_unref(scan->udev);
	scan->udev = NULL;
}

static int read_host(const struct scan *scan, struct device *device)
{
	struct udev_device *node;
	struct udev_list_entry *entry;
	char path[64];
	int error = 0;

	/* Nothing stored, nothing to tell: libudev takes some forty calls to find out. */
	snprintf(path, sizeof(path), PATH_UDEV_DATA "/b%u:%u", device->major,
		 device->minor);
	if (!root_exists(scan->root, path))
		return 0;
	node = udev_device_new_from_devnum(scan->udev, 'b',
					   makedev(device->major, device->minor));
	if (!node)
		return 0;
	udev_list_entry_foreach(entry, udev_device_get_properties_list_entry(node))
	{
		const char *key = udev_list_entry_get_name(entry);
		const char *value = udev_list_entry_get_value(entry);

		if (!error && key && value)
			error = add_property(device, key, strlen(key), value);
	}
	udev_list_entry_foreach(entry, udev_device_get_devlinks_list_entry(node))
	{
		if (!error)
			error = strv_add(&device->devlinks,
					 udev_list_entry_get_name(entry));
	}
	udev_device_unref(node);
	return error;
}

static int add_devlink(struct device *device, const char *link)
{
	_text_ struct text path = { 0 };

	text_addf(&path, "/" PATH_DEV "/%s", link);
	return path.error ? path.error : strv_add(&device->devlinks, path.data);
}

/* "E:KEY=VALUE" and "S:disk/by-id/…"; the other lines are udev's own business. */
static int read_text(const struct scan *scan, const char *path, struct device *device)
{
	_free_ char *data = NULL;
	char *line, *next;
	int error = root_read(scan->root, path, &data);

	if (error)
		return error == -ENOMEM ? error : 0;
	for (line = data; line; line = next) {
		const char *equals;

		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		equals = strchr(line, '=');
		error = 0;
		if (text_starts_with(line, "E:") && equals)
			error = add_property(device, line + 2,
					     (size_t)(equals - line - 2), equals + 1);
		else if (text_starts_with(line, "S:"))
			error = add_devlink(device, line + 2);
		if (error)
			return error;
	}
	return 0;
}

int device_read_udev(const struct scan *scan, struct device *device)
{
	_free_ char *path = NULL;
	int error;

	if (!scan->has_udev_data || !device_has_node(device))
		return 0;
	if (asprintf(&path, PATH_UDEV_DATA "/b%u:%u", device->major, device->minor) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	/* Without an entry there is nothing to ask libudev for, at fifty system calls. */
	if (scan->udev)
		error = root_exists(scan->root, path) ? read_host(scan, device) : 0;
	else
		error = read_text(scan, path, device);
	sort_all(device);
	return error;
}
