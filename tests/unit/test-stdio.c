// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A closed standard descriptor is occupied, and cannot be written to.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <cmocka.h>

#include "sysfs/stdio.h"

static void test_closed_descriptors_are_occupied(void **state)
{
	int saved = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 10);
	int next;
	char byte;

	(void)state;
	assert_true(saved >= 0);
	close(STDIN_FILENO);
	stdio_ensure();
	next = dup(STDERR_FILENO);
	assert_true(next > STDERR_FILENO);
	close(next);
	assert_int_equal(read(STDIN_FILENO, &byte, 1), 0);
	assert_int_equal(write(STDIN_FILENO, "x", 1), -1);
	assert_int_equal(errno, EBADF);
	assert_int_equal(dup2(saved, STDIN_FILENO), STDIN_FILENO);
	close(saved);
}

static void test_open_descriptors_stay(void **state)
{
	int before = dup(STDERR_FILENO), after;

	(void)state;
	close(before);
	stdio_ensure();
	after = dup(STDERR_FILENO);
	assert_int_equal(after, before);
	close(after);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_closed_descriptors_are_occupied),
		cmocka_unit_test(test_open_descriptors_stay),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
