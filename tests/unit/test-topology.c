// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stack: who lies on whom, which queues own the scheduler, and made-up trees that go
 * round in circles.
 */
#include "host-fixture.h"

static void assert_stack(const struct host_fixture *fixture, const char *name,
			 const char *slaves, const char *holders, const char *owners,
			 enum device_level level)
{
	const struct device *device = host_fixture_get(fixture, name);

	assert_strv(&device->slaves, slaves);
	assert_strv(&device->holders, holders);
	assert_strv(&device->owners, owners);
	assert_int_equal(device->level, level);
}

static void test_lvm_over_luks_over_raid(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.1-stack", SCAN_STACK);

	(void)state;
	assert_stack(&fixture, "sda", "", "md0", "", LEVEL_OWN);
	assert_stack(&fixture, "sdb", "", "md0", "", LEVEL_OWN);
	assert_stack(&fixture, "md0", "sda sdb", "dm-0", "sda sdb", LEVEL_BELOW);
	assert_stack(&fixture, "dm-0", "md0", "dm-1 dm-2", "sda sdb", LEVEL_BELOW);
	assert_stack(&fixture, "dm-1", "dm-0", "", "sda sdb", LEVEL_BELOW);
	assert_string_equal(host_fixture_get(&fixture, "md0")->md_level, "raid1");
	assert_string_equal(host_fixture_get(&fixture, "dm-1")->dm_name, "vg0-root");
	host_fixture_done(&fixture);
}

static void test_nvme_head_owns_nothing(void **state)
{
	static const char *const hosts[] = { "linux-5.10-nvme-multipath",
					     "linux-7.2-nvme-multipath" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(hosts); i++) {
		struct host_fixture fixture = host_fixture_scan(hosts[i], SCAN_STACK);
		const struct device *path = host_fixture_get(&fixture, "nvme0c1n1");

		assert_stack(&fixture, "nvme0n1", "", "", "nvme0c0n1 nvme0c1n1",
			     LEVEL_BELOW);
		assert_strv(&host_fixture_get(&fixture, "nvme0n1")->paths,
			    "nvme0c0n1 nvme0c1n1");
		assert_string_equal(path->head, "nvme0n1");
		assert_int_equal(path->level, LEVEL_OWN);
		host_fixture_done(&fixture);
	}
}

/* Only the prefix of the dm UUID makes a multipath member, not having a holder. */
static void test_multipath_by_uuid_prefix(void **state)
{
	struct host_fixture fixture =
		host_fixture_scan("linux-6.1-multipath", SCAN_STACK);

	(void)state;
	assert_stack(&fixture, "dm-0", "sda sdb", "dm-1", "sda sdb", LEVEL_BELOW);
	assert_stack(&fixture, "dm-2", "dm-1", "", "sda sdb", LEVEL_BELOW);
	assert_strv(&host_fixture_get(&fixture, "dm-0")->paths, "sda sdb");
	assert_strv(&host_fixture_get(&fixture, "dm-1")->paths, "");
	assert_text(host_fixture_get(&fixture, "sdb")->head, "dm-0");
	assert_stack(&fixture, "sdc", "", "dm-3", "", LEVEL_OWN);
	assert_null(host_fixture_get(&fixture, "sdc")->head);
	host_fixture_done(&fixture);
}

static void test_loop_and_bcache(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.18-memory", SCAN_STACK);

	(void)state;
	assert_stack(&fixture, "loop0", "sdb", "", "", LEVEL_OWN);
	assert_stack(&fixture, "loop1", "", "", "", LEVEL_OWN);
	assert_stack(&fixture, "bcache0", "nvme0n1 sda", "", "nvme0n1 sda", LEVEL_BELOW);
	assert_stack(&fixture, "nvme0n1", "", "bcache0", "", LEVEL_OWN);
	assert_stack(&fixture, "zram0", "", "", "", LEVEL_NONE);
	assert_stack(&fixture, "pmem0", "", "", "", LEVEL_NONE);
	host_fixture_done(&fixture);
}

static void test_circles_end(void **state)
{
	struct host_fixture fixture = host_fixture_scan("hostile-links", SCAN_ALL);

	(void)state;
	assert_stack(&fixture, "dm-0", "dm-1", "dm-2", "sda", LEVEL_BELOW);
	assert_stack(&fixture, "dm-1", "dm-2", "dm-0", "sda", LEVEL_BELOW);
	assert_stack(&fixture, "dm-2", "dm-0 sda", "dm-1", "sda", LEVEL_BELOW);
	assert_null(host_fixture_get(&fixture, "nvme0c0n1")->head);
	assert_null(device_find_by_name(fixture.list, "sdb"));
	assert_null(device_find_by_name(fixture.list, "sdd"));
	assert_null(device_find_by_name(fixture.list, "sde"));
	host_fixture_done(&fixture);
}

/* Each layer lies on both disks of the next: paths through it double with each. */
static void test_wide_stack_is_walked_once(void **state)
{
	_text_ struct text body = { 0 };
	struct host_fixture fixture;

	(void)state;
	for (unsigned i = 0; i < 64; i++) {
		text_addf(&body,
			  "/sys/block/dm-%u -> ../devices/virtual/block/dm-%u\n"
			  "/sys/devices/virtual/block/dm-%u/dev = 253:%u\n",
			  i, i, i, i);
		for (unsigned n = 0; i / 2 < 31 && n < 2; n++)
			text_addf(
				&body,
				"/sys/devices/virtual/block/dm-%u/slaves/dm-%u -> ../x\n",
				i, (i / 2 + 1) * 2 + n);
	}
	fixture = host_fixture_text(body.data, SCAN_STACK | SCAN_CLASS | SCAN_MOUNTS);
	assert_stack(&fixture, "dm-0", "dm-2 dm-3", "", "", LEVEL_NONE);
	assert_int_equal(host_fixture_get(&fixture, "dm-0")->nearest, CLASS_HDD);
	host_fixture_done(&fixture);
}

/* Each of twelve lies on all others. */
static void test_everything_on_everything_ends(void **state)
{
	_text_ struct text body = { 0 };
	struct host_fixture fixture;

	(void)state;
	for (unsigned i = 0; i < 12; i++) {
		text_addf(&body,
			  "/sys/block/dm-%u -> ../devices/virtual/block/dm-%u\n"
			  "/sys/devices/virtual/block/dm-%u/dev = 253:%u\n",
			  i, i, i, i);
		for (unsigned n = 0; n < 12; n++)
			text_addf(
				&body,
				"/sys/devices/virtual/block/dm-%u/slaves/dm-%u -> ../x\n",
				i, n);
	}
	fixture = host_fixture_text(body.data, SCAN_ALL);
	assert_int_equal(host_fixture_get(&fixture, "dm-0")->slaves.count, 11);
	assert_int_equal(host_fixture_get(&fixture, "dm-0")->holders.count, 11);
	assert_int_equal(host_fixture_get(&fixture, "dm-0")->level, LEVEL_NONE);
	host_fixture_done(&fixture);
}

/* A request-based map has a scheduler of its own, and so have its paths. */
static void test_map_with_a_scheduler_owns_its_queue(void **state)
{
	struct host_fixture fixture = host_fixture_text(
		"/sys/block/dm-0 -> ../devices/virtual/block/dm-0\n"
		"/sys/devices/virtual/block/dm-0/slaves/sda -> ../x\n"
		"/sys/devices/virtual/block/dm-0/dm/uuid = mpath-1\n"
		"/sys/devices/virtual/block/dm-0/queue/scheduler = [mq-deadline] none\n"
		"/sys/block/sda -> ../devices/x/sda\n"
		"/sys/devices/x/sda/queue/scheduler = [none] mq-deadline\n",
		SCAN_STACK);

	(void)state;
	assert_stack(&fixture, "dm-0", "sda", "", "", LEVEL_OWN);
	assert_stack(&fixture, "sda", "", "dm-0", "", LEVEL_OWN);
	assert_text(host_fixture_get(&fixture, "sda")->head, "dm-0");
	host_fixture_done(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lvm_over_luks_over_raid),
		cmocka_unit_test(test_nvme_head_owns_nothing),
		cmocka_unit_test(test_multipath_by_uuid_prefix),
		cmocka_unit_test(test_loop_and_bcache),
		cmocka_unit_test(test_circles_end),
		cmocka_unit_test(test_wide_stack_is_walked_once),
		cmocka_unit_test(test_everything_on_everything_ends),
		cmocka_unit_test(test_map_with_a_scheduler_owns_its_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
