// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Building JSON for output.
 */
#include "util/json-build.h"

#include <errno.h>
#include <string.h>

/* UTF-8 for U+FFFD, the replacement character. */
#define REPLACEMENT "\xef\xbf\xbd"

/* Bytes of the UTF-8 character at `p`, 0 when it is none: jansson decides. */
static size_t character_length(const char *p)
{
	size_t rest = strlen(p);

	for (size_t len = 1; len <= 4 && len <= rest; len++) {
		json_t *value = json_stringn(p, len);

		if (value) {
			json_decref(value);
			return len;
		}
	}
	return 0;
}

json_t *json_text(const char *string)
{
	_text_ struct text clean = { 0 };
	json_t *value;

	if (!string)
		return json_null();
	value = json_string(string);
	if (value)
		return value;
	while (*string) {
		size_t len = character_length(string);

		if (len)
			text_add_bytes(&clean, string, len);
		else
			text_add(&clean, REPLACEMENT);
		string += len ? len : 1;
	}
	return clean.error || !clean.data ? NULL : json_string(clean.data);
}

json_t *json_text_array(const struct strv *list)
{
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < list->count; i++)
		json_push(array, json_text(list->items[i]), &error);
	return json_finish(array, error);
}

void json_put(json_t *object, const char *key, json_t *value, int *error)
{
	if (json_object_set_new(object, key, value) && !*error)
		*error = -ENOMEM;
}

void json_push(json_t *array, json_t *value, int *error)
{
	if (json_array_append_new(array, value) && !*error)
		*error = -ENOMEM;
}

json_t *json_finish(json_t *value, int error)
{
	if (!error)
		return value;
	json_decref(value);
	return NULL;
}
