// SPDX-License-Identifier: GPL-2.0-or-later
/* Places of random I/O: counts of many draws against what the law says. */
#include "test.h"

#include <errno.h>
#include <math.h>

#include "sim/workload/distribution.h"

#define PLACES 1000
#define DRAWS  1000000

static unsigned counts[PLACES];

static void draw(const struct distribution_spec *spec, uint64_t seed)
{
	struct distribution distribution;
	struct sim_random random;
	struct diag diag = { 0 };

	if (distribution_check(spec, &diag))
		fail_msg("%s", diag.text);
	sim_random_init(&random, seed, 0);
	distribution_init(&distribution, spec, PLACES, &random);
	memset(counts, 0, sizeof(counts));
	for (unsigned i = 0; i < DRAWS; i++) {
		uint64_t place = distribution_next(&distribution, &random);

		assert_true(place < PLACES);
		counts[place]++;
	}
}

static int compare_down(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? 1 : x > y ? -1 : 0;
}

/* Within five deviations of a binomial count. */
static void expect_count(double count, double share)
{
	double mean = DRAWS * share, deviation = sqrt(mean * (1.0 - share));

	if (fabs(count - mean) > 5.0 * deviation + 1.0)
		fail_msg("%.0f draws, %.1f expected, deviation %.1f", count, mean, deviation);
}

static double sum_counts(unsigned begin, unsigned end)
{
	double sum = 0.0;

	for (unsigned i = begin; i < end; i++)
		sum += counts[i];
	return sum;
}

static void test_uniform(void **state)
{
	const struct distribution_spec spec = { .kind = DISTRIBUTION_UNIFORM };

	(void)state;
	draw(&spec, 1);
	for (unsigned i = 0; i < PLACES; i++)
		expect_count(counts[i], 1.0 / PLACES);
}

static void expect_each_once(uint64_t count)
{
	const struct distribution_spec spec = { .kind = DISTRIBUTION_EACH_ONCE };
	uint64_t *first = calloc(count, sizeof(*first));
	unsigned char *seen = calloc(count, 1);
	struct distribution distribution;
	struct sim_random random;
	uint64_t same = 0;

	assert_non_null(first);
	assert_non_null(seen);
	sim_random_init(&random, count, 0);
	distribution_init(&distribution, &spec, count, &random);
	for (unsigned round = 0; round < 2; round++) {
		memset(seen, 0, count);
		for (uint64_t i = 0; i < count; i++) {
			uint64_t place = distribution_next(&distribution, &random);

			assert_true(place < count);
			assert_false(seen[place]);
			seen[place] = 1;
			same += round && first[i] == place;
			first[i] = place;
		}
	}
	if (count > 100)
		assert_true(same < 20);
	free(first);
	free(seen);
}

static void test_each_once(void **state)
{
	static const uint64_t sizes[] = { 1, 2, 3, 4, 5, 7, 8, 9, 1000, 1024, 4095, 4097 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		expect_each_once(sizes[i]);
}

/* Successive places are as far apart as independent ones: a third of the range. */
static void test_each_once_is_random(void **state)
{
	const struct distribution_spec spec = { .kind = DISTRIBUTION_EACH_ONCE };
	static const uint64_t sizes[] = { 100000, 131072, 131073, 250000 };
	struct distribution distribution;
	struct sim_random random;

	(void)state;
	for (size_t s = 0; s < ARRAY_SIZE(sizes); s++) {
		double distance = 0.0, last = 0.0, forward = 0.0, count = (double)sizes[s];

		sim_random_init(&random, 3, 0);
		distribution_init(&distribution, &spec, sizes[s], &random);
		for (unsigned i = 0; i < 20000; i++) {
			double place = (double)distribution_next(&distribution, &random);

			distance += fabs(place - last);
			forward += place > last;
			last = place;
		}
		assert_true(fabs(distance / 20000 / count - 1.0 / 3.0) < 0.01);
		assert_true(fabs(forward / 20000 - 0.5) < 0.02);
	}
}

static void expect_zipf(double theta)
{
	const struct distribution_spec spec = {
		.kind = DISTRIBUTION_ZIPF, .parameter = theta
	};
	double zeta = 0.0, tail = 0.0;

	draw(&spec, (uint64_t)(theta * 100));
	qsort(counts, PLACES, sizeof(counts[0]), compare_down);
	for (unsigned rank = 1; rank <= PLACES; rank++)
		zeta += pow(rank, -theta);
	/* Ranks that are far enough apart for sorting not to swap them. */
	for (unsigned rank = 1; rank <= 8; rank++)
		expect_count(counts[rank - 1], pow(rank, -theta) / zeta);
	for (unsigned rank = PLACES / 2 + 1; rank <= PLACES; rank++)
		tail += pow(rank, -theta) / zeta;
	/* Sorting moves a little from the tail to the front. */
	if (theta > 0.7)
		assert_true(fabs(sum_counts(PLACES / 2, PLACES) / DRAWS - tail) < 0.004);
}

static void test_zipf(void **state)
{
	(void)state;
	expect_zipf(0.8);
	expect_zipf(0.99);
	expect_zipf(1.0);
	expect_zipf(1.2);
	expect_zipf(2.5);
}

/* A device of 8 EiB costs as much as a small one; the hottest place is not its first. */
static void test_zipf_is_scattered(void **state)
{
	const struct distribution_spec spec = {
		.kind = DISTRIBUTION_ZIPF, .parameter = 1.1
	};
	uint64_t count = UINT64_C(1) << 51, upper = 0, at_zero = 0;
	struct distribution distribution;
	struct sim_random random;

	(void)state;
	for (unsigned seed = 0; seed < 50; seed++) {
		sim_random_init(&random, seed, 0);
		distribution_init(&distribution, &spec, count, &random);
		for (unsigned i = 0; i < 200; i++) {
			uint64_t place = distribution_next(&distribution, &random);

			assert_true(place < count);
			upper += place >= count / 2;
			at_zero += place == 0;
		}
	}
	assert_true(upper > 3500 && upper < 6500);
	assert_true(at_zero == 0);
}

static void test_pareto(void **state)
{
	const struct distribution_spec spec = {
		.kind = DISTRIBUTION_PARETO, .parameter = 0.2
	};
	double power = log(0.2) / log(0.8);

	(void)state;
	draw(&spec, 5);
	/* The place of the first rank, wherever it is. */
	qsort(counts, PLACES, sizeof(counts[0]), compare_down);
	expect_count(counts[0], pow(1.0 / (PLACES - 1), 1.0 / power));
	/* Its name: 80 % of the draws on 20 % of the places. */
	assert_true(fabs(sum_counts(0, PLACES / 5) / DRAWS - 0.8) < 0.003);
}

static void test_normal(void **state)
{
	struct distribution_spec spec = { .kind = DISTRIBUTION_NORMAL };

	(void)state;
	/* One deviation of a twelfth to either side: 68.3 % */
	draw(&spec, 6);
	qsort(counts, PLACES, sizeof(counts[0]), compare_down);
	assert_true(fabs(sum_counts(0, 166) / DRAWS - 0.683) < 0.01);
	/* With 40 % added the bell is nearly flat over that. */
	spec.parameter = 40.0;
	draw(&spec, 6);
	qsort(counts, PLACES, sizeof(counts[0]), compare_down);
	assert_true(fabs(sum_counts(0, 166) / DRAWS - 0.409) < 0.02);
}

static void test_zoned(void **state)
{
	const struct distribution_spec spec = {
		.kind = DISTRIBUTION_ZONED,
		.zones = { { 60, 10 }, { 30, 20 }, { 8, 30 }, { 2, 40 } },
		.zone_count = 4,
	};

	(void)state;
	draw(&spec, 7);
	expect_count(sum_counts(0, 100), 0.60);
	expect_count(sum_counts(100, 300), 0.30);
	expect_count(sum_counts(300, 600), 0.08);
	expect_count(sum_counts(600, 1000), 0.02);
	for (unsigned i = 0; i < 100; i++)
		expect_count(counts[i], 0.006);
}

static void test_checks(void **state)
{
	static const struct distribution_spec wrong[] = {
		{ .kind = DISTRIBUTION_ZIPF, .parameter = 0.0 },
		{ .kind = DISTRIBUTION_ZIPF, .parameter = 11.0 },
		{ .kind = DISTRIBUTION_ZIPF, .parameter = NAN },
		{ .kind = DISTRIBUTION_PARETO, .parameter = 0.0 },
		{ .kind = DISTRIBUTION_PARETO, .parameter = 1.0 },
		{ .kind = DISTRIBUTION_NORMAL, .parameter = -1.0 },
		{ .kind = DISTRIBUTION_NORMAL, .parameter = 101.0 },
		{ .kind = DISTRIBUTION_ZONED },
		{ .kind = DISTRIBUTION_ZONED, .zones = { { 50, 100 } }, .zone_count = 1 },
		{ .kind = DISTRIBUTION_ZONED, .zones = { { 100, 90 } }, .zone_count = 1 },
		{ .kind = DISTRIBUTION_ZONED, .zones = { { 0, 50 }, { 100, 0 } },
		  .zone_count = 2 },
		{ .kind = DISTRIBUTION_ZONED, .zones = { { NAN, 50 }, { 100, 50 } },
		  .zone_count = 2 },
		{ .kind = DISTRIBUTION_ZONED, .zone_count = DISTRIBUTION_ZONES_MAX + 1 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct diag diag = { 0 };

		assert_int_equal(distribution_check(&wrong[i], &diag), -EINVAL);
		assert_true(diag.text[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uniform),
		cmocka_unit_test(test_each_once),
		cmocka_unit_test(test_each_once_is_random),
		cmocka_unit_test(test_zipf),
		cmocka_unit_test(test_zipf_is_scattered),
		cmocka_unit_test(test_pareto),
		cmocka_unit_test(test_normal),
		cmocka_unit_test(test_zoned),
		cmocka_unit_test(test_checks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
