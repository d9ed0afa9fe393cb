// SPDX-License-Identifier: GPL-2.0-or-later
/* Means with their confidence. */
#include "sim/statistics.h"

#include <math.h>

#include "util/cleanup.h"

/*
 * Two-sided 95 % quantiles for 1 to 30 degrees of freedom (any table of Student's
 * distribution); beyond, by the expansion in 1/n around the normal one, which is right to
 * three decimals there.
 */
static const double quantiles[] = {
	12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
	2.201,	2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
	2.080,	2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
};

#define NORMAL_QUANTILE 1.959964

double student_quantile(unsigned freedom)
{
	const double z = NORMAL_QUANTILE;

	if (freedom < 1)
		freedom = 1;
	if (freedom <= ARRAY_SIZE(quantiles))
		return quantiles[freedom - 1];
	return z + (z * z * z + z) / (4.0 * freedom) +
	       (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96.0 * freedom * freedom);
}

struct estimate estimate_from(const double *values, size_t count)
{
	struct estimate estimate = { 0 };
	double sum = 0, squares = 0;

	for (size_t i = 0; i < count; i++) {
		if (!isfinite(values[i]))
			continue;
		sum += values[i];
		estimate.count++;
	}
	if (!estimate.count)
		return estimate;
	estimate.mean = sum / estimate.count;
	if (estimate.count < 2)
		return estimate;
	for (size_t i = 0; i < count; i++) {
		if (isfinite(values[i]))
			squares += (values[i] - estimate.mean) * (values[i] - estimate.mean);
	}
	estimate.margin = student_quantile(estimate.count - 1) *
			  sqrt(squares / (estimate.count - 1) / estimate.count);
	return estimate;
}

static int compare_values(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

struct estimate estimate_from_median(const double *values, size_t count)
{
	/* sqrt(pi / 2): the standard error of the median of normal values by that of the mean */
	const double widening = 1.253314;
	struct estimate estimate = estimate_from(values, count);
	_free_ double *sorted = calloc(count + 1, sizeof(*sorted));
	size_t known = 0;

	/* Without memory the mean has to do. */
	if (!estimate.count || !sorted)
		return estimate;
	for (size_t i = 0; i < count; i++) {
		if (isfinite(values[i]))
			sorted[known++] = values[i];
	}
	qsort(sorted, known, sizeof(*sorted), compare_values);
	estimate.mean = (sorted[(known - 1) / 2] + sorted[known / 2]) / 2;
	estimate.margin = known < ESTIMATE_MEDIAN_MIN ? NAN : estimate.margin * widening;
	return estimate;
}

bool estimate_has_margin(const struct estimate *estimate)
{
	return estimate->count > 1 && isfinite(estimate->margin);
}

bool estimate_is_same(const struct estimate *a, const struct estimate *b)
{
	if (!a->count || !b->count)
		return false;
	return fabs(a->mean - b->mean) <= a->margin + b->margin;
}
