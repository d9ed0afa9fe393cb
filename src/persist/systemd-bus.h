/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running systemd: enable, disable and reload over its bus (or through systemctl, in a
 * build without sd-bus), start and stop.
 */
#ifndef IOSCHED_PERSIST_SYSTEMD_BUS_H
#define IOSCHED_PERSIST_SYSTEMD_BUS_H

#include "sysfs/root.h"

/* 0; -ECONNREFUSED, -ENOENT … without a running manager; -EACCES. */
int systemd_bus_reload(const struct root *root);
int systemd_bus_enable(const struct root *root, const char *unit);
int systemd_bus_disable(const struct root *root, const char *unit);

/* Starts it and waits for its end; -EIO when it fails. */
int systemd_start(const struct root *root, const char *unit);
/* Also waits for what the unit runs while it stops. */
int systemd_stop(const struct root *root, const char *unit);

#endif
