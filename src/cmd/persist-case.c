// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What generate and persist share.
 */
#include "cmd/persist-case.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/gather.h"
#include "device/host.h"
#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/program.h"

void persist_case_done(struct persist_case *persist_case)
{
	plan_free(persist_case->plan);
	policy_free(persist_case->policy);
	device_list_free(persist_case->devices);
	policy_overrides_free(persist_case->overrides);
	profile_free(persist_case->profile);
	free(persist_case->profile_argument);
	free(persist_case->program);
	*persist_case = (struct persist_case){ 0 };
}

/* A tree that an image is made from has no sysfs: no devices then, but a host. */
static int scan(const struct cmd_context *context, struct persist_case *ret,
		struct diag *diag)
{
	const struct device_override *classes;
	unsigned needs = GATHER_POLICY_NEEDS | SCAN_UDEV |
			 profile_get_needs(ret->profile) |
			 policy_overrides_get_needs(ret->overrides);
	size_t count;

	if (root_exists(context->root, PATH_SYS_BLOCK)) {
		classes = policy_overrides_classes(ret->overrides, &count);
		return device_scan(context->root, needs, classes, count, &ret->devices,
				   diag);
	}
	ret->devices = calloc(1, sizeof(*ret->devices));
	return ret->devices ? host_read(context->root, &ret->devices->host, diag)
			    : -ENOMEM;
}

/*
 * A file is named by its whole path, so that a unit finds it at boot; as the tree will
 * see it, when it lies in the tree that is worked on.
 */
static int spell_profile(const struct root *root, const char *profile, char **ret)
{
	_free_ char *whole = NULL, *tree = NULL;
	size_t len;

	if (!strchr(profile, '/') && !text_ends_with(profile, ".json")) {
		*ret = strdup(profile);
		return *ret ? 0 : -ENOMEM;
	}
	whole = realpath(profile, NULL);
	tree = realpath(root_get_name(root), NULL);
	if (!whole)
		return -errno;
	len = tree ? strlen(tree) : 0;
	if (root_get_kind(root) == ROOT_DIR && len > 1 && text_starts_with(whole, tree) &&
	    whole[len] == '/')
		*ret = strdup(whole + len);
	else
		*ret = TAKE_PTR(whole);
	return *ret ? 0 : -ENOMEM;
}

/* This very program on this host; where packages put it in another tree. */
static int find_program(const struct root *root, char **ret)
{
	if (root_get_kind(root) == ROOT_HOST && !program_find("iosched-tune", ret))
		return 0;
	*ret = strdup("/" PATH_PROGRAM);
	return *ret ? 0 : -ENOMEM;
}

static int load(const struct cmd_context *context, const char *profile,
		struct persist_case *ret, struct diag *diag)
{
	int error = profile_load(context->root, context->search, profile, &ret->profile,
				 diag);

	if (error)
		return error;
	error = policy_overrides_load(context->root, &ret->overrides, diag);
	if (error)
		diag_hint(diag,
			  _("correct the file, or move it out of that folder; what is "
			    "installed stays as it is, and can be removed"));
	if (!error)
		error = scan(context, ret, diag);
	if (error)
		return error;
	ret->request = (struct policy_request){ .profile = ret->profile,
						.overrides = ret->overrides };
	error = policy_resolve(ret->devices, &ret->request, &ret->policy, diag);
	if (!error)
		error = plan_make(ret->policy, &ret->plan);
	if (!error)
		error = spell_profile(context->root, profile, &ret->profile_argument);
	return error ? error : find_program(context->root, &ret->program);
}

int persist_case_make(const struct cmd_context *context, const char *asked,
		      const char *otherwise, bool is_forced, struct persist_case *ret)
{
	struct diag diag = { 0 };
	const char *profile = asked ? asked :
			      otherwise && *otherwise ? otherwise : PERSIST_PROFILE_DEFAULT;
	int error = load(context, profile, ret, &diag);

	/* What was found wrong before there is a profile is the profile. */
	if (error && asked && !ret->profile)
		return cmd_fail_profile(asked, &diag, error);
	if (error)
		return cmd_fail(&diag, error);
	ret->input = (struct persist_input){
		.root = context->root,
		.policy = &ret->request,
		.resolved = ret->policy,
		.devices = ret->devices,
		.profile = ret->profile_argument,
		.program = ret->program,
		.is_forced = is_forced,
		.has_instances = backend_has_systemd(context->root),
	};
	return EXIT_STATUS_DONE;
}
