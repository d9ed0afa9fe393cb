// SPDX-License-Identifier: GPL-2.0-or-later
/* Media by name and by the class of a device. */
#include "sim/media/media.h"

#include <errno.h>

#include "device/device.h"
#include "media-fixture.h"

static void test_every_class_has_a_medium(void **state)
{
	struct sim_medium medium;

	(void)state;
	for (enum device_class class = 0; class < CLASS_COUNT; class ++) {
		if (sim_medium_for_class(device_class_name(class), &medium))
			fail_msg("%s", device_class_name(class));
		assert_string_equal(medium.class, device_class_name(class));
	}
	assert_int_equal(sim_medium_for_class("gramophone", &medium), -ENOENT);
	assert_int_equal(sim_medium_find("gramophone", &medium), -ENOENT);
	assert_null(sim_medium_class("gramophone"));
	assert_int_equal(sim_medium_find("hdd", &medium), 0);
	assert_string_equal(medium.name, "hdd-7200");
}

/* What queue/rotational says is often not the truth: virtual disks, loops, volumes. */
static void test_an_arm_is_the_model_s(void **state)
{
	static const struct {
		const char *name;
		bool has_arm;
	} rows[] = {
		{ "hdd-7200", true }, { "optical", true },    { "raid5-hdd", true },
		{ "virtio", false },  { "raid10-ssd", false }, { "sdcard", false },
		{ "nvme", false },
	};
	struct sim_medium medium;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(sim_medium_find(rows[i].name, &medium), 0);
		medium.is_rotational = !rows[i].has_arm;
		if (sim_medium_has_arm(&medium) != rows[i].has_arm)
			fail_msg("%s", rows[i].name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_class_has_a_medium),
		cmocka_unit_test(test_an_arm_is_the_model_s),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
