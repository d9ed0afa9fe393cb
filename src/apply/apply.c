// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The order of an apply: may it be, the lock, the state of before into the journal, the
 * writes, and what came of them.
 */
#include "apply/apply.h"

#include <errno.h>
#include <string.h>

#include "apply/audit.h"
#include "apply/journal.h"
#include "apply/supervise.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

const char *apply_outcome_name(enum apply_outcome outcome)
{
	static const char *const names[] = {
		[APPLY_DONE] = "done",
		[APPLY_UNCHANGED] = "unchanged",
		[APPLY_PUT_BACK] = "put-back",
		[APPLY_BROKEN] = "broken",
		[APPLY_STUCK] = "stuck",
		[APPLY_GONE] = "gone",
		[APPLY_INTERRUPTED] = "interrupted",
		[APPLY_BLOCKED] = "blocked",
	};

	return names[outcome];
}

void apply_report_free(struct apply_report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->count; i++)
		free(report->items[i].writes);
	free(report->items);
	free(report);
}

static int make_report(const struct plan *plan, struct apply_report **ret)
{
	_cleanup_(cleanup_apply_report_free) struct apply_report *report = NULL;

	report = calloc(1, sizeof(*report));
	if (!report)
		return -ENOMEM;
	report->items = calloc(plan->count + 1, sizeof(*report->items));
	if (!report->items)
		return -ENOMEM;
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_device *planned = &plan->items[i];
		struct apply_device *result = &report->items[report->count++];

		result->planned = planned;
		result->outcome =
			planned->state == PLAN_BLOCKED ? APPLY_BLOCKED : APPLY_UNCHANGED;
		if (!planned->step_count)
			continue;
		result->outcome = APPLY_INTERRUPTED;
		result->writes = calloc(planned->step_count, sizeof(*result->writes));
		if (!result->writes)
			return -ENOMEM;
	}
	*ret = TAKE_PTR(report);
	return 0;
}

/* Known before anything else is done: no right to write, or sysfs mounted read-only. */
static int check_access(const struct root *root, const struct plan *plan,
			struct diag *diag)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_device *planned = &plan->items[i];
		_root_dir_ struct root_dir dir = ROOT_DIR_NONE;
		const struct tunable *tunable;
		char name[128];
		int error;

		if (!planned->step_count ||
		    queue_open(root, planned->sys_path, planned->major, planned->minor,
			       &dir))
			continue;
		tunable = planned->steps[0].tunable;
		snprintf(name, sizeof(name), "queue/%s%s",
			 tunable->place == TUNABLE_IOSCHED ? "iosched/" : "",
			 tunable->file);
		error = root_dir_check_write(&dir, name);
		if (error != -EROFS && error != -EACCES && error != -EPERM)
			return 0;
		diag_set(diag, error,
			 error == -EROFS
				 ? _("sysfs is read-only; nothing was changed")
				 : _("not permitted to write it; nothing was changed"));
		diag_at_path(diag, planned->sys_path, 0);
		if (error == -EROFS)
			diag_hint(diag,
				  _("in a container, this has to be done on the host"));
		else
			diag_hint(diag, _("this needs root: try it with sudo"));
		return error;
	}
	return 0;
}

/* What the run works with between its beginning and its end. */
struct run {
	const struct root *root;
	const struct plan *plan;
	const struct device_list *devices;
	const struct apply_options *options;
	struct queue_state
		*states; /* one a device of the plan; empty: not to be written */
	struct supervised *jobs;
	size_t job_count;
	struct apply_report *report;
	struct journal *journal; /* NULL: kept by the caller */
};

static void run_done(struct run *run)
{
	for (size_t i = 0; run->states && i < run->plan->count; i++)
		queue_state_done(&run->states[i]);
	free(run->states);
	free(run->jobs);
	apply_report_free(run->report);
	journal_free(run->journal);
}

/* The state under the lock, for the journal and for putting back. */
static int read_states(struct run *run, struct diag *diag)
{
	const struct plan *plan = run->plan;

	run->states = calloc(plan->count + 1, sizeof(*run->states));
	run->jobs = calloc(plan->count + 1, sizeof(*run->jobs));
	if (!run->states || !run->jobs)
		return -ENOMEM;
	for (size_t i = 0; i < plan->count; i++) {
		const struct plan_device *planned = &plan->items[i];
		const struct device *device;
		int error = -ENODEV;

		if (!planned->step_count)
			continue;
		device = device_find_by_name(run->devices, planned->name);
		if (device)
			error = queue_state_read(run->root, device, &run->states[i]);
		if (error == -ENODEV) {
			run->report->items[i].outcome = APPLY_GONE;
			run->report->items[i].error = -ENODEV;
			continue;
		}
		if (error == -ESTALE)
			diag_set(diag, error,
				 _("%s was changed by somebody else meanwhile; nothing "
				   "was "
				   "changed"),
				 planned->name);
		if (error)
			return error;
		run->jobs[run->job_count++] = (struct supervised){
			.job = { .planned = planned, .before = &run->states[i] },
			.result = &run->report->items[i],
		};
	}
	return 0;
}

static int write_journal(struct run *run, struct diag *diag)
{
	int error;

	if (run->options->no_journal || !run->job_count)
		return 0;
	error = journal_load(run->root, &run->journal, diag);
	if (!error)
		error = journal_add_step(run->journal, run->plan, run->states,
					 run->devices, run->options->asked);
	if (!error)
		error = journal_save(run->root, run->journal, diag);
	if (error && diag && !diag->hint[0])
		diag_hint(diag,
			  _("nothing was changed: without a journal restore could not "
			    "bring back the state of now"));
	return error;
}

/* What was left or put back as it was is no state to go back to, and what was asked for
   before may not count any more. When this cannot be
   saved the journal only holds more than it needs. */
static void tidy_journal(struct run *run)
{
	size_t count;
	bool is_changed;

	if (!run->journal)
		return;
	is_changed = journal_prune(run->journal, run->report);
	count = run->journal->step_count;
	journal_drop_superseded(run->journal);
	if (is_changed || run->journal->step_count != count)
		journal_save(run->root, run->journal, NULL);
}

static int carry_out(struct run *run, struct diag *diag)
{
	_held_signals_ struct held_signals signals = SIGNALS_NONE;
	int error;

	/* From the journal on. A run that is stopped in the middle would find its time used up. */
	error = signals_hold(SIGNALS_HANGUP | SIGNALS_STOP, &signals);
	if (error)
		return error;
	error = write_journal(run, diag);
	if (!error && run->job_count) {
		error = supervise_run(run->root, run->jobs, run->job_count, run->options,
				      &signals, run->report);
		if (error)
			diag_set(diag, error, _("cannot start the writing process: %s"),
				 strerror(-error));
		tidy_journal(run);
		audit_report(run->root, run->plan, run->report);
	}
	return error;
}

static int run_locked(struct run *run, struct diag *diag)
{
	int error = read_states(run, diag);

	return error ? error : carry_out(run, diag);
}

int apply_run(const struct root *root, const struct plan *plan,
	      const struct device_list *devices, const struct apply_options *options,
	      struct apply_report **ret, struct diag *diag)
{
	_apply_lock_ struct apply_lock lock = APPLY_LOCK_NONE;
	_cleanup_(run_done) struct run run = {
		.root = root,
		.plan = plan,
		.devices = devices,
		.options = options,
	};
	int error;

	error = make_report(plan, &run.report);
	if (error)
		return error;
	if (plan_count_steps(plan)) {
		if (root_get_kind(root) == ROOT_SNAPSHOT)
			return diag_set(diag, -EROFS,
					_("a snapshot of a host cannot be changed"));
		error = check_access(root, plan, diag);
		if (!error && !options->lock)
			error = apply_lock_wait(root, &options->wait, &lock, diag);
		if (!error)
			error = run_locked(&run, diag);
		if (error)
			return error;
	}
	*ret = TAKE_PTR(run.report);
	return 0;
}
