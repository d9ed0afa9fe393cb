// SPDX-License-Identifier: GPL-2.0-or-later
/* Student's intervals against worked examples, and when two figures are the same. */
#include "test.h"

#include <math.h>

#include "sim/statistics.h"
#include "util/cleanup.h"

static void assert_near(double got, double wanted, double within)
{
	if (fabs(got - wanted) > within)
		fail_msg("%.6f is not %.6f", got, wanted);
}

static void test_quantiles(void **state)
{
	(void)state;
	/* Any table of the distribution. */
	assert_near(student_quantile(1), 12.706, 0.0005);
	assert_near(student_quantile(4), 2.776, 0.0005);
	assert_near(student_quantile(30), 2.042, 0.0005);
	assert_near(student_quantile(40), 2.021, 0.0005);
	assert_near(student_quantile(120), 1.980, 0.0005);
	assert_near(student_quantile(1000000), 1.960, 0.0005);
	for (unsigned i = 1; i < 200; i++)
		assert_true(student_quantile(i) > student_quantile(i + 1) - 1e-9);
}

static void test_interval(void **state)
{
	/* Mean 10, deviation sqrt(2.5), 2.776 * sqrt(2.5 / 5). */
	const double values[] = { 8, 9, 10, 11, 12 };
	struct estimate estimate = estimate_from(values, ARRAY_SIZE(values));

	(void)state;
	assert_int_equal(estimate.count, 5);
	assert_near(estimate.mean, 10, 1e-9);
	assert_near(estimate.margin, 1.9629, 0.0005);
}

static void test_what_is_not_known_does_not_count(void **state)
{
	const double values[] = { NAN, 4, INFINITY };
	struct estimate one = estimate_from(values, 3), none = estimate_from(values, 1);

	(void)state;
	assert_int_equal(one.count, 1);
	assert_near(one.mean, 4, 0);
	assert_near(one.margin, 0, 0);
	assert_int_equal(none.count, 0);
	assert_false(estimate_is_same(&none, &none));
	assert_false(estimate_is_same(&one, &none));
}

static void test_medians(void **state)
{
	const double odd[] = { 12, NAN, 8, 1000 }, even[] = { 4, 1, 3, 2 };
	struct estimate mean = estimate_from(odd, 4), median = estimate_from_median(odd, 4);

	(void)state;
	assert_int_equal(median.count, 3);
	assert_near(median.mean, 12, 0);
	assert_near(median.margin, mean.margin * 1.2533, mean.margin * 0.001);
	assert_near(estimate_from_median(even, 4).mean, 2.5, 0);
	assert_int_equal(estimate_from_median(odd + 1, 1).count, 0);
	assert_true(estimate_has_margin(&median));
}

/* Student's quantile of one degree of freedom would make it 13 times as wide as all. */
static void test_a_median_of_two(void **state)
{
	const double values[] = { 100, 101 };
	struct estimate two = estimate_from_median(values, 2), one = estimate_from(values, 1);

	(void)state;
	assert_int_equal(two.count, 2);
	assert_near(two.mean, 100.5, 0);
	assert_false(estimate_has_margin(&two));
	assert_false(estimate_is_same(&two, &two));
	assert_false(estimate_has_margin(&one));
}

static void test_overlap(void **state)
{
	const struct estimate a = { 10, 1, 5 }, b = { 11.9, 1, 5 }, c = { 12.1, 1, 5 };
	const struct estimate d = { 10, 0, 1 }, e = { 10.5, 0, 1 };

	(void)state;
	assert_true(estimate_is_same(&a, &b));
	assert_true(estimate_is_same(&b, &a));
	assert_false(estimate_is_same(&a, &c));
	assert_true(estimate_is_same(&d, &d));
	assert_false(estimate_is_same(&d, &e));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quantiles),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_what_is_not_known_does_not_count),
		cmocka_unit_test(test_medians),
		cmocka_unit_test(test_a_median_of_two),
		cmocka_unit_test(test_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
