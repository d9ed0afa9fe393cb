// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Words of a udev rule: each rendered glob is tried with fnmatch(), as udev does it,
 * against what the original matches and does not match.
 */
#include "test.h"

#include <fnmatch.h>

#include "persist/udev-text.h"

/* As udev: alternatives separated by '|', no flags. */
static bool udev_matches(const char *pattern, const char *value)
{
	char copy[4096], *save = NULL;

	assert_true(strlen(pattern) < sizeof(copy));
	memcpy(copy, pattern, strlen(pattern) + 1);
	for (char *part = copy; part; part = save) {
		save = strchr(part, '|');
		if (save)
			*save++ = '\0';
		if (fnmatch(part, value, 0) == 0)
			return true;
	}
	return false;
}

static char *render(const char *glob, unsigned flags)
{
	struct text text = { 0 };
	char *out = NULL;

	udev_add_glob(&text, glob, flags);
	assert_int_equal(text_take(&text, &out), 0);
	return out;
}

static void test_same_matches(void **state)
{
	static const char *const globs[] = {
		"Samsung SSD*", "*ssd*", "WDC WD[4-8]*", "[!a-c]x", "a[b", "x\\*y", "a?c",
		"PERC H730", "LOGICAL VOLUME*", "*", "t[a-m]z", "[]x", "naa.5000c5[0-9a-f]*",
	};
	static const char *const values[] = {
		"Samsung SSD 860", "samsung ssd 860", "My SSD", "WDC WD40EFRX", "WDC WD90",
		"dx", "bx", "BX", "a[b", "x*y", "xzy", "abc", "aBC", "PERC H730", "perc h730",
		"LOGICAL VOLUME 1", "t", "tfz", "TFZ", "TzZ", "]x", "naa.5000C5AB", "x",
	};

	(void)state;
	for (size_t g = 0; g < ARRAY_SIZE(globs); g++) {
		char *pattern = render(globs[g], UDEV_GLOB_ANY_CASE);

		for (size_t v = 0; v < ARRAY_SIZE(values); v++)
			if (text_glob_match(globs[g], values[v]) &&
			    !udev_matches(pattern, values[v]))
				fail_msg("%s -> %s misses %s", globs[g], pattern, values[v]);
		/* the odd bracket may match more; the others may not */
		for (size_t v = 0; v < ARRAY_SIZE(values) && strncmp(globs[g], "[]", 2); v++)
			if (!text_glob_match(globs[g], values[v]) &&
			    udev_matches(pattern, values[v]))
				fail_msg("%s -> %s takes %s", globs[g], pattern, values[v]);
		free(pattern);
	}
}

static void test_nothing_breaks_out(void **state)
{
	char all[256], *out;

	(void)state;
	for (int c = 1; c < 256; c++)
		all[c - 1] = (char)c;
	all[255] = '\0';
	out = render(all, UDEV_GLOB_ANY_CASE);
	for (const char *p = out; *p; p++)
		assert_true(*p >= 0x20 && *p < 0x7f && !strchr("\"|\\", *p));
	free(out);
	out = render("x\", RUN+=\"/bin/sh", 0);
	assert_string_equal(out, "x?, RUN+=?/bin/sh");
	free(out);
}

static void test_details(void **state)
{
	char *out;

	(void)state;
	out = render("a B", UDEV_GLOB_UNDERSCORE);
	assert_string_equal(out, "a[ _]B");
	free(out);
	out = render("**", 0);
	assert_string_equal(out, "?*");
	free(out);
	out = render("", 0);
	assert_string_equal(out, "");
	free(out);
	out = render("型号1", 0);
	assert_true(udev_matches(out, "型号1"));
	free(out);
}

static void test_globs(void **state)
{
	struct text text = { 0 };
	char *out = NULL;

	(void)state;
	udev_add_globs(&text, "sd[a-z]*|vd*", UDEV_GLOB_EXACT);
	assert_int_equal(text_take(&text, &out), 0);
	assert_string_equal(out, "sd[a-z]*|vd*");
	free(out);
}

static void check_range(uint64_t bound)
{
	struct text least = { 0 }, most = { 0 };
	char number[32];

	udev_add_at_least(&least, bound);
	udev_add_at_most(&most, bound);
	for (uint64_t n = 0; n < 2500; n++) {
		snprintf(number, sizeof(number), "%lu", (unsigned long)n);
		if (udev_matches(least.data, number) != (n >= bound))
			fail_msg("%lu >= %lu: %s", (unsigned long)n, (unsigned long)bound,
				 least.data);
		if (udev_matches(most.data, number) != (n <= bound))
			fail_msg("%lu <= %lu: %s", (unsigned long)n, (unsigned long)bound,
				 most.data);
	}
	text_done(&least);
	text_done(&most);
}

static void test_ranges(void **state)
{
	static const uint64_t bounds[] = { 0,	1,   5,	  8,   9,    10,   11,	 19,  90,
					   99,	100, 101, 190, 909,  999,  1000, 1001, 1234,
					   1999, 2000, 2099, 2400 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bounds); i++)
		check_range(bounds[i]);
}

static void test_comment(void **state)
{
	struct text text = { 0 };

	(void)state;
	udev_add_comment(&text, "why\nKERNEL==\"x\"\\");
	assert_string_equal(text.data, "why KERNEL==\"x\" ");
	text_done(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same_matches),
		cmocka_unit_test(test_nothing_breaks_out),
		cmocka_unit_test(test_details),
		cmocka_unit_test(test_globs),
		cmocka_unit_test(test_ranges),
		cmocka_unit_test(test_comment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
