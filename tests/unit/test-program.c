// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The program finds what lies beside it, whatever folder it was started from.
 */
#include "test.h"

#include <errno.h>

#include "util/cleanup.h"
#include "util/program.h"

static void test_finds_itself(void **state)
{
	_free_ char *found = NULL;
	const char *name;

	(void)state;
	assert_int_equal(program_find("test-program", &found), 0);
	name = strrchr(found, '/');
	assert_non_null(name);
	assert_string_equal(name, "/test-program");
	assert_int_equal(found[0], '/');
}

static void test_resolves_the_way_up(void **state)
{
	_free_ char *up = NULL, *down = NULL;

	(void)state;
	assert_int_equal(program_find("..", &up), 0);
	assert_int_equal(program_find("../tests/..", &down), 0);
	assert_string_equal(up, down);
	assert_null(strstr(up, ".."));
}

static void test_says_when_nothing_is_there(void **state)
{
	char *found = NULL;

	(void)state;
	assert_int_equal(program_find("no/such/file", &found), -ENOENT);
	assert_null(found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_itself),
		cmocka_unit_test(test_resolves_the_way_up),
		cmocka_unit_test(test_says_when_nothing_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
