// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Mounts and swap reach every disk below them, whatever names the table uses.
 */
#include "host-fixture.h"

/* "source:target:type", in the order of the table. */
static void assert_mounts(const struct host_fixture *fixture, const char *name,
			  const char *want)
{
	const struct device *device = host_fixture_get(fixture, name);
	_text_ struct text text = { 0 };

	for (size_t i = 0; i < device->mount_count; i++)
		text_addf(&text, "%s%s:%s:%s", i ? " " : "",
			  device->mounts[i].source_name,
			  device->mounts[i].target ? device->mounts[i].target : "swap",
			  device->mounts[i].fstype);
	text_add(&text, "");
	assert_string_equal(text.data, want);
}

static void test_mounts_of_all_above(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.1-stack", SCAN_MOUNTS);
	const struct device *disk;

	(void)state;
	assert_mounts(&fixture, "dm-1", "dm-1:/:ext4");
	assert_mounts(&fixture, "dm-0", "dm-1:/:ext4 dm-2:/home:xfs");
	assert_mounts(&fixture, "sda", "dm-1:/:ext4 dm-2:/home:xfs sda1:/boot:ext4");
	assert_mounts(&fixture, "sdb", "dm-1:/:ext4 dm-2:/home:xfs sdb1:swap:swap");
	/* btrfs has no device number of its own: by the source's name */
	assert_mounts(&fixture, "sdc", "sdc1:/srv/with space:btrfs");
	disk = host_fixture_get(&fixture, "sdb");
	assert_true(disk->is_swap);
	assert_false(host_fixture_get(&fixture, "sda")->is_swap);
	assert_string_equal(disk->mounts[0].options, "rw,relatime");
	host_fixture_done(&fixture);
}

static void test_mounts_before_sys_dev_block(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-2.6.18", SCAN_MOUNTS);

	(void)state;
	/* root's source is "/dev/root": nothing but the number says which, and no list of
	   numbers is there */
	assert_mounts(&fixture, "sda", "sda1:/boot:ext3");
	assert_mounts(&fixture, "cciss/c0d0", "cciss!c0d0p1:/srv:ext3");
	host_fixture_done(&fixture);
}

/* By the disk's own number, where sysfs lists none and the source says nothing. */
static void test_whole_disk_by_its_number(void **state)
{
	struct host_fixture fixture = host_fixture_text(
		"/sys/block/hda -> ../devices/hda\n/sys/devices/hda/dev = 3:0\n"
		"/sys/block/sda -> ../devices/sda\n/sys/devices/sda/dev = 8:0\n"
		"/sys/block/sdb -> ../devices/sdb\n/sys/devices/sdb/dev = 8:16\n"
		"/proc/self/mountinfo = 20 1 8:16 / / rw - ext3 /dev/root rw\n",
		SCAN_MOUNTS);

	(void)state;
	assert_mounts(&fixture, "hda", "");
	assert_mounts(&fixture, "sda", "");
	assert_mounts(&fixture, "sdb", "sdb:/:ext3");
	host_fixture_done(&fixture);
}

static void test_multipath_and_memory(void **state)
{
	struct host_fixture fixture =
		host_fixture_scan("linux-6.1-multipath", SCAN_MOUNTS);

	(void)state;
	assert_mounts(&fixture, "sda", "dm-2:/data:xfs");
	assert_mounts(&fixture, "sdb", "dm-2:/data:xfs");
	assert_mounts(&fixture, "sdc", "dm-3:/:ext4");
	host_fixture_done(&fixture);
	fixture = host_fixture_scan("linux-6.18-memory", SCAN_MOUNTS);
	assert_mounts(&fixture, "sdb", "sdb1:/srv:ext4 loop0:/mnt:ext4");
	assert_mounts(&fixture, "nvme0n1", "bcache0:/:xfs");
	host_fixture_done(&fixture);
}

static void test_junk_tables_are_survived(void **state)
{
	struct host_fixture fixture = host_fixture_text(
		"/sys/block/x -> ../devices/x\n/sys/devices/x/dev = 8:0\n"
		"/proc/self/mountinfo = junk\\n1 2 3\\n20 1 8:0 / /m rw - ext4\n"
		"/proc/swaps = h\\n/dev/x\\n/dev/x partition\\nfile /dev/x\n",
		SCAN_MOUNTS);

	(void)state;
	assert_true(host_fixture_get(&fixture, "x")->is_swap);
	host_fixture_done(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mounts_of_all_above),
		cmocka_unit_test(test_mounts_before_sys_dev_block),
		cmocka_unit_test(test_whole_disk_by_its_number),
		cmocka_unit_test(test_multipath_and_memory),
		cmocka_unit_test(test_junk_tables_are_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
