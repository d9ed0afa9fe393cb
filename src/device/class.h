/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What makes a device a member of a class, as data: the rows of class.c and the marks of
 * transport.c. For those who say the same in other words, such as generated udev rules.
 */
#ifndef IOSCHED_DEVICE_CLASS_H
#define IOSCHED_DEVICE_CLASS_H

#include "device/device.h"

enum spin {
	SPIN_ANY,
	SPIN_YES,
	SPIN_NO,
	SPIN_UNKNOWN
};

/* The first row whose every condition holds decides. Text conditions: globs that ignore
   case, any of them separated by '|'; NULL asks nothing. */
struct class_row {
	enum device_class class, nearest; /* nearest: CLASS_UNKNOWN is worked out */
	enum device_confidence confidence;
	const char *name;   /* the kernel's, with '!' */
	const char *path;   /* sys_path */
	const char *driver; /* of the device below the disk */
	const char *host;   /* proc_name of the SCSI host */
	const char *transport, *vendor, *model;
	const char *card;   /* device/type of a memory card */
	const char *raid;   /* device/raid_level */
	const char *zoned;  /* queue/zoned */
	enum spin spin;     /* queue/rotational; SPIN_UNKNOWN: the kernel has none */
	bool has_paths;     /* hidden paths lie below it */
	const char *reason; /* N_() */
};
const struct class_row *class_row_get(size_t index); /* NULL past the end */

/* A component of the sysfs path that begins with `prefix` and goes on with a digit (or,
   where `is_open`, with anything) tells the transport; the first mark in order wins. */
struct transport_path_mark {
	const char *prefix;
	bool is_open;
	const char *transport;
};
const struct transport_path_mark *transport_path_mark_get(size_t index);

/* After those: the SCSI host's proc_name. NVMe goes by its own attribute instead; what
   neither tells is "sata" below ataN or with the vendor "ATA", else "scsi" below hostN. */
struct transport_host_mark {
	const char *glob, *transport;
};
const struct transport_host_mark *transport_host_mark_get(size_t index);

#endif
