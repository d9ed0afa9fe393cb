// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Boot loader files: every configuration of tests/fixtures/grub is edited (the result is
 * its .set file), edited again (no change) and undone (the same bytes). Those below
 * refused/ give an error.
 */
#include "test.h"

#include <dirent.h>
#include <errno.h>

#include "persist/boot-file.h"

#define FIXTURES "tests/fixtures/grub"
#define ARGUMENT "elevator=deadline"

static const struct {
	const char *suffix;
	enum boot_file_format format;
} suffixes[] = {
	{ ".defaults", BOOT_FILE_DEFAULTS },
	{ ".menu-lst", BOOT_FILE_MENU_LST },
	{ ".entry", BOOT_FILE_ENTRY },
	{ ".cmdline", BOOT_FILE_CMDLINE },
};

struct content {
	char *data;
	size_t len;
};

static struct content read_file(const char *dir, const char *name)
{
	struct content content = { 0 };
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "rb");
	if (!file)
		fail_msg("cannot open %s", path);
	content.data = malloc(65536);
	assert_non_null(content.data);
	content.len = fread(content.data, 1, 65536, file);
	fclose(file);
	return content;
}

static bool find_format(const char *name, enum boot_file_format *ret)
{
	for (size_t i = 0; i < ARRAY_SIZE(suffixes); i++)
		if (text_ends_with(name, suffixes[i].suffix)) {
			*ret = suffixes[i].format;
			return true;
		}
	return false;
}

static void assert_content(const char *name, const char *what, const char *data,
			   size_t len, const struct content *expected)
{
	if (len != expected->len || memcmp(data, expected->data, len))
		fail_msg("%s: %s gives:\n%.*s", name, what, (int)len, data);
}

static struct boot_file make_file(enum boot_file_format format, const char *name,
				  const char *data, size_t len)
{
	return (struct boot_file){
		.format = format, .path = name, .data = data, .len = len
	};
}

static void check_undo(const char *name, const struct boot_file *edited,
		       const struct boot_file *original, const struct content *before)
{
	struct boot_arguments found = { 0 };
	struct diag diag = { 0 };
	char *undone = NULL;
	size_t len;

	assert_int_equal(
		boot_file_unset(edited, ARGUMENT, original, &undone, &len, &diag), 0);
	assert_content(name, "unset", undone, len, before);
	free(undone);
	/* token by token as well, without knowing the original: unless it had one */
	assert_int_equal(boot_file_find(original, "elevator", &found, &diag), 0);
	if (!found.count) {
		assert_int_equal(
			boot_file_unset(edited, ARGUMENT, NULL, &undone, &len, &diag), 0);
		assert_content(name, "unset blindly", undone, len, before);
		free(undone);
	}
	boot_arguments_done(&found);
}

static void check_one(const char *name, enum boot_file_format format)
{
	struct content before = read_file(FIXTURES, name), wanted;
	struct boot_file original = make_file(format, name, before.data, before.len),
			 edited;
	struct diag diag = { 0 };
	char set_name[256], *set = NULL, *again = NULL;
	size_t set_len, again_len;

	snprintf(set_name, sizeof(set_name), "%s.set", name);
	wanted = read_file(FIXTURES, set_name);
	if (boot_file_set(&original, ARGUMENT, &set, &set_len, &diag))
		fail_msg("%s:%u: %s", diag.where, diag.line, diag.text);
	assert_content(name, "set", set, set_len, &wanted);
	edited = make_file(format, name, set, set_len);
	assert_int_equal(boot_file_set(&edited, ARGUMENT, &again, &again_len, &diag), 0);
	assert_content(name, "set again", again, again_len, &wanted);
	check_undo(name, &edited, &original, &before);
	free(before.data);
	free(wanted.data);
	free(set);
	free(again);
}

static void test_configurations(void **state)
{
	DIR *dir = opendir(FIXTURES);
	unsigned count = 0;

	(void)state;
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));) {
		enum boot_file_format format;

		if (!find_format(entry->d_name, &format))
			continue;
		check_one(entry->d_name, format);
		count++;
	}
	closedir(dir);
	print_message("%u configurations: edited, edited again, undone\n", count);
	assert_true(count >= 40);
}

static void test_refused(void **state)
{
	DIR *dir = opendir(FIXTURES "/refused");
	unsigned count = 0;

	(void)state;
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));) {
		struct diag diag = { 0 };
		enum boot_file_format format;
		struct content content;
		struct boot_file file;
		size_t len = 77;
		char *set = NULL;
		int error;

		if (!find_format(entry->d_name, &format))
			continue;
		content = read_file(FIXTURES "/refused", entry->d_name);
		file = make_file(format, entry->d_name, content.data, content.len);
		error = boot_file_set(&file, ARGUMENT, &set, &len, &diag);
		if (error != -EINVAL && error != -ENOENT)
			fail_msg("%s: not refused", entry->d_name);
		assert_null(set);
		assert_int_equal(len, 77);
		assert_string_equal(diag.where + 1, entry->d_name);
		assert_true(diag.text[0]);
		free(content.data);
		count++;
	}
	closedir(dir);
	assert_true(count >= 10);
}

static char *unset(const char *now, const char *before)
{
	struct boot_file file = make_file(BOOT_FILE_DEFAULTS, "x", now, strlen(now));
	struct boot_file original =
		make_file(BOOT_FILE_DEFAULTS, "x", before ? before : "",
			  before ? strlen(before) : 0);
	struct diag diag = { 0 };
	char *out = NULL;
	size_t len;

	assert_int_equal(boot_file_unset(&file, ARGUMENT, before ? &original : NULL, &out,
					 &len, &diag),
			 0);
	return out;
}

static void test_later_changes_stay(void **state)
{
	char *out;

	(void)state;
	out = unset("GRUB_TIMEOUT=9\nGRUB_CMDLINE_LINUX=\"a elevator=deadline b\"\n",
		    "GRUB_CMDLINE_LINUX=\"a\"\n");
	assert_string_equal(out, "GRUB_TIMEOUT=9\nGRUB_CMDLINE_LINUX=\"a b\"\n");
	free(out);
	/* the value that it had comes back, the new argument stays */
	out = unset("GRUB_CMDLINE_LINUX=\"elevator=deadline new\"\n",
		    "GRUB_CMDLINE_LINUX=\"elevator=cfq\"\n");
	assert_string_equal(out, "GRUB_CMDLINE_LINUX=\"elevator=cfq new\"\n");
	free(out);
	/* somebody else's value is not ours to remove */
	out = unset("GRUB_CMDLINE_LINUX=\"elevator=noop\"\n", NULL);
	assert_string_equal(out, "GRUB_CMDLINE_LINUX=\"elevator=noop\"\n");
	free(out);
	/* a line that was ours alone is not any more */
	out = unset("A=1\nGRUB_CMDLINE_LINUX=\"elevator=deadline b\" # iosched-tune\n",
		    "A=1\n");
	assert_string_equal(out, "A=1\nGRUB_CMDLINE_LINUX=\"b\" # iosched-tune\n");
	free(out);
}

static void test_first_argument_goes_with_its_blank(void **state)
{
	char *out = unset("GRUB_CMDLINE_LINUX=\"elevator=deadline b\"\n", NULL);

	(void)state;
	assert_string_equal(out, "GRUB_CMDLINE_LINUX=\"b\"\n");
	free(out);
}

static void test_find(void **state)
{
	static const char text[] =
		"# elevator=a\nGRUB_CMDLINE_LINUX_DEFAULT='elevator=b'\n"
		"\nGRUB_CMDLINE_LINUX=\"x elevator=c\"\n";
	struct boot_file file = make_file(BOOT_FILE_DEFAULTS, "x", text, strlen(text));
	struct boot_arguments found = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(boot_file_find(&file, "elevator", &found, &diag), 0);
	assert_int_equal(found.count, 2);
	assert_string_equal(found.items[0].text, "elevator=c");
	assert_int_equal(found.items[0].line, 4);
	assert_string_equal(found.items[1].text, "elevator=b");
	assert_int_equal(found.items[1].line, 2);
	boot_arguments_done(&found);
}

static void test_bad_argument_and_size(void **state)
{
	struct boot_file file = make_file(BOOT_FILE_DEFAULTS, "x", "", 0);
	struct diag diag = { 0 };
	char *out = NULL;
	size_t len;

	(void)state;
	assert_int_equal(boot_file_set(&file, "elevator=a b", &out, &len, &diag),
			 -EINVAL);
	assert_int_equal(boot_file_set(&file, "elevator=\"", &out, &len, &diag), -EINVAL);
	file.len = BOOT_FILE_SIZE_MAX + 1;
	assert_int_equal(boot_file_set(&file, ARGUMENT, &out, &len, &diag), -EFBIG);
	assert_null(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_configurations),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_later_changes_stay),
		cmocka_unit_test(test_first_argument_goes_with_its_blank),
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_bad_argument_and_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
