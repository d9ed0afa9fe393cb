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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_envelope_is_printed),
		cmocka_unit_test(test_failures_print_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
