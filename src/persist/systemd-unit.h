/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The systemd units, as text: one that applies the policy at boot, and a template for a
 * single device, for what udev cannot reach.
 */
#ifndef IOSCHED_PERSIST_SYSTEMD_UNIT_H
#define IOSCHED_PERSIST_SYSTEMD_UNIT_H

#include "util/text.h"

#define SYSTEMD_UNIT     "iosched-tune.service"
#define SYSTEMD_TEMPLATE "iosched-tune@.service"
#define SYSTEMD_INSTANCE "iosched-tune@" /* + kernel name + ".service" */
#define SYSTEMD_INSTANCES SYSTEMD_INSTANCE "*.service" /* for systemctl */
#define SYSTEMD_RULES    "99-iosched-tune-systemd.rules"
#define SYSTEMD_TARGET   "basic.target"

void systemd_add_unit(struct text *out, const char *program, const char *profile);
void systemd_add_template(struct text *out, const char *program, const char *profile);
/* The udev rule that starts the unit again when a disk comes later. */
void systemd_add_rules(struct text *out);

/* One word of a command line (systemd.service(5), "Command lines"). */
void systemd_add_word(struct text *out, const char *word);

#endif
