/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Building JSON for output: strings of any bytes, and rows of members whose failure is
 * checked once.
 */
#ifndef IOSCHED_UTIL_JSON_BUILD_H
#define IOSCHED_UTIL_JSON_BUILD_H

#include <jansson.h>

#include "util/text.h"

/* A string whatever its bytes: each byte that is not UTF-8 becomes U+FFFD. NULL gives
   null. New references; NULL only when memory is short. */
json_t *json_text(const char *string);
json_t *json_text_array(const struct strv *list);

/* Adds a new reference (stolen; NULL counts as a failure) and remembers the first failure in
 * *error as -ENOMEM. The container may be NULL likewise. */
void json_put(json_t *object, const char *key, json_t *value, int *error);
void json_push(json_t *array, json_t *value, int *error);

/* `value` when there was no error, else NULL with the reference dropped. */
json_t *json_finish(json_t *value, int error);

#endif
