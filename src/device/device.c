// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The device value: release, lookups, and the words for classes and confidence.
 */
#include "device/device.h"

#include <errno.h>
#include <string.h>

#include "device/host.h"
#include "device/scan-internal.h"
#include "util/i18n.h"

static const struct {
	const char *name;
	const char *summary;
} classes[CLASS_COUNT] = {
	[CLASS_UNKNOWN] = { "unknown", N_("nothing tells what it is") },
	[CLASS_HDD] = { "hdd", N_("spinning disk") },
	[CLASS_SMR_HDD] = { "smr-hdd", N_("spinning disk with shingled zones") },
	[CLASS_SSD] = { "ssd", N_("solid state disk on SATA or SAS") },
	[CLASS_NVME] = { "nvme", N_("NVMe namespace") },
	[CLASS_NVME_PATH] = { "nvme-path", N_("hidden path to an NVMe multipath head") },
	[CLASS_NVME_HEAD] = { "nvme-head",
			      N_("NVMe multipath head, no queue of its own") },
	[CLASS_ZNS] = { "zns", N_("zoned flash namespace") },
	[CLASS_EMMC] = { "emmc", N_("soldered flash (eMMC)") },
	[CLASS_SDCARD] = { "sdcard", N_("memory card") },
	[CLASS_UFS] = { "ufs", N_("universal flash storage") },
	[CLASS_USB] = { "usb", N_("disk or stick on USB") },
	[CLASS_RAID] = { "raid", N_("hardware RAID or array volume, medium unknown") },
	[CLASS_VIRTUAL] = { "virtual", N_("disk that a hypervisor provides") },
	[CLASS_NETWORK] = { "network", N_("disk over the network (NBD, RBD, iSCSI)") },
	[CLASS_DM] = { "dm", N_("device mapper: LVM, LUKS, multipath") },
	[CLASS_MD] = { "md", N_("software RAID") },
	[CLASS_BCACHE] = { "bcache", N_("disk cached by another") },
	[CLASS_LOOP] = { "loop", N_("file shown as a disk") },
	[CLASS_ZRAM] = { "zram", N_("compressed memory") },
	[CLASS_RAM] = { "ram", N_("memory") },
	[CLASS_PMEM] = { "pmem", N_("persistent memory") },
	[CLASS_DASD] = { "dasd", N_("mainframe disk (DASD)") },
	[CLASS_OPTICAL] = { "optical", N_("optical drive") },
	[CLASS_FLOPPY] = { "floppy", N_("floppy drive") },
};

const char *device_class_name(enum device_class class)
{
	return (unsigned)class < CLASS_COUNT ? classes[class].name : "unknown";
}

const char *device_class_summary(enum device_class class)
{
	return (unsigned)class < CLASS_COUNT ? classes[class].summary
					     : classes[CLASS_UNKNOWN].summary;
}

int device_class_parse(const char *name, enum device_class *ret)
{
	for (size_t i = 0; i < CLASS_COUNT; i++) {
		if (!strcmp(classes[i].name, name)) {
			*ret = (enum device_class)i;
			return 0;
		}
	}
	return -EINVAL;
}

const char *device_confidence_name(enum device_confidence confidence)
{
	static const char *const names[] = {
		[CONFIDENCE_GUESS] = N_("guess"),
		[CONFIDENCE_LIKELY] = N_("likely"),
		[CONFIDENCE_CERTAIN] = N_("certain"),
	};

	return (unsigned)confidence < ARRAY_SIZE(names) ? names[confidence] : names[0];
}

const struct device_value *device_find_value(const struct device *device,
					     const struct tunable *tunable)
{
	for (size_t i = 0; i < device->value_count; i++)
		if (device->values[i].tunable == tunable)
			return &device->values[i];
	return NULL;
}

const char *device_find_property(const struct device *device, const char *key)
{
	for (size_t i = 0; i < device->udev_count; i++)
		if (!strcmp(device->udev[i].key, key))
			return device->udev[i].value;
	return NULL;
}

static void content_done(struct device_content *content)
{
	free(content->fs_type);
	free(content->fs_usage);
	free(content->table_type);
}

static void strings_done(struct device *device)
{
	char *const owned[] = {
		device->name,
		device->sys_name,
		device->sys_path,
		device->transport,
		device->model,
		device->vendor,
		device->serial,
		device->wwn,
		device->revision,
		device->driver,
		device->host_driver,
		device->card_type,
		device->raid_level,
		device->dm_name,
		device->dm_uuid,
		device->md_level,
		device->loop_file,
		device->head,
		device->override_source,
	};

	for (size_t i = 0; i < ARRAY_SIZE(owned); i++)
		free(owned[i]);
}

void device_done(struct device *device)
{
	strings_done(device);
	content_done(&device->content);
	strv_done(&device->hw_queue_cpus);
	strv_done(&device->devlinks);
	strv_done(&device->slaves);
	strv_done(&device->holders);
	strv_done(&device->paths);
	strv_done(&device->owners);
	strv_done(&device->evidence);
	free(device->values);
	for (size_t i = 0; i < device->udev_count; i++) {
		free(device->udev[i].key);
		free(device->udev[i].value);
	}
	free(device->udev);
	for (size_t i = 0; i < device->mount_count; i++) {
		free(device->mounts[i].source_name);
		free(device->mounts[i].target);
		free(device->mounts[i].fstype);
		free(device->mounts[i].options);
	}
	free(device->mounts);
}

void device_list_free(struct device_list *list)
{
	if (!list)
		return;
	for (size_t i = 0; i < list->count; i++)
		device_done(&list->items[i]);
	free(list->items);
	host_free(list->host);
	free(list);
}
