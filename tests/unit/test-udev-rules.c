// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Generated udev rules. Every host of tests/fixtures/hosts with every shipped profile: what
 * the rules write for a device has to be what the resolved policy says, value by value.
 * Then the details: what the rules leave alone, and text that cannot break out.
 */
#include "test.h"

#include <dirent.h>

#include "persist/udev-rules.h"
#include "policy/profile.h"
#include "udev-eval.h"

#define HOSTS    "tests/fixtures/hosts"
#define PROFILES "profiles"

struct count {
	unsigned hosts, devices, values, written;
};

static char *render(const struct policy_request *request, const char *instance,
		    struct strv *left)
{
	struct udev_input input = { .policy = request, .instance_unit = instance };
	struct text text = { 0 };
	char *out = NULL;

	assert_int_equal(udev_render(&input, &text, left), 0);
	assert_int_equal(text_take(&text, &out), 0);
	return out;
}

static const char *wanted_file(const struct policy_value *value, char *buf, size_t size)
{
	snprintf(buf, size, "queue/%s%s",
		 value->tunable->place == TUNABLE_IOSCHED ? "iosched/" : "",
		 value->tunable->file);
	return buf;
}

static const struct policy_value *find_value(const struct policy_device *item,
					     const char *file)
{
	char buf[128];

	for (size_t i = 0; i < item->value_count; i++)
		if (!strcmp(wanted_file(&item->values[i], buf, sizeof(buf)), file))
			return &item->values[i];
	return NULL;
}

static bool is_too_deep(const struct eval *eval, const char *file, const char *value)
{
	int64_t number;

	return !strcmp(file, "queue/nr_requests") && !strcmp(eval_active(eval), "none") &&
	       !number_parse_i64(value, &number) && eval->device->driver_tags &&
	       (uint64_t)number > eval->device->driver_tags;
}

/* The state that the rules leave behind is the one that the policy asks for. */
static void compare(const char *host, const char *profile, const struct eval *eval,
		    const struct policy_device *item, struct count *count)
{
	const char *class = eval_get(eval->env, eval->env_count, ".IOSCHED_CLASS");

	if (strcmp(class ? class : "", device_class_name(item->device->class)))
		fail_msg("%s, %s: class %s, not %s", host, item->device->name, class,
			 device_class_name(item->device->class));
	for (size_t i = 0; i < eval->written_count; i++) {
		const struct eval_pair *pair = &eval->written[i];

		/* the kernel refuses what the policy left out */
		if (!find_value(item, pair->key) &&
		    !is_too_deep(eval, pair->key, pair->value))
			fail_msg("%s, %s, %s: writes %s = %s, which nobody wants", host,
				 profile, item->device->name, pair->key, pair->value);
		count->written++;
	}
	for (size_t i = 0; i < item->value_count; i++) {
		char file[128], buf[4096];
		const char *have;

		wanted_file(&item->values[i], file, sizeof(file));
		have = strcmp(file, "queue/scheduler") ? eval_attribute(eval, file, buf)
						       : eval_active(eval);
		if (!have || strcmp(have, item->values[i].value))
			fail_msg("%s, %s, %s: %s is %s, not %s", host, profile,
				 item->device->name, file, have ? have : "absent",
				 item->values[i].value);
		count->values++;
	}
}

static void check_policy(const char *host, const char *profile, const struct root *root,
			 const struct device_list *devices,
			 const struct policy_request *request, struct count *count)
{
	struct strv left = { 0 };
	struct policy *policy = NULL;
	struct diag diag = { 0 };
	char *rules = render(request, "iosched-tune@", &left);

	if (policy_resolve(devices, request, &policy, &diag))
		fail_msg("%s, %s: %s", host, profile, diag.text);
	for (size_t i = 0; i < policy->count; i++) {
		struct eval *eval;

		if (policy->items[i].device->is_hidden)
			continue;
		eval = calloc(1, sizeof(*eval));
		assert_non_null(eval);
		eval->root = root;
		eval->device = policy->items[i].device;
		eval->host = devices->host;
		eval->devices = devices;
		eval_run(eval, rules);
		/* the first show what no kernel does: the rules only have to survive them; the
		   udev of that age cannot read any of this, elevator= is for it */
		if (!text_starts_with(host, "hostile") &&
		    !text_starts_with(host, "linux-2.6"))
			compare(host, profile, eval, &policy->items[i], count);
		count->devices++;
		free(eval);
	}
	policy_free(policy);
	strv_done(&left);
	free(rules);
}

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
