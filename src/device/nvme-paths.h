/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Controllers of NVMe, the heads of native multipath and the hidden paths between them.
 *
 * A controller connects first and looks for its namespaces then, in the background: a path
 * comes some time later, and nothing announces it. Facts on native multipath; sysfs of
 * Linux 5.10 to 7.2.
 */
#ifndef IOSCHED_DEVICE_NVME_PATHS_H
#define IOSCHED_DEVICE_NVME_PATHS_H

#include "device/device.h"
#include "sysfs/root.h"

/* "nvme1c0n2" belongs to the head "nvme1n2". False: not the name of a path, or too long. */
bool nvme_path_to_head(const char *name, char *ret, size_t size);

/* "nvme1", also below /dev; its kernel name, NULL when it is no such name. Nothing is
   looked up. */
const char *nvme_controller_name(const char *argument);

/* Is this disk a namespace of that controller, or a path over it? */
bool nvme_is_on_controller(const struct device *device, const char *controller);
/* Has the controller any? */
bool nvme_has_disks(const struct root *root, const char *controller);

/*
 * Waits until every controller has a path to the head that is named, or the controller
 * that is named to each head of its subsystem, at most that long; a controller that is
 * being removed does not count. *ret_is_complete: it has come to that. Any other name: complete at once.
 * 0 or -ENOMEM.
 */
int nvme_wait_for_paths(const struct root *root, const char *argument,
			unsigned timeout_ms, bool *ret_is_complete);

#endif
