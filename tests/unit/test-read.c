// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attributes as text and numbers: what is not there or not a number changes nothing.
 */
#include "host-fixture.h"

#include <errno.h>

#include "device/scan-internal.h"

static void test_attributes(void **state)
{
	struct host_fixture fixture =
		host_fixture_text("/sys/block/\n/d/word =   two words  \n/d/empty "
				  "=\n/d/blank =   \n/d/number = 42\n"
				  "/d/one = 1\n/d/zero = 0\n/d/secret ! "
				  "EACCES\n/d/driver -> ../bus/drivers/sd\n",
				  0);
	struct root_dir dir = ROOT_DIR_NONE;
	_free_ char *text = strdup("before");
	uint64_t number = 7;

	(void)state;
	assert_int_equal(root_dir_open(fixture.root, "d", &dir), 0);
	assert_int_equal(device_read_string(&dir, "missing", &text), 0);
	assert_int_equal(device_read_string(&dir, "empty", &text), 0);
	assert_int_equal(device_read_string(&dir, "blank", &text), 0);
	assert_int_equal(device_read_string(&dir, "secret", &text), 0);
	assert_string_equal(text, "before");
	assert_int_equal(device_read_string(&dir, "word", &text), 0);
	assert_string_equal(text, "two words");
	assert_int_equal(device_read_link_name(&dir, "driver", &text), 0);
	assert_string_equal(text, "sd");
	assert_int_equal(device_read_u64(&dir, "word", &number), -EINVAL);
	assert_int_equal(device_read_u64(&dir, "missing", &number), -ENOENT);
	assert_int_equal(number, 7);
	assert_int_equal(device_read_u64(&dir, "number", &number), 0);
	assert_int_equal(number, 42);
	assert_true(device_read_flag(&dir, "one"));
	assert_false(device_read_flag(&dir, "zero"));
	assert_false(device_read_flag(&dir, "missing"));
	root_dir_done(&dir);
	host_fixture_done(&fixture);
}

static void test_device_numbers(void **state)
{
	static const char *const refused[] = {
		"",
		":",
		"8",
		"8:",
		":0",
		"8:0:1",
		"-8:0",
		"8: 0",
		"4294967296:0",
		"8:4294967296",
		"99999999999999999999:0",
	};
	unsigned major = 1, minor = 2;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		assert_int_equal(device_parse_devnum(refused[i], &major, &minor),
				 -EINVAL);
	assert_int_equal(major, 1);
	assert_int_equal(device_parse_devnum("259:1048575", &major, &minor), 0);
	assert_int_equal(major, 259);
	assert_int_equal(minor, 1048575);
}

static void test_list_is_found_by_name(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.1-raid", 0);

	(void)state;
	for (size_t i = 0; i < fixture.list->count; i++)
		assert_ptr_equal(
			device_list_find(fixture.list, fixture.list->items[i].sys_name),
			&fixture.list->items[i]);
	assert_null(device_list_find(fixture.list, "sdz"));
	assert_null(device_list_find(fixture.list, ""));
	host_fixture_done(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_attributes),
		cmocka_unit_test(test_device_numbers),
		cmocka_unit_test(test_list_is_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
