// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel versions: as distributions write them, and how they compare.
 */
#include "test.h"

#include <errno.h>

#include "tunable/kernel-version.h"

static void check_parse(const char *string, unsigned major, unsigned minor, unsigned patch)
{
	struct kernel_version version = KERNEL_VERSION_NONE;

	assert_int_equal(kernel_version_parse(string, &version), 0);
	assert_int_equal(version.major, major);
	assert_int_equal(version.minor, minor);
	assert_int_equal(version.patch, patch);
}

static void test_parses_what_distributions_write(void **state)
{
	(void)state;
	check_parse("6.1", 6, 1, 0);
	check_parse("6.12.3", 6, 12, 3);
	check_parse("5.10.0-28-amd64", 5, 10, 0);
	check_parse("2.6.18-8.el5", 2, 6, 18);
	check_parse("2.6.18.8", 2, 6, 18);
	check_parse("7.2+", 7, 2, 0);
	check_parse("4.19.90_ky10", 4, 19, 90);
}

static void check_refused(const char *string, int error)
{
	struct kernel_version version = { 1, 2, 3 };

	assert_int_equal(kernel_version_parse(string, &version), error);
	/* untouched on failure */
	assert_int_equal(version.major, 1);
	assert_int_equal(version.minor, 2);
	assert_int_equal(version.patch, 3);
}

static void test_refuses_junk(void **state)
{
	(void)state;
	check_refused("", -EINVAL);
	check_refused("6", -EINVAL);
	check_refused("6.", -EINVAL);
	check_refused("6.x", -EINVAL);
	check_refused("-6.1", -EINVAL);
	check_refused(" 6.1", -EINVAL);
	check_refused("6.1 x", -EINVAL);
	check_refused("6.1.", -EINVAL);
	check_refused("linux-6.1", -EINVAL);
	check_refused("65536.0", -ERANGE);
	check_refused("6.99999999999999999999", -ERANGE);
}

static int compare(const char *a, const char *b)
{
	struct kernel_version x, y;

	assert_int_equal(kernel_version_parse(a, &x), 0);
	assert_int_equal(kernel_version_parse(b, &y), 0);
	return kernel_version_compare(x, y);
}

static void test_compares_as_numbers(void **state)
{
	(void)state;
	assert_true(compare("4.19", "5.0") < 0);
	assert_true(compare("6.9", "6.12") < 0);
	assert_true(compare("6.1.10", "6.1.9") > 0);
	assert_int_equal(compare("6.1", "6.1.0-13-amd64"), 0);
}

static bool is_within(const char *string, struct kernel_version since,
		      struct kernel_version until)
{
	struct kernel_version version;

	assert_int_equal(kernel_version_parse(string, &version), 0);
	return kernel_version_is_within(version, since, until);
}

static void test_range_is_half_open(void **state)
{
	const struct kernel_version from = { 4, 12, 0 }, to = { 5, 0, 0 };

	(void)state;
	assert_false(is_within("4.11.9", from, to));
	assert_true(is_within("4.12", from, to));
	assert_true(is_within("4.20.17", from, to));
	assert_false(is_within("5.0", from, to));
	assert_true(is_within("2.6.18", KERNEL_VERSION_NONE, to));
	assert_true(is_within("9.0", from, KERNEL_VERSION_NONE));
	assert_true(is_within("9.0", KERNEL_VERSION_NONE, KERNEL_VERSION_NONE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_parses_what_distributions_write),
		cmocka_unit_test(test_refuses_junk),
		cmocka_unit_test(test_compares_as_numbers),
		cmocka_unit_test(test_range_is_half_open),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
