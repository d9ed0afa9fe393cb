// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Suggestions: typical slips find their word, strangers find nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "util/cleanup.h"
#include "util/suggest.h"

static const char *const verbs[] = { "status", "show", "profile", "apply", "verify",
				     "restore", "snapshot" };

static const char *nearest(const char *typed, const char *const *known, size_t count)
{
	struct suggestion suggestion = suggestion_for(typed);

	for (size_t i = 0; i < count; i++)
		suggestion_offer(&suggestion, known[i]);
	return suggestion.nearest;
}

static void test_slips_find_their_word(void **state)
{
	static const struct {
		const char *typed, *expected;
	} cases[] = {
		{ "statsu", "status" },   /* swapped */
		{ "stat", "status" },     /* cut short */
		{ "aply", "apply" },      /* left out */
		{ "verifyy", "verify" },  /* doubled */
		{ "RESTORE", "restore" }, /* case */
		{ "snapshto", "snapshot" },
		{ "shwo", "show" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		assert_string_equal(nearest(cases[i].typed, verbs, ARRAY_SIZE(verbs)),
				    cases[i].expected);
}

static void test_a_part_is_nearer_than_a_slip(void **state)
{
	static const char *const names[] = { "oltp", "olap-scan", "multi-tenant", "dd-read" };

	(void)state;
	assert_string_equal(nearest("olap", names, ARRAY_SIZE(names)), "olap-scan");
	assert_string_equal(nearest("olpt", names, ARRAY_SIZE(names)), "oltp");
	assert_string_equal(nearest("tenant", names, ARRAY_SIZE(names)), "multi-tenant");
	assert_string_equal(nearest("read", names, ARRAY_SIZE(names)), "dd-read");
	assert_null(nearest("enant", names, ARRAY_SIZE(names)));
}

static void test_strangers_find_nothing(void **state)
{
	char longest[200];

	(void)state;
	memset(longest, 's', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	assert_null(nearest("frobnicate", verbs, ARRAY_SIZE(verbs)));
	assert_null(nearest("", verbs, ARRAY_SIZE(verbs)));
	assert_null(nearest("x", verbs, ARRAY_SIZE(verbs)));
	assert_null(nearest(longest, verbs, ARRAY_SIZE(verbs)));
}

static void test_a_short_name_is_not_everything(void **state)
{
	/* One letter away, but nothing of it is left. */
	static const char *const names[] = { "a", "sda", "sdb" };

	(void)state;
	assert_null(nearest("b", names, 1));
	assert_string_equal(nearest("sdc", names, ARRAY_SIZE(names)), "sda");
	assert_string_equal(nearest("dsb", names, ARRAY_SIZE(names)), "sdb"); /* one swap */
}

static void test_the_nearest_wins_and_the_first_of_equals(void **state)
{
	static const char *const keys[] = { "read_expire", "write_expire", "writes_starved" };

	(void)state;
	assert_string_equal(nearest("write_expir", keys, ARRAY_SIZE(keys)), "write_expire");
	assert_string_equal(nearest("rite_expire", keys, ARRAY_SIZE(keys)), "write_expire");
	assert_string_equal(nearest("write", keys, ARRAY_SIZE(keys)), "write_expire");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_slips_find_their_word),
		cmocka_unit_test(test_a_part_is_nearer_than_a_slip),
		cmocka_unit_test(test_strangers_find_nothing),
		cmocka_unit_test(test_a_short_name_is_not_everything),
		cmocka_unit_test(test_the_nearest_wins_and_the_first_of_equals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
