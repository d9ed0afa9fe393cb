// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Experiments: whatever the number of threads the same figures, what is ended early gives
 * what there is, and errors of a run come out.
 */
#include "test.h"

#include <errno.h>
#include <limits.h>
#include <stdatomic.h>

#include "sim/experiment.h"
#include "util/cleanup.h"

/* Arrivals made up from a count: every 100 us one, two of three are reads. */
struct made_up {
	unsigned left, made;
	uint64_t end; /* sectors */
};

struct made_up_plan {
	unsigned count;
	uint64_t end;
};

static int open_made_up(void *context, void **ret, struct diag *diag)
{
	const struct made_up_plan *plan = context;
	struct made_up *source = calloc(1, sizeof(*source));

	(void)diag;
	assert_non_null(source);
	*source = (struct made_up){ .left = plan->count, .end = plan->end };
	*ret = source;
	return 0;
}

static int next_made_up(void *source, struct trace_record *ret, struct diag *diag)
{
	struct made_up *made_up = source;

	(void)diag;
	if (made_up->left == 0)
		return 0;
	made_up->left--;
	*ret = (struct trace_record){
		.time_ns = made_up->made * UINT64_C(100000),
		.action = TRACE_IO,
		.op = made_up->made % 3 ? TRACE_READ : TRACE_WRITE,
		.sector = made_up->made * UINT64_C(7919) % made_up->end / 8 * 8,
		.sectors = 8,
	};
	made_up->made++;
	return 1;
}

static int fail_to_open(void *context, void **ret, struct diag *diag)
{
	(void)context;
	(void)ret;
	return diag_set(diag, -ENOENT, "there is no such trace");
}

static struct made_up_plan plan = { 600, 100000 };
static const struct experiment_source source = { open_made_up, free, next_made_up, &plan };

static const struct sim_setting batch_of_one = { "fifo_batch", "1" };
static const struct experiment_variant variants[] = {
	{ .scheduler = "none" },
	{ .scheduler = "mq-deadline", .settings = &batch_of_one, .setting_count = 1 },
	{ .scheduler = "kyber" },
};

static struct experiment make_experiment(void)
{
	return (struct experiment){
		.options = { .queue = { .kernel = { 6, 12, 0 }, .hw_depth = 4, .hw_queues = 1,
					.cpus = 1, .hz = 250 },
			     .service_ns = 500000 },
		.source = &source,
		.variants = variants,
		.variant_count = ARRAY_SIZE(variants),
		.seed = 1,
		.seeds = 3,
		.threads = 1,
	};
}

static void run(const struct experiment *experiment, struct experiment_outcome **ret)
{
	struct diag diag = { 0 };

	if (experiment_run(experiment, ret, &diag))
		fail_msg("%s", diag.text);
}

static void test_figures(void **state)
{
	struct experiment experiment = make_experiment();
	struct experiment_outcome *outcomes;
	const struct experiment_stream *reads;

	(void)state;
	run(&experiment, &outcomes);
	for (size_t i = 0; i < ARRAY_SIZE(variants); i++) {
		assert_int_equal(outcomes[i].runs, 3);
		assert_false(outcomes[i].is_partial);
		assert_false(outcomes[i].is_cut);
		reads = &outcomes[i].directions[SIM_DIR_READ];
		assert_int_equal(reads->ios, 3 * 400);
		assert_int_equal(outcomes[i].latency_ns[SIM_DIR_READ].count, 3 * 400);
		assert_int_equal(reads->figures[FIGURE_MEAN].count, 3);
		/* Nothing here depends on the seed. */
		assert_true(reads->figures[FIGURE_MEAN].margin < 1e-6);
		assert_true(reads->figures[FIGURE_P50].mean >= 500000);
		assert_true(reads->figures[FIGURE_MAX].mean >= reads->figures[FIGURE_P99_99].mean);
	}
	/* Four at once of 500 us each: 8000 a second. */
	assert_true(outcomes[0].totals[TOTAL_IOPS].mean > 7500);
	assert_true(outcomes[0].totals[TOTAL_IOPS].mean <= 8000);
	assert_int_equal(outcomes[0].totals[TOTAL_FAIRNESS].count, 0);
	experiment_outcomes_free(outcomes, ARRAY_SIZE(variants));
}

static void assert_estimates(const struct estimate *a, const struct estimate *b, size_t count)
{
	/* To the last bit; between the fields there may be anything. */
	for (size_t i = 0; i < count; i++) {
		assert_memory_equal(&a[i].mean, &b[i].mean, sizeof(a[i].mean));
		assert_memory_equal(&a[i].margin, &b[i].margin, sizeof(a[i].margin));
		assert_int_equal(a[i].count, b[i].count);
	}
}

static void assert_streams(const struct experiment_stream *a, const struct experiment_stream *b)
{
	for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
		assert_int_equal(a[dir].ios, b[dir].ios);
		assert_int_equal(a[dir].sectors, b[dir].sectors);
		assert_estimates(a[dir].figures, b[dir].figures, FIGURES);
	}
}

static void assert_same(const struct experiment_outcome *a, const struct experiment_outcome *b)
{
	assert_int_equal(a->runs, b->runs);
	assert_int_equal(a->group_count, b->group_count);
	assert_streams(a->directions, b->directions);
	assert_estimates(a->totals, b->totals, TOTALS);
	assert_memory_equal(a->latency_ns, b->latency_ns, SIM_DIRS * sizeof(*a->latency_ns));
	for (size_t i = 0; i < a->group_count; i++)
		assert_streams(a->groups[i].directions, b->groups[i].directions);
}

static void test_threads_do_not_show(void **state)
{
	struct experiment experiment = make_experiment();
	struct experiment_outcome *alone, *together;

	(void)state;
	run(&experiment, &alone);
	experiment.threads = 5;
	run(&experiment, &together);
	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		assert_same(&alone[i], &together[i]);
	experiment_outcomes_free(alone, ARRAY_SIZE(variants));
	experiment_outcomes_free(together, ARRAY_SIZE(variants));
}

static void count_dispatch(void *context, const struct simulate_dispatch *dispatch)
{
	(void)dispatch;
	(*(unsigned *)context)++;
}

static void count_completion(void *context, const struct simulate_completion *completion)
{
	(void)completion;
	((unsigned *)context)[1]++;
}

static void test_callbacks_see_the_first_seed(void **state)
{
	struct experiment experiment = make_experiment();
	struct experiment_variant watched[2] = { variants[0], variants[1] };
	unsigned counts[2][2] = { 0 };
	struct experiment_outcome *outcomes;

	(void)state;
	watched[0].context = counts[0];
	watched[1].context = counts[1];
	experiment.variants = watched;
	experiment.variant_count = 2;
	experiment.threads = 2;
	experiment.on_dispatch = count_dispatch;
	experiment.on_complete = count_completion;
	run(&experiment, &outcomes);
	for (unsigned i = 0; i < 2; i++) {
		assert_true(counts[i][0] > 0 && counts[i][0] <= 600);
		assert_int_equal(counts[i][1], 600);
	}
	experiment_outcomes_free(outcomes, 2);
}

/* Two groups of jobs with chance in them, on a medium with processors. */
static void test_jobs(void **state)
{
	struct job_spec specs[2];
	struct workload workload = { .name = "two", .jobs = specs, .job_count = 2, .devices = 1 };
	const struct sim_machine machine = { .processors = 2, .slowness = 1 };
	struct experiment experiment = make_experiment();
	struct experiment_outcome *alone, *together;
	struct sim_medium medium;

	(void)state;
	job_spec_init(&specs[0], "reads");
	job_spec_set_size(&specs[0], SIM_READ, 8);
	specs[0].pattern = JOB_RANDOM;
	specs[0].read_percent = 100;
	specs[0].iodepth = 4;
	specs[0].is_time_based = true;
	specs[1] = specs[0];
	snprintf(specs[1].name, sizeof(specs[1].name), "more");
	specs[1].numjobs = 2;
	assert_int_equal(sim_medium_find("hdd-7200", &medium), 0);
	sim_medium_to_queue(&medium, &experiment.options.queue);
	experiment.options.medium = &medium;
	experiment.options.machine = &machine;
	experiment.options.queue.cpus = 2;
	experiment.options.runtime_ns = 1000000000;
	experiment.workload = &workload;
	run(&experiment, &alone);
	experiment.threads = 4;
	run(&experiment, &together);
	for (size_t i = 0; i < ARRAY_SIZE(variants); i++)
		assert_same(&alone[i], &together[i]);
	assert_int_equal(alone[0].group_count, 2);
	assert_string_equal(alone[0].groups[1].name, "more");
	assert_int_equal(alone[0].jobs, 3);
	assert_int_equal(alone[0].totals[TOTAL_FAIRNESS].count, 3);
	assert_true(alone[0].totals[TOTAL_FAIRNESS].mean > 0.5);
	assert_true(alone[0].totals[TOTAL_TRAVEL].mean > 0);
	assert_true(alone[0].totals[TOTAL_CPU].mean > 0);
	/* Seeds differ. */
	assert_true(alone[0].totals[TOTAL_IOPS].margin > 0);
	experiment_outcomes_free(alone, ARRAY_SIZE(variants));
	experiment_outcomes_free(together, ARRAY_SIZE(variants));
}

/* A commit: what is written, then the flush that it waits for. */
static void test_flushes(void **state)
{
	struct job_spec spec;
	struct workload workload = { .name = "log", .jobs = &spec, .job_count = 1, .devices = 1 };
	struct experiment experiment = make_experiment();
	const struct experiment_stream *flushes, *writes;
	struct experiment_outcome *outcomes;
	struct estimate all;

	(void)state;
	job_spec_init(&spec, "log");
	job_spec_set_size(&spec, SIM_WRITE, 16);
	spec.size_sectors = 1 << 20;
	spec.fsync_every = 1;
	spec.is_time_based = true;
	experiment.options.runtime_ns = 1000000000;
	experiment.workload = &workload;
	run(&experiment, &outcomes);
	writes = &outcomes[0].directions[SIM_DIR_WRITE];
	flushes = &outcomes[0].flushes;
	/* Half a millisecond each. */
	assert_int_equal(writes->ios, 3 * 1000);
	assert_int_equal(flushes->ios, 3 * 1000);
	assert_true(flushes->figures[FIGURE_IOPS].mean == 1000);
	assert_true(flushes->figures[FIGURE_P99].mean >= 500000);
	assert_int_equal(flushes->figures[FIGURE_BYTES].count, 0);
	assert_int_equal(outcomes[0].groups[0].flushes.ios, 3 * 1000);
	/* No I/O of the whole. */
	all = outcomes[0].totals[TOTAL_IOPS];
	assert_true(all.mean == writes->figures[FIGURE_IOPS].mean);
	experiment_outcomes_free(outcomes, ARRAY_SIZE(variants));
}

static void have_begun(void *context, const struct simulate_dispatch *dispatch)
{
	(void)dispatch;
	atomic_store((atomic_bool *)context, true);
}

static bool end_when_begun(void *context, const struct experiment_progress *progress)
{
	(void)progress;
	return atomic_load((atomic_bool *)context);
}

/* Without an end of its own a run goes on until it is told to stop. */
static void test_ended_while_it_ran(void **state)
{
	struct experiment experiment = make_experiment();
	struct made_up_plan endless = { UINT_MAX, 100000 };
	struct experiment_source long_source = source;
	struct experiment_variant variant = variants[0];
	struct experiment_outcome *outcomes;
	atomic_bool has_begun = false;

	(void)state;
	long_source.context = &endless;
	experiment.source = &long_source;
	variant.context = &has_begun;
	experiment.variants = &variant;
	experiment.variant_count = 1;
	experiment.on_dispatch = have_begun;
	experiment.on_progress = end_when_begun;
	experiment.context = &has_begun;
	run(&experiment, &outcomes);
	assert_int_equal(outcomes[0].runs, 1);
	assert_true(outcomes[0].is_partial);
	assert_true(outcomes[0].is_cut);
	experiment_outcomes_free(outcomes, 1);
}

static bool end_at_once(void *context, const struct experiment_progress *progress)
{
	*(struct experiment_progress *)context = *progress;
	return true;
}

static void test_ended_before_it_began(void **state)
{
	struct experiment experiment = make_experiment();
	struct experiment_progress seen = { 0 };
	struct experiment_outcome *outcomes;

	(void)state;
	experiment.on_progress = end_at_once;
	experiment.context = &seen;
	run(&experiment, &outcomes);
	assert_int_equal(seen.total, 9);
	assert_int_equal(seen.done, 0);
	assert_int_equal(outcomes[0].runs, 0);
	assert_true(outcomes[0].is_partial);
	assert_int_equal(outcomes[0].totals[TOTAL_IOPS].count, 0);
	experiment_outcomes_free(outcomes, ARRAY_SIZE(variants));
}

static void test_errors(void **state)
{
	struct experiment experiment = make_experiment();
	const struct experiment_source broken = { fail_to_open, free, next_made_up, NULL };
	const struct experiment_variant wrong[] = { { .scheduler = "none" },
						    { .scheduler = "elevator" } };
	struct experiment_outcome *outcomes;
	struct diag diag = { 0 };

	(void)state;
	experiment.source = &broken;
	experiment.threads = 3;
	assert_int_equal(experiment_run(&experiment, &outcomes, &diag), -ENOENT);
	assert_string_equal(diag.text, "there is no such trace");

	experiment = make_experiment();
	experiment.variants = wrong;
	experiment.variant_count = 2;
	diag = (struct diag){ 0 };
	assert_int_equal(experiment_run(&experiment, &outcomes, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "elevator"));

	experiment = make_experiment();
	experiment.seeds = 0;
	assert_int_equal(experiment_run(&experiment, &outcomes, NULL), -EINVAL);
	experiment.seeds = EXPERIMENT_SEEDS_MAX + 1;
	assert_int_equal(experiment_run(&experiment, &outcomes, NULL), -EINVAL);
	experiment.seeds = 1;
	experiment.threads = 0;
	assert_int_equal(experiment_run(&experiment, &outcomes, NULL), -EINVAL);
	experiment.threads = 1;
	experiment.variant_count = 0;
	assert_int_equal(experiment_run(&experiment, &outcomes, NULL), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_threads_do_not_show),
		cmocka_unit_test(test_callbacks_see_the_first_seed),
		cmocka_unit_test(test_jobs),
		cmocka_unit_test(test_flushes),
		cmocka_unit_test(test_ended_before_it_began),
		cmocka_unit_test(test_ended_while_it_ran),
		cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
