// SPDX-License-Identifier: GPL-2.0-or-later
/* Latencies: their mean, their spread, their tail. */
#include "sim/media/latency.h"

#include <math.h>

#include "test.h"

static void test_constant(void **state)
{
	struct latency latency;
	struct sim_random random;

	(void)state;
	sim_random_init(&random, 1, 1);
	latency_init(&latency, 5000, 0, 0, 0);
	for (unsigned i = 0; i < 1000; i++)
		assert_true(latency_draw(&latency, &random) == 5000);
	latency_init(&latency, 0, 1, 0, 0);
	assert_true(latency_draw(&latency, &random) == 0);
}

static void test_mean_and_spread(void **state)
{
	static const double sigmas[] = { 0.05, 0.3, 1.0 };
	struct latency latency;
	struct sim_random random;

	(void)state;
	sim_random_init(&random, 1, 1);
	for (unsigned i = 0; i < 3; i++) {
		double sum = 0, logs = 0, squares = 0, mean;

		latency_init(&latency, 1e6, sigmas[i], 0, 0);
		for (unsigned j = 0; j < 200000; j++) {
			double ns = (double)latency_draw(&latency, &random);

			sum += ns;
			logs += log(ns);
			squares += log(ns) * log(ns);
		}
		mean = logs / 200000;
		assert_true(fabs(sum / 200000 / 1e6 - 1) < 0.02);
		assert_true(fabs(sqrt(squares / 200000 - mean * mean) / sigmas[i] - 1) < 0.02);
	}
	/* The middle is the median of a log-normal: mean * exp(-sigma^2 / 2). */
	assert_true(fabs((double)latency.quantile_ns[LATENCY_STEPS / 2] / 1e6 / exp(-0.5) - 1) <
		    0.03);
}

static void test_tail(void **state)
{
	struct latency latency;
	struct sim_random random;
	unsigned slow = 0;

	(void)state;
	sim_random_init(&random, 1, 1);
	latency_init(&latency, 1000, 0, 0.01, 50000);
	for (unsigned i = 0; i < 100000; i++) {
		uint64_t ns = latency_draw(&latency, &random);

		if (ns == 1000)
			continue;
		assert_true(ns >= 26000 && ns <= 76000);
		slow++;
	}
	assert_true(slow > 850 && slow < 1150);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_constant),
		cmocka_unit_test(test_mean_and_spread),
		cmocka_unit_test(test_tail),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
