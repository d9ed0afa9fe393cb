// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counters of a disk and what they mean over an interval.
 */
#include "test.h"

#include <errno.h>

#include "device/load.h"
#include "sysfs/paths.h"

#define NEAR(a, b) assert_true((a) - (b) < 0.001 && (b) - (a) < 0.001)

static void test_three_ages_of_the_file(void **state)
{
	struct device_counters counters;

	(void)state;
	assert_int_equal(device_counters_parse("1 2 3 4 5 6 7 8 9 10 11", &counters), 0);
	assert_int_equal(counters.write.wait_ms, 8);
	assert_int_equal(counters.busy_ms, 10);
	assert_int_equal(counters.flush.requests, 0);
	assert_int_equal(device_counters_parse(
				 "  1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18\n", &counters),
			 0);
	assert_int_equal(counters.discard.sectors, 14);
	assert_int_equal(counters.flush.requests, 16);
	assert_int_equal(counters.flush.wait_ms, 17);
	assert_int_equal(device_counters_parse("1 2 3", &counters), -EBADMSG);
	assert_int_equal(device_counters_parse("1 2 3 4 5 6 7 8 9 -1 11", &counters),
			 -EBADMSG);
}

static void test_figures(void **state)
{
	const struct device_counters before = { .read = { 100, 10, 1000, 500 } };
	const struct device_counters after = {
		.read = { 300, 210, 4200, 900 },
		.write = { 50, 0, 800, 1000 },
		.in_flight = 7,
		.busy_ms = 1500,
	};
	struct device_load load;

	(void)state;
	assert_int_equal(device_load_between(&before, &after, 2.0, &load), 0);
	NEAR(load.read.requests_s, 100);
	NEAR(load.read.kib_s, 800);
	NEAR(load.read.size_kib, 8);
	NEAR(load.read.await_ms, 2);
	NEAR(load.read.merged_percent, 50);
	NEAR(load.write.await_ms, 20);
	NEAR(load.queue, 0.7);
	NEAR(load.busy_percent, 75);
	NEAR(load.busy_queue, 1400.0 / 1500);
	assert_int_equal(load.in_flight, 7);
	NEAR(load.flush.await_ms, 0);
	assert_int_equal(device_load_between(&before, &after, 0, &load), -EINVAL);
	assert_int_equal(device_load_between(&after, &before, 1, &load), -ERANGE);
}

/* The kernel does not call it busy while it flushes, but counts how long that takes. */
static void test_flushes_are_not_busy(void **state)
{
	const struct device_counters before = { 0 };
	const struct device_counters after = {
		.write = { .requests = 10, .wait_ms = 40 },
		.flush = { .requests = 10, .wait_ms = 800 },
		.busy_ms = 20,
	};
	struct device_load load;

	(void)state;
	assert_int_equal(device_load_between(&before, &after, 2, &load), 0);
	NEAR(load.queue, 0.42);
	NEAR(load.busy_percent, 1);
	NEAR(load.busy_queue, 2);
}

/* What is printed as 32 bits begins anew; that is no step back. */
static void test_wraps(void **state)
{
	const struct device_counters before = { .busy_ms = UINT32_MAX - 99 };
	const struct device_counters after = { .busy_ms = 400 };
	struct device_load load;

	(void)state;
	assert_int_equal(device_load_between(&before, &after, 1, &load), 0);
	NEAR(load.busy_percent, 50);
}

static void test_recorded(void **state)
{
	char name[] = "sda", sys_path[] = "sys/block/sda";
	struct device device = { .sys_name = name, .sys_path = sys_path };
	char *dir = test_scratch_new();
	struct root *root = NULL;
	struct device_load load;

	(void)state;
	test_write(dir, "x", "");
	assert_int_equal(root_open(dir, &root, NULL), 0);
	assert_int_equal(device_load_recorded(root, &device, &load), -ENOENT);
	test_write(dir, "sys/block/sda/stat", "100 0 800 100 0 0 0 0 0 1000 100\n");
	assert_int_equal(device_load_recorded(root, &device, &load), -ENOENT);
	test_write(dir, PATH_UPTIME, "100.50 12.00\n");
	assert_int_equal(device_load_recorded(root, &device, &load), 0);
	assert_true(load.is_since_boot);
	NEAR(load.seconds, 100.5);
	test_write(dir, PATH_SNAPSHOT_SAMPLE "/sda", "90 0 720 90 0 0 0 0 0 0 90\n");
	test_write(dir, PATH_SNAPSHOT_SAMPLE_SECONDS, "2.000\n");
	assert_int_equal(device_load_recorded(root, &device, &load), 0);
	assert_false(load.is_since_boot);
	NEAR(load.read.requests_s, 5);
	NEAR(load.busy_percent, 50);
	root_free(root);
	test_scratch_done(dir);
}

static void test_parallel_classes(void **state)
{
	struct device device = { .class = CLASS_HDD };

	(void)state;
	assert_false(device_is_parallel(&device));
	device.class = CLASS_NVME;
	assert_true(device_is_parallel(&device));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three_ages_of_the_file),
		cmocka_unit_test(test_figures),
		cmocka_unit_test(test_flushes_are_not_busy), cmocka_unit_test(test_wraps),
		cmocka_unit_test(test_recorded),
		cmocka_unit_test(test_parallel_classes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
