// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * persist: make a policy last over reboots, take it out again, and see whether it holds.
 */
#include <errno.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/persist-actions.h"
#include "util/i18n.h"
#include "util/suggest.h"

static const char *const methods[] = { "auto", "udev", "systemd", "grub", NULL };

static const struct option_spec persist_specs[] = {
	{ 'p', "profile", VALUE_PROFILE, "PROFILE",
	  .help = N_("name or file of the policy; not given: the installed one, or "
		     "balanced"),
	  .offset = OPTION_FIELD(struct persist_options, profile) },
	{ 'm', "method", VALUE_WORD, "METHOD,...", .words = methods, .is_repeatable = true,
	  .help = N_("auto, udev, systemd or grub, or several of them: udev,systemd"),
	  .offset = OPTION_FIELD(struct persist_options, methods) },
	{ 'n', "dry-run", .help = N_("print the difference of the files, change nothing"),
	  .offset = OPTION_FIELD(struct persist_options, is_dry_run) },
	{ 'f', "force",
	  .help = N_("replace files that are not ours or were edited, keeping a copy"),
	  .offset = OPTION_FIELD(struct persist_options, is_forced) },
};

static const struct {
	const char *name;
	int (*run)(const struct cmd_context *context,
		   const struct persist_options *options);
} actions[] = {
	{ "install", persist_install },
	{ "remove", persist_remove },
	{ "status", persist_show_status },
};

/* What udev and systemd have installed is no part of it, so that any other reason is wrong. */
static int fail_snapshot(const struct cmd_context *context)
{
	struct diag diag = { 0 };

	diag_set(&diag, -EROFS,
		 _("a snapshot holds the devices of a system, not its files: nothing can be made "
		   "to last in it"));
	diag_at(&diag, root_get_name(context->root), 0);
	diag_hint(&diag, _("'iosched-tune generate udev' prints the rules; --root takes a folder "
			   "with a whole system"));
	return cmd_fail(&diag, -EROFS);
}

static int run_persist(const struct cmd_context *context, const void *data,
		       const char *const *arguments, size_t argument_count)
{
	struct suggestion suggestion = suggestion_for(arguments[0]);
	struct diag diag = { 0 };

	(void)argument_count;
	for (size_t i = 0; i < ARRAY_SIZE(actions); i++) {
		if (!strcmp(arguments[0], actions[i].name))
			return root_get_kind(context->root) == ROOT_SNAPSHOT ?
				       fail_snapshot(context) :
				       actions[i].run(context, data);
		suggestion_offer(&suggestion, actions[i].name);
	}
	diag_set(&diag, -EINVAL, _("'%s' is nothing that persist does"), arguments[0]);
	if (suggestion.nearest)
		diag_hint(&diag, _("did you mean '%s'?"), suggestion.nearest);
	return cmd_fail_usage(&verb_persist, &diag);
}

static const struct verb_example examples[] = {
	{ "iosched-tune persist install --profile database",
	  N_("udev rules for every disk, now and later") },
	{ "iosched-tune persist install --dry-run", N_("what would be written") },
	{ "iosched-tune persist status", N_("after a reboot: does it hold?") },
	{ "iosched-tune persist remove", N_("every file as it was before") },
	{ 0 },
};

static const struct option_word words[] = {
	{ "install", N_("write what brings the policy back at every boot"), VALUE_NONE },
	{ "remove", N_("take it out, every file as it was before"), VALUE_NONE },
	{ "status", N_("whether it holds, from the files to the live values"), VALUE_NONE },
	{ 0 },
};

const struct verb verb_persist = {
	.name = "persist",
	.summary = N_("Make a policy last over reboots"),
	.usage = "install|remove|status",
	.help = N_("install writes what makes the policy come back at every boot and for "
		   "devices that are plugged in, in place of what an earlier install "
		   "wrote; remove takes it out and brings back the "
		   "files "
		   "as they were; status follows the chain from the files to the live "
		   "values, "
		   "names the broken link and exits with 4 when there is one."),
	.examples = examples,
	.options = persist_specs,
	.option_count = ARRAY_SIZE(persist_specs),
	.options_size = sizeof(struct persist_options),
	.positional = { "ACTION", VALUE_TEXT, 1, 1, words },
	.run = run_persist,
};
