// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The audit trail below a root that has no journald: one line for each write, and no
 * failure where there is no place for it.
 */
#include "apply-fixture.h"

#include <jansson.h>

#include "apply/audit.h"
#include "sysfs/paths.h"

static int set_up(void **state)
{
	*state = fixture_new(1);
	return 0;
}

static int tear_down(void **state)
{
	fixture_free(*state);
	return 0;
}

struct scene {
	struct plan_step steps[3];
	struct plan_device planned;
	struct plan plan;
	struct apply_write writes[3];
	struct apply_device result;
	struct apply_report report;
};

static void make_scene(struct scene *scene)
{
	static char disk[] = "sd\"a", profile[] = "database";

	*scene = (struct scene){ 0 };
	scene->steps[0].tunable = tunable_scheduler();
	strcpy(scene->steps[0].to, "kyber");
	scene->steps[1].tunable = fixture_tunable("nomerges");
	strcpy(scene->steps[1].to, "1");
	scene->steps[2].tunable = fixture_tunable("read_ahead_kb");
	strcpy(scene->steps[2].to, "256");
	scene->planned = (struct plan_device){ .name = disk,
					       .steps = scene->steps,
					       .step_count = 3 };
	scene->plan = (struct plan){ profile, &scene->planned, 1 };
	scene->writes[0] = (struct apply_write){ true, "none" };
	scene->writes[2] = (struct apply_write){ true, "128" };
	scene->result = (struct apply_device){ .planned = &scene->planned,
					       .writes = scene->writes };
	scene->report = (struct apply_report){ &scene->result, 1, false };
}

static void assert_line(const char *line, const char *attribute, const char *old,
			const char *new)
{
	json_t *json = json_loads(line, 0, NULL);

	assert_non_null(json);
	assert_string_equal(json_string_value(json_object_get(json, "device")), "sd\"a");
	assert_string_equal(json_string_value(json_object_get(json, "attribute")),
			    attribute);
	assert_string_equal(json_string_value(json_object_get(json, "old")), old);
	assert_string_equal(json_string_value(json_object_get(json, "new")), new);
	assert_string_equal(json_string_value(json_object_get(json, "profile")),
			    "database");
	assert_string_equal(json_string_value(json_object_get(json, "outcome")), "done");
	assert_non_null(json_object_get(json, "time"));
	json_decref(json);
}

static void test_a_line_for_each_write(void **state)
{
	struct fixture *fixture = *state;
	struct strv lines = { 0 };
	struct scene scene;
	char *text = NULL;

	make_scene(&scene);
	scene.result.failed = &scene.steps[2];
	strcpy(scene.result.actual, "252");
	assert_int_equal(root_make_dir(fixture->root, "var/log", 0755), 0);
	audit_report(fixture->root, &scene.plan, &scene.report);
	assert_int_equal(root_read(fixture->root, PATH_LOG, &text), 0);
	assert_int_equal(strv_split(&lines, text, "\n"), 0);
	assert_int_equal(lines.count, 2);
	assert_line(lines.items[0], "scheduler", "none", "kyber");
	assert_line(lines.items[1], "read_ahead_kb", "128", "252");
	strv_done(&lines);
	free(text);
	/* and further ones after them */
	audit_report(fixture->root, &scene.plan, &scene.report);
	assert_int_equal(root_read(fixture->root, PATH_LOG, &text), 0);
	assert_int_equal(strv_split(&lines, text, "\n"), 0);
	assert_int_equal(lines.count, 4);
	strv_done(&lines);
	free(text);
}

static void test_no_place_for_it(void **state)
{
	struct fixture *fixture = *state;
	struct scene scene;

	make_scene(&scene);
	audit_report(fixture->root, &scene.plan, &scene.report);
	assert_false(root_exists(fixture->root, "var"));
}

static void test_nothing_written(void **state)
{
	struct fixture *fixture = *state;
	struct scene scene;

	make_scene(&scene);
	scene.writes[0].is_written = scene.writes[2].is_written = false;
	assert_int_equal(root_make_dir(fixture->root, "var/log", 0755), 0);
	audit_report(fixture->root, &scene.plan, &scene.report);
	scene.result.writes = NULL;
	audit_report(fixture->root, &scene.plan, &scene.report);
	assert_false(root_exists(fixture->root, PATH_LOG));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_a_line_for_each_write),
		TEST(test_no_place_for_it),
		TEST(test_nothing_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
