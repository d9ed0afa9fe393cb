// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables: alignment, trees, narrow terminals, hostile text.
 */
#include "captured.h"

#include <locale.h>

#include "report/table.h"

static char *print(const struct table_style *style, enum table_align align,
		   const char *first, const char *second)
{
	struct captured captured;
	struct table *table = NULL;
	size_t parent;

	assert_int_equal(table_new(style, &table), 0);
	table_add_column(table, "NAME", TABLE_TREE);
	table_add_column(table, "TEXT", align);
	parent = table_add_row(table, TABLE_NO_PARENT);
	table_set(table, 0, "sda", MOOD_PLAIN);
	table_set(table, 1, first, MOOD_PLAIN);
	table_add_row(table, align == TABLE_RIGHT ? TABLE_NO_PARENT : parent);
	table_set(table, 0, "sdb", MOOD_PLAIN);
	table_set(table, 1, second, MOOD_GOOD);
	captured = captured_begin();
	assert_int_equal(table_print(table), 0);
	table_free(table);
	return captured_end(&captured);
}

static void check(const struct table_style *style, enum table_align align, const char *first,
		  const char *second, const char *expected)
{
	char *text = print(style, align, first, second);

	assert_string_equal(text, expected);
	free(text);
}

static void test_plain(void **state)
{
	static const struct table_style style = { 0 }, raw = { .is_raw = true },
					bare = { .no_heading = true };

	(void)state;
	check(&style, TABLE_RIGHT, "1", "1000", "NAME TEXT\nsda     1\nsdb  1000\n");
	check(&bare, TABLE_RIGHT, "1", "1000", "sda     1\nsdb  1000\n");
	check(&raw, TABLE_RIGHT, "1", "1000", "NAME TEXT\nsda 1\nsdb 1000\n");
}

static void test_tree(void **state)
{
	static const struct table_style style = { 0 };

	(void)state;
	check(&style, TABLE_LEFT, "a", "b", "NAME  TEXT\nsda   a\n`-sdb b\n");
}

static void test_narrow_terminal_cuts(void **state)
{
	static const struct table_style narrow = { .width = 16, .is_terminal = true },
					piped = { .width = 16 };
	char *text = print(&narrow, TABLE_CUT, "a text that is too long", "b");

	(void)state;
	assert_null(strstr(text, "too long"));
	assert_non_null(strstr(text, "a text"));
	free(text);
	text = print(&piped, TABLE_CUT, "a text that is too long", "b");
	assert_non_null(strstr(text, "too long"));
	free(text);
}

/* Where nothing can stand beside the others, the text follows below its row. */
static void test_no_room_beside(void **state)
{
	static const struct table_style narrow = { .width = 30, .is_terminal = true },
					bare = { .width = 30,
						 .is_terminal = true,
						 .no_heading = true },
					piped = { .width = 30 };
	static const struct {
		const struct table_style *style;
		const char *expected;
	} cases[] = {
		{ &narrow, "DEVICE   NUMBER\n"
			   "a-device 0123456789\n    words that are long enough\n"
			   "    to be broken\n"
			   "sdb      1\n    \\x1b[31m\n"
			   "sdc      2\n" },
		{ &bare, "a-device 0123456789\n    words that are long enough\n"
			 "    to be broken\n"
			 "sdb      1\n    \\x1b[31m\n"
			 "sdc      2\n" },
		{ &piped, "DEVICE   NUMBER     TEXT\n"
			  "a-device 0123456789 words that are long enough to be broken\n"
			  "sdb      1          \\x1b[31m\n"
			  "sdc      2\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct captured captured;
		struct table *table = NULL;
		char *text;

		assert_int_equal(table_new(cases[i].style, &table), 0);
		table_add_column(table, "DEVICE", TABLE_LEFT);
		table_add_column(table, "NUMBER", TABLE_LEFT);
		table_add_column(table, "TEXT", TABLE_WRAP);
		table_add_row(table, TABLE_NO_PARENT);
		table_set(table, 0, "a-device", MOOD_PLAIN);
		table_set(table, 1, "0123456789", MOOD_PLAIN);
		table_set(table, 2, "words that are long enough to be broken", MOOD_PLAIN);
		table_add_row(table, TABLE_NO_PARENT);
		table_set(table, 0, "sdb", MOOD_PLAIN);
		table_set(table, 1, "1", MOOD_PLAIN);
		table_set(table, 2, "\x1b[31m", MOOD_PLAIN);
		table_add_row(table, TABLE_NO_PARENT);
		table_set(table, 0, "sdc", MOOD_PLAIN);
		table_set(table, 1, "2", MOOD_PLAIN);
		captured = captured_begin();
		assert_int_equal(table_print(table), 0);
		table_free(table);
		text = captured_end(&captured);
		assert_string_equal(text, cases[i].expected);
		free(text);
	}
}

static void test_colours(void **state)
{
	static const struct table_style colourful = { .width = 80, .is_terminal = true,
						      .has_colour = true };
	char *text = print(&colourful, TABLE_LEFT, "a", "b");

	(void)state;
	assert_non_null(strstr(text, "\x1b["));
	free(text);
}

static void test_hostile_text_is_shown_not_obeyed(void **state)
{
	static const struct table_style style = { 0 };
	char *text = print(&style, TABLE_LEFT, "\x1b[31m\n\xff", "\u202e\u2066\xc2\x9b");

	(void)state;
	assert_non_null(strstr(text, "\\x1b[31m\\x0a\\xff"));
	for (const char *p = text; *p; p++)
		assert_true((*p >= ' ' && (unsigned char)*p < 0x7f) || *p == '\n');
	free(text);
	if (!setlocale(LC_ALL, "C.UTF-8"))
		skip();
	text = print(&style, TABLE_LEFT, "\u8c03\u5ea6", "\u202e\u2066\xc2\x9b");
	assert_non_null(strstr(text, "\u8c03\u5ea6"));
	assert_null(strstr(text, "\u202e"));
	assert_null(strstr(text, "\u2066"));
	assert_null(strstr(text, "\xc2\x9b"));
	free(text);
	setlocale(LC_ALL, "C");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_tree),
		cmocka_unit_test(test_narrow_terminal_cuts),
		cmocka_unit_test(test_no_room_beside),
		cmocka_unit_test(test_colours),
		cmocka_unit_test(test_hostile_text_is_shown_not_obeyed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
