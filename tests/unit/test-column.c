// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The column table: sane rows, choosing by name, needs, and the same value in both
 * renderings.
 */
#include "made-up.h"

#include <ctype.h>
#include <errno.h>

#include "report/column.h"

static void test_every_row_is_sane(void **state)
{
	const struct column *column;
	size_t count = 0;

	(void)state;
	for (; (column = column_get(count)); count++) {
		struct column_set set;
		struct diag diag = { 0 };

		assert_non_null(column->help);
		/* Exactly one way to render. */
		assert_int_equal((column->file != NULL) + (column->render != NULL) +
					 (column->field != FIELD_NONE),
				 1);
		if (column->file)
			assert_non_null(tunable_find_queue(column->file));
		for (const char *p = column->key; *p; p++)
			assert_true(islower((unsigned char)*p) || strchr("-:", *p));
		assert_int_equal(column_set_parse(column->name, &set, &diag), 0);
		assert_ptr_equal(set.items[0].column, column); /* names are unique */
	}
	assert_true(count > 40 && count <= COLUMN_CHOICE_MAX);
}

static void test_choosing(void **state)
{
	struct diag diag = { 0 };
	struct column_set set;

	(void)state;
	assert_int_equal(column_set_parse("name,Tran,read_ahead_kb", &set, &diag), 0);
	assert_int_equal(set.count, 3);
	assert_string_equal(column_choice_name(&set.items[0]), "NAME");
	assert_string_equal(column_choice_name(&set.items[1]), "TRANSPORT");
	assert_string_equal(column_choice_name(&set.items[2]), "read_ahead_kb");
	assert_int_equal(column_choice_align(&set.items[2]), TABLE_RIGHT);

	assert_int_equal(column_set_parse("+MODEL", &set, &diag), 0);
	assert_string_equal(column_choice_name(&set.items[0]), "NAME");
	assert_string_equal(column_choice_name(&set.items[set.count - 1]), "MODEL");
	assert_true(set.count > 5);

	assert_int_equal(column_set_parse("SHED", &set, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "'SHED'"));
	assert_non_null(strstr(diag.hint, "'SCHED'"));
	diag = (struct diag){ 0 };
	assert_int_equal(column_set_parse(",", &set, &diag), -EINVAL);
	diag = (struct diag){ 0 };
	assert_int_equal(column_set_parse("qqqqqqqq", &set, &diag), -EINVAL);
	assert_non_null(strstr(diag.hint, "-o help"));
}

static void test_only_what_is_needed(void **state)
{
	struct diag diag = { 0 };
	struct column_set set;

	(void)state;
	assert_int_equal(column_set_parse("NAME,ROTA", &set, &diag), 0);
	assert_int_equal(column_set_needs(&set) & (SCAN_IDENTITY | SCAN_CONTENT | SCAN_MOUNTS),
			 0);
	assert_false(column_set_needs_policy(&set));
	assert_int_equal(column_set_parse("SERIAL", &set, &diag), 0);
	assert_true(column_set_needs(&set) & SCAN_IDENTITY);
	assert_int_equal(column_set_parse("mq-deadline.read_expire", &set, &diag), 0);
	assert_true(column_set_needs(&set) & SCAN_IOSCHED);
	assert_int_equal(column_set_parse("STATE", &set, &diag), 0);
	assert_true(column_set_needs_policy(&set));
}

static void check(const struct column_row *row, const char *name, const char *expected)
{
	_cell_ struct cell cell = { 0 };
	_text_ struct text text = { 0 };
	struct diag diag = { 0 };
	struct column_set set;

	assert_int_equal(column_set_parse(name, &set, &diag), 0);
	column_choice_render(&set.items[0], row, &cell);
	cell_add_text(&cell, false, &text);
	assert_string_equal(text.data, expected);
}

static void test_values(void **state)
{
	struct device_value values[4];
	struct device device = made_up_ssd(values);
	struct policy_value wanted[2];
	struct policy_device policy = made_up_policy(&device, wanted);
	struct plan_step step;
	struct plan_device planned = made_up_plan(&step);
	struct column_row row = { &device, &policy, &planned };

	(void)state;
	check(&row, "NAME", "sda");
	check(&row, "PATH", "/dev/sda");
	check(&row, "MAJ:MIN", "8:0");
	check(&row, "SIZE", "931.5G");
	check(&row, "CLASS", "ssd");
	check(&row, "ROTA", "0");
	check(&row, "HWQ", "1");
	check(&row, "RQ-SIZE", "64");
	check(&row, "RA", "128");
	check(&row, "SCHED", "mq-deadline");
	check(&row, "AVAILABLE", "none,mq-deadline,kyber");
	check(&row, "WANTED", "mq-deadline");
	check(&row, "ORIGIN", "database.json:7");
	check(&row, "CHANGES", "1");
	check(&row, "STATE", "drift");
	check(&row, "SERIAL", "-");
	check(&row, "mq-deadline.read_expire", "500");
	check(&row, "scheduler", "mq-deadline");
	check(&row, "wbt_lat_usec", "-"); /* could not be read */
	device.rotational = -1;
	check(&row, "ROTA", "-");
}

static void test_states(void **state)
{
	struct policy_device policy = { .state = POLICY_SET };
	struct plan_device planned = { .state = PLAN_IN_FORCE };
	struct column_row row = { NULL, &policy, &planned };

	(void)state;
	assert_string_equal(column_state(&row), "in-force");
	planned.state = PLAN_BLOCKED;
	assert_string_equal(column_state(&row), "blocked");
	planned.state = PLAN_SKIPPED;
	assert_string_equal(column_state(&row), "left-alone");
	policy.state = POLICY_LEFT;
	assert_string_equal(column_state(&row), "left-alone");
	policy.state = POLICY_BELOW;
	assert_string_equal(column_state(&row), "below");
	policy.state = POLICY_NONE;
	assert_string_equal(column_state(&row), "none");
	row.policy = NULL;
	assert_null(column_state(&row));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_row_is_sane),
		cmocka_unit_test(test_choosing),
		cmocka_unit_test(test_only_what_is_needed),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_states),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
