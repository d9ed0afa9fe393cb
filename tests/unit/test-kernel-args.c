// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel arguments in a plain line: what counts as one, and how it comes and goes.
 * Quoted shell words are in test-shell-scan.c and test-boot-file.c.
 */
#include "test.h"

#include <errno.h>

#include "persist/kernel-args.h"

struct line {
	const char *data;
	struct arg_text text;
	struct arg_token *tokens;
	size_t count;
};

static struct line open_line(const char *data)
{
	struct line line = { .data = data };

	assert_int_equal(arg_text_add_plain(&line.text, data, 0, strlen(data)), 0);
	assert_int_equal(arg_text_find(&line.text, "elevator", &line.tokens, &line.count),
			 0);
	return line;
}

static void close_line(struct line *line)
{
	arg_text_done(&line->text);
	free(line->tokens);
}

static void test_find(void **state)
{
	struct line line = open_line(
		"elevator=a x elevators=1 \"q elevator=b\" elevator\televator=c");
	char *text = NULL;

	(void)state;
	assert_int_equal(line.count, 3);
	assert_true(arg_token_equals(&line.text, &line.tokens[0], "elevator=a"));
	assert_true(arg_token_equals(&line.text, &line.tokens[1], "elevator"));
	assert_false(arg_token_equals(&line.text, &line.tokens[2], "elevator=cc"));
	assert_int_equal(arg_token_format(&line.text, &line.tokens[2], &text), 0);
	assert_string_equal(text, "elevator=c");
	free(text);
	close_line(&line);
}

static void test_open_quote(void **state)
{
	struct arg_text text = { 0 };
	struct arg_token *tokens = NULL;
	size_t count = 9;

	(void)state;
	assert_int_equal(arg_text_add_plain(&text, "a \"b c", 0, 6), 0);
	assert_int_equal(arg_text_find(&text, "c", &tokens, &count), -EINVAL);
	assert_int_equal(count, 9);
	arg_text_done(&text);
}

static void check(const char *before, const char *expected,
		  void (*edit)(struct line *line, struct edits *edits))
{
	struct line line = open_line(before);
	struct edits edits = { 0 };
	char *out = NULL;
	size_t len;

	edit(&line, &edits);
	assert_int_equal(edits_apply(&edits, before, strlen(before), &out, &len), 0);
	assert_string_equal(out, expected);
	free(out);
	edits_done(&edits);
	close_line(&line);
}

static void insert(struct line *line, struct edits *edits)
{
	arg_text_insert(&line->text, "elevator=x", edits);
}

static void replace(struct line *line, struct edits *edits)
{
	for (size_t i = 0; i < line->count; i++)
		arg_text_replace(&line->text, &line->tokens[i], "elevator=x", edits);
}

static void remove_all(struct line *line, struct edits *edits)
{
	for (size_t i = 0; i < line->count; i++)
		arg_text_remove(&line->text, &line->tokens[i], edits);
}

static void test_edits(void **state)
{
	(void)state;
	check(" ro quiet", " ro quiet elevator=x", insert);
	check("", " elevator=x", insert);
	check("a elevator=y b elevator", "a elevator=x b elevator=x", replace);
	check("a elevator=y b", "a b", remove_all);
	check("elevator=y b", "b", remove_all);
	check("a elevator=y", "a", remove_all);
	check("elevator=y elevator=z", "", remove_all);
	check("elevator=y", "", remove_all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_open_quote),
		cmocka_unit_test(test_edits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
