/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A captured host, a profile given as text, and the policy that comes of them.
 */
#ifndef IOSCHED_TESTS_POLICY_HOST_H
#define IOSCHED_TESTS_POLICY_HOST_H

#include "test.h"

#include "device/device.h"
#include "device/host.h"
#include "policy/policy.h"

/* The shipped profiles; tests start in the top folder. */
#define PROFILES "profiles"

struct host_fixture {
	struct root *root;
	struct device_list *devices;
	struct policy_overrides *overrides; /* NULL unless loaded from `etc` */
	struct profile *profile;
	struct policy *policy;
	struct diag diag;
};

/* `name`: a file in tests/fixtures/hosts; `etc` NULL or another root with overrides. */
static inline void host_open(struct host_fixture *host, const char *name, const char *etc)
{
	const struct device_override *classes = NULL;
	struct root *other = NULL;
	size_t count = 0;
	char path[256];

	*host = (struct host_fixture){ 0 };
	snprintf(path, sizeof(path), "tests/fixtures/hosts/%s", name);
	assert_int_equal(root_open(path, &host->root, NULL), 0);
	if (etc) {
		assert_int_equal(root_open(etc, &other, NULL), 0);
		assert_int_equal(
			policy_overrides_load(other, &host->overrides, &host->diag), 0);
		classes = policy_overrides_classes(host->overrides, &count);
		root_free(other);
	}
	assert_int_equal(device_scan(host->root, SCAN_ALL, classes, count, &host->devices,
				     &host->diag),
			 0);
}

static inline void host_close(struct host_fixture *host)
{
	policy_free(host->policy);
	profile_free(host->profile);
	policy_overrides_free(host->overrides);
	device_list_free(host->devices);
	root_free(host->root);
}

static inline const struct device *host_device(const struct host_fixture *host,
					       const char *name)
{
	const struct device *device = device_find_by_name(host->devices, name);

	assert_non_null(device);
	return device;
}

/*
 * `profile`: text of a profile when it begins with '{', a shipped one's name otherwise,
 * NULL for none. `names` and `sets` are words with blanks between them ("sda dm-0",
 * "nr_requests=64"), NULL for none.
 */
static inline int host_resolve(struct host_fixture *host, const char *profile,
			       const char *names, const char *sets)
{
	const struct device *named[8];
	struct policy_set wanted[8];
	struct policy_request request = { .overrides = host->overrides,
					  .sets = wanted,
					  .named = named };
	_strv_ struct strv words = { 0 };
	int error = 0;

	policy_free(host->policy);
	profile_free(host->profile);
	host->policy = NULL;
	host->profile = NULL;
	host->diag = (struct diag){ 0 };
	if (profile && *profile == '{')
		error = profile_parse(NULL, PROFILES, profile, strlen(profile),
				      "test.json", &host->profile, &host->diag);
	else if (profile)
		error = profile_load(NULL, PROFILES, profile, &host->profile,
				     &host->diag);
	assert_int_equal(error, 0);
	request.profile = host->profile;
	assert_int_equal(strv_split(&words, names ? names : "", " "), 0);
	for (size_t i = 0; i < words.count; i++)
		named[request.named_count++] = host_device(host, words.items[i]);
	strv_done(&words);
	assert_int_equal(strv_split(&words, sets ? sets : "", " "), 0);
	for (size_t i = 0; i < words.count; i++) {
		char *value = strchr(words.items[i], '=');

		*value = '\0';
		wanted[request.set_count++] =
			(struct policy_set){ .key = words.items[i], .value = value + 1 };
	}
	return policy_resolve(host->devices, &request, &host->policy, &host->diag);
}

/* NULL when the policy is not about this device. */
static inline const struct policy_device *
host_find_policy(const struct host_fixture *host, const char *name)
{
	for (size_t i = 0; i < host->policy->count; i++)
		if (!strcmp(host->policy->items[i].device->name, name))
			return &host->policy->items[i];
	return NULL;
}

/* The failure leaves the test, which the compiler does not know. */
static inline const struct policy_device *host_policy(const struct host_fixture *host,
						      const char *name)
{
	const struct policy_device *device = host_find_policy(host, name);

	assert_non_null(device);
	if (!device)
		abort();
	return device;
}

static inline const struct policy_value *
host_find_value(const struct host_fixture *host, const char *name, const char *key)
{
	const struct policy_device *device = host_policy(host, name);

	for (size_t i = 0; i < device->value_count; i++)
		if (!strcmp(device->values[i].tunable->key, key))
			return &device->values[i];
	return NULL;
}

static inline const struct policy_value *host_value(const struct host_fixture *host,
						    const char *name, const char *key)
{
	const struct policy_value *value = host_find_value(host, name, key);

	if (!value)
		fail_msg("%s: nothing is wanted of %s", name, key);
	if (!value)
		abort();
	return value;
}

/* `expected` NULL: no value. */
static inline void assert_wanted(const struct host_fixture *host, const char *name,
				 const char *key, const char *expected)
{
	if (expected)
		assert_string_equal(host_value(host, name, key)->value, expected);
	else
		assert_null(host_find_value(host, name, key));
}

static inline void assert_note(const struct host_fixture *host, const char *name,
			       const char *words)
{
	const struct policy_device *device = host_policy(host, name);

	for (size_t i = 0; i < device->notes.count; i++)
		if (strstr(device->notes.items[i], words))
			return;
	fail_msg("%s has no note with \"%s\"", name, words);
}

static inline void assert_rejected(const struct host_fixture *host, const char *name,
				   const char *scheduler, const char *words)
{
	const struct policy_device *device = host_policy(host, name);

	for (size_t i = 0; i < device->rejected_count; i++)
		if (!strcmp(device->rejected[i].name, scheduler)) {
			assert_non_null(strstr(device->rejected[i].why, words));
			return;
		}
	fail_msg("%s: %s was not passed over", name, scheduler);
}

static inline void assert_reason(const struct host_fixture *host, const char *name,
				 enum policy_state state, const char *words)
{
	const struct policy_device *device = host_policy(host, name);

	assert_int_equal(device->state, state);
	assert_int_equal(device->value_count, 0);
	assert_non_null(strstr(device->reason, words));
}

#endif
