// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns, the command line, and what is printed beside a simulation. */
#include "test.h"

#include <errno.h>

#include "bench/bench.h"
#include "captured.h"
#include "cmd/bench-request.h"
#include "device/host.h"
#include "report/bench.h"
#include "util/cleanup.h"

/* Each once in each round, and each first as often as any other. */
static void test_turns(void **state)
{
	unsigned first[4] = { 0 };

	(void)state;
	for (unsigned round = 0; round < 8; round++) {
		unsigned seen = 0;

		for (size_t turn = 0; turn < 4; turn++)
			seen |= 1u << bench_turn(round, turn, 4);
		assert_int_equal(seen, 15);
		first[bench_turn(round, 0, 4)]++;
	}
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(first[i], 2);
}

static int read_request(struct bench_verb_options options, struct bench_request *ret)
{
	struct diag diag = { 0 };
	int error;

	*ret = (struct bench_request){ 0 };
	error = bench_request_read(&options, ret, &diag);
	assert_true(!error || diag.text[0]);
	return error;
}

static void test_command_line(void **state)
{
	static const struct bench_verb_options wrong[] = {
		{ .rounds = "0" }, { .rounds = "101" }, { .rounds = "x" }, { .runtime = "0" },
		{ .runtime = "soon" }, { .runtime = "86401" }, { .cpus = "" }, { .cpus = "0-" },
		{ .cpus = "0;1" }, { .cpus = "1 2" }, { .cpus = "0,\nexec_prerun=x" },
		{ .scheduler = "," }, { .workload = "a", .fio = "b" }, { .medium = "nvme" },
		{ .write_file = "a", .destroy_data = "b" }, { .warmup = "-1" },
	};
	struct bench_request request;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		if (read_request(wrong[i], &request) != -EINVAL)
			fail_msg("%zu was taken", i);
		bench_request_done(&request);
	}
	assert_int_equal(read_request((struct bench_verb_options){ .rounds = "7", .runtime = "250ms",
								  .warmup = "0",
								  .cpus = "0-3,8",
								  .scheduler = "none,bfq" },
				      &request), 0);
	assert_int_equal(request.rounds, 7);
	assert_int_equal(request.runtime_ns, 250000000);
	assert_true(request.has_warmup && !request.warmup_ns);
	assert_int_equal(request.schedulers.count, 2);
	bench_request_done(&request);
}

static void test_which_schedulers(void **state)
{
	char module[] = "bfq", name[] = "sda";
	char *modules[] = { module };
	const struct host host = { .modules = { .items = modules, .count = 1 } };
	struct device device = { .name = name, .queue_kind = QUEUE_MQ };
	struct bench_request request;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(choice_parse("[mq-deadline] none", &device.scheduler), 0);
	for (unsigned i = 0; i < 3; i++) {
		static const char *const asked[] = { NULL, "bfq,none,none,deadline", "kyber" };
		static const char *const wanted[][4] = { { "mq-deadline", "none" },
							 { "bfq", "none", "mq-deadline" } };
		_strv_ struct strv list = { 0 };
		int error;

		read_request((struct bench_verb_options){ .scheduler = asked[i] }, &request);
		error = bench_choose_schedulers(&request, &device, &host, &list, &diag);
		bench_request_done(&request);
		if (i == 2) {
			assert_int_equal(error, -EINVAL);
			continue;
		}
		assert_int_equal(error, 0);
		for (size_t j = 0; j < list.count; j++)
			assert_string_equal(list.items[j], wanted[i][j]);
		assert_int_equal(list.count, 2 + i);
	}
}

/* Measured and predicted, each against its own reference. */
static void test_side_by_side(void **state)
{
	static const struct comparison_column columns[] = { { .title = "none" },
							    { .title = "bfq" } };
	struct experiment_outcome real[2] = { 0 }, model[2] = { 0 };
	char name[] = "sda";
	const struct device device = { .name = name, .class = CLASS_SSD };
	struct workload workload = { .name = "randread" };
	struct bench bench = { .device = &device, .workload = &workload, .rounds = 2,
			       .terms.runtime_ns = 500000000 };
	struct bench_result result = { .seconds = 1 };
	struct conditions conditions = { .load_average = -1, .processors = 1 };
	struct comparison measured, predicted;
	struct bench_report report = { .bench = &bench, .result = &result,
				       .conditions = &conditions, .original = "none",
				       .measured = &measured, .predicted = &predicted,
				       .medium = "sata-ssd" };
	_text_ struct text subject = { 0 };
	json_t *root = json_object(), *beside;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		real[i].totals[TOTAL_IOPS] = (struct estimate){ 1000 - 500 * i, 0, 2 };
		model[i].totals[TOTAL_IOPS] = (struct estimate){ 4000 - 1000 * i, 0, 5 };
		real[i].directions[SIM_DIR_READ].figures[FIGURE_P99] =
			(struct estimate){ 1e6, 1, 2 };
	}
	measured = comparison_make(columns, real, 2, NULL, 0);
	predicted = comparison_make(columns, model, 2, measured.objective, 0);
	bench_report_add_subject(&report, &subject);
	assert_string_equal(subject.data, "randread on sda (ssd), read-only, 2 rounds of 0.5 s");
	assert_int_equal(bench_report_to_json(&report, root), 0);
	assert_int_equal(json_integer_value(json_object_get(
				 json_array_get(json_object_get(root, "schedulers"), 1), "iops")),
			 500);
	assert_int_equal(
		json_integer_value(json_object_get(
			json_array_get(json_object_get(json_object_get(root, "prediction"),
						       "schedulers"), 1), "iops")),
		3000);
	beside = json_object_get(json_object_get(root, "prediction"), "beside");
	/* IOPS of both, and a P99 that was not predicted. */
	assert_int_equal(json_array_size(beside), 4);
	assert_true(json_real_value(json_object_get(json_array_get(beside, 1), "ratio")) == 0.5);
	assert_true(json_real_value(json_object_get(json_array_get(beside, 1),
						    "predicted_ratio")) == 0.75);
	assert_true(json_is_null(json_object_get(json_array_get(beside, 2), "predicted")));
	assert_true(json_is_null(json_object_get(json_object_get(root, "conditions"),
						 "load_average")));
	json_decref(root);
}

/* Calls of dd's are compared by what the device has of them: bytes. */
static void test_dd_beside_a_simulation(void **state)
{
	static const struct comparison_column columns[] = { { .title = "none" } };
	struct experiment_outcome real = { 0 }, model = { 0 };
	char name[] = "sda";
	const struct device device = { .name = name, .class = CLASS_SSD };
	struct workload workload = { .name = "dd-write" };
	struct bench bench = { .device = &device, .workload = &workload, .rounds = 1 };
	struct bench_result result = { .seconds = 1 };
	struct conditions conditions = { .load_average = -1, .processors = 1 };
	const struct table_style style = { 0 };
	struct comparison measured, predicted;
	struct bench_report report = { .bench = &bench, .result = &result,
				       .conditions = &conditions, .original = "none",
				       .measured = &measured, .predicted = &predicted,
				       .medium = "sata-ssd" };

	(void)state;
	real.totals[TOTAL_IOPS] = model.totals[TOTAL_IOPS] = (struct estimate){ 50, 0, 1 };
	real.directions[SIM_DIR_WRITE].figures[FIGURE_BYTES] = (struct estimate){ 1e8, 0, 1 };
	model.directions[SIM_DIR_WRITE].figures[FIGURE_BYTES] = (struct estimate){ 2e8, 0, 1 };
	real.flushes = (struct experiment_stream){ .ios = 200, .ios_fewest = 200 };
	real.flushes.figures[FIGURE_MEAN] = (struct estimate){ 2e6, 0, 1 };
	real.flushes.figures[FIGURE_P99] = (struct estimate){ 3e6, 0, 1 };
	model.flushes = real.flushes;
	model.flushes.figures[FIGURE_P99] = (struct estimate){ 4e6, 0, 1 };
	measured = comparison_make(columns, &real, 1, objective_find("throughput"), 0);
	predicted = comparison_make(columns, &model, 1, measured.objective, 0);
	/* A job file may have any name. */
	for (unsigned i = 0; i < 2; i++) {
		struct captured captured;
		_free_ char *text = NULL;
		const char *beside;

		bench.job_file = i ? "[a]\n" : NULL;
		assert_int_equal(bench_is_dd(&bench), !i);
		captured = captured_begin();
		assert_int_equal(bench_report_print(&report, &style), 0);
		text = captured_end(&captured);
		beside = strstr(text, "PREDICTED-RATIO");
		assert_non_null(beside);
		assert_int_equal(!strstr(beside, "write MB/s"), i);
		assert_int_equal(!strstr(beside, "IOPS"), !i);
		/* fio's syncs beside the simulation's flushes. */
		assert_int_equal(!strstr(beside, "flush mean ms none         2.000     2.000"), !i);
		assert_int_equal(!strstr(beside, "flush P99 ms  none         3.000     4.000"), !i);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_command_line),
		cmocka_unit_test(test_which_schedulers),
		cmocka_unit_test(test_side_by_side),
		cmocka_unit_test(test_dd_beside_a_simulation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
