// SPDX-License-Identifier: GPL-2.0-or-later
/* What may spoil a comparison, on a quiet and on a noisy machine. */
#include "test.h"

#include "bench/conditions.h"
#include "device/host.h"
#include "util/cleanup.h"

static void read_tree(const char *dir, const char *virtualisation, double requests,
		      struct conditions *ret, struct strv *lines)
{
	_cleanup_(cleanup_root_free) struct root *root = NULL;
	struct host host = { .virtualisation = (char *)(uintptr_t)virtualisation };
	const struct device_list devices = { .host = &host };
	const struct device_load load = { .read.requests_s = requests };
	struct diag diag = { 0 };

	assert_int_equal(root_open(dir, &root, &diag), 0);
	conditions_read(root, &devices, &load, ret);
	assert_int_equal(conditions_list(ret, lines), 0);
}

static void test_quiet(void **state)
{
	char *dir = test_scratch_new();
	_strv_ struct strv lines = { 0 };
	struct conditions conditions;

	(void)state;
	test_write(dir, "proc/loadavg", "0.00 0.01 0.05 1/100 123\n");
	test_write(dir, "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
	read_tree(dir, "none", 0, &conditions, &lines);
	assert_int_equal(lines.count, 0);
	assert_string_equal(conditions.governor, "performance");
	assert_true(conditions.load_average < 0.01 && conditions.load_average >= 0);
	test_scratch_done(dir);
}

static void test_noisy(void **state)
{
	char *dir = test_scratch_new();
	_strv_ struct strv lines = { 0 };
	struct conditions conditions;

	(void)state;
	test_write(dir, "proc/loadavg", "9000.25 0.01 0.05 1/100 123\n");
	test_write(dir, "sys/devices/system/cpu/online", "0-1\n");
	test_write(dir, "sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
	test_write(dir, "run/irqbalance.pid", "1\n");
	read_tree(dir, "kvm", 200, &conditions, &lines);
	assert_int_equal(lines.count, 5);
	assert_non_null(strstr(lines.items[0], "200 requests"));
	assert_non_null(strstr(lines.items[1], "9000.25"));
	assert_non_null(strstr(lines.items[2], "powersave"));
	assert_non_null(strstr(lines.items[3], "irqbalance"));
	assert_non_null(strstr(lines.items[4], "kvm"));
	test_scratch_done(dir);
}

static void test_nothing_known(void **state)
{
	char *dir = test_scratch_new();
	_strv_ struct strv lines = { 0 };
	struct conditions conditions;

	(void)state;
	read_tree(dir, NULL, 0, &conditions, &lines);
	assert_int_equal(lines.count, 0);
	assert_true(conditions.load_average < 0);
	test_scratch_done(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_noisy),
		cmocka_unit_test(test_nothing_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
