// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Profiles as JSON.
 */
#include "report/profile.h"

#include "util/json-build.h"

static json_t *classes_to_json(unsigned classes)
{
	json_t *array = json_array();
	int error = 0;

	for (enum device_class class = 0; class < CLASS_COUNT; class ++)
		if (classes & 1u << class)
			json_push(array, json_text(device_class_name(class)), &error);
	return json_finish(array, error);
}

static void put_list(json_t *object, const char *key, const struct strv *list, int *error)
{
	if (list->count)
		json_put(object, key, json_text_array(list), error);
}

static void put_size(json_t *object, const char *key, uint64_t bytes, int *error)
{
	if (bytes)
		json_put(object, key, json_integer((json_int_t)bytes), error);
}

static void put_switch(json_t *object, const char *key, int value, int *error)
{
	if (value >= 0)
		json_put(object, key, json_boolean(value), error);
}

/* Only what the rule asks for: {} fits every device. */
static json_t *match_to_json(const struct profile_match *match)
{
	json_t *object = json_object();
	int error = 0;

	if (match->classes)
		json_put(object, "class", classes_to_json(match->classes), &error);
	put_list(object, "transport", &match->transports, &error);
	put_list(object, "model", &match->models, &error);
	put_list(object, "vendor", &match->vendors, &error);
	put_list(object, "wwn", &match->wwns, &error);
	put_list(object, "serial", &match->serials, &error);
	put_list(object, "by_path", &match->by_paths, &error);
	put_list(object, "by_id", &match->by_ids, &error);
	put_list(object, "filesystem", &match->filesystems, &error);
	put_list(object, "role", &match->roles, &error);
	put_list(object, "virtualisation", &match->virtualisations, &error);
	put_size(object, "min_size_bytes", match->min_size_bytes, &error);
	put_size(object, "max_size_bytes", match->max_size_bytes, &error);
	put_switch(object, "rotational", match->rotational, &error);
	put_switch(object, "hidden", match->hidden, &error);
	put_switch(object, "removable", match->removable, &error);
	return json_finish(object, error);
}

static json_t *setting_to_json(const struct profile_setting *setting)
{
	json_t *object = json_object();
	int error = 0;

	json_put(object, "key", json_text(setting->tunable->key), &error);
	json_put(object, "value", json_text(setting->value), &error);
	json_put(object, "unit", json_text(unit_name(setting->tunable->unit)), &error);
	json_put(object, "why", json_text(setting->why), &error);
	json_put(object, "line", json_integer(setting->line), &error);
	return json_finish(object, error);
}

static json_t *rule_to_json(const struct profile_rule *rule)
{
	json_t *object = json_object(), *settings = json_array();
	int error = 0;

	for (size_t i = 0; i < rule->setting_count; i++)
		json_push(settings, setting_to_json(&rule->settings[i]), &error);
	json_put(object, "line", json_integer(rule->line), &error);
	json_put(object, "match", match_to_json(&rule->match), &error);
	json_put(object, "why", json_text(rule->why), &error);
	json_put(object, "leave_alone", json_boolean(rule->leave_alone), &error);
	json_put(object, "schedulers", json_text_array(&rule->schedulers), &error);
	json_put(object, "scheduler_why", json_text(rule->scheduler_why), &error);
	json_put(object, "settings", settings, &error); /* steals it, also on failure */
	return json_finish(object, error);
}

json_t *profile_to_json(const struct profile *profile)
{
	json_t *object = json_object(), *rules = json_array();
	int error = 0;

	for (size_t i = 0; i < profile->rule_count; i++)
		json_push(rules, rule_to_json(&profile->rules[i]), &error);
	json_put(object, "name", json_text(profile->name), &error);
	json_put(object, "path", json_text(profile->path), &error);
	json_put(object, "summary", json_text(profile->summary), &error);
	json_put(object, "workload", json_text(profile->workload), &error);
	json_put(object, "rules", rules, &error); /* steals it, also on failure */
	json_put(object, "inherits",
		 profile->parent ? profile_to_json(profile->parent) : json_null(),
		 &error);
	return json_finish(object, error);
}

json_t *profile_list_to_json(const struct profile_entry *entries, size_t count)
{
	json_t *array = json_array();
	int error = 0;

	for (size_t i = 0; i < count; i++) {
		json_t *object = json_object();

		json_put(object, "name", json_text(entries[i].name), &error);
		json_put(object, "path", json_text(entries[i].path), &error);
		json_put(object, "summary", json_text(entries[i].summary), &error);
		json_put(object, "error", json_text(entries[i].error), &error);
		json_put(object, "shadowed", json_boolean(entries[i].is_shadowed),
			 &error);
		json_push(array, object, &error); /* steals it, also on failure */
	}
	return json_finish(array, error);
}
