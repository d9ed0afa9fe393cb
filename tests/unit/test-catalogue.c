// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The catalogue: every row is sane, and what the kernel uses by default is accepted.
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

/* What can be read back wrong after a harmless write must not be settable by a profile. */
static void test_dangerous_rows_are_only_shown(void **state)
{
	static const char *const keys[] = { "write_cache",       "rotational",
					    "discard_max_bytes", "io_poll",
					    "io_poll_delay",     "stable_writes" };

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_false(tunable_find(keys[i])->is_policy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_row_is_sane),
		cmocka_unit_test(test_defaults_are_accepted),
		cmocka_unit_test(test_dangerous_rows_are_only_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
