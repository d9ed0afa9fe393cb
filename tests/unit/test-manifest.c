// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The manifest: what comes back from the file is what went in, and files of ours that it
 * does not list are found.
 */
#include "test.h"

#include <errno.h>

#include "persist-tree.h"
#include "persist/places.h"

static void test_round_trip(void **state)
{
	struct tree *tree = tree_new();
	struct artefacts set = { 0 };
	struct strv schedulers = { 0 };
	struct manifest *made = NULL, *read = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(artefacts_add_file(&set, "udev", "etc/a", "p", "x\n"), 0);
	assert_int_equal(artefacts_add_edit(&set, "grub", "etc/b\"\\", BOOT_FILE_ENTRY,
					    "elevator=noop", strdup("y"), 1, 0644),
			 0);
	assert_int_equal(artefacts_add_link(&set, "systemd", "etc/c", "/t"), 0);
	assert_int_equal(strv_add(&schedulers, "bfq"), 0);
	assert_int_equal(manifest_make("p", &set, &made), 0);
	assert_int_equal(manifest_add_schedulers(made, &schedulers), 0);
	assert_int_equal(manifest_add_schedulers(made, &schedulers), 0);
	assert_int_equal(manifest_save(tree->root, made), 0);
	assert_int_equal(manifest_load(tree->root, &read, &diag), 0);
	assert_string_equal(read->profile, "p");
	assert_int_equal(read->schedulers.count, 1);
	assert_int_equal(read->count, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(read->items[i].kind, made->items[i].kind);
		assert_string_equal(read->items[i].path, made->items[i].path);
		assert_string_equal(read->items[i].backend, made->items[i].backend);
		assert_true(read->items[i].hash == made->items[i].hash);
		assert_true(text_equal(read->items[i].target, made->items[i].target));
		assert_true(text_equal(read->items[i].argument, made->items[i].argument));
		assert_int_equal(read->items[i].format, made->items[i].format);
	}
	assert_non_null(manifest_find(read, "etc/c"));
	assert_null(manifest_find(read, "etc/d"));
	assert_false(manifest_has_backend(read, "other"));
	manifest_free(read);
	manifest_free(made);
	artefacts_done(&set);
	strv_done(&schedulers);
	tree_free(tree);
}

static void test_discover(void **state)
{
	struct tree *tree = tree_new();
	struct manifest *manifest = NULL;
	struct diag diag = { 0 };
	char *sealed = NULL, path[4096];

	(void)state;
	assert_int_equal(artefact_seal("p", "x\n", &sealed), 0);
	tree_write(tree, PLACE_RULES, sealed);
	tree_write(tree, PLACE_UNIT, "[Unit]\n"); /* the administrator's own */
	tree_write(tree, PATH_UNITS "/basic.target.wants/x", "");
	snprintf(path, sizeof(path), "%s/%s", tree->dir, PLACE_LINK);
	assert_int_equal(symlink(PLACE_LINK_TARGET, path), 0);
	assert_int_equal(manifest_load(tree->root, &manifest, &diag), 0);
	assert_int_equal(manifest->count, 0);
	assert_int_equal(manifest_discover(tree->root, manifest), 0);
	assert_int_equal(manifest->count, 2);
	assert_string_equal(manifest->items[0].path, PLACE_RULES);
	assert_string_equal(manifest->items[1].path, PLACE_LINK);
	assert_int_equal(manifest_discover(tree->root, manifest), 0);
	assert_int_equal(manifest->count, 2);
	manifest_free(manifest);
	free(sealed);
	tree_free(tree);
}

static void test_file_cannot_be_trusted(void **state)
{
	struct tree *tree = tree_new();
	struct manifest *manifest = NULL;
	struct diag diag = { 0 };
	char path[4096];

	(void)state;
	tree_write(tree, "etc/secret", "{}");
	tree_write(tree, "var/lib/iosched-tune/x", "");
	snprintf(path, sizeof(path), "%s/%s", tree->dir, PATH_MANIFEST);
	assert_int_equal(symlink("../../../etc/secret", path), 0);
	assert_int_equal(manifest_load(tree->root, &manifest, &diag), -EBADMSG);
	assert_null(manifest);
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_discover),
		cmocka_unit_test(test_file_cannot_be_trusted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
