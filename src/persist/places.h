/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the artefacts go, from the root.
 */
#ifndef IOSCHED_PERSIST_PLACES_H
#define IOSCHED_PERSIST_PLACES_H

#include "persist/systemd-unit.h"
#include "persist/udev-rules.h"
#include "sysfs/paths.h"

#define PLACE_RULES         PATH_UDEV_RULES "/" UDEV_RULES_NAME
#define PLACE_SYSTEMD_RULES PATH_UDEV_RULES "/" SYSTEMD_RULES
#define PLACE_UNIT          PATH_UNITS "/" SYSTEMD_UNIT
#define PLACE_TEMPLATE      PATH_UNITS "/" SYSTEMD_TEMPLATE
#define PLACE_LINK          PATH_UNITS "/" SYSTEMD_TARGET ".wants/" SYSTEMD_UNIT
#define PLACE_LINK_TARGET   "/" PLACE_UNIT
#define PLACE_DROP_IN       PATH_GRUB_DROP_INS "/99-iosched-tune.cfg"

#endif
