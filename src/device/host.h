/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is true of the machine as a whole: kernel, virtualisation, boot arguments and
 * which scheduler modules it could load.
 */
#ifndef IOSCHED_DEVICE_HOST_H
#define IOSCHED_DEVICE_HOST_H

#include <stdbool.h>

#include "sysfs/root.h"
#include "tunable/kernel-version.h"
#include "tunable/scheduler.h"

struct host {
	char *release;                /* "6.1.0-18-amd64"; NULL when not known */
	struct kernel_version kernel; /* zero when not known */
	char *virtualisation;         /* "kvm", "vmware", "xen", "microsoft", "qemu" …;
					 "none" on bare metal; NULL when it cannot be told */
	char *boot_id;                /* NULL when not known */
	char *cmdline;                /* NULL when not known */
	struct strv modules; /* scheduler modules that modules.dep or modules.builtin
					 of this release list: "bfq", "kyber-iosched" */
};

int host_read(const struct root *root, struct host **ret, struct diag *diag);
void host_free(struct host *host);
DEFINE_CLEANUP(struct host *, host_free)

/* Always built in, or a module that this kernel has; what the queue lists need not be asked. */
bool host_can_load_scheduler(const struct host *host, const struct scheduler *scheduler);

#endif
