// SPDX-License-Identifier: GPL-2.0-or-later
/* The clock is the kernel's, in nanoseconds. */
#include "test.h"

#include <time.h>

#include "util/clock.h"

static uint64_t to_ns(const struct timespec *time)
{
	return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

static void test_lies_between(void **state)
{
	struct timespec before, after;
	uint64_t now_ns;
	int64_t now_ms;

	(void)state;
	clock_gettime(CLOCK_MONOTONIC, &before);
	now_ms = clock_now_ms();
	now_ns = clock_now_ns();
	clock_gettime(CLOCK_MONOTONIC, &after);
	assert_true(now_ns >= to_ns(&before));
	assert_true(now_ns <= to_ns(&after));
	assert_true(now_ms >= (int64_t)(to_ns(&before) / 1000000));
	assert_true(now_ms <= (int64_t)(now_ns / 1000000));
}

static void test_what_went_by(void **state)
{
	uint64_t begin_ns = clock_now_ns(), end_ns;
	double seconds = clock_seconds_since(begin_ns);

	(void)state;
	end_ns = clock_now_ns();
	assert_true(seconds >= 0);
	assert_true(seconds <= (double)(end_ns - begin_ns) / 1e9);
	/* An hour before. */
	if (begin_ns > UINT64_C(3600000000000))
		assert_true(clock_seconds_since(begin_ns - UINT64_C(3600000000000)) >= 3600);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lies_between),
		cmocka_unit_test(test_what_went_by),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
