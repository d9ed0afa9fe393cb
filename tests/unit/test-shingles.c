// SPDX-License-Identifier: GPL-2.0-or-later
/* What a shingled disk does with writes that miss the write pointer. */
#include "sim/media/shingles.h"

#include <errno.h>

#include "test.h"

static const struct sim_medium medium = { .capacity_sectors = 10000, .zone_sectors = 1000 };

static void test_detours_and_cleaning(void **state)
{
	struct shingles shingles;
	uint64_t sector;

	(void)state;
	assert_int_equal(shingles_init(&shingles, &medium, 0, 2000, NULL), 0);
	sector = 3000;
	assert_int_equal(shingles_write(&shingles, &sector, 100), SHINGLES_HOME);
	assert_int_equal(sector, 3000);
	sector = 3500;
	assert_int_equal(shingles_write(&shingles, &sector, 900), SHINGLES_DETOUR);
	assert_int_equal(sector, 0);
	sector = 3200;
	assert_int_equal(shingles_write(&shingles, &sector, 900), SHINGLES_DETOUR);
	assert_int_equal(sector, 900);
	sector = 3200;
	assert_int_equal(shingles_write(&shingles, &sector, 900), SHINGLES_FULL);
	assert_int_equal(sector, 3200);
	/* Room comes when the zone is done, not when it is begun. */
	assert_true(shingles_want_cleaning(&shingles));
	assert_int_equal(shingles_clean(&shingles, 1000), 3000);
	shingles_cleaned(&shingles, 600);
	assert_int_equal(shingles_write(&shingles, &sector, 900), SHINGLES_FULL);
	assert_int_equal(shingles_clean(&shingles, 1000), 3000);
	shingles_cleaned(&shingles, 600);
	assert_int_equal(shingles.used, 0);
	assert_false(shingles_want_cleaning(&shingles));
	assert_int_equal(shingles_write(&shingles, &sector, 900), SHINGLES_DETOUR);
	assert_int_equal(sector, 0);
	shingles_done(&shingles);
}

static void test_host_managed_refuses(void **state)
{
	struct sim_medium managed = medium;
	struct shingles shingles;
	uint64_t sector = 3000;

	(void)state;
	managed.is_host_managed = true;
	assert_int_equal(shingles_init(&shingles, &managed, 0, 0, NULL), 0);
	assert_int_equal(shingles_write(&shingles, &sector, 100), SHINGLES_HOME);
	sector = 3500;
	assert_int_equal(shingles_write(&shingles, &sector, 100), SHINGLES_REFUSED);
	assert_false(shingles_want_cleaning(&shingles));
	shingles_done(&shingles);
	/* A media cache that cannot be. */
	managed.is_host_managed = false;
	assert_int_equal(shingles_init(&shingles, &managed, 0, 1999, NULL), -EINVAL);
	shingles_done(&shingles);
	assert_int_equal(shingles_init(&shingles, &managed, 0, 10001, NULL), -EINVAL);
	shingles_done(&shingles);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_detours_and_cleaning),
		cmocka_unit_test(test_host_managed_refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
