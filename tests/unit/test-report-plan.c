// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plans and outcomes as text and JSON.
 */
#include "captured.h"
#include "made-up.h"

#include "report/plan.h"

static const struct plan_titles titles = { "FROM", "TO" };

static char *print_steps(const struct plan *plan, const struct table_style *style)
{
	struct captured captured = captured_begin();

	assert_int_equal(plan_print_steps(plan, &titles, style), 0);
	return captured_end(&captured);
}

static void test_steps_have_units_and_reasons(void **state)
{
	static const struct table_style piped = { 0 },
					narrow = { .width = 55, .is_terminal = true };
	struct plan_step step;
	struct plan_device planned = made_up_plan(&step);
	struct plan plan = { .items = &planned, .count = 1 };
	char *text = print_steps(&plan, &piped);

	(void)state;
	assert_string_equal(
		text,
		"DEVICE ATTRIBUTE               FROM   TO     SOURCE          WHY\n"
		"sda    mq-deadline.read_expire 500 ms 100 ms database.json:9 "
		"readers of a database wait for each page\n");
	free(text);

	/* No room beside the values: below them, and broken at blanks. */
	text = print_steps(&plan, &narrow);
	assert_null(strstr(text, "WHY"));
	assert_non_null(strstr(text, "\ndatabase.json:9: readers of a database wait for each\n"
				     "    page\n"));
	free(text);
}

static void test_nothing_to_say_of_an_empty_plan(void **state)
{
	static const struct table_style style = { 0 };
	struct plan_device planned = { .name = WORD("sda"), .state = PLAN_IN_FORCE };
	struct plan plan = { .items = &planned, .count = 1 };
	char *text = print_steps(&plan, &style);

	(void)state;
	assert_string_equal(text, "");
	free(text);
}

static void test_the_rest_in_groups(void **state)
{
	static const struct table_style style = { 0 };
	struct plan_device items[] = {
		{ .name = WORD("loop0"), .state = PLAN_SKIPPED, .reason = WORD("no rule") },
		{ .name = WORD("sda"), .state = PLAN_IN_FORCE },
		{ .name = WORD("sdb"), .state = PLAN_CHANGE },
		{ .name = WORD("loop1"), .state = PLAN_SKIPPED, .reason = WORD("no rule") },
		{ .name = WORD("sdc"), .state = PLAN_BLOCKED, .reason = WORD("read\x1b-only") },
	};
	struct plan plan = { .items = items, .count = ARRAY_SIZE(items) };
	struct captured captured;
	char *text;

	(void)state;
	captured = captured_begin();
	assert_int_equal(plan_print_rest(&plan, &style), 0);
	text = captured_end(&captured);
	assert_string_equal(text, "loop0, loop1: no rule\n"
				  "sda: in force\n"
				  "sdc: not possible: read\\x1b-only\n");
	free(text);
}

/* A thousand loop devices are one short line; every name is still covered by it. */
static void test_names_in_a_row(void **state)
{
	static const struct {
		const char *names[6], *line;
	} cases[] = {
		{ { "loop8", "loop9", "loop10", "loop12" }, "loop8 to loop10, loop12: r\n" },
		{ { "loop0", "loop1", "sda" }, "loop0, loop1, sda: r\n" },
		{ { "dm-1", "dm-2", "dm-3", "md1", "md2", "md3" },
		  "dm-1 to dm-3, md1 to md3: r\n" },
		{ { "sda", "sdb", "sdc" }, "sda, sdb, sdc: r\n" },
		{ { "nvme0n1", "nvme1n1", "nvme2n1" }, "nvme0n1, nvme1n1, nvme2n1: r\n" },
		{ { "x18446744073709551615", "x0", "x1", "x2" },
		  "x18446744073709551615, x0 to x2: r\n" },
	};
	static const struct table_style style = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct plan_device items[6] = { 0 };
		struct plan plan = { .items = items };
		struct captured captured;
		char *text;

		for (; plan.count < 6 && cases[i].names[plan.count]; plan.count++)
			items[plan.count] = (struct plan_device){
				.name = (char *)(uintptr_t)cases[i].names[plan.count],
				.state = PLAN_SKIPPED,
				.reason = WORD("r"),
			};
		captured = captured_begin();
		assert_int_equal(plan_print_rest(&plan, &style), 0);
		text = captured_end(&captured);
		assert_string_equal(text, cases[i].line);
		free(text);
	}
}

static void test_notes(void **state)
{
	static const struct table_style style = { 0 };
	char *notes[] = { WORD("treated as ssd"), WORD("second") };
	struct plan_device planned = { .name = WORD("sda"), .notes = { notes, 2, 2 } };
	struct plan plan = { .items = &planned, .count = 1 };
	struct captured captured = captured_begin();
	char *text;

	(void)state;
	assert_int_equal(plan_print_notes(&plan, &style), 0);
	text = captured_end(&captured);
	assert_string_equal(text, "sda: treated as ssd\nsda: second\n");
	free(text);
}

static void test_what_was_written(void **state)
{
	static const struct table_style style = { 0 };
	struct plan_step steps[2];
	struct plan_device planned = made_up_plan(&steps[0]);
	struct apply_write writes[] = { { true, "500" }, { false, "128" } };
	struct apply_device item = { .planned = &planned, .steps_done = 2, .writes = writes };
	struct apply_report report = { .items = &item, .count = 1 };
	struct plan plan = { .items = &planned, .count = 1 };
	struct captured captured;
	json_t *root, *device, *step;
	char *text;

	(void)state;
	steps[1] = (struct plan_step){ .tunable = tunable_find("read_ahead_kb"),
				       .from = "128", .to = "256" };
	planned.steps = steps;
	planned.step_count = 2;
	captured = captured_begin();
	assert_int_equal(plan_print_written(&report, &style), 0);
	text = captured_end(&captured);
	/* What was right by then is not claimed. */
	assert_string_equal(text, "DEVICE ATTRIBUTE               OLD    NEW\n"
				  "sda    mq-deadline.read_expire 500 ms 100 ms\n");
	free(text);

	root = plan_outcome_to_json(&plan, &report);
	device = json_array_get(json_object_get(root, "devices"), 0);
	assert_string_equal(json_string_value(json_object_get(device, "outcome")), "done");
	assert_true(json_is_null(json_object_get(device, "failure")));
	step = json_array_get(json_object_get(device, "steps"), 0);
	assert_true(json_is_true(json_object_get(step, "written")));
	assert_string_equal(json_string_value(json_object_get(step, "old")), "500");
	step = json_array_get(json_object_get(device, "steps"), 1);
	assert_true(json_is_false(json_object_get(step, "written")));
	json_decref(root);
}

static void test_a_failure_in_json(void **state)
{
	struct plan_step step;
	struct plan_device planned = made_up_plan(&step);
	struct apply_device item = { .planned = &planned, .outcome = APPLY_PUT_BACK,
				     .failed = &step, .error = -EIO, .actual = "500" };
	struct apply_report report = { .items = &item, .count = 1, .is_interrupted = true };
	struct plan plan = { .items = &planned, .count = 1 };
	json_t *root = plan_outcome_to_json(&plan, &report), *failure;

	(void)state;
	assert_true(json_is_true(json_object_get(root, "interrupted")));
	failure = json_object_get(json_array_get(json_object_get(root, "devices"), 0),
				  "failure");
	assert_int_equal(json_integer_value(json_object_get(failure, "errno")), EIO);
	assert_string_equal(json_string_value(json_object_get(failure, "key")),
			    "mq-deadline.read_expire");
	assert_string_equal(json_string_value(json_object_get(failure, "actual")), "500");
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steps_have_units_and_reasons),
		cmocka_unit_test(test_nothing_to_say_of_an_empty_plan),
		cmocka_unit_test(test_the_rest_in_groups),
		cmocka_unit_test(test_names_in_a_row),
		cmocka_unit_test(test_notes),
		cmocka_unit_test(test_what_was_written),
		cmocka_unit_test(test_a_failure_in_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
