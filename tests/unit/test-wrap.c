// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Line breaking: at blanks, beside wide characters, never inside a word.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <locale.h>
#include <string.h>

#include <cmocka.h>

#include "util/wrap.h"

static void check(const char *string, size_t at, size_t indent, size_t width,
		  const char *expected)
{
	_text_ struct text out = { 0 };

	wrap_add(&out, string, at, indent, width);
	text_add(&out, "");
	assert_int_equal(out.error, 0);
	assert_string_equal(out.data, expected);
}

static void test_breaks_at_blanks(void **state)
{
	(void)state;
	check("one two three", 0, 0, 80, "one two three");
	check("one two three", 0, 0, 7, "one two\nthree");
	check("one two three", 0, 2, 7, "one two\n  three");
	check("one  two\tthree", 0, 0, 80, "one two three");
	check("", 3, 3, 10, "");
}

static void test_first_line_begins_at_its_column(void **state)
{
	(void)state;
	check("aaaa bbbb", 6, 6, 12, "aaaa\n      bbbb");
	check("aaaa bbbb", 3, 0, 12, "aaaa bbbb");
}

static void test_long_word_is_whole(void **state)
{
	(void)state;
	check("a /dev/disk/by-id/wwn-0x5000 b", 0, 0, 10, "a\n/dev/disk/by-id/wwn-0x5000\nb");
}

static void test_newlines_of_the_text_stay(void **state)
{
	(void)state;
	check("one\ntwo\n\nthree", 0, 2, 80, "one\n  two\n\n  three");
}

static void test_wide_characters(void **state)
{
	(void)state;
	if (!setlocale(LC_CTYPE, "C.UTF-8"))
		skip();
	assert_int_equal(wrap_columns("\u8c03\u5ea6"), 4);
	assert_int_equal(wrap_columns("a\xff"), 2);
	check("\u8c03\u5ea6\u5668", 0, 0, 4, "\u8c03\u5ea6\n\u5668");
	/* The full stop stays with its word. */
	check("\u8c03\u5ea6\u3002\u5668", 0, 0, 6, "\u8c03\u5ea6\u3002\n\u5668");
	check("\u8c03\u5ea6\u3002\u5668", 0, 0, 5, "\u8c03\n\u5ea6\u3002\n\u5668");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_breaks_at_blanks),
		cmocka_unit_test(test_first_line_begins_at_its_column),
		cmocka_unit_test(test_long_word_is_whole),
		cmocka_unit_test(test_newlines_of_the_text_stay),
		cmocka_unit_test(test_wide_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
