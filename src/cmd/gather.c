// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a command line to devices, policy and plan.
 */
#include "cmd/gather.h"

#include <errno.h>
#include <string.h>

#include "cmd/common.h"
#include "device/nvme-paths.h"
#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"

/* In force where nobody has chosen: what the rules of a package set. */
#define PROFILE_DEFAULT_NAME "balanced"

void gathered_done(struct gathered *gathered)
{
	plan_free(gathered->plan);
	policy_free(gathered->policy);
	profile_free(gathered->profile);
	free(gathered->named);
	device_list_free(gathered->devices);
	policy_overrides_free(gathered->overrides);
	strv_done(&gathered->problems);
	applied_done(&gathered->applied);
	*gathered = (struct gathered){ 0 };
}

bool gathered_is_asked(const struct gathered *gathered, const struct device *device)
{
	for (size_t i = 0; i < gathered->named_count; i++)
		if (gathered->named[i] == device)
			return true;
	return !gathered->named_count;
}

static int load_overrides(const struct cmd_context *context,
			  const struct gather_request *request, struct gathered *ret)
{
	struct diag diag = { 0 };
	int error;

	if (request->needs_all_overrides)
		error = policy_overrides_load(context->root, &ret->overrides, &diag);
	else
		error = policy_overrides_load_sound(context->root, &ret->overrides,
						    &ret->problems, &diag);
	if (error)
		return cmd_fail(&diag, error);
	for (size_t i = 0; i < ret->problems.count; i++)
		log_warning(_("%s; left out"), ret->problems.items[i]);
	return EXIT_STATUS_DONE;
}

static int scan(const struct cmd_context *context, const struct gather_request *request,
		struct gathered *ret)
{
	unsigned needs = request->needs;
	const struct device_override *classes;
	struct diag diag = { 0 };
	size_t count;
	int error;

	if (request->policy != GATHER_NO_POLICY)
		needs |= GATHER_POLICY_NEEDS | profile_get_needs(ret->profile) |
			 applied_get_needs(&ret->applied) |
			 policy_overrides_get_needs(ret->overrides);
	classes = policy_overrides_classes(ret->overrides, &count);
	error = device_scan(context->root, needs, classes, count, &ret->devices, &diag);
	return error ? cmd_fail(&diag, error) : EXIT_STATUS_DONE;
}

static void add_named(struct gathered *ret, const struct device *device)
{
	if (!ret->named_count || !gathered_is_asked(ret, device))
		ret->named[ret->named_count++] = device;
}

/* The name of an NVMe controller stands for its namespaces, or the paths over it. */
static bool add_of_controller(struct gathered *ret, const char *argument)
{
	const char *controller = nvme_controller_name(argument);
	bool is_found = false;

	for (size_t i = 0; controller && i < ret->devices->count; i++) {
		if (!nvme_is_on_controller(&ret->devices->items[i], controller))
			continue;
		add_named(ret, &ret->devices->items[i]);
		is_found = true;
	}
	return is_found;
}

static int find_named(const struct cmd_context *context,
		      const struct gather_request *request, struct gathered *ret)
{
	if (!request->name_count)
		return EXIT_STATUS_DONE;
	ret->named = calloc(ret->devices->count + 1, sizeof(*ret->named));
	if (!ret->named)
		return cmd_fail(&(struct diag){ 0 }, -ENOMEM);
	for (size_t i = 0; i < request->name_count; i++) {
		const struct device *device;
		struct diag diag = { 0 };
		int error;

		if (add_of_controller(ret, request->names[i]))
			continue;
		error = device_find(context->root, ret->devices, request->names[i],
				    &device, &diag);
		if (error)
			return cmd_fail_device(&diag, error);
		add_named(ret, device);
	}
	return EXIT_STATUS_DONE;
}

/* --- which profile --- */

static int load_default(const struct cmd_context *context, struct gathered *ret)
{
	struct diag diag = { 0 };
	int error = applied_read(context->root, context->search, &ret->applied);

	if (error)
		return cmd_fail(&diag, error);
	ret->source = ret->applied.is_readable ? PROFILE_DEFAULT : PROFILE_GUESSED;
	if (ret->applied.missing)
		log_warning(_("the profile '%s', which was applied, cannot be read any "
			      "more: %s stands in for it"),
			    ret->applied.missing, PROFILE_DEFAULT_NAME);
	if (ret->applied.profile) {
		ret->source = PROFILE_APPLIED;
		ret->profile = TAKE_PTR(ret->applied.profile);
		return EXIT_STATUS_DONE;
	}
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
	return error ? cmd_fail_profile(request->profile, &diag, error) : EXIT_STATUS_DONE;
}

/* --- the policy --- */

/* The values of --set and --scheduler; keys and values are cut out of `texts`. */
static int read_sets(const struct verb *verb, const struct gather_request *request,
		     struct strv *texts, struct policy_set *sets, size_t *ret_count)
{
	size_t count = 0;

	if (request->scheduler)
		sets[count++] = (struct policy_set){ .key = "scheduler",
						    .value = request->scheduler };
	for (size_t i = 0; i < texts->count; i++) {
		char *equals = strchr(texts->items[i], '=');
		struct diag diag = { 0 };

		if (!equals || equals == texts->items[i] || !equals[1]) {
			diag_set(&diag, -EINVAL, _("'%s' is not KEY=VALUE"),
				 texts->items[i]);
			return cmd_fail_usage(verb, &diag);
		}
		*equals = '\0';
		sets[count++] = (struct policy_set){ .key = texts->items[i],
						    .value = equals + 1 };
	}
	*ret_count = count;
	return EXIT_STATUS_DONE;
}

/* The profile and values of the command line, on the devices named or on all. */
static int resolve_asked(const struct policy_set *sets, size_t set_count,
			 struct gathered *ret, struct diag *diag)
{
	struct policy_request policy = { .profile = ret->profile,
					 .overrides = ret->overrides,
					 .sets = sets,
					 .set_count = set_count };

	if (ret->named_count) {
		policy.named = ret->named;
		policy.named_count = ret->named_count;
	}
	return policy_resolve(ret->devices, &policy, &ret->policy, diag);
}

/* Asked for itself, or as a disk below one that is. */
static bool is_selected(const struct gathered *gathered, const struct device *device)
{
	if (gathered_is_asked(gathered, device))
		return true;
	for (size_t i = 0; i < gathered->named_count; i++)
		if (strv_contains(&gathered->named[i]->owners, device->name))
			return true;
	return false;
}

/* What was applied since boot; the names choose among it. */
static int resolve_applied(struct gathered *ret, struct diag *diag)
{
	int error = applied_resolve(&ret->applied, ret->devices, ret->overrides,
				    ret->profile, &ret->policy, diag);

	if (error)
		return error;
	for (size_t i = ret->policy->count; i-- > 0;)
		if (!is_selected(ret, ret->policy->items[i].device))
			policy_drop_device(ret->policy, i);
	return 0;
}

static int resolve(const struct verb *verb, const struct gather_request *request,
		   struct gathered *ret)
{
	_free_ struct policy_set *sets = NULL;
	_strv_ struct strv texts = { 0 };
	struct diag diag = { 0 };
	size_t set_count = 0;
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
	status = read_sets(verb, request, &texts, sets, &set_count);
	if (status)
		return status;
	if (ret->source == PROFILE_ASKED)
		error = resolve_asked(sets, set_count, ret, &diag);
	else
		error = resolve_applied(ret, &diag);
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
		status = load_overrides(context, request, ret);
	if (!status)
		status = scan(context, request, ret);
	if (!status)
		status = find_named(context, request, ret);
	if (!status && request->policy != GATHER_NO_POLICY)
		status = resolve(verb, request, ret);
	return status;
}

json_t *gathered_problems_to_json(const struct gathered *gathered)
{
	return json_text_array(&gathered->problems);
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
