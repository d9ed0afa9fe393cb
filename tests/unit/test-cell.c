// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Typed values as text and as JSON.
 */
#include "test.h"

#include "report/cell.h"

static void check(struct cell *cell, const char *text, const char *json)
{
	_text_ struct text out = { 0 };
	json_t *value = cell_to_json(cell);
	char *dump = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);

	cell_add_text(cell, false, &out);
	assert_string_equal(out.data, text);
	assert_string_equal(dump, json);
	json_decref(value);
	free(dump);
	cell_done(cell);
}

static void test_kinds(void **state)
{
	_strv_ struct strv list = { 0 };
	struct cell cell = { 0 };

	(void)state;
	check(&cell, "-", "null");
	cell_set_string(&cell, "");
	check(&cell, "-", "null");
	cell_set_string(&cell, NULL);
	check(&cell, "-", "null");
	cell_set_string(&cell, "a,b");
	check(&cell, "a,b", "\"a,b\"");
	cell_set_format(&cell, "%u:%u", 8, 16);
	check(&cell, "8:16", "\"8:16\"");
	cell_set_number(&cell, -1);
	check(&cell, "-1", "-1");
	cell_set_bytes(&cell, 4096);
	check(&cell, "4K", "4096");
	cell_set_bool(&cell, true);
	check(&cell, "1", "true");
	cell_set_list(&cell, &list);
	check(&cell, "-", "[]");
	strv_add(&list, "x");
	strv_add(&list, "y");
	cell_set_list(&cell, &list);
	check(&cell, "x,y", "[\"x\",\"y\"]");
	cell = (struct cell){ 0 };
	cell_add_item(&cell, "/");
	cell_add_item(&cell, "[SWAP]");
	check(&cell, "/,[SWAP]", "[\"/\",\"[SWAP]\"]");
}

static void test_attributes_have_their_type(void **state)
{
	struct cell cell = { 0 };
	char buf[80];

	(void)state;
	cell_set_attribute(&cell, tunable_find("read_ahead_kb"), "128");
	check(&cell, "128", "128");
	cell_set_attribute(&cell, tunable_find("iostats"), "1");
	check(&cell, "1", "true");
	cell_set_attribute(&cell, tunable_find("write_cache"), "write back");
	check(&cell, "write back", "\"write back\"");
	/* A kernel that says something else is quoted, not guessed at. */
	cell_set_attribute(&cell, tunable_find("read_ahead_kb"), "0x80");
	check(&cell, "0x80", "\"0x80\"");

	cell_format_attribute(tunable_find("read_ahead_kb"), "128", buf, sizeof(buf));
	assert_string_equal(buf, "128 KiB");
	cell_format_attribute(tunable_find("mq-deadline.read_expire"), "500", buf, sizeof(buf));
	assert_string_equal(buf, "500 ms");
	cell_format_attribute(tunable_scheduler(), "none", buf, sizeof(buf));
	assert_string_equal(buf, "none");
	cell_format_attribute(tunable_find("nomerges"), "2", buf, sizeof(buf));
	assert_string_equal(buf, "2");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),
		cmocka_unit_test(test_attributes_have_their_type),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
