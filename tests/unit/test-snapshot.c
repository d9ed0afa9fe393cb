// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text form of a host: what is accepted, what is refused and with which line, links
 * that lead on, loop or leave, and that what is written comes back byte for byte.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "sysfs/snapshot.h"

#define HEADER "# iosched-tune snapshot 1\n"

static struct snapshot *parse(const char *body)
{
	_text_ struct text text = { 0 };
	struct snapshot *snapshot = NULL;
	struct diag diag = { 0 };

	text_add(&text, HEADER);
	text_add(&text, body);
	assert_int_equal(snapshot_parse(text.data, text.len, "t", &snapshot, &diag), 0);
	return snapshot;
}

static void assert_refused(const char *body, unsigned line)
{
	_text_ struct text text = { 0 };
	struct snapshot *snapshot = NULL;
	struct diag diag = { 0 };

	text_add(&text, HEADER);
	text_add(&text, body);
	assert_int_equal(snapshot_parse(text.data, text.len, "t", &snapshot, &diag),
			 -EINVAL);
	assert_null(snapshot);
	assert_int_equal(diag.line, line);
	assert_string_equal(diag.where, "t");
	assert_true(diag.text[0]);
}

static void assert_value(const struct snapshot *snapshot, const char *path,
			 const char *value, const char *resolved)
{
	const struct snapshot_entry *entry;
	_free_ char *end = NULL;

	assert_int_equal(snapshot_lookup(snapshot, path, true, &entry, &end), 0);
	assert_int_equal(entry->kind, SNAPSHOT_FILE);
	assert_int_equal(entry->len, strlen(value));
	assert_memory_equal(entry->value, value, entry->len);
	assert_string_equal(end, resolved);
}

static void test_entries_of_each_kind(void **state)
{
	struct snapshot *snapshot = parse("\n# comment\n"
					  "/sys/a/ro = 1\n"
					  "/sys/a/rw := 2\\n3\n"
					  "/sys/a/none =\n"
					  "/sys/a/secret ! EACCES\n"
					  "/sys/a/slaves/\n"
					  "/dev/with\\x20space = x y\n"
					  "/sys/b -> a\n");
	const struct snapshot_entry *entry;
	_free_ char *end = NULL;

	(void)state;
	assert_value(snapshot, "sys/a/ro", "1", "sys/a/ro");
	assert_value(snapshot, "sys/b/rw", "2\n3", "sys/a/rw");
	assert_value(snapshot, "sys/b/none", "", "sys/a/none");
	assert_value(snapshot, "dev/with space", "x y", "dev/with space");
	assert_int_equal(snapshot_lookup(snapshot, "sys/a/rw", true, &entry, &end), 0);
	assert_true(entry->is_writable);
	free(TAKE_PTR(end));
	assert_int_equal(snapshot_lookup(snapshot, "sys/a/secret", true, &entry, &end),
			 0);
	assert_int_equal(entry->kind, SNAPSHOT_ERROR);
	assert_int_equal(entry->error, -EACCES);
	free(TAKE_PTR(end));
	assert_int_equal(snapshot_lookup(snapshot, "sys/b/slaves", true, &entry, &end),
			 0);
	assert_int_equal(entry->kind, SNAPSHOT_DIR);
	free(TAKE_PTR(end));
	assert_int_equal(snapshot_lookup(snapshot, "sys/b", false, &entry, &end), 0);
	assert_int_equal(entry->kind, SNAPSHOT_LINK);
	assert_string_equal(entry->value, "a");
	free(TAKE_PTR(end));
	assert_int_equal(snapshot_lookup(snapshot, "sys", true, &entry, &end), 0);
	assert_int_equal(entry->kind, SNAPSHOT_DIR);
	snapshot_free(snapshot);
}

static void test_refused_lines_are_named(void **state)
{
	(void)state;
	assert_refused("/a = 1\n/a = 2\n", 3);
	assert_refused("/a = 1\na = 2\n", 3);
	assert_refused("/a/../b = 1\n", 2);
	assert_refused("/a//b = 1\n", 2);
	assert_refused("/a/./b = 1\n", 2);
	assert_refused("/ = 1\n", 2);
	assert_refused("/a\n", 2);
	assert_refused("/a == 1\n", 2);
	assert_refused("/a -> \n", 2);
	assert_refused("/a = \\q\n", 2);
	assert_refused("/a = \\x00\n", 2);
	assert_refused("/a ! EWHAT\n", 2);
	assert_refused("/a = 1\n/a-b = 2\n/a/b = 3\n", 4);
	assert_refused("/a -> b\n/b/c = 1\n/a/d/e = 2\n", 4);
}

static void test_header_and_nul_are_checked(void **state)
{
	static const char nul[] = HEADER "/a = \0b\n";
	struct snapshot *snapshot = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(snapshot_parse("/a = 1\n", 7, "t", &snapshot, &diag), -EINVAL);
	assert_int_equal(diag.line, 1);
	assert_int_equal(snapshot_parse("", 0, "t", &snapshot, NULL), -EINVAL);
	assert_int_equal(snapshot_parse(nul, sizeof(nul) - 1, "t", &snapshot, NULL),
			 -EINVAL);
	assert_int_equal(
		snapshot_parse(nul, (size_t)SNAPSHOT_SIZE_MAX + 1, "t", &snapshot, NULL),
		-EFBIG);
	assert_null(snapshot);
}

static void test_links_end_or_are_refused(void **state)
{
	struct snapshot *snapshot = parse("/sys/block/sda -> ../devices/x/sda\n"
					  "/sys/devices/x/sda/size = 8\n"
					  "/sys/devices/x/sda/subsystem -> /sys/block\n"
					  "/out -> ../../../../sys/devices\n"
					  "/loop1 -> loop2\n/loop2 -> loop1\n"
					  "/self -> self/self/self\n"
					  "/broken -> nowhere\n");
	const struct snapshot_entry *entry = NULL;
	char *end = NULL;

	(void)state;
	assert_value(snapshot, "sys/block/sda/size", "8", "sys/devices/x/sda/size");
	assert_value(snapshot, "out/x/sda/subsystem/sda/size", "8",
		     "sys/devices/x/sda/size");
	assert_int_equal(snapshot_lookup(snapshot, "loop1", true, &entry, &end), -ELOOP);
	assert_int_equal(snapshot_lookup(snapshot, "loop1/x", false, &entry, &end),
			 -ELOOP);
	assert_int_equal(snapshot_lookup(snapshot, "self", true, &entry, &end), -ELOOP);
	assert_int_equal(snapshot_lookup(snapshot, "broken", true, &entry, &end),
			 -ENOENT);
	assert_int_equal(
		snapshot_lookup(snapshot, "sys/devices/x/sda/size/y", true, &entry, &end),
		-ENOTDIR);
	assert_null(entry);
	assert_null(end);
	snapshot_free(snapshot);
}

static void test_list_names_each_child_once(void **state)
{
	struct snapshot *snapshot =
		parse("/d/a = 1\n/d/a-b/x = 1\n/d/b/c = 1\n/d/b/d/e = 2\n"
		      "/d/b-c = 1\n/d/b10 = 1\n/d/b9 = 1\n/dd = 1\n"
		      "/d/b/d/f/\n/d/b/\n/empty/\n");
	static const char *const want[] = { "a", "a-b", "b", "b-c", "b9", "b10" };
	_strv_ struct strv names = { 0 };

	(void)state;
	assert_int_equal(snapshot_list(snapshot, "d", &names), 0);
	assert_int_equal(names.count, ARRAY_SIZE(want));
	for (size_t i = 0; i < names.count; i++)
		assert_true(strv_contains(&names, want[i]));
	strv_done(&names);
	assert_int_equal(snapshot_list(snapshot, "", &names), 0);
	assert_int_equal(names.count, 3);
	strv_done(&names);
	assert_int_equal(snapshot_list(snapshot, "empty", &names), 0);
	assert_int_equal(names.count, 0);
	snapshot_free(snapshot);
}

static void test_written_lines_come_back(void **state)
{
	static const char odd[] = "tab\t \\ \x01\xff\xfe = -> end\n\nx";
	_text_ struct text text = { 0 };
	struct snapshot *snapshot = NULL;
	const struct snapshot_entry *entry;
	char *end = NULL;

	(void)state;
	snapshot_add_header(&text);
	snapshot_add_value(&text, "sys/o dd\n", odd, strlen(odd), true);
	snapshot_add_value(&text, "sys/empty", "", 0, false);
	snapshot_add_link(&text, "dev/by\\x20id", "../a b");
	snapshot_add_error(&text, "sys/e", -EIO);
	snapshot_add_error(&text, "sys/f", -EXFULL);
	snapshot_add_dir(&text, "sys/d");
	assert_int_equal(text.error, 0);
	assert_int_equal(snapshot_parse(text.data, text.len, "t", &snapshot, NULL), 0);
	assert_value(snapshot, "sys/o dd\n", odd, "sys/o dd\n");
	assert_value(snapshot, "sys/empty", "", "sys/empty");
	assert_int_equal(snapshot_lookup(snapshot, "dev/by\\x20id", false, &entry, &end),
			 0);
	assert_string_equal(entry->value, "../a b");
	free(end);
	assert_int_equal(snapshot_lookup(snapshot, "sys/f", true, &entry, &end), 0);
	assert_int_equal(entry->error, -EIO);
	free(end);
	assert_int_equal(snapshot_lookup(snapshot, "sys/d", true, &entry, &end), 0);
	assert_int_equal(entry->kind, SNAPSHOT_DIR);
	free(end);
	snapshot_free(snapshot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entries_of_each_kind),
		cmocka_unit_test(test_refused_lines_are_named),
		cmocka_unit_test(test_header_and_nul_are_checked),
		cmocka_unit_test(test_links_end_or_are_refused),
		cmocka_unit_test(test_list_names_each_child_once),
		cmocka_unit_test(test_written_lines_come_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
