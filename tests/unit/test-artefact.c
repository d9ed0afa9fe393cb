// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Artefacts as values, and the seal on files of our own.
 */
#include "test.h"

#include "persist/artefact.h"

static void test_seal(void **state)
{
	char *sealed = NULL, *other = NULL;
	size_t len;

	(void)state;
	assert_int_equal(artefact_seal("balanced", "KERNEL==\"x\"\n", &sealed), 0);
	len = strlen(sealed);
	assert_true(text_starts_with(sealed, "# Written by iosched-tune"));
	assert_true(text_ends_with(sealed, "\nKERNEL==\"x\"\n"));
	assert_int_equal(artefact_check_seal(sealed, len), SEAL_INTACT);
	for (size_t i = strlen("# Written by iosched-tune"); i < len; i++) {
		char c = sealed[i];

		sealed[i] = c == 'Z' ? 'Y' : 'Z';
		if (artefact_check_seal(sealed, len) != SEAL_BROKEN)
			fail_msg("a change of byte %zu is not seen", i);
		sealed[i] = c;
	}
	assert_int_equal(artefact_check_seal(sealed, len - 1), SEAL_BROKEN);
	assert_int_equal(artefact_check_seal("# something else\n", 17), SEAL_NONE);
	assert_int_equal(artefact_check_seal("", 0), SEAL_NONE);
	/* a name cannot end the comment */
	assert_int_equal(artefact_seal("a\nRUN+=\"x\"\\", "", &other), 0);
	assert_null(strstr(other, "\nRUN"));
	assert_int_equal(artefact_check_seal(other, strlen(other)), SEAL_INTACT);
	free(sealed);
	free(other);
}

static void test_set(void **state)
{
	static const char *const argv[] = { "true", "x", NULL };
	struct artefacts set = { 0 };

	(void)state;
	assert_int_equal(artefacts_add_file(&set, "udev", "etc/a", "p", "body\n"), 0);
	assert_int_equal(artefacts_add_edit(&set, "grub", "etc/b", BOOT_FILE_DEFAULTS,
					    "elevator=noop", strdup("new"), 3, 0600),
			 0);
	assert_int_equal(artefacts_add_link(&set, "systemd", "etc/c", "../a"), 0);
	assert_int_equal(artefacts_add_command(&set, argv), 0);
	assert_int_equal(set.count, 3);
	assert_int_equal(set.items[0].mode, 0644);
	assert_string_equal(artefact_kind_name(set.items[0].kind), "file");
	assert_string_equal(set.items[1].argument, "elevator=noop");
	assert_string_equal(set.items[2].target, "../a");
	assert_int_equal(set.commands[0].argv.count, 2);
	artefacts_done(&set);
	assert_int_equal(set.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seal),
		cmocka_unit_test(test_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
