/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What smartctl says of a disk. It is run as a child with a time limit and does not wake
 * a disk that sleeps; its JSON is trusted with nothing.
 */
#ifndef IOSCHED_DIAGNOSE_SMART_H
#define IOSCHED_DIAGNOSE_SMART_H

#include <stdint.h>

#include "device/device.h"
#include "sysfs/root.h"

enum smart_state {
	SMART_NOT_FOR, /* no such disk: an array, a virtual disk, a stack */
	SMART_NO_TOOL,
	SMART_DENIED, /* only root may ask */
	SMART_ASLEEP,
	SMART_TIMEOUT,
	SMART_NOT_ASKED, /* a snapshot without it */
	SMART_NO_ANSWER, /* the disk or its bridge has none, or none that is understood */
	SMART_KNOWN,
};

/* -1 where the disk does not say. */
struct smart {
	enum smart_state state;
	int is_passed; /* its own verdict: 0, 1 */
	int64_t temperature_c;
	/* ATA attributes, raw. */
	int64_t reallocated, pending, uncorrectable, crc_errors;
	int64_t wear_left_percent; /* normalised value of the wear attribute */
	/* NVMe health log. */
	int64_t critical_warning, media_errors, used_percent, spare_percent,
		spare_threshold_percent, hot_minutes;
};

/* Asks the disk of this host; a snapshot is looked up. -ENOMEM only. */
int smart_read(const struct root *root, const struct device *device, struct smart *ret);

/* From smartctl's JSON, or the part of it that a snapshot keeps. -EBADMSG. */
int smart_parse(const char *json, struct smart *ret);

/*
 * The JSON of a disk of this host without what identifies the disk: for a snapshot. NULL
 * in *ret when there is none. -ENOMEM.
 */
int smart_record(const struct root *root, const struct device *device, char **ret);

#endif
