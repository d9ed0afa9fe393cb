// SPDX-License-Identifier: GPL-2.0-or-later
/* Zone locks, with many zones that collide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/elevators/zone-locks.h"

#define ZONES 64

static void test_lock_and_unlock(void **state)
{
	struct zone_locks locks;

	(void)state;
	assert_int_equal(zone_locks_init(&locks, ZONES), 0);
	for (uint64_t zone = 0; zone < ZONES; zone++) {
		assert_false(zone_locks_is_locked(&locks, zone << 40));
		zone_locks_lock(&locks, zone << 40);
	}
	for (uint64_t zone = 0; zone < ZONES; zone += 2)
		zone_locks_unlock(&locks, zone << 40);
	for (uint64_t zone = 0; zone < ZONES; zone++)
		assert_int_equal(zone_locks_is_locked(&locks, zone << 40), zone % 2);
	zone_locks_unlock(&locks, 12345);
	assert_true(zone_locks_is_locked(&locks, UINT64_C(1) << 40));
	zone_locks_done(&locks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lock_and_unlock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
