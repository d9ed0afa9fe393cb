/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latencies counted in buckets of a few per mille: constant memory whatever the number of
 * requests, and percentiles that do not depend on the order of the samples.
 */
#ifndef IOSCHED_SIM_HISTOGRAM_H
#define IOSCHED_SIM_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

/* 2^7 buckets for each power of two: below 0.8 % off. */
#define HISTOGRAM_BITS    7
#define HISTOGRAM_BUCKETS ((64 - HISTOGRAM_BITS + 1) << HISTOGRAM_BITS)

struct histogram {
	uint64_t counts[HISTOGRAM_BUCKETS];
	uint64_t count, sum, min, max;
};

/* A zeroed histogram is empty. */
void histogram_add(struct histogram *histogram, uint64_t value);
/* The same value so many times; at least once. */
void histogram_add_many(struct histogram *histogram, uint64_t value, uint64_t count);

/*
 * The value below which `per_mille / 10` percent of the samples lie, e.g. 999 for P99.9;
 * 1000 is the maximum. 0 for an empty histogram. Never above the maximum.
 */
uint64_t histogram_percentile(const struct histogram *histogram, unsigned per_mille);
/* The same in millionths: 999900 for P99.99. */
uint64_t histogram_quantile(const struct histogram *histogram, unsigned per_million);
/*
 * At least one of so many samples is expected beyond it: P99 takes 100 of them, P99.99
 * 10,000. Of fewer the quantile would be the largest one and nothing else.
 */
bool histogram_is_enough(uint64_t samples, unsigned per_million);
uint64_t histogram_mean(const struct histogram *histogram);

/* Adds the samples of `from`. */
void histogram_merge(struct histogram *histogram, const struct histogram *from);

#endif
