/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What may spoil a comparison: who else uses the machine and the device, and what changes
 * its speed meanwhile.
 */
#ifndef IOSCHED_BENCH_CONDITIONS_H
#define IOSCHED_BENCH_CONDITIONS_H

#include <stdbool.h>

#include "device/device.h"
#include "device/load.h"
#include "sysfs/root.h"
#include "util/text.h"

struct conditions {
	bool has_irqbalance;
	char governor[32];     /* of the first processor that has one; "" none */
	double load_average;   /* of the last minute; negative: not known */
	unsigned processors;
	bool has_other;        /* I/O of others was looked for */
	struct device_load other;
	char virtualisation[32]; /* "" none, or not known */
};

/* `other`: the device's load before anything was measured; NULL: not known. */
void conditions_read(const struct root *root, const struct device_list *devices,
		     const struct device_load *other, struct conditions *ret);

/* A line for each thing that may spoil it, translated. -ENOMEM. */
int conditions_list(const struct conditions *conditions, struct strv *ret);

#endif
