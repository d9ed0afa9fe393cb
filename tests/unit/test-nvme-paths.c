// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names of NVMe paths, heads and controllers, and which paths are waited for.
 */
#include "host-fixture.h"

#include <sys/wait.h>

#include "device/nvme-paths.h"

static void test_names(void **state)
{
	static const char *const others[] = { "nvme0n1",     "nvme0c1",  "nvme0c1n",
					      "nvme0c1n1p1", "nvme0cn1", "sda",
					      "xnvme0c1n1" };
	char head[16];

	(void)state;
	assert_true(nvme_path_to_head("nvme1c0n2", head, sizeof(head)));
	assert_string_equal(head, "nvme1n2");
	assert_true(nvme_path_to_head("nvme10c21n300", head, sizeof(head)));
	assert_string_equal(head, "nvme10n300");
	assert_false(nvme_path_to_head("nvme10c21n300", head, 8)); /* no room */
	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (nvme_path_to_head(others[i], head, sizeof(head)))
			fail_msg("%s is no path", others[i]);
	assert_string_equal(nvme_controller_name("nvme12"), "nvme12");
	assert_string_equal(nvme_controller_name("/dev/nvme3"), "nvme3");
	assert_null(nvme_controller_name("nvme0n1"));
	assert_null(nvme_controller_name("nvme"));
	assert_null(nvme_controller_name("nvme-subsys0"));
	assert_null(nvme_controller_name("/dev/disk/nvme3"));
}

static void test_on_controller(void **state)
{
	struct host_fixture fixture =
		host_fixture_scan("linux-7.2-nvme-multipath", SCAN_ALL);
	const struct device *path = device_find_by_name(fixture.list, "nvme0c1n1");
	const struct device *head = device_find_by_name(fixture.list, "nvme0n1");

	(void)state;
	assert_true(nvme_is_on_controller(path, "nvme1"));
	assert_false(nvme_is_on_controller(path, "nvme0"));
	assert_false(nvme_is_on_controller(path, "vme1"));
	assert_false(nvme_is_on_controller(path, "1"));
	assert_false(nvme_is_on_controller(head, "nvme0"));
	host_fixture_done(&fixture);
}

struct scene {
	char *dir;
	struct root *root;
};

static void add(const struct scene *scene, const char *path, const char *text)
{
	test_write(scene->dir, path, text);
}

/* A head of the subsystem 0 with two controllers and the path over the first. */
static int set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	scene->dir = test_scratch_new();
	assert_int_equal(root_open(scene->dir, &scene->root, NULL), 0);
	add(scene, "sys/class/nvme/nvme0/state", "live\n");
	add(scene, "sys/class/nvme/nvme0/nvme0c0n1/hidden", "1\n");
	add(scene, "sys/class/nvme/nvme1/state", "live\n");
	add(scene, "sys/class/nvme-subsystem/nvme-subsys0/nvme0/state", "live\n");
	add(scene, "sys/class/nvme-subsystem/nvme-subsys0/nvme1/state", "live\n");
	add(scene, "sys/class/nvme-subsystem/nvme-subsys0/nvme0n1/hidden", "0\n");
	add(scene, "sys/class/nvme-subsystem/nvme-subsys0/model", "m\n");
	/* a disk without multipath, on a controller of its own subsystem */
	add(scene, "sys/class/nvme/nvme2/state", "live\n");
	add(scene, "sys/class/nvme/nvme2/nvme2n1/hidden", "0\n");
	add(scene, "sys/class/nvme-subsystem/nvme-subsys2/nvme2/state", "live\n");
	*state = scene;
	return 0;
}

static int tear_down(void **state)
{
	struct scene *scene = *state;

	root_free(scene->root);
	test_scratch_done(scene->dir);
	free(scene);
	return 0;
}

static bool is_complete(const struct scene *scene, const char *name)
{
	bool ret;

	assert_int_equal(nvme_wait_for_paths(scene->root, name, 1, &ret), 0);
	return ret;
}

static void test_expected(void **state)
{
	const struct scene *scene = *state;

	assert_false(is_complete(scene, "nvme0n1"));
	assert_false(is_complete(scene, "/dev/nvme0n1"));
	assert_false(is_complete(scene, "nvme1"));
	assert_false(is_complete(scene, "/dev/nvme1"));
	assert_true(is_complete(scene, "nvme0"));
	assert_true(is_complete(scene, "nvme2"));
	assert_true(is_complete(scene, "nvme2n1"));
	assert_true(is_complete(scene, "nvme9"));
	assert_true(is_complete(scene, "sda"));
	add(scene, "sys/class/nvme/nvme1/nvme0c1n1/hidden", "1\n");
	assert_true(is_complete(scene, "nvme0n1"));
	assert_true(is_complete(scene, "nvme1"));
	/* a second head, with no path over the second controller */
	add(scene, "sys/class/nvme/nvme0/nvme0c0n2/hidden", "1\n");
	add(scene, "sys/class/nvme-subsystem/nvme-subsys0/nvme0n2/hidden", "0\n");
	assert_false(is_complete(scene, "nvme0n2"));
	assert_true(is_complete(scene, "nvme0n1"));
	assert_false(is_complete(scene, "nvme1"));
}

/* What is going is not waited for; what has just come is. */
static void test_states(void **state)
{
	static const char *const ending[] = { "dead\n", "deleting\n",
					      "deleting (no IO)\n" };
	static const char *const beginning[] = { "new\n", "connecting\n", "resetting\n" };
	const struct scene *scene = *state;

	for (size_t i = 0; i < ARRAY_SIZE(ending); i++) {
		add(scene, "sys/class/nvme/nvme1/state", ending[i]);
		assert_true(is_complete(scene, "nvme0n1"));
		assert_true(is_complete(scene, "nvme1"));
	}
	for (size_t i = 0; i < ARRAY_SIZE(beginning); i++) {
		add(scene, "sys/class/nvme/nvme1/state", beginning[i]);
		assert_false(is_complete(scene, "nvme0n1"));
		add(scene, "sys/class/nvme/nvme3/state", beginning[i]);
		assert_false(is_complete(scene, "nvme3")); /* of no subsystem yet */
	}
	add(scene, "sys/class/nvme/nvme3/state",
	    "live\n"); /* a kernel without subsystems */
	assert_true(is_complete(scene, "nvme3"));
}

static void test_a_path_that_comes_ends_it(void **state)
{
	const struct scene *scene = *state;
	bool complete = false;
	pid_t pid;

	assert_false(is_complete(scene, "nvme0n1"));
	pid = fork();
	assert_true(pid >= 0);
	if (!pid) {
		add(scene, "sys/class/nvme/nvme1/nvme0c1n1/hidden", "1\n");
		_exit(0);
	}
	assert_int_equal(nvme_wait_for_paths(scene->root, "nvme0n1", 60000, &complete),
			 0);
	assert_true(complete);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void test_has_disks(void **state)
{
	const struct scene *scene = *state;

	assert_true(nvme_has_disks(scene->root, "nvme0"));
	assert_false(nvme_has_disks(scene->root, "nvme1"));
	assert_true(nvme_has_disks(scene->root, "nvme2"));
	assert_false(nvme_has_disks(scene->root, "nvme9"));
}

#define SCENE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_on_controller),
		SCENE(test_expected),
		SCENE(test_states),
		SCENE(test_a_path_that_comes_ends_it),
		SCENE(test_has_disks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
