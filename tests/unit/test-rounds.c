// SPDX-License-Identifier: GPL-2.0-or-later
/* Rounds to one outcome: medians, margins, sums. */
#include "test.h"

#include <errno.h>
#include <math.h>

#include "bench/rounds.h"
#include "util/cleanup.h"

static struct fio_result make(double iops, size_t groups)
{
	struct fio_result result = { .group_count = groups };

	result.groups = calloc(groups, sizeof(*result.groups));
	result.latency_ns = calloc(FIO_STREAMS, sizeof(*result.latency_ns));
	assert_true(result.groups && result.latency_ns);
	for (unsigned i = 0; i < FIGURES; i++)
		result.streams[SIM_DIR_READ].figures[i] = NAN;
	for (unsigned i = 0; i < TOTALS; i++)
		result.totals[i] = NAN;
	result.streams[SIM_DIR_READ].ios = 10;
	result.streams[SIM_DIR_READ].bytes = 5120;
	result.streams[SIM_DIR_READ].figures[FIGURE_IOPS] = iops;
	result.totals[TOTAL_IOPS] = iops;
	snprintf(result.groups[0].name, JOB_NAME_MAX, "a");
	result.groups[0].streams[SIM_DIR_READ] = result.streams[SIM_DIR_READ];
	result.streams[FIO_SYNCS] = result.streams[SIM_DIR_READ];
	result.streams[FIO_SYNCS].ios = 5;
	result.streams[FIO_SYNCS].bytes = 0;
	result.groups[0].streams[FIO_SYNCS] = result.streams[FIO_SYNCS];
	histogram_add(&result.latency_ns[SIM_DIR_READ], (uint64_t)iops);
	return result;
}

/* One disturbance does not move the median; it widens the interval. */
static void test_medians(void **state)
{
	const double iops[] = { 100, 102, 5000, 98, 101 };
	struct job_spec spec = { .numjobs = 4 };
	const struct workload workload = { .jobs = &spec, .job_count = 1 };
	struct bench_rounds rounds = { 0 };
	struct experiment_outcome *outcome = calloc(1, sizeof(*outcome));

	(void)state;
	assert_non_null(outcome);
	for (size_t i = 0; i < ARRAY_SIZE(iops); i++) {
		struct fio_result result = make(iops[i], 1);

		assert_int_equal(bench_rounds_add(&rounds, &result), 0);
		assert_null(result.groups);
	}
	assert_int_equal(bench_rounds_conclude(&rounds, &workload, outcome), 0);
	assert_int_equal(outcome->runs, 5);
	assert_int_equal(outcome->directions[SIM_DIR_READ].ios, 50);
	assert_int_equal(outcome->directions[SIM_DIR_READ].sectors, 50);
	assert_int_equal(outcome->directions[SIM_DIR_READ].figures[FIGURE_IOPS].mean, 101);
	assert_true(outcome->directions[SIM_DIR_READ].figures[FIGURE_IOPS].margin > 1000);
	assert_int_equal(outcome->directions[SIM_DIR_READ].figures[FIGURE_P99].count, 0);
	assert_int_equal(outcome->directions[SIM_DIR_WRITE].figures[FIGURE_IOPS].count, 0);
	/* Syncs are the flushes. */
	assert_int_equal(outcome->flushes.ios, 25);
	assert_int_equal(outcome->flushes.ios_fewest, 5);
	assert_int_equal(outcome->flushes.sectors, 0);
	assert_int_equal(outcome->flushes.figures[FIGURE_IOPS].mean, 101);
	assert_int_equal(outcome->groups[0].flushes.ios, 25);
	assert_int_equal(outcome->totals[TOTAL_IOPS].mean, 101);
	assert_int_equal(outcome->totals[TOTAL_CPU].count, 0);
	assert_int_equal(outcome->group_count, 1);
	assert_string_equal(outcome->groups[0].name, "a");
	assert_int_equal(outcome->jobs, 4);
	assert_int_equal(outcome->latency_ns[SIM_DIR_READ].count, 5);
	experiment_outcomes_free(outcome, 1);
	bench_rounds_done(&rounds);
}

static void test_other_groups_than_before(void **state)
{
	struct bench_rounds rounds = { 0 };
	struct fio_result one = make(1, 1);
	_fio_result_ struct fio_result two = make(1, 2);

	(void)state;
	assert_int_equal(bench_rounds_add(&rounds, &one), 0);
	assert_int_equal(bench_rounds_add(&rounds, &two), -EBADMSG);
	assert_non_null(two.groups);
	bench_rounds_done(&rounds);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_medians),
		cmocka_unit_test(test_other_groups_than_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
