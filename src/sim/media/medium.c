/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Media by name: presets, and the one that stands for a class of devices. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/media/models.h"
#include "sim/media/presets.h"

/* The classes of the device table; what is behind a stacked one is not known here, so it
   is taken for what carries most of them. */
static const struct {
	const char *class, *preset;
} classes[] = {
	{ "unknown", "hdd-7200" },
	{ "hdd", "hdd-7200" },
	{ "smr-hdd", "smr-host-managed" },
	{ "ssd", "sata-ssd" },
	{ "nvme", "nvme" },
	{ "nvme-path", "nvme-enterprise" },
	{ "nvme-head", "nvme-enterprise" },
	{ "zns", "zns" },
	{ "emmc", "emmc" },
	{ "sdcard", "sdcard" },
	{ "ufs", "ufs" },
	{ "usb", "usb-disk" },
	{ "raid", "raid5-hdd" },
	{ "virtual", "virtio" },
	{ "network", "network" },
	{ "dm", "hdd-7200" },
	{ "md", "hdd-7200" },
	{ "bcache", "hdd-7200" },
	{ "loop", "sata-ssd" },
	{ "zram", "ram" },
	{ "ram", "ram" },
	{ "pmem", "ram" },
	{ "dasd", "raid5-hdd" },
	{ "optical", "optical" },
	{ "floppy", "floppy" },
};

const struct sim_medium_preset *sim_medium_preset(size_t index)
{
	const struct preset *preset = preset_get(index);

	return preset ? &preset->words : NULL;
}

int sim_media_parameter(const struct sim_media_ops *ops, const char *key)
{
	for (size_t i = 0; i < ops->parameter_count; i++) {
		if (strcmp(ops->parameters[i].key, key) == 0)
			return (int)i;
	}
	return -ENOENT;
}

bool sim_medium_has_arm(const struct sim_medium *medium)
{
	return medium->ops->has_arm && medium->ops->has_arm(medium);
}

void sim_medium_of_model(const struct sim_media_ops *ops, struct sim_medium *ret)
{
	*ret = (struct sim_medium){
		.class = "unknown",
		.ops = ops,
		.capacity_sectors = UINT64_C(1) << 31, /* 1 TiB */
		.hw_queues = 1,
		.hw_depth = 32,
	};
	snprintf(ret->name, sizeof(ret->name), "%s", ops->name);
	for (size_t i = 0; i < ops->parameter_count; i++)
		ret->values[i] = ops->parameters[i].initial;
}

static void fill(const struct preset *preset, struct sim_medium *ret)
{
	sim_medium_of_model(preset->ops, ret);
	snprintf(ret->name, sizeof(ret->name), "%s", preset->words.name);
	ret->class = preset->class;
	ret->capacity_sectors = preset->capacity_mb * 1000000 / 512;
	ret->hw_queues = preset->hw_queues;
	ret->hw_depth = preset->hw_depth;
	ret->is_rotational = preset->is_rotational;
	ret->zone_sectors = preset->zone_mib * 2048;
	ret->is_host_managed = preset->is_host_managed;
	for (const struct preset_value *value = preset->values; value->key; value++) {
		int index = sim_media_parameter(preset->ops, value->key);

		if (index >= 0)
			ret->values[index] = value->value;
	}
}

int sim_medium_find(const char *name, struct sim_medium *ret)
{
	const struct preset *preset;

	for (size_t i = 0; (preset = preset_get(i)); i++) {
		if (strcmp(preset->words.name, name) == 0) {
			fill(preset, ret);
			return 0;
		}
	}
	return sim_medium_for_class(name, ret);
}

const char *sim_medium_class(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (strcmp(classes[i].class, name) == 0)
			return classes[i].class;
	}
	return NULL;
}

int sim_medium_for_class(const char *class, struct sim_medium *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if (strcmp(classes[i].class, class) != 0)
			continue;
		/* No row of the table is named after a class that has no preset. */
		for (size_t j = 0; preset_get(j); j++) {
			if (strcmp(preset_get(j)->words.name, classes[i].preset) == 0) {
				fill(preset_get(j), ret);
				ret->class = classes[i].class;
				return 0;
			}
		}
	}
	return -ENOENT;
}
