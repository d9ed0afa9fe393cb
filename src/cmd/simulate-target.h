/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What simulate is asked about: a device of the host, or a medium that stands for one,
 * and what a profile would do with it.
 */
#ifndef IOSCHED_CMD_SIMULATE_TARGET_H
#define IOSCHED_CMD_SIMULATE_TARGET_H

#include "cmd/gather.h"
#include "cmd/simulate-device.h"

struct simulate_target {
	struct gathered gathered;     /* with a device */
	const struct device *device;  /* NULL without one */
	struct sim_medium medium;     /* of the device, or of that of a recording */
	struct profile *profile;      /* without a device; else that of `gathered` */
};

void simulate_target_done(struct simulate_target *target);

/*
 * Reads device and profile, for `verb`. EXIT_STATUS_DONE, or the exit status of an error that
 * it has printed.
 */
int simulate_target_read(const struct cmd_context *context, const struct verb *verb,
			 const struct simulate_request *request, const char *device_name,
			 struct simulate_target *ret);

/* Medium, workload, machine and all variants. 0 or a negative errno with a diag. */
int simulate_target_to_case(struct simulate_target *target,
			    const struct simulate_request *request, struct simulate_case *ret,
			    struct diag *diag);

#endif
