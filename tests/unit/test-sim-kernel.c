// SPDX-License-Identifier: GPL-2.0-or-later
/* Which version behaves how, at the edges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/kernel.h"

static bool has(unsigned major, unsigned minor, enum sim_behaviour behaviour)
{
	struct sim_kernel kernel;

	sim_kernel_init(&kernel, (struct kernel_version){ major, minor, 0 });
	return kernel.has[behaviour];
}

static void test_pulling(void **state)
{
	(void)state;
	assert_false(has(4, 19, SIM_PULL_MANY));
	assert_true(has(5, 10, SIM_PULL_MANY));
	assert_false(has(5, 10, SIM_PULL_STOPS_WITHOUT_TAG));
	assert_true(has(5, 15, SIM_PULL_STOPS_WITHOUT_TAG));
}

static void test_plug(void **state)
{
	(void)state;
	assert_false(has(5, 10, SIM_PLUG_REVERSED));
	assert_true(has(6, 1, SIM_PLUG_REVERSED));
	assert_false(has(6, 12, SIM_PLUG_REVERSED));
	assert_false(has(5, 15, SIM_PLUG_HOLDS_32));
	assert_true(has(6, 1, SIM_PLUG_HOLDS_32));
}

static void test_mq_deadline(void **state)
{
	(void)state;
	assert_false(has(5, 10, SIM_MQD_CLASSES));
	assert_true(has(5, 15, SIM_MQD_CLASSES));
	assert_false(has(5, 15, SIM_MQD_AGING));
	assert_false(has(5, 15, SIM_MQD_CLASS_WAITS));
	assert_true(has(5, 15, SIM_MQD_ASYNC_THREE_QUARTERS));
	assert_true(has(6, 1, SIM_MQD_AGING));
	assert_false(has(6, 1, SIM_MQD_ASYNC_THREE_QUARTERS));
	assert_false(has(6, 1, SIM_MQD_LATEST_POS));
	assert_true(has(6, 1, SIM_MQD_ZONE_LOCKS));
	assert_true(has(6, 12, SIM_MQD_LATEST_POS));
	assert_false(has(6, 12, SIM_MQD_ZONE_LOCKS));
	assert_true(has(5, 10, SIM_MQD_ONE_POSITION));
	assert_false(has(5, 15, SIM_MQD_ONE_POSITION));
}

static void test_newest(void **state)
{
	(void)state;
	assert_false(sim_kernel_is_beyond((struct kernel_version){ 6, 12, 0 }));
	assert_false(sim_kernel_is_beyond(SIM_KERNEL_NEWEST));
	assert_false(sim_kernel_is_beyond((struct kernel_version){ 7, 2, 9 }));
	assert_true(sim_kernel_is_beyond((struct kernel_version){ 7, 3, 0 }));
	assert_true(sim_kernel_is_beyond((struct kernel_version){ 9, 0, 0 }));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pulling),
		cmocka_unit_test(test_plug),
		cmocka_unit_test(test_mq_deadline),
		cmocka_unit_test(test_newest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
