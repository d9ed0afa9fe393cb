// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * JSON texts: every member knows its line, and what jansson would let pass is refused.
 */
#include "test.h"

#include <errno.h>

#include "util/json.h"

static void parse(const char *text, struct json_document *ret)
{
	assert_int_equal(json_document_parse(text, strlen(text), "a.json", ret, NULL), 0);
}

static void test_lines_of_members(void **state)
{
	_json_document_ struct json_document doc = { 0 };
	json_t *rules, *rule;

	(void)state;
	parse("{\n \"na\\\"me\": \"a\\n{b\",\n\n \"rules\" : [ true,\n  { \"x\" : 1 ,\n"
	      "\"y\":{}},\n[],\ntrue ]\r\n, \"last\"\n:\nnull}\n",
	      &doc);
	rules = json_object_get(doc.root, "rules");
	rule = json_array_get(rules, 1);
	assert_int_equal(json_document_line(&doc, doc.root, NULL), 1);
	assert_int_equal(json_document_line(&doc, doc.root, "na\"me"), 2);
	assert_int_equal(json_document_line(&doc, doc.root, "rules"), 4);
	assert_int_equal(json_document_line(&doc, doc.root, "last"), 9);
	assert_int_equal(json_document_line(&doc, doc.root, "absent"), 1);
	/* true is one shared value in jansson: lines belong to the place, not to it. */
	assert_int_equal(json_document_line_at(&doc, rules, 0), 4);
	assert_int_equal(json_document_line_at(&doc, rules, 3), 8);
	assert_int_equal(json_document_line_at(&doc, rules, 2), 7);
	assert_int_equal(json_document_line(&doc, rule, NULL), 5);
	assert_int_equal(json_document_line(&doc, rule, "x"), 5);
	assert_int_equal(json_document_line(&doc, rule, "y"), 6);
}

static void test_foreign_value_has_no_line(void **state)
{
	_json_document_ struct json_document doc = { 0 };
	json_t *other = json_object();

	(void)state;
	parse("{}", &doc);
	assert_int_equal(json_document_line(&doc, other, "x"), 0);
	json_decref(other);
}

static void assert_refused(const char *text, size_t len, unsigned line, const char *words)
{
	struct json_document doc = { 0 };
	struct diag diag = { 0 };

	assert_int_equal(json_document_parse(text, len, "a.json", &doc, &diag), -EINVAL);
	assert_string_equal(diag.where, "a.json");
	assert_int_equal(diag.line, line);
	assert_non_null(strstr(diag.text, words));
	assert_null(doc.root);
}

#define REFUSED(text, line, words) assert_refused(text, sizeof(text) - 1, line, words)

static void test_refuses_bad_texts(void **state)
{
	(void)state;
	REFUSED("", 1, "not valid JSON");
	REFUSED("{\"a\":1,\n\"b\":}", 2, "not valid JSON");
	REFUSED("{\"a\":1,\n\n\"a\":2}", 3, "duplicate");
	REFUSED("{\"a\":1} x", 1, "end of file");
	REFUSED("{\"a\":\n\"\\u0000\"}", 2, "u0000");
	REFUSED("{\"a\":\0 1}", 1, "not valid JSON");
	REFUSED("{\"a\":\"\xff\"}", 1, "byte 0xff");
	REFUSED("[\n]", 1, "not a JSON object");
	REFUSED("{\"a\":99999999999999999999}", 1, "too big");
}

static void test_refuses_deep_nesting(void **state)
{
	_json_document_ struct json_document doc = { 0 };

	(void)state;
	parse("{\"a\":[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]}", &doc);
	REFUSED("{\"a\":\n[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]}", 2, "nested");
}

static void test_skips_byte_order_mark(void **state)
{
	_json_document_ struct json_document doc = { 0 };

	(void)state;
	parse("\xef\xbb\xbf\n{\"a\":1}", &doc);
	assert_int_equal(json_document_line(&doc, doc.root, "a"), 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_of_members),
		cmocka_unit_test(test_foreign_value_has_no_line),
		cmocka_unit_test(test_refuses_bad_texts),
		cmocka_unit_test(test_refuses_deep_nesting),
		cmocka_unit_test(test_skips_byte_order_mark),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
