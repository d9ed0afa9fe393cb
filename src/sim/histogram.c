/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The histogram: exact up to 2^7, then 2^7 buckets for each power of two. */
#include "sim/histogram.h"

#define SUB_BUCKETS (1U << HISTOGRAM_BITS)

static unsigned bucket_of(uint64_t value)
{
	unsigned shift;

	if (value < SUB_BUCKETS)
		return (unsigned)value;
	shift = 63 - (unsigned)__builtin_clzll(value) - HISTOGRAM_BITS;
	return ((shift + 1) << HISTOGRAM_BITS) + (unsigned)((value >> shift) - SUB_BUCKETS);
}

/* The largest value that falls into the bucket. */
static uint64_t bucket_end(unsigned bucket)
{
	unsigned shift;
	uint64_t first;

	if (bucket < SUB_BUCKETS)
		return bucket;
	shift = (bucket >> HISTOGRAM_BITS) - 1;
	first = (uint64_t)(SUB_BUCKETS + (bucket & (SUB_BUCKETS - 1))) << shift;
	return first + ((UINT64_C(1) << shift) - 1);
}

void histogram_add(struct histogram *histogram, uint64_t value)
{
	histogram->counts[bucket_of(value)]++;
	if (histogram->count == 0 || value < histogram->min)
		histogram->min = value;
	if (value > histogram->max)
		histogram->max = value;
	histogram->count++;
	histogram->sum += value;
}

void histogram_add_many(struct histogram *histogram, uint64_t value, uint64_t count)
{
	uint64_t sum;

	histogram_add(histogram, value);
	histogram->counts[bucket_of(value)] += count - 1;
	histogram->count += count - 1;
	/* Mean and sum stay within what can be counted. */
	if (__builtin_mul_overflow(value, count - 1, &sum) ||
	    __builtin_add_overflow(histogram->sum, sum, &histogram->sum))
		histogram->sum = UINT64_MAX;
}

uint64_t histogram_quantile(const struct histogram *histogram, unsigned per_million)
{
	const uint64_t million = 1000000;
	uint64_t rank, seen = 0;

	if (histogram->count == 0)
		return 0;
	/* Rounded up: with two samples the median is the first, P99.9 the second. */
	rank = histogram->count / million * per_million +
	       (histogram->count % million * per_million + million - 1) / million;
	if (rank < 1)
		rank = 1;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		seen += histogram->counts[i];
		if (seen >= rank) {
			uint64_t end = bucket_end(i);

			return end < histogram->max ? end : histogram->max;
		}
	}
	return histogram->max;
}

bool histogram_is_enough(uint64_t samples, unsigned per_million)
{
	const uint64_t million = 1000000;
	uint64_t beyond = per_million < million ? million - per_million : 0;

	/* Rounded up: beyond P50 is one of two. */
	return beyond && samples >= (million + beyond - 1) / beyond;
}

uint64_t histogram_percentile(const struct histogram *histogram, unsigned per_mille)
{
	return histogram_quantile(histogram, per_mille * 1000);
}

uint64_t histogram_mean(const struct histogram *histogram)
{
	return histogram->count ? histogram->sum / histogram->count : 0;
}

void histogram_merge(struct histogram *histogram, const struct histogram *from)
{
	if (from->count == 0)
		return;
	if (histogram->count == 0 || from->min < histogram->min)
		histogram->min = from->min;
	if (from->max > histogram->max)
		histogram->max = from->max;
	histogram->count += from->count;
	histogram->sum += from->sum;
	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++)
		histogram->counts[i] += from->counts[i];
}
