/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether a rule's match holds for a device.
 */
#ifndef IOSCHED_POLICY_MATCH_H
#define IOSCHED_POLICY_MATCH_H

#include "device/device.h"
#include "device/host.h"
#include "policy/profile.h"

/* `class`: the device's own, or the one that it is to be treated as. `host` may be NULL:
   then no condition on virtualisation holds. */
bool profile_match_holds(const struct profile_match *match, const struct device *device,
			 enum device_class class, const struct host *host);

#endif
