// SPDX-License-Identifier: GPL-2.0-or-later
/* Predictions: differences that are none, better and worse ones, and JSON. */
#include "test.h"

#include "report/prediction.h"
#include "util/cleanup.h"

static void fill(struct predictions *predictions)
{
	struct prediction *item;

	predictions->items = calloc(2, sizeof(*predictions->items));
	predictions->count = 2;
	item = &predictions->items[0];
	assert_int_equal(strv_add(&item->devices, "sda"), 0);
	assert_int_equal(strv_add(&item->devices, "sdb"), 0);
	item->class = "hdd";
	item->medium = strdup("hdd-7200");
	item->workload = strdup("oltp");
	item->now.scheduler = strdup("mq-deadline");
	item->then.scheduler = strdup("bfq");
	assert_int_equal(strv_add(&item->then.settings, "slice_idle=0"), 0);
	item->outcomes = calloc(2, sizeof(*item->outcomes));
	item->outcomes[0].directions[SIM_DIR_READ].figures[FIGURE_P99] =
		(struct estimate){ 50e6, 1e6, 5 };
	item->outcomes[1].directions[SIM_DIR_READ].figures[FIGURE_P99] =
		(struct estimate){ 40e6, 1e6, 5 };
	item->outcomes[0].directions[SIM_DIR_READ].figures[FIGURE_IOPS] =
		(struct estimate){ 100, 5, 5 };
	item->outcomes[1].directions[SIM_DIR_READ].figures[FIGURE_IOPS] =
		(struct estimate){ 103, 5, 5 };
	item = &predictions->items[1];
	assert_int_equal(strv_add(&item->devices, "fd0"), 0);
	item->class = "floppy";
	item->reason = strdup("there is no model");
}

static char text[4096]; /* what print() got */

static void print(const struct predictions *predictions)
{
	const struct table_style style = { .width = 80 };
	int saved = dup(STDOUT_FILENO), pipes[2];
	ssize_t len;

	assert_int_equal(pipe(pipes), 0);
	fflush(stdout);
	dup2(pipes[1], STDOUT_FILENO);
	assert_int_equal(predictions_print(predictions, &style), 0);
	fflush(stdout);
	dup2(saved, STDOUT_FILENO);
	close(saved);
	close(pipes[1]);
	len = read(pipes[0], text, sizeof(text) - 1);
	close(pipes[0]);
	assert_true(len > 0);
	text[len] = '\0';
}

static void test_print(void **state)
{
	struct predictions predictions = { 0 };

	(void)state;
	fill(&predictions);
	print(&predictions);
	assert_null(strstr(text, "or more"));
	assert_non_null(strstr(text, "sda,sdb: oltp on hdd-7200: mq-deadline -> bfq (slice_idle=0)\n"));
	assert_non_null(strstr(text, "fd0: there is no model\n"));
	assert_null(strstr(text, "which has no model"));
	assert_non_null(strstr(text, "50.00 +-1.00 40.00 +-1.00      -20 %"));
	assert_non_null(strstr(text, "100 +-5      103 +-5       none"));
	assert_null(strstr(text, "fairness"));
	predictions_done(&predictions);
}

/* A percentile of too few I/Os is left out, and said to be. */
static void test_too_few(void **state)
{
	struct predictions predictions = { 0 };
	json_t *json;

	(void)state;
	fill(&predictions);
	for (size_t side = 0; side < 2; side++)
		predictions.items[0].outcomes[side].directions[SIM_DIR_READ].ios_fewest = 99;
	print(&predictions);
	assert_null(strstr(text, "P99 ms"));
	assert_non_null(strstr(text, "P99 is shown of 100 I/Os or more"));
	json = predictions_to_json(&predictions);
	assert_null(json_object_get(json_object_get(json_object_get(json_array_get(json, 0),
								    "now"), "figures"),
				    "read_p99_ns"));
	json_decref(json);
	predictions_done(&predictions);
}

static void test_json(void **state)
{
	struct predictions predictions = { 0 };
	json_t *array, *item;

	(void)state;
	fill(&predictions);
	array = predictions_to_json(&predictions);
	assert_int_equal(json_array_size(array), 2);
	item = json_array_get(array, 0);
	assert_true(json_is_null(json_object_get(item, "reason")));
	item = json_object_get(item, "then");
	assert_string_equal(json_string_value(json_array_get(json_object_get(item, "settings"), 0)),
			    "slice_idle=0");
	assert_true(json_real_value(json_object_get(json_object_get(item, "figures"),
						    "read_p99_ns")) == 40e6);
	assert_true(json_is_null(json_object_get(json_array_get(array, 1), "then")));
	json_decref(array);
	predictions_done(&predictions);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_print),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_too_few),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
