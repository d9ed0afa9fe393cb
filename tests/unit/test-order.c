// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order of writes over the whole catalogue.
 */
#include "test.h"

#include "plan/order.h"

static const struct tunable *get(const char *key)
{
	const struct tunable *tunable = tunable_find(key);

	assert_non_null(tunable);
	return tunable;
}

static void assert_before(const char *first, const char *then)
{
	assert_true(plan_compare_order(get(first), get(then)) < 0);
	assert_true(plan_compare_order(get(then), get(first)) > 0);
}

static void test_phases(void **state)
{
	(void)state;
	assert_before("scheduler", "mq-deadline.read_expire");
	assert_before("mq-deadline.read_expire", "nr_requests");
	assert_before("nr_requests", "mq-deadline.async_depth");
	assert_before("mq-deadline.async_depth", "read_ahead_kb");
	assert_before("read_ahead_kb", "wbt_lat_usec");
	assert_int_equal(plan_compare_order(get("nomerges"), get("read_ahead_kb")), 0);
}

static void test_within_a_phase(void **state)
{
	(void)state;
	assert_before("bfq.strict_guarantees", "bfq.slice_idle");
	assert_before("bfq.slice_idle", "bfq.slice_idle_us");
	assert_before("bfq.strict_guarantees", "bfq.slice_idle_us");
}

/* Whatever may undo another comes before it, or a plan could not be carried out. */
static void test_disturbers_come_first(void **state)
{
	size_t found = 0;

	(void)state;
	for (size_t i = 0; i < tunable_count(); i++) {
		for (size_t j = 0; j < tunable_count(); j++) {
			const struct tunable *first = tunable_get(i),
					     *then = tunable_get(j);

			if (!plan_is_disturbed(first, then))
				continue;
			found++;
			assert_true(plan_compare_order(first, then) < 0);
		}
	}
	assert_true(found > 10);
}

static void test_a_switch_resets(void **state)
{
	const struct tunable *scheduler = tunable_scheduler();

	(void)state;
	assert_true(plan_is_disturbed(scheduler, get("bfq.low_latency")));
	assert_true(plan_is_disturbed(scheduler, get("nr_requests")));
	assert_true(plan_is_disturbed(scheduler, get("wbt_lat_usec")));
	assert_false(plan_is_disturbed(scheduler, get("read_ahead_kb")));
	assert_true(
		plan_is_disturbed(get("nr_requests"), get("mq-deadline.async_depth")));
	assert_false(
		plan_is_disturbed(get("mq-deadline.async_depth"), get("nr_requests")));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_phases),
		cmocka_unit_test(test_within_a_phase),
		cmocka_unit_test(test_disturbers_come_first),
		cmocka_unit_test(test_a_switch_resets),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
