// SPDX-License-Identifier: GPL-2.0-or-later
/* Percentiles: exact for small values, within 0.8 % for large ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/histogram.h"

static struct histogram *new_histogram(void)
{
	struct histogram *histogram = calloc(1, sizeof(*histogram));

	assert_non_null(histogram);
	return histogram;
}

static void test_empty(void **state)
{
	struct histogram *histogram = new_histogram();

	(void)state;
	assert_true(histogram_percentile(histogram, 500) == 0);
	assert_true(histogram_mean(histogram) == 0);
	free(histogram);
}

static void test_small_values_are_exact(void **state)
{
	struct histogram *histogram = new_histogram();

	(void)state;
	for (uint64_t i = 1; i <= 100; i++)
		histogram_add(histogram, i);
	assert_true(histogram_percentile(histogram, 500) == 50);
	assert_true(histogram_percentile(histogram, 990) == 99);
	assert_true(histogram_percentile(histogram, 1000) == 100);
	assert_true(histogram_mean(histogram) == 50);
	assert_true(histogram->min == 1 && histogram->max == 100);
	free(histogram);
	histogram = new_histogram();
	for (uint64_t i = 1; i <= 3; i++)
		histogram_add(histogram, i);
	assert_true(histogram_percentile(histogram, 500) == 2);
	free(histogram);
}

static void test_large_values(void **state)
{
	struct histogram *histogram = new_histogram();
	uint64_t p50, p99;

	(void)state;
	for (uint64_t i = 1; i <= 100000; i++)
		histogram_add(histogram, i * 1000);
	p50 = histogram_percentile(histogram, 500);
	p99 = histogram_percentile(histogram, 990);
	assert_true(p50 >= 50000000 && p50 <= 50400000);
	assert_true(p99 >= 99000000 && p99 <= 99800000);
	histogram_add(histogram, UINT64_MAX);
	assert_true(histogram_percentile(histogram, 1000) == UINT64_MAX);
	free(histogram);
}

static void test_far_quantiles(void **state)
{
	struct histogram *histogram = new_histogram();

	(void)state;
	for (uint64_t i = 1; i <= 20000; i++)
		histogram_add(histogram, i <= 19998 ? 10 : 100);
	assert_true(histogram_quantile(histogram, 999900) == 10);
	assert_true(histogram_quantile(histogram, 999901) == 100);
	assert_true(histogram_quantile(histogram, 500000) == 10);
	free(histogram);
}

static void test_merging_is_as_if_counted_together(void **state)
{
	struct histogram *a = new_histogram(), *b = new_histogram(), *both = new_histogram();

	(void)state;
	for (uint64_t i = 1; i <= 500; i++) {
		histogram_add(i % 3 ? a : b, i * 977);
		histogram_add(both, i * 977);
	}
	histogram_merge(a, b);
	assert_memory_equal(a, both, sizeof(*a));
	memset(b, 0, sizeof(*b));
	histogram_merge(a, b);
	assert_memory_equal(a, both, sizeof(*a));
	histogram_merge(b, both);
	assert_memory_equal(b, both, sizeof(*b));
	free(a);
	free(b);
	free(both);
}

static void test_many_at_once(void **state)
{
	struct histogram *one = calloc(1, sizeof(*one)), *many = calloc(1, sizeof(*many));

	(void)state;
	assert_true(one && many);
	for (unsigned i = 0; i < 7; i++)
		histogram_add(one, 12345);
	histogram_add_many(many, 12345, 7);
	assert_memory_equal(one, many, sizeof(*one));
	histogram_add_many(many, UINT64_MAX / 2, 5);
	assert_int_equal(many->count, 12);
	assert_true(many->sum == UINT64_MAX);
	free(one);
	free(many);
}

static void test_enough(void **state)
{
	(void)state;
	assert_false(histogram_is_enough(1, 500000));
	assert_true(histogram_is_enough(2, 500000));
	assert_false(histogram_is_enough(99, 990000));
	assert_true(histogram_is_enough(100, 990000));
	assert_false(histogram_is_enough(999, 999000));
	assert_true(histogram_is_enough(1000, 999000));
	assert_false(histogram_is_enough(9999, 999900));
	assert_true(histogram_is_enough(10000, 999900));
	assert_false(histogram_is_enough(UINT64_MAX, 1000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_empty),
		cmocka_unit_test(test_small_values_are_exact),
		cmocka_unit_test(test_large_values),
		cmocka_unit_test(test_far_quantiles),
		cmocka_unit_test(test_many_at_once),
		cmocka_unit_test(test_merging_is_as_if_counted_together),
		cmocka_unit_test(test_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
