// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * restore: back to what was before.
 */
#include <errno.h>
#include <stdint.h>

#include "apply/journal.h"
#include "apply/restore.h"
#include "cmd/common.h"
#include "cmd/gather.h"
#include "cmd/outcome.h"
#include "cmd/verb.h"
#include "util/i18n.h"
#include "util/log.h"

struct restore_options {
	const char *timeout;
	bool is_last;
	bool is_dry_run;
};

static const struct option_spec restore_specs[] = {
	{ 'l', "last", .help = N_("only what the last apply changed"),
	  .offset = OPTION_FIELD(struct restore_options, is_last) },
	{ 'n', "dry-run", .help = N_("print the plan, change nothing"),
	  .offset = OPTION_FIELD(struct restore_options, is_dry_run) },
	{ .long_name = "timeout",
	  .value = VALUE_SECONDS,
	  .placeholder = "SECONDS",
	  .help = N_("time limit of one device, 30 s when not given"),
	  .offset = OPTION_FIELD(struct restore_options, timeout) },
};

/* The values are back, but the journal could not be cleared of them. */
static bool is_restored(int error)
{
	return !error || error == -EUCLEAN;
}

static int carry_out(const struct cmd_context *context, const struct plan *plan,
		     const struct gathered *gathered, struct journal *journal,
		     enum journal_target target, const struct apply_options *apply)
{
	_cleanup_(cleanup_apply_report_free) struct apply_report *report = NULL;
	struct diag diag = { 0 };
	bool is_anything = journal_has_devices(journal);
	int error = restore_run(context->root, plan, gathered->devices, journal, target,
				!gathered->named_count, apply, &report, &diag);
	int status = EXIT_STATUS_DONE;

	/* Otherwise all was said, and only what was asked for had to be forgotten. */
	if (is_restored(error) && (is_anything || context->is_json))
		status = outcome_report(context, plan, report);
	return error ? cmd_fail(&diag, error) : status;
}

static int restore(const struct cmd_context *context,
		   const struct restore_options *options, const struct gathered *gathered,
		   const struct apply_options *apply)
{
	enum journal_target target = options->is_last ? JOURNAL_LAST : JOURNAL_FIRST;
	_cleanup_(cleanup_journal_free) struct journal *journal = NULL;
	_cleanup_(cleanup_plan_free) struct plan *plan = NULL;
	_strv_ struct strv gone = { 0 };
	struct diag diag = { 0 };
	int error = journal_load(context->root, &journal, &diag);

	if (!error && !journal_has_devices(journal) && !context->is_json) {
		log_notice(journal->step_count
				   ? _("nothing to restore: nothing was written")
				   : _("nothing to restore: nothing was applied"));
		if (options->is_dry_run || !journal->step_count)
			return EXIT_STATUS_DONE;
	}
	if (!error)
		error = restore_plan(journal, gathered->devices, target, gathered->named,
				     gathered->named_count, &plan, &gone);
	if (error)
		return cmd_fail(&diag, error);
	for (size_t i = 0; i < gone.count; i++)
		log_warning("%s", gone.items[i]);
	if (options->is_dry_run)
		return outcome_preview(context, plan, NULL);
	return carry_out(context, plan, gathered, journal, target, apply);
}

static int run_restore(const struct cmd_context *context, const void *data,
		       const char *const *arguments, size_t argument_count)
{
	const struct restore_options *options = data;
	_apply_lock_ struct apply_lock lock = APPLY_LOCK_NONE;
	_gathered_ struct gathered gathered = { 0 };
	struct gather_request request = { .policy = GATHER_NO_POLICY,
					  .needs = GATHER_POLICY_NEEDS,
					  .names = arguments,
					  .name_count = argument_count };
	struct apply_options apply = { .lock = &lock };
	const struct apply_wait wait = { .say = cmd_say_waiting };
	struct diag diag = { 0 };
	int error, status;

	status = cmd_read_timeout(&verb_restore, "timeout", options->timeout,
				  &apply.timeout_ms);
	if (!status && !options->is_dry_run)
		status = cmd_check_writable(context);
	if (status)
		return status;
	if (!options->is_dry_run) {
		error = apply_lock_wait(context->root, &wait, &lock, &diag);
		if (error)
			return cmd_fail(&diag, error);
	}
	status = gather(context, &verb_restore, &request, &gathered);
	if (status)
		return status;
	return restore(context, options, &gathered, &apply);
}

static const struct verb_example examples[] = {
	{ "iosched-tune restore", N_("everything as it was before the first apply") },
	{ "iosched-tune restore --last", N_("undo the last apply") },
	{ "iosched-tune restore --dry-run sda",
	  N_("what that would mean for one device") },
	{ 0 },
};

const struct verb verb_restore = {
	.name = "restore",
	.summary = N_("Go back to what was before apply"),
	.usage = "[DEVICE...]",
	.help = N_("Brings back the scheduler and every value that was in force before "
		   "the first "
		   "apply since boot, or with --last before the last one."),
	.examples = examples,
	.options = restore_specs,
	.option_count = ARRAY_SIZE(restore_specs),
	.options_size = sizeof(struct restore_options),
	.positional = { "DEVICE", VALUE_DEVICE, 0, SIZE_MAX },
	.run = run_restore,
};
