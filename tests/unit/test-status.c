// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The status table and its JSON: paths below their head, hostile strings, counts.
 */
#include "captured.h"
#include "made-up.h"

#include "report/status.h"

static void choose(const char *list, struct column_set *ret)
{
	struct diag diag = { 0 };

	assert_int_equal(column_set_parse(list, ret, &diag), 0);
}

static char *print(const struct column_set *set, const struct status_rows *rows)
{
	static const struct table_style style = { 0 };
	struct captured captured = captured_begin();

	assert_int_equal(status_print_table(set, rows, &style), 0);
	return captured_end(&captured);
}

static void test_paths_stand_below_their_head(void **state)
{
	char *path_names[] = { WORD("nvme0c0n1"), WORD("nvme0c1n1") };
	struct device devices[] = {
		{ .name = WORD("nvme0c0n1"), .is_hidden = true, .head = WORD("nvme0n1") },
		{ .name = WORD("nvme0c1n1"), .is_hidden = true, .head = WORD("nvme0n1") },
		{ .name = WORD("nvme0n1"), .paths = { path_names, 2, 2 } },
		{ .name = WORD("nvme1c1n1"), .is_hidden = true, .head = WORD("nvme1n1") },
	};
	struct column_row items[4];
	struct status_rows rows = { items, 4 };
	struct column_set set;
	char *text;

	(void)state;
	for (size_t i = 0; i < 4; i++)
		items[i] = (struct column_row){ .device = &devices[i] };
	choose("NAME,HIDDEN", &set);
	text = print(&set, &rows);
	assert_string_equal(text, "NAME        HIDDEN\n"
				  "nvme0n1          0\n"
				  "|-nvme0c0n1      1\n"
				  "`-nvme0c1n1      1\n"
				  "nvme1c1n1        1\n"); /* its head is not shown */
	free(text);
}

static void test_hostile_strings(void **state)
{
	struct device_value values[4];
	struct device device = made_up_ssd(values);
	struct column_row row = { .device = &device };
	struct status_rows rows = { &row, 1 };
	struct column_set set;
	json_t *array, *object;
	char *text;

	(void)state;
	choose("NAME,MODEL,SIZE,ROTA,SERIAL,OWNERS", &set);
	text = print(&set, &rows);
	assert_non_null(strstr(text, "Disk \\x1b[31m\\xff"));
	assert_null(strchr(text, '\x1b'));
	free(text);

	array = status_to_json(&set, &rows);
	assert_int_equal(json_array_size(array), 1);
	object = json_array_get(array, 0);
	assert_string_equal(json_string_value(json_object_get(object, "model")),
			    "Disk \x1b[31m\ufffd");
	assert_int_equal(json_integer_value(json_object_get(object, "size")), 1000204886016);
	assert_true(json_is_false(json_object_get(object, "rota")));
	assert_true(json_is_null(json_object_get(object, "serial")));
	assert_true(json_is_array(json_object_get(object, "owners")));
	json_decref(array);
}

static void test_counts(void **state)
{
	struct policy_device policies[] = {
		{ .state = POLICY_SET },  { .state = POLICY_SET },   { .state = POLICY_SET },
		{ .state = POLICY_LEFT }, { .state = POLICY_BELOW }, { .state = POLICY_NONE },
	};
	struct plan_device plans[] = {
		{ .state = PLAN_IN_FORCE }, { .state = PLAN_CHANGE }, { .state = PLAN_BLOCKED },
		{ .state = PLAN_SKIPPED },  { .state = PLAN_SKIPPED }, { .state = PLAN_SKIPPED },
	};
	struct column_row items[6];
	struct status_rows rows = { items, 6 };
	struct status_count count;

	(void)state;
	for (size_t i = 0; i < 6; i++)
		items[i] = (struct column_row){ NULL, &policies[i], &plans[i] };
	count = status_count_states(&rows);
	assert_int_equal(count.in_force, 1);
	assert_int_equal(count.drift, 1);
	assert_int_equal(count.blocked, 1);
	assert_int_equal(count.left, 1);
	assert_int_equal(count.elsewhere, 2);
}

static void test_the_list_of_columns(void **state)
{
	static const struct table_style style = { 0 };
	struct captured captured = captured_begin();
	char *text;

	(void)state;
	assert_int_equal(status_print_columns(&style), 0);
	text = captured_end(&captured);
	assert_non_null(strstr(text, "\nRQ-SIZE "));
	assert_non_null(strstr(text, "\nmq-deadline.read_expire "));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths_stand_below_their_head),
		cmocka_unit_test(test_hostile_strings),
		cmocka_unit_test(test_counts),
		cmocka_unit_test(test_the_list_of_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
