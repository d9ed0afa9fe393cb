// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Asking a program: its words, its status, its time.
 */
#include "test.h"

#include <errno.h>
#include <time.h>

#include "diagnose/command.h"

static int ask(const char *script, unsigned timeout_ms, size_t max, struct text *output,
	       int *status)
{
	const char *const argv[] = { "/bin/sh", "-c", script, NULL };

	return command_ask(argv, timeout_ms, max, output, status);
}

static void test_answers(void **state)
{
	_text_ struct text output = { 0 };
	int status = -2;

	(void)state;
	assert_int_equal(ask("echo one; echo two >&2; read x || echo $LC_ALL; exit 6", 10000,
			     100, &output, &status),
			 0);
	assert_string_equal(output.data, "one\nC\n");
	assert_int_equal(status, 6);
	assert_int_equal(ask("kill -9 $$", 10000, 100, &output, &status), 0);
	assert_int_equal(status, -1);
}

static void test_limits(void **state)
{
	const char *const absent[] = { "/no/such/program", NULL };
	_text_ struct text output = { 0 };
	int status = -2;

	(void)state;
	assert_int_equal(ask("while :; do echo many words; done", 10000, 1000, &output,
			     &status),
			 -EFBIG);
	assert_true(output.len <= 1000);
	/* what it has started ends as well, though it holds the pipe open */
	assert_int_equal(ask("sleep 1000 & sleep 1000", 50, 100, &output, &status),
			 -ETIME);
	assert_int_equal(command_ask(absent, 1000, 100, &output, &status), -ENOENT);
	assert_int_equal(status, -2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_answers),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
