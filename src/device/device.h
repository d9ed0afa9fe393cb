/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One whole disk as the kernel shows it: what it is, what it can do, what is above and
 * below it, and which class that makes it. Read once by device_scan(), then const.
 */
#ifndef IOSCHED_DEVICE_DEVICE_H
#define IOSCHED_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sysfs/choice.h"
#include "sysfs/root.h"
#include "tunable/scheduler.h"
#include "tunable/tunable.h"
#include "util/text.h"

struct host;

/* In the order of the design; the table in class.c has one or more rows for each. */
enum device_class {
	CLASS_UNKNOWN,
	CLASS_HDD,
	CLASS_SMR_HDD,
	CLASS_SSD,
	CLASS_NVME,
	CLASS_NVME_PATH,
	CLASS_NVME_HEAD,
	CLASS_ZNS,
	CLASS_EMMC,
	CLASS_SDCARD,
	CLASS_UFS,
	CLASS_USB,
	CLASS_RAID,
	CLASS_VIRTUAL,
	CLASS_NETWORK,
	CLASS_DM,
	CLASS_MD,
	CLASS_BCACHE,
	CLASS_LOOP,
	CLASS_ZRAM,
	CLASS_RAM,
	CLASS_PMEM,
	CLASS_DASD,
	CLASS_OPTICAL,
	CLASS_FLOPPY,
	CLASS_COUNT,
};

const char *device_class_name(enum device_class class); /* "hdd", "smr-hdd" … */
int device_class_parse(const char *name, enum device_class *ret); /* -EINVAL */
const char *device_class_summary(enum device_class class);        /* N_() */

enum device_confidence {
	CONFIDENCE_GUESS,
	CONFIDENCE_LIKELY,
	CONFIDENCE_CERTAIN
};
const char *device_confidence_name(enum device_confidence confidence);

/* Where the scheduler of this device's I/O lives. */
enum device_level {
	LEVEL_OWN,   /* this queue has one */
	LEVEL_BELOW, /* dm, md, bcache, nvme head: in the queues of `owners` */
	LEVEL_NONE,  /* nowhere: zram, pmem, ram, a bio-based queue over nothing */
};

/*
 * What a scan has to find out. Fewer bits, fewer system calls. Names, sys_path and
 * `rotational` are always there.
 */
enum scan_need {
	SCAN_SCHEDULER = 1 << 0,    /* queue/scheduler */
	SCAN_QUEUE = 1 << 1,        /* the queue attributes that a policy can set, and
				    max_hw_sectors_kb */
	SCAN_IOSCHED = 1 << 2,      /* iosched values */
	SCAN_HWQUEUES = 1 << 3,     /* the mq directory */
	SCAN_HWQUEUE_CPUS = 1 << 4, /* and the CPU list of each */
	SCAN_IDENTITY = 1 << 5,     /* transport, model, vendor, serial, wwn, driver */
	SCAN_UDEV = 1 << 6,         /* udev properties */
	SCAN_CONTENT = 1 << 7,      /* libblkid: filesystem, partition table, alignment */
	SCAN_MOUNTS = 1 << 8,       /* mounts and swap of the disk and all above it */
	SCAN_STACK = 1 << 9,        /* slaves, holders, paths, level and owners */
	SCAN_CLASS = 1 << 10,       /* implies what classification needs */
	SCAN_INFLIGHT = 1 << 11,
	SCAN_NR_REQUESTS = 1 << 12, /* of the queue attributes only this one */
	SCAN_BASICS = 1 << 13,      /* device number, size, removable, hidden, read-only,
				    diskseq, zoned */
	SCAN_QUEUE_ALL =
		1 << 14, /* the read-only queue attributes of the catalogue too */
	SCAN_ALL = 0x7fff,
};

/* One attribute of the catalogue as it was read. */
struct device_value {
	const struct tunable *tunable;
	int error;        /* 0, or why it could not be read; absent ones are not listed */
	bool is_writable; /* by its mode */
	char text[TUNABLE_VALUE_MAX];
};

struct device_property {
	char *key;
	char *value;
};

struct device_mount {
	char *source_name; /* kernel name of the partition or holder: "sda2", "dm-0" */
	char *target;      /* NULL for swap */
	char *fstype;
	char *options;
};

/* What libblkid (or udev's copy of it) says is on the whole disk. */
struct device_content {
	char *fs_type; /* NULL: none */
	char *fs_usage;
	char *table_type; /* gpt, dos */
	uint64_t alignment_offset_bytes;
	uint64_t minimum_io_bytes, optimal_io_bytes;
	uint64_t logical_sector_bytes, physical_sector_bytes;
	bool is_probed; /* false: not permitted or not asked */
};

struct device {
	char *name;     /* "nvme0n1", also for names with '!' turned to '/' */
	char *sys_name; /* as in /sys/block: "cciss!c0d0" */
	char *sys_path; /* resolved, below the root: "sys/devices/…/block/sda" */
	unsigned major, minor; /* 0, 0 without a node */
	uint64_t diskseq;      /* 0 when the kernel has none (before 5.15) */
	uint64_t size_sectors; /* 512 B */
	bool is_removable, is_hidden, is_read_only;
	int rotational; /* 0, 1, -1 not known */
	char zoned[16]; /* "none", "host-aware", "host-managed"; "" not known */
	enum queue_kind queue_kind;
	bool has_scheduler_file;
	struct choice scheduler;   /* as offered by the file */
	size_t hw_queues;          /* directories in mq/; 0 for none */
	struct strv hw_queue_cpus; /* "0-3", index = hardware queue */
	uint64_t driver_tags; /* of each hardware queue (mq/0/nr_tags); 0 not known */
	uint64_t inflight_reads, inflight_writes;

	char *transport; /* "sata", "sas", "nvme", "usb", "virtio", "mmc", "iscsi", "fc" … */
	char *model, *vendor, *serial, *wwn, *revision;
	char *driver;      /* of the device below the disk: "sd", "nvme", "virtio_blk" */
	char *host_driver; /* SCSI: of the host adapter: "ahci", "megaraid_sas" */
	char *card_type;   /* mmc: "MMC" (soldered) or "SD" */
	char *raid_level;  /* hpsa, smartpqi: "RAID 5"; "N/A" for a disk passed through */
	char *dm_name, *dm_uuid, *md_level, *loop_file;
	struct strv devlinks; /* "/dev/disk/by-id/…" from udev */

	struct device_value *values;
	size_t value_count;
	struct device_property *udev;
	size_t udev_count;
	struct device_content content;
	struct device_mount *mounts; /* of this disk, its partitions and all above */
	size_t mount_count;
	bool is_swap;

	struct strv slaves, holders; /* whole disks, as sys_name; a loop device's slave is
					the disk under its backing file, where it can be told */
	struct strv paths; /* nvme head: its hidden paths; multipath map: its paths */
	char *head;        /* nvme path: its head; multipath member: its map */
	enum device_level level;
	struct strv owners; /* LEVEL_BELOW: disks whose queues own the scheduler */

	enum device_class class;
	enum device_class nearest; /* medium to treat it as when named and no rule fits */
	enum device_confidence confidence;
	struct strv
		evidence; /* "queue/rotational = 1", one fact a line, in order of weight */
	const char *reason;    /* N_(): what the table's row concludes from it */
	char *override_source; /* file that set the class, NULL when the table did */
};

const struct device_value *device_find_value(const struct device *device,
					     const struct tunable *tunable);
const char *device_find_property(const struct device *device, const char *key);

/* Hidden disks have neither a device number nor a file below /dev. Needs SCAN_BASICS. */
static inline bool device_has_node(const struct device *device)
{
	return !device->is_hidden;
}

/* All disks of a root, natural order of names. */
struct device_list {
	struct device *items;
	size_t count;
	struct host *host;
};

void device_list_free(struct device_list *list);
DEFINE_CLEANUP(struct device_list *, device_list_free)

/*
 * A class that was set by hand for one disk, found by its stable identity. The device
 * layer does not know where they are kept; policy reads them from devices.d.
 */
struct device_override {
	const char *wwn, *serial, *by_path, *by_id; /* globs; NULL: not asked */
	enum device_class class;
	const char *source; /* file:line, for the report */
};

/*
 * Reads every disk (hidden paths included). A disk that vanishes while it is read is
 * left out; an attribute that cannot be read is data. Errors: no sysfs (-ENOENT, with
 * diag), -ENOMEM.
 */
int device_scan(const struct root *root, unsigned needs /* enum scan_need */,
		const struct device_override *overrides, size_t override_count,
		struct device_list **ret, struct diag *diag);

/*
 * The disk meant by a DEVICE argument: "sda", "sda1" (its disk), "/dev/sda",
 * "/dev/disk/by-id/…", "/dev/mapper/vg-lv", "vg-lv", "/sys/block/sda", "8:0". -ENODEV with a diag that names
 * what was asked and what is there that comes near.
 */
int device_find(const struct root *root, const struct device_list *list,
		const char *argument, const struct device **ret, struct diag *diag);
const struct device *device_find_by_name(const struct device_list *list,
					 const char *name);

#endif
