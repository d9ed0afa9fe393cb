// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * verify: is the policy in force?
 */
#include <errno.h>
#include <stdint.h>

#include "cmd/common.h"
#include "cmd/gather.h"
#include "cmd/verb.h"
#include "report/json.h"
#include "report/plan.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"

struct verify_options {
	const char *profile;
	const char *scheduler;
	struct strv sets;
};

static const struct option_spec verify_specs[] = {
	{ 'p', "profile", VALUE_PROFILE, "NAME|FILE",
	  .help = N_(
		  "compare with this profile; without it, with what was applied since boot, or "
		  "balanced"),
	  .offset = OPTION_FIELD(struct verify_options, profile) },
	{ 's', "scheduler", VALUE_SCHEDULER, "NAME,...",
	  .help = N_("as it was given to apply"),
	  .offset = OPTION_FIELD(struct verify_options, scheduler) },
	{ .long_name = "set",
	  .value = VALUE_TUNABLE,
	  .placeholder = "KEY=VALUE",
	  .is_repeatable = true,
	  .help = N_("as it was given to apply"),
	  .offset = OPTION_FIELD(struct verify_options, sets) },
};

static size_t count_devices(const struct plan *plan, enum plan_state state)
{
	size_t count = 0;

	for (size_t i = 0; i < plan->count; i++)
		count += plan->items[i].state == state;
	return count;
}

static int print_json(const struct gathered *gathered, bool is_in_force)
{
	json_t *root = json_envelope();
	int error = 0;

	json_put(root, "in_force", json_boolean(is_in_force), &error);
	json_put(root, "plan", plan_to_json(gathered->plan), &error);
	json_put(root, "problems", gathered_problems_to_json(gathered), &error);
	return json_print(root, error);
}

static int print_text(const struct cmd_context *context, const struct plan *plan)
{
	static const struct plan_titles titles = { N_("IS"), N_("SHOULD-BE") };
	struct table_style style = cmd_table_style(context);
	int error = plan_print_steps(plan, &titles, &style);

	if (error)
		return error;
	for (size_t i = 0; i < plan->count; i++)
		if (plan->items[i].state == PLAN_BLOCKED)
			log_error("%s: %s", plan->items[i].name, plan->items[i].reason);
	return 0;
}

/* Something was applied, and what it was cannot be read: no answer is better than a
   comparison with something else. */
static int fail_unknown(const struct applied *applied)
{
	struct diag diag = { 0 };

	if (applied->is_readable) {
		diag_set(&diag, -EBADMSG,
			 _("it cannot be told whether what was applied is in force"));
		diag_hint(&diag, _("name what to compare with: --profile NAME"));
		return cmd_fail(&diag, -EBADMSG);
	}
	diag_set(&diag, -EACCES, _("only root can see what was applied"));
	diag_hint(&diag, _("run it as root, or name what to compare with: --profile NAME"));
	return cmd_fail(&diag, -EACCES);
}

/* What could be compared is in force; whether that is all nobody can tell. */
static int fail_problems(void)
{
	struct diag diag = { 0 };

	diag_set(&diag, -EBADMSG,
		 _("it cannot be told whether everything is in force: device overrides "
		   "were left out"));
	return cmd_fail(&diag, -EBADMSG);
}

/* "database: in force on 3 devices; 1 differs" */
static void say_summary(const struct gathered *gathered)
{
	const struct plan *plan = gathered->plan;
	size_t in_force = count_devices(plan, PLAN_IN_FORCE);
	size_t drift = count_devices(plan, PLAN_CHANGE);
	size_t skipped = count_devices(plan, PLAN_SKIPPED);
	size_t blocked = count_devices(plan, PLAN_BLOCKED);
	_text_ struct text line = { 0 };

	if (applied_count_single(&gathered->applied)) /* more than one, maybe */
		text_add(&line, _("what was applied"));
	else
		text_add_safe(&line, plan->profile_name ? plan->profile_name : "--set");
	text_add(&line, ": ");
	text_addf(&line,
		  P_("in force on %zu device", "in force on %zu devices", in_force),
		  in_force);
	if (drift)
		text_addf(&line, P_("; %zu differs", "; %zu differ", drift), drift);
	if (blocked)
		text_addf(&line,
			  P_("; not possible on %zu", "; not possible on %zu", blocked),
			  blocked);
	if (skipped)
		text_addf(&line, P_("; %zu left alone", "; %zu left alone", skipped),
			  skipped);
	if (!line.error)
		log_notice("%s", line.data);
}

static int run_verify(const struct cmd_context *context, const void *data,
		      const char *const *arguments, size_t argument_count)
{
	const struct verify_options *options = data;
	bool has_values = options->scheduler || options->sets.count;
	_gathered_ struct gathered gathered = { 0 };
	struct gather_request request = {
		.policy = has_values && !options->profile ? GATHER_POLICY_ASKED
							  : GATHER_POLICY,
		.profile = options->profile,
		.scheduler = options->scheduler,
		.sets = &options->sets,
		.names = arguments,
		.name_count = argument_count,
	};
	const struct plan *plan;
	bool is_in_force;
	int error, status;

	status = gather(context, &verb_verify, &request, &gathered);
	if (status)
		return status;
	if (gathered.source != PROFILE_ASKED && !applied_is_known(&gathered.applied))
		return fail_unknown(&gathered.applied);
	plan = gathered.plan;
	is_in_force = !plan_count_steps(plan) && !plan_has_blocked(plan);
	error = context->is_json ? print_json(&gathered, is_in_force)
				 : print_text(context, plan);
	if (error)
		return cmd_fail(&(struct diag){ 0 }, error);
	say_summary(&gathered);
	if (!is_in_force)
		return EXIT_STATUS_DRIFT;
	return gathered.problems.count ? fail_problems() : EXIT_STATUS_DONE;
}

static const struct verb_example examples[] = {
	{ "iosched-tune verify", N_("is what was applied last still so?") },
	{ "iosched-tune verify --profile database && echo fine", N_("in a script") },
	{ 0 },
};

const struct verb verb_verify = {
	.name = "verify",
	.summary = N_("Tell whether a profile is in force"),
	.usage = "[DEVICE...]",
	.help = N_("Prints every value that differs, and changes nothing. The exit "
		   "status is 0 "
		   "when all is as the profile wants it and 4 when something differs. "
		   "Without a profile, it fails where what was applied cannot be read: "
		   "that is for root."),
	.examples = examples,
	.options = verify_specs,
	.option_count = ARRAY_SIZE(verify_specs),
	.options_size = sizeof(struct verify_options),
	.positional = { "DEVICE", VALUE_DEVICE, 0, SIZE_MAX },
	.run = run_verify,
};
