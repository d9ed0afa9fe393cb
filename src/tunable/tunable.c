// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding rows of the catalogue, and comparing what was written with what reads back.
 */
#include "tunable/tunable.h"

#include <stdlib.h>
#include <string.h>

#include "tunable/catalogue.h"

size_t tunable_count(void)
{
	return catalogue_queue_count + catalogue_iosched_count;
}

const struct tunable *tunable_get(size_t index)
{
	if (index < catalogue_queue_count)
		return &catalogue_queue[index];
	index -= catalogue_queue_count;
	return index < catalogue_iosched_count ? &catalogue_iosched[index] : NULL;
}

const struct tunable *tunable_scheduler(void)
{
	return &catalogue_queue[0];
}

static const struct tunable *find_key(const struct tunable *rows, size_t count,
				      const char *key)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(rows[i].key, key))
			return &rows[i];
	return NULL;
}

const struct tunable *tunable_find(const char *key)
{
	const struct tunable *row = find_key(catalogue_queue, catalogue_queue_count, key);

	return row ? row : find_key(catalogue_iosched, catalogue_iosched_count, key);
}

const struct tunable *tunable_find_queue(const char *file)
{
	/* The key of a queue attribute is its file. */
	return find_key(catalogue_queue, catalogue_queue_count, file);
}

const struct tunable *tunable_find_iosched(const char *owner, const char *file)
{
	for (size_t i = 0; i < catalogue_iosched_count; i++)
		if (!strcmp(catalogue_iosched[i].file, file) &&
		    !strcmp(catalogue_iosched[i].owner, owner))
			return &catalogue_iosched[i];
	return NULL;
}

/*
 * Whether a kernel with this tick would read `actual` after `wanted` milliseconds were
 * written: up to whole ticks, then back to milliseconds, where kernels differ in whether
 * they round a fraction up.
 */
static bool is_tick_rounding(int64_t wanted, int64_t actual, int64_t ticks_per_s)
{
	__int128 ticks = ((__int128)wanted * ticks_per_s + 999) / 1000;
	__int128 down = ticks * 1000 / ticks_per_s;
	__int128 up = (ticks * 1000 + ticks_per_s - 1) / ticks_per_s;

	return actual == down || actual == up;
}

static bool is_jiffy_equal(int64_t wanted, int64_t actual)
{
	/* The values of CONFIG_HZ on the architectures with block devices. */
	static const int64_t ticks_per_s[] = { 100, 128, 200,  250, 256,
					       300, 500, 1000, 1024 };

	if (wanted < 0)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(ticks_per_s); i++)
		if (is_tick_rounding(wanted, actual, ticks_per_s[i]))
			return true;
	return false;
}

static bool is_page_equal(int64_t wanted, int64_t actual)
{
	static const int64_t page_kib[] = { 4, 8, 16, 64 };

	for (size_t i = 0; i < ARRAY_SIZE(page_kib); i++)
		if (actual == wanted - wanted % page_kib[i])
			return true;
	return false;
}

/* The two values that -1 turns into: facts on wbt_lat_usec. */
static bool is_wbt_default(const struct tunable *tunable, int64_t wanted, int64_t actual)
{
	return tunable->phase == PHASE_WBT && wanted == -1 &&
	       (actual == 2000 || actual == 75000);
}

bool tunable_is_equal(const struct tunable *tunable, const char *wanted,
		      const char *actual)
{
	int64_t a, b;

	if (!strcmp(wanted, actual))
		return true;
	if (tunable->type != TUNABLE_INT && tunable->type != TUNABLE_BOOL)
		return false;
	if (number_parse_i64(wanted, &a) || number_parse_i64(actual, &b))
		return false;
	if (a == b || is_wbt_default(tunable, a, b))
		return true;
	switch (tunable->rounding) {
	case ROUND_JIFFY:
		return is_jiffy_equal(a, b);
	case ROUND_PAGE_DOWN:
		return a >= 0 && is_page_equal(a, b);
	case ROUND_CLAMP_LOW:
		return a < tunable->min && b == tunable->min;
	case ROUND_EXACT:
		break;
	}
	return false;
}
