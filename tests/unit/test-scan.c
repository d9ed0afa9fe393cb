// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scan as a whole: names and order, disks that are not there, roots without sysfs, a
 * tree and a snapshot of the same host, and real hosts captured by others.
 */
#include "host-fixture.h"

#include <errno.h>
#include <sys/wait.h>

static void test_names_and_order(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-2.6.18", SCAN_BASICS);
	static const char *const want[] = { "cciss/c0d0", "fd0", "hdc", "loop0",
					    "ram0",       "sda", "sdb" };
	const struct device *device;

	(void)state;
	assert_int_equal(fixture.list->count, ARRAY_SIZE(want));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		assert_string_equal(fixture.list->items[i].name, want[i]);
	device = host_fixture_get(&fixture, "cciss/c0d0");
	assert_string_equal(device->sys_name, "cciss!c0d0");
	assert_string_equal(device->sys_path, "sys/block/cciss!c0d0");
	assert_int_equal(device->major, 104);
	host_fixture_done(&fixture);
	fixture = host_fixture_scan("linux-6.1-zoned", SCAN_BASICS);
	device = host_fixture_get(&fixture, "sda");
	assert_string_equal(device->sys_path,
			    "sys/devices/pci0000:00/0000:00:17.0/ata1/host0/"
			    "target0:0:0/0:0:0:0/block/sda");
	assert_string_equal(device->zoned, "host-managed");
	assert_int_equal(device->size_sectors, 1953525168);
	assert_false(device->is_removable);
	host_fixture_done(&fixture);
	fixture = host_fixture_scan("linux-5.10-nvme-multipath", SCAN_BASICS);
	assert_true(host_fixture_get(&fixture, "nvme0c0n1")->is_hidden);
	assert_false(host_fixture_get(&fixture, "nvme0n1")->is_hidden);
	host_fixture_done(&fixture);
}

static void test_no_sysfs_is_an_error(void **state)
{
	char *dir = test_scratch_new();
	struct device_list *list = NULL;
	struct root *root = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(root_open(dir, &root, NULL), 0);
	assert_int_equal(device_scan(root, SCAN_ALL, NULL, 0, &list, &diag), -ENOENT);
	assert_null(list);
	assert_string_equal(diag.where, "/sys/block");
	assert_non_null(strstr(diag.hint, dir));
	root_free(root);
	test_scratch_done(dir);
}

/* Numbers that are none, flags that cannot be read: data, not errors. */
static void test_bad_values_are_data(void **state)
{
	struct host_fixture fixture = host_fixture_scan("hostile-strings", SCAN_ALL);
	const struct device *device = host_fixture_get(&fixture, "sdb");

	(void)state;
	assert_int_equal(device->size_sectors, 0);
	assert_false(device->is_removable);
	assert_int_equal(device->level, LEVEL_NONE);
	host_fixture_done(&fixture);
}

static void test_tree_as_root(void **state)
{
	char *dir = test_scratch_new(), link[512];
	struct host_fixture fixture;
	const struct device *device;

	(void)state;
	test_write(dir, "sys/devices/p/host0/scsi_host/host0/proc_name", "ahci\n");
	test_write(dir, "sys/devices/p/host0/0:0:0:0/model", "Example\n");
	test_write(dir, "sys/devices/p/host0/0:0:0:0/vendor", "ATA\n");
	test_write(dir, "sys/devices/p/host0/0:0:0:0/block/sda/dev", "8:0\n");
	test_write(dir, "sys/devices/p/host0/0:0:0:0/block/sda/queue/rotational", "1\n");
	test_write(dir, "sys/devices/p/host0/0:0:0:0/block/sda/queue/scheduler",
		   "[mq-deadline] none\n");
	test_write(dir, "sys/block/.keep", "");
	test_write(dir, "run/udev/data/b8:0", "E:ID_SERIAL_SHORT=S1\n");
	snprintf(link, sizeof(link), "%s/sys/block/sda", dir);
	assert_int_equal(symlink("../devices/p/host0/0:0:0:0/block/sda", link), 0);
	snprintf(link, sizeof(link), "%s/sys/devices/p/host0/0:0:0:0/block/sda/device",
		 dir);
	assert_int_equal(symlink("../../../0:0:0:0", link), 0);
	fixture = host_fixture_open(dir, SCAN_ALL);
	assert_int_equal(fixture.list->count, 1);
	device = host_fixture_get(&fixture, "sda");
	assert_int_equal(device->class, CLASS_HDD);
	assert_text(device->serial, "S1");
	assert_text(device->host_driver, "ahci");
	host_fixture_done(&fixture);
	test_scratch_done(dir);
}

static void test_too_many_disks_are_refused(void **state)
{
	char *dir = test_scratch_new(), path[512];
	struct device_list *list = NULL;
	struct root *root = NULL;
	_text_ struct text text = { 0 };

	(void)state;
	text_add(&text, "# iosched-tune snapshot 1\n");
	for (unsigned i = 0; i <= 32768; i++)
		text_addf(&text, "/sys/block/x%u/\n", i);
	test_write(dir, "host.txt", text.data);
	snprintf(path, sizeof(path), "%s/host.txt", dir);
	assert_int_equal(root_open(path, &root, NULL), 0);
	assert_int_equal(device_scan(root, 0, NULL, 0, &list, NULL), -E2BIG);
	assert_null(list);
	root_free(root);
	test_scratch_done(dir);
}

static bool unpack(const char *archive, const char *dir)
{
	int status = -1;
	pid_t pid;

	if (access(archive, R_OK))
		return false;
	pid = fork();
	if (!pid) {
		execlp("tar", "tar", "-xJf", archive, "-C", dir, (char *)NULL);
		_exit(127);
	}
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

/* Two hosts of lsblk's test suite, where they are at hand. */
static void test_captured_hosts(void **state)
{
	char *dir = test_scratch_new(), path[512];
	struct host_fixture fixture;

	(void)state;
	if (!unpack("../shared/data/hosts/lsblk-simple-lvm.tar.xz", dir) ||
	    !unpack("../shared/data/hosts/lsblk-simple-nvme.tar.xz", dir)) {
		test_scratch_done(dir);
		print_message("# skipped: the captured hosts are not at hand\n");
		skip();
	}
	snprintf(path, sizeof(path), "%s/simple-lvm", dir);
	fixture = host_fixture_open(path, SCAN_ALL);
	assert_int_equal(fixture.list->count, 8);
	assert_int_equal(host_fixture_get(&fixture, "sda")->class, CLASS_SSD);
	assert_int_equal(host_fixture_get(&fixture, "sda")->queue_kind, QUEUE_LEGACY);
	assert_int_equal(host_fixture_get(&fixture, "sdb")->class, CLASS_HDD);
	assert_int_equal(host_fixture_get(&fixture, "nvme0n1")->queue_kind, QUEUE_MQ);
	assert_strv(&host_fixture_get(&fixture, "dm-0")->owners,
		    "loop0 loop1 loop2 loop3");
	assert_int_equal(host_fixture_get(&fixture, "nvme0n1")->mount_count, 2);
	host_fixture_done(&fixture);
	snprintf(path, sizeof(path), "%s/simple-nvme", dir);
	fixture = host_fixture_open(path, SCAN_ALL);
	assert_int_equal(fixture.list->count, 3);
	host_fixture_done(&fixture);
	test_scratch_done(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_and_order),
		cmocka_unit_test(test_no_sysfs_is_an_error),
		cmocka_unit_test(test_bad_values_are_data),
		cmocka_unit_test(test_tree_as_root),
		cmocka_unit_test(test_too_many_disks_are_refused),
		cmocka_unit_test(test_captured_hosts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
