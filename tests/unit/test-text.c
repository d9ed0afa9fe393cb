// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text: natural order, escaping for terminals and lines, splitting, globs.
 */
#include "test.h"

#include <errno.h>

#include "util/text.h"

static void test_natural_order(void **state)
{
	/* each one sorts before the next */
	static const char *const names[] = {
		"dm-1",   "dm-2",    "dm-10",   "loop0",   "loop9",    "loop10",
		"nvme0n1", "nvme0n2", "nvme0n10", "nvme10n1", "sda",     "sda1",
		"sda2",   "sda10",   "sdb",     "sdz",     "sdaa",     "sdab",
		"sdzz",   "sdaaa",   "vda",     "zram0",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		for (size_t j = 0; j < ARRAY_SIZE(names); j++) {
			int order = text_compare_natural(names[i], names[j]);

			if (i < j)
				assert_true(order < 0);
			else if (i > j)
				assert_true(order > 0);
			else
				assert_int_equal(order, 0);
		}
}

static void test_terminal_escape(void **state)
{
	static const struct {
		const char *raw, *safe;
	} cases[] = {
		{ "Samsung SSD 980", "Samsung SSD 980" },
		{ "a\033[31mb", "a\\x1b[31mb" },
		{ "tab\there\n", "tab\\x09here\\x0a" },
		{ "\xe9\xba\x92\xe9\xba\x9f", "\xe9\xba\x92\xe9\xba\x9f" },
		{ "\xff\xfe", "\\xff\\xfe" },
		{ "\xc2\x9b" "1m", "\\xc2\\x9b1m" },        /* C1 CSI as UTF-8 */
		{ "\xc0\xaf", "\\xc0\\xaf" },               /* overlong */
		{ "\xed\xa0\x80", "\\xed\\xa0\\x80" },      /* surrogate */
		{ "\xe2\x80\xae" "x", "\\xe2\\x80\\xaex" }, /* right-to-left override */
		{ "\xe2\x80", "\\xe2\\x80" },               /* cut short */
		{ "\x7f", "\\x7f" },
	};
	char buf[64], small[6];
	_text_ struct text out = { 0 }, wanted = { 0 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		text_escape_terminal(cases[i].raw, buf, sizeof(buf));
		assert_string_equal(buf, cases[i].safe);
		text_add_safe(&out, cases[i].raw);
		text_add(&wanted, cases[i].safe);
	}
	assert_string_equal(out.data, wanted.data);
	/* never half an escape or half a character at the end of the buffer */
	text_escape_terminal("abc\033", small, sizeof(small));
	assert_string_equal(small, "abc");
	text_escape_terminal("abcd\xe9\xba\x92", small, sizeof(small));
	assert_string_equal(small, "abcd");
}

static void test_line_escape_round_trip(void **state)
{
	char bytes[255];
	_text_ struct text line = { 0 }, back = { 0 };

	(void)state;
	for (int i = 0; i < 255; i++)
		bytes[i] = (char)(i + 1);
	text_add_escaped(&line, bytes, sizeof(bytes));
	assert_null(strchr(line.data, '\n'));
	assert_int_equal(text_unescape(line.data, line.len, &back), 0);
	assert_int_equal(back.len, sizeof(bytes));
	assert_memory_equal(back.data, bytes, sizeof(bytes));
}

static void test_bad_escapes(void **state)
{
	static const char *const bad[] = { "\\", "a\\q", "\\x", "\\x1", "\\xgg", "\\x00" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		_text_ struct text out = { 0 };

		assert_int_equal(text_unescape(bad[i], strlen(bad[i]), &out), -EINVAL);
	}
}

static void test_split_and_trim(void **state)
{
	_strv_ struct strv words = { 0 }, others = { 0 };
	char line[] = " \t two words \n";

	(void)state;
	assert_int_equal(strv_split(&words, ",a,,bc,", ","), 0);
	assert_int_equal(words.count, 2);
	assert_string_equal(words.items[1], "bc");
	assert_true(strv_contains(&words, "a"));
	assert_false(strv_contains(&words, "b"));
	assert_true(strv_equal(&words, &words));
	assert_false(strv_equal(&words, &(struct strv){ 0 }));
	assert_int_equal(strv_split(&others, "a,b", ","), 0);
	assert_false(strv_equal(&words, &others));
	assert_string_equal(text_trim(line), "two words");
}

static void test_glob(void **state)
{
	(void)state;
	assert_true(text_glob_match("samsung*", "Samsung SSD"));
	assert_true(text_glob_match("*", ""));
	assert_true(text_glob_match("a*b", "a/x/b"));
	assert_false(text_glob_match("WDC*", "ST8000"));
}

static void test_a_glob_that_does_not_end(void **state)
{
	static const char *const whole[] = { "", "a*b?", "[ab]", "[!a-z]x", "[]]", "[^]]", "\\[",
					     "a]", "[[:digit:]]*", "[[.-.]]", "[\\]]" };
	static const char *const cut[] = { "[", "[a", "a[]", "[!]", "[^]x", "a\\", "[[:digit:]",
					   "[[:digit]", "[a\\]" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(whole); i++)
		assert_true(text_glob_is_whole(whole[i]));
	for (size_t i = 0; i < ARRAY_SIZE(cut); i++)
		assert_false(text_glob_is_whole(cut[i]));
}

static void test_text_growth(void **state)
{
	_text_ struct text text = { 0 };
	char *string = NULL;

	(void)state;
	for (int i = 0; i < 1000; i++)
		text_addf(&text, "%d,", i);
	assert_int_equal(text.len, 10 * 2 + 90 * 3 + 900 * 4);
	assert_int_equal(text_take(&text, &string), 0);
	assert_int_equal(strlen(string), 3890);
	free(string);
	assert_int_equal(text_take(&text, &string), 0);
	assert_string_equal(string, "");
	free(string);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_natural_order),
		cmocka_unit_test(test_terminal_escape),
		cmocka_unit_test(test_line_escape_round_trip),
		cmocka_unit_test(test_bad_escapes),
		cmocka_unit_test(test_split_and_trim),
		cmocka_unit_test(test_glob),
		cmocka_unit_test(test_a_glob_that_does_not_end),
		cmocka_unit_test(test_text_growth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
