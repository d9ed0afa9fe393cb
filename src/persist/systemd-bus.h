/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running systemd, over its bus: enable, disable, reload.
 */
#ifndef IOSCHED_PERSIST_SYSTEMD_BUS_H
#define IOSCHED_PERSIST_SYSTEMD_BUS_H

#include <stdbool.h>

/* 0; -ECONNREFUSED, -ENOENT … without a running manager; -EACCES. */
int systemd_bus_reload(void);
int systemd_bus_enable(const char *unit);
int systemd_bus_disable(const char *unit);

#endif
