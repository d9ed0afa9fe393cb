/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device of the host as something to simulate: the medium of its class with the limits
 * of its queue, and variants that are as it is or as a policy wants it.
 */
#ifndef IOSCHED_CMD_SIMULATE_DEVICE_H
#define IOSCHED_CMD_SIMULATE_DEVICE_H

#include "cmd/simulate-case.h"
#include "device/device.h"
#include "policy/policy.h"

/* What a scan has to read for it. */
#define SIMULATE_DEVICE_NEEDS                                                       \
	(SCAN_SCHEDULER | SCAN_QUEUE | SCAN_IOSCHED | SCAN_HWQUEUES |               \
	 SCAN_HWQUEUE_CPUS | SCAN_CLASS | SCAN_BASICS | SCAN_STACK)

/* 0; -ENOTSUP with a diag: its scheduler lives in the queues below it. */
int simulate_device_check_level(const struct device *device, struct diag *diag);

/*
 * Queues, depth, size, zones and rotation are the device's where it tells them. -ENOTSUP
 * with a diag: its scheduler lives elsewhere, or there is no model for its class.
 */
int simulate_device_medium(const struct device *device, struct sim_medium *ret,
			   struct diag *diag);

/* Processors of the device's machine, as its hardware queues list them; 0: not known. */
unsigned simulate_device_processors(const struct device *device);

/* The kernel that the device's values are of, and the one that is simulated; zero: not
   known. */
struct simulate_kernels {
	struct kernel_version running, simulated;
};

/*
 * The parameters as the device has them, those that the engine follows and the simulated
 * kernel has; what is left out is at its default, and told. -ENOMEM.
 */
int simulate_device_take_values(const struct device *device,
				const struct simulate_kernels *kernels,
				struct simulate_variant *variant);

/*
 * As the device is, titled "now". *ret NULL: it has no scheduler that the engine knows.
 * -ENOMEM.
 */
int simulate_device_now(const struct device *device, const struct simulate_kernels *kernels,
			struct simulate_variants *variants, struct simulate_variant **ret);
/* As the policy wants it; what it leaves alone is as it is. Likewise. */
int simulate_device_wanted(const struct policy_device *policy,
			   const struct simulate_kernels *kernels, const char *title,
			   struct simulate_variants *variants, struct simulate_variant **ret);

#endif
