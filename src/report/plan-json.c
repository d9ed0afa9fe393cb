// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A plan and its outcome as JSON.
 */
#include "report/plan.h"

#include <string.h>

#include "util/json-build.h"

/* `array`: the steps in plan_to_json()'s order, which is the plan's. */
static void add_writes(json_t *array, const struct apply_device *item, int *error)
{
	for (size_t i = 0; i < json_array_size(array); i++) {
		json_t *object = json_array_get(array, i); /* borrowed */
		const struct apply_write *write = &item->writes[i];

		json_put(object, "written", json_boolean(write->is_written), error);
		json_put(object, "old", json_text(write->old[0] ? write->old : NULL),
			 error);
	}
}

static json_t *failure_to_json(const struct apply_device *item)
{
	json_t *object;
	int error = 0;

	if (!item->error)
		return json_null();
	object = json_object();
	json_put(object, "cause", json_text(strerror(-item->error)), &error);
	json_put(object, "errno", json_integer(-item->error), &error);
	json_put(object, "key",
		 json_text(item->failed ? item->failed->tunable->key : NULL), &error);
	json_put(object, "value", json_text(item->failed ? item->failed->to : NULL),
		 &error);
	json_put(object, "actual", json_text(item->actual[0] ? item->actual : NULL),
		 &error);
	return json_finish(object, error);
}

json_t *plan_outcome_to_json(const struct plan *plan, const struct apply_report *report)
{
	json_t *root = plan_to_json(plan);
	json_t *devices = json_object_get(root, "devices"); /* borrowed */
	int error = 0;

	if (!report)
		return root;
	for (size_t i = 0; i < report->count; i++) {
		const struct apply_device *item = &report->items[i];
		json_t *object = json_array_get(devices, i); /* borrowed */

		json_put(object, "outcome", json_text(apply_outcome_name(item->outcome)),
			 &error);
		json_put(object, "failure", failure_to_json(item), &error);
		if (item->writes)
			add_writes(json_object_get(object, "steps"), item, &error);
	}
	json_put(root, "interrupted", json_boolean(report->is_interrupted), &error);
	return json_finish(root, error);
}
