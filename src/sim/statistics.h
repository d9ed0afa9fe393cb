/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What several runs with different seeds say about a figure: its mean, and how far the
 * true mean may be from it.
 */
#ifndef IOSCHED_SIM_STATISTICS_H
#define IOSCHED_SIM_STATISTICS_H

#include <stdbool.h>
#include <stddef.h>

struct estimate {
	double mean;
	/* Half the width of the 95 % interval; 0 with one value; NAN: nobody knows. */
	double margin;
	unsigned count;    /* of the values; 0: nothing is known */
};

/* The two-sided 95 % quantile of Student's t; at least one degree of freedom. */
double student_quantile(unsigned freedom);

/* Values that are not finite do not count. */
struct estimate estimate_from(const double *values, size_t count);

/* Fewer values say nothing about the spread that their median has. */
#define ESTIMATE_MEDIAN_MIN 3

/*
 * The median instead of the mean, for what one disturbance among few values would spoil;
 * the interval is that of the median of normal values, 1.2533 times as wide.
 */
struct estimate estimate_from_median(const double *values, size_t count);

/* There is an interval to show. */
bool estimate_has_margin(const struct estimate *estimate);

/*
 * The intervals overlap: the difference may be chance. Never true of a single value, about
 * whose spread nothing is known, but where both are equal.
 */
bool estimate_is_same(const struct estimate *a, const struct estimate *b);

#endif
