// SPDX-License-Identifier: GPL-2.0-or-later
/* Random numbers: repeatable, unbiased, with the moments that they promise. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/random.h"

#define SAMPLES 200000

static void test_streams(void **state)
{
	struct sim_random a, b, other_stream, other_seed;
	unsigned equal_stream = 0, equal_seed = 0;

	(void)state;
	sim_random_init(&a, 7, 0);
	sim_random_init(&b, 7, 0);
	sim_random_init(&other_stream, 7, 1);
	sim_random_init(&other_seed, 8, 0);
	for (unsigned i = 0; i < 1000; i++) {
		uint64_t value = sim_random_next(&a);

		assert_true(value == sim_random_next(&b));
		equal_stream += value == sim_random_next(&other_stream);
		equal_seed += value == sim_random_next(&other_seed);
	}
	assert_int_equal(equal_stream, 0);
	assert_int_equal(equal_seed, 0);
}

static void test_below(void **state)
{
	unsigned counts[6] = { 0 };
	struct sim_random random;

	(void)state;
	sim_random_init(&random, 1, 2);
	assert_true(sim_random_below(&random, 0) == 0);
	assert_true(sim_random_below(&random, 1) == 0);
	for (unsigned i = 0; i < SAMPLES; i++) {
		uint64_t value = sim_random_below(&random, 6);

		assert_true(value < 6);
		counts[value]++;
	}
	for (unsigned i = 0; i < 6; i++)
		assert_in_range(counts[i], SAMPLES / 6 * 97 / 100, SAMPLES / 6 * 103 / 100);
}

static void test_moments(void **state)
{
	double unit = 0, exponential = 0, normal = 0, square = 0;
	struct sim_random random;

	(void)state;
	sim_random_init(&random, 3, 4);
	for (unsigned i = 0; i < SAMPLES; i++) {
		double u = sim_random_unit(&random), e = sim_random_exponential(&random, 5);
		double n = sim_random_normal(&random);

		assert_true(u >= 0 && u < 1 && e >= 0);
		unit += u;
		exponential += e;
		normal += n;
		square += n * n;
	}
	assert_true(fabs(unit / SAMPLES - 0.5) < 0.005);
	assert_true(fabs(exponential / SAMPLES - 5) < 0.1);
	assert_true(fabs(normal / SAMPLES) < 0.02);
	assert_true(fabs(square / SAMPLES - 1) < 0.02);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_streams),
		cmocka_unit_test(test_below),
		cmocka_unit_test(test_moments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
