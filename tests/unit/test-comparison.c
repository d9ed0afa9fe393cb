// SPDX-License-Identifier: GPL-2.0-or-later
/* Comparisons: what a cell says, what is marked, how wide a table may be, and the JSON. */
#include "test.h"

#include "report/comparison.h"
#include "report/json.h"
#include "util/cleanup.h"

static struct experiment_outcome outcomes[4];
static const struct sim_setting setting = { "read_expire", "100" };
static const struct comparison_column columns[] = {
	{ .title = "now", .scheduler = "mq-deadline" },
	{ .title = "database", .scheduler = "mq-deadline", .settings = &setting,
	  .setting_count = 1, .nr_requests = 64 },
	{ .title = "none", .scheduler = "none" },
	{ .title = "kyber", .scheduler = "kyber" },
};

static void fill(struct experiment_outcome *outcome, double p99_ms, double margin_ms)
{
	struct experiment_stream *reads = &outcome->directions[SIM_DIR_READ];

	outcome->runs = 5;
	reads->ios = 1000;
	reads->figures[FIGURE_IOPS] = (struct estimate){ 1234, 5, 5 };
	reads->figures[FIGURE_P99] = (struct estimate){ p99_ms * 1e6, margin_ms * 1e6, 5 };
	outcome->totals[TOTAL_FAIRNESS] = (struct estimate){ 0.5, 0.25, 5 };
}

static int set_up(void **state)
{
	(void)state;
	memset(outcomes, 0, sizeof(outcomes));
	fill(&outcomes[0], 20, 1);
	fill(&outcomes[1], 8, 0.5);
	fill(&outcomes[2], 8.9, 0.5);
	fill(&outcomes[3], 30, 1);
	return 0;
}

/* What comparison_print() writes to stdout. */
static char *print(const struct comparison *comparison, const struct table_style *style)
{
	static char text[8192];
	int saved = dup(STDOUT_FILENO), pipes[2];
	ssize_t len;

	assert_int_equal(pipe(pipes), 0);
	fflush(stdout);
	dup2(pipes[1], STDOUT_FILENO);
	assert_int_equal(comparison_print(comparison, style), 0);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(pipes[1]);
	len = read(pipes[0], text, sizeof(text) - 1);
	close(pipes[0]);
	assert_true(len > 0);
	text[len] = '\0';
	return text;
}

/* "-" where one column has too few I/Os, nothing where all have. */
static void test_too_few(void **state)
{
	const struct table_style style = { .width = 200 };
	struct comparison comparison;
	char *text;

	(void)state;
	outcomes[1].directions[SIM_DIR_READ].ios_fewest = 99;
	outcomes[0].directions[SIM_DIR_READ].ios_fewest = 100;
	comparison = comparison_make(columns, outcomes, 2, NULL, 0);
	text = print(&comparison, &style);
	assert_int_equal(comparison.best, 0);
	assert_non_null(strstr(text, "read P99 ms   20.00 +-1.00      -"));
	assert_non_null(strstr(text, "P99 is shown of 100 I/Os or more in each run"));
	outcomes[0].directions[SIM_DIR_READ].ios_fewest = 99;
	comparison = comparison_make(columns, outcomes, 2, objective_find("p99-read"), 0);
	text = print(&comparison, &style);
	assert_null(strstr(text, "read P99 ms"));
	assert_non_null(strstr(text, "which is best is not known: there is no p99-read"));
}

static void test_marks(void **state)
{
	const struct table_style style = { .width = 80 };
	struct comparison comparison = comparison_make(columns, outcomes, 3, NULL, 0);
	const char *text = print(&comparison, &style);

	(void)state;
	assert_int_equal(comparison.best, 1);
	assert_non_null(strstr(text, "database *"));
	/* 1234 everywhere: no difference. */
	assert_non_null(strstr(text, "1234 +-5 "));
	assert_non_null(strstr(text, "+-5     ="));
	assert_non_null(strstr(text, "20.00 +-1.00"));
	assert_null(strstr(text, "8.00 +-0.50 ="));
	assert_non_null(strstr(text, "best by p99-read"));
	/* 8 +- 0.5 and 8.9 +- 0.5 overlap. */
	assert_non_null(strstr(text, "stay below\n  no difference from it: none\n"));
	assert_non_null(strstr(text, "over 5 runs"));
	assert_null(strstr(text, "write"));
	assert_null(strstr(text, "JOB"));
}

static void test_few_rounds(void **state)
{
	const struct table_style style = { .width = 80 };
	struct comparison comparison = comparison_make(columns, outcomes, 2, NULL, 0);
	unsigned runs = outcomes[1].runs;
	char *text;

	(void)state;
	comparison_of_medians(&comparison);
	assert_int_equal(comparison.best, 1);
	assert_non_null(strstr(print(&comparison, &style), "medians of 5 rounds"));
	outcomes[1].runs = 2;
	comparison_of_medians(&comparison);
	text = print(&comparison, &style);
	outcomes[1].runs = runs;
	assert_int_equal(comparison.best, -1);
	assert_null(strstr(text, " *"));
	assert_non_null(strstr(text, "which is best is not known: it takes 3 rounds or more\n"));
}

static void test_width(void **state)
{
	struct table_style style = { .width = 60, .is_terminal = true };
	struct comparison comparison = comparison_make(columns, outcomes, 4, NULL, 0);
	const char *text = print(&comparison, &style), *first;

	(void)state;
	/* The reference stands in both blocks, each other column in one. */
	first = strstr(text, "now");
	assert_non_null(first);
	assert_non_null(strstr(first + 3, "now"));
	for (const char *line = text; *line && strncmp(line, "*", 1) != 0;) {
		const char *end = strchr(line, '\n');

		assert_true(end - line <= 60);
		line = end + 1;
	}
	style.is_terminal = false;
	text = print(&comparison, &style);
	first = strstr(text, "FIGURE");
	assert_null(strstr(first + 1, "FIGURE"));
}

/* Nothing that decides differs: no star, no equals, and no "best" of JSON. */
static void test_tie(void **state)
{
	const struct table_style style = { .width = 80 };
	struct comparison comparison;
	json_t *root = json_object();
	const char *text;

	(void)state;
	fill(&outcomes[0], 8.2, 0.5);
	comparison = comparison_make(columns, outcomes, 2, NULL, 0);
	text = print(&comparison, &style);
	assert_null(strchr(text, '*'));
	assert_non_null(strstr(text, "best by p99-read: all are alike\n"));
	assert_null(strstr(text, "not known"));
	assert_int_equal(comparison_to_json(&comparison, root), 0);
	assert_true(json_is_null(json_object_get(root, "best")));
	assert_int_equal(json_array_size(json_object_get(root, "alike")), 2);
	json_decref(root);
}

/* Cut short, or not begun, beside one that was done: they cannot be compared. */
static void test_ended(void **state)
{
	const struct table_style style = { .width = 200 };
	struct comparison comparison;
	json_t *root = json_object();
	const char *text;

	(void)state;
	outcomes[0].is_partial = true;
	comparison = comparison_make(columns, outcomes, 2, NULL, 0);
	assert_int_equal(comparison.best, 1);
	outcomes[1].is_partial = outcomes[1].is_cut = true;
	outcomes[3] = (struct experiment_outcome){ .is_partial = true };
	comparison = comparison_make(columns, outcomes, 4, NULL, 0);
	text = print(&comparison, &style);
	assert_int_equal(comparison.best, -1);
	assert_false(comparison.is_tie);
	assert_null(strstr(text, " *"));
	assert_non_null(strstr(text, "which is best is not known: there is no whole run of "
				     "database, kyber\n"));
	assert_int_equal(comparison_to_json(&comparison, root), 0);
	assert_true(json_is_null(json_object_get(root, "best")));
	json_decref(root);
	/* What nobody has a model of was not ended. */
	outcomes[1].is_partial = outcomes[1].is_cut = outcomes[3].is_partial = false;
	comparison = comparison_make(columns, outcomes, 4, NULL, 0);
	assert_int_equal(comparison.best, 1);
}

static void test_jobs(void **state)
{
	const struct table_style style = { .width = 80 };
	struct experiment_group groups[2] = { { .name = "reader", .jobs = 4 },
					      { .name = "writer", .jobs = 1 } };
	struct comparison comparison = comparison_make(columns, outcomes, 1, NULL, 0);
	const char *text;

	(void)state;
	groups[0].directions[SIM_DIR_READ] = outcomes[0].directions[SIM_DIR_READ];
	groups[1].directions[SIM_DIR_WRITE].figures[FIGURE_IOPS] = (struct estimate){ 7, 0, 1 };
	outcomes[0].groups = groups;
	outcomes[0].group_count = 2;
	text = print(&comparison, &style);
	assert_non_null(strstr(text, "reader read"));
	assert_non_null(strstr(text, "writer write"));
	assert_non_null(strstr(text, "all    read"));
	assert_null(strchr(text, '*'));
	/* One group is the whole. */
	outcomes[0].group_count = 1;
	assert_null(strstr(print(&comparison, &style), "reader"));
}

/* Rows of their own, and a key, where something is flushed; else nothing. */
static void test_flushes(void **state)
{
	const struct table_style style = { .width = 80 };
	struct experiment_group groups[2] = { { .name = "log" }, { .name = "reader" } };
	struct comparison comparison = comparison_make(columns, outcomes, 1, NULL, 0);
	struct experiment_stream *flushes = &outcomes[0].flushes;
	json_t *root = json_object(), *item;

	(void)state;
	assert_null(strstr(print(&comparison, &style), "flush"));
	flushes->ios = 1000;
	flushes->figures[FIGURE_IOPS] = (struct estimate){ 1048, 0.4, 5 };
	flushes->figures[FIGURE_P99] = (struct estimate){ 950000, 1000, 5 };
	assert_non_null(strstr(print(&comparison, &style), "flush per second  1048"));
	assert_non_null(strstr(print(&comparison, &style), "flush P99 ms     0.950"));
	groups[0].flushes = *flushes;
	outcomes[0].groups = groups;
	outcomes[0].group_count = 2;
	assert_non_null(strstr(print(&comparison, &style), "log flush per second"));
	assert_int_equal(comparison_to_json(&comparison, root), 0);
	item = json_array_get(json_object_get(root, "schedulers"), 0);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(item, "flush"),
							    "p99_ns")), 950000);
	assert_null(json_object_get(json_object_get(item, "flush"), "sectors"));
	/* Tenths that the table shows of few. */
	assert_true(json_real_value(json_object_get(
			    json_object_get(json_object_get(item, "flush"), "margin"),
			    "iops")) == 0.4);
	item = json_object_get(item, "jobs");
	assert_non_null(json_object_get(json_array_get(item, 0), "flush"));
	assert_null(json_object_get(json_array_get(item, 1), "flush"));
	json_decref(root);
}

static void test_decimals(void **state)
{
	const struct figure_format *latency = comparison_figure_format(FIGURE_MEAN);
	const struct figure_format *iops = comparison_figure_format(FIGURE_IOPS);
	char buf[32];

	(void)state;
	assert_int_equal(figure_decimals(latency, 999e3), 3);
	assert_int_equal(figure_decimals(latency, 9.99e6), 3);
	assert_int_equal(figure_decimals(latency, 10e6), 2);
	assert_int_equal(figure_decimals(latency, 100e6), 1);
	assert_int_equal(figure_decimals(latency, 20000e6), 0);
	assert_int_equal(figure_decimals(iops, 9.5), 1);
	assert_int_equal(figure_decimals(iops, 0), 0);
	assert_int_equal(figure_decimals(iops, 1e6), 0);
	figure_format_number(latency, 3, 123456, buf, sizeof(buf));
	assert_string_equal(buf, "0.123");
}

static void test_json(void **state)
{
	struct comparison comparison = comparison_make(columns, outcomes, 2, NULL, 0);
	json_t *root = json_object(), *item;

	(void)state;
	assert_int_equal(comparison_to_json(&comparison, root), 0);
	assert_string_equal(json_string_value(json_object_get(root, "best")), "database");
	assert_int_equal(json_array_size(json_object_get(root, "alike")), 0);
	assert_string_equal(json_string_value(json_object_get(root, "reference")), "now");
	assert_string_equal(json_string_value(json_object_get(root, "objective")), "p99-read");
	item = json_array_get(json_object_get(root, "schedulers"), 1);
	assert_int_equal(json_integer_value(json_object_get(item, "nr_requests")), 64);
	assert_string_equal(json_string_value(json_object_get(json_object_get(item, "settings"),
							      "read_expire")), "100");
	assert_true(json_real_value(json_object_get(item, "fairness")) == 0.5);
	assert_true(json_real_value(json_object_get(json_object_get(item, "margin"),
						    "fairness")) == 0.25);
	item = json_object_get(item, "read");
	assert_int_equal(json_integer_value(json_object_get(item, "p99_ns")), 8000000);
	assert_int_equal(json_integer_value(json_object_get(json_object_get(item, "margin"),
							    "p99_ns")), 500000);
	assert_null(json_object_get(item, "max_ns"));
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_few_rounds, set_up),
		cmocka_unit_test_setup(test_marks, set_up),
		cmocka_unit_test_setup(test_width, set_up),
		cmocka_unit_test_setup(test_tie, set_up),
		cmocka_unit_test_setup(test_ended, set_up),
		cmocka_unit_test_setup(test_jobs, set_up),
		cmocka_unit_test_setup(test_flushes, set_up),
		cmocka_unit_test(test_decimals),
		cmocka_unit_test_setup(test_json, set_up),
		cmocka_unit_test_setup(test_too_few, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
