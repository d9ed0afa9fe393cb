// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Content and limits: what a snapshot keeps of libblkid, udev's copy, the queue's limits.
 */
#include "host-fixture.h"

#include "device/scan-internal.h"

static void test_snapshot_then_udev_then_queue(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.1-stack", SCAN_CONTENT);
	const struct device_content *content =
		&host_fixture_get(&fixture, "sdc")->content;

	(void)state;
	assert_true(content->is_probed);
	assert_text(content->table_type, "gpt");
	assert_null(content->fs_type);
	assert_int_equal(content->minimum_io_bytes, 4096);
	assert_int_equal(content->physical_sector_bytes, 4096);

	content = &host_fixture_get(&fixture, "sda")->content;
	assert_false(content->is_probed);
	assert_text(content->table_type, "gpt");
	assert_int_equal(content->minimum_io_bytes, 512);

	content = &host_fixture_get(&fixture, "sdb")->content;
	assert_null(content->table_type);
	assert_int_equal(content->logical_sector_bytes, 512);
	host_fixture_done(&fixture);
}

static void test_format_gives_what_was_probed(void **state)
{
	struct host_fixture fixture = host_fixture_scan("linux-6.1-stack", SCAN_CONTENT);
	const struct device *device = host_fixture_get(&fixture, "sdc");
	_text_ struct text text = { 0 };
	const char *tag;
	char value[64];

	(void)state;
	for (size_t i = 0; device_format_content(device, i, &tag, value, sizeof(value));
	     i++)
		text_addf(&text, "%s=%s ", tag, value);
	assert_string_equal(
		text.data,
		"TYPE= USAGE= PTTYPE=gpt ALIGNMENT_OFFSET=0 MINIMUM_IO_SIZE=4096 "
		"OPTIMAL_IO_SIZE=0 LOGICAL_SECTOR_SIZE=512 "
		"PHYSICAL_SECTOR_SIZE=4096 ");
	assert_false(device_format_content(host_fixture_get(&fixture, "sda"), 0, &tag,
					   value, sizeof(value)));
	host_fixture_done(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_snapshot_then_udev_then_queue),
		cmocka_unit_test(test_format_gives_what_was_probed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
