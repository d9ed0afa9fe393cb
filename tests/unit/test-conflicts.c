// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who else sets schedulers, by file and line (user problem 7).
 */
#include "test.h"

#include "persist-tree.h"
#include "persist/conflicts.h"

#define RULES "99-iosched-tune.rules"

/* "owner path:line" of each, one a line. */
static char *list(struct tree *tree, const char *argument)
{
	struct conflicts found = { 0 };
	struct text text = { 0 };
	char *out = NULL;

	assert_int_equal(conflicts_find(tree->root, RULES, argument, &found), 0);
	for (size_t i = 0; i < found.count; i++)
		text_addf(&text, "%s %s:%u%s\n", found.items[i].owner,
			  found.items[i].path, found.items[i].line,
			  found.items[i].comes_later ? " later"
			  : found.items[i].is_stale  ? " stale"
						     : "");
	assert_int_equal(text_take(&text, &out), 0);
	conflicts_done(&found);
	return out;
}

static void assert_found(struct tree *tree, const char *argument, const char *expected)
{
	char *out = list(tree, argument);

	assert_string_equal(out, expected);
	free(out);
	tree_free(tree);
}

/* What is said about the first. */
static void assert_advice(struct tree *tree, const char *expected)
{
	struct conflicts found = { 0 };

	assert_int_equal(conflicts_find(tree->root, RULES, NULL, &found), 0);
	assert_true(found.count > 0);
	assert_non_null(strstr(found.items[0].advice, expected));
	conflicts_done(&found);
}

static void test_rules(void **state)
{
	struct tree *tree = tree_new();
	char path[4096];

	(void)state;
	tree_write(tree, "usr/lib/udev/rules.d/60-io-scheduler.rules",
		   "# ATTR{queue/scheduler}=\"x\"\nACTION==\"add\", "
		   "ATTR{queue/scheduler}==\"y\"\n"
		   "KERNEL==\"loop*\", ATTR{queue/rotational}==\"0\", "
		   "ATTR{queue/scheduler} = \"bfq\"\n");
	tree_write(tree, "etc/udev/rules.d/99-zz.rules",
		   "ATTR{queue/read_ahead_kb}=\"1\"\n");
	tree_write(tree, "etc/udev/rules.d/50-run.rules",
		   "RUN+=\"/bin/sh -c 'echo none > /sys/block/%k/queue/scheduler'\"\n");
	/* replaced by an empty file in /etc, masked, ours */
	tree_write(tree, "usr/lib/udev/rules.d/10-a.rules",
		   "ATTR{queue/scheduler}=\"x\"\n");
	tree_write(tree, "etc/udev/rules.d/10-a.rules", "\n");
	tree_write(tree, "usr/lib/udev/rules.d/20-b.rules",
		   "ATTR{queue/scheduler}=\"x\"\n");
	snprintf(path, sizeof(path), "%s/etc/udev/rules.d/20-b.rules", tree->dir);
	assert_int_equal(symlink("/dev/null", path), 0);
	tree_write(tree, "etc/udev/rules.d/99-iosched-tune.rules",
		   "# Written by iosched-tune for x\nATTR{queue/scheduler}=\"none\"\n");
	assert_found(tree, NULL,
		     "udev rule etc/udev/rules.d/50-run.rules:1\n"
		     "udev rule etc/udev/rules.d/99-zz.rules:1 later\n"
		     "udev rule usr/lib/udev/rules.d/60-io-scheduler.rules:3\n");
}

static void test_managers(void **state)
{
	struct tree *tree = tree_new();

	(void)state;
	tree_write(tree, "etc/tuned/active_profile", "my-db\n");
	tree_write(tree, "etc/tuned/my-db/tuned.conf",
		   "[main]\ninclude=throughput-performance\n[disk]\nreadahead=>4096\n");
	tree_write(tree, "usr/lib/tuned/throughput-performance/tuned.conf",
		   "[disk]\n# elevator=x\n elevator = deadline\n");
	tree_write(tree, "usr/lib/tuned/idle/tuned.conf", "[disk]\nelevator=cfq\n");
	tree_write(tree, "etc/sysconfig/saptune",
		   "NOTE_APPLY_ORDER=\"941735 1984787\"\n");
	tree_write(tree, "etc/saptune/override/1984787", "[block]\nIO_SCHEDULER=none\n");
	tree_write(tree, "var/lib/saptune/working/notes/1984787", "IO_SCHEDULER=noop\n");
	tree_write(tree, "var/lib/saptune/working/notes/1", "IO_SCHEDULER=noop\n");
	tree_write(tree, "etc/tlp.conf", "#DISK_IOSCHED=\"bfq\"\nDISK_DEVICES=\"sda\"\n");
	tree_write(tree, "etc/tlp.d/10-mine.conf", "DISK_IOSCHED=\"bfq\"\n");
	assert_found(tree, NULL,
		     "tuned etc/tuned/my-db/tuned.conf:4\n"
		     "tuned usr/lib/tuned/throughput-performance/tuned.conf:3\n"
		     "saptune etc/saptune/override/1984787:2\n"
		     "TLP etc/tlp.d/10-mine.conf:1\n");
}

/* A profile that includes itself ends all the same. */
static void test_tuned_loop(void **state)
{
	struct tree *tree = tree_new();
	char *out;

	(void)state;
	tree_write(tree, "etc/tuned/active_profile", "a\n");
	tree_write(tree, "etc/tuned/a/tuned.conf", "[main]\ninclude=a\n");
	out = list(tree, NULL);
	assert_string_equal(out, "");
	free(out);
	tree_free(tree);
}

static void test_arguments(void **state)
{
	struct tree *tree = tree_new();

	(void)state;
	tree_write(tree, "proc/cmdline",
		   "BOOT_IMAGE=/v elevator=noop scsi_mod.use_blk_mq=1 quiet\n");
	tree_write(tree, "etc/default/grub",
		   "# elevator=x\n\nGRUB_CMDLINE_LINUX=\"quiet elevator=noop\"\n");
	assert_found(tree, NULL,
		     "kernel argument proc/cmdline:1 stale\n"
		     "kernel argument proc/cmdline:1 stale\n"
		     "boot loader etc/default/grub:3 stale\n");
	/* a rule of the distribution reads the one, and nobody the other */
	tree = tree_new();
	tree_write(tree, "proc/sys/kernel/osrelease", "5.14.0-427.el9.x86_64\n");
	tree_write(tree, "usr/lib/udev/rules.d/40-elevator.rules",
		   "ACTION==\"add\", IMPORT{cmdline}=\"elevator\"\n");
	tree_write(tree, "proc/cmdline", "elevator=noop scsi_mod.use_blk_mq=1\n");
	assert_advice(tree, "a rule of the distribution reads it");
	assert_found(tree, NULL,
		     "kernel argument proc/cmdline:1\n"
		     "kernel argument proc/cmdline:1 stale\n");
	/* with legacy queues it chooses, and which kind of queue a disk has is no conflict */
	tree = tree_new();
	tree_write(tree, "proc/sys/kernel/osrelease", "4.19.90-kylin\n");
	tree_write(tree, "proc/cmdline",
		   "BOOT_IMAGE=/v elevator=noop scsi_mod.use_blk_mq=0 quiet\n");
	assert_advice(tree, "until something else sets it");
	assert_found(tree, NULL, "kernel argument proc/cmdline:1\n");
	/* a tree that does not run: the newest kernel in it */
	tree = tree_new();
	tree_write(tree, "lib/modules/4.18.0/modules.dep", "");
	tree_write(tree, "etc/default/grub", "GRUB_CMDLINE_LINUX=\"elevator=noop\"\n");
	assert_advice(tree, "until something else sets it");
	tree_write(tree, "lib/modules/5.10.0/modules.dep", "");
	assert_advice(tree, "without effect since Linux 5.0");
	tree_free(tree);
	/* what we have put there ourselves is none */
	tree = tree_new();
	tree_write(tree, "proc/cmdline", "BOOT_IMAGE=/v elevator=noop");
	tree_write(tree, "etc/default/grub", "GRUB_CMDLINE_LINUX=\"elevator=noop\"\n");
	assert_found(tree, "elevator=noop", "");
}

static void test_scripts(void **state)
{
	struct tree *tree = tree_new();

	(void)state;
	tree_write(tree, "etc/rc.local",
		   "#!/bin/sh\n# echo none > /sys/block/sda/queue/scheduler\n"
		   "echo none > /sys/block/sda/queue/scheduler\ncat "
		   "/sys/block/sda/queue/x\nexit 0\n");
	tree_write(tree, "etc/systemd/system/disk.service",
		   "[Service]\nExecStart=/bin/sh -c 'echo bfq > "
		   "/sys/block/sda/queue/scheduler'\n");
	tree_write(tree, "etc/tmpfiles.d/disk.conf",
		   "w /sys/block/sda/queue/scheduler - - - - none\n");
	tree_write(tree, "etc/sysfs.d/disk.conf", "block/sda/queue/scheduler = none\n");
	assert_found(tree, NULL,
		     "rc.local etc/rc.local:3\nsystemd unit "
		     "etc/systemd/system/disk.service:2\n"
		     "tmpfiles.d etc/tmpfiles.d/disk.conf:1\nsysfsutils "
		     "etc/sysfs.d/disk.conf:1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules),      cmocka_unit_test(test_managers),
		cmocka_unit_test(test_tuned_loop), cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_scripts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
