// SPDX-License-Identifier: GPL-2.0-or-later
/* The disk's memory: segments that grow, are found, and are given up. */
#include "sim/media/hdd-cache.h"

#include "test.h"

static struct hdd_cache cache;

static bool holds(uint64_t begin, uint64_t end)
{
	return hdd_cache_holds(&cache, (struct media_extent){ begin, end });
}

static struct hdd_segment *add(uint64_t begin, uint64_t end)
{
	return hdd_cache_add(&cache, (struct media_extent){ begin, end });
}

static void test_segments(void **state)
{
	struct hdd_segment *segment;

	(void)state;
	hdd_cache_init(&cache, 300, 3, 0);
	assert_false(holds(0, 1));
	assert_null(hdd_cache_find(&cache, 0));
	segment = add(1000, 1010);
	assert_true(holds(1000, 1010));
	assert_true(holds(1003, 1004));
	assert_false(holds(1003, 1011));
	assert_ptr_equal(hdd_cache_find(&cache, 1010), segment);
	/* One run of sectors is one segment; its beginning goes when it is too long. */
	assert_ptr_equal(add(1010, 1090), segment);
	assert_true(holds(1000, 1090));
	hdd_cache_grow(&cache, segment, 1150);
	assert_true(holds(1050, 1150));
	assert_false(holds(1049, 1051));
}

static void test_the_least_used_goes(void **state)
{
	(void)state;
	hdd_cache_init(&cache, 300, 3, 0);
	add(1000, 1010);
	add(2000, 2010);
	add(3000, 3010);
	assert_true(holds(1000, 1010)); /* used again */
	add(4000, 4010);
	assert_true(holds(1000, 1010));
	assert_false(holds(2000, 2010));
	assert_true(holds(3000, 3010) && holds(4000, 4010));
}

static void test_what_is_written_is_forgotten(void **state)
{
	(void)state;
	hdd_cache_init(&cache, 300, 3, 100);
	add(1000, 1010);
	add(2000, 2010);
	hdd_cache_forget(&cache, (struct media_extent){ 1009, 1020 });
	assert_false(holds(1000, 1005));
	assert_true(holds(2000, 2010));
	/* But it is there while it waits to be written. */
	assert_true(write_back_accept(&cache.dirty, (struct media_extent){ 1009, 1020 }));
	assert_true(holds(1010, 1020));
}

static void test_no_memory_at_all(void **state)
{
	(void)state;
	hdd_cache_init(&cache, 0, 3, 0);
	assert_null(add(1000, 1010));
	assert_false(holds(1000, 1010));
	hdd_cache_init(&cache, 2, 3, 0);
	assert_null(add(1000, 1010));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_segments),
		cmocka_unit_test(test_the_least_used_goes),
		cmocka_unit_test(test_what_is_written_is_forgotten),
		cmocka_unit_test(test_no_memory_at_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
