// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs of the running system: found, run to their end, their status told.
 */
#include "test.h"

#include <errno.h>

#include "persist-tree.h"
#include "persist/run.h"

static void test_find(void **state)
{
	struct tree *tree = tree_new();
	char *path = NULL;

	(void)state;
	assert_int_equal(run_find(tree->root, "update-grub", &path), -ENOENT);
	assert_null(path);
	tree_write(tree, "sbin/update-grub", "");
	assert_int_equal(run_find(tree->root, "update-grub", &path), 0);
	assert_string_equal(path, "/sbin/update-grub");
	free(path);
	tree_write(tree, "usr/sbin/update-grub", "");
	assert_int_equal(run_find(tree->root, "update-grub", &path), 0);
	assert_string_equal(path, "/usr/sbin/update-grub");
	free(path);
	tree_free(tree);
}

static int run(const char *script, int *ret_status)
{
	struct strv argv = { 0 };
	int error;

	assert_int_equal(strv_add(&argv, "/bin/sh"), 0);
	assert_int_equal(strv_add(&argv, "-c"), 0);
	assert_int_equal(strv_add(&argv, script), 0);
	error = run_command(&argv, ret_status);
	strv_done(&argv);
	return error;
}

static void test_run(void **state)
{
	struct strv missing = { 0 };
	int status = 77;

	(void)state;
	assert_int_equal(run("exit 0", &status), 0);
	assert_int_equal(status, 77);
	assert_int_equal(run("exit 3", &status), -EIO);
	assert_int_equal(status, 3);
	assert_int_equal(run("kill -9 $$", &status), -EIO);
	assert_int_equal(status, -1);
	/* nothing to read, and nothing of it on our stdout */
	assert_int_equal(run("! read x", &status), 0);
	assert_int_equal(strv_add(&missing, "/nonexistent/program"), 0);
	assert_int_equal(run_command(&missing, &status), -ENOENT);
	strv_done(&missing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
