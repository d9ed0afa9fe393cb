// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The plan as JSON: what `apply --dry-run --json` prints.
 */
#include "plan/plan.h"

#include <string.h>

#include "util/text.h"

/* A name or reason may hold bytes that are no UTF-8, which JSON cannot. */
static json_t *make_string(const char *string)
{
	json_t *value;
	size_t size;
	char *safe;

	if (!string)
		return json_null();
	value = json_string(string);
	if (value)
		return value;
	size = strlen(string) * 4 + 1; /* \xNN for each byte at most */
	safe = malloc(size);
	if (!safe)
		return NULL;
	text_escape_terminal(string, safe, size);
	value = json_string(safe);
	free(safe);
	return value;
}

/* steals value; a NULL one (no memory) fails the same way */
static bool set(json_t *object, const char *key, json_t *value)
{
	return json_object_set_new(object, key, value) == 0;
}

static json_t *make_step(const struct plan_step *step)
{
	const struct tunable *tunable = step->tunable;
	json_t *object = json_object();
	char path[128];

	snprintf(path, sizeof(path), "queue/%s%s",
		 tunable->place == TUNABLE_IOSCHED ? "iosched/" : "", tunable->file);
	if (set(object, "key", make_string(tunable->key)) &&
	    set(object, "attribute", make_string(path)) &&
	    set(object, "from", make_string(step->from[0] ? step->from : NULL)) &&
	    set(object, "to", make_string(step->to)) &&
	    set(object, "unit", make_string(unit_name(tunable->unit))) &&
	    set(object, "origin", make_string(policy_origin_name(step->origin))) &&
	    set(object, "source", make_string(step->source)) &&
	    set(object, "why", make_string(step->why)))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *make_steps(const struct plan_device *planned)
{
	json_t *array = json_array();

	for (size_t i = 0; i < planned->step_count; i++) {
		if (json_array_append_new(array, make_step(&planned->steps[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *make_notes(const struct plan_device *planned)
{
	json_t *array = json_array();

	for (size_t i = 0; i < planned->notes.count; i++) {
		if (json_array_append_new(array, make_string(planned->notes.items[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *make_device(const struct plan_device *planned)
{
	json_t *object = json_object();

	if (set(object, "name", make_string(planned->name)) &&
	    set(object, "major", json_integer(planned->major)) &&
	    set(object, "minor", json_integer(planned->minor)) &&
	    set(object, "class", make_string(device_class_name(planned->class))) &&
	    set(object, "state", make_string(plan_state_name(planned->state))) &&
	    set(object, "reason", make_string(planned->reason)) &&
	    set(object, "steps", make_steps(planned)) &&
	    set(object, "notes", make_notes(planned)))
		return object;
	json_decref(object);
	return NULL;
}

static json_t *make_devices(const struct plan *plan)
{
	json_t *array = json_array();

	for (size_t i = 0; i < plan->count; i++) {
		if (json_array_append_new(array, make_device(&plan->items[i]))) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *plan_to_json(const struct plan *plan)
{
	json_t *object = json_object();

	if (set(object, "profile", make_string(plan->profile_name)) &&
	    set(object, "writes", json_integer((json_int_t)plan_count_steps(plan))) &&
	    set(object, "devices", make_devices(plan)))
		return object;
	json_decref(object);
	return NULL;
}
