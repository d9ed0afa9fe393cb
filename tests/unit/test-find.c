// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every way to name a disk, and what is said when none fits.
 */
#include "host-fixture.h"

#include <errno.h>

static void assert_found(const struct host_fixture *fixture, const char *argument,
			 const char *want)
{
	const struct device *device = NULL;
	struct diag diag = { 0 };
	int error = device_find(fixture->root, fixture->list, argument, &device, &diag);

	if (error)
		print_error("%s: %s\n", argument, diag.text);
	assert_int_equal(error, 0);
	assert_string_equal(device->name, want);
}

static void test_every_way_to_name_a_disk(void **state)
{
	static const struct {
		const char *argument, *name;
	} rows[] = {
		{ "sda", "sda" },
		{ "sda1", "sda" },
		{ "/dev/sda", "sda" },
		{ "/dev/sda1", "sda" },
		{ "/dev/sda/", "sda" },
		{ "/sys/block/sdb", "sdb" },
		{ "/sys/class/block/sdb2", "sdb" },
		{ "/sys/dev/block/8:17", "sdb" },
		{ "/sys/devices/pci0000:00/0000:00:17.0/ata3/host2/target2:0:0/2:0:0:0/"
		  "block/sdc",
		  "sdc" },
		{ "8:0", "sda" },
		{ "8:18", "sdb" },
		{ "253:1", "dm-1" },
		{ "/dev/dm-1", "dm-1" },
		{ "/dev/mapper/vg0-root", "dm-1" },
		{ "/dev/mapper/vg0-home", "dm-2" },
		{ "vg0-home", "dm-2" },
		{ "/dev/vg0/root", "dm-1" },
		{ "/dev/disk/by-id/ata-Example_SSD_500_S-0001", "sda" },
		{ "/dev/disk/by-path/pci-0000:00:17.0-ata-1", "sda" },
		{ "/dev/disk/by-uuid/00000000-0000-4000-8000-000000000001", "sda" },
		{ "/dev/md0", "md0" },
	};
	struct host_fixture fixture = host_fixture_scan("linux-6.1-stack", SCAN_ALL);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		assert_found(&fixture, rows[i].argument, rows[i].name);
	host_fixture_done(&fixture);
	fixture = host_fixture_scan("linux-2.6.18", SCAN_ALL);
	assert_found(&fixture, "sda2", "sda");
	assert_found(&fixture, "/dev/cciss/c0d0", "cciss/c0d0");
	assert_found(&fixture, "cciss!c0d0", "cciss/c0d0");
	assert_found(&fixture, "/dev/cciss/c0d0p1", "cciss/c0d0");
	assert_found(&fixture, "104:0", "cciss/c0d0");
	host_fixture_done(&fixture);
}

static void assert_missing(const struct host_fixture *fixture, const char *argument,
			   const char *hint)
{
	const struct device *device = NULL;
	struct diag diag = { 0 };

	assert_int_equal(
		device_find(fixture->root, fixture->list, argument, &device, &diag),
		-ENODEV);
	assert_null(device);
	assert_non_null(strstr(diag.text, "is no block device"));
	assert_non_null(strstr(diag.hint, hint));
}

static void test_what_is_not_there(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.1-stack", SCAN_ALL);

	(void)state;
	assert_missing(&fixture, "/dev/sde", "'sda'");
	assert_missing(&fixture, "zzzzzzzzzzz", "there are: dm-0, dm-1, dm-2, md0");
	assert_missing(&fixture, "", "");
	assert_missing(&fixture, "/", "");
	assert_missing(&fixture, "/etc/passwd", "");
	assert_missing(&fixture, "../sda", "");
	assert_missing(&fixture, "/dev/../dev/sda", "");
	assert_missing(&fixture, "8:", "");
	assert_missing(&fixture, "99:99", "");
	host_fixture_done(&fixture);
	fixture = host_fixture_scan("hostile-links", SCAN_ALL);
	assert_missing(&fixture, "/dev/x", "");
	assert_missing(&fixture, "nowhere1", "");
	host_fixture_done(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_way_to_name_a_disk),
		cmocka_unit_test(test_what_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
