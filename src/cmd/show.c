// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * show: one device in full.
 */
#include <string.h>

#include "cmd/common.h"
#include "cmd/gather.h"
#include "cmd/verb.h"
#include "report/json.h"
#include "report/show.h"
#include "util/i18n.h"
#include "util/json-build.h"

struct show_options {
	const char *profile;
};

static const struct option_spec show_specs[] = {
	{ 'p', "profile", VALUE_PROFILE, "NAME|FILE",
	  .help = N_(
		  "compare with this profile; without it, with what was applied since boot, or "
		  "balanced"),
	  .offset = OPTION_FIELD(struct show_options, profile) },
};

static int print(const struct cmd_context *context, const struct gathered *gathered,
		 const struct show_view *view)
{
	struct table_style style = cmd_table_style(context);
	json_t *root;
	int error = 0;

	if (!context->is_json)
		return show_print(view, &style);
	root = json_envelope();
	json_put(root, "profile", json_text(view->profile_name), &error);
	json_put(root, "device", show_to_json(view), &error);
	json_put(root, "problems", gathered_problems_to_json(gathered), &error);
	return json_print(root, error);
}

static int run_show(const struct cmd_context *context, const void *data,
		    const char *const *arguments, size_t argument_count)
{
	const struct show_options *options = data;
	_gathered_ struct gathered gathered = { 0 };
	struct gather_request request = { .policy = GATHER_POLICY,
					  .needs = SCAN_ALL,
					  .profile = options->profile,
					  .names = arguments,
					  .name_count = argument_count };
	struct show_view view;
	const char *applied;
	int error, status = gather(context, &verb_show, &request, &gathered);

	if (status)
		return status;
	applied = applied_profile_of(&gathered.applied, gathered.named[0]);
	view = (struct show_view){
		.row = gathered_row(&gathered, gathered.named[0]),
		.devices = gathered.devices,
		.profile_name = applied ? applied : gathered.profile->name,
	};
	error = print(context, &gathered, &view);
	return error ? cmd_fail(&(struct diag){ 0 }, error) : EXIT_STATUS_DONE;
}

static const struct verb_example examples[] = {
	{ "iosched-tune show sda", N_("everything about sda") },
	{ "iosched-tune show /dev/disk/by-id/wwn-0x5000c500a1b2c3d4",
	  N_("the same, by its name "
	     "that stays") },
	{ 0 },
};

const struct verb verb_show = {
	.name = "show",
	.summary = N_("Explain one device"),
	.usage = "DEVICE",
	.help = N_("What the device is and how that is known, what lies above and below "
		   "it, which "
		   "schedulers it could have, and every attribute: as it is, as the "
		   "profile wants "
		   "it and why, and the kernel's default."),
	.examples = examples,
	.options = show_specs,
	.option_count = ARRAY_SIZE(show_specs),
	.options_size = sizeof(struct show_options),
	.positional = { "DEVICE", VALUE_DEVICE, 1, 1 },
	.run = run_show,
};
