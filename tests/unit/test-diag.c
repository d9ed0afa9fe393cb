// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The failure record: first one wins, always safe for a terminal.
 */
#include "test.h"

#include <errno.h>

#include "util/diag.h"

static void test_first_error_wins(void **state)
{
	struct diag diag = { 0 };
	char line[256];

	(void)state;
	assert_int_equal(diag_set(&diag, -EINVAL, "bad %s", "key"), -EINVAL);
	assert_int_equal(diag_set(&diag, -ENOENT, "later"), -ENOENT);
	diag_at(&diag, "a.json", 7);
	diag_at(&diag, "b.json", 9);
	diag_hint(&diag, "use %d", 5);
	diag_hint(&diag, "not this");
	diag_format(&diag, line, sizeof(line));
	assert_string_equal(line, "a.json:7: bad key");
	assert_string_equal(diag.hint, "use 5");
	assert_int_equal(diag.error, -EINVAL);
}

static void test_device_text_is_safe(void **state)
{
	struct diag diag = { 0 };
	char line[256];

	(void)state;
	diag_set(&diag, -EINVAL, "model %s", "\033]0;x\007");
	diag_at(&diag, "sd\na", 0);
	diag_format(&diag, line, sizeof(line));
	assert_string_equal(line, "sd\\x0aa: model \\x1b]0;x\\x07");
}

static void test_paths_have_their_slash(void **state)
{
	struct diag diag = { 0 };
	char line[256];

	(void)state;
	diag_set(&diag, -EINVAL, "bad");
	diag_at_path(&diag, "etc/default/grub", 3);
	diag_format(&diag, line, sizeof(line));
	assert_string_equal(line, "/etc/default/grub:3: bad");
	diag_at_path(NULL, "x", 0);
}

static void test_falls_back_to_errno(void **state)
{
	struct diag diag = { .error = -ENOSPC };
	char line[256];

	(void)state;
	diag_format(&diag, line, sizeof(line));
	assert_string_equal(line, strerror(ENOSPC));
	assert_int_equal(diag_set(NULL, -EIO, "nobody listens"), -EIO);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_error_wins),
		cmocka_unit_test(test_device_text_is_safe),
		cmocka_unit_test(test_paths_have_their_slash),
		cmocka_unit_test(test_falls_back_to_errno),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
