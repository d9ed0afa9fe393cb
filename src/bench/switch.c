// SPDX-License-Identifier: GPL-2.0-or-later
/* Switching by plans, with one step of the journal for all of them. */
#include "bench/switch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "apply/restore.h"
#include "device/host.h"
#include "util/i18n.h"

/* What a plan has to know of a queue. */
#define NEEDS                                                                      \
	(SCAN_SCHEDULER | SCAN_QUEUE | SCAN_IOSCHED | SCAN_STACK | SCAN_CLASS |    \
	 SCAN_IDENTITY | SCAN_HWQUEUES | SCAN_BASICS)

/* The newest step of this boot that this program can go back to. */
static const struct journal_step *find_step(const struct journal *journal,
					    const struct device_list *devices)
{
	size_t from = journal_find_boot(journal, devices->host ? devices->host->boot_id : NULL);

	for (size_t i = journal->step_count; i-- > from;) {
		if (journal->steps[i].device_count)
			return &journal->steps[i];
	}
	return NULL;
}

/* What a switch works with, read anew for each: names can go to other disks. */
struct scanned {
	struct device_list *devices;
	const struct device *device;
	struct journal *journal;
};

static void scanned_done(struct scanned *scanned)
{
	device_list_free(scanned->devices);
	journal_free(scanned->journal);
}

static int scan(const struct bench_switch *state, struct scanned *ret, struct diag *diag)
{
	int error = device_scan(state->root, NEEDS, NULL, 0, &ret->devices, diag);

	if (!error)
		error = journal_load(state->root, &ret->journal, diag);
	if (error)
		return error;
	ret->device = device_find_by_name(ret->devices, state->device);
	if (!ret->device || ret->device->major != state->major ||
	    ret->device->minor != state->minor)
		return diag_set(diag, -ENODEV, _("%s: the device went away"), state->device);
	return 0;
}

/* A step that was added since the beginning is ours: nobody else has had the lock. */
static bool has_own_step(const struct bench_switch *state, const struct scanned *scanned)
{
	const struct journal_step *step = find_step(scanned->journal, scanned->devices);

	return step && step->id > state->last_step;
}

int bench_switch_begin(const struct root *root, const struct device *device,
		       struct bench_switch *ret, struct diag *diag)
{
	_cleanup_(scanned_done) struct scanned scanned = { 0 };
	const struct journal_step *step;
	const char *active;
	int error;

	*ret = (struct bench_switch){ .root = root,
				      .device = strdup(device->name),
				      .major = device->major,
				      .minor = device->minor,
				      .lock = APPLY_LOCK_NONE };
	if (!ret->device)
		return -ENOMEM;
	error = apply_lock_take(root, &ret->lock, diag);
	if (!error)
		error = scan(ret, &scanned, diag);
	if (error)
		return error;
	step = find_step(scanned.journal, scanned.devices);
	ret->last_step = step ? step->id : 0;
	active = choice_active(&scanned.device->scheduler);
	if (!active)
		return diag_set(diag, -ENOTSUP, _("%s has no scheduler that can be chosen"),
				ret->device);
	ret->original = strdup(active);
	return ret->original ? 0 : -ENOMEM;
}

void bench_switch_done(struct bench_switch *state)
{
	if (!state->device)
		return;
	apply_lock_release(&state->lock);
	free(state->device);
	free(state->original);
	*state = (struct bench_switch){ .lock = APPLY_LOCK_NONE };
}

/* --- plans --------------------------------------------------------------------------------- */

static int plan_scheduler(const struct scanned *scanned, const char *scheduler,
			  struct plan **ret, struct diag *diag)
{
	_cleanup_(cleanup_policy_free) struct policy *policy = NULL;
	const struct policy_set set = { .key = "scheduler", .value = scheduler };
	const struct policy_request request = { .sets = &set,
						.set_count = 1,
						.named = &scanned->device,
						.named_count = 1 };
	int error = policy_resolve(scanned->devices, &request, &policy, diag);

	return error ? error : plan_make(policy, ret);
}

static int plan_return(const struct scanned *scanned, struct plan **ret)
{
	_strv_ struct strv gone = { 0 };

	return restore_plan(scanned->journal, scanned->devices, JOURNAL_LAST,
			    &scanned->device, 1, ret, &gone);
}

/* Why a step that was tried did not hold. */
static int explain(const struct apply_device *item, struct diag *diag)
{
	const char *device = item->planned->name;
	int error = item->error ? item->error : -EIO;

	switch (item->outcome) {
	case APPLY_DONE:
	case APPLY_UNCHANGED:
		return 0;
	case APPLY_INTERRUPTED:
		return -EINTR;
	case APPLY_BLOCKED:
		return diag_set(diag, -EPERM, "%s: %s", device, item->planned->reason);
	case APPLY_GONE:
		return diag_set(diag, -ENODEV, _("%s: the device went away"), device);
	case APPLY_STUCK:
		return diag_set(diag, -ETIME,
				_("%s: no answer within the time limit: a request in its queue "
				  "does not end"),
				device);
	case APPLY_PUT_BACK:
	case APPLY_BROKEN:
		break;
	}
	if (item->failed)
		return diag_set(diag, error, _("%s: %s: cannot be set to '%s': %s"), device,
				item->failed->tunable->key, item->failed->to, strerror(-error));
	return diag_set(diag, error, "%s: %s", device, strerror(-error));
}

static int check_report(const struct apply_report *report, const char *device,
			struct diag *diag)
{
	for (size_t i = 0; i < report->count; i++) {
		if (strcmp(report->items[i].planned->name, device) == 0)
			return explain(&report->items[i], diag);
	}
	return 0;
}

int bench_switch_to(struct bench_switch *state, const char *scheduler, struct diag *diag)
{
	_cleanup_(scanned_done) struct scanned scanned = { 0 };
	_cleanup_(cleanup_plan_free) struct plan *plan = NULL;
	_cleanup_(cleanup_apply_report_free) struct apply_report *report = NULL;
	struct apply_options options = { .lock = &state->lock };
	int error = scan(state, &scanned, diag);

	if (error)
		return error;
	options.no_journal = has_own_step(state, &scanned);
	if (options.no_journal && strcmp(scheduler, state->original) == 0)
		error = plan_return(&scanned, &plan);
	else
		error = plan_scheduler(&scanned, scheduler, &plan, diag);
	if (!error)
		error = apply_run(state->root, plan, scanned.devices, &options, &report, diag);
	if (!error)
		error = check_report(report, state->device, diag);
	/* The signal was the apply's, and what was begun came through all the same. */
	return !error && report->is_interrupted ? -EINTR : error;
}

int bench_switch_check(const struct bench_switch *state, const char *scheduler,
		       struct diag *diag)
{
	_cleanup_(cleanup_device_list_free) struct device_list *devices = NULL;
	const struct device *device;
	const char *active;
	int error = device_scan(state->root, SCAN_SCHEDULER | SCAN_BASICS, NULL, 0, &devices,
				diag);

	if (error)
		return error;
	device = device_find_by_name(devices, state->device);
	if (!device)
		return diag_set(diag, -ENODEV, _("%s: the device went away"), state->device);
	active = choice_active(&device->scheduler);
	if (active && strcmp(active, scheduler) == 0)
		return 0;
	diag_set(diag, -ESTALE, _("%s: somebody else has chosen %s during the run of %s"),
		 state->device, active ? active : "-", scheduler);
	diag_hint(diag, _("a rule of udev, or another program that tunes"));
	return -ESTALE;
}

int bench_switch_back(struct bench_switch *state, struct diag *diag)
{
	_cleanup_(scanned_done) struct scanned scanned = { 0 };
	_cleanup_(cleanup_plan_free) struct plan *plan = NULL;
	_cleanup_(cleanup_apply_report_free) struct apply_report *report = NULL;
	const struct apply_options options = { .lock = &state->lock };
	int error = scan(state, &scanned, diag);

	if (error || !has_own_step(state, &scanned))
		return error;
	error = plan_return(&scanned, &plan);
	if (!error)
		error = restore_run(state->root, plan, scanned.devices, scanned.journal,
				    JOURNAL_LAST, false, &options, &report, diag);
	return error ? error : check_report(report, state->device, diag);
}
