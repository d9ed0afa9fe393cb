// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the kernel makes of a value before its turn comes.
 */
#include "plan/expect.h"

#include <string.h>

#include "util/number.h"
#include "util/text.h"

/* BLKDEV_DEFAULT_RQ: of so many driver tags at most the scheduler has twice as many. */
#define SCHEDULED_TAGS_MAX 128
/* Default times are whole ticks, the longest of which (HZ=100) is 10 ms: bfq's timeout_sync
   reads 124 of 125 ms at HZ=250. */
#define TICK_MS_MAX 10

static bool read_number(const char *text, int64_t *ret)
{
	return text && !number_parse_i64(text, ret);
}

static const char *find_wanted(const struct policy_device *wanted, const char *key)
{
	for (size_t i = 0; i < wanted->value_count; i++)
		if (!strcmp(wanted->values[i].tunable->key, key))
			return wanted->values[i].value;
	return NULL;
}

static const char *find_current(const struct policy_device *wanted, const char *key)
{
	const struct device_value *now =
		device_find_value(wanted->device, tunable_find(key));

	return now && !now->error ? now->text : NULL;
}

/* 0: not known. */
static int64_t predict_nr_requests(const struct expectation *expectation)
{
	const struct device *device = expectation->wanted->device;
	int64_t tags = device->driver_tags < INT64_MAX ? (int64_t)device->driver_tags : 0;

	if (!tags || text_equal(expectation->target, "none"))
		return tags;
	return 2 * (tags < SCHEDULED_TAGS_MAX ? tags : SCHEDULED_TAGS_MAX);
}

static bool is_nr_requests_right(const struct expectation *expectation,
				 const char *wanted)
{
	int64_t predicted = predict_nr_requests(expectation), number;

	if (!read_number(wanted, &number))
		return false;
	if (predicted)
		return number == predicted;
	return text_equal(find_current(expectation->wanted, "nr_requests"), wanted);
}

/* It follows nr_requests. */
static bool is_async_depth_right(const struct expectation *expectation,
				 const char *wanted)
{
	int64_t base = 0, number;

	if (!read_number(wanted, &number))
		return false;
	if (!read_number(find_wanted(expectation->wanted, "nr_requests"), &base)) {
		if (expectation->is_switch)
			base = predict_nr_requests(expectation);
		else
			read_number(find_current(expectation->wanted, "nr_requests"),
				    &base);
	}
	return !base || number == base || number == base / 4 * 3 + base % 4 * 3 / 4;
}

/* Under bfq it is off; whether it then reads 0 differs from kernel to kernel. */
static bool is_wbt_right(const struct expectation *expectation, const char *wanted,
			 bool was_right)
{
	if (text_equal(expectation->target, "bfq") && !strcmp(wanted, "0"))
		return true;
	if (text_equal(expectation->active, "bfq") &&
	    (!strcmp(wanted, "2000") || !strcmp(wanted, "75000")))
		return true;
	return was_right;
}

/* Of the two views of one variable the finer one comes later. */
static bool is_slice_idle_us_right(const struct expectation *expectation,
				   const char *wanted)
{
	int64_t coarse, fine;

	if (!read_number(find_wanted(expectation->wanted, "bfq.slice_idle"), &coarse))
		coarse = 8;
	return read_number(wanted, &fine) && fine % 1000 == 0 && fine / 1000 == coarse;
}

static bool is_default(const struct policy_value *value)
{
	int64_t number, initial;

	if (!value->tunable->initial || !strcmp(value->tunable->initial, value->value))
		return true;
	return value->tunable->rounding == ROUND_JIFFY &&
	       read_number(value->value, &number) &&
	       read_number(value->tunable->initial, &initial) && number > initial / 2 &&
	       number < initial && initial - number < TICK_MS_MAX;
}

bool expect_is_right(const struct expectation *expectation,
		     const struct policy_value *value, bool was_right)
{
	const struct tunable *tunable = value->tunable;

	if (tunable->phase == PHASE_ASYNC_DEPTH)
		return is_async_depth_right(expectation, value->value);
	if (!strcmp(tunable->key, "bfq.slice_idle_us"))
		return is_slice_idle_us_right(expectation, value->value);
	if (!expectation->is_switch)
		return was_right;
	switch (tunable->phase) {
	case PHASE_IOSCHED:
		return is_default(value);
	case PHASE_NR_REQUESTS:
		return is_nr_requests_right(expectation, value->value);
	case PHASE_WBT:
		return is_wbt_right(expectation, value->value, was_right);
	default:
		return false;
	}
}
