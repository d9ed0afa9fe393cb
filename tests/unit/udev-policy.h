/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rendered udev rules against the resolved policy, device by device: what the rules leave
 * behind has to be what the policy asks for.
 */
#ifndef IOSCHED_TESTS_UDEV_POLICY_H
#define IOSCHED_TESTS_UDEV_POLICY_H

#include "udev-eval.h"

#include "persist/udev-rules.h"
#include "policy/profile.h"

#define HOSTS    "tests/fixtures/hosts"
#define PROFILES "profiles"

struct count {
	unsigned hosts, devices, values, written;
};

static inline char *render(const struct policy_request *request, const char *instance,
			   struct strv *left)
{
	struct udev_input input = { .policy = request, .instance_unit = instance };
	struct text text = { 0 };
	char *out = NULL;

	assert_int_equal(udev_render(&input, &text, left), 0);
	assert_int_equal(text_take(&text, &out), 0);
	return out;
}

static inline const char *wanted_file(const struct policy_value *value, char *buf,
				      size_t size)
{
	snprintf(buf, size, "queue/%s%s",
		 value->tunable->place == TUNABLE_IOSCHED ? "iosched/" : "",
		 value->tunable->file);
	return buf;
}

static inline const struct policy_value *find_value(const struct policy_device *item,
						    const char *file)
{
	char buf[128];

	for (size_t i = 0; i < item->value_count; i++)
		if (!strcmp(wanted_file(&item->values[i], buf, sizeof(buf)), file))
			return &item->values[i];
	return NULL;
}

/* The state that the rules leave behind is the one that the policy asks for. */
static inline void compare(const char *host, const char *profile, const struct eval *eval,
			   const struct policy_device *item, struct count *count)
{
	const char *class = eval_get(eval->env, eval->env_count, ".IOSCHED_CLASS");

	if (strcmp(class ? class : "", device_class_name(item->device->class)))
		fail_msg("%s, %s: class %s, not %s", host, item->device->name, class,
			 device_class_name(item->device->class));
	for (size_t i = 0; i < eval->written_count; i++) {
		const struct eval_pair *pair = &eval->written[i];

		if (!find_value(item, pair->key))
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

static inline void check_policy(const char *host, const char *profile,
				const struct root *root,
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

#endif
