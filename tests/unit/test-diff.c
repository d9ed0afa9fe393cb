// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Unified differences, as patch(1) takes them.
 */
#include "test.h"

#include "persist/diff.h"

static char *diff(const char *before, const char *after)
{
	struct text text = { 0 };
	char *out = NULL;

	diff_add(&text, "etc/x", before, before ? strlen(before) : 0, after,
		 after ? strlen(after) : 0);
	assert_int_equal(text_take(&text, &out), 0);
	return out;
}

static void assert_diff(const char *before, const char *after, const char *expected)
{
	char *out = diff(before, after);

	assert_string_equal(out, expected);
	free(out);
}

static void test_whole_files(void **state)
{
	(void)state;
	assert_diff("a\n", "a\n", "");
	assert_diff(NULL, "a\nb\n",
		    "--- /dev/null\n+++ b/etc/x\n@@ -0,0 +1,2 @@\n+a\n+b\n");
	assert_diff("a\n", NULL, "--- a/etc/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n");
	assert_diff("", "a",
		    "--- a/etc/x\n+++ b/etc/x\n@@ -0,0 +1 @@\n+a\n"
		    "\\ No newline at end of file\n");
}

static void test_hunks(void **state)
{
	(void)state;
	assert_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
		    "--- a/etc/x\n+++ b/etc/x\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n "
		    "7\n 8\n");
	assert_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n",
		    "2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\nz\n",
		    "--- a/etc/x\n+++ b/etc/x\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n"
		    "@@ -10,3 +9,4 @@\n 10\n 11\n 12\n+z\n");
	/* seven lines between two changes: one hunk no more */
	assert_diff("a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
		    "--- a/etc/x\n+++ b/etc/x\n@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n "
		    "5\n 6\n-b\n+B\n");
}

static void apply(const char *before, const char *patch, char *ret)
{
	const char *p = strstr(patch, "@@"), *old = before;

	*ret = '\0';
	while (p && *p) {
		const char *end = strchr(p, '\n') + 1;

		if (*p == '@') {
			unsigned long line = strtoul(p + 4, NULL, 10);
			bool is_empty = strncmp(strpbrk(p + 4, ", "), ",0 ", 3) == 0;

			for (const char *q = before; q < old || line > 1 || is_empty;) {
				const char *next = strchr(q, '\n');

				if (!line || (!is_empty && line == 1) || !next)
					break;
				next++;
				if (q >= old) {
					strncat(ret, q, (size_t)(next - q));
					old = next;
				}
				line--;
				q = next;
			}
		} else if (*p == '+') {
			strncat(ret, p + 1, (size_t)(end - p - 1));
		} else {
			assert_memory_equal(old, p + 1, (size_t)(end - p - 1));
			if (*p == ' ')
				strncat(ret, p + 1, (size_t)(end - p - 1));
			old += end - p - 1;
		}
		p = end;
	}
	strcat(ret, old);
}

/* Applying each difference to the old text gives the new one. */
static void test_random(void **state)
{
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 500; round++) {
		char before[256] = "", after[256] = "", got[1024], *patch;

		for (int i = 0; i < 24; i++) {
			char line[3] = { (char)('a' + rand_r(&seed) % 4), '\n', '\0' };

			if (rand_r(&seed) % 8)
				strcat(before, line);
			if (rand_r(&seed) % 8)
				strcat(after, line);
		}
		patch = diff(before, after);
		apply(before, patch, got);
		assert_string_equal(got, after);
		free(patch);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole_files),
		cmocka_unit_test(test_hunks),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
