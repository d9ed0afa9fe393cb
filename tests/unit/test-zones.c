// SPDX-License-Identifier: GPL-2.0-or-later
/* Write pointers of zones. */
#include "sim/media/zones.h"

#include <errno.h>

#include "test.h"

static const struct sim_medium medium = { .capacity_sectors = 10000, .zone_sectors = 1000 };

static void test_pointers(void **state)
{
	struct zones zones;

	(void)state;
	assert_int_equal(zones_init(&zones, &medium, 0.2, NULL), 0);
	/* Anywhere, in the first two. */
	assert_int_equal(zones_write(&zones, 1500, 8), ZONE_WRITE_ON);
	assert_int_equal(zones_write(&zones, 300, 8), ZONE_WRITE_ON);
	/* A zone of which nothing is known takes the first. */
	assert_int_equal(zones_write(&zones, 2500, 8), ZONE_WRITE_ON);
	assert_int_equal(zones_write(&zones, 2508, 8), ZONE_WRITE_ON);
	assert_int_equal(zones_write(&zones, 2508, 8), ZONE_WRITE_ELSEWHERE);
	assert_int_equal(zones_write(&zones, 2520, 8), ZONE_WRITE_ELSEWHERE);
	assert_int_equal(zones_write(&zones, 2516, 8), ZONE_WRITE_ON);
	/* From the beginning again. */
	assert_int_equal(zones_write(&zones, 2000, 8), ZONE_WRITE_ANEW);
	assert_int_equal(zones_write(&zones, 2008, 8), ZONE_WRITE_ON);
	/* On into the next zone, and beyond the last. */
	assert_int_equal(zones_write(&zones, 3900, 100), ZONE_WRITE_ON);
	assert_int_equal(zones_write(&zones, 4000, 900), ZONE_WRITE_ON);
	assert_int_equal(zones_write(&zones, 4900, 200), ZONE_WRITE_ON);
	assert_int_equal(zones_write(&zones, 5100, 8), ZONE_WRITE_ON);
	assert_int_equal(zones_write(&zones, 9900, 200), ZONE_WRITE_ELSEWHERE);
	assert_int_equal(zones_write(&zones, UINT64_MAX - 3, 8), ZONE_WRITE_ELSEWHERE);
	zones_done(&zones);
}

static void test_resets(void **state)
{
	struct zones zones;

	(void)state;
	assert_int_equal(zones_init(&zones, &medium, 0, NULL), 0);
	assert_int_equal(zones_write(&zones, 0, 1000), ZONE_WRITE_ON);
	assert_int_equal(zones_write(&zones, 1000, 10), ZONE_WRITE_ON);
	assert_int_equal(zones_write(&zones, 2000, 10), ZONE_WRITE_ON);
	zones_reset(&zones, 0, 2000);
	/* Empty: not written anew, but for the third. */
	assert_int_equal(zones_write(&zones, 0, 8), ZONE_WRITE_ON);
	assert_int_equal(zones_write(&zones, 1000, 8), ZONE_WRITE_ON);
	assert_int_equal(zones_write(&zones, 2000, 8), ZONE_WRITE_ANEW);
	/* Only zones that begin in the extent. */
	zones_reset(&zones, 1500, 400);
	assert_int_equal(zones_write(&zones, 1000, 8), ZONE_WRITE_ANEW);
	zones_done(&zones);
}

static void test_no_zones_and_too_many(void **state)
{
	const struct sim_medium plain = { .capacity_sectors = 1000 };
	const struct sim_medium huge = { .capacity_sectors = UINT64_C(1) << 54,
					 .zone_sectors = 2048 };
	struct zones zones;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(zones_init(&zones, &plain, 0, NULL), 0);
	assert_int_equal(zones_write(&zones, 500, 8), ZONE_WRITE_ON);
	assert_int_equal(zones_write(&zones, 500, 8), ZONE_WRITE_ON);
	zones_reset(&zones, 0, 1000);
	zones_done(&zones);
	assert_int_equal(zones_init(&zones, &huge, 0, &diag), -EINVAL);
	assert_non_null(strstr(diag.text, "too many"));
	zones_done(&zones);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pointers),
		cmocka_unit_test(test_resets),
		cmocka_unit_test(test_no_zones_and_too_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
