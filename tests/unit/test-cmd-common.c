// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Errors and their exit statuses, and the time limit.
 */
#include "captured.h"

#include <errno.h>

#include "cmd/common.h"

static int fail_with(int error, const char *text, const char *expected)
{
	struct captured captured = captured_begin_of(stderr);
	struct diag diag = { 0 };
	char *err;
	int status;

	if (text)
		diag_set(&diag, error, "%s", text);
	status = cmd_fail(&diag, error);
	err = captured_end(&captured);
	assert_non_null(strstr(err, expected));
	free(err);
	return status;
}

static void test_statuses(void **state)
{
	(void)state;
	assert_int_equal(fail_with(-EACCES, NULL, "Permission denied"), EXIT_STATUS_DENIED);
	assert_int_equal(fail_with(-EPERM, "no", "iosched-tune: no"), EXIT_STATUS_DENIED);
	assert_int_equal(fail_with(-EROFS, NULL, "Read-only"), EXIT_STATUS_DENIED);
	assert_int_equal(fail_with(-ENOMEM, NULL, "memory"), EXIT_STATUS_FAILED);
	assert_int_equal(fail_with(-EIO, "the disk is gone", "the disk is gone"),
			 EXIT_STATUS_FAILED);
}

static void test_unknown_verbs(void **state)
{
	struct captured captured = captured_begin_of(stderr);
	char *err;

	(void)state;
	assert_int_equal(cmd_unknown_verb("statsu"), EXIT_STATUS_USAGE);
	err = captured_end(&captured);
	assert_non_null(strstr(err, "unknown verb 'statsu'"));
	assert_non_null(strstr(err, "did you mean 'status'?"));
	free(err);
}

static void test_time_limit(void **state)
{
	static const struct {
		const char *text;
		unsigned ms;
	} good[] = { { "1", 1000 }, { "30", 30000 }, { "500ms", 500 }, { "2s", 2000 },
		     { "86400", 86400000 } };
	static const char *const bad[] = { "", "0", "-1", "x", "86401", "1 KiB", "0ms",
					   "99999999999999999999" };
	struct captured captured;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(good); i++) {
		unsigned ms = 7;

		assert_int_equal(cmd_read_timeout(&verb_apply, "timeout", good[i].text, &ms), 0);
		assert_int_equal(ms, good[i].ms);
	}
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		unsigned ms = 7;
		int status;

		captured = captured_begin_of(stderr);
		status = cmd_read_timeout(&verb_apply, "timeout", bad[i], &ms);
		free(captured_end(&captured));
		assert_int_equal(status, EXIT_STATUS_USAGE);
		assert_int_equal(ms, 7);
	}
	assert_int_equal(cmd_read_timeout(&verb_apply, "timeout", NULL, &(unsigned){ 0 }), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statuses),
		cmocka_unit_test(test_unknown_verbs),
		cmocka_unit_test(test_time_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
