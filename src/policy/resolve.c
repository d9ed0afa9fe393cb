// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Resolving a policy: which devices are meant, one after the other, and whether every
 * --set reached something.
 */
#include "policy/resolve.h"

#include <errno.h>
#include <string.h>

#include "util/i18n.h"

/* --- which devices --- */

static int alloc_names(struct resolver *resolver)
{
	size_t count = resolver->devices->count + 1;

	resolver->is_named = calloc(count, sizeof(*resolver->is_named));
	resolver->is_asked = calloc(count, sizeof(*resolver->is_asked));
	return resolver->is_named && resolver->is_asked ? 0 : -ENOMEM;
}

static void name_all(struct resolver *resolver, const struct strv *names)
{
	for (size_t i = 0; i < names->count; i++) {
		const struct device *below =
			device_find_by_name(resolver->devices, names->items[i]);

		if (below)
			resolver->is_named[below - resolver->devices->items] = true;
	}
}

static int mark_names(struct resolver *resolver)
{
	const struct policy_request *request = resolver->request;
	int error = alloc_names(resolver);

	if (error)
		return error;
	resolver->has_names = request->named_count > 0;
	for (size_t i = 0; i < request->named_count; i++) {
		const struct device *device = request->named[i];
		size_t index = (size_t)(device - resolver->devices->items);

		resolver->is_named[index] = resolver->is_asked[index] = true;
		if (device->level == LEVEL_BELOW)
			name_all(resolver, &device->owners);
	}
	return 0;
}

/* --- one device, and all of them --- */

/* Without a profile and without a name, --set is not for these (user problem 8). */
static bool is_left_by_default(const struct resolving *resolving)
{
	static const unsigned left = 1u << CLASS_LOOP | 1u << CLASS_RAM |
				     1u << CLASS_ZRAM | 1u << CLASS_OPTICAL |
				     1u << CLASS_FLOPPY;

	return left & 1u << resolving->device->class;
}

/* --set reaches the devices that were named, and of the others those that a rule is for.
 */
static bool is_reached(const struct resolving *resolving)
{
	if (resolving->is_named || resolving->layers.count)
		return true;
	return !resolving->all->request->profile && !resolving->layers.left_by.rule &&
	       !is_left_by_default(resolving);
}

bool resolve_is_for(const struct resolving *resolving, const struct policy_set *set)
{
	if (!set->devices)
		return resolving->is_reached;
	for (size_t i = 0; i < set->device_count; i++)
		if (set->devices[i] == resolving->device)
			return true;
	return false;
}

static int resolve_device(struct resolver *resolver, size_t index,
			  struct policy_device *target, struct diag *diag)
{
	struct resolving resolving = {
		.all = resolver,
		.target = target,
		.device = &resolver->devices->items[index],
		.is_named = resolver->is_named[index],
		.is_asked = resolver->is_asked[index],
	};
	int error;

	target->device = resolving.device;
	error = resolve_find_layers(&resolving);
	resolving.is_reached = is_reached(&resolving);
	if (!error)
		error = resolve_scheduler(&resolving, diag);
	if (!error)
		error = resolve_values(&resolving, diag);
	if (!error)
		error = resolve_explain(&resolving);
	free(resolving.layers.items);
	return error;
}

static int resolve_devices(struct resolver *resolver, struct policy *policy,
			   struct diag *diag)
{
	const struct device_list *devices = resolver->devices;

	policy->items = calloc(devices->count + 1, sizeof(*policy->items));
	if (!policy->items)
		return -ENOMEM;
	for (size_t i = 0; i < devices->count; i++) {
		int error;

		if (resolver->has_names && !resolver->is_named[i])
			continue;
		error = resolve_device(resolver, i, &policy->items[policy->count++],
				       diag);
		if (error)
			return error;
	}
	return 0;
}

/* Every --set has to reach something. */
static int check_taken(const struct resolver *resolver, struct diag *diag)
{
	for (size_t i = 0; i < resolver->set_count; i++) {
		const struct resolve_set *set = &resolver->sets[i];

		if (set->is_taken || set->set->is_earlier)
			continue;
		if (set->refusal.error)
			return diag_set(diag, -EINVAL, "%s", set->refusal.text);
		diag_set(diag, -EINVAL, _("no device takes %s=%s"), set->set->key,
			 set->set->value);
		diag_hint(diag,
			  _("name the devices, or give a profile with rules for them"));
		return -EINVAL;
	}
	return 0;
}

static int prepare(struct resolver *resolver, struct diag *diag)
{
	const struct policy_request *request = resolver->request;

	resolver->sets = calloc(request->set_count + 1, sizeof(*resolver->sets));
	if (!resolver->sets)
		return -ENOMEM;
	for (size_t i = 0; i < request->set_count; i++) {
		const struct policy_set *set = &request->sets[i];
		int error = resolve_check_set(set, set->is_earlier ? NULL : diag);

		if (error && !set->is_earlier)
			return error;
		if (!error)
			resolver->sets[resolver->set_count++].set = set;
	}
	return mark_names(resolver);
}

/* For each scheduler the first device on which it is active. */
static int find_samples(const struct device_list *devices, const struct device ***ret)
{
	const struct scheduler *scheduler;
	const struct device **samples;
	size_t count = 0;

	while (scheduler_get(count))
		count++;
	samples = calloc(count, sizeof(*samples));
	if (!samples)
		return -ENOMEM;
	for (size_t i = 0; i < devices->count; i++) {
		const char *active = choice_active(&devices->items[i].scheduler);

		for (size_t n = 0; active && (scheduler = scheduler_get(n)); n++)
			if (!samples[n] && devices->items[i].value_count &&
			    !strcmp(active, scheduler->name))
				samples[n] = &devices->items[i];
	}
	*ret = samples;
	return 0;
}

static int resolve_all(struct resolver *resolver, struct policy *policy,
		       struct diag *diag)
{
	const struct profile *profile = resolver->request->profile;
	int error = prepare(resolver, diag);

	if (error)
		return error;
	if (profile) {
		policy->profile_name = strdup(profile->name);
		if (!policy->profile_name)
			return -ENOMEM;
	}
	error = resolve_devices(resolver, policy, diag);
	return error ? error : check_taken(resolver, diag);
}

int policy_resolve(const struct device_list *devices,
		   const struct policy_request *request, struct policy **ret,
		   struct diag *diag)
{
	_cleanup_(cleanup_policy_free) struct policy *policy = NULL;
	struct resolver resolver = { .devices = devices,
				     .request = request,
				     .host = devices->host };
	const struct device **samples = NULL;
	int error;

	policy = calloc(1, sizeof(*policy));
	if (!policy)
		return -ENOMEM;
	error = find_samples(devices, &samples);
	if (error)
		return error;
	resolver.samples = samples;
	error = resolve_all(&resolver, policy, diag);
	free(samples);
	free(resolver.sets);
	free(resolver.is_named);
	free(resolver.is_asked);
	if (error)
		return error;
	*ret = TAKE_PTR(policy);
	return 0;
}
