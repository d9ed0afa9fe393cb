// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who made a disk and which one it is, with udev's database and without.
 */
#include "host-fixture.h"

static void assert_identity(const struct host_fixture *fixture, const char *name,
			    const char *vendor, const char *model, const char *revision,
			    const char *serial, const char *wwn)
{
	const struct device *device = host_fixture_get(fixture, name);

	assert_text(device->vendor, vendor);
	assert_text(device->model, model);
	assert_text(device->revision, revision);
	assert_text(device->serial, serial);
	assert_text(device->wwn, wwn);
}

static void test_udev_has_the_longer_model(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.1-stack", SCAN_IDENTITY);

	(void)state;
	assert_identity(&fixture, "sda", "ATA", "Example SSD 500 with a long name", "1.0",
			"S-0001", "0x5000000000000010");
	/* without udev: the inquiry, and the WWN in udev's spelling all the same */
	assert_identity(&fixture, "sdb", "ATA", "Example SSD 500", "1.0", NULL,
			"0x5000000000000011");
	assert_identity(&fixture, "md0", NULL, NULL, NULL, NULL, NULL);
	host_fixture_done(&fixture);
}

static void test_sysfs_of_each_kind(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-4.19-both", SCAN_IDENTITY);

	(void)state;
	/* "t10.ATA <model> <serial>" is no WWN */
	assert_identity(&fixture, "sda", "ATA", "Example HD 2000", "1.0", "EX-0000001",
			NULL);
	assert_identity(&fixture, "nvme0n1", NULL, "Example NVMe 500", "1.0", "SERIAL-N",
			"eui.0000000000000001");
	assert_identity(&fixture, "mmcblk0", NULL, "EX032G", NULL, "0x00000001",
			"000000000000000000000000000000aa");
	assert_string_equal(host_fixture_get(&fixture, "mmcblk0")->card_type, "MMC");
	host_fixture_done(&fixture);

	fixture = host_fixture_scan("linux-6.12-virtual", SCAN_IDENTITY);
	/* virtio's "0x1af4" is the bus's vendor number, not the disk's maker */
	assert_identity(&fixture, "vda", NULL, NULL, NULL, "SERIAL-V1", NULL);
	host_fixture_done(&fixture);

	fixture = host_fixture_scan("linux-6.1-removable", SCAN_IDENTITY);
	assert_identity(&fixture, "sdb", "Example", "Portable HDD", "1.0", "SERIAL-U2",
			NULL);
	assert_string_equal(host_fixture_get(&fixture, "mmcblk1")->revision, "0x1");
	host_fixture_done(&fixture);

	fixture = host_fixture_scan("linux-5.10-dasd", SCAN_IDENTITY);
	assert_identity(&fixture, "dasda", "EXM", NULL, NULL, NULL,
			"EXM.750000000XX001.e900.8a");
	host_fixture_done(&fixture);
}

static void test_raid_level_of_adapters(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.1-raid", SCAN_IDENTITY);

	(void)state;
	assert_text(host_fixture_get(&fixture, "sdb")->raid_level, "RAID 5");
	assert_text(host_fixture_get(&fixture, "sdn")->raid_level, "N/A");
	assert_text(host_fixture_get(&fixture, "sda")->raid_level, NULL);
	host_fixture_done(&fixture);
}

/* What a device says of itself arrives byte for byte: whoever prints it escapes it. */
static void test_hostile_strings_are_kept(void **state)
{
	struct host_fixture fixture = host_fixture_scan("hostile-strings", SCAN_IDENTITY);

	(void)state;
	assert_identity(&fixture, "sda", "AT\x1b[2J\x07'\"", "\"; rm -rf $HOME",
			"\xff\xfe\x80", NULL, NULL);
	host_fixture_done(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_udev_has_the_longer_model),
		cmocka_unit_test(test_sysfs_of_each_kind),
		cmocka_unit_test(test_raid_level_of_adapters),
		cmocka_unit_test(test_hostile_strings_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
