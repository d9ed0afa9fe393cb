// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the journal's steps to one policy: the newest apply to all devices is the base,
 * and each later one replaces it for the devices that were named then.
 */
#include "cmd/applied.h"

#include <errno.h>
#include <string.h>

#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/log.h"

void applied_done(struct applied *applied)
{
	for (size_t i = 0; i < applied->count; i++)
		profile_free(applied->steps[i].profile);
	free(applied->steps);
	profile_free(applied->profile);
	journal_free(applied->journal);
	*applied = (struct applied){ 0 };
}

static int load(const struct root *root, const char *search, const char *name,
		struct profile **ret, struct applied *applied)
{
	int error = profile_load(root, search, name, ret, NULL);

	if (error && error != -ENOMEM) {
		applied->missing = name;
		error = 0;
	}
	return error;
}

static int read_steps(const struct root *root, const char *search, struct applied *ret)
{
	const struct journal *journal = ret->journal;
	_free_ char *boot_id = NULL;
	size_t boot, from;
	int error = 0;

	/* Without a boot id only steps without one count. */
	root_read(root, PATH_BOOT_ID, &boot_id);
	boot = journal_find_boot(journal, boot_id);
	from = journal->step_count;
	while (from > boot && !(from < journal->step_count &&
				journal_step_is_for_all(&journal->steps[from])))
		from--;
	ret->steps = calloc(journal->step_count - from + 1, sizeof(*ret->steps));
	if (!ret->steps)
		return -ENOMEM;
	for (size_t i = from; !error && i < journal->step_count; i++) {
		struct applied_step *applied = &ret->steps[ret->count++];

		applied->step = &journal->steps[i];
		if (!applied->step->profile)
			continue;
		error = load(root, search, applied->step->profile,
			     journal_step_is_for_all(applied->step) ? &ret->profile
						       : &applied->profile,
			     ret);
	}
	return error;
}

int applied_read(const struct root *root, const char *search, struct applied *ret)
{
	struct diag diag = { 0 };
	int error = journal_load(root, &ret->journal, &diag);

	ret->is_readable = error != -EACCES && error != -EPERM;
	if (error == -ENOMEM)
		return error;
	if (!error)
		return read_steps(root, search, ret);
	ret->is_damaged = ret->is_readable;
	if (ret->is_damaged)
		log_diag(&diag);
	return 0;
}

bool applied_is_known(const struct applied *applied)
{
	return applied->is_readable && !applied->is_damaged && !applied->missing;
}

unsigned applied_get_needs(const struct applied *applied)
{
	unsigned needs = applied->profile ? profile_get_needs(applied->profile) : 0;

	for (size_t i = 0; i < applied->count; i++)
		if (applied->steps[i].profile)
			needs |= profile_get_needs(applied->steps[i].profile);
	return needs;
}

const char *applied_profile_of(const struct applied *applied, const struct device *device)
{
	for (size_t i = applied->count; i > 0; i--) {
		const struct applied_step *step = &applied->steps[i - 1];

		if (step->profile && strv_contains(&step->step->named, device->name))
			return step->profile->name;
	}
	return NULL;
}

size_t applied_count_single(const struct applied *applied)
{
	_strv_ struct strv names = { 0 };

	for (size_t i = 0; i < applied->count; i++) {
		const struct strv *named = &applied->steps[i].step->named;

		for (size_t j = 0; j < named->count; j++)
			if (!strv_contains(&names, named->items[j]) &&
			    strv_add(&names, named->items[j]))
				return names.count;
	}
	return names.count;
}

/* --- resolving --- */

/* Everything that was set by hand, each for the devices of its step. */
struct hand_set {
	struct policy_set *sets;
	size_t count;
	struct strv texts;            /* what keys and values are cut out of */
	const struct device ***owned; /* the devices of each step that has sets */
	size_t owned_count;
};

static void hand_set_done(struct hand_set *hand)
{
	for (size_t i = 0; i < hand->owned_count; i++)
		free(hand->owned[i]);
	free(hand->owned);
	free(hand->sets);
	strv_done(&hand->texts);
}

/* The devices that were named for a step. */
static int find_devices(const struct journal_step *step, const struct device_list *devices,
			const struct device ***ret, size_t *ret_count)
{
	size_t count = step->named.count;
	const struct device **found = calloc(count + 1, sizeof(*found));
	size_t used = 0;

	if (!found)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct device *device =
			device_find_by_name(devices, step->named.items[i]);

		if (device)
			found[used++] = device;
	}
	*ret = found;
	*ret_count = used;
	return 0;
}

static int add_sets(struct hand_set *hand, const struct journal_step *step,
		    const struct device_list *devices)
{
	const struct device **found;
	size_t count;
	int error = find_devices(step, devices, &found, &count);

	if (error)
		return error;
	hand->owned[hand->owned_count++] = found;
	for (size_t i = 0; i < step->sets.count; i++) {
		char *equals;

		error = strv_add(&hand->texts, step->sets.items[i]);
		if (error)
			return error;
		equals = strchr(hand->texts.items[hand->texts.count - 1], '=');
		if (!equals)
			continue;
		*equals = '\0';
		hand->sets[hand->count++] = (struct policy_set){
			.key = hand->texts.items[hand->texts.count - 1],
			.value = equals + 1,
			/* For all devices: for those that the profile is for. */
			.devices = step->named.count ? found : NULL,
			.device_count = count,
			.is_earlier = true,
		};
	}
	return 0;
}

static int collect_sets(const struct applied *applied, const struct device_list *devices,
			size_t from, struct hand_set *ret)
{
	size_t count = 0;
	int error = 0;

	for (size_t i = from; i < applied->count; i++)
		count += applied->steps[i].step->sets.count;
	ret->sets = calloc(count + 1, sizeof(*ret->sets));
	ret->owned = calloc(applied->count + 1, sizeof(*ret->owned));
	if (!ret->sets || !ret->owned)
		return -ENOMEM;
	for (size_t i = from; !error && i < applied->count; i++)
		if (applied->steps[i].step->sets.count)
			error = add_sets(ret, applied->steps[i].step, devices);
	return error;
}

/* From step `from` on, under one profile; `named` NULL: all devices. */
static int resolve_from(const struct applied *applied, size_t from,
			const struct device_list *devices,
			const struct policy_overrides *overrides,
			const struct profile *profile,
			const struct device *const *named, size_t named_count,
			struct policy **ret, struct diag *diag)
{
	_cleanup_(hand_set_done) struct hand_set hand = { 0 };
	struct policy_request request = { .profile = profile,
					  .overrides = overrides,
					  .named = named,
					  .named_count = named_count };
	int error = collect_sets(applied, devices, from, &hand);

	if (error)
		return error;
	request.sets = hand.sets;
	request.set_count = hand.count;
	return policy_resolve(devices, &request, ret, diag);
}

int applied_resolve(const struct applied *applied, const struct device_list *devices,
		    const struct policy_overrides *overrides, const struct profile *base,
		    struct policy **ret, struct diag *diag)
{
	_cleanup_(cleanup_policy_free) struct policy *policy = NULL;
	int error = resolve_from(applied, 0, devices, overrides, base, NULL, 0, &policy,
				 diag);

	for (size_t i = 0; !error && i < applied->count; i++) {
		_cleanup_(cleanup_policy_free) struct policy *single = NULL;
		const struct applied_step *step = &applied->steps[i];
		_free_ const struct device **named = NULL;
		size_t count;

		/* Values alone leave the profile that the devices have. */
		if (!step->step->named.count || !step->profile)
			continue;
		error = find_devices(step->step, devices, &named, &count);
		if (error || !count)
			continue;
		error = resolve_from(applied, i, devices, overrides, step->profile, named,
				     count, &single, diag);
		if (!error)
			policy_take_devices(policy, single);
	}
	if (error)
		return error;
	*ret = TAKE_PTR(policy);
	return 0;
}
