// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Checking values: units, ranges, ceilings of this queue, and what this kernel's file
 * really is.
 */
#include "test.h"

#include <errno.h>

#include "tunable/tunable.h"

static int check(const char *key, const char *value,
		 const struct tunable_context *context, char *ret)
{
	return tunable_check(tunable_find(key), value, context, ret, NULL);
}

static void assert_value(const char *key, const char *value, const char *expected)
{
	char actual[TUNABLE_VALUE_MAX] = "";

	assert_int_equal(check(key, value, NULL, actual), 0);
	assert_string_equal(actual, expected);
}

static void assert_refused(const char *key, const char *value, int error)
{
	char actual[TUNABLE_VALUE_MAX] = "untouched";

	assert_int_equal(check(key, value, NULL, actual), error);
	assert_string_equal(actual, "untouched");
}

static void test_units(void **state)
{
	(void)state;
	assert_value("mq-deadline.read_expire", "1s", "1000");
	assert_value("mq-deadline.read_expire", "100", "100");
	assert_value("kyber.read_lat_nsec", "2ms", "2000000");
	assert_value("bfq.slice_idle_us", "8 ms", "8000");
	assert_value("bfq.back_seek_max", "16M", "16384");
	assert_value("bfq.low_latency", "off", "0");
	assert_value("wbt_lat_usec", "-1", "-1");
	assert_refused("mq-deadline.read_expire", "500us", -ERANGE); /* no whole ms */
	assert_refused("mq-deadline.read_expire", "128K", -EINVAL);
	assert_refused("mq-deadline.read_expire", "", -EINVAL);
	assert_refused("mq-deadline.read_expire", "0x10", -EINVAL);
	assert_refused("nr_requests", "64K", -EINVAL);
	assert_refused("nomerges", "on", -EINVAL);
}

/* User problem 19: KiB against sectors of 512 bytes. */
static void test_readahead_has_one_unit(void **state)
{
	(void)state;
	assert_value("read_ahead_kb", "128", "128");
	assert_value("read_ahead_kb", "128K", "128");
	assert_value("read_ahead_kb", "256 sectors", "128");
	assert_value("read_ahead_kb", "1MiB", "1024");
	assert_refused("read_ahead_kb", "1 sectors", -ERANGE);
	assert_refused("read_ahead_kb", "4ms", -EINVAL);
}

static void test_ranges(void **state)
{
	struct diag diag = { 0 };
	char value[TUNABLE_VALUE_MAX];

	(void)state;
	assert_refused("nomerges", "3", -ERANGE);
	assert_refused("nr_requests", "3", -ERANGE);
	assert_refused("nr_requests", "10241", -ERANGE);
	assert_refused("mq-deadline.fifo_batch", "-1", -ERANGE);
	assert_refused("mq-deadline.read_expire", "2147483648", -ERANGE);
	assert_refused("mq-deadline.read_expire", "99999999999999999999", -ERANGE);
	assert_refused("wbt_lat_usec", "-2", -ERANGE);
	tunable_check(tunable_find("rq_affinity"), "9", NULL, value, &diag);
	assert_string_equal(diag.text, "rq_affinity = 9 is out of range: 0 to 2");
}

static void test_read_only_and_shown_only(void **state)
{
	struct diag diag = { 0 };
	char value[TUNABLE_VALUE_MAX];

	(void)state;
	assert_refused("max_hw_sectors_kb", "128", -EPERM);
	assert_refused("rotational", "0", -EPERM);
	assert_refused("zoned", "none", -EPERM);
	tunable_check(tunable_find("write_cache"), "write through", NULL, value, &diag);
	assert_int_equal(diag.error, -EPERM);
	assert_non_null(strstr(diag.hint, "power failure"));
}

static void test_schedulers(void **state)
{
	(void)state;
	assert_value("scheduler", "bfq", "bfq");
	assert_value("scheduler", "noop", "noop");
	assert_refused("scheduler", "bfq-iosched", -EINVAL);
	assert_refused("scheduler", "", -EINVAL);
}

static void assert_in_context(const char *key, const char *value,
			      struct tunable_context context, int error)
{
	char actual[TUNABLE_VALUE_MAX];

	assert_int_equal(check(key, value, &context, actual), error);
}

static void test_nr_requests_ceilings(void **state)
{
	struct tunable_context none = { .scheduler = "none", .hw_depth = 128 };
	struct tunable_context unknown = { .scheduler = "none" };
	struct tunable_context bfq = { .scheduler = "bfq", .hw_depth = 128 };
	struct tunable_context legacy = { .scheduler = "cfq" };
	struct tunable_context bio = { .is_bio = true };

	(void)state;
	assert_in_context("nr_requests", "128", none, 0);
	assert_in_context("nr_requests", "129", none, -ERANGE);
	assert_in_context("nr_requests", "129", unknown, 0);
	assert_in_context("nr_requests", "2048", bfq, 0);
	assert_in_context("nr_requests", "2049", bfq, -ERANGE);
	assert_in_context("nr_requests", "4096", legacy, 0);
	assert_in_context("nr_requests", "128", bio, -EINVAL);
}

static void test_other_ceilings(void **state)
{
	struct tunable_context context = { .max_hw_sectors_kb = 1280 };

	(void)state;
	assert_in_context("max_sectors_kb", "1280", context, 0);
	assert_in_context("max_sectors_kb", "1281", context, -ERANGE);
	assert_in_context("read_ahead_kb", "2048", context, 0);
}

/* facts: the file of 5.15 reads and writes front_merges. */
static void test_async_depth_of_5_15(void **state)
{
	struct tunable_context context = { .kernel = { 5, 15, 0 } };

	(void)state;
	assert_in_context("mq-deadline.async_depth", "64", context, -ENOTSUP);
	assert_in_context("mq-deadline.front_merges", "1", context, 0);
	context.kernel = (struct kernel_version){ 5, 16, 9 };
	assert_in_context("mq-deadline.async_depth", "64", context, -ENOTSUP);
	context.kernel = (struct kernel_version){ 6, 1, 0 };
	assert_in_context("mq-deadline.async_depth", "64", context, 0);
	context.kernel = (struct kernel_version){ 4, 18, 0 }; /* RHEL 8 */
	assert_in_context("mq-deadline.async_depth", "64", context, 0);
	context.kernel = KERNEL_VERSION_NONE;
	assert_in_context("mq-deadline.async_depth", "64", context, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_units),
		cmocka_unit_test(test_readahead_has_one_unit),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_read_only_and_shown_only),
		cmocka_unit_test(test_schedulers),
		cmocka_unit_test(test_nr_requests_ceilings),
		cmocka_unit_test(test_other_ceilings),
		cmocka_unit_test(test_async_depth_of_5_15),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
