// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plans: what is written, in which order, and what is said about the rest.
 */
#include "apply-fixture.h"

#include <errno.h>

#include "plan/plan.h"

static int set_up(void **state)
{
	*state = fixture_new(2);
	return 0;
}

static int tear_down(void **state)
{
	fixture_free(*state);
	return 0;
}

static struct plan *make(const struct fixture_policy *policy)
{
	struct plan *plan = NULL;

	assert_int_equal(plan_make(&policy->policy, &plan), 0);
	assert_non_null(plan);
	return plan;
}

static void assert_step(const struct plan_device *planned, size_t index, const char *key,
			const char *from, const char *to)
{
	assert_true(index < planned->step_count);
	assert_string_equal(planned->steps[index].tunable->key, key);
	assert_string_equal(planned->steps[index].from, from);
	assert_string_equal(planned->steps[index].to, to);
}

static void test_nothing_to_do(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct plan *plan;

	fixture_want(&policy, &fixture->disks[0], "scheduler", "none");
	fixture_want(&policy, &fixture->disks[0], "read_ahead_kb", "128");
	plan = make(&policy);
	assert_int_equal(plan->items[0].state, PLAN_IN_FORCE);
	assert_int_equal(plan_count_steps(plan), 0);
	assert_false(plan_has_blocked(plan));
	plan_free(plan);
}

static void test_only_what_differs(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct plan *plan;

	fixture_want(&policy, &fixture->disks[0], "wbt_lat_usec", "0");
	fixture_want(&policy, &fixture->disks[0], "nr_requests", "256");
	fixture_want(&policy, &fixture->disks[0], "read_ahead_kb", "4096");
	plan = make(&policy);
	assert_int_equal(plan->items[0].state, PLAN_CHANGE);
	assert_int_equal(plan->items[0].step_count, 2);
	assert_step(&plan->items[0], 0, "read_ahead_kb", "128", "4096");
	assert_step(&plan->items[0], 1, "wbt_lat_usec", "2000", "0");
	plan_free(plan);
}

/* A switch of the scheduler resets nr_requests and wbt: written though they are right. */
static void test_switch_repeats_what_it_resets(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct plan *plan;

	fixture_want(&policy, &fixture->disks[0], "read_ahead_kb", "128");
	fixture_want(&policy, &fixture->disks[0], "wbt_lat_usec", "2000");
	fixture_want(&policy, &fixture->disks[0], "nr_requests", "256");
	fixture_want(&policy, &fixture->disks[0], "mq-deadline.read_expire", "500");
	fixture_want(&policy, &fixture->disks[0], "scheduler", "mq-deadline");
	plan = make(&policy);
	assert_int_equal(plan->items[0].step_count, 4);
	assert_step(&plan->items[0], 0, "scheduler", "none", "mq-deadline");
	assert_step(&plan->items[0], 1, "mq-deadline.read_expire", "", "500");
	assert_step(&plan->items[0], 2, "nr_requests", "256", "256");
	assert_step(&plan->items[0], 3, "wbt_lat_usec", "2000", "2000");
	plan_free(plan);
}

/* 501 ms reads 504 where a jiffy is 4 ms, 130 KiB reads 128: in force, but for a restore,
   whose values were read from the kernel and can be had exactly. */
static void test_rounding(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct plan *plan;

	assert_int_equal(choice_parse("none [mq-deadline]", &fixture->disks[0].scheduler),
			 0);
	fixture_write(fixture, "disk0", "queue/iosched/read_expire", "504\n");
	fixture_scan(fixture);
	fixture_want(&policy, &fixture->disks[0], "mq-deadline.read_expire", "501");
	fixture_want(&policy, &fixture->disks[0], "read_ahead_kb", "130");
	plan = make(&policy);
	assert_int_equal(plan->items[0].state, PLAN_IN_FORCE);
	plan_free(plan);

	policy.values[0][0].origin = policy.values[0][1].origin = ORIGIN_JOURNAL;
	plan = make(&policy);
	assert_int_equal(plan->items[0].step_count, 2);
	plan_free(plan);
}

/* Row 10 of the facts on users' problems: an attribute of another scheduler. */
static void test_parameters_of_another_scheduler(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct plan *plan;

	fixture_want(&policy, &fixture->disks[0], "mq-deadline.read_expire", "100");
	fixture_want(&policy, &fixture->disks[0], "scheduler", "bfq");
	fixture_want(&policy, &fixture->disks[0], "bfq.low_latency", "0");
	plan = make(&policy);
	assert_int_equal(plan->items[0].step_count, 2);
	assert_step(&plan->items[0], 0, "scheduler", "none", "bfq");
	assert_step(&plan->items[0], 1, "bfq.low_latency", "", "0");
	assert_int_equal(plan->items[0].notes.count, 1);
	assert_non_null(strstr(plan->items[0].notes.items[0], "mq-deadline"));
	plan_free(plan);
}

static void test_disturbed_within_a_phase(void **state)
{
	struct fixture *fixture = *state;
	struct device *disk = &fixture->disks[0];
	struct fixture_policy policy = { 0 };
	struct plan *plan;

	assert_int_equal(choice_parse("none [bfq]", &disk->scheduler), 0);
	disk->values[0] =
		(struct device_value){ fixture_tunable("bfq.slice_idle"), 0, true, "0" };
	disk->values[1] = (struct device_value){ fixture_tunable("bfq.strict_guarantees"),
						 0, true, "0" };
	disk->value_count = 2;
	fixture_want(&policy, disk, "bfq.slice_idle", "0");
	plan = make(&policy);
	assert_int_equal(plan->items[0].state, PLAN_IN_FORCE);
	plan_free(plan);
	fixture_want(&policy, disk, "bfq.strict_guarantees", "1");
	plan = make(&policy);
	assert_int_equal(plan->items[0].step_count, 2);
	assert_step(&plan->items[0], 0, "bfq.strict_guarantees", "0", "1");
	assert_step(&plan->items[0], 1, "bfq.slice_idle", "0", "0");
	plan_free(plan);
}

static void test_absent_is_a_note(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct plan *plan;

	fixture_want(&policy, &fixture->disks[0], "rq_affinity", "2");
	fixture_want(&policy, &fixture->disks[0], "nomerges", "2");
	plan = make(&policy);
	assert_int_equal(plan->items[0].state, PLAN_CHANGE);
	assert_int_equal(plan->items[0].step_count, 1);
	assert_int_equal(plan->items[0].notes.count, 1);
	assert_non_null(strstr(plan->items[0].notes.items[0], "rq_affinity"));
	plan_free(plan);
}

static void test_blocked(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct plan *plan;

	for (size_t i = 0; i < fixture->disks[0].value_count; i++)
		fixture->disks[0].values[i].is_writable = false;
	fixture->disks[1].has_scheduler_file = false;
	fixture_want(&policy, &fixture->disks[0], "read_ahead_kb", "256");
	fixture_want(&policy, &fixture->disks[0], "nomerges", "0");
	fixture_want(&policy, &fixture->disks[1], "scheduler", "kyber");
	fixture_want(&policy, &fixture->disks[1], "nomerges", "1");
	plan = make(&policy);
	assert_true(plan_has_blocked(plan));
	assert_int_equal(plan->items[0].state, PLAN_BLOCKED);
	assert_non_null(strstr(plan->items[0].reason, "read_ahead_kb"));
	assert_int_equal(plan->items[1].state, PLAN_BLOCKED);
	assert_non_null(strstr(plan->items[1].reason, "scheduler"));
	assert_int_equal(plan_count_steps(plan), 0);
	plan_free(plan);
}

/* What is right already needs no right to write it. */
static void test_right_but_not_writable(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct plan *plan;

	for (size_t i = 0; i < fixture->disks[0].value_count; i++)
		fixture->disks[0].values[i].is_writable = false;
	fixture_want(&policy, &fixture->disks[0], "read_ahead_kb", "128");
	plan = make(&policy);
	assert_int_equal(plan->items[0].state, PLAN_IN_FORCE);
	plan_free(plan);
}

static void test_skipped_has_its_reason(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct policy_rejected rejected = { (char[]){ "bfq" },
					    (char[]){ "not offered" } };
	struct plan *plan;

	policy.policy.items = policy.items;
	policy.policy.count = 1;
	policy.items[0].device = &fixture->disks[0];
	policy.items[0].state = POLICY_LEFT;
	policy.items[0].reason = (char[]){ "no rule for its class" };
	policy.items[0].rejected = &rejected;
	policy.items[0].rejected_count = 1;
	plan = make(&policy);
	assert_int_equal(plan->items[0].state, PLAN_SKIPPED);
	assert_string_equal(plan->items[0].reason, "no rule for its class");
	assert_int_equal(plan->items[0].notes.count, 1);
	assert_non_null(strstr(plan->items[0].notes.items[0], "not offered"));
	plan_free(plan);
}

/* A value that could not be read is written: reading back will tell. */
static void test_unreadable_is_written(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct plan *plan;

	fixture->disks[0].values[5].error = -EINVAL;
	fixture_want(&policy, &fixture->disks[0], "wbt_lat_usec", "2000");
	plan = make(&policy);
	assert_int_equal(plan->items[0].step_count, 1);
	assert_step(&plan->items[0], 0, "wbt_lat_usec", "", "2000");
	plan_free(plan);
}

/* Before Linux 6.5 a bio-based queue shows a bare word. */
static void test_bare_word_is_the_scheduler(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct plan *plan;

	assert_int_equal(choice_parse("none", &fixture->disks[0].scheduler), 0);
	fixture_want(&policy, &fixture->disks[0], "scheduler", "none");
	plan = make(&policy);
	assert_int_equal(plan->items[0].state, PLAN_IN_FORCE);
	plan_free(plan);
}

static void test_json(void **state)
{
	struct fixture *fixture = *state;
	struct fixture_policy policy = { 0 };
	struct plan *plan;
	json_t *json, *device, *step;

	fixture->disks[0].name = (char[]){ "bad\xff" };
	policy.policy.profile_name = (char[]){ "database" };
	fixture_want(&policy, &fixture->disks[0], "scheduler", "mq-deadline");
	fixture_want(&policy, &fixture->disks[0], "mq-deadline.read_expire", "100");
	policy.values[0][1].why = (char[]){ "short reads" };
	policy.values[0][1].source = (char[]){ "database.json:12" };
	plan = make(&policy);
	json = plan_to_json(plan);
	assert_non_null(json);
	assert_string_equal(json_string_value(json_object_get(json, "profile")),
			    "database");
	device = json_array_get(json_object_get(json, "devices"), 0);
	assert_non_null(json_string_value(json_object_get(device, "name")));
	assert_string_equal(json_string_value(json_object_get(device, "state")),
			    "change");
	assert_int_equal(json_array_size(json_object_get(device, "steps")), 2);
	step = json_array_get(json_object_get(device, "steps"), 1);
	assert_string_equal(json_string_value(json_object_get(step, "key")),
			    "mq-deadline.read_expire");
	assert_true(json_is_null(json_object_get(step, "from")));
	assert_string_equal(json_string_value(json_object_get(step, "to")), "100");
	assert_string_equal(json_string_value(json_object_get(step, "unit")), "ms");
	assert_string_equal(json_string_value(json_object_get(step, "why")),
			    "short reads");
	json_decref(json);
	plan_free(plan);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_nothing_to_do),
		TEST(test_only_what_differs),
		TEST(test_switch_repeats_what_it_resets),
		TEST(test_rounding),
		TEST(test_parameters_of_another_scheduler),
		TEST(test_disturbed_within_a_phase),
		TEST(test_absent_is_a_note),
		TEST(test_blocked),
		TEST(test_right_but_not_writable),
		TEST(test_skipped_has_its_reason),
		TEST(test_unreadable_is_written),
		TEST(test_bare_word_is_the_scheduler),
		TEST(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
