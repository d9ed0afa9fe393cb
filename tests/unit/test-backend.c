// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which way to persist fits which system: udev, systemd, neither, containers.
 */
#include "test.h"

#include <errno.h>

#include "persist-tree.h"

static int choose(struct tree *tree, const char *method, struct diag *diag,
		  const struct persist_backend **ret)
{
	struct strv methods = { 0 };
	size_t count = 0;
	int error;

	*diag = (struct diag){ 0 };
	if (method)
		assert_int_equal(strv_add(&methods, method), 0);
	error = backend_choose(&tree->input, &methods, ret, &count, diag);
	strv_done(&methods);
	assert_int_equal(count, error ? 0 : 1);
	return error;
}

static void test_auto(void **state)
{
	const struct persist_backend *backend[BACKEND_MAX];
	struct tree *tree = tree_new();
	struct diag diag;

	(void)state;
	tree_read(tree, "balanced");
	/* no system at all: that is said, whatever is asked for */
	for (size_t i = 0; backend_get(i); i++) {
		assert_int_equal(choose(tree, backend_get(i)->name, &diag, backend),
				 -ENOTSUP);
		assert_non_null(strstr(diag.text, "no tree of a system"));
		assert_string_equal(diag.where, tree->dir);
	}
	tree_write(tree, "etc/os-release", "");
	/* no udev, no systemd: said, with a way out */
	assert_int_equal(choose(tree, NULL, &diag, backend), -ENOTSUP);
	assert_non_null(strstr(diag.text, "udev"));
	assert_non_null(strstr(diag.text, "systemd"));
	assert_non_null(strstr(diag.hint, "apply --profile balanced"));
	tree_write(tree, "lib/systemd/systemd", "");
	assert_int_equal(choose(tree, NULL, &diag, backend), 0);
	assert_ptr_equal(backend[0], &backend_systemd);
	assert_int_equal(choose(tree, "udev", &diag, backend), -ENOTSUP);
	tree_write(tree, "sbin/udevd", "");
	assert_int_equal(choose(tree, "auto", &diag, backend), 0);
	assert_ptr_equal(backend[0], &backend_udev);
	assert_int_equal(choose(tree, "systemd", &diag, backend), 0);
	tree_free(tree);
}

static void test_container(void **state)
{
	static const char *const marks[] = { "run/systemd/container", ".dockerenv",
					     "run/.containerenv" };
	const struct persist_backend *backend[BACKEND_MAX];
	struct diag diag;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(marks); i++) {
		struct tree *tree = tree_new();

		tree_write(tree, "lib/systemd/systemd", "");
		tree_write(tree, "sbin/udevd", "");
		tree_write(tree, marks[i], "x");
		tree_read(tree, "balanced");
		assert_int_equal(choose(tree, NULL, &diag, backend), -ENOTSUP);
		assert_non_null(strstr(diag.text, "container"));
		tree->input.is_forced = true;
		assert_int_equal(choose(tree, NULL, &diag, backend), 0);
		tree_free(tree);
	}
}

static void test_table(void **state)
{
	size_t count = 0;

	(void)state;
	for (const struct persist_backend *backend; (backend = backend_get(count));
	     count++) {
		assert_ptr_equal(backend_find(backend->name), backend);
		assert_non_null(backend->check);
		assert_non_null(backend->render);
		assert_non_null(backend->generate);
	}
	assert_int_equal(count, BACKEND_MAX);
	assert_null(backend_find("cron"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_auto),
		cmocka_unit_test(test_container),
		cmocka_unit_test(test_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
