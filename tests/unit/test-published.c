// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Published experiments: what a file says, what is refused and where, ratios and orders,
 * a small one carried out, and what the errors of several come to.
 */
#include "sim/published.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "report/published.h"

#define ROWS                                                                                 \
	"\"rows\": [ { \"figure\": \"iops\", \"direction\": \"read\",\n"                     \
	"  \"measured\": { \"none\": 100, \"mq-deadline\": 80 } } ]\n"
#define HEAD                                                                                 \
	"{ \"experiment\": \"X1\", \"table\": \"A\", \"title\": \"a title\",\n"              \
	"\"source\": \"a source\", \"kernel\": \"6.3\",\n"                                   \
	"\"machine\": { \"processors\": 2, \"slowness\": 1.5, \"wake_us\": 2.5 },\n"
#define MEDIUM   "\"medium\": { \"preset\": \"nvme\" },\n"
#define WORKLOAD                                                                             \
	"\"workload\": [ \"[job]\", \"filename=/dev/nvme0n1\", \"rw=randread\",\n"           \
	" \"bs=4k\", \"iodepth=8\" ],\n"
#define TIMES    "\"warmup_ms\": 1, \"runtime_ms\": 10, \"reference\": \"none\",\n"
#define GOOD     HEAD MEDIUM WORKLOAD TIMES ROWS "}"

static struct published parse(const char *json)
{
	struct published published;
	struct diag diag = { 0 };

	if (published_parse(json, strlen(json), "x.json", &published, &diag))
		fail_msg("%s", diag.text);
	return published;
}

/* The last device is as the others, but for what is said of it. */
static void test_last_medium(void **state)
{
	struct published p = parse(HEAD MEDIUM WORKLOAD TIMES
				   "\"devices\": 2, \"last_medium\": { \"read_us\": 99 },\n" ROWS "}");
	int row = sim_media_parameter(p.medium.ops, "read_us");
	int other = sim_media_parameter(p.medium.ops, "servers");

	(void)state;
	assert_true(p.has_last_medium);
	assert_true(p.last_medium.values[row] == 99 && p.medium.values[row] == 48);
	assert_true(p.last_medium.values[other] == 32);
	published_done(&p);
	p = parse(GOOD);
	assert_false(p.has_last_medium);
	published_done(&p);
}

static void test_what_a_file_says(void **state)
{
	struct published p = parse(HEAD MEDIUM WORKLOAD TIMES
				   "\"devices\": 3, \"nr_requests\": 64, \"seeds\": 2,\n"
				   "\"remark\": \"so\", \"contradicts\": \"that\",\n" ROWS "}");

	(void)state;
	assert_string_equal(p.experiment, "X1");
	assert_string_equal(p.table, "A");
	assert_string_equal(p.title, "a title");
	assert_string_equal(p.source, "a source");
	assert_string_equal(p.remark, "so");
	assert_string_equal(p.contradicts, "that");
	assert_int_equal(p.machine.processors, 2);
	assert_true(p.machine.slowness == 1.5);
	assert_int_equal(p.machine.wake_ns, 2500);
	assert_string_equal(p.medium.ops->name, "nvme");
	assert_int_equal(p.devices, 3);
	assert_int_equal(p.nr_requests, 64);
	assert_int_equal(p.seeds, 2);
	assert_int_equal(p.workload.job_count, 1);
	assert_int_equal(p.warmup_ns, 1000000);
	assert_int_equal(p.runtime_ns, 10000000);
	assert_int_equal(p.scheduler_count, 2);
	assert_string_equal(p.schedulers[0], "none");
	assert_string_equal(p.schedulers[1], "mq-deadline");
	assert_int_equal(p.row_count, 1);
	assert_int_equal(p.rows[0].figure, PUBLISHED_IOPS);
	assert_int_equal(p.rows[0].direction, SIM_DIR_READ);
	assert_false(p.rows[0].is_order_only);
	published_done(&p);
	assert_null(p.title);
}

#define ROW(text) HEAD MEDIUM WORKLOAD TIMES "\"rows\": [ " text " ]}"

static void test_refusals_say_where_and_what(void **state)
{
	static const struct {
		const char *json, *where, *what;
	} rows[] = {
		{ "{ \"experiment\": \"X\"\n", "x.json:2", "not valid JSON" },
		{ "{ \"experiment\": \"X\",\n\"nonsense\": 1 }", "x.json:2",
		  "unknown key \"nonsense\"" },
		{ "{ \"experiment\": \"a name that is too long\" }", "x.json:1",
		  "\"experiment\" must be a text" },
		{ "{ \"experiment\": \"X\", \"table\": \"A\",\n \"title\": 3 }", "x.json:2",
		  "\"title\" must be a text" },
		{ "{ \"experiment\": \"X\", \"table\": \"A\", \"title\": \"t\",\n"
		  "\"source\": \"s\",\n\"kernel\": \"new\" }", "x.json:3",
		  "\"new\" is no kernel version" },
		{ "{ \"experiment\": \"X\", \"table\": \"A\", \"title\": \"t\",\n"
		  "\"source\": \"s\",\"kernel\": \"6.1\",\n\"machine\": 4 }", "x.json:3",
		  "\"machine\" must be an object" },
		{ "{ \"experiment\": \"X\", \"table\": \"A\", \"title\": \"t\",\n"
		  "\"source\": \"s\",\"kernel\": \"6.1\",\n\"machine\": {\n"
		  " \"processors\": 0 } }", "x.json:4",
		  "\"processors\" must be a number from 1" },
		{ HEAD "\"medium\": { \"preset\": \"drum\" } }", "x.json:4", "\"medium\": there is no preset" },
		{ HEAD MEDIUM "\"workload\": \"dd\" }", "x.json:5",
		  "\"workload\" must be a list" },
		{ HEAD MEDIUM "\"workload\": [ \"[job]\",\n 7 ] }", "x.json:5",
		  "\"workload\" must be a list" },
		{ HEAD MEDIUM "\"workload\": [ \"[job]\", \"rw=sideways\" ] }",
		  "x.json: workload:2", "sideways" },
		{ HEAD MEDIUM WORKLOAD "\"runtime_ms\": 0 }", "x.json:7",
		  "\"runtime_ms\" must be" },
		{ HEAD MEDIUM WORKLOAD "\"reference\": \"none\",\n" ROWS "}", "x.json",
		  "\"runtime_ms\" must be" },
		{ HEAD MEDIUM WORKLOAD "\"runtime_ms\": 10,\n\"warmup_ms\": 10,\n"
		  "\"reference\": \"none\",\n" ROWS "}", "x.json:8", "nothing would be counted" },
		{ HEAD MEDIUM WORKLOAD "\"runtime_ms\": 10,\n\"reference\": \"fastest\" }",
		  "x.json:8", "no scheduler \"fastest\"" },
		{ HEAD MEDIUM WORKLOAD TIMES "\"rows\": [] }", "x.json:8",
		  "\"rows\" must be a list" },
		{ HEAD MEDIUM "\"last_medium\": 3,\n" WORKLOAD TIMES ROWS "}", "x.json:5",
		  "\"last_medium\" must be an object" },
		{ HEAD MEDIUM "\"last_medium\": { \"hw_queues\": 3 },\n" WORKLOAD TIMES ROWS "}",
		  "x.json:5", "\"last_medium\" must have the queues" },
		{ HEAD MEDIUM "\"last_medium\": { \"zone_size\": \"64M\" },\n" WORKLOAD TIMES ROWS "}",
		  "x.json:5", "\"last_medium\" must have the queues" },
		{ HEAD MEDIUM "\"last_medium\": { \"read_us\": -1 },\n" WORKLOAD TIMES ROWS "}",
		  "x.json:5", "\"read_us\"" },
		{ HEAD MEDIUM "\"last_medium\": { \"read_us\": 9 },\n" WORKLOAD TIMES ROWS "}",
		  "x.json:5", "\"last_medium\" is of the last of several \"devices\"" },
		{ HEAD "\"medium\": { \"preset\": \"nvme\",\n\"speed\": 1 },\n" WORKLOAD TIMES ROWS "}",
		  "x.json:4", "\"speed\"" },
		{ ROW("1"), "x.json:8", "\"rows\" must be" },
		{ ROW("{ \"figure\": \"speed\" }"), "x.json:8", "no figure \"speed\"" },
		{ ROW("{ \"figure\": \"iops\", \"error\": 0 }"), "x.json:8",
		  "unknown key \"error\"" },
		{ ROW("{ \"figure\": \"iops\",\n\"direction\": \"up\" }"), "x.json:9",
		  "\"direction\" must be" },
		{ ROW("{ \"figure\": \"p99\" }"), "x.json:8", "\"p99\" needs a direction" },
		{ ROW("{ \"figure\": \"cpu\", \"direction\": \"read\" }"), "x.json:8",
		  "\"cpu\" has no direction" },
		{ ROW("{ \"figure\": \"iops\", \"measured\":\n{ \"none\": -1 } }"),
		  "x.json:9", "\"none\" must be a number from" },
		{ ROW("{ \"figure\": \"iops\", \"measured\":\n{ \"none\": 0 } }"),
		  "x.json:9", "\"none\" must be a number from" },
		{ ROW("{ \"figure\": \"iops\", \"measured\":\n{ \"none\": \"1\" } }"),
		  "x.json:9", "\"none\" must be a number from" },
		/* Their ratios would be none. */
		{ ROW("{ \"figure\": \"iops\", \"measured\":\n{ \"none\": 5e-324 } }"),
		  "x.json:9", "\"none\" must be a number from" },
		{ ROW("{ \"figure\": \"iops\", \"measured\":\n{ \"none\": 1e308 } }"),
		  "x.json:9", "\"none\" must be a number from" },
		{ ROW("{ \"figure\": \"iops\", \"measured\":\n{ \"best\": 1 } }"),
		  "x.json:9", "no scheduler \"best\"" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct published published;
		struct diag diag = { 0 };
		int r = published_parse(rows[i].json, strlen(rows[i].json), "x.json",
					&published, &diag);
		char text[1024];

		diag_format(&diag, text, sizeof(text));
		if (r >= 0 || !strstr(text, rows[i].where) || !strstr(text, rows[i].what))
			fail_msg("%zu: \"%s\" is not about %s at %s", i, text,
				 rows[i].what, rows[i].where);
	}
}

/* Measured figures from [0] on, simulated ones likewise; 0: there is none. */
static struct published_row make_row(const double *measured, const double *simulated,
				     size_t count)
{
	struct published_row row = { 0 };

	for (size_t i = 0; i < count; i++) {
		row.values[i].is_given = measured[i] > 0;
		row.values[i].measured = measured[i];
		row.values[i].simulated = simulated[i];
	}
	return row;
}

static void test_ratios_are_to_the_first(void **state)
{
	static const double measured[] = { 200, 100, 0 }, simulated[] = { 8, 6, 1 };
	struct published_row row = make_row(measured, simulated, 3);

	(void)state;
	assert_true(published_measured_ratio(&row, 1) == 0.5);
	assert_true(published_simulated_ratio(&row, 1) == 0.75);
	assert_true(published_measured_ratio(&row, 2) == 0);
	row.values[0].simulated = 0;
	assert_true(published_simulated_ratio(&row, 1) == 0);
	row.values[0].is_given = false;
	assert_true(published_measured_ratio(&row, 1) == 0);
}

static void test_orders(void **state)
{
	static const struct {
		double measured[3], simulated[3];
		bool is_ordered;
	} rows[] = {
		{ { 100, 90, 80 }, { 3, 2, 1 }, true },
		{ { 100, 90, 80 }, { 3, 1, 2 }, false },
		{ { 80, 90, 100 }, { 3, 2, 1 }, false },
		/* Equal is not ahead. */
		{ { 100, 90, 80 }, { 3, 2, 2 }, false },
		/* Within 2 % nobody is ahead; beyond that somebody is. */
		{ { 100, 99, 80 }, { 2, 3, 1 }, true },
		{ { 100, 97, 80 }, { 2, 3, 1 }, false },
		/* Near one another in a chain, but not from end to end. */
		{ { 100, 98.5, 97 }, { 3, 2, 1 }, true },
		{ { 100, 98.5, 97 }, { 1, 2, 3 }, false },
		/* Who was not measured has no place. */
		{ { 100, 0, 80 }, { 2, 5, 1 }, true },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct published_row row =
			make_row(rows[i].measured, rows[i].simulated, 3);

		if (published_is_ordered(&row) != rows[i].is_ordered)
			fail_msg("%zu", i);
	}
}

static void test_carried_out(void **state)
{
	struct published one = parse(GOOD), two = parse(GOOD);
	struct diag diag = { 0 };

	(void)state;
	if (published_run(&one, 1, NULL, NULL, &diag) ||
	    published_run(&two, 2, NULL, NULL, &diag))
		fail_msg("%s", diag.text);
	for (size_t i = 0; i < 2; i++) {
		assert_true(one.rows[0].values[i].simulated > 1000);
		assert_true(one.rows[0].values[i].simulated ==
			    two.rows[0].values[i].simulated);
	}
	published_done(&one);
	published_done(&two);
}

static bool end_at_once(void *context, const struct experiment_progress *progress)
{
	(void)context;
	(void)progress;
	return true;
}

static void test_ended_early(void **state)
{
	struct published p = parse(GOOD);
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(published_run(&p, 1, end_at_once, NULL, &diag), -EINTR);
	published_done(&p);
}

/* Errors of 10 %, -20 %, 0 % and one that is in no order, in two tables. */
static void make_three(struct published *list)
{
	static const double measured[] = { 100, 50 }, wrong[] = { 100, 120 };

	for (size_t i = 0; i < 3; i++)
		list[i] = parse(GOOD);
	list[0].rows[0] = make_row(measured, (const double[]){ 10, 5.5 }, 2);
	list[0].rows[1] = make_row(measured, (const double[]){ 10, 4 }, 2);
	list[0].row_count = 2;
	list[1].rows[0] = make_row(measured, (const double[]){ 10, 5 }, 2);
	list[1].rows[1] = make_row(measured, (const double[]){ 10, 12 }, 2);
	list[1].rows[1].is_order_only = true;
	list[1].row_count = 2;
	list[2].rows[0] = make_row(wrong, (const double[]){ 10, 3 }, 2);
	list[2].table[0] = 'C';
}

static double number_of(const json_t *root, const char *object, const char *key)
{
	return json_number_value(json_object_get(json_object_get(root, object), key));
}

static void test_what_errors_come_to(void **state)
{
	struct published list[3];
	json_t *root = json_object(), *row;

	(void)state;
	make_three(list);
	assert_int_equal(published_to_json(list, 3, root), 0);
	assert_true(number_of(root, "held", "ratios") == 3);
	assert_true(fabs(number_of(root, "held", "median_error") - 0.1) < 1e-9);
	assert_true(number_of(root, "held", "within_15_percent") == 2);
	assert_true(number_of(root, "held", "rows") == 4);
	assert_true(number_of(root, "held", "rows_in_order") == 3);
	assert_true(number_of(root, "all", "ratios") == 4);
	assert_true(fabs(number_of(root, "all", "median_error") - 0.15) < 1e-9);
	assert_true(number_of(root, "all", "rows_in_order") == 3);
	row = json_array_get(json_object_get(json_array_get(json_object_get(root, "experiments"),
							    0), "rows"), 1);
	assert_true(json_is_true(json_object_get(row, "order_is_right")));
	row = json_array_get(json_object_get(row, "values"), 1);
	assert_true(fabs(json_number_value(json_object_get(row, "error")) + 0.2) < 1e-9);
	json_decref(root);
	for (size_t i = 0; i < 3; i++)
		published_done(&list[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_a_file_says),
		cmocka_unit_test(test_last_medium),
		cmocka_unit_test(test_refusals_say_where_and_what),
		cmocka_unit_test(test_ratios_are_to_the_first),
		cmocka_unit_test(test_orders),
		cmocka_unit_test(test_carried_out),
		cmocka_unit_test(test_ended_early),
		cmocka_unit_test(test_what_errors_come_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
