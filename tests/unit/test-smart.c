// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is taken from smartctl's answer, and what is not believed.
 */
#include "test.h"

#include <errno.h>

#include "diagnose/smart.h"
#include "sysfs/paths.h"

static void test_ata(void **state)
{
	static const char json[] =
		"{\"smart_status\":{\"passed\":true},\"temperature\":{\"current\":36},"
		"\"ata_smart_attributes\":{\"table\":["
		"{\"id\":5,\"value\":100,\"raw\":{\"value\":3}},"
		"{\"id\":197,\"value\":100,\"raw\":{\"value\":8}},"
		"{\"id\":177,\"value\":7,\"raw\":{\"value\":900}},"
		"{\"id\":9,\"value\":1,\"raw\":{\"value\":77}}]}}";
	struct smart smart;

	(void)state;
	assert_int_equal(smart_parse(json, &smart), 0);
	assert_int_equal(smart.state, SMART_KNOWN);
	assert_int_equal(smart.is_passed, 1);
	assert_int_equal(smart.temperature_c, 36);
	assert_int_equal(smart.reallocated, 3);
	assert_int_equal(smart.pending, 8);
	assert_int_equal(smart.uncorrectable, -1);
	assert_int_equal(smart.wear_left_percent, 7);
	assert_int_equal(smart.critical_warning, -1);
}

static void test_nvme(void **state)
{
	static const char json[] =
		"{\"smart_status\":{\"passed\":false},"
		"\"nvme_smart_health_information_log\":{\"critical_warning\":4,"
		"\"media_errors\":2,\"percentage_used\":101}}";
	struct smart smart;

	(void)state;
	assert_int_equal(smart_parse(json, &smart), 0);
	assert_int_equal(smart.is_passed, 0);
	assert_int_equal(smart.critical_warning, 4);
	assert_int_equal(smart.media_errors, 2);
	assert_int_equal(smart.used_percent, 101);
}

static void test_hostile(void **state)
{
	static const char *const silent[] = {
		"{}",
		"{\"smart_status\":7,\"ata_smart_attributes\":{\"table\":{\"id\":5}}}",
		"{\"smart_status\":{\"passed\":\"yes\"},\"temperature\":{\"current\":-5}}",
	};
	static const char odd[] =
		"{\"ata_smart_attributes\":{\"table\":[7,{\"id\":\"5\"},{\"id\":5},"
		"{\"id\":197,\"raw\":{\"value\":-1}},{\"id\":198,\"raw\":7}]}}";
	struct smart smart = { .pending = 9 };

	(void)state;
	assert_int_equal(smart_parse("", &smart), -EBADMSG);
	assert_int_equal(smart_parse("[1]", &smart), -EBADMSG);
	assert_int_equal(smart_parse("{", &smart), -EBADMSG);
	assert_int_equal(smart.pending, 9);
	for (size_t i = 0; i < ARRAY_SIZE(silent); i++) {
		assert_int_equal(smart_parse(silent[i], &smart), 0);
		assert_int_equal(smart.state, SMART_NO_ANSWER);
		assert_int_equal(smart.temperature_c, -1);
	}
	assert_int_equal(smart_parse(odd, &smart), 0);
	assert_int_equal(smart.reallocated, -1);
	assert_int_equal(smart.pending, -1);
	assert_int_equal(smart.uncorrectable, -1);
}

/* Raw values are 48 bits, in which some makers count more than one thing. */
static void test_two_counts_in_one(void **state)
{
	static const char json[] =
		"{\"ata_smart_attributes\":{\"table\":["
		"{\"id\":5,\"raw\":{\"value\":131072000,\"string\":\"0 (2000 0)\"}},"
		"{\"id\":197,\"raw\":{\"value\":8,\"string\":\"8\"}},"
		"{\"id\":198,\"raw\":{\"value\":3,\"string\":\"3x7\"}},"
		"{\"id\":199,\"raw\":{\"value\":2,\"string\":\"\"}}]}}";
	struct smart smart;

	(void)state;
	assert_int_equal(smart_parse(json, &smart), 0);
	assert_int_equal(smart.reallocated, 0);
	assert_int_equal(smart.pending, 8);
	assert_int_equal(smart.uncorrectable, 3);
	assert_int_equal(smart.crc_errors, 2);
}

static void test_more_than_there_can_be(void **state)
{
	static const char json[] =
		"{\"smart_status\":{\"passed\":true},\"temperature\":{\"current\":4294967295},"
		"\"nvme_smart_health_information_log\":{\"critical_warning\":4294967295,"
		"\"media_errors\":9223372036854775807,\"percentage_used\":256},"
		"\"ata_smart_attributes\":{\"table\":[{\"id\":177,\"value\":-1},"
		"{\"id\":5,\"raw\":{\"value\":281474976710655}}]}}";
	struct smart smart;

	(void)state;
	assert_int_equal(smart_parse(json, &smart), 0);
	assert_int_equal(smart.temperature_c, -1);
	assert_int_equal(smart.critical_warning, -1);
	assert_int_equal(smart.media_errors, -1);
	assert_int_equal(smart.used_percent, -1);
	assert_int_equal(smart.wear_left_percent, -1);
	assert_int_equal(smart.reallocated, -1);
}

static void test_of_a_tree(void **state)
{
	char name[] = "sda";
	struct device device = { .name = name, .sys_name = name, .class = CLASS_HDD };
	char *dir = test_scratch_new(), *json = NULL;
	struct root *root = NULL;
	struct smart smart;

	(void)state;
	test_write(dir, "x", "");
	assert_int_equal(root_open(dir, &root, NULL), 0);
	assert_int_equal(smart_read(root, &device, &smart), 0);
	assert_int_equal(smart.state, SMART_NOT_ASKED);
	assert_int_equal(smart_record(root, &device, &json), 0);
	assert_null(json);
	test_write(dir, PATH_SNAPSHOT_SMART "/sda",
		   "{\"smart_status\":{\"passed\":true}}");
	assert_int_equal(smart_read(root, &device, &smart), 0);
	assert_int_equal(smart.state, SMART_KNOWN);
	assert_int_equal(smart_record(root, &device, &json), 0);
	assert_string_equal(json, "{\"smart_status\":{\"passed\":true}}");
	free(json);
	device.class = CLASS_DM;
	assert_int_equal(smart_read(root, &device, &smart), 0);
	assert_int_equal(smart.state, SMART_NOT_FOR);
	root_free(root);
	test_scratch_done(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ata),
		cmocka_unit_test(test_nvme),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_two_counts_in_one),
		cmocka_unit_test(test_more_than_there_can_be),
		cmocka_unit_test(test_of_a_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
