// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every host of tests/fixtures/hosts with every shipped profile: what the generated udev
 * rules write for a device is what the resolved policy says, value by value.
 */
#include "test.h"

#include <dirent.h>

#include "udev-policy.h"

static void check_host(const char *name, struct count *count)
{
	struct policy_overrides *overrides = NULL;
	struct device_list *devices = NULL;
	struct root *root = NULL;
	struct diag diag = { 0 };
	const struct device_override *classes;
	DIR *dir = opendir(PROFILES);
	size_t class_count;
	char path[512];

	snprintf(path, sizeof(path), HOSTS "/%s", name);
	assert_int_equal(root_open(path, &root, &diag), 0);
	assert_int_equal(policy_overrides_load(root, &overrides, &diag), 0);
	classes = policy_overrides_classes(overrides, &class_count);
	assert_int_equal(
		device_scan(root, SCAN_ALL, classes, class_count, &devices, &diag), 0);
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));) {
		struct profile *profile = NULL;

		if (!text_ends_with(entry->d_name, ".json") ||
		    !strcmp(entry->d_name, "schema.json"))
			continue;
		snprintf(path, sizeof(path), PROFILES "/%s", entry->d_name);
		assert_int_equal(profile_load(root, PROFILES, path, &profile, &diag), 0);
		check_policy(name, entry->d_name, root, devices,
			     &(struct policy_request){ .profile = profile,
						       .overrides = overrides },
			     count);
		profile_free(profile);
	}
	closedir(dir);
	device_list_free(devices);
	policy_overrides_free(overrides);
	root_free(root);
}

static void test_rules_give_the_policy(void **state)
{
	struct count count = { 0 };
	DIR *dir = opendir(HOSTS);

	(void)state;
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (!text_ends_with(entry->d_name, ".txt"))
			continue;
		check_host(entry->d_name, &count);
		count.hosts++;
	}
	closedir(dir);
	print_message("%u hosts, %u devices, %u values equal, 0 different, %u writes\n",
		      count.hosts, count.devices, count.values, count.written);
	assert_true(count.hosts >= 20 && count.values >= 500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rules_give_the_policy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
