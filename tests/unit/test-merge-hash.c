// SPDX-License-Identifier: GPL-2.0-or-later
/* The merge hash: by end, newest first, through growth. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/merge-hash.h"

static void test_find(void **state)
{
	static struct sim_request requests[500];
	struct merge_hash hash;

	(void)state;
	assert_int_equal(merge_hash_init(&hash), 0);
	for (unsigned i = 0; i < 500; i++) {
		requests[i] = (struct sim_request){ .sector = i * 8, .sectors = 8 };
		merge_hash_add(&hash, &requests[i]);
	}
	assert_true(hash.bits > 6);
	for (unsigned i = 0; i < 500; i++) {
		assert_ptr_equal(merge_hash_find(&hash, i * 8 + 8, SIM_READ), &requests[i]);
		assert_null(merge_hash_find(&hash, i * 8 + 8, SIM_WRITE));
	}
	merge_hash_remove(&hash, &requests[7]);
	merge_hash_remove(&hash, &requests[7]);
	assert_null(merge_hash_find(&hash, 64, SIM_READ));
	assert_int_equal(hash.count, 499);
	merge_hash_done(&hash);
}

static void test_newest_first(void **state)
{
	static struct sim_request requests[100];
	struct merge_hash hash;

	(void)state;
	assert_int_equal(merge_hash_init(&hash), 0);
	/* All end at 100; the growth in between must not turn them over. */
	for (unsigned i = 0; i < 100; i++) {
		requests[i] = (struct sim_request){ .sector = i, .sectors = 100 - i };
		merge_hash_add(&hash, &requests[i]);
	}
	for (unsigned i = 100; i-- > 0;) {
		assert_ptr_equal(merge_hash_find(&hash, 100, SIM_READ), &requests[i]);
		merge_hash_remove(&hash, &requests[i]);
	}
	merge_hash_done(&hash);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_newest_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
