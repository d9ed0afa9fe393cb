// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON strings from bytes that need not be text, and failures that add up.
 */
#include "test.h"

#include <errno.h>

#include "util/json-build.h"

static void check(const char *bytes, const char *expected)
{
	json_t *value = json_text(bytes);

	assert_non_null(value);
	assert_string_equal(json_string_value(value), expected);
	json_decref(value);
}

static void test_text_of_any_bytes(void **state)
{
	(void)state;
	check("sda", "sda");
	check("", "");
	check("a\tb\x1b\"\\", "a\tb\x1b\"\\"); /* exact: the printer escapes */
	check("\u8c03\u5ea6", "\u8c03\u5ea6");
	check("a\xff" "b", "a\ufffd" "b");
	check("\xe8\xb0", "\ufffd\ufffd");             /* cut off */
	check("\xc0\x80\u8c03", "\ufffd\ufffd\u8c03"); /* not the shortest form */
	assert_true(json_is_null(json_text(NULL)));
}

static void test_arrays(void **state)
{
	_strv_ struct strv list = { 0 };
	json_t *array;

	(void)state;
	array = json_text_array(&list);
	assert_int_equal(json_array_size(array), 0);
	assert_true(json_is_array(array));
	json_decref(array);
	strv_add(&list, "a\xff");
	strv_add(&list, "b");
	array = json_text_array(&list);
	assert_int_equal(json_array_size(array), 2);
	assert_string_equal(json_string_value(json_array_get(array, 0)), "a\ufffd");
	json_decref(array);
}

static void test_failures_are_kept(void **state)
{
	json_t *object = json_object();
	int error = 0;

	(void)state;
	json_put(object, "a", json_integer(1), &error);
	assert_int_equal(error, 0);
	json_put(object, "b", NULL, &error);
	assert_int_equal(error, -ENOMEM);
	json_put(object, "c", json_integer(2), &error);
	assert_int_equal(error, -ENOMEM);
	assert_null(json_finish(object, error));

	error = 0;
	json_put(NULL, "a", json_integer(1), &error);
	assert_int_equal(error, -ENOMEM);
	error = 0;
	json_push(NULL, json_integer(1), &error);
	assert_int_equal(error, -ENOMEM);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_of_any_bytes),
		cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_failures_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
