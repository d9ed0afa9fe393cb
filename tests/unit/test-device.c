// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The words for classes and confidence, and look-ups on a device.
 */
#include "host-fixture.h"

#include <errno.h>

static void test_class_names_come_back(void **state)
{
	(void)state;
	for (int i = 0; i < CLASS_COUNT; i++) {
		enum device_class class = CLASS_COUNT;

		assert_int_equal(device_class_parse(
					 device_class_name((enum device_class)i), &class),
				 0);
		assert_int_equal(class, i);
		assert_true(*device_class_summary((enum device_class)i));
	}
	assert_string_equal(device_class_name(CLASS_SMR_HDD), "smr-hdd");
	assert_string_equal(device_class_name(CLASS_NVME_HEAD), "nvme-head");
}

static void test_unknown_words_are_refused(void **state)
{
	enum device_class class = CLASS_USB;

	(void)state;
	assert_int_equal(device_class_parse("HDD", &class), -EINVAL);
	assert_int_equal(device_class_parse("", &class), -EINVAL);
	assert_int_equal(class, CLASS_USB);
	assert_string_equal(device_class_name(CLASS_COUNT), "unknown");
}

static void test_confidence_names(void **state)
{
	(void)state;
	assert_string_equal(device_confidence_name(CONFIDENCE_GUESS), "guess");
	assert_string_equal(device_confidence_name(CONFIDENCE_LIKELY), "likely");
	assert_string_equal(device_confidence_name(CONFIDENCE_CERTAIN), "certain");
}

static void test_find_value_and_property(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.1-stack", SCAN_ALL);
	const struct device *device = host_fixture_get(&fixture, "sda");
	const struct tunable *tunable = tunable_find("read_ahead_kb");

	(void)state;
	assert_ptr_equal(device_find_value(device, tunable)->tunable, tunable);
	assert_null(device_find_value(device, tunable_find("bfq.slice_idle")));
	assert_string_equal(device_find_property(device, "ID_PATH"),
			    "pci-0000:00:17.0-ata-1");
	assert_null(device_find_property(device, "ID"));
	host_fixture_done(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_class_names_come_back),
		cmocka_unit_test(test_unknown_words_are_refused),
		cmocka_unit_test(test_confidence_names),
		cmocka_unit_test(test_find_value_and_property),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
