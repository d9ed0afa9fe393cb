// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Texts in several languages: which one a locale gets, and what is a text at all.
 */
#include "test.h"

#include "policy/profile-reader.h"

static void test_language_of_the_locale(void **state)
{
	json_t *texts = json_pack("{s:s, s:s, s:s}", "de", "German", "en", "English",
				  "zh_CN", "Chinese");
	static const struct {
		const char *locale, *expected;
	} cases[] = {
		{ "zh_CN.UTF-8", "Chinese" },
		{ "zh_CN", "Chinese" },
		{ "zh_TW.UTF-8", "English" },
		{ "de_AT@euro", "German" },
		{ "de", "German" },
		{ "C.UTF-8", "English" },
		{ "", "English" },
		{ NULL, "English" },
		{ "a-name-that-is-longer-than-any-language.UTF-8", "English" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_string_equal(reader_choose_language(texts, cases[i].locale),
				    cases[i].expected);
	json_decref(texts);
	/* Without English the first one is better than nothing. */
	texts = json_pack("{s:s, s:s}", "fr", "French", "de", "German");
	assert_string_equal(reader_choose_language(texts, "zh_CN.UTF-8"), "French");
	json_decref(texts);
}

static void assert_text(const char *json, bool is_text)
{
	json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);

	assert_non_null(value);
	assert_int_equal(reader_is_text(value), is_text);
	json_decref(value);
}

static void test_what_is_a_text(void **state)
{
	(void)state;
	assert_text("\"a\"", true);
	assert_text("\"\"", true);
	assert_text("{\"en\": \"a\", \"zh_CN\": \"b\"}", true);
	assert_text("{}", false);
	assert_text("{\"en\": \"\"}", false);
	assert_text("{\"en\": 5}", false);
	assert_text("{\"e\": \"a\"}", false);
	assert_text("{\"engl\": \"a\"}", false);
	assert_text("{\"zh-CN\": \"a\"}", false);
	assert_text("{\"zh_cn\": \"a\"}", false);
	assert_text("{\"zh_CNN\": \"a\"}", false);
	assert_text("{\"scheduler\": \"a\"}", false);
	assert_text("5", false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_language_of_the_locale),
		cmocka_unit_test(test_what_is_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
