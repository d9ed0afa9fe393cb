// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Snapshots: what is scanned from one is what was scanned from its source, for every
 * fixture; and without serial numbers none is left anywhere.
 */
#include "host-fixture.h"

#include <errno.h>

#include "device/capture.h"

static const char *const hosts[] = {
	"linux-2.6.18",        "linux-4.19-both",           "linux-5.10-dasd",
	"linux-6.1-multipath", "linux-5.10-nvme-multipath", "linux-6.1-raid",
	"linux-6.1-removable", "linux-6.1-stack",           "linux-6.1-zoned",
	"linux-6.12-network",  "linux-6.12-virtual",        "linux-6.18-memory",
	"hostile-strings",     "linux-7.2-nvme-multipath",
};

static struct host_fixture scan_text(const struct text *text, unsigned needs)
{
	char *dir = test_scratch_new(), path[512];
	struct host_fixture fixture;

	test_write(dir, "host.txt", text->data);
	snprintf(path, sizeof(path), "%s/host.txt", dir);
	fixture = host_fixture_open(path, needs);
	test_scratch_done(dir);
	return fixture;
}

static void assert_same_names(const struct strv *a, const struct strv *b)
{
	assert_int_equal(a->count, b->count);
	for (size_t i = 0; i < a->count; i++)
		assert_string_equal(a->items[i], b->items[i]);
}

static void assert_same_values(const struct device *a, const struct device *b)
{
	assert_int_equal(a->value_count, b->value_count);
	for (size_t i = 0; i < a->value_count; i++) {
		assert_ptr_equal(a->values[i].tunable, b->values[i].tunable);
		assert_string_equal(a->values[i].text, b->values[i].text);
		assert_int_equal(a->values[i].is_writable, b->values[i].is_writable);
		assert_int_equal(a->values[i].error, b->values[i].error);
	}
	assert_int_equal(a->udev_count, b->udev_count);
	for (size_t i = 0; i < a->udev_count; i++) {
		assert_string_equal(a->udev[i].key, b->udev[i].key);
		assert_string_equal(a->udev[i].value, b->udev[i].value);
	}
	assert_int_equal(a->mount_count, b->mount_count);
	for (size_t i = 0; i < a->mount_count; i++) {
		assert_string_equal(a->mounts[i].source_name, b->mounts[i].source_name);
		assert_text(a->mounts[i].target, b->mounts[i].target);
	}
}

static void assert_same_device(const struct device *a, const struct device *b)
{
	assert_string_equal(a->sys_name, b->sys_name);
	assert_string_equal(a->sys_path, b->sys_path);
	assert_int_equal(a->major, b->major);
	assert_int_equal(a->minor, b->minor);
	assert_int_equal(a->size_sectors, b->size_sectors);
	assert_int_equal(a->class, b->class);
	assert_int_equal(a->level, b->level);
	assert_int_equal(a->hw_queues, b->hw_queues);
	assert_int_equal(a->queue_kind, b->queue_kind);
	assert_text(choice_active(&a->scheduler), choice_active(&b->scheduler));
	assert_text(a->transport, b->transport);
	assert_text(a->vendor, b->vendor);
	assert_text(a->model, b->model);
	assert_text(a->serial, b->serial);
	assert_text(a->wwn, b->wwn);
	assert_text(a->revision, b->revision);
	assert_text(a->driver, b->driver);
	assert_text(a->host_driver, b->host_driver);
	assert_text(a->loop_file, b->loop_file);
	assert_text(a->dm_uuid, b->dm_uuid);
	assert_int_equal(a->content.is_probed, b->content.is_probed);
	assert_text(a->content.table_type, b->content.table_type);
	assert_same_names(&a->evidence, &b->evidence);
	assert_same_names(&a->owners, &b->owners);
	assert_same_names(&a->slaves, &b->slaves);
	assert_same_names(&a->holders, &b->holders);
	assert_same_names(&a->devlinks, &b->devlinks);
	assert_same_names(&a->hw_queue_cpus, &b->hw_queue_cpus);
	assert_same_values(a, b);
}

static void test_snapshot_scans_like_its_source(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		struct host_fixture source = host_fixture_scan(hosts[i], SCAN_ALL);
		_text_ struct text text = { 0 }, again = { 0 };
		struct host_fixture copy;

		assert_int_equal(device_capture(source.root, true, NULL, &text, NULL), 0);
		copy = scan_text(&text, SCAN_ALL);
		assert_int_equal(copy.list->count, source.list->count);
		for (size_t n = 0; n < copy.list->count; n++)
			assert_same_device(&source.list->items[n], &copy.list->items[n]);
		assert_same_names(&source.list->host->modules, &copy.list->host->modules);
		assert_text(copy.list->host->virtualisation,
			    source.list->host->virtualisation);
		assert_text(copy.list->host->cmdline, source.list->host->cmdline);
		/* a snapshot of the snapshot is the same text */
		assert_int_equal(device_capture(copy.root, true, NULL, &again, NULL), 0);
		assert_string_equal(again.data, text.data);
		host_fixture_done(&copy);
		host_fixture_done(&source);
	}
}

/* Every serial number, WWN and UUID that the fixtures hold, in any spelling. */
static const char *const secrets[] = {
	"S-0001",         "5000000000000010", "5000000000000011", "4000-8000",
	"SERIAL-",        "EX-0000",          "eui.000000",       "000000000000000aa",
	"0x0000000",      "AAAAAAAA",         "BBBBBBB",          "LUKS2",
	"750000000XX001", "36000000",
};

static void test_no_serial_number_is_left(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		struct host_fixture source = host_fixture_scan(hosts[i], SCAN_ALL);
		_text_ struct text text = { 0 };
		struct host_fixture copy;

		assert_int_equal(device_capture(source.root, false, NULL, &text, NULL), 0);
		for (size_t n = 0; n < ARRAY_SIZE(secrets); n++) {
			if (strstr(text.data, secrets[n]))
				print_error("%s: %s: %.120s\n", hosts[i], secrets[n],
					    strstr(text.data, secrets[n]));
			assert_null(strstr(text.data, secrets[n]));
		}
		/* and it still is the same host */
		copy = scan_text(&text, SCAN_ALL);
		assert_int_equal(copy.list->count, source.list->count);
		for (size_t n = 0; n < copy.list->count; n++) {
			const struct device *a = &source.list->items[n];
			const struct device *b = &copy.list->items[n];

			assert_int_equal(a->class, b->class);
			assert_int_equal(a->level, b->level);
			assert_int_equal(a->mount_count, b->mount_count);
			assert_text(b->serial, a->serial ? CAPTURE_REDACTED : NULL);
			assert_same_names(&a->owners, &b->owners);
			assert_same_names(&a->paths, &b->paths);
		}
		host_fixture_done(&copy);
		host_fixture_done(&source);
	}
}

static void test_configuration_and_errors_are_kept(void **state)
{
	struct host_fixture fixture = host_fixture_text(
		"/sys/block/x -> ../devices/x\n/sys/devices/x/dev = 8:0\n"
		"/sys/devices/x/queue/read_ahead_kb ! EIO\n"
		"/sys/devices/x/queue/nr_requests := 64\n"
		"/sys/devices/x/serial = S3Z9NB0K000001\n"
		"/proc/cpuinfo = processor\\t: 0\\nflags\\t: fpu\\n\\nprocessor\\t: "
		"1\\nflags\\t: fpu\n"
		"/proc/modules = bfq 1 0\\nkyber_iosched 1 0\\nother 1 0\n"
		"/etc/iosched-tune/devices.d/a.json = {\"serial\": \"S3Z9NB0K000001\"}\n"
		"/etc/os-release = ID=example\n",
		SCAN_ALL);
	_text_ struct text text = { 0 };
	static const char want[] =
		"# iosched-tune snapshot 1\n"
		"/etc/iosched-tune/devices.d/a.json = {\"serial\": \"REDACTED\"}\n"
		"/etc/os-release = ID=example\n"
		"/proc/cpuinfo = flags\\t: fpu\n"
		"/proc/modules = bfq 1 0\\nkyber_iosched 1 0\n"
		"/sys/block/x -> ../devices/x\n"
		"/sys/devices/x/dev = 8:0\n"
		"/sys/devices/x/queue/nr_requests := 64\n"
		"/sys/devices/x/queue/read_ahead_kb ! EIO\n"
		"/sys/devices/x/serial = REDACTED\n";

	(void)state;
	assert_int_equal(device_capture(fixture.root, false, NULL, &text, NULL), 0);
	assert_string_equal(text.data, want);
	host_fixture_done(&fixture);
}

/* What sysfs says of one disk and udev of another also stands in their links. */
static void test_dm_uuids_are_known_from_either_source(void **state)
{
	struct host_fixture fixture = host_fixture_text(
		"/sys/block/dm-0 -> ../devices/dm-0\n/sys/devices/dm-0/dev = 253:0\n"
		"/sys/devices/dm-0/dm/uuid = LVM-abc123XYZ\n"
		"/sys/block/dm-1 -> ../devices/dm-1\n/sys/devices/dm-1/dev = 253:1\n"
		"/run/udev/data/b253:1 = E:DM_UUID=LVM-def456XYZ\\nE:DM_NAME=x\n"
		"/dev/disk/by-id/dm-uuid-LVM-abc123XYZ -> ../../dm-0\n"
		"/dev/disk/by-id/dm-name-def456XYZ -> ../../dm-1\n",
		0);
	_text_ struct text text = { 0 };

	(void)state;
	assert_int_equal(device_capture(fixture.root, false, NULL, &text, NULL), 0);
	assert_null(strstr(text.data, "123XYZ"));
	assert_null(strstr(text.data, "456XYZ"));
	assert_non_null(strstr(text.data, "/dev/disk/by-id/dm-uuid-LVM-REDACTED -> "));
	assert_non_null(strstr(text.data, "E:DM_UUID=LVM-REDACTED\\nE:DM_NAME=x\n"));
	host_fixture_done(&fixture);
}

static void test_no_sysfs_is_an_error(void **state)
{
	char *dir = test_scratch_new();
	_text_ struct text text = { 0 };
	struct root *root = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(root_open(dir, &root, NULL), 0);
	assert_int_equal(device_capture(root, false, NULL, &text, &diag), -ENOENT);
	assert_true(*diag.text);
	root_free(root);
	test_scratch_done(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_snapshot_scans_like_its_source),
		cmocka_unit_test(test_no_serial_number_is_left),
		cmocka_unit_test(test_configuration_and_errors_are_kept),
		cmocka_unit_test(test_dm_uuids_are_known_from_either_source),
		cmocka_unit_test(test_no_sysfs_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
