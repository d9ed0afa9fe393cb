// SPDX-License-Identifier: GPL-2.0-or-later
/* Pools: distinct objects, aligned, given back ones come first. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/pool.h"

#define COUNT 1000

static int compare_pointers(const void *a, const void *b)
{
	const uintptr_t x = (uintptr_t) * (void *const *)a;
	const uintptr_t y = (uintptr_t) * (void *const *)b;

	return x < y ? -1 : x > y;
}

static void test_objects_do_not_overlap(void **state)
{
	static void *objects[COUNT];
	struct pool pool;

	(void)state;
	pool_init(&pool, 100);
	for (size_t i = 0; i < COUNT; i++) {
		objects[i] = pool_take(&pool);
		assert_non_null(objects[i]);
		assert_int_equal((uintptr_t)objects[i] % 64, 0);
		memset(objects[i], 0xaa, 100);
	}
	qsort(objects, COUNT, sizeof(objects[0]), compare_pointers);
	for (size_t i = 1; i < COUNT; i++)
		assert_true((uintptr_t)objects[i] - (uintptr_t)objects[i - 1] >= 100);
	pool_done(&pool);
}

static void test_given_back_is_taken_first(void **state)
{
	struct pool pool;
	void *a, *b;

	(void)state;
	pool_init(&pool, 16);
	a = pool_take(&pool);
	b = pool_take(&pool);
	pool_give(&pool, a);
	pool_give(&pool, b);
	assert_ptr_equal(pool_take(&pool), b);
	assert_ptr_equal(pool_take(&pool), a);
	pool_done(&pool);
	assert_null(pool.chunks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_objects_do_not_overlap),
		cmocka_unit_test(test_given_back_is_taken_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
