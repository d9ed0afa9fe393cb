// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The list as a whole: order, what is looked at, numbers as sysfs spells them.
 */
#include "diagnose-fixture.h"

static void test_worst_first(void **state)
{
	struct scene scene = scene_new();
	const struct smart smart = { .state = SMART_KNOWN,
				     .is_passed = 1,
				     .pending = 8,
				     .reallocated = 16,
				     .temperature_c = 20 };
	struct diagnosis found;

	(void)state;
	scene.input.smart = &smart;
	test_write(scene.dir, "sys/block/sda/sda1/start", "2048\n");
	test_write(scene.dir, "sys/block/sda/sda1/size", "409600\n");
	assert_int_equal(diagnose_device(&scene.input, &found), 0);
	assert_string_equal(found.items[0].symptom, "pending-sectors");
	assert_string_equal(found.items[0].check, "health");
	assert_int_equal(diagnosis_get_level(&found), FINDING_BAD);
	assert_string_equal(found.items[1].symptom, "reallocated-sectors");
	for (size_t i = 1; i < found.count; i++)
		assert_true(found.items[i - 1].level >= found.items[i].level);
	assert_true(scene_has(&found, "aligned", FINDING_OK));
	diagnosis_done(&found);
	assert_int_equal(diagnosis_get_level(&found), FINDING_OK);
	scene_done(&scene);
}

static void test_what_is_looked_at(void **state)
{
	struct device device = { .class = CLASS_HDD, .size_sectors = 8 };

	(void)state;
	assert_true(diagnose_is_default(&device));
	device.class = CLASS_LOOP;
	assert_false(diagnose_is_default(&device));
	device.class = CLASS_HDD;
	device.size_sectors = 0;
	assert_false(diagnose_is_default(&device));
	assert_string_equal(finding_level_name(FINDING_WARN), "warn");
}

static void test_numbers(void **state)
{
	struct scene scene = scene_new();
	uint64_t value = 7;

	(void)state;
	test_write(scene.dir, "sys/block/sda/a", "0x1F\n");
	test_write(scene.dir, "sys/block/sda/b", "42\n");
	test_write(scene.dir, "sys/block/sda/c", "0x\n");
	test_write(scene.dir, "sys/block/sda/d", "0x11112222333344445\n");
	test_write(scene.dir, "sys/block/sda/e", "0xg\n");
	assert_true(diagnose_read_number(&scene.input, "a", &value));
	assert_int_equal(value, 31);
	assert_true(diagnose_read_number(&scene.input, "b", &value));
	assert_int_equal(value, 42);
	assert_false(diagnose_read_number(&scene.input, "c", &value));
	assert_false(diagnose_read_number(&scene.input, "d", &value));
	assert_false(diagnose_read_number(&scene.input, "e", &value));
	assert_false(diagnose_read_number(&scene.input, "absent", &value));
	assert_null(diagnose_read_text(&scene.input, "absent"));
	assert_int_equal(value, 42);
	scene_done(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_worst_first),
		cmocka_unit_test(test_what_is_looked_at),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
