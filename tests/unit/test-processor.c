// SPDX-License-Identifier: GPL-2.0-or-later
/* Processors and locks: what waits for what, and for how long. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/processor.h"

static const struct sim_cost cost = {
	.scheduler = "x", .transfer_ns = 100, .miss_ns = 40, .waiter_ns = 10,
};

static struct sim_processors make(unsigned count, double slowness, uint64_t wake_ns)
{
	const struct sim_machine machine = { count, slowness, wake_ns };
	struct sim_processors processors;

	assert_int_equal(sim_processors_init(&processors, &machine), 0);
	return processors;
}

static void test_one_thing_at_a_time(void **state)
{
	struct sim_processors p = make(2, 2.0, 0);

	(void)state;
	assert_true(sim_processor_work(&p, 0, 1000, 50) == 1100);
	assert_true(sim_processor_work(&p, 0, 1000, 50) == 1200);
	assert_true(sim_processor_work(&p, 1, 1000, 50) == 1100);
	assert_true(sim_processor_work(&p, 0, 5000, 50) == 5100);
	assert_true(p.busy_ns == 400);
	sim_processors_done(&p);
}

static void test_waking_up(void **state)
{
	struct sim_processors p = make(1, 1.0, 500);

	(void)state;
	assert_true(sim_processor_interrupt(&p, 0, 1000, 50) == 1550);
	/* Still at it: no need to wake up. */
	assert_true(sim_processor_interrupt(&p, 0, 1540, 50) == 1600);
	assert_true(p.busy_ns == 100);
	sim_processors_done(&p);
}

/* An interrupt goes before what the processor was given, not before what it does. */
static void test_interrupts_go_first(void **state)
{
	struct sim_processors p = make(1, 1.0, 500);

	(void)state;
	assert_true(sim_processor_work(&p, 0, 1000, 4000) == 5000);
	assert_true(sim_processor_interrupt(&p, 0, 2000, 50) == 2050);
	/* What it was given is later by as much. */
	assert_true(sim_processor_work(&p, 0, 2000, 10) == 5060);
	/* In the middle of one, or of a job that goes on. */
	assert_true(sim_processor_interrupt(&p, 0, 2040, 50) == 2100);
	assert_true(sim_processor_go_on(&p, 0, 2100, 300) == 2400);
	assert_true(sim_processor_interrupt(&p, 0, 2200, 50) == 2450);
	sim_processors_done(&p);
}

/* Where processes run, and where only interrupts do. */
static void test_where_processes_run(void **state)
{
	struct sim_processors p = make(3, 1.0, 0);

	(void)state;
	sim_processor_work(&p, 0, 1000, 100);
	sim_processor_interrupt(&p, 1, 1000, 100);
	sim_processor_go_on(&p, 2, 1000, 200);
	assert_true(p.task_ns[0] == 1100 && p.task_ns[1] == 0 && p.task_ns[2] == 1200);
	sim_processors_done(&p);
}

static void test_lock(void **state)
{
	struct sim_processors p = make(3, 1.0, 0);
	struct sim_lock lock = { 0 };

	(void)state;
	/* The first had it last: only the work. */
	assert_true(sim_processor_lock(&p, 0, &lock, &cost, 1000, 1000, 200) == 1200);
	/* Another one: waits, fetches the line, and one waiter makes it slower. */
	assert_true(sim_processor_lock(&p, 1, &lock, &cost, 1100, 1100, 200) == 1550);
	assert_true(p.wait_ns == 100);
	assert_true(p.taken_ns[1] == 1550);
	assert_true(p.free_ns[1] == 1550);
	/* Free again, taken by the same: no transfer, no wait. */
	assert_true(sim_processor_lock(&p, 1, &lock, &cost, 2000, 2000, 200) == 2200);
	/* One that will be there later leaves no gap before it. */
	assert_true(sim_processor_lock(&p, 1, &lock, &cost, 3000, 3150, 200) == 3350);
	assert_true(sim_processor_lock(&p, 1, &lock, &cost, 3010, 3010, 200) == 3410);
	/* Nothing to hold it for: nothing happens. */
	assert_true(sim_processor_lock(&p, 2, &lock, &cost, 100, 100, 0) == 100);
	assert_int_equal(lock.last_processor, 1);
	sim_processors_done(&p);
}

/* Who runs goes on; what comes behind it is later. */
static void test_going_on(void **state)
{
	struct sim_processors p = make(1, 2.0, 0);

	(void)state;
	assert_true(sim_processor_work(&p, 0, 1000, 50) == 1100);
	assert_true(sim_processor_work(&p, 0, 1000, 50) == 1200);
	assert_true(sim_processor_go_on(&p, 0, 1100, 20) == 1140);
	assert_true(p.taken_ns[0] == 1140);
	assert_true(p.free_ns[0] == 1240);
	assert_true(p.busy_ns == 240);
	sim_processors_done(&p);
}

static void test_refused(void **state)
{
	static const struct sim_machine bad[] = {
		{ 0, 1.0, 0 }, { 1025, 1.0, 0 }, { 1, 0.0, 0 }, { 1, -1.0, 0 },
		{ 1, 1e9, 0 }, { 1, __builtin_nan(""), 0 },
	};
	struct sim_processors p;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(sim_processors_init(&p, &bad[i]), -ERANGE);
}

/* Who has no row of its own is simple, and its row is not empty. */
static void test_costs(void **state)
{
	(void)state;
	assert_string_equal(sim_cost_find("bfq")->scheduler, "bfq");
	assert_string_equal(sim_cost_find("sstf")->scheduler, "noop");
	assert_int_equal(sim_cost_find("none")->insert_lock_ns, 0);
	assert_true(sim_cost_find("mq-deadline")->insert_lock_ns > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_thing_at_a_time),
		cmocka_unit_test(test_waking_up),
		cmocka_unit_test(test_interrupts_go_first),
		cmocka_unit_test(test_where_processes_run), cmocka_unit_test(test_lock),
		cmocka_unit_test(test_going_on),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_costs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
