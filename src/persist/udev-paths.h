/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rules for what lies below an NVMe multipath head. The hidden paths send no events, so a
 * unit takes care of them, "iosched-tune@" and a kernel name: that of the head when it
 * appears, that of a controller when it brings a path to a head that is here already.
 */
#ifndef IOSCHED_PERSIST_UDEV_PATHS_H
#define IOSCHED_PERSIST_UDEV_PATHS_H

#include "util/text.h"

/* `condition` holds for heads; `unit` is "iosched-tune@". */
void udev_add_heads(struct text *out, const char *condition, const char *unit);
/* Events of controllers, which belong to another subsystem than disks. Nothing is started
   where there is no head. */
void udev_add_controllers(struct text *out, const char *unit);

#endif
