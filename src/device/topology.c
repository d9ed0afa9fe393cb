// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What lies on what: the slaves that the kernel links, NVMe paths under their head, the
 * disk under a loop device's file; from these the holders, the level and the owners of
 * the queues where a scheduler can live.
 */
#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "device/nvme-paths.h"
#include "device/scan-internal.h"
#include "sysfs/paths.h"

/* A real stack is a handful deep; a made-up one may be endless. */
#define STACK_DEPTH_MAX 32
/* Disks directly below one, and queues that own its I/O: far above what exists. */
#define SLAVE_MAX 1024

static const struct device *find_parent_disk(const struct scan *scan, const char *path)
{
	const char *end = strrchr(path, '/');
	const char *start = end;
	_free_ char *parent = NULL;

	if (!end)
		return NULL;
	while (start > path && start[-1] != '/')
		start--;
	parent = strndup(start, (size_t)(end - start));
	return parent ? device_list_find(scan->list, parent) : NULL;
}

/* Before 2.6.27 there is no list of partitions: look below the disk that begins so. */
static const struct device *find_by_folder(const struct scan *scan, const char *name)
{
	for (size_t i = 0; i < scan->list->count; i++) {
		const struct device *device = &scan->list->items[i];
		_free_ char *path = NULL;

		if (!text_starts_with(name, device->sys_name))
			continue;
		if (asprintf(&path, PATH_SYS_BLOCK "/%s/%s", device->sys_name, name) <
		    0) {
			path = NULL;
			return NULL;
		}
		if (root_exists(scan->root, path))
			return device;
	}
	return NULL;
}

const struct device *scan_find_disk(const struct scan *scan, const char *name)
{
	const struct device *device = device_list_find(scan->list, name);
	_free_ char *path = NULL, *target = NULL;

	if (device || !*name || strchr(name, '/'))
		return device;
	if (asprintf(&path, PATH_SYS_CLASS_BLOCK "/%s", name) < 0) {
		path = NULL;
		return NULL;
	}
	if (!root_read_link(scan->root, path, &target))
		return find_parent_disk(scan, target);
	if (root_exists(scan->root, PATH_SYS_CLASS_BLOCK))
		return NULL;
	return find_by_folder(scan, name);
}

int device_read_slaves(const struct scan *scan, const struct root_dir *dir,
		       struct device *device)
{
	int error = 0;

	(void)scan;
	if (text_starts_with(device->sys_name, "loop"))
		return device_read_string(dir, "loop/backing_file", &device->loop_file);
	if (text_starts_with(device->sys_name, "dm-")) {
		error = device_read_string(dir, "dm/name", &device->dm_name);
		if (!error)
			error = device_read_string(dir, "dm/uuid", &device->dm_uuid);
	} else if (text_starts_with(device->sys_name, "md")) {
		error = device_read_string(dir, "md/level", &device->md_level);
	} else if (text_starts_with(device->sys_name, "zram") ||
		   text_starts_with(device->sys_name, "ram")) {
		return 0;
	}
	if (!error && root_dir_list(dir, "slaves", &device->slaves) == -ENOMEM)
		error = -ENOMEM;
	return error;
}

static int add_once(struct strv *list, const char *name)
{
	return strv_contains(list, name) ? 0 : strv_add(list, name);
}

static int link_nvme_path(const struct scan *scan, struct device *device)
{
	struct device *head;
	char name[64];

	if (!nvme_path_to_head(device->sys_name, name, sizeof(name)))
		return 0;
	head = device_list_find(scan->list, name);
	if (!head || head == device)
		return 0;
	if (device_set_string(&device->head, head->sys_name))
		return -ENOMEM;
	return strv_add(&head->paths, device->sys_name);
}

/* The members of a bcache set: the caching disks are not among the slaves. */
static int add_bcache_caches(const struct scan *scan, struct device *device)
{
	_strv_ struct strv names = { 0 };
	_free_ char *set = NULL;

	if (!text_starts_with(device->sys_name, "bcache"))
		return 0;
	if (asprintf(&set, PATH_SYS_BLOCK "/%s/bcache/cache", device->sys_name) < 0) {
		set = NULL;
		return -ENOMEM;
	}
	if (root_list(scan->root, set, &names))
		return 0;
	for (size_t i = 0; i < names.count; i++) {
		_free_ char *path = NULL, *target = NULL;
		const struct device *disk;
		char *slash;

		if (!text_starts_with(names.items[i], "cache") ||
		    !isdigit((unsigned char)names.items[i][5]))
			continue;
		if (asprintf(&path, "%s/%s", set, names.items[i]) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		/* "…/block/sdc/sdc1/bcache": without the last part, the block device */
		if (root_resolve(scan->root, path, &target))
			continue;
		slash = strrchr(target, '/');
		if (!slash)
			continue;
		*slash = '\0';
		slash = strrchr(target, '/');
		disk = scan_find_disk(scan, slash ? slash + 1 : target);
		if (disk && add_once(&device->slaves, disk->sys_name))
			return -ENOMEM;
	}
	return 0;
}

/* Partitions among the slaves become their disks. */
static int resolve_slaves(const struct scan *scan, struct device *device)
{
	struct strv raw = device->slaves;
	int error = 0;

	device->slaves = (struct strv){ 0 };
	for (size_t i = 0; !error && i < raw.count && i < SLAVE_MAX; i++) {
		const struct device *disk = scan_find_disk(scan, raw.items[i]);

		if (disk && disk != device)
			error = add_once(&device->slaves, disk->sys_name);
	}
	strv_done(&raw);
	if (!error && device->loop_file) {
		const struct device *disk = mounts_find_disk(scan, device->loop_file);

		if (disk && disk != device)
			error = add_once(&device->slaves, disk->sys_name);
	}
	return error ? error : add_bcache_caches(scan, device);
}

static int link_holders(const struct scan *scan, struct device *device)
{
	bool is_map = device->dm_uuid && text_starts_with(device->dm_uuid, "mpath-");

	for (size_t i = 0; i < device->slaves.count; i++) {
		struct device *slave =
			device_list_find(scan->list, device->slaves.items[i]);

		if (!slave)
			continue;
		/* slaves are listed once each, so this holder comes once */
		if (strv_add(&slave->holders, device->sys_name))
			return -ENOMEM;
		if (is_map && (device_set_string(&slave->head, device->sys_name) ||
			       strv_add(&device->paths, slave->sys_name)))
			return -ENOMEM;
	}
	return 0;
}

static bool has_scheduler(const struct device *device)
{
	return choice_active(&device->scheduler) && device->queue_kind != QUEUE_BIO;
}

/* Walks down until queues with a scheduler are met. `seen` has a mark for each disk. */
static int collect_owners(const struct scan *scan, const struct device *device,
			  struct strv *owners, size_t *seen, size_t mark, unsigned depth)
{
	const struct strv *below = device->paths.count ? &device->paths : &device->slaves;

	if (depth > STACK_DEPTH_MAX)
		return 0;
	for (size_t i = 0; i < below->count && owners->count < SLAVE_MAX; i++) {
		const struct device *next = device_list_find(scan->list, below->items[i]);
		size_t index;
		int error;

		if (!next)
			continue;
		index = (size_t)(next - scan->list->items);
		if (seen[index] == mark)
			continue;
		seen[index] = mark;
		if (has_scheduler(next))
			error = strv_add(owners, next->sys_name);
		else
			error = collect_owners(scan, next, owners, seen, mark, depth + 1);
		if (error)
			return error;
	}
	return 0;
}

static int find_owners(const struct scan *scan)
{
	_free_ size_t *seen = calloc(scan->list->count + 1, sizeof(*seen));

	if (!seen)
		return -ENOMEM;
	for (size_t i = 0; i < scan->list->count; i++) {
		struct device *device = &scan->list->items[i];
		int error;

		if (has_scheduler(device)) {
			device->level = LEVEL_OWN;
			continue;
		}
		seen[i] = i + 1;
		error = collect_owners(scan, device, &device->owners, seen, i + 1, 0);
		if (error)
			return error;
		strv_sort_natural(&device->owners);
		device->level = device->owners.count ? LEVEL_BELOW : LEVEL_NONE;
	}
	return 0;
}

int scan_link_stack(struct scan *scan)
{
	struct device_list *list = scan->list;
	int error = 0;

	for (size_t i = 0; !error && i < list->count; i++)
		error = resolve_slaves(scan, &list->items[i]);
	for (size_t i = 0; !error && i < list->count; i++) {
		error = link_nvme_path(scan, &list->items[i]);
		if (!error)
			error = link_holders(scan, &list->items[i]);
	}
	for (size_t i = 0; i < list->count; i++) {
		strv_sort_natural(&list->items[i].slaves);
		strv_sort_natural(&list->items[i].holders);
		strv_sort_natural(&list->items[i].paths);
	}
	return error ? error : find_owners(scan);
}
