// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The plan as JSON: what `apply --dry-run --json` prints.
 */
#include "plan/plan.h"

#include "util/json-build.h"

static json_t *make_step(const struct plan_step *step)
{
	const struct tunable *tunable = step->tunable;
	json_t *object = json_object();
	char path[128];
	int error = 0;

	snprintf(path, sizeof(path), "queue/%s%s",
		 tunable->place == TUNABLE_IOSCHED ? "iosched/" : "", tunable->file);
	json_put(object, "key", json_text(tunable->key), &error);
	json_put(object, "attribute", json_text(path), &error);
	json_put(object, "from", json_text(step->from[0] ? step->from : NULL), &error);
	json_put(object, "to", json_text(step->to), &error);
	json_put(object, "unit", json_text(unit_name(tunable->unit)), &error);
	json_put(object, "origin", json_text(policy_origin_name(step->origin)), &error);
	json_put(object, "source", json_text(step->source), &error);
	json_put(object, "why", json_text(step->why), &error);
	json_put(object, "if_needed", json_boolean(step->is_conditional), &error);
	return json_finish(object, error);
}

static json_t *make_steps(const struct plan_device *planned)
{
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < planned->step_count; i++)
		json_push(array, make_step(&planned->steps[i]), &error);
	return json_finish(array, error);
}

static json_t *make_device(const struct plan_device *planned)
{
	json_t *object = json_object();
	int error = 0;

	json_put(object, "name", json_text(planned->name), &error);
	json_put(object, "major", json_integer(planned->major), &error);
	json_put(object, "minor", json_integer(planned->minor), &error);
	json_put(object, "class", json_text(device_class_name(planned->class)), &error);
	json_put(object, "state", json_text(plan_state_name(planned->state)), &error);
	json_put(object, "reason", json_text(planned->reason), &error);
	json_put(object, "steps", make_steps(planned), &error);
	json_put(object, "notes", json_text_array(&planned->notes), &error);
	return json_finish(object, error);
}

static json_t *make_devices(const struct plan *plan)
{
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < plan->count; i++)
		json_push(array, make_device(&plan->items[i]), &error);
	return json_finish(array, error);
}

json_t *plan_to_json(const struct plan *plan)
{
	json_t *object = json_object();
	int error = 0;

	json_put(object, "profile", json_text(plan->profile_name), &error);
	json_put(object, "writes", json_integer((json_int_t)plan_count_writes(plan)),
		 &error);
	json_put(object, "devices", make_devices(plan), &error);
	return json_finish(object, error);
}
