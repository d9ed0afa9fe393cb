// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which link is broken: a module that is missing, a file that is gone, another rule, a
 * value that was changed by hand (user problems 7 and 26).
 */
#include "test.h"

#include <errno.h>

#include "persist-tree.h"
#include "persist/install.h"
#include "persist/places.h"
#include "persist/status.h"

#define GRUB "etc/default/grub"

static struct tree *make_tree(void)
{
	struct tree *tree = tree_new();

	tree_write(tree, "proc/sys/kernel/osrelease", "6.1.0");
	tree_write(tree, "proc/cmdline", "BOOT_IMAGE=/v ro");
	tree_write(tree, "lib/modules/6.1.0/modules.dep", "kernel/block/bfq.ko:\n");
	tree_write(tree, "sbin/udevd", "");
	tree_add_disk(tree, "sda", "none mq-deadline [bfq]\n");
	tree_write(tree, "sys/devices/sda/block/sda/queue/iosched/low_latency", "0\n");
	tree_read(tree, "multi-tenant");
	return tree;
}

static struct manifest *install(struct tree *tree, const struct persist_backend *backend)
{
	struct artefacts set = { 0 };
	struct manifest *known = NULL;
	struct strv schedulers = { 0 };
	struct diag diag = { 0 };
	size_t written;

	assert_int_equal(backend->render(&tree->input, &set, &diag), 0);
	assert_int_equal(strv_add(&schedulers, "bfq"), 0);
	assert_int_equal(manifest_load(tree->root, &known, &diag), 0);
	assert_int_equal(install_write(tree->root, "multi-tenant", &set, &schedulers,
				       known, false, &written, &diag),
			 0);
	manifest_free(known);
	known = NULL;
	assert_int_equal(manifest_load(tree->root, &known, &diag), 0);
	artefacts_done(&set);
	strv_done(&schedulers);
	return known;
}

/* The links that are broken: "link subject", joined with ';'. */
static void assert_broken(struct tree *tree, const struct manifest *known,
			  const char *expected)
{
	struct persist_status status = { 0 };
	struct plan *plan = NULL;
	char broken[1024] = "";

	assert_int_equal(plan_make(tree->policy, &plan), 0);
	assert_int_equal(persist_status_find(&tree->input, known, plan, &status), 0);
	for (size_t i = 0; i < status.count; i++) {
		const struct persist_check *check = &status.items[i];
		char line[300];

		if (check->verdict != VERDICT_BROKEN)
			continue;
		snprintf(line, sizeof(line), "%s%s %.200s", *broken ? ";" : "",
			 check->link, check->subject);
		strcat(broken, line);
	}
	assert_string_equal(broken, expected);
	assert_int_equal(persist_status_is_broken(&status), *expected != '\0');
	persist_status_done(&status);
	plan_free(plan);
}

static void rescan(struct tree *tree)
{
	struct diag diag = { 0 };

	policy_free(tree->policy);
	device_list_free(tree->devices);
	tree->policy = NULL;
	tree->devices = NULL;
	assert_int_equal(
		device_scan(tree->root, SCAN_ALL, NULL, 0, &tree->devices, &diag), 0);
	assert_int_equal(
		policy_resolve(tree->devices, &tree->request, &tree->policy, &diag), 0);
	tree->input.devices = tree->devices;
	tree->input.resolved = tree->policy;
}

static void test_holds(void **state)
{
	struct tree *tree = make_tree();
	struct manifest *known = install(tree, &backend_udev);

	(void)state;
	assert_broken(tree, known, "");
	manifest_free(known);
	tree_free(tree);
}

static void test_file_gone_edited_replaced(void **state)
{
	struct tree *tree = make_tree();
	struct manifest *known = install(tree, &backend_udev);
	struct root_file file = { 0 };

	(void)state;
	assert_int_equal(root_read_file(tree->root, PLACE_RULES, &file), 0);
	assert_int_equal(root_remove(tree->root, PLACE_RULES), 0);
	assert_broken(tree, known, "artefact /etc/udev/rules.d/99-iosched-tune.rules");
	file.data[file.len - 3] = 'X';
	tree_write(tree, PLACE_RULES, file.data);
	assert_broken(tree, known, "artefact /etc/udev/rules.d/99-iosched-tune.rules");
	tree_write(tree, PLACE_RULES, "# theirs\n");
	assert_broken(tree, known, "artefact /etc/udev/rules.d/99-iosched-tune.rules");
	root_file_done(&file);
	manifest_free(known);
	tree_free(tree);
}

/* Not broken, but told: the files are those of an older policy. */
static void test_policy_changed(void **state)
{
	struct tree *tree = make_tree();
	struct manifest *known = install(tree, &backend_udev);
	struct profile *other = NULL;
	struct persist_status status = { 0 };
	struct diag diag = { 0 };
	size_t notes = 0;

	(void)state;
	assert_int_equal(profile_load(tree->root, "profiles", "streaming", &other, &diag),
			 0);
	profile_free(tree->profile);
	tree->profile = other;
	tree->request.profile = other;
	assert_int_equal(persist_status_find(&tree->input, known, NULL, &status), 0);
	for (size_t i = 0; i < status.count; i++)
		notes += !strcmp(status.items[i].link, "policy");
	assert_int_equal(notes, 1);
	assert_false(persist_status_is_broken(&status));
	persist_status_done(&status);
	manifest_free(known);
	tree_free(tree);
}

static void test_module_missing(void **state)
{
	struct tree *tree = make_tree();
	struct manifest *known = install(tree, &backend_udev);

	(void)state;
	tree_write(tree, "lib/modules/6.1.0/modules.dep", "");
	tree_write(tree, "sys/devices/sda/block/sda/queue/scheduler",
		   "none [mq-deadline]\n");
	rescan(tree);
	assert_broken(tree, known, "module bfq");
	manifest_free(known);
	tree_free(tree);
}

static void test_other_rule(void **state)
{
	struct tree *tree = make_tree();
	struct manifest *known = install(tree, &backend_udev);

	(void)state;
	/* before ours: ours wins, so it is only told */
	tree_write(tree, "lib/udev/rules.d/60-io.rules",
		   "ATTR{queue/scheduler}=\"none\"\n");
	assert_broken(tree, known, "");
	tree_write(tree, "etc/udev/rules.d/99-z.rules",
		   "\nATTR{queue/scheduler}=\"none\"\n");
	assert_broken(tree, known, "conflict /etc/udev/rules.d/99-z.rules:2");
	manifest_free(known);
	tree_free(tree);
}

static void test_changed_by_hand(void **state)
{
	struct tree *tree = make_tree();
	struct manifest *known = install(tree, &backend_udev);

	(void)state;
	tree_write(tree, "sys/devices/sda/block/sda/queue/scheduler",
		   "[none] mq-deadline bfq\n");
	rescan(tree);
	assert_broken(tree, known, "live-state sda;live-state sda");
	manifest_free(known);
	tree_free(tree);
}

static void test_reader_gone(void **state)
{
	struct tree *tree = make_tree();
	struct manifest *known = install(tree, &backend_udev);

	(void)state;
	assert_int_equal(root_remove(tree->root, "sbin/udevd"), 0);
	assert_broken(tree, known, "udev udev");
	manifest_free(known);
	tree_write(tree, "lib/systemd/systemd", "");
	known = install(tree, &backend_systemd);
	assert_broken(tree, known, "");
	assert_int_equal(root_remove(tree->root, PLACE_LINK), 0);
	assert_broken(
		tree, known,
		"artefact /etc/systemd/system/basic.target.wants/iosched-tune.service;"
		"systemd iosched-tune.service");
	manifest_free(known);
	tree_free(tree);
}

static void test_boot_line(void **state)
{
	struct tree *tree = make_tree();
	struct manifest *known;

	(void)state;
	tree_write(tree, GRUB, "GRUB_CMDLINE_LINUX=\"ro\"\n");
	tree->input.is_forced = true;
	known = install(tree, &backend_grub);
	assert_broken(tree, known, "boot-line elevator=bfq");
	tree_write(tree, "boot/grub/grub.cfg", "linux /v ro elevator=bfq\n");
	assert_broken(tree, known, "boot-line elevator=bfq");
	tree_write(tree, "proc/cmdline", "BOOT_IMAGE=/v ro elevator=bfq");
	assert_broken(tree, known, "");
	tree_write(tree, GRUB, "GRUB_CMDLINE_LINUX=\"ro\"\n");
	assert_broken(tree, known, "artefact /etc/default/grub");
	manifest_free(known);
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_holds),
		cmocka_unit_test(test_file_gone_edited_replaced),
		cmocka_unit_test(test_policy_changed),
		cmocka_unit_test(test_module_missing),
		cmocka_unit_test(test_other_rule),
		cmocka_unit_test(test_changed_by_hand),
		cmocka_unit_test(test_reader_gone),
		cmocka_unit_test(test_boot_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
