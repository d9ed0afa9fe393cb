// SPDX-License-Identifier: GPL-2.0-or-later
/* Samples: nothing is lost when bins are joined, and memory stays bounded. */
#include "test.h"

#include "sim/samples.h"

static double sum_of(const struct timeline *timeline)
{
	double sum = 0;

	for (size_t i = 0; i < timeline->used; i++)
		sum += timeline->sums[i];
	return sum;
}

static void test_joined_bins_lose_nothing(void **state)
{
	struct timeline timeline = { 0 };

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		timeline_add(&timeline, i * 1000000, 2);
	assert_true(timeline.used <= TIMELINE_BINS);
	/* 0.1 ms doubled until 256 of them reach a second. */
	assert_int_equal(timeline.width_ns, 6400000);
	assert_true(sum_of(&timeline) == 2000);
	assert_true(timeline_mean(&timeline, 3) == 2);
	assert_true(timeline_rate(&timeline, 0) > 1700 && timeline_rate(&timeline, 0) < 2300);
	assert_true(timeline_seconds(&timeline, 1) > 0.0095 && timeline_seconds(&timeline, 1) < 0.0097);
	timeline_coarsen(&timeline, 40);
	assert_int_equal(timeline.used, 40);
	assert_int_equal(timeline.width_ns, 25600000);
	assert_true(sum_of(&timeline) == 2000);
	timeline_add(&timeline, UINT64_C(86400) * 1000000000, 1);
	assert_true(timeline.used <= TIMELINE_BINS);
	assert_true(sum_of(&timeline) == 2001);
}

static void test_empty(void **state)
{
	struct timeline timeline = { 0 };

	(void)state;
	assert_true(timeline_mean(&timeline, 0) == 0);
	assert_true(timeline_rate(&timeline, 0) == 0);
}

static void test_first_dispatches(void **state)
{
	struct samples *samples = calloc(1, sizeof(*samples));
	struct simulate_dispatch dispatch = { .op = SIM_READ, .sectors = 8 };

	(void)state;
	assert_non_null(samples);
	samples->from_ns = 50;
	for (unsigned i = 0; i < 1000; i++) {
		dispatch.time_ns = i;
		dispatch.sector = i * 10;
		samples_keep_dispatch(samples, &dispatch);
	}
	assert_int_equal(samples->head_count, SAMPLES_HEAD_MAX);
	assert_int_equal(samples->head[0].sector, 500);
	assert_int_equal(samples->head[SAMPLES_HEAD_MAX - 1].time_ns, 50 + SAMPLES_HEAD_MAX - 1);
	free(samples);
}

static void test_completions_by_group(void **state)
{
	struct samples *samples = calloc(1, sizeof(*samples));
	struct simulate_completion completion = { .time_ns = 1, .sectors = 8, .in_flight = 3,
						  .waiting = 4, .group = 2 };

	(void)state;
	assert_non_null(samples);
	samples_keep_completion(samples, &completion);
	completion.group = SAMPLES_GROUPS_MAX;
	completion.in_flight = 5;
	samples_keep_completion(samples, &completion);
	assert_int_equal(samples->group_count, 3);
	assert_true(sum_of(&samples->groups[2]) == 8);
	assert_true(timeline_mean(&samples->depth, 0) == 8);
	free(samples);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_joined_bins_lose_nothing),
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_first_dispatches),
		cmocka_unit_test(test_completions_by_group),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
