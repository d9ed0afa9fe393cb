// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mounts and swap areas, from the text of the root's own tables (libmount reads them),
 * given to the disk that holds each and to all disks below that one.
 */
#include <errno.h>
#include <libmount.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "device/scan-internal.h"
#include "sysfs/paths.h"
#include "util/feature.h"

#define STACK_DEPTH_MAX 32
/* Far above what real hosts have; a made-up table could be endless. Of the table, of one
   disk, and of all disks together. */
#define MOUNT_MAX      65536
#define DISK_MOUNT_MAX 4096
#define ATTACHED_MAX   1000000

struct mount_entry {
	struct device_mount mount; /* source_name is the kernel name */
	const struct device *disk; /* NULL: not on a block device that is known */
};

struct mount_table {
	struct mount_entry *items;
	size_t count, room;
	const struct device **by_number; /* the scan's disks, sorted by device number */
	size_t attached;
};

static void mount_done(struct device_mount *mount)
{
	free(mount->source_name);
	free(mount->target);
	free(mount->fstype);
	free(mount->options);
}

void mounts_free(struct mount_table *table)
{
	if (!table)
		return;
	for (size_t i = 0; i < table->count; i++)
		mount_done(&table->items[i].mount);
	free(table->items);
	free(table->by_number);
	free(table);
}

static int copy_string(char **ret, const char *value)
{
	*ret = value ? strdup(value) : NULL;
	return value && !*ret ? -ENOMEM : 0;
}

static int copy_mount(struct device_mount *mount, const char *source_name,
		      const char *target, const char *fstype, const char *options)
{
	int error;

	*mount = (struct device_mount){ 0 };
	error = copy_string(&mount->source_name, source_name);
	if (!error)
		error = copy_string(&mount->target, target);
	if (!error)
		error = copy_string(&mount->fstype, fstype);
	if (!error)
		error = copy_string(&mount->options, options);
	if (error) {
		mount_done(mount);
		*mount = (struct device_mount){ 0 };
	}
	return error;
}

static struct mount_entry *add_entry(struct mount_table *table)
{
	if (table->count == table->room) {
		size_t room = table->room ? table->room * 2 : 32;
		struct mount_entry *items =
			reallocarray(table->items, room, sizeof(*items));

		if (!items)
			return NULL;
		table->items = items;
		table->room = room;
	}
	table->items[table->count] = (struct mount_entry){ 0 };
	return &table->items[table->count++];
}

static int compare_numbers(const struct device *device, unsigned major_number,
			   unsigned minor_number)
{
	if (device->major != major_number)
		return device->major < major_number ? -1 : 1;
	if (device->minor != minor_number)
		return device->minor < minor_number ? -1 : 1;
	return 0;
}

static int compare_devices(const void *a, const void *b)
{
	const struct device *const *left = a, *const *right = b;

	return compare_numbers(*left, (*right)->major, (*right)->minor);
}

static int index_numbers(const struct scan *scan, struct mount_table *table)
{
	size_t count = scan->list->count;

	table->by_number = calloc(count + 1, sizeof(const struct device *));
	if (!table->by_number)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		table->by_number[i] = &scan->list->items[i];
	qsort(table->by_number, count, sizeof(const struct device *), compare_devices);
	return 0;
}

static const struct device *find_number(const struct scan *scan,
					const struct mount_table *table, dev_t number)
{
	size_t low = 0, high = scan->list->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare_numbers(table->by_number[middle], major(number),
					    minor(number));

		if (!order)
			return table->by_number[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

/* The kernel's name for a device number: a disk of the list, or what sysfs links. */
static int name_of_number(const struct scan *scan, const struct mount_table *table,
			  dev_t number, char **ret)
{
	const struct device *device = find_number(scan, table, number);
	_free_ char *path = NULL, *target = NULL;
	const char *slash;

	if (device)
		return copy_string(ret, device->sys_name);
	if (asprintf(&path, PATH_SYS_DEV_BLOCK "/%u:%u", major(number), minor(number)) <
	    0) {
		path = NULL;
		return -ENOMEM;
	}
	if (root_read_link(scan->root, path, &target))
		return 0;
	slash = strrchr(target, '/');
	return copy_string(ret, slash ? slash + 1 : target);
}

/* "/dev/sda2", "/dev/mapper/vg-root", "/dev/cciss/c0d0p1"; NULL where it says nothing. */
static int name_of_source(const struct scan *scan, const char *source, char **ret)
{
	static const char dev[] = "/" PATH_DEV "/", mapper[] = "mapper/";
	char *name;

	if (!source || !text_starts_with(source, dev))
		return 0;
	source += strlen(dev);
	for (size_t i = 0; text_starts_with(source, mapper) && i < scan->list->count;
	     i++) {
		const struct device *device = &scan->list->items[i];

		if (text_equal(device->dm_name, source + strlen(mapper)))
			return copy_string(ret, device->sys_name);
	}
	name = strdup(source);
	if (!name)
		return -ENOMEM;
	for (char *p = name; (p = strchr(p, '/'));)
		*p = '!';
	*ret = name;
	return 0;
}

static int add_mount(const struct scan *scan, struct mount_table *table,
		     struct libmnt_fs *fs)
{
	_free_ char *name = NULL;
	dev_t number = mnt_fs_get_devno(fs);
	struct mount_entry *entry;
	int error = 0;

	/* Major 0: no block device, unless (btrfs) the source names one. */
	if (major(number))
		error = name_of_number(scan, table, number, &name);
	if (!error && !name)
		error = name_of_source(scan, mnt_fs_get_source(fs), &name);
	if (error)
		return error;
	entry = add_entry(table);
	if (!entry)
		return -ENOMEM;
	entry->disk = name ? scan_find_disk(scan, name) : NULL;
	return copy_mount(&entry->mount, name ? name : "", mnt_fs_get_target(fs),
			  mnt_fs_get_fstype(fs), mnt_fs_get_options(fs));
}

static int read_mountinfo(const struct scan *scan, struct mount_table *table)
{
	_free_ char *text = NULL;
	struct libmnt_table *mounts = NULL;
	struct libmnt_iter *iter = NULL;
	struct libmnt_fs *fs;
	FILE *stream = NULL;
	int error = root_read(scan->root, PATH_MOUNTINFO, &text);

	if (error || !*text)
		return error == -ENOMEM ? error : 0;
	mounts = mnt_new_table();
	iter = mnt_new_iter(MNT_ITER_FORWARD);
	stream = fmemopen(text, strlen(text), "r");
	if (!mounts || !iter || !stream)
		error = -ENOMEM;
	else if (!mnt_table_parse_stream(mounts, stream, PATH_MOUNTINFO))
		while (!error && table->count < MOUNT_MAX &&
		       !mnt_table_next_fs(mounts, iter, &fs))
			error = add_mount(scan, table, fs);
	if (stream)
		fclose(stream);
	mnt_free_iter(iter);
#if HAVE_MOUNT_REFERENCES
	mnt_unref_table(mounts);
#else
	mnt_free_table(mounts);
#endif
	return error;
}

/* proc/swaps: a header, then "/dev/sda3  partition  size used priority". */
static int read_swaps(const struct scan *scan, struct mount_table *table)
{
	_free_ char *text = NULL;
	_strv_ struct strv lines = { 0 };
	int error = root_read(scan->root, PATH_SWAPS, &text);

	if (error)
		return error == -ENOMEM ? error : 0;
	error = strv_split(&lines, text, "\n");
	for (size_t i = 1; !error && i < lines.count && table->count < MOUNT_MAX; i++) {
		_strv_ struct strv words = { 0 };
		_free_ char *name = NULL;
		struct mount_entry *entry;

		error = strv_split(&words, lines.items[i], " \t");
		if (error || words.count < 2 || strcmp(words.items[1], "partition"))
			continue;
		error = name_of_source(scan, words.items[0], &name);
		if (error || !name)
			continue;
		entry = add_entry(table);
		if (!entry)
			return -ENOMEM;
		entry->disk = scan_find_disk(scan, name);
		error = copy_mount(&entry->mount, name, NULL, "swap", NULL);
	}
	return error;
}

int mounts_read(struct scan *scan)
{
	struct mount_table *table = calloc(1, sizeof(*table));
	int error;

	if (!table)
		return -ENOMEM;
	error = index_numbers(scan, table);
	if (!error)
		error = read_mountinfo(scan, table);
	if (!error)
		error = read_swaps(scan, table);
	if (error)
		mounts_free(table);
	else
		scan->mounts = table;
	return error;
}

static bool is_below(const char *file, const char *target)
{
	size_t len = strlen(target);

	if (!strcmp(target, "/"))
		return true;
	return !strncmp(file, target, len) && (!file[len] || file[len] == '/');
}

const struct device *mounts_find_disk(const struct scan *scan, const char *file)
{
	const struct mount_entry *best = NULL;
	size_t best_len = 0;

	if (!scan->mounts)
		return NULL;
	if (text_starts_with(file, "/" PATH_DEV "/")) {
		_free_ char *name = NULL;

		if (!name_of_source(scan, file, &name) && name) {
			const struct device *disk = scan_find_disk(scan, name);

			if (disk)
				return disk;
		}
	}
	for (size_t i = 0; i < scan->mounts->count; i++) {
		const struct mount_entry *entry = &scan->mounts->items[i];
		size_t len;

		if (!entry->mount.target || !is_below(file, entry->mount.target))
			continue;
		len = strlen(entry->mount.target);
		if (best && len < best_len) /* of equals the later covers the earlier */
			continue;
		best = entry;
		best_len = len;
	}
	return best ? best->disk : NULL;
}

static int attach(const struct scan *scan, struct device *device,
		  const struct device_mount *mount, size_t *seen, size_t mark,
		  unsigned depth)
{
	size_t index = (size_t)(device - scan->list->items);
	struct device_mount *mounts;
	int error;

	if (depth > STACK_DEPTH_MAX || seen[index] == mark ||
	    device->mount_count == DISK_MOUNT_MAX ||
	    scan->mounts->attached == ATTACHED_MAX)
		return 0;
	seen[index] = mark;
	mounts = reallocarray(device->mounts, device->mount_count + 1, sizeof(*mounts));
	if (!mounts)
		return -ENOMEM;
	device->mounts = mounts;
	error = copy_mount(&mounts[device->mount_count], mount->source_name,
			   mount->target, mount->fstype, mount->options);
	if (error)
		return error;
	device->mount_count++;
	scan->mounts->attached++;
	if (!mount->target)
		device->is_swap = true;
	for (size_t i = 0; !error && i < device->slaves.count + device->paths.count;
	     i++) {
		const char *name =
			i < device->slaves.count
				? device->slaves.items[i]
				: device->paths.items[i - device->slaves.count];
		struct device *below = device_list_find(scan->list, name);

		if (below)
			error = attach(scan, below, mount, seen, mark, depth + 1);
	}
	return error;
}

int scan_attach_mounts(struct scan *scan)
{
	_free_ size_t *seen = calloc(scan->list->count + 1, sizeof(*seen));
	int error = 0;

	if (!seen)
		return -ENOMEM;
	for (size_t i = 0; !error && i < scan->mounts->count; i++) {
		const struct mount_entry *entry = &scan->mounts->items[i];

		if (entry->disk)
			error = attach(
				scan, &scan->list->items[entry->disk - scan->list->items],
				&entry->mount, seen, i + 1, 0);
	}
	return error;
}
