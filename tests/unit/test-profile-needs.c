// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a profile's rules ask of a scan, so that nothing else is read.
 */
#include "test.h"

#include "policy/profile.h"

static unsigned get_needs(const char *match)
{
	struct profile *profile = NULL;
	struct root *root = NULL;
	char *dir = test_scratch_new();
	char *text = NULL;
	unsigned needs;

	assert_int_equal(root_open(dir, &root, NULL), 0);
	assert_true(asprintf(&text,
			     "{ \"name\": \"a\", \"summary\": \"b\", \"rules\": [ { "
			     "\"match\": {%s}, \"why\": \"c\", \"queue\": { "
			     "\"nomerges\": 1 } } ] }",
			     match) > 0);
	assert_int_equal(
		profile_parse(root, "", text, strlen(text), "a.json", &profile, NULL), 0);
	needs = profile_get_needs(profile);
	profile_free(profile);
	root_free(root);
	test_scratch_done(dir);
	free(text);
	return needs;
}

static void test_needs(void **state)
{
	(void)state;
	assert_int_equal(profile_get_needs(NULL), 0);
	assert_int_equal(get_needs(""), 0);
	assert_int_equal(get_needs("\"class\": \"ssd\""), 0);
	assert_int_equal(get_needs("\"filesystem\": \"xfs\""),
			 SCAN_CONTENT | SCAN_MOUNTS);
	assert_int_equal(get_needs("\"role\": \"root\""), SCAN_MOUNTS);
	assert_int_equal(get_needs("\"by-path\": \"pci-*\""), SCAN_UDEV);
}

static void test_parents_count(void **state)
{
	struct profile_rule rule = { 0 };
	struct profile parent = { .rules = &rule, .rule_count = 1 };
	struct profile child = { .parent = &parent };

	(void)state;
	rule.match.roles.count = 1;
	assert_int_equal(profile_get_needs(&child), SCAN_MOUNTS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_needs),
		cmocka_unit_test(test_parents_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
