// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is on the whole disk, and how its sectors lie. On the host libblkid probes the
 * device where the caller may open it; a snapshot holds what it found. Elsewhere udev's
 * copy and the queue's limits have to do.
 */
#include <blkid.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "device/scan-internal.h"
#include "sysfs/paths.h"
#include "util/number.h"

/* Field of struct device_content, libblkid's name (also in a snapshot), queue attribute. */
static const struct {
	size_t offset;
	const char *tag, *file;
} limits[] = {
	{ offsetof(struct device_content, alignment_offset_bytes), "ALIGNMENT_OFFSET",
	  "alignment_offset" },
	{ offsetof(struct device_content, minimum_io_bytes), "MINIMUM_IO_SIZE",
	  "queue/minimum_io_size" },
	{ offsetof(struct device_content, optimal_io_bytes), "OPTIMAL_IO_SIZE",
	  "queue/optimal_io_size" },
	{ offsetof(struct device_content, logical_sector_bytes), "LOGICAL_SECTOR_SIZE",
	  "queue/logical_block_size" },
	{ offsetof(struct device_content, physical_sector_bytes), "PHYSICAL_SECTOR_SIZE",
	  "queue/physical_block_size" },
};

static const struct {
	size_t offset;
	const char *tag, *property;
} strings[] = {
	{ offsetof(struct device_content, fs_type), "TYPE", "ID_FS_TYPE" },
	{ offsetof(struct device_content, fs_usage), "USAGE", "ID_FS_USAGE" },
	{ offsetof(struct device_content, table_type), "PTTYPE", "ID_PART_TABLE_TYPE" },
};

static char **string_field(struct device_content *content, size_t i)
{
	return (char **)(void *)((char *)content + strings[i].offset);
}

static uint64_t *limit_field(struct device_content *content, size_t i)
{
	return (uint64_t *)(void *)((char *)content + limits[i].offset);
}

static void read_topology(blkid_probe probe, struct device_content *content)
{
	blkid_topology topology = blkid_probe_get_topology(probe);

	if (!topology)
		return;
	content->alignment_offset_bytes = blkid_topology_get_alignment_offset(topology);
	content->minimum_io_bytes = blkid_topology_get_minimum_io_size(topology);
	content->optimal_io_bytes = blkid_topology_get_optimal_io_size(topology);
	content->logical_sector_bytes = blkid_topology_get_logical_sector_size(topology);
	content->physical_sector_bytes =
		blkid_topology_get_physical_sector_size(topology);
}

/* 0 also where nothing could be probed: is_probed tells. */
static int probe_fd(int fd, struct device_content *content)
{
	blkid_probe probe = blkid_new_probe();
	int error = 0;

	if (!probe)
		return -ENOMEM;
	if (!blkid_probe_set_device(probe, fd, 0, 0)) {
		blkid_probe_enable_superblocks(probe, 1);
		blkid_probe_set_superblocks_flags(probe,
						  BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE);
		blkid_probe_enable_partitions(probe, 1);
		/* 1: nothing found; -2: more than one signature, which is no answer */
		content->is_probed = blkid_do_safeprobe(probe) != -1;
		for (size_t i = 0; !error && i < ARRAY_SIZE(strings); i++) {
			const char *value;

			if (!blkid_probe_lookup_value(probe, strings[i].tag, &value,
						      NULL))
				error = device_set_string(string_field(content, i),
							  value);
		}
		if (content->is_probed)
			read_topology(probe, content);
	}
	blkid_free_probe(probe);
	return error;
}

static int probe_host(const struct scan *scan, struct device *device)
{
	_free_ char *path = NULL;
	_close_ int fd = -1;

	/* No medium, nothing to probe; and a floppy drive would have to be started up. */
	if (!device->size_sectors || device->is_hidden ||
	    text_starts_with(device->sys_name, "fd"))
		return 0;
	if (asprintf(&path, PATH_DEV "/%s", device->name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	fd = root_open_device(scan->root, path, device->major, device->minor);
	return fd < 0 ? 0 : probe_fd(fd, &device->content);
}

static int read_snapshot(const struct scan *scan, struct device *device)
{
	struct device_content *content = &device->content;
	struct root_dir dir = ROOT_DIR_NONE;
	_free_ char *path = NULL;
	int error = 0;

	if (asprintf(&path, PATH_SNAPSHOT_BLKID "/%s", device->sys_name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	if (root_dir_open(scan->root, path, &dir))
		return 0;
	content->is_probed = true;
	for (size_t i = 0; !error && i < ARRAY_SIZE(strings); i++)
		error = device_read_string(&dir, strings[i].tag,
					   string_field(content, i));
	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		(void)device_read_u64(&dir, limits[i].tag, limit_field(content, i));
	root_dir_done(&dir);
	return error;
}

static int read_fallback(const struct root_dir *dir, struct device *device)
{
	struct device_content *content = &device->content;

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		(void)device_read_u64(dir, limits[i].file, limit_field(content, i));
	for (size_t i = 0; i < ARRAY_SIZE(strings); i++) {
		const char *value = device_find_property(device, strings[i].property);

		if (value && *value && device_set_string(string_field(content, i), value))
			return -ENOMEM;
	}
	return 0;
}

int device_read_content(const struct scan *scan, const struct root_dir *dir,
			struct device *device)
{
	enum root_kind kind = root_get_kind(scan->root);
	int error = 0;

	if (kind == ROOT_HOST)
		error = probe_host(scan, device);
	else if (kind == ROOT_SNAPSHOT)
		error = read_snapshot(scan, device);
	if (!error && !device->content.is_probed)
		error = read_fallback(dir, device);
	return error;
}

bool device_format_content(const struct device *device, size_t index,
			   const char **ret_tag, char *buf, size_t size)
{
	const char *base = (const char *)&device->content;

	if (!device->content.is_probed)
		return false;
	if (index < ARRAY_SIZE(strings)) {
		const char *value =
			*(char *const *)(const void *)(base + strings[index].offset);

		*ret_tag = strings[index].tag;
		snprintf(buf, size, "%s", value ? value : "");
		return true;
	}
	index -= ARRAY_SIZE(strings);
	if (index >= ARRAY_SIZE(limits))
		return false;
	*ret_tag = limits[index].tag;
	snprintf(buf, size, "%" PRIu64,
		 *(const uint64_t *)(const void *)(base + limits[index].offset));
	return true;
}
