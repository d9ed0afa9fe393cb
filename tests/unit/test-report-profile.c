// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Profiles in words and as JSON.
 */
#include "captured.h"
#include "made-up.h"

#include "report/profile.h"

static struct profile_rule made_up_rule(struct profile_setting *setting, char **schedulers)
{
	schedulers[0] = WORD("bfq");
	schedulers[1] = WORD("mq-deadline");
	*setting = (struct profile_setting){ .tunable = tunable_find("read_ahead_kb"),
					     .value = "4096",
					     .why = WORD("long \x1b[1m streams"),
					     .line = 9 };
	return (struct profile_rule){
		.match = { .classes = 1u << CLASS_HDD | 1u << CLASS_SSD | 1u << CLASS_USB,
			   .min_size_bytes = 1ull << 40, .rotational = 1, .hidden = -1,
			   .removable = 0 },
		.schedulers = { schedulers, 2, 2 }, .scheduler_why = WORD("fair"),
		.settings = setting, .setting_count = 1, .line = 7,
	};
}

static void test_match_in_words(void **state)
{
	struct profile_setting setting;
	char *schedulers[2];
	struct profile_rule rule = made_up_rule(&setting, schedulers);
	struct profile_rule any = { .is_match_empty = true };
	_text_ struct text text = { 0 }, all = { 0 };

	(void)state;
	assert_int_equal(profile_match_to_text(&rule, &text), 0);
	assert_string_equal(text.data, "class hdd, ssd or usb; size at least 1T; rotational; "
				       "not removable");
	assert_int_equal(profile_match_to_text(&any, &all), 0);
	assert_string_equal(all.data, "every device");
}

static void test_a_profile_with_its_parent(void **state)
{
	static const struct table_style style = { 0 };
	struct profile_setting setting;
	char *schedulers[2];
	struct profile_rule rule = made_up_rule(&setting, schedulers);
	struct profile_rule kept = { .is_match_empty = true, .leave_alone = true, .line = 3 };
	struct profile parent = { .name = WORD("base"), .path = WORD("/p/base.json"),
				  .rules = &kept, .rule_count = 1 };
	struct profile profile = { .name = WORD("media"), .path = WORD("/p/media.json"),
				   .summary = WORD("For \x1bvideo"), .rules = &rule,
				   .rule_count = 1, .parent = &parent };
	struct captured captured = captured_begin();
	json_t *root;
	char *text;

	(void)state;
	assert_int_equal(profile_print(&profile, &style), 0);
	text = captured_end(&captured);
	assert_non_null(strstr(text, "media: For \\x1bvideo\n"));
	assert_non_null(strstr(text, "inherited from base"));
	assert_non_null(strstr(text, "bfq, else mq-deadline\n        fair\n"));
	assert_non_null(strstr(text, "4096 KiB\n        long \\x1b[1m streams\n"));
	assert_non_null(strstr(text, "1. every device  (line 3)\n"));
	assert_non_null(strstr(text, "left alone"));
	assert_null(strchr(text, '\x1b'));
	free(text);

	root = profile_to_json(&profile);
	assert_string_equal(json_string_value(json_object_get(
				    json_object_get(root, "inherits"), "name")),
			    "base");
	assert_int_equal(json_array_size(json_object_get(root, "rules")), 1);
	assert_int_equal(
		json_array_size(json_object_get(
			json_object_get(json_array_get(json_object_get(root, "rules"), 0),
					"match"),
			"class")),
		3);
	json_decref(root);
}

static void test_the_list(void **state)
{
	static const struct table_style style = { 0 };
	struct profile_entry entries[] = {
		{ .name = WORD("a"), .path = WORD("/1/a.json"), .summary = WORD("first") },
		{ .name = WORD("a"), .path = WORD("/2/a.json"), .summary = WORD("hidden"),
		  .is_shadowed = true },
		{ .name = WORD("b"), .path = WORD("/1/b.json"), .error = WORD("b.json:3: no") },
	};
	struct captured captured = captured_begin();
	json_t *array;
	char *text;

	(void)state;
	assert_int_equal(profile_print_list(entries, 3, &style), 0);
	text = captured_end(&captured);
	assert_string_equal(text, "NAME SUMMARY\na    first\nb    b.json:3: no\n");
	free(text);
	array = profile_list_to_json(entries, 3);
	assert_int_equal(json_array_size(array), 3);
	assert_true(json_is_true(json_object_get(json_array_get(array, 1), "shadowed")));
	json_decref(array);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_match_in_words),
		cmocka_unit_test(test_a_profile_with_its_parent),
		cmocka_unit_test(test_the_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
