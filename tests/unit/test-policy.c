// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The resolved policy as a value.
 */
#include "policy-host.h"

static void test_origins_have_names(void **state)
{
	(void)state;
	assert_string_equal(policy_origin_name(ORIGIN_COMMAND_LINE), "command-line");
	assert_string_equal(policy_origin_name(ORIGIN_OVERRIDE), "override");
	assert_string_equal(policy_origin_name(ORIGIN_PROFILE), "profile");
	assert_string_equal(policy_origin_name(ORIGIN_INHERITED), "inherited");
	assert_string_equal(policy_origin_name(ORIGIN_JOURNAL), "journal");
}

/* Without a request every device is there, and every one has a reason for nothing. */
static void test_empty_request(void **state)
{
	struct host_fixture host;

	(void)state;
	host_open(&host, "policy-server-6.1.txt", NULL);
	assert_int_equal(host_resolve(&host, NULL, NULL, NULL), 0);
	assert_null(host.policy->profile_name);
	assert_int_equal(host.policy->count, host.devices->count);
	for (size_t i = 0; i < host.policy->count; i++) {
		assert_int_not_equal(host.policy->items[i].state, POLICY_SET);
		assert_non_null(host.policy->items[i].reason);
	}
	host_close(&host);
	policy_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_origins_have_names),
		cmocka_unit_test(test_empty_request),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
