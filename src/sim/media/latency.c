/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of a latency's quantiles. */
#include "sim/media/latency.h"

#include <math.h>

/* Where the normal distribution reaches p, from a place nearby: Newton's steps. */
static double normal_quantile(double p, double near)
{
	for (unsigned step = 0; step < 8; step++) {
		double reached = 0.5 * erfc(-near * M_SQRT1_2);
		double density = exp(-0.5 * near * near) / sqrt(2 * M_PI);

		near -= (reached - p) / density;
	}
	return near;
}

void latency_init(struct latency *latency, double mean_ns, double sigma, double tail,
		  double tail_ns)
{
	double z[LATENCY_STEPS], near = 0, sum = 0;

	/* From the middle outwards each is near the one before. */
	for (unsigned i = LATENCY_STEPS / 2; i < LATENCY_STEPS; i++) {
		near = normal_quantile((i + 0.5) / LATENCY_STEPS, near);
		z[i] = near;
		z[LATENCY_STEPS - 1 - i] = -near;
	}
	for (unsigned i = 0; i < LATENCY_STEPS; i++)
		sum += exp(sigma * z[i]);
	/* Scaled so that the mean of what is drawn is the mean that was asked for. */
	for (unsigned i = 0; i < LATENCY_STEPS; i++)
		latency->quantile_ns[i] =
			(uint64_t)(mean_ns * exp(sigma * z[i]) * LATENCY_STEPS / sum + 0.5);
	latency->tail_below = (uint64_t)(tail * 0x1p55);
	latency->tail_ns = (uint64_t)(tail_ns + 0.5);
}
