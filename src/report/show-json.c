// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One device in full, as JSON: every column of status, and what has more parts than a
 * column can show.
 */
#include "report/show.h"

#include <string.h>

#include "report/status.h"
#include "util/json-build.h"

static json_t *columns_to_json(const struct show_view *view)
{
	struct column_row row = view->row;
	struct status_rows rows = { &row, 1 };
	struct column_set set;
	json_t *array, *object;

	column_set_all(&set);
	array = status_to_json(&set, &rows);
	object = json_incref(json_array_get(array, 0));
	json_decref(array);
	return object;
}

static json_t *mounts_to_json(const struct device *device)
{
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < device->mount_count; i++) {
		const struct device_mount *mount = &device->mounts[i];
		json_t *object = json_object();

		json_put(object, "source", json_text(mount->source_name), &error);
		json_put(object, "target", json_text(mount->target), &error);
		json_put(object, "fstype", json_text(mount->fstype), &error);
		json_put(object, "options", json_text(mount->options), &error);
		json_push(array, object, &error); /* steals it, also on failure */
	}
	return json_finish(array, error);
}

static json_t *schedulers_to_json(const struct show_view *view)
{
	struct show_scheduler schedulers[SHOW_SCHEDULER_MAX];
	size_t count = show_collect_schedulers(view, schedulers);
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < count; i++) {
		json_t *object = json_object();

		json_put(object, "name", json_text(schedulers[i].scheduler->name),
			 &error);
		json_put(object, "active", json_boolean(schedulers[i].is_active), &error);
		json_put(object, "loaded", json_boolean(schedulers[i].is_offered),
			 &error);
		json_push(array, object, &error); /* steals it, also on failure */
	}
	return json_finish(array, error);
}

static json_t *value_to_json(const struct tunable *tunable, const char *text)
{
	_cell_ struct cell cell = { 0 };

	if (text)
		cell_set_attribute(&cell, tunable, text);
	return cell_to_json(&cell);
}

static json_t *attribute_to_json(const struct show_attribute *attribute)
{
	const struct tunable *tunable = attribute->tunable;
	const struct device_value *now = attribute->now;
	const struct policy_value *wanted = attribute->wanted;
	json_t *object = json_object();
	int error = 0;

	json_put(object, "key", json_text(tunable->key), &error);
	json_put(object, "value",
		 value_to_json(tunable, now && !now->error ? now->text : NULL), &error);
	json_put(object, "error",
		 json_text(now && now->error ? strerror(-now->error) : NULL), &error);
	json_put(object, "writable", json_boolean(now && now->is_writable), &error);
	json_put(object, "unit", json_text(unit_name(tunable->unit)), &error);
	json_put(object, "default", value_to_json(tunable, tunable->initial), &error);
	json_put(object, "wanted", value_to_json(tunable, wanted ? wanted->value : NULL),
		 &error);
	json_put(object, "origin",
		 json_text(wanted ? policy_origin_name(wanted->origin) : NULL), &error);
	json_put(object, "source", json_text(wanted ? wanted->source : NULL), &error);
	json_put(object, "why", json_text(wanted ? wanted->why : NULL), &error);
	return json_finish(object, error);
}

static json_t *attributes_to_json(const struct show_view *view)
{
	struct show_attribute attributes[SHOW_ATTRIBUTE_MAX];
	size_t count = show_collect_attributes(view, attributes);
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < count; i++)
		json_push(array, attribute_to_json(&attributes[i]), &error);
	return json_finish(array, error);
}

static json_t *rejected_to_json(const struct policy_device *policy)
{
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < policy->rejected_count; i++) {
		json_t *object = json_object();

		json_put(object, "name", json_text(policy->rejected[i].name), &error);
		json_put(object, "why", json_text(policy->rejected[i].why), &error);
		json_push(array, object, &error); /* steals it, also on failure */
	}
	return json_finish(array, error);
}

json_t *show_to_json(const struct show_view *view)
{
	const struct device *device = view->row.device;
	const struct policy_device *policy = view->row.policy;
	json_t *object = columns_to_json(view);
	int error = 0;

	json_put(object, "links", json_text_array(&device->devlinks), &error);
	json_put(object, "hw_queue_cpus", json_text_array(&device->hw_queue_cpus),
		 &error);
	json_put(object, "driver_tags", json_integer((json_int_t)device->driver_tags),
		 &error);
	json_put(object, "mounts", mounts_to_json(device), &error);
	json_put(object, "schedulers", schedulers_to_json(view), &error);
	json_put(object, "attributes", attributes_to_json(view), &error);
	if (policy) {
		json_put(object, "rejected", rejected_to_json(policy), &error);
		json_put(object, "notes", json_text_array(&policy->notes), &error);
	}
	return json_finish(object, error);
}
