// SPDX-License-Identifier: GPL-2.0-or-later
/* Media as JSON files: what is read, what is refused and how, and presets there and back. */
#include "sim/media/media.h"

#include <errno.h>
#include <stdlib.h>

#include "media-fixture.h"

static double value_of(const struct sim_medium *medium, const char *key)
{
	int index = sim_media_parameter(medium->ops, key);

	assert_true(index >= 0);
	return medium->values[index];
}

static void test_preset_with_changes(void **state)
{
	static const char json[] =
		"{ \"preset\": \"hdd-7200\", \"name\": \"mine\", \"rpm\": 5900,\n"
		"  \"capacity\": \"8T\", \"hw_depth\": 1, \"hw_queues\": 2, \"class\": \"usb\",\n"
		"  \"rotational\": false, \"zone_size\": \"256M\", \"host_managed\": true }";
	struct sim_medium medium;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(sim_medium_parse(json, strlen(json), "m.json", &medium, &diag), 0);
	assert_string_equal(medium.name, "mine");
	assert_string_equal(medium.ops->name, "hdd");
	assert_string_equal(medium.class, "usb");
	assert_true(value_of(&medium, "rpm") == 5900);
	assert_true(value_of(&medium, "heads") == 8);
	assert_true(medium.capacity_sectors == UINT64_C(8) << 31);
	assert_int_equal(medium.hw_depth, 1);
	assert_int_equal(medium.hw_queues, 2);
	assert_false(medium.is_rotational);
	assert_int_equal(medium.zone_sectors, 524288);
	assert_true(medium.is_host_managed);
}

static void test_model_and_words(void **state)
{
	static const char json[] = "{ \"model\": \"raid\", \"level\": \"raid6\", \"members\": 6,"
				   " \"member\": \"hdd-15k\" }";
	struct sim_medium medium;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(sim_medium_parse(json, strlen(json), "m.json", &medium, &diag), 0);
	assert_string_equal(medium.name, "raid");
	assert_true(value_of(&medium, "level") == 3);
	assert_true(value_of(&medium, "member") == 1);
	assert_true(value_of(&medium, "members") == 6);
}

static void test_refusals_say_where_and_what(void **state)
{
	static const struct {
		const char *json;
		unsigned line;
		const char *text, *hint;
	} rows[] = {
		{ "{}", 1, "either a \"model\" or a \"preset\"", "" },
		{ "{ \"model\": \"hdd\",\n \"preset\": \"nvme\" }", 1, "either a \"model\"", "" },
		{ "{\n \"model\": 3 }", 2, "\"model\" is not a string", "" },
		{ "{\n \"model\": \"hd\" }", 2, "no model that is called \"hd\"",
		  "did you mean \"hdd\"?" },
		{ "{\n \"preset\": \"hdd-720\" }", 2, "no preset that is called",
		  "did you mean \"hdd-7200\"?" },
		{ "{\n \"preset\": \"gramophone\" }", 2, "no preset that is called",
		  "known here: hdd-7200, " },
		{ "{ \"model\": \"hdd\",\n \"rmp\": 1 }", 2,
		  "unknown key \"rmp\" for the model hdd", "did you mean \"rpm\"?" },
		{ "{ \"model\": \"hdd\",\n \"colouring\": 1 }", 2, "unknown key", "media(5)" },
		{ "{ \"model\": \"hdd\",\n\n \"rpm\": \"7200\" }", 3, "\"rpm\" is not a number",
		  "" },
		{ "{ \"model\": \"hdd\",\n \"rpm\": 99 }", 2,
		  "\"rpm\" is not between 100 and 30000 1/min", "" },
		{ "{ \"model\": \"hdd\",\n \"rpm\": 1e300 }", 2, "\"rpm\" is not between", "" },
		{ "{ \"model\": \"hdd\",\n \"heads\": 2.5 }", 2, "not a whole number", "" },
		{ "{ \"model\": \"hdd\",\n \"capacity\": 1000000001 }", 2, "whole sectors", "" },
		{ "{ \"model\": \"hdd\",\n \"capacity\": \"4X\" }", 2, "number of bytes", "" },
		{ "{ \"model\": \"hdd\",\n \"capacity\": 512 }", 2, "\"capacity\" is not between",
		  "" },
		{ "{ \"model\": \"hdd\",\n \"hw_depth\": 0 }", 2, "between 1 and 65536", "" },
		{ "{ \"model\": \"hdd\",\n \"hw_queues\": 1025 }", 2, "between 1 and 1024", "" },
		{ "{ \"model\": \"hdd\",\n \"hw_queues\": \"8\" }", 2, "not a whole number", "" },
		{ "{ \"model\": \"hdd\",\n \"name\": \"\" }", 2, "string of 1 to 63 bytes", "" },
		{ "{ \"model\": \"hdd\",\n \"class\": \"tape\" }", 2, "not a class", "" },
		{ "{ \"model\": \"hdd\",\n \"rotational\": 1 }", 2, "neither true nor false", "" },
		{ "{ \"model\": \"hdd\",\n \"host_managed\": true }", 2, "without \"zone_size\"",
		  "" },
		{ "{ \"model\": \"null\",\n \"zone_size\": \"256M\" }", 2,
		  "the model null has no zones", "" },
		{ "{ \"model\": \"hdd\", \"capacity\": \"1G\",\n \"zone_size\": \"2G\" }", 2,
		  "larger than the whole device", "" },
		{ "{ \"model\": \"raid\",\n \"level\": \"raid7\" }", 2,
		  "\"level\" cannot be \"raid7\"", "did you mean \"raid0\"?" },
		{ "{ \"model\": \"raid\",\n \"level\": 5 }", 2, "\"level\" is not a string", "" },
		/* What only making one shows. */
		{ "{ \"model\": \"raid\", \"level\": \"raid10\", \"members\": 5 }", 1,
		  "5 members make no raid10", "" },
		{ "{ \"model\": \"hdd\", \"inner_mbps\": 900 }", 1, "\"inner_mbps\" is larger",
		  "" },
		{ "{ \"model\": \"nvme\", \"write_mbps\": 90000 }", 1, "\"write_mbps\" is 90000",
		  "" },
		{ "{ \"model\": \"nvme\", \"slc_gib\": 1, \"slc_mbps\": 90000 }", 1,
		  "\"slc_mbps\" is 90000", "" },
		{ "{ \"model\": \"hdd\", \"zone_size\": \"1M\", \"capacity\": \"16T\" }", 1,
		  "zones are too many", "a larger \"zone_size\"" },
		{ "{ \"model\": \"hdd\", \"zone_size\": \"1G\", \"media_cache_gib\": 1 }", 1,
		  "must hold two zones", "" },
		{ "{ \"model\": \"hdd\", \"seek_a_ms\": 900 }", 1, "more than eight turns", "" },
		{ "{ \"model\": \"hdd\", \"outer_mbps\": 0.01, \"inner_mbps\": 0.01,"
		  " \"capacity\": \"1048576T\" }",
		  1, "the capacity is too large for so few heads", "" },
		{ "[]", 1, "", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_medium medium = { .hw_depth = 77 };
		struct diag diag = { 0 };
		int r = sim_medium_parse(rows[i].json, strlen(rows[i].json), "m.json", &medium,
					 &diag);

		if (r != -EINVAL || diag.line != rows[i].line ||
		    strcmp(diag.where, "m.json") != 0 || !strstr(diag.text, rows[i].text) ||
		    (rows[i].hint[0] ? !strstr(diag.hint, rows[i].hint) : 0))
			fail_msg("%s: %d, %s:%u: %s (%s)", rows[i].json, r, diag.where,
				 diag.line, diag.text, diag.hint);
		/* Untouched. */
		assert_int_equal(medium.hw_depth, 77);
	}
}

static void test_presets_there_and_back(void **state)
{
	const struct sim_medium_preset *preset;

	(void)state;
	for (size_t i = 0; (preset = sim_medium_preset(i)); i++) {
		struct sim_medium first, again;
		struct diag diag = { 0 };
		char *json, *json_again;

		media_fixture_medium(preset->name, &first);
		assert_int_equal(sim_medium_to_json(&first, &json), 0);
		if (sim_medium_parse(json, strlen(json), "m.json", &again, &diag))
			fail_msg("%s: %u: %s", preset->name, diag.line, diag.text);
		assert_string_equal(first.name, again.name);
		assert_string_equal(first.class, again.class);
		assert_ptr_equal(first.ops, again.ops);
		assert_true(first.capacity_sectors == again.capacity_sectors);
		assert_int_equal(first.hw_queues, again.hw_queues);
		assert_int_equal(first.hw_depth, again.hw_depth);
		assert_int_equal(first.is_rotational, again.is_rotational);
		assert_int_equal(first.zone_sectors, again.zone_sectors);
		assert_int_equal(first.is_host_managed, again.is_host_managed);
		assert_memory_equal(first.values, again.values, sizeof(first.values));
		assert_int_equal(sim_medium_to_json(&again, &json_again), 0);
		assert_string_equal(json, json_again);
		free(json);
		free(json_again);
	}
}

static void test_names_are_escaped(void **state)
{
	struct sim_medium medium, again;
	struct diag diag = { 0 };
	char *json;

	(void)state;
	media_fixture_medium("null", &medium);
	snprintf(medium.name, sizeof(medium.name), "a \"b\" \\ \n c");
	medium.capacity_sectors = UINT64_MAX >> 1;
	assert_int_equal(sim_medium_to_json(&medium, &json), 0);
	assert_int_equal(sim_medium_parse(json, strlen(json), "m.json", &again, &diag), 0);
	assert_string_equal(again.name, medium.name);
	assert_true(again.capacity_sectors == INT64_MAX / 512);
	free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_preset_with_changes),
		cmocka_unit_test(test_model_and_words),
		cmocka_unit_test(test_refusals_say_where_and_what),
		cmocka_unit_test(test_presets_there_and_back),
		cmocka_unit_test(test_names_are_escaped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
