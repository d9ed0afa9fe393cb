// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Assignments in a shell script: which ones are found and what their value is.
 */
#include "test.h"

#include <errno.h>

#include "persist/shell-scan.h"

static const char *const names[] = { "A", "B", NULL };

static struct shell_assignments scan(const char *data)
{
	struct shell_assignments found = { 0 };
	struct diag diag = { 0 };

	if (shell_scan("x", data, strlen(data), names, &found, &diag))
		fail_msg("%s: %u: %s", data, diag.line, diag.text);
	return found;
}

/* One assignment with that value; '@' stands for an expansion. */
static void assert_value(const char *data, const char *expected)
{
	struct shell_assignments found = scan(data);
	const struct arg_text *value;
	char text[256];

	assert_int_equal(found.count, 1);
	value = &found.items[0].value;
	for (size_t i = 0; i < value->unit_count; i++)
		text[i] = value->units[i].c == ARG_OPAQUE ? '@' : value->units[i].c;
	text[value->unit_count] = '\0';
	assert_string_equal(text, expected);
	shell_assignments_done(&found);
}

static void test_values(void **state)
{
	(void)state;
	assert_value("A=plain", "plain");
	assert_value("A=\"two words\"", "two words");
	assert_value("A='$x \"y\"'", "$x \"y\"");
	assert_value("A=\"a\\\"b\\$c\\d\"", "a\"b$c\\d");
	assert_value("A=\"a\\\nb\"", "ab");
	assert_value("A=a\\ b", "a b");
	assert_value("A=\"$x-${y:-\"}\"}-$(echo \")\")-`z`-$\"", "@-@-@-@-$");
	assert_value("A=\"a\"'b'c", "abc");
	assert_value("A=$((1 + (2)))b", "@b");
	assert_value("A=a#b # c", "a#b");
	assert_value("C=1 A=x\nD=2", "x");
	assert_value("\tA=x\r\n", "x");
	assert_value("export C=1 A=x", "x");
	assert_value("f() { echo '}' ; }; A=x", "x");
	assert_value("case $z in a) C=1 ;; (b) C=2 ;; esac\nA=x", "x");
	assert_value("for i in 1 2; do C=$i; done >/dev/null 2>&1\nA=x", "x");
}

static void test_not_assignments(void **state)
{
	static const char *const scripts[] = {
		"# A=x",	 "AA=x",	"A= x",
		"echo A=x",	 "A=x command", "A=x B=y command z",
		"C=\"\nA=x\n\"", "A-=x",	"[ A=x ]",
		"unset C",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(scripts); i++) {
		struct shell_assignments found = scan(scripts[i]);

		if (found.count && strcmp(scripts[i], "A= x"))
			fail_msg("%s: found %zu", scripts[i], found.count);
		shell_assignments_done(&found);
	}
}

static void test_kinds(void **state)
{
	struct shell_assignments found =
		scan("A=1\nA+=2\nA=\"$A 3\"\nA=\"${A} 4\"\nA=\"$AB 5\"\n"
		     "true && A=6\nif x; then\nA=7\nfi\n(A=8)\nx | A=9\nB=10\n");

	(void)state;
	assert_int_equal(found.count, 10);
	assert_false(found.items[0].is_append);
	assert_true(found.items[1].is_append);
	assert_true(found.items[2].refers_to_itself);
	assert_true(found.items[3].refers_to_itself);
	assert_false(found.items[4].refers_to_itself);
	for (size_t i = 0; i < found.count; i++)
		assert_int_equal(found.items[i].is_conditional, i >= 5 && i < 9);
	assert_int_equal(found.items[9].line, 12);
	assert_string_equal(found.items[9].name, "B");
	shell_assignments_done(&found);
}

static void test_errors(void **state)
{
	static const struct {
		const char *script;
		unsigned line;
	} cases[] = {
		{ "x\nA='1", 2 },      { "A=\"1", 1 },
		{ "C=`x", 1 },	       { "\n\nA=\"${x\"", 3 },
		{ "cat <<E\nE\n", 1 }, { "if x; then\n", 2 },
		{ "x\nfi\n", 2 },      { "unset C A", 1 },
		{ "A=(1)", 1 },	       { "(x", 1 },
		{ "C=1\\", 1 },	       { "# x\nC=1\\\n", 2 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct shell_assignments found = { 0 };
		struct diag diag = { 0 };

		if (shell_scan("x", cases[i].script, strlen(cases[i].script), names,
			       &found, &diag) != -EINVAL)
			fail_msg("accepted: %s", cases[i].script);
		assert_null(found.items);
		assert_int_equal(diag.line, cases[i].line);
	}
}

static void test_nesting_is_bounded(void **state)
{
	struct shell_assignments found = { 0 };
	char script[4096] = "A=";

	(void)state;
	for (size_t i = 0; i < 1000; i++)
		strcat(script, "${x");
	assert_int_equal(shell_scan("x", script, strlen(script), names, &found, NULL),
			 -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_not_assignments),
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_nesting_is_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
