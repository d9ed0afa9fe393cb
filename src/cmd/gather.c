// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a command line to devices, policy and plan.
 */
#include "cmd/gather.h"

#include <errno.h>
#include <string.h>

#include "cmd/common.h"
#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/log.h"

/* In force where nobody has chosen: what the rules of a package set. */
#define PROFILE_DEFAULT_NAME "balanced"

void gathered_done(struct gathered *gathered)
{
	plan_free(gathered->plan);
	policy_free(gathered->policy);
	profile_free(gathered->profile);
	free(gathered->named);
	free(gathered->applied);
	device_list_free(gathered->devices);
	policy_overrides_free(gathered->overrides);
	journal_free(gathered->journal);
	*gathered = (struct gathered){ 0 };
}

bool gathered_is_asked(const struct gathered *gathered, const struct device *device)
{
	for (size_t i = 0; i < gathered->named_count; i++)
		if (gathered->named[i] == device)
			return true;
	return !gathered->named_count;
}

static int scan(const struct cmd_context *context, const struct gather_request *request,
		struct gathered *ret)
{
	unsigned needs = request->needs;
	const struct device_override *classes;
	struct diag diag = { 0 };
	size_t count;
	int error;

	error = policy_overrides_load(context->root, &ret->overrides, &diag);
	if (error)
		return cmd_fail(&diag, error);
	if (request->policy != GATHER_NO_POLICY)
		needs |= GATHER_POLICY_NEEDS | profile_get_needs(ret->profile) |
			 policy_overrides_get_needs(ret->overrides);
	classes = policy_overrides_classes(ret->overrides, &count);
	error = device_scan(context->root, needs, classes, count, &ret->devices, &diag);
	return error ? cmd_fail(&diag, error) : EXIT_STATUS_DONE;
}

static int find_named(const struct cmd_context *context,
		      const struct gather_request *request, struct gathered *ret)
{
	if (!request->name_count)
		return EXIT_STATUS_DONE;
	ret->named = calloc(request->name_count, sizeof(*ret->named));
	if (!ret->named)
		return cmd_fail(&(struct diag){ 0 }, -ENOMEM);
	for (size_t i = 0; i < request->name_count; i++) {
		const struct device *device;
		struct diag diag = { 0 };
		int error = device_find(context->root, ret->devices, request->names[i],
					&device, &diag);

		if (error)
			return cmd_fail(&diag, error);
		if (!ret->named_count || !gathered_is_asked(ret, device))
			ret->named[ret->named_count++] = device;
	}
	return EXIT_STATUS_DONE;
}

static void add_applied(struct gathered *gathered, const struct device *device)
{
	for (size_t i = 0; i < gathered->applied_count; i++)
		if (gathered->applied[i] == device)
			return;
	gathered->applied[gathered->applied_count++] = device;
}

/* The devices of every step of the same profile as the newest one. */
static int find_applied(struct gathered *ret)
{
	const struct journal *journal = ret->journal;

	if (ret->source != PROFILE_APPLIED)
		return EXIT_STATUS_DONE;
	ret->applied = calloc(ret->devices->count + 1, sizeof(*ret->applied));
	if (!ret->applied)
		return cmd_fail(&(struct diag){ 0 }, -ENOMEM);
	for (size_t i = 0; i < journal->step_count; i++) {
		const struct journal_step *step = &journal->steps[i];

		if (!text_equal(step->profile, ret->profile->name))
			continue;
		for (size_t j = 0; j < step->device_count; j++) {
			const struct device *device =
				device_find_by_name(ret->devices, step->devices[j].name);

			if (device)
				add_applied(ret, device);
		}
	}
	return EXIT_STATUS_DONE;
}

/* --- which profile --- */

/* The profile that was applied last since boot; NULL: none, or it cannot be known. */
static const char *name_applied(const struct cmd_context *context, struct gathered *ret)
{
	_free_ char *boot_id = NULL;
	struct diag diag = { 0 };
	int error = journal_load(context->root, &ret->journal, &diag);

	ret->source = error ? PROFILE_GUESSED : PROFILE_DEFAULT;
	if (error) {
		if (error != -EACCES && error != -EPERM)
			log_diag(&diag);
		return NULL;
	}
	/* Without a boot id only steps without one count: journal_profile() says so. */
	root_read(context->root, PATH_BOOT_ID, &boot_id);
	return journal_profile(ret->journal, boot_id);
}

static int load_default(const struct cmd_context *context, struct gathered *ret)
{
	const char *applied = name_applied(context, ret);
	struct diag diag = { 0 };
	int error;

	if (applied && !profile_load(context->root, context->search, applied,
				     &ret->profile, &diag)) {
		ret->source = PROFILE_APPLIED;
		return EXIT_STATUS_DONE;
	}
	if (applied)
		log_warning(_("the profile that was applied last, '%s', is not among the "
			      "installed ones; name its file with --profile; comparing "
			      "with %s"),
			    applied, PROFILE_DEFAULT_NAME);
	diag = (struct diag){ 0 };
	error = profile_load(context->root, context->search, PROFILE_DEFAULT_NAME,
			     &ret->profile, &diag);
	return error ? cmd_fail(&diag, error) : EXIT_STATUS_DONE;
}

static int load_profile(const struct cmd_context *context,
			const struct gather_request *request, struct gathered *ret)
{
	struct diag diag = { 0 };
	int error;

	if (request->policy == GATHER_NO_POLICY)
		return EXIT_STATUS_DONE;
	if (!request->profile)
		return request->policy == GATHER_POLICY ? load_default(context, ret)
							: EXIT_STATUS_DONE;
	ret->source = PROFILE_ASKED;
	error = profile_load(context->root, context->search, request->profile,
			     &ret->profile, &diag);
	return error ? cmd_fail(&diag, error) : EXIT_STATUS_DONE;
}

/* --- the policy --- */

/* The values of --set and --scheduler; keys and values are cut out of `texts`. */
static int read_sets(const struct verb *verb, const struct gather_request *request,
		     struct strv *texts, struct policy_set *sets, size_t *ret_count)
{
	size_t count = 0;

	if (request->scheduler)
		sets[count++] = (struct policy_set){ "scheduler", request->scheduler };
	for (size_t i = 0; i < texts->count; i++) {
		char *equals = strchr(texts->items[i], '=');
		struct diag diag = { 0 };

		if (!equals || equals == texts->items[i] || !equals[1]) {
			diag_set(&diag, -EINVAL, _("'%s' is not KEY=VALUE"),
				 texts->items[i]);
			return cmd_fail_usage(verb, &diag);
		}
		*equals = '\0';
		sets[count++] = (struct policy_set){ texts->items[i], equals + 1 };
	}
	*ret_count = count;
	return EXIT_STATUS_DONE;
}

static int resolve(const struct verb *verb, const struct gather_request *request,
		   struct gathered *ret)
{
	_free_ struct policy_set *sets = NULL;
	_strv_ struct strv texts = { 0 };
	struct policy_request policy = { .profile = ret->profile,
					 .overrides = ret->overrides,
					 .named = ret->applied,
					 .named_count = ret->applied_count,
					 .has_others = true };
	struct diag diag = { 0 };
	int error = 0, status;

	for (size_t i = 0; request->sets && i < request->sets->count && !error; i++)
		error = strv_add(&texts, request->sets->items[i]);
	sets = calloc(texts.count + 1, sizeof(*sets));
	if (error || !sets)
		return cmd_fail(&diag, -ENOMEM);
	if (!ret->profile && !ret->named_count) {
		diag_set(&diag, -EINVAL,
			 _("without a profile, the devices have to be named"));
		return cmd_fail_usage(verb, &diag);
	}
	status = read_sets(verb, request, &texts, sets, &policy.set_count);
	if (status)
		return status;
	policy.sets = sets;
	if (ret->named_count && !request->is_selection) {
		policy.named = ret->named;
		policy.named_count = ret->named_count;
		policy.has_others = false;
	}
	error = policy_resolve(ret->devices, &policy, &ret->policy, &diag);
	if (error == -EINVAL || error == -ERANGE || error == -EPERM)
		return cmd_fail_usage(verb, &diag);
	if (!error)
		error = plan_make(ret->policy, &ret->plan);
	return error ? cmd_fail(&diag, error) : EXIT_STATUS_DONE;
}

int gather(const struct cmd_context *context, const struct verb *verb,
	   const struct gather_request *request, struct gathered *ret)
{
	int status = load_profile(context, request, ret);

	if (!status)
		status = scan(context, request, ret);
	if (!status)
		status = find_named(context, request, ret);
	if (!status)
		status = find_applied(ret);
	if (!status && request->policy != GATHER_NO_POLICY)
		status = resolve(verb, request, ret);
	return status;
}

struct column_row gathered_row(const struct gathered *gathered,
			       const struct device *device)
{
	struct column_row row = { .device = device };
	size_t count = gathered->policy ? gathered->policy->count : 0;

	/* The plan has the devices of the policy in the same order. */
	for (size_t i = 0; i < count && !row.policy; i++) {
		if (gathered->policy->items[i].device != device)
			continue;
		row.policy = &gathered->policy->items[i];
		row.plan = &gathered->plan->items[i];
	}
	return row;
}
