// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The shipped profiles: each loads, gives a reason for each value, and finds a scheduler
 * for each kind of disk; and the schema that editors use knows the same keys as the
 * reader.
 */
#include "policy-host.h"

#include "policy/profile-reader.h"
#include "sim/workload/job.h"
#include "tunable/scheduler.h"
#include "util/file.h"

static const char *const names[] = {
	"balanced",    "database",     "fileserver", "desktop",  "virtual-guest",
	"low-latency", "multi-tenant", "streaming",  "embedded",
};
#define NAME_COUNT (sizeof(names) / sizeof(names[0]))

static void assert_reasons(const struct profile *profile)
{
	for (size_t i = 0; i < profile->rule_count; i++) {
		const struct profile_rule *rule = &profile->rules[i];

		if (rule->schedulers.count || rule->keeps_scheduler)
			assert_true(rule->scheduler_why || rule->why);
		for (size_t n = 0; n < rule->setting_count; n++)
			assert_true(rule->settings[n].why || rule->why);
	}
}

static void test_each_gives_reasons(void **state)
{
	(void)state;
	for (size_t i = 0; i < NAME_COUNT; i++) {
		struct profile *profile = NULL;

		assert_int_equal(profile_load(NULL, PROFILES, names[i], &profile, NULL),
				 0);
		assert_true(strlen(profile->summary) > 20);
		assert_reasons(profile);
		if (i)
			assert_string_equal(profile->inherits, "balanced");
		profile_free(profile);
	}
}

static void test_list_has_these_and_no_other(void **state)
{
	struct profile_entry *entries = NULL;
	size_t count = 0;

	(void)state;
	assert_int_equal(profile_list(NULL, PROFILES, &entries, &count, NULL), 0);
	assert_int_equal(count, NAME_COUNT);
	for (size_t i = 0; i < count; i++)
		assert_null(entries[i].error);
	profile_entries_free(entries, count);
}

static void test_workloads_are_known(void **state)
{
	(void)state;
	for (size_t i = 0; i < NAME_COUNT; i++) {
		struct profile *profile = NULL;
		struct workload workload;
		const char *name;

		assert_int_equal(profile_load(NULL, PROFILES, names[i], &profile, NULL), 0);
		name = profile_get_workload(profile);
		if (name) {
			assert_int_equal(workload_find(name, UINT64_C(1) << 31, &workload), 0);
			workload_done(&workload);
		}
		profile_free(profile);
	}
}

/* What the field recommends; facts and design. */
static void test_recommendations(void **state)
{
	static const struct {
		const char *profile, *device, *scheduler;
	} wanted[] = {
		{ "balanced", "sda", "mq-deadline" },
		{ "balanced", "sdb", "mq-deadline" },
		{ "balanced", "nvme0n1", "none" },
		{ "database", "sda", "mq-deadline" },
		{ "database", "sdb", "none" },
		{ "database", "nvme0n1", "none" },
		{ "database", "vda", "none" },
		{ "desktop", "sda", "bfq" },
		{ "desktop", "sdb", "bfq" },
		{ "desktop", "nvme0n1", "none" },
		{ "virtual-guest", "vda", "none" },
		{ "low-latency", "nvme0n1", "kyber" },
		{ "multi-tenant", "nvme0n1", "bfq" },
		{ "multi-tenant", "sda", "bfq" },
		{ "streaming", "sda", "mq-deadline" },
		{ "embedded", "sda", "mq-deadline" },
	};
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-server-6.1.txt", NULL);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		assert_int_equal(host_resolve(&host, wanted[i].profile, NULL, NULL), 0);
		assert_wanted(&host, wanted[i].device, "scheduler", wanted[i].scheduler);
	}
	assert_int_equal(host_resolve(&host, "database", NULL, NULL), 0);
	assert_wanted(&host, "sda", "mq-deadline.read_expire", "100");
	assert_wanted(&host, "sda", "mq-deadline.write_expire", "1000");
	host_close(&host);
}

/* Nothing that costs merging, data or statistics is in a shipped profile. */
static void test_no_risky_values(void **state)
{
	static const char *const risky[] = { "nomerges", "add_random", "iostats",
					     "io_timeout" };

	(void)state;
	for (size_t i = 0; i < NAME_COUNT; i++) {
		struct profile *profile = NULL;

		assert_int_equal(profile_load(NULL, PROFILES, names[i], &profile, NULL),
				 0);
		for (size_t r = 0; r < profile->rule_count; r++)
			for (size_t n = 0; n < profile->rules[r].setting_count; n++)
				for (size_t k = 0; k < sizeof(risky) / sizeof(risky[0]);
				     k++)
					assert_string_not_equal(profile->rules[r]
									.settings[n]
									.tunable->key,
								risky[k]);
		profile_free(profile);
	}
}

/* --- the schema --- */

static json_t *load_json(const char *path)
{
	_free_ char *data = NULL;
	size_t len = 0;
	json_t *json;

	assert_int_equal(file_read(path, PROFILE_SIZE_MAX, &data, &len), 0);
	json = json_loadb(data, len, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(json);
	return json;
}

static const json_t *definition(const json_t *schema, const char *name)
{
	const json_t *found = json_object_get(json_object_get(schema, "$defs"), name);

	assert_non_null(found);
	return found;
}

static const json_t *properties(const json_t *object)
{
	assert_true(json_is_false(json_object_get(object, "additionalProperties")));
	return json_object_get(object, "properties");
}

static void assert_keys(const json_t *object, const struct reader_keys *keys)
{
	const json_t *known = properties(object);

	assert_int_equal(json_object_size(known), keys->count);
	for (size_t i = 0; i < keys->count; i++)
		if (!json_object_get(known, keys->names[i]))
			fail_msg("the schema lacks \"%s\"", keys->names[i]);
}

static void test_schema_has_the_readers_keys(void **state)
{
	json_t *schema = load_json(PROFILES "/schema.json");
	const json_t *roles = json_object_get(definition(schema, "role"), "enum");

	(void)state;
	assert_keys(schema, &profile_keys_top);
	assert_keys(definition(schema, "rule"), &profile_keys_rule);
	assert_keys(definition(schema, "match"), &profile_keys_match);
	assert_keys(definition(schema, "explained"), &profile_keys_value);
	assert_int_equal(json_array_size(roles), profile_roles.count);
	json_decref(schema);
}

static void test_schema_has_the_names(void **state)
{
	json_t *schema = load_json(PROFILES "/schema.json");
	const json_t *schedulers =
		json_object_get(definition(schema, "scheduler"), "enum");
	const json_t *classes = json_object_get(definition(schema, "class"), "enum");
	enum device_class class;

	(void)state;
	for (size_t i = 0; i < json_array_size(schedulers); i++)
		assert_non_null(
			scheduler_find(json_string_value(json_array_get(schedulers, i))));
	assert_null(scheduler_get(json_array_size(schedulers)));
	assert_int_equal(json_array_size(classes), CLASS_COUNT);
	for (size_t i = 0; i < json_array_size(classes); i++)
		assert_int_equal(
			device_class_parse(json_string_value(json_array_get(classes, i)),
					   &class),
			0);
	json_decref(schema);
}

static void assert_range(const json_t *properties_of, const struct tunable *row)
{
	const json_t *property = json_object_get(properties_of, row->file);

	if (!property)
		fail_msg("the schema lacks %s", row->key);
	assert_int_equal(json_integer_value(json_object_get(property, "minimum")),
			 row->min);
	assert_int_equal(json_integer_value(json_object_get(property, "maximum")),
			 row->max);
}

static void test_schema_has_the_catalogue(void **state)
{
	json_t *schema = load_json(PROFILES "/schema.json");
	const json_t *queue = properties(definition(schema, "queue"));
	const json_t *iosched = properties(definition(schema, "iosched"));
	size_t rows = 0, known = json_object_size(queue);
	const char *owner;
	json_t *attributes;

	(void)state;
	for (size_t i = 0; i < tunable_count(); i++) {
		const struct tunable *row = tunable_get(i);

		if (!row->is_policy || row == tunable_scheduler())
			continue;
		rows++;
		if (row->place == TUNABLE_QUEUE)
			assert_range(queue, row);
		else
			assert_range(properties(json_object_get(iosched, row->owner)),
				     row);
	}
	json_object_foreach((json_t *)(uintptr_t)iosched, owner, attributes) known +=
		json_object_size(json_object_get(attributes, "properties"));
	assert_int_equal(rows, known);
	json_decref(schema);
}

/* Both languages of the project have their own text. */
static void assert_translated(const json_t *text)
{
	assert_true(reader_is_text(text));
	assert_non_null(json_object_get(text, "en"));
	assert_non_null(json_object_get(text, "zh_CN"));
}

static void test_texts_are_translated(void **state)
{
	(void)state;
	for (size_t i = 0; i < NAME_COUNT; i++) {
		char path[64];
		json_t *json, *rule, *why;
		const char *key;
		size_t index;

		snprintf(path, sizeof(path), PROFILES "/%s.json", names[i]);
		json = load_json(path);
		assert_translated(json_object_get(json, "summary"));
		json_array_foreach(json_object_get(json, "rules"), index, rule)
			json_object_foreach(json_object_get(rule, "why"), key, why)
				assert_translated(why);
		json_decref(json);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_gives_reasons),
		cmocka_unit_test(test_list_has_these_and_no_other),
		cmocka_unit_test(test_workloads_are_known),
		cmocka_unit_test(test_recommendations),
		cmocka_unit_test(test_no_risky_values),
		cmocka_unit_test(test_schema_has_the_readers_keys),
		cmocka_unit_test(test_schema_has_the_names),
		cmocka_unit_test(test_schema_has_the_catalogue),
		cmocka_unit_test(test_texts_are_translated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
