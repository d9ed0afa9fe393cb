// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One device in full: what is wanted beside what is, schedulers that could be loaded,
 * the tags explained, no line over 80 columns.
 */
#include "captured.h"
#include "made-up.h"

#include "device/host.h"
#include "report/show.h"
#include "util/wrap.h"

struct scene {
	struct device_value values[4];
	struct policy_value wanted[2];
	struct plan_step step;
	struct device device;
	struct policy_device policy;
	struct plan_device planned;
	struct host host;
	struct device_list devices;
	struct show_view view;
};

static void make_scene(struct scene *scene)
{
	static char *modules[] = { (char *)(uintptr_t) "bfq" };

	scene->device = made_up_ssd(scene->values);
	scene->policy = made_up_policy(&scene->device, scene->wanted);
	scene->planned = made_up_plan(&scene->step);
	scene->host = (struct host){ .modules = { modules, 1, 1 } };
	scene->devices = (struct device_list){ .host = &scene->host };
	scene->view = (struct show_view){
		.row = { &scene->device, &scene->policy, &scene->planned },
		.devices = &scene->devices,
		.profile_name = "database",
	};
}

static void test_attributes(void **state)
{
	struct show_attribute attributes[SHOW_ATTRIBUTE_MAX];
	struct scene scene;
	size_t count;

	(void)state;
	make_scene(&scene);
	count = show_collect_attributes(&scene.view, attributes);
	assert_int_equal(count, 4);
	/* The scheduler's own come first, with what is wanted of them. */
	assert_string_equal(attributes[0].tunable->key, "mq-deadline.read_expire");
	assert_string_equal(attributes[0].now->text, "500");
	assert_string_equal(attributes[0].wanted->value, "100");
	/* What is wanted but not there yet is listed too. */
	scene.device.value_count = 2;
	count = show_collect_attributes(&scene.view, attributes);
	assert_int_equal(count, 3);
	assert_null(attributes[0].now);
	assert_non_null(attributes[0].wanted);
}

static void test_schedulers(void **state)
{
	struct show_scheduler schedulers[SHOW_SCHEDULER_MAX];
	struct scene scene;
	size_t count;
	bool has_bfq = false;

	(void)state;
	make_scene(&scene);
	count = show_collect_schedulers(&scene.view, schedulers);
	assert_int_equal(count, 4);
	for (size_t i = 0; i < count; i++) {
		const char *name = schedulers[i].scheduler->name;

		assert_int_equal(schedulers[i].is_active, !strcmp(name, "mq-deadline"));
		assert_int_equal(schedulers[i].is_offered, strcmp(name, "bfq") != 0);
		has_bfq |= !strcmp(name, "bfq");
	}
	assert_true(has_bfq);
	scene.host.modules.count = 0;
	assert_int_equal(show_collect_schedulers(&scene.view, schedulers), 3);
	scene.device.scheduler.active = -1;
	assert_int_equal(show_collect_schedulers(&scene.view, schedulers), 0);
}

static void check_explanation(const struct device *device, const char *part)
{
	_text_ struct text text = { 0 };

	assert_int_equal(show_explain_requests(device, &text), 0);
	assert_non_null(text.data);
	assert_non_null(strstr(text.data, part));
}

static void test_tags_are_explained(void **state)
{
	_text_ struct text text = { 0 };
	struct scene scene;

	(void)state;
	make_scene(&scene);
	check_explanation(&scene.device, "scheduler tags, how many requests mq-deadline may");
	check_explanation(&scene.device, "The driver has 32 tags");
	check_explanation(&scene.device, "wait in the scheduler");
	scene.device.scheduler.active = 0; /* none */
	check_explanation(&scene.device, "there are no scheduler tags");
	scene.device.queue_kind = QUEUE_LEGACY;
	check_explanation(&scene.device, "so many reads, and as many writes");
	scene.device.value_count = 0;
	assert_int_equal(show_explain_requests(&scene.device, &text), 0);
	assert_null(text.data);
}

static void test_fits_80_columns(void **state)
{
	static const struct table_style style = { .width = 80, .is_terminal = true };
	struct scene scene;
	struct captured captured;
	char *text;

	(void)state;
	make_scene(&scene);
	captured = captured_begin();
	assert_int_equal(show_print(&scene.view, &style), 0);
	text = captured_end(&captured);
	assert_null(strstr(text, "  evidence")); /* it has none */
	assert_non_null(strstr(text, "Disk \\x1b[31m\\xff"));
	assert_non_null(strstr(text, "bfq"));
	assert_non_null(strstr(text, "(a module, not loaded yet)"));
	assert_non_null(strstr(text, "mq-deadline.read_expire = 100 ms (database.json:9)"));
	assert_non_null(strstr(text, strerror(EINVAL))); /* the one that cannot be read */
	for (char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		assert_true(wrap_columns(line) <= 80);
	}
	free(text);
}

static void test_json(void **state)
{
	struct scene scene;
	json_t *root, *attribute;

	(void)state;
	make_scene(&scene);
	root = show_to_json(&scene.view);
	assert_string_equal(json_string_value(json_object_get(root, "name")), "sda");
	assert_string_equal(json_string_value(json_object_get(root, "state")), "drift");
	assert_int_equal(json_integer_value(json_object_get(root, "driver_tags")), 32);
	attribute = json_array_get(json_object_get(root, "attributes"), 0);
	assert_int_equal(json_integer_value(json_object_get(attribute, "value")), 500);
	assert_int_equal(json_integer_value(json_object_get(attribute, "wanted")), 100);
	assert_string_equal(json_string_value(json_object_get(attribute, "unit")), "ms");
	assert_string_equal(json_string_value(json_object_get(attribute, "origin")), "profile");
	json_decref(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_attributes),
		cmocka_unit_test(test_schedulers),
		cmocka_unit_test(test_tags_are_explained),
		cmocka_unit_test(test_fits_80_columns),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
