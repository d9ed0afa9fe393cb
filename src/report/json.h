/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The --json contract: one object, {"iosched_tune": {"version": 1}, ...}, then the keys of
 * the verb. A change that could break a reader raises the version.
 */
#ifndef IOSCHED_REPORT_JSON_H
#define IOSCHED_REPORT_JSON_H

#include <jansson.h>

#define JSON_CONTRACT_VERSION 1

/* The envelope, to which the verb adds its keys. NULL when memory is short. */
json_t *json_envelope(void);

/*
 * Prints to stdout, indented, in the order in which keys were set; takes (steals) the
 * reference. `error`: what went wrong while it was built; returned, and nothing printed.
 */
int json_print(json_t *root, int error);

#endif
