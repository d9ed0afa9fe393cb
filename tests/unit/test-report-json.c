// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The envelope: its version, and what becomes of failures.
 */
#include "captured.h"

#include <errno.h>

#include "report/json.h"

static void test_the_envelope_is_printed(void **state)
{
	struct captured captured = captured_begin();
	json_t *root;
	char *text;

	(void)state;
	assert_int_equal(json_print(json_envelope(), 0), 0);
	text = captured_end(&captured);
	assert_int_equal(text[strlen(text) - 1], '\n');
	root = json_loads(text, 0, NULL);
	assert_int_equal(json_integer_value(json_object_get(
				 json_object_get(root, "iosched_tune"), "version")),
			 JSON_CONTRACT_VERSION);
	json_decref(root);
	free(text);
}

static void test_failures_print_nothing(void **state)
{
	struct captured captured = captured_begin();
	char *text;

	(void)state;
	assert_int_equal(json_print(json_envelope(), -ENOMEM), -ENOMEM);
	assert_int_equal(json_print(NULL, 0), -ENOMEM);
	text = captured_end(&captured);
	assert_string_equal(text, "");
	free(text);
}

/* What a terminal would obey or reorder is escaped; a program reads the same string. */
static void test_unprintable_text_is_escaped(void **state)
{
	static const char value[] = "a\x1b\x7f\xc2\x85\u202e\u2066\u2028\u8c03\U0001f4be\"";
	struct captured captured = captured_begin();
	json_t *root = json_envelope();
	char *text;

	(void)state;
	json_object_set_new(root, "model", json_string(value));
	json_object_set_new(root, "\u202ekey", json_true());
	assert_int_equal(json_print(root, 0), 0);
	text = captured_end(&captured);
	assert_non_null(strstr(text, "a\\u001B\\u007F\\u0085\\u202E\\u2066\\u2028\u8c03\U0001f4be"));
	assert_non_null(strstr(text, "\"\\u202Ekey\""));
	root = json_loads(text, 0, NULL);
	assert_string_equal(json_string_value(json_object_get(root, "model")), value);
	json_decref(root);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_envelope_is_printed),
		cmocka_unit_test(test_unprintable_text_is_escaped),
		cmocka_unit_test(test_failures_print_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
