// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who made a disk and which one it is. sysfs first; where udev's database has the longer
 * or the only form (the SCSI inquiry cuts an ATA model to 16 characters), that one.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "device/scan-internal.h"

/* Attributes of the disk's directory, in order of preference; the first that is there. */
static const char *const model_files[] = { "device/model", "device/name" };
static const char *const serial_files[] = { "device/serial", "serial" };
static const char *const revision_files[] = { "device/rev", "device/firmware_rev",
					      "device/fwrev" };
static const char *const wwid_files[] = { "wwid", "device/wwid", "device/uid" };

static int read_first(const struct root_dir *dir, const char *const *files, size_t count,
		      char **ret)
{
	for (size_t i = 0; i < count && !*ret; i++) {
		int error = device_read_string(dir, files[i], ret);

		if (error)
			return error;
	}
	return 0;
}

/*
 * "naa.5000…" as the kernel writes it and "0x5000…" as udev does are the same name.
 * "t10.ATA  <model>  <serial>" is no world-wide name, but it holds the serial number.
 */
static int normalise_wwn(struct device *device)
{
	_free_ char *name = NULL;
	const char *word;

	if (!device->wwn)
		return 0;
	if (text_starts_with(device->wwn, "t10.")) {
		word = strrchr(device->wwn, ' ');
		if (word && !device->serial &&
		    device_set_string(&device->serial, word + 1))
			return -ENOMEM;
		free(TAKE_PTR(device->wwn));
		return 0;
	}
	if (!text_starts_with(device->wwn, "naa."))
		return 0;
	if (asprintf(&name, "0x%s", device->wwn + strlen("naa.")) < 0) {
		name = NULL;
		return -ENOMEM;
	}
	return device_set_string(&device->wwn, name);
}

/* The bridge's own serial number: on the USB device, two levels above the host. */
static int read_usb_serial(const struct scan *scan, struct device *device)
{
	const char *path = device->sys_path, *colon = strchr(path, ':');
	_free_ char *file = NULL, *value = NULL;

	/* "…/usb2/2-1/2-1:1.0/host6/…": the parent of the interface. */
	for (; colon; colon = strchr(colon + 1, ':')) {
		const char *start = colon, *parent;

		while (start > path && start[-1] != '/')
			start--;
		parent = start > path ? start - 1 : start;
		if (!memchr(start, '-', (size_t)(colon - start)) ||
		    !isdigit((unsigned char)*start))
			continue;
		if (asprintf(&file, "%.*s/serial", (int)(parent - path), path) < 0) {
			file = NULL;
			return -ENOMEM;
		}
		if (root_read(scan->root, file, &value) || !*text_trim(value))
			return 0;
		return device_set_string(&device->serial, text_trim(value));
	}
	return 0;
}

/* "Samsung\x20SSD\x20860" of ID_MODEL_ENC. */
static int decode_property(const char *value, char **ret)
{
	_text_ struct text text = { 0 };
	const char *trimmed;

	if (text_unescape(value, strlen(value), &text))
		return text.error;
	trimmed = text_trim(text.data);
	return *trimmed ? device_set_string(ret, trimmed) : 0;
}

/* The first of the properties that is there and not empty; NULL. */
static const char *find_property(const struct device *device, const char *const *keys,
				 size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *value = device_find_property(device, keys[i]);

		if (value && *value)
			return value;
	}
	return NULL;
}

static int merge_udev(struct device *device)
{
	static const char *const serials[] = { "ID_SCSI_SERIAL", "ID_SERIAL_SHORT" };
	static const char *const wwns[] = { "ID_WWN_WITH_EXTENSION", "ID_WWN" };
	static const char *const revisions[] = { "ID_REVISION" };
	const char *model = device_find_property(device, "ID_MODEL_ENC");
	const char *vendor = device_find_property(device, "ID_VENDOR_ENC");
	const char *serial = find_property(device, serials, ARRAY_SIZE(serials));
	const char *wwn = find_property(device, wwns, ARRAY_SIZE(wwns));
	const char *revision = find_property(device, revisions, ARRAY_SIZE(revisions));
	int error = 0;

	if (model)
		error = decode_property(model, &device->model);
	if (!error && vendor && !device->vendor)
		error = decode_property(vendor, &device->vendor);
	if (!error && serial)
		error = device_set_string(&device->serial, serial);
	if (!error && wwn)
		error = device_set_string(&device->wwn, wwn);
	if (!error && revision && !device->revision)
		error = device_set_string(&device->revision, revision);
	return error;
}

static int read_maker(const struct root_dir *dir, struct device *device)
{
	int error = device_read_string(dir, "device/vendor", &device->vendor);

	if (!error)
		error = read_first(dir, model_files, ARRAY_SIZE(model_files),
				   &device->model);
	/* virtio and PCI devices have a number there: that is the bus's vendor */
	if (device->vendor && text_starts_with(device->vendor, "0x")) {
		free(device->vendor);
		device->vendor = NULL;
	}
	return error;
}

/* What only some kinds of device have. */
static int read_kind(const struct root_dir *dir, struct device *device)
{
	if (text_equal(device->transport, "mmc"))
		return device_read_string(dir, "device/type", &device->card_type);
	if (device->host_driver)
		return device_read_string(dir, "device/raid_level", &device->raid_level);
	return 0;
}

static int read_serials(const struct scan *scan, const struct root_dir *dir,
			struct device *device)
{
	int error =
		read_first(dir, serial_files, ARRAY_SIZE(serial_files), &device->serial);

	if (!error)
		error = read_first(dir, wwid_files, ARRAY_SIZE(wwid_files), &device->wwn);
	if (!error)
		error = read_first(dir, revision_files, ARRAY_SIZE(revision_files),
				   &device->revision);
	if (!error && text_equal(device->transport, "mmc") && !device->wwn)
		error = device_read_string(dir, "device/cid", &device->wwn);
	if (!error && text_equal(device->transport, "usb") && !device->serial)
		error = read_usb_serial(scan, device);
	if (!error)
		error = normalise_wwn(device);
	return error;
}

int device_read_identity(const struct scan *scan, const struct root_dir *dir,
			 struct device *device)
{
	int error = 0;

	/* "device" is missing for dm, md, loop, zram: nothing to ask there. */
	if (root_dir_exists(dir, "device")) {
		error = read_maker(dir, device);
		if (!error)
			error = device_read_transport(scan, dir, device);
		if (!error)
			error = read_kind(dir, device);
		if (!error && scan->needs & SCAN_IDENTITY)
			error = read_serials(scan, dir, device);
	}
	if (!error && scan->needs & SCAN_IDENTITY)
		error = merge_udev(device);
	return error;
}
