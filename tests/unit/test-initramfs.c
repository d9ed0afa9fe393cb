// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Scheduler modules and what the initial RAM disk is told of them (user problem 12).
 */
#include "test.h"

#include "device/host.h"
#include "persist-tree.h"
#include "persist/initramfs.h"

static void assert_advice(struct tree *tree, const char *tool, const char *path,
			  const char *line, bool is_configured)
{
	struct initramfs_advice advice;

	assert_int_equal(initramfs_advise(tree->root, "bfq", &advice), 0);
	assert_true(text_equal(advice.tool, tool));
	if (tool) {
		assert_string_equal(advice.path, path);
		assert_string_equal(advice.line, line);
		assert_int_equal(advice.is_configured, is_configured);
	}
	initramfs_advice_done(&advice);
}

static void test_advice(void **state)
{
	struct tree *tree = tree_new();
	const char *modules = "etc/initramfs-tools/modules";
	const char *dracut = "etc/dracut.conf.d/iosched-tune.conf";

	(void)state;
	assert_advice(tree, NULL, NULL, NULL, false);
	tree_write(tree, "usr/bin/dracut", "");
	assert_advice(tree, "dracut", dracut, "add_drivers+=\" bfq \"", false);
	tree_write(tree, "etc/dracut.conf.d/10-x.conf",
		   "# add_drivers+=\" bfq \"\nbfq2\n");
	assert_advice(tree, "dracut", dracut, "add_drivers+=\" bfq \"", false);
	tree_write(tree, "etc/dracut.conf.d/20-y.conf", "force_drivers+=\"xfs bfq\"\n");
	assert_advice(tree, "dracut", dracut, "add_drivers+=\" bfq \"", true);
	tree_write(tree, modules, "# list\nbfq_extra\n");
	assert_advice(tree, "initramfs-tools", modules, "bfq", false);
	tree_write(tree, modules, "loop\nbfq\n");
	assert_advice(tree, "initramfs-tools", modules, "bfq", true);
	tree_free(tree);
}

static void test_schedulers(void **state)
{
	struct tree *tree = tree_new();
	struct strv found = { 0 };

	(void)state;
	tree_write(tree, "proc/sys/kernel/osrelease", "6.1.0");
	tree_write(tree, "lib/modules/6.1.0/modules.dep", "kernel/block/bfq.ko:\n");
	tree_write(tree, "lib/modules/6.1.0/modules.builtin",
		   "kernel/block/mq-deadline.ko\n");
	tree_add_disk(tree, "sda", "[none] mq-deadline\n");
	tree_add_disk(tree, "sdb", "[none] mq-deadline\n");
	tree_read(tree, "multi-tenant");
	assert_int_equal(initramfs_list_schedulers(tree->root, tree->devices->host,
						   tree->policy, &found),
			 0);
	assert_int_equal(found.count, 1);
	assert_string_equal(found.items[0], "bfq");
	strv_done(&found);
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_advice),
		cmocka_unit_test(test_schedulers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
