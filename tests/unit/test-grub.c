// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The grub backend: which files get the argument on which system, and when it is refused
 * (user problems 3, 20, 25).
 */
#include "test.h"

#include <errno.h>

#include "persist-tree.h"

static struct tree *make_tree(const char *os_release)
{
	struct tree *tree = tree_new();

	tree_write(tree, "proc/sys/kernel/osrelease", "4.19.90");
	tree_write(tree, "proc/cmdline", "BOOT_IMAGE=/vmlinuz root=/dev/sda1");
	tree_write(tree, "etc/os-release", os_release);
	tree_add_disk(tree, "sda", "noop deadline [cfq]\n");
	tree_read(tree, "balanced");
	return tree;
}

/* The paths of the artefacts, joined with blanks. */
static void assert_files(struct tree *tree, const char *expected)
{
	struct artefacts set = { 0 };
	struct diag diag = { 0 };
	char paths[1024] = "";

	if (backend_grub.check(&tree->input, &diag) ||
	    backend_grub.render(&tree->input, &set, &diag))
		fail_msg("%s: %s", diag.where, diag.text);
	for (size_t i = 0; i < set.count; i++) {
		strcat(paths, i ? " " : "");
		strcat(paths, set.items[i].path);
		assert_non_null(strstr(set.items[i].content, "elevator=deadline"));
	}
	assert_string_equal(paths, expected);
	artefacts_done(&set);
}

static void test_drop_in(void **state)
{
	struct tree *tree = make_tree("ID=debian\n");

	(void)state;
	tree_write(tree, "etc/default/grub", "GRUB_CMDLINE_LINUX=\"quiet\"\n");
	assert_files(tree, "etc/default/grub.d/99-iosched-tune.cfg");
	/* one that is there already has to change where it stands */
	tree_write(tree, "etc/default/grub.d/50-cloud.cfg",
		   "GRUB_CMDLINE_LINUX=elevator=noop\n");
	assert_files(tree, "etc/default/grub.d/50-cloud.cfg");
	tree_write(tree, "etc/default/grub",
		   "GRUB_CMDLINE_LINUX_DEFAULT=\"elevator=noop\"\n");
	assert_files(tree, "etc/default/grub.d/50-cloud.cfg etc/default/grub");
	tree_free(tree);
}

static void test_defaults_and_entries(void **state)
{
	struct tree *tree = make_tree("ID=\"rhel\"\n");

	(void)state;
	tree_write(tree, "etc/default/grub", "GRUB_CMDLINE_LINUX=\"quiet\"\n");
	assert_files(tree, "etc/default/grub");
	tree_write(tree, "etc/default/grub",
		   "GRUB_CMDLINE_LINUX=\"quiet\"\nGRUB_ENABLE_BLSCFG=true\n");
	tree_write(tree, "boot/loader/entries/a.conf", "options root=/dev/sda1\n");
	tree_write(tree, "etc/kernel/cmdline", "root=/dev/sda1\n");
	assert_files(tree,
		     "etc/default/grub boot/loader/entries/a.conf etc/kernel/cmdline");
	tree_free(tree);
}

static void test_legacy(void **state)
{
	struct tree *tree = make_tree("ID=x\n");

	(void)state;
	tree_write(tree, "boot/grub/menu.lst", "title a\nkernel /v ro\n");
	assert_files(tree, "boot/grub/menu.lst");
	tree_free(tree);
}

static void assert_refused(struct tree *tree, const char *why, const char *hint)
{
	struct diag diag = { 0 };

	assert_int_equal(backend_grub.check(&tree->input, &diag), -ENOTSUP);
	if (!strstr(diag.text, why) || !strstr(diag.hint, hint))
		fail_msg("%s; %s", diag.text, diag.hint);
}

static void test_refused(void **state)
{
	struct tree *tree = make_tree("ID=debian\n");

	(void)state;
	assert_refused(tree, "there is no GRUB here", "--method udev");
	tree_write(tree, "etc/default/grub", "");
	tree_write(tree, "proc/cmdline", "console=ttyS0 root=/dev/vda");
	assert_refused(tree, "not booted by GRUB", "--method udev");
	tree->input.is_forced = true; /* no force makes GRUB boot the machine */
	assert_refused(tree, "not booted by GRUB", "--method udev");
	tree_free(tree);
}

static void test_not_understood(void **state)
{
	struct tree *tree = make_tree("ID=rhel\n");
	struct artefacts set = { 0 };
	struct diag diag = { 0 };
	char path[4096];

	(void)state;
	tree_write(tree, "etc/default/grub", "A=1\nGRUB_CMDLINE_LINUX=\"quiet\n");
	assert_int_equal(backend_grub.render(&tree->input, &set, &diag), -EINVAL);
	assert_string_equal(diag.where, "/etc/default/grub");
	assert_int_equal(diag.line, 2);
	assert_non_null(strstr(diag.hint, "elevator=deadline"));
	artefacts_done(&set);
	snprintf(path, sizeof(path), "%s/etc/default/grub", tree->dir);
	unlink(path);
	assert_int_equal(symlink("../os-release", path), 0);
	diag = (struct diag){ 0 };
	assert_int_equal(backend_grub.render(&tree->input, &set, &diag), -ELOOP);
	artefacts_done(&set);
	tree_free(tree);
}

static void test_force_is_plain(void **state)
{
	struct tree *tree = tree_new();
	struct artefacts set = { 0 };
	struct diag diag = { 0 };

	(void)state;
	tree_write(tree, "proc/sys/kernel/osrelease", "6.1.0");
	tree_write(tree, "proc/cmdline", "BOOT_IMAGE=/vmlinuz");
	tree_write(tree, "etc/default/grub", "");
	tree_add_disk(tree, "sda", "[none] mq-deadline\n");
	tree_read(tree, "balanced");
	assert_refused(tree, "no effect: Linux 6.1", "--method udev");
	tree->input.is_forced = true;
	assert_int_equal(backend_grub.check(&tree->input, &diag), 0);
	assert_int_equal(backend_grub.render(&tree->input, &set, &diag), 0);
	assert_true(set.notes.count > 0);
	assert_non_null(strstr(set.notes.items[0], "has no effect"));
	artefacts_done(&set);
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_drop_in),
		cmocka_unit_test(test_defaults_and_entries),
		cmocka_unit_test(test_legacy),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_not_understood),
		cmocka_unit_test(test_force_is_plain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
