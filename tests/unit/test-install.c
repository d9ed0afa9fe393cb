// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The writer: what it does with files that are there already, all or nothing, and back to
 * the bytes of before.
 */
#include "test.h"

#include <dirent.h>
#include <errno.h>

#include "persist/install.h"
#include "sysfs/paths.h"

#define RULES "etc/udev/rules.d/99-x.rules"
#define GRUB  "etc/default/grub"
#define LINK  "etc/systemd/system/a.wants/x.service"

struct fixture {
	char *dir;
	struct root *root;
	struct manifest *known;
};

static int set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));
	struct diag diag = { 0 };

	assert_non_null(fixture);
	fixture->dir = test_scratch_new();
	test_write(fixture->dir, GRUB, "A=1\r\nGRUB_CMDLINE_LINUX='x'");
	test_write(fixture->dir, "var/lib/y", "");
	assert_int_equal(root_open(fixture->dir, &fixture->root, &diag), 0);
	*state = fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *fixture = *state;

	manifest_free(fixture->known);
	root_free(fixture->root);
	test_scratch_done(fixture->dir);
	free(fixture);
	return 0;
}

static struct artefacts make(struct fixture *fixture, const char *body,
			     const char *argument)
{
	struct artefacts set = { 0 };

	if (body)
		assert_int_equal(artefacts_add_file(&set, "udev", RULES, "p", body), 0);
	if (argument) {
		struct root_file file = { 0 };
		struct diag diag = { 0 };
		char *content;
		size_t len;

		assert_int_equal(root_read_file(fixture->root, GRUB, &file), 0);
		struct boot_file boot = { BOOT_FILE_DEFAULTS, GRUB, file.data, file.len };

		assert_int_equal(boot_file_set(&boot, argument, &content, &len, &diag),
				 0);
		assert_int_equal(artefacts_add_edit(&set, "grub", GRUB,
						    BOOT_FILE_DEFAULTS, argument, content,
						    len, file.mode),
				 0);
		root_file_done(&file);
	}
	assert_int_equal(artefacts_add_link(&set, "systemd", LINK, "../x.service"), 0);
	return set;
}

static void reload(struct fixture *fixture)
{
	struct diag diag = { 0 };

	manifest_free(fixture->known);
	fixture->known = NULL;
	assert_int_equal(manifest_load(fixture->root, &fixture->known, &diag), 0);
}

static int install(struct fixture *fixture, struct artefacts set, bool is_forced,
		   size_t *ret_written)
{
	struct strv schedulers = { 0 };
	struct diag diag = { 0 };
	int error;

	reload(fixture);
	assert_int_equal(strv_add(&schedulers, "bfq"), 0);
	error = install_write(fixture->root, "p", &set, &schedulers, fixture->known, is_forced,
			      ret_written, &diag);
	strv_done(&schedulers);
	if (error)
		assert_true(diag.text[0]);
	artefacts_done(&set);
	reload(fixture);
	return error;
}

static int uninstall(struct fixture *fixture, bool is_forced, size_t *ret_removed)
{
	struct strv all = { 0 }, notes = { 0 };
	struct diag diag = { 0 };
	int error;

	reload(fixture);
	error = install_remove(fixture->root, fixture->known, &all, is_forced,
			       ret_removed, &notes, &diag);
	strv_done(&notes);
	reload(fixture);
	return error;
}

static void assert_text(struct fixture *fixture, const char *path, const char *expected)
{
	struct root_file file = { 0 };
	int error = root_read_file(fixture->root, path, &file);

	if (!expected) {
		assert_int_equal(error, -ENOENT);
		return;
	}
	assert_int_equal(error, 0);
	assert_string_equal(file.data, expected);
	root_file_done(&file);
}

static void assert_nothing_left(struct fixture *fixture)
{
	assert_text(fixture, GRUB, "A=1\r\nGRUB_CMDLINE_LINUX='x'");
	assert_false(root_exists(fixture->root, RULES));
	assert_false(root_exists(fixture->root, PATH_MANIFEST));
	assert_false(root_exists(fixture->root, PATH_BACKUP_DIR));
	assert_int_equal(fixture->known->count, 0);
}

static void test_there_and_back(void **state)
{
	struct fixture *fixture = *state;
	char *target = NULL;
	size_t count;

	assert_int_equal(
		install(fixture, make(fixture, "one\n", "elevator=noop"), false, &count),
		0);
	assert_int_equal(count, 3);
	assert_text(fixture, GRUB, "A=1\r\nGRUB_CMDLINE_LINUX='x elevator=noop'");
	assert_int_equal(root_read_link(fixture->root, LINK, &target), 0);
	free(target);
	assert_int_equal(fixture->known->count, 3);
	assert_true(manifest_has_backend(fixture->known, "grub"));
	assert_true(strv_contains(&fixture->known->schedulers, "bfq"));
	/* again: nothing to write */
	assert_int_equal(
		install(fixture, make(fixture, "one\n", "elevator=noop"), false, &count),
		0);
	assert_int_equal(count, 0);
	/* another value and other rules, and back to the first bytes */
	assert_int_equal(
		install(fixture, make(fixture, "two\n", "elevator=cfq"), false, &count),
		0);
	assert_int_equal(count, 2);
	assert_text(fixture, GRUB, "A=1\r\nGRUB_CMDLINE_LINUX='x elevator=cfq'");
	assert_true(root_exists(fixture->root, "etc/systemd/system/a.wants"));
	assert_int_equal(uninstall(fixture, false, &count), 0);
	assert_int_equal(count, 3);
	assert_nothing_left(fixture);
	assert_false(root_exists(fixture->root, "etc/systemd/system/a.wants"));
}

/* Folders that were made go with what is in them; those of others stay, empty or not. */
static void test_folders(void **state)
{
	struct fixture *fixture = *state;
	size_t count;

	test_write(fixture->dir, "etc/systemd/x", "");
	assert_int_equal(root_remove(fixture->root, "etc/systemd/x"), 0);
	assert_int_equal(install(fixture, make(fixture, "one\n", NULL), false, &count), 0);
	assert_int_equal(install(fixture, make(fixture, "two\n", NULL), false, &count), 0);
	assert_true(strv_contains(&fixture->known->folders, "etc/udev"));
	assert_true(strv_contains(&fixture->known->folders, "etc/udev/rules.d"));
	assert_false(strv_contains(&fixture->known->folders, "etc/systemd"));
	/* rules no more: their folders neither */
	assert_int_equal(install(fixture, make(fixture, NULL, NULL), false, &count), 0);
	assert_false(root_exists(fixture->root, "etc/udev"));
	assert_false(strv_contains(&fixture->known->folders, "etc/udev"));
	assert_true(root_exists(fixture->root, "etc/systemd/system"));
	assert_int_equal(install(fixture, make(fixture, "one\n", NULL), false, &count), 0);
	test_write(fixture->dir, "etc/udev/theirs", "");
	assert_int_equal(uninstall(fixture, false, &count), 0);
	assert_nothing_left(fixture);
	assert_false(root_exists(fixture->root, "etc/udev/rules.d"));
	assert_true(root_exists(fixture->root, "etc/udev/theirs"));
	assert_false(root_exists(fixture->root, "etc/systemd/system"));
	assert_true(root_exists(fixture->root, "etc/systemd"));
}

static void test_obsolete_is_removed(void **state)
{
	struct fixture *fixture = *state;
	size_t count;

	assert_int_equal(
		install(fixture, make(fixture, "one\n", "elevator=noop"), false, &count),
		0);
	assert_int_equal(install(fixture, make(fixture, "one\n", NULL), false, &count),
			 0);
	assert_text(fixture, GRUB, "A=1\r\nGRUB_CMDLINE_LINUX='x'");
	assert_int_equal(fixture->known->count, 2);
}

static void test_foreign_file(void **state)
{
	struct fixture *fixture = *state;
	size_t count;

	test_write(fixture->dir, RULES, "# theirs\n");
	assert_int_equal(
		install(fixture, make(fixture, "one\n", "elevator=noop"), false, &count),
		-EEXIST);
	assert_text(fixture, RULES, "# theirs\n");
	assert_text(fixture, GRUB, "A=1\r\nGRUB_CMDLINE_LINUX='x'");
	assert_int_equal(fixture->known->count, 0);
	assert_int_equal(install(fixture, make(fixture, "one\n", NULL), true, &count), 0);
	assert_text(fixture, PATH_BACKUP_DIR "/" RULES, "# theirs\n");
	assert_int_equal(uninstall(fixture, false, &count), 0);
	assert_text(fixture, RULES, "# theirs\n");
	assert_false(root_exists(fixture->root, PATH_BACKUP_DIR));
}

static void test_edited_by_hand(void **state)
{
	struct fixture *fixture = *state;
	struct root_file file = { 0 };
	struct artefact_present present;
	size_t count;

	assert_int_equal(install(fixture, make(fixture, "one\n", NULL), false, &count),
			 0);
	assert_int_equal(root_read_file(fixture->root, RULES, &file), 0);
	file.data[file.len - 2] = 'X';
	test_write(fixture->dir, RULES, file.data);
	assert_int_equal(
		manifest_look(fixture->root, &fixture->known->items[0], &present), 0);
	assert_int_equal(present.state, STATE_EDITED);
	artefact_present_done(&present);
	assert_int_equal(install(fixture, make(fixture, "two\n", NULL), false, &count),
			 -EEXIST);
	assert_text(fixture, RULES, file.data);
	assert_int_equal(uninstall(fixture, false, &count), -EEXIST);
	assert_text(fixture, RULES, file.data);
	assert_int_equal(fixture->known->count, 1);
	assert_int_equal(install(fixture, make(fixture, "two\n", NULL), true, &count), 0);
	assert_text(fixture, PATH_BACKUP_DIR "/" RULES ".edited", file.data);
	assert_int_equal(uninstall(fixture, false, &count), 0);
	assert_nothing_left(fixture);
	root_file_done(&file);
}

/* What somebody wrote outlasts also the next one that is put there and taken out. */
static void test_edited_and_removed(void **state)
{
	struct fixture *fixture = *state;
	struct root_file file = { 0 };
	size_t count;

	assert_int_equal(install(fixture, make(fixture, "one\n", NULL), false, &count), 0);
	assert_int_equal(root_read_file(fixture->root, RULES, &file), 0);
	file.data[file.len - 2] = 'X';
	test_write(fixture->dir, RULES, file.data);
	assert_int_equal(uninstall(fixture, true, &count), 0);
	assert_false(root_exists(fixture->root, RULES));
	assert_text(fixture, PATH_BACKUP_DIR "/" RULES ".removed", file.data);
	assert_int_equal(install(fixture, make(fixture, "two\n", NULL), false, &count), 0);
	assert_int_equal(uninstall(fixture, false, &count), 0);
	assert_text(fixture, PATH_BACKUP_DIR "/" RULES ".removed", file.data);
	root_file_done(&file);
}

static void test_planted_link(void **state)
{
	struct fixture *fixture = *state;
	char path[4096], target[4096];
	size_t count;

	test_write(fixture->dir, "etc/secret", "secret");
	test_write(fixture->dir, "etc/udev/rules.d/other", "");
	snprintf(path, sizeof(path), "%s/%s", fixture->dir, RULES);
	snprintf(target, sizeof(target), "%s/etc/secret", fixture->dir);
	assert_int_equal(symlink(target, path), 0);
	for (int forced = 0; forced < 2; forced++) {
		assert_int_equal(install(fixture, make(fixture, "one\n", "elevator=noop"),
					 forced, &count),
				 -ELOOP);
		assert_text(fixture, "etc/secret", "secret");
		assert_text(fixture, GRUB, "A=1\r\nGRUB_CMDLINE_LINUX='x'");
	}
}

/* The last of three cannot be written: the others are as before. */
static void test_all_or_nothing(void **state)
{
	struct fixture *fixture = *state;
	size_t count;

	test_write(fixture->dir, "etc/systemd/system/a.wants", "a file, no folder\n");
	assert_true(install(fixture, make(fixture, "one\n", "elevator=noop"), false,
			    &count) < 0);
	assert_int_equal(fixture->known->count, 0);
	assert_false(root_exists(fixture->root, RULES));
	assert_false(root_exists(fixture->root, "etc/udev"));
	assert_text(fixture, GRUB, "A=1\r\nGRUB_CMDLINE_LINUX='x'");
	assert_false(root_exists(fixture->root, PATH_BACKUP_DIR "/" GRUB));
}

static void test_boot_file_changed_meanwhile(void **state)
{
	struct fixture *fixture = *state;
	struct artefact_present present;
	size_t count;

	assert_int_equal(
		install(fixture, make(fixture, NULL, "elevator=noop"), false, &count), 0);
	test_write(fixture->dir, GRUB, "A=2\r\nGRUB_CMDLINE_LINUX='x elevator=noop y'");
	assert_int_equal(
		manifest_look(fixture->root, &fixture->known->items[0], &present), 0);
	assert_int_equal(present.state, STATE_OURS);
	artefact_present_done(&present);
	assert_int_equal(uninstall(fixture, false, &count), 0);
	assert_text(fixture, GRUB, "A=2\r\nGRUB_CMDLINE_LINUX='x y'");
	assert_int_equal(fixture->known->count, 0);
}

static void test_boot_file_not_understood(void **state)
{
	struct fixture *fixture = *state;
	size_t count;

	assert_int_equal(
		install(fixture, make(fixture, NULL, "elevator=noop"), false, &count), 0);
	test_write(fixture->dir, GRUB, "GRUB_CMDLINE_LINUX='x elevator=noop");
	assert_int_equal(uninstall(fixture, true, &count), -EINVAL);
	assert_text(fixture, GRUB, "GRUB_CMDLINE_LINUX='x elevator=noop");
	assert_int_equal(fixture->known->count, 1);
}

static void test_diff(void **state)
{
	struct fixture *fixture = *state;
	struct artefacts set = make(fixture, "one\n", "elevator=noop");
	struct text text = { 0 };
	struct strv all = { 0 };
	size_t count;

	reload(fixture);
	assert_int_equal(install_diff(fixture->root, &set, fixture->known, &text), 0);
	artefacts_done(&set);
	assert_non_null(strstr(text.data, "+++ b/" RULES "\n"));
	assert_non_null(strstr(text.data, "+GRUB_CMDLINE_LINUX='x elevator=noop'\n"));
	assert_non_null(strstr(text.data, "+../x.service\n"));
	assert_false(root_exists(fixture->root, RULES));
	text_done(&text);
	assert_int_equal(
		install(fixture, make(fixture, "one\n", "elevator=noop"), false, &count),
		0);
	assert_int_equal(install_diff_remove(fixture->root, fixture->known, &all, &text),
			 0);
	assert_non_null(strstr(text.data, "--- a/" RULES "\n+++ /dev/null\n"));
	assert_non_null(strstr(text.data, "+GRUB_CMDLINE_LINUX='x'\n"));
	assert_non_null(strstr(text.data, "-../x.service\n"));
	text_done(&text);
}

static void test_bad_manifest(void **state)
{
	static const char *const texts[] = {
		"",
		"{",
		"[]",
		"{}",
		"{\"version\":2,\"profile\":\"p\",\"artefacts\":[]}",
		"{\"version\":1,\"profile\":\"p\",\"artefacts\":[{\"kind\":\"file\"}]}",
		"{\"version\":1,\"profile\":\"p\",\"artefacts\":[{\"kind\":\"file\","
		"\"path\":"
		"\"/abs\",\"backend\":\"udev\",\"hash\":\"0000000000000000\"}]}",
		"{\"version\":1,\"profile\":\"p\",\"artefacts\":[{\"kind\":\"edit\","
		"\"path\":"
		"\"x\",\"backend\":\"udev\",\"hash\":\"0000000000000000\",\"format\":9,"
		"\"argument\":\"a\"}]}",
	};
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		struct manifest *manifest = NULL;
		struct diag diag = { 0 };

		test_write(fixture->dir, PATH_MANIFEST, texts[i]);
		if (manifest_load(fixture->root, &manifest, &diag) != -EBADMSG)
			fail_msg("accepted: %s", texts[i]);
		assert_null(manifest);
		assert_true(diag.text[0]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_there_and_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_folders, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_obsolete_is_removed, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_foreign_file, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_edited_by_hand, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_edited_and_removed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_planted_link, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_all_or_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_boot_file_changed_meanwhile, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_boot_file_not_understood, set_up,
						tear_down),
		cmocka_unit_test_setup_teardown(test_diff, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_bad_manifest, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
