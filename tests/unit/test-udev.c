// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * udev's database as text: properties sorted, the event's own left out, links with /dev.
 */
#include "host-fixture.h"

#define DISK "/sys/block/x -> ../devices/x\n/sys/devices/x/dev = 8:0\n"

static void test_properties_and_links(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.1-stack", SCAN_UDEV);
	const struct device *device = host_fixture_get(&fixture, "sda");

	(void)state;
	assert_string_equal(device_find_property(device, "ID_BUS"), "ata");
	assert_null(device_find_property(device, "USEC_INITIALIZED"));
	assert_null(device_find_property(device, "NOT_THERE"));
	assert_int_equal(device->udev_count, 8);
	for (size_t i = 1; i < device->udev_count; i++)
		assert_true(strcmp(device->udev[i - 1].key, device->udev[i].key) < 0);
	assert_strv(&device->devlinks, "/dev/disk/by-id/ata-Example_SSD_500_S-0001 "
				       "/dev/disk/by-path/pci-0000:00:17.0-ata-1");
	assert_int_equal(host_fixture_get(&fixture, "sdb")->udev_count, 0);
	host_fixture_done(&fixture);
}

static void test_junk_lines_are_passed_over(void **state)
{
	struct host_fixture fixture = host_fixture_text(
		DISK "/run/udev/data/b8:0 = "
		     "E:\\nE:NOVALUE\\nE:A=\\nE:=b\\nZ:x=y\\nS:\\nE:K=v=w\n",
		SCAN_UDEV);
	const struct device *device = host_fixture_get(&fixture, "x");

	(void)state;
	assert_string_equal(device_find_property(device, "A"), "");
	assert_string_equal(device_find_property(device, "K"), "v=w");
	assert_null(device_find_property(device, "NOVALUE"));
	assert_null(device_find_property(device, "Z"));
	host_fixture_done(&fixture);
}

static void test_not_read_unless_asked(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.1-stack", SCAN_BASICS);

	(void)state;
	assert_int_equal(host_fixture_get(&fixture, "sda")->udev_count, 0);
	host_fixture_done(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_properties_and_links),
		cmocka_unit_test(test_junk_lines_are_passed_over),
		cmocka_unit_test(test_not_read_unless_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
