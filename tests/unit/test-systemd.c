// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The systemd backend: words of a command line, the files and the link. That systemd takes
 * them is checked by tests/cli/generate.sh.
 */
#include "test.h"

#include <errno.h>

#include "persist-tree.h"
#include "persist/systemd-bus.h"
#include "persist/systemd-unit.h"
#include "util/feature.h"

static void assert_word(const char *word, const char *expected)
{
	struct text text = { 0 };

	systemd_add_word(&text, word);
	assert_string_equal(text.data, expected);
	text_done(&text);
}

static void test_words(void **state)
{
	(void)state;
	assert_word("/usr/bin/iosched-tune", "/usr/bin/iosched-tune");
	assert_word("a b", "\"a b\"");
	assert_word("", "\"\"");
	assert_word("50%", "\"50%%\"");
	assert_word("$HOME", "\"$$HOME\"");
	assert_word("a\"b\\c", "\"a\\\"b\\\\c\"");
	assert_word("a\nExecStart=/bin/sh", "\"a\\x0aExecStart=/bin/sh\"");
	assert_word("x;y", "\"x;y\"");
}

static void test_files(void **state)
{
	struct tree *tree = tree_new();
	struct artefacts set = { 0 };
	struct diag diag = { 0 };

	(void)state;
	tree_write(tree, "lib/systemd/systemd", "");
	tree_read(tree, "balanced");
	tree->input.profile = "/etc/my profile.json";
	assert_int_equal(backend_systemd.render(&tree->input, &set, &diag), 0);
	assert_int_equal(set.count, 3); /* no udev here: no rule for later disks */
	assert_string_equal(set.items[0].path, "etc/systemd/system/iosched-tune.service");
	assert_non_null(strstr(set.items[0].content,
			       "ExecStart=/usr/bin/iosched-tune --quiet apply --profile "
			       "\"/etc/my profile.json\" --lock-timeout 60\n"));
	/* the run that finds what came during the first one */
	assert_non_null(
		strstr(set.items[0].content,
		       "ExecStopPost=/usr/bin/iosched-tune --quiet apply --profile "
		       "\"/etc/my profile.json\" --lock-timeout 60\n"));
	assert_non_null(strstr(set.items[1].content,
			       " --lock-timeout 60 --wait-paths 10 -- %i\n"));
	assert_null(strstr(set.items[1].content, "ExecStopPost"));
	assert_string_equal(set.items[2].target,
			    "/etc/systemd/system/iosched-tune.service");
	artefacts_done(&set);
	tree_write(tree, "sbin/udevd", "");
	assert_int_equal(backend_systemd.render(&tree->input, &set, &diag), 0);
	assert_int_equal(set.count, 4);
	assert_string_equal(set.items[2].path,
			    "etc/udev/rules.d/99-iosched-tune-systemd.rules");
	assert_non_null(
		strstr(set.items[2].content,
		       "ENV{NVME_EVENT}==\"connected\", "
		       "TEST==\"/run/udev/tags/iosched_tune_head\", TAG+=\"systemd\", "
		       "ENV{SYSTEMD_WANTS}+=\"iosched-tune@%k.service\"\n"));
	assert_non_null(strstr(set.items[2].content, "TAG+=\"iosched_tune_head\""));
	artefacts_done(&set);
	tree_free(tree);
}

/* Without a bus to talk to there is an error, and no hang. */
static void test_no_bus(void **state)
{
	struct diag diag = { 0 };
	struct root *root;

	(void)state;
	if (!HAVE_SDBUS)
		skip();
	assert_int_equal(root_open(NULL, &root, &diag), 0);
	setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1);
	assert_true(systemd_bus_reload(root) < 0);
	assert_true(systemd_bus_enable(root, "x.service") < 0);
	assert_true(systemd_bus_disable(root, "x.service") < 0);
	root_free(root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_no_bus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
