/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of a scan share. Every function fills in its fields of the device and
 * returns -ENOMEM or 0: an attribute that is not there leaves its field as it was.
 */
#ifndef IOSCHED_DEVICE_SCAN_INTERNAL_H
#define IOSCHED_DEVICE_SCAN_INTERNAL_H

#include "device/device.h"

/* Identity from sysfs alone: what classification needs, without the udev database. */
#define SCAN_SYSFS_IDENTITY (1u << 20)

struct udev;
struct mount_table;

struct scan {
	const struct root *root;
	unsigned needs;
	struct device_list *list;
	struct udev *udev; /* host only, NULL where udev does not run */
	bool has_udev_data;
	struct mount_table *mounts; /* NULL until mounts_read() */
};

/* --- device.c --- */
void device_done(struct device *device);

/* --- host.c --- */

/* Does a line of modules.dep or modules.builtin name this module's file? */
bool host_lists_module(const char *list, const char *module);

/* --- read.c: attributes as text --- */

/* Trimmed; an empty or unreadable attribute leaves *ret alone. Replaces and frees what
   was there. */
int device_read_string(const struct root_dir *dir, const char *name, char **ret);
int device_read_u64(const struct root_dir *dir, const char *name, uint64_t *ret);
/* "8:0"; -EINVAL. */
int device_parse_devnum(const char *text, unsigned *ret_major, unsigned *ret_minor);
bool device_read_flag(const struct root_dir *dir, const char *name);
/* The last component of a link's target: "sd" of "…/drivers/sd". */
int device_read_link_name(const struct root_dir *dir, const char *name, char **ret);
/* Frees *string and puts a copy of `value` there. */
int device_set_string(char **string, const char *value);
/* Like device_find_by_name(), for changing. By sys_name only. */
struct device *device_list_find(const struct device_list *list, const char *sys_name);

/* --- queue.c --- */
int device_read_queue(const struct scan *scan, const struct root_dir *dir,
		      struct device *device);

/* --- udev.c --- */
int scan_open_udev(struct scan *scan);
void scan_close_udev(struct scan *scan);
int device_read_udev(const struct scan *scan, struct device *device);

/* --- transport.c, identity.c --- */
int device_read_transport(const struct scan *scan, const struct root_dir *dir,
			  struct device *device);
int device_read_identity(const struct scan *scan, const struct root_dir *dir,
			 struct device *device);

/* --- topology.c --- */

/* The disk (sys_name) that a kernel name of a disk or partition belongs to; NULL. */
const struct device *scan_find_disk(const struct scan *scan, const char *name);
int device_read_slaves(const struct scan *scan, const struct root_dir *dir,
		       struct device *device);
/* After all disks are read: holders, paths, heads, level, owners. */
int scan_link_stack(struct scan *scan);

/* --- mounts.c --- */
int mounts_read(struct scan *scan);
void mounts_free(struct mount_table *table);
/* The disk under a file, by the mount it lies on; NULL when it cannot be told. */
const struct device *mounts_find_disk(const struct scan *scan, const char *file);
int scan_attach_mounts(struct scan *scan);

/* --- content.c --- */
int device_read_content(const struct scan *scan, const struct root_dir *dir,
			struct device *device);

/* The values that were probed, one by one, as a snapshot keeps them; false past the end or
   where nothing was probed. "" for one that is not there. */
bool device_format_content(const struct device *device, size_t index,
			   const char **ret_tag, char *buf, size_t size);

/* --- class.c --- */
int scan_classify(struct scan *scan, const struct device_override *overrides,
		  size_t override_count);

#endif
