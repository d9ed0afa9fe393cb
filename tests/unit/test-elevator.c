// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where elevator= has an effect, and the value that it gets (user problem 3).
 */
#include "test.h"

#include "persist-tree.h"
#include "persist/elevator.h"

#define RELEASE "proc/sys/kernel/osrelease"
#define LEGACY  "noop deadline [cfq]\n"
#define MQ      "[mq-deadline] kyber none\n"
#define RULE                                                                             \
	"SUBSYSTEM!=\"block\", GOTO=\"e\"\nIMPORT{cmdline}=\"elevator\"\n"               \
	"ENV{elevator}!=\"\", ATTR{queue/scheduler}=\"$env{elevator}\"\nLABEL=\"e\"\n"

static const struct {
	const char *release, *schedulers, *rule;
	bool has_effect;
	const char *argument, *why; /* a part of it */
} cases[] = {
	{ "2.6.18-8.el5", "noop anticipatory deadline [cfq]\n", NULL, true,
	  "elevator=deadline", NULL },
	{ "3.10.0", LEGACY, NULL, true, "elevator=deadline", NULL },
	{ "4.19.90", LEGACY, NULL, true, "elevator=deadline", NULL },
	{ "4.19.90", MQ, NULL, false, "elevator=mq-deadline", "blk-mq" },
	{ "5.0.0", MQ, NULL, false, "elevator=mq-deadline", "no legacy queues" },
	{ "5.4.0", MQ, NULL, false, "elevator=mq-deadline", "no legacy queues" },
	{ "6.1.0", MQ, NULL, false, "elevator=mq-deadline", "only warns" },
	{ "6.1.0", MQ, "usr/lib/udev/rules.d/40-elevator.rules", true,
	  "elevator=mq-deadline", NULL },
	{ "4.18.0-80.el8", MQ, "lib/udev/rules.d/40-elevator.rules", true,
	  "elevator=mq-deadline", NULL },
	{ NULL, NULL, NULL, false, "elevator=mq-deadline", "cannot be told" },
};

static void test_effect(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct tree *tree = tree_new();
		struct elevator found;

		if (cases[i].release)
			tree_write(tree, RELEASE, cases[i].release);
		if (cases[i].schedulers)
			tree_add_disk(tree, "sda", cases[i].schedulers);
		if (cases[i].rule)
			tree_write(tree, cases[i].rule, RULE);
		tree_read(tree, "database");
		assert_int_equal(elevator_judge(&tree->input, &found), 0);
		if (found.has_effect != cases[i].has_effect ||
		    !text_equal(found.argument, cases[i].argument))
			fail_msg("case %zu: %d %s %s", i, found.has_effect,
				 found.argument, found.why);
		if (cases[i].why && !strstr(found.why, cases[i].why))
			fail_msg("case %zu: %s", i, found.why);
		assert_true(text_equal(found.rule, cases[i].rule));
		elevator_done(&found);
		tree_free(tree);
	}
}

/* A tree without sysfs: the newest kernel in it will be booted. */
static void test_image(void **state)
{
	struct tree *tree = tree_new();
	struct elevator found;

	(void)state;
	tree_write(tree, "lib/modules/4.9.0-1/x", "");
	tree_write(tree, "lib/modules/4.19.0-9/x", "");
	tree_read(tree, "database");
	assert_int_equal(elevator_kernel(&tree->input).minor, 19);
	assert_int_equal(elevator_judge(&tree->input, &found), 0);
	assert_true(found.has_effect);
	assert_string_equal(found.argument, "elevator=deadline");
	elevator_done(&found);
	tree_write(tree, "lib/modules/6.1.0-18/x", "");
	assert_int_equal(elevator_judge(&tree->input, &found), 0);
	assert_false(found.has_effect);
	elevator_done(&found);
	tree_free(tree);
}

static void test_mixed(void **state)
{
	struct tree *tree = tree_new();
	struct elevator found;

	(void)state;
	tree_write(tree, RELEASE, "4.19.0");
	tree_add_disk(tree, "sda", LEGACY);
	tree_add_disk(tree, "sdb", LEGACY);
	tree_add_disk(tree, "sdc", "noop [cfq]\n");
	tree_read(tree, "database");
	assert_int_equal(elevator_judge(&tree->input, &found), 0);
	assert_true(found.is_mixed);
	assert_string_equal(found.argument, "elevator=deadline");
	elevator_done(&found);
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_effect),
		cmocka_unit_test(test_image),
		cmocka_unit_test(test_mixed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
