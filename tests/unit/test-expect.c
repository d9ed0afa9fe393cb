// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which steps of a plan are only looked at: what a switch of the scheduler brings.
 */
#include "apply-fixture.h"

#include "plan/expect.h"
#include "plan/plan.h"
#include "util/text.h"

static int set_up(void **state)
{
	*state = fixture_new(1);
	return 0;
}

static int tear_down(void **state)
{
	fixture_free(*state);
	return 0;
}

/* The keys of the conditional steps, in order. */
static void assert_conditional(const struct fixture_policy *policy, const char *wanted)
{
	struct plan *plan = NULL;
	struct text keys = { 0 };

	assert_int_equal(plan_make(&policy->policy, &plan), 0);
	text_add(&keys, "");
	for (size_t i = 0; i < plan->items[0].step_count; i++)
		if (plan->items[0].steps[i].is_conditional)
			text_addf(&keys, "%s%s", keys.len ? " " : "",
				  plan->items[0].steps[i].tunable->key);
	assert_string_equal(keys.data, wanted);
	assert_true(plan_count_writes(plan) > 0);
	text_done(&keys);
	plan_free(plan);
}

/* Back to a scheduler as it was: only what is not the kernel's default is sure to be
   written. */
static void test_defaults_of_a_switch_are_conditional(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct device *disk = &fixture->disks[0];

	fixture_want(&policy, disk, "scheduler", "mq-deadline");
	fixture_want(&policy, disk, "mq-deadline.read_expire", "100");
	fixture_want(&policy, disk, "mq-deadline.write_expire", "5000");
	fixture_want(&policy, disk, "mq-deadline.fifo_batch", "16");
	fixture_want(&policy, disk, "mq-deadline.async_depth", "192");
	fixture_want(&policy, disk, "nr_requests", "256");
	fixture_want(&policy, disk, "wbt_lat_usec", "2000");
	assert_conditional(&policy, "mq-deadline.write_expire mq-deadline.fifo_batch "
				    "nr_requests mq-deadline.async_depth wbt_lat_usec");
	snprintf(policy.values[0][4].value, TUNABLE_VALUE_MAX, "64");
	assert_conditional(&policy, "mq-deadline.write_expire mq-deadline.fifo_batch "
				    "nr_requests wbt_lat_usec");
	/* no switch brings this */
	snprintf(policy.values[0][6].value, TUNABLE_VALUE_MAX, "5000");
	assert_conditional(&policy, "mq-deadline.write_expire mq-deadline.fifo_batch "
				    "nr_requests");
}

static void test_nr_requests_after_a_switch(void **state)
{
	static const struct {
		const char *to;
		uint64_t tags;
		const char *wanted;
		bool is_conditional;
	} cases[] = {
		/* twice the driver's tags */
		{ "mq-deadline", 32, "64", true },
		{ "mq-deadline", 32, "256", false },
		{ "mq-deadline", 1023, "256", true },
		{ "mq-deadline", 1023, "1023", false },
		/* nobody knows: what it is now may stay */
		{ "mq-deadline", 0, "256", true },
		{ "mq-deadline", 0, "64", false },
	};
	struct fixture *fixture = *state;
	struct device *disk = &fixture->disks[0];

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fixture_policy policy = { 0 };

		disk->driver_tags = cases[i].tags;
		fixture_want(&policy, disk, "scheduler", cases[i].to);
		fixture_want(&policy, disk, "nr_requests", cases[i].wanted);
		assert_conditional(&policy, cases[i].is_conditional ? "nr_requests" : "");
	}
}

static void test_conditional_for_bfq(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct device *disk = &fixture->disks[0];

	fixture_want(&policy, disk, "scheduler", "bfq");
	/* one variable; default ticks of HZ=250; wbt is off under bfq */
	fixture_want(&policy, disk, "bfq.slice_idle", "0");
	fixture_want(&policy, disk, "bfq.slice_idle_us", "0");
	fixture_want(&policy, disk, "bfq.timeout_sync", "124");
	fixture_want(&policy, disk, "wbt_lat_usec", "0");
	assert_conditional(&policy, "bfq.timeout_sync bfq.slice_idle_us wbt_lat_usec");
	snprintf(policy.values[0][2].value, TUNABLE_VALUE_MAX, "500");
	/* what it reads under bfq differs from kernel to kernel */
	snprintf(policy.values[0][4].value, TUNABLE_VALUE_MAX, "2000");
	assert_conditional(&policy, "bfq.timeout_sync wbt_lat_usec");
	snprintf(policy.values[0][4].value, TUNABLE_VALUE_MAX, "5000");
	assert_conditional(&policy, "bfq.timeout_sync");
}

/* Numbers that no kernel has do no harm. */
static void test_numbers_without_sense(void **state)
{
	/* the number, and what is only looked at with it for a depth */
	static const char *const numbers[][2] = {
		{ "9223372036854775807", "mq-deadline.async_depth" },
		{ "-9223372036854775808", "mq-deadline.async_depth" },
		{ "", "" },
		{ "x", "" },
	};
	struct fixture *fixture = *state;
	struct device *disk = &fixture->disks[0];

	disk->driver_tags = UINT64_MAX;
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		struct fixture_policy policy = { 0 };

		fixture_want(&policy, disk, "scheduler", "mq-deadline");
		fixture_want(&policy, disk, "mq-deadline.async_depth", numbers[i][0]);
		fixture_want(&policy, disk, "mq-deadline.write_expire", numbers[i][0]);
		assert_conditional(&policy, numbers[i][1]);
		fixture_want(&policy, disk, "nr_requests", numbers[i][0]);
		assert_conditional(&policy, numbers[i][1]);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_defaults_of_a_switch_are_conditional),
		TEST(test_nr_requests_after_a_switch),
		TEST(test_conditional_for_bfq),
		TEST(test_numbers_without_sense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
