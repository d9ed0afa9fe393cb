/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interrupts of a disk: those of the device on the bus that it hangs on, how often
 * each processor took one, and where they may go.
 */
#ifndef IOSCHED_DIAGNOSE_INTERRUPTS_H
#define IOSCHED_DIAGNOSE_INTERRUPTS_H

#include <stdint.h>

#include "device/device.h"
#include "sysfs/root.h"

struct interrupts {
	char *bus_path; /* of the device on the bus: "sys/devices/pci0000:00/0000:00:17.0" */
	int numa_node;	/* -1: none, or not known */
	size_t count;	/* interrupts that it has */
	uint64_t total, busiest; /* how many came; on the processor that took most */
	unsigned busiest_cpu;
	size_t cpus;	     /* processors in proc/interrupts */
	size_t used_cpus;    /* of them, those that took at least one in a hundred */
	bool is_all_remote;  /* each may only go to processors of another node */
	bool has_irqbalance;
};

/* Nothing known is a count of 0. -ENOMEM. */
int interrupts_read(const struct root *root, const struct device *device,
		    struct interrupts *ret);
void interrupts_done(struct interrupts *interrupts);

/* The numbers of the interrupts of the nearest device above the disk that has any; and its
   path. Empty where there is none. -ENOMEM. */
int interrupts_list(const struct root *root, const struct device *device, char **ret_path,
		    struct strv *ret_numbers);

/* Whether two lists of processors, "0-3,8", share one. */
bool cpu_lists_meet(const char *a, const char *b);

#endif
