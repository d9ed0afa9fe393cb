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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_class_has_a_medium),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
