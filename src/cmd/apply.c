// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * apply: puts a profile in force, or says what that would mean.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "apply/apply.h"
#include "apply/record.h"
#include "cmd/common.h"
#include "cmd/gather.h"
#include "cmd/outcome.h"
#include "cmd/simulate-plan.h"
#include "cmd/verb.h"
#include "device/nvme-paths.h"
#include "util/clock.h"
#include "util/i18n.h"
#include "util/log.h"

/* How often a plan is made anew because a device changed under it. */
#define PLAN_ATTEMPTS 3

struct apply_verb_options {
	const char *profile;
	const char *scheduler;
	struct strv sets;
	const char *timeout, *lock_timeout, *wait_paths, *workload;
	bool is_dry_run, is_simulated;
};

static const struct option_spec apply_specs[] = {
	{ 'p', "profile", VALUE_PROFILE, "NAME|FILE",
	  .help = N_("the profile to put in force"),
	  .offset = OPTION_FIELD(struct apply_verb_options, profile) },
	{ 's', "scheduler", VALUE_SCHEDULER, "NAME,...",
	  .help = N_("this scheduler; of several, the first one that the kernel has"),
	  .offset = OPTION_FIELD(struct apply_verb_options, scheduler) },
	{ .long_name = "set",
	  .value = VALUE_TUNABLE,
	  .placeholder = "KEY=VALUE",
	  .is_repeatable = true,
	  .help = N_("this value, with a unit if you like: read_ahead_kb=4MiB"),
	  .offset = OPTION_FIELD(struct apply_verb_options, sets) },
	{ 'n', "dry-run", .help = N_("print the plan, change nothing"),
	  .offset = OPTION_FIELD(struct apply_verb_options, is_dry_run) },
	{ 0, "simulate",
	  .help = N_("the same, and what it is predicted to do to a workload"),
	  .offset = OPTION_FIELD(struct apply_verb_options, is_simulated) },
	{ 'w', "workload", VALUE_WORKLOAD, "NAME",
	  .help = N_("the workload of --simulate, without it the profile's"),
	  .offset = OPTION_FIELD(struct apply_verb_options, workload) },
	{ .long_name = "timeout",
	  .value = VALUE_SECONDS,
	  .placeholder = "SECONDS",
	  .help = N_("time limit of one device, 30 s when not given"),
	  .offset = OPTION_FIELD(struct apply_verb_options, timeout) },
	{ .long_name = "lock-timeout",
	  .value = VALUE_SECONDS,
	  .placeholder = "SECONDS",
	  .help = N_("how long to wait for the end of another run, 2 s when not given"),
	  .offset = OPTION_FIELD(struct apply_verb_options, lock_timeout) },
	{ .long_name = "wait-paths",
	  .value = VALUE_SECONDS,
	  .placeholder = "SECONDS",
	  .help = N_(
		  "first wait for the paths of NVMe multipath of the devices named, at "
		  "most that long"),
	  .offset = OPTION_FIELD(struct apply_verb_options, wait_paths) },
};

static int check_options(const struct apply_verb_options *options)
{
	struct diag diag = { 0 };

	if (options->workload && !options->is_simulated) {
		diag_set(&diag, -EINVAL, _("--workload goes with --simulate"));
		return cmd_fail_usage(&verb_apply, &diag);
	}
	if (options->profile || options->scheduler || options->sets.count)
		return EXIT_STATUS_DONE;
	diag_set(&diag, -EINVAL, _("nothing to apply"));
	diag_hint(&diag,
		  _("name a profile (--profile NAME; 'iosched-tune profile list' shows "
		    "them) or a value (--scheduler, --set)"));
	return cmd_fail_usage(&verb_apply, &diag);
}

/*
 * Waits for what is still being found below the devices named. A controller that brings
 * no disk is no error then: whoever asked could not know. *ret gets the names that are
 * left; they are the arguments' own. An exit status.
 */
static int wait_for_paths(const struct cmd_context *context,
			  const struct apply_verb_options *options,
			  const char *const *arguments, size_t count, const char ***ret,
			  size_t *ret_count)
{
	_free_ const char **names = calloc(count + 1, sizeof(*names));
	size_t left = 0;
	unsigned time_ms = 0;
	int64_t end_ms;
	int error = 0,
	    status = cmd_read_timeout(&verb_apply, "wait-paths", options->wait_paths, &time_ms);

	if (status)
		return status;
	end_ms = clock_now_ms() + time_ms;
	for (size_t i = 0; names && !error && i < count; i++) {
		const char *controller = nvme_controller_name(arguments[i]);
		int64_t rest_ms = end_ms - clock_now_ms();
		bool is_complete = true;

		names[left] = arguments[i];
		if (time_ms)
			error = nvme_wait_for_paths(context->root, arguments[i],
						    rest_ms > 0 ? (unsigned)rest_ms : 0,
						    &is_complete);
		if (!is_complete)
			log_notice(_("%s: not every path is there; those that are get "
				     "it"),
				   arguments[i]);
		if (time_ms && controller && !context->is_json &&
		    !nvme_has_disks(context->root, controller))
			log_notice(_("%s: no disk there"), arguments[i]);
		else
			left++;
	}
	if (!names || error)
		return cmd_fail(&(struct diag){ 0 }, -ENOMEM);
	*ret = TAKE_PTR(names);
	*ret_count = left;
	return EXIT_STATUS_DONE;
}

/* What goes into the journal with the step, so that a bare verify knows it. */
struct asked {
	struct apply_asked asked;
	struct strv sets;
	char *profile;
};

static void asked_done(struct asked *asked)
{
	strv_done(&asked->sets);
	free(asked->profile);
}

static int remember(const struct apply_verb_options *options, struct asked *ret)
{
	_free_ char *scheduler = NULL;
	int error = 0;

	if (options->profile && profile_is_file(options->profile))
		ret->profile = realpath(options->profile, NULL);
	if (options->scheduler) {
		if (asprintf(&scheduler, "scheduler=%s", options->scheduler) < 0) {
			scheduler = NULL;
			return -ENOMEM;
		}
		error = strv_add(&ret->sets, scheduler);
	}
	for (size_t i = 0; !error && i < options->sets.count; i++)
		error = strv_add(&ret->sets, options->sets.items[i]);
	ret->asked.profile = ret->profile ? ret->profile : options->profile;
	ret->asked.sets = (const char *const *)ret->sets.items;
	ret->asked.set_count = ret->sets.count;
	return error;
}

/* Whoever names a device is told why it was passed over, as a dry run does. */
static void say_passed_over(const struct gathered *gathered)
{
	for (size_t i = 0; gathered->named_count && i < gathered->plan->count; i++) {
		const struct plan_device *planned = &gathered->plan->items[i];

		if (planned->state == PLAN_SKIPPED && planned->reason &&
		    gathered_is_asked(gathered, gathered->policy->items[i].device))
			log_warning("%s: %s", planned->name, planned->reason);
	}
}

static bool is_told(const struct plan *plan, size_t device, const char *note)
{
	for (size_t i = 0; i < device; i++)
		if (strv_contains(&plan->items[i].notes, note))
			return true;
	return false;
}

/*
 * Values of the command line that are not written as they were typed: once for all devices.
 * What a profile chooses is not told at every boot; a dry run shows it.
 */
static void say_notes(const struct plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct strv *notes = &plan->items[i].notes;

		for (size_t j = 0; j < notes->count; j++) {
			_text_ struct text names = { 0 };

			if (is_told(plan, i, notes->items[j]))
				continue;
			for (size_t k = i; k < plan->count; k++)
				if (strv_contains(&plan->items[k].notes, notes->items[j]))
					text_addf(&names, "%s%s", names.len ? ", " : "",
						  plan->items[k].name);
			if (!names.error)
				log_notice("%s: %s", names.data, notes->items[j]);
		}
	}
}

/* Nothing was written; that it was asked for still counts from now on. */
static void record(const struct cmd_context *context, const struct gathered *gathered,
		   const struct apply_asked *asked, const struct apply_wait *wait)
{
	char line[1024];
	struct diag diag = { 0 };
	int error =
		apply_record_asked(context->root, gathered->devices, asked, wait, &diag);

	if (!error)
		return;
	diag_set(&diag, error, "%s", strerror(-error));
	diag_format(&diag, line, sizeof(line));
	log_message(error == -EACCES || error == -EPERM || error == -EROFS
			    ? LOG_LEVEL_NOTICE
			    : LOG_LEVEL_WARNING,
		    _("a later verify has to be told what to compare with, for this could "
		      "not be kept: %s"),
		    line);
}

/*
 * A device can change between scan and write (-ESTALE): then all is read again, under the
 * lock, so that of many runs at once none finds the devices changed by another for ever.
 */
static int carry_out(const struct cmd_context *context,
		     const struct gather_request *request, struct gathered *gathered,
		     struct apply_asked *asked, const struct apply_options *options)
{
	_apply_lock_ struct apply_lock lock = APPLY_LOCK_NONE;
	struct apply_options apply = *options;

	apply.asked = asked;
	for (int attempt = 1;; attempt++) {
		_cleanup_(cleanup_apply_report_free) struct apply_report *report = NULL;
		struct diag diag = { 0 };
		int error, status;

		asked->named = gathered->named;
		asked->named_count = gathered->named_count;
		error = apply_run(context->root, gathered->plan, gathered->devices, &apply,
				  &report, &diag);
		if (error != -ESTALE)
			apply_lock_release(&lock);
		if (!error && !plan_count_steps(gathered->plan))
			record(context, gathered, asked, &apply.wait);
		if (!error)
			say_passed_over(gathered);
		if (!error && (request->scheduler || request->sets->count))
			say_notes(gathered->plan);
		if (!error)
			return outcome_report(context, gathered->plan, report);
		if (error != -ESTALE || attempt == PLAN_ATTEMPTS)
			return cmd_fail(&diag, error);
		if (!apply.lock) {
			diag = (struct diag){ 0 };
			error = apply_lock_wait(context->root, &apply.wait, &lock,
						&diag);
			if (error)
				return cmd_fail(&diag, error);
			apply.lock = &lock;
		}
		gathered_done(gathered);
		status = gather(context, &verb_apply, request, gathered);
		if (status)
			return status;
	}
}

/* The plan, and what it would do: a dry run. */
static int preview_simulated(const struct cmd_context *context, const struct gathered *gathered,
			     const char *workload)
{
	_cleanup_(predictions_done) struct predictions predictions = { 0 };
	struct diag diag = { 0 };
	int error = simulate_plan(context, gathered, workload, &predictions, &diag), status;

	if (error && error != -EINTR)
		return cmd_fail_request(&verb_apply, &diag, error);
	status = outcome_preview(context, gathered->plan, &predictions);
	return error && !status ? EXIT_STATUS_FAILED : status;
}

static int run_apply(const struct cmd_context *context, const void *data,
		     const char *const *arguments, size_t argument_count)
{
	const struct apply_verb_options *options = data;
	_gathered_ struct gathered gathered = { 0 };
	struct gather_request request = { .policy = GATHER_POLICY_ASKED,
					  .profile = options->profile,
					  .scheduler = options->scheduler,
					  .sets = &options->sets,
					  .needs_all_overrides = true };
	_free_ const char **names = NULL;
	_cleanup_(asked_done) struct asked asked = { 0 };
	struct apply_options apply = { .wait.say = cmd_say_waiting };
	int status = check_options(options);

	if (!status)
		status = cmd_read_timeout(&verb_apply, "timeout", options->timeout,
					  &apply.timeout_ms);
	if (!status)
		status = cmd_read_timeout(&verb_apply, "lock-timeout", options->lock_timeout,
					  &apply.wait.timeout_ms);
	if (!status && !options->is_dry_run && !options->is_simulated)
		status = cmd_check_writable(context);
	if (!status)
		status = wait_for_paths(context, options, arguments, argument_count,
					&names, &request.name_count);
	request.names = names;
	if (!status && argument_count && !request.name_count)
		return EXIT_STATUS_DONE; /* none of them has a disk */
	if (!status)
		status = gather(context, &verb_apply, &request, &gathered);
	if (status)
		return status;
	if (options->is_simulated)
		return preview_simulated(context, &gathered, options->workload);
	if (options->is_dry_run)
		return outcome_preview(context, gathered.plan, NULL);
	if (remember(options, &asked))
		return cmd_fail(&(struct diag){ 0 }, -ENOMEM);
	return carry_out(context, &request, &gathered, &asked.asked, &apply);
}

static const struct verb_example examples[] = {
	{ "iosched-tune apply --profile database --dry-run",
	  N_("what would be changed, and why") },
	{ "iosched-tune apply --profile database --simulate",
	  N_("and what the change is predicted to do to a database") },
	{ "iosched-tune apply --profile database", N_("change it") },
	{ "iosched-tune apply --profile desktop --set read_ahead_kb=1MiB sda",
	  N_("one device, with one value of your own") },
	{ "iosched-tune apply --scheduler bfq,mq-deadline sdb",
	  N_("no profile: bfq, or mq-deadline where there is no bfq") },
	{ 0 },
};

const struct verb verb_apply = {
	.name = "apply",
	.summary = N_("Put a profile in force"),
	.usage = "[DEVICE...]",
	.help = N_("Writes what differs from the profile, on all devices or on those "
		   "named, and "
		   "reads every value back. The state before is kept for 'restore'. A "
		   "device on "
		   "which a write fails is put back as it was; the others go on. A "
		   "device that is "
		   "named is never left alone: where the profile has no rule for it, the "
		   "rule for "
		   "the nearest kind of medium applies.\n"
		   "Nothing lasts beyond the next boot."),
	.examples = examples,
	.options = apply_specs,
	.option_count = ARRAY_SIZE(apply_specs),
	.options_size = sizeof(struct apply_verb_options),
	.positional = { "DEVICE", VALUE_DEVICE, 0, SIZE_MAX },
	.run = run_apply,
};
