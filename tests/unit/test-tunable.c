// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The catalogue: every row is sane, finders agree, and the kernel's roundings are told
 * from drift.
 */
#include "test.h"

#include <ctype.h>

#include "tunable/scheduler.h"
#include "tunable/tunable.h"

static void assert_row_is_sane(const struct tunable *row)
{
	bool is_iosched = row->place == TUNABLE_IOSCHED;

	assert_ptr_equal(tunable_find(row->key), row);
	assert_non_null(row->help);
	assert_int_equal(is_iosched, row->owner != NULL);
	assert_true(row->phase < PHASE_COUNT);
	assert_false(row->is_readonly && row->is_policy);
	if (row->type == TUNABLE_INT || row->type == TUNABLE_BOOL)
		assert_true(row->min < row->max);
	if (row->type == TUNABLE_BOOL)
		assert_int_equal(row->unit, UNIT_BOOL);
	if (row->rounding == ROUND_JIFFY)
		assert_int_equal(row->unit, UNIT_MS);
	for (const char *p = row->file; *p; p++)
		assert_true(islower((unsigned char)*p) || *p == '_');
	if (is_iosched) {
		assert_non_null(scheduler_find(row->owner));
		assert_ptr_equal(tunable_find_iosched(row->owner, row->file), row);
	} else {
		assert_string_equal(row->key, row->file);
		assert_ptr_equal(tunable_find_queue(row->file), row);
	}
}

static void test_every_row_is_sane(void **state)
{
	(void)state;
	assert_true(tunable_count() > 60);
	assert_null(tunable_get(tunable_count()));
	for (size_t i = 0; i < tunable_count(); i++)
		assert_row_is_sane(tunable_get(i));
}

/* The kernel's default must itself be a value that the row accepts. */
static void test_defaults_are_accepted(void **state)
{
	size_t checked = 0;
	char value[TUNABLE_VALUE_MAX];

	(void)state;
	for (size_t i = 0; i < tunable_count(); i++) {
		const struct tunable *row = tunable_get(i);

		if (!row->initial)
			continue;
		assert_int_equal(tunable_check(row, row->initial, NULL, value, NULL), 0);
		assert_string_equal(value, row->initial);
		checked++;
	}
	assert_true(checked > 30);
}

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
	assert_true(is_equal("mq-deadline.read_expire", "501", "504"));  /* HZ=250, seen */
	assert_true(is_equal("mq-deadline.read_expire", "501", "510"));  /* HZ=100 */
	assert_true(is_equal("mq-deadline.read_expire", "501", "501"));  /* HZ=1000 */
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
		cmocka_unit_test(test_every_row_is_sane),
		cmocka_unit_test(test_defaults_are_accepted),
		cmocka_unit_test(test_finds_only_whole_keys),
		cmocka_unit_test(test_ticks_are_no_drift),
		cmocka_unit_test(test_pages_are_no_drift),
		cmocka_unit_test(test_other_roundings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
