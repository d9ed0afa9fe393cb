// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Edits by byte position: order, overlap and bounds.
 */
#include "test.h"

#include <errno.h>

#include "persist/edit.h"

static char *apply(struct edits *edits, const char *data)
{
	char *out = NULL;
	size_t len;

	assert_int_equal(edits_apply(edits, data, strlen(data), &out, &len), 0);
	assert_int_equal(len, strlen(out));
	edits_done(edits);
	return out;
}

static void test_order(void **state)
{
	struct edits edits = { 0 };
	char *out;

	(void)state;
	edits_add(&edits, 6, 0, "!");
	edits_add(&edits, 0, 1, "H");
	edits_add(&edits, 3, 0, "a");
	edits_add(&edits, 3, 0, "b");
	out = apply(&edits, "hello,");
	assert_string_equal(out, "Helablo,!");
	free(out);
	out = apply(&edits, "same");
	assert_string_equal(out, "same");
	free(out);
}

static void test_overlap(void **state)
{
	struct edits edits = { 0 };
	size_t len;
	char *out;

	(void)state;
	edits_add(&edits, 1, 3, NULL);
	edits_add(&edits, 2, 4, NULL);
	edits_add(&edits, 2, 1, NULL);
	out = apply(&edits, "0123456789");
	assert_string_equal(out, "06789");
	free(out);
	out = NULL;
	edits_add(&edits, 1, 3, NULL);
	edits_add(&edits, 2, 0, "x");
	assert_int_equal(edits_apply(&edits, "0123", 4, &out, &len), -EINVAL);
	edits_done(&edits);
	edits_add(&edits, 3, 2, NULL);
	assert_int_equal(edits_apply(&edits, "0123", 4, &out, &len), -EINVAL);
	edits_done(&edits);
	edits_add(&edits, 5, 0, "x");
	assert_int_equal(edits_apply(&edits, "0123", 4, &out, &len), -EINVAL);
	edits_done(&edits);
	assert_null(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
