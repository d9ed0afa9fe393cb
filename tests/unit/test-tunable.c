// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding rows, and telling the kernel's roundings from drift.
 */
#include "test.h"

#include "tunable/tunable.h"

static void test_finds_only_whole_keys(void **state)
{
	(void)state;
	assert_null(tunable_find("read_expire"));
	assert_null(tunable_find(""));
	assert_null(tunable_find_queue("read_expire"));
	assert_null(tunable_find_iosched("kyber", "read_expire"));
	assert_string_equal(tunable_find_iosched("deadline", "read_expire")->key,
			    "deadline.read_expire");
	assert_string_equal(tunable_scheduler()->key, "scheduler");
}

static bool is_equal(const char *key, const char *wanted, const char *actual)
{
	return tunable_is_equal(tunable_find(key), wanted, actual);
}

static void test_ticks_are_no_drift(void **state)
{
	(void)state;
	assert_true(is_equal("mq-deadline.read_expire", "501", "504")); /* HZ=250, seen */
	assert_true(is_equal("mq-deadline.read_expire", "501", "510")); /* HZ=100 */
	assert_true(is_equal("mq-deadline.read_expire", "501", "501")); /* HZ=1000 */
	assert_true(is_equal("mq-deadline.read_expire", "1", "4"));
	assert_true(is_equal("mq-deadline.read_expire", "2147483640", "2147483640"));
	assert_false(is_equal("mq-deadline.read_expire", "501", "500"));
	assert_false(is_equal("mq-deadline.read_expire", "501", "506"));
	assert_false(is_equal("mq-deadline.read_expire", "100", "104"));
	assert_false(is_equal("mq-deadline.read_expire", "500", "5000"));
	assert_false(is_equal("bfq.timeout_sync", "125", "124"));
}

static void test_pages_are_no_drift(void **state)
{
	(void)state;
	assert_true(is_equal("read_ahead_kb", "33", "32"));
	assert_true(is_equal("read_ahead_kb", "200", "192")); /* 64 KiB pages */
	assert_true(is_equal("read_ahead_kb", "3", "0"));
	assert_false(is_equal("read_ahead_kb", "128", "8192")); /* user problem 18 */
	assert_false(is_equal("read_ahead_kb", "128", "124"));
	assert_false(is_equal("read_ahead_kb", "128", "132"));
}

static void test_other_roundings(void **state)
{
	(void)state;
	assert_true(is_equal("nr_requests", "2", "4"));
	assert_false(is_equal("nr_requests", "5", "4"));
	assert_false(is_equal("nr_requests", "2", "5"));
	assert_true(is_equal("wbt_lat_usec", "-1", "75000"));
	assert_true(is_equal("wbt_lat_usec", "-1", "2000"));
	assert_false(is_equal("wbt_lat_usec", "-1", "0"));
	assert_false(is_equal("io_poll_delay", "-1", "2000"));
	assert_true(is_equal("scheduler", "bfq", "bfq"));
	assert_false(is_equal("scheduler", "bfq", "none"));
	assert_false(is_equal("nomerges", "0", "junk"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_finds_only_whole_keys),
		cmocka_unit_test(test_ticks_are_no_drift),
		cmocka_unit_test(test_pages_are_no_drift),
		cmocka_unit_test(test_other_roundings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
