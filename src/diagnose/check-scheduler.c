// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scheduler, last: does it fit the disk, is what was asked for in force, will it last,
 * and who else sets it.
 */
#include "diagnose/diagnose.h"

#include <errno.h>
#include <string.h>

#include "device/host.h"
#include "util/i18n.h"

/* Further ones would only bury the first. */
#define CONFLICTS_SHOWN 3

/* Schedulers that do not suit a kind of disk. */
static const struct {
	enum device_class class;
	const char *scheduler;
	enum finding_level level;
	const char *symptom;
	const char *text; /* N_() */
	const char *advice;
} misfits[] = {
	{ CLASS_HDD, "none", FINDING_BAD, "unsorted-disk",
	  N_("a spinning disk without a scheduler: nobody puts its requests in order, and "
	     "writes can keep reads waiting"),
	  N_("mq-deadline, or bfq on a desktop: 'iosched-tune apply'") },
	{ CLASS_HDD, "noop", FINDING_BAD, "unsorted-disk",
	  N_("a spinning disk without a scheduler: nobody puts its requests in order, and "
	     "writes can keep reads waiting"),
	  N_("deadline, or cfq on a desktop: 'iosched-tune apply'") },
	{ CLASS_NVME, "bfq", FINDING_WARN, "costly-scheduler",
	  N_("bfq on NVMe: one lock for all its queues costs much of its IOPS"),
	  N_("none, or kyber for latency; bfq only where its fairness is needed") },
	{ CLASS_NVME, "mq-deadline", FINDING_WARN, "costly-scheduler",
	  N_("mq-deadline on NVMe: one lock for all its queues, and nothing to sort"),
	  N_("none, or kyber for latency") },
	{ CLASS_USB, "bfq", FINDING_WARN, "idling-scheduler",
	  N_("bfq on USB: where the medium is flash it waits for nothing, and some "
	     "programs take minutes"),
	  N_("mq-deadline: 'iosched-tune apply'") },
	{ CLASS_SSD, "cfq", FINDING_WARN, "idling-scheduler",
	  N_("cfq on flash: it waits for the next request of the same program, which a "
	     "drive without a head does not need"),
	  N_("deadline or noop: 'iosched-tune apply'") },
};

static void check_misfit(const struct diagnose_input *input, const char *active,
			 struct diagnosis *out)
{
	/* Facts: only these kernels need it, and only mq-deadline keeps the order. */
	static const struct kernel_version since = { 5, 4, 0 }, until = { 6, 10, 0 };
	const struct device *device = input->device;
	const struct host *host = input->devices->host;

	if (!strcmp(device->zoned, "host-managed") && host &&
	    kernel_version_is_within(host->kernel, since, until) &&
	    strcmp(active, "mq-deadline") != 0)
		finding_add(out, FINDING_BAD, "zoned-without-order",
			    N_("mq-deadline, at once: 'iosched-tune apply'"),
			    _("a host-managed zoned disk under %s: on this kernel only "
			      "mq-deadline keeps writes in order, others fail"),
			    active);
	for (size_t i = 0; i < ARRAY_SIZE(misfits); i++)
		if (misfits[i].class == device->class &&
		    !strcmp(misfits[i].scheduler, active))
			finding_add(out, misfits[i].level, misfits[i].symptom,
				    misfits[i].advice, "%s", _(misfits[i].text));
}

/* "scheduler bfq instead of mq-deadline, read_ahead_kb 128 instead of 1024 and 3 more" */
static void describe_steps(const struct plan_device *plan, struct text *out)
{
	size_t count = plan_device_count_writes(plan), told = 0;

	for (size_t i = 0; i < plan->step_count && told < 2; i++) {
		if (plan->steps[i].is_conditional)
			continue;
		text_addf(out, _("%s%s is %s instead of %s"), told++ ? ", " : "",
			  plan->steps[i].tunable->key,
			  plan->steps[i].from[0] ? plan->steps[i].from : "-",
			  plan->steps[i].to);
	}
	if (count > told)
		text_addf(out, P_(", and %zu more", ", and %zu more", count - told),
			  count - told);
}

static void check_drift(const struct diagnose_input *input, struct diagnosis *out)
{
	const struct plan_device *plan = input->plan;
	_text_ struct text what = { 0 };
	const char *profile = input->profile_name ? input->profile_name : "-";

	if (!plan || plan->state == PLAN_SKIPPED)
		return;
	if (plan->state == PLAN_BLOCKED) {
		finding_add(out, FINDING_BAD, "blocked", NULL,
			    _("what %s asks for cannot be set: %s"), profile, plan->reason);
		return;
	}
	if (plan->state == PLAN_IN_FORCE) {
		finding_add(out, FINDING_OK, "in-force", NULL,
			    _("all that %s asks for is in force"), profile);
		return;
	}
	describe_steps(plan, &what);
	if (what.error || !what.data)
		out->error = -ENOMEM;
	else if (input->is_applied)
		finding_add(out, FINDING_WARN, "drift",
			    N_("find out who changed it ('iosched-tune persist status'), "
			       "then 'iosched-tune apply'"),
			    _("what was applied is not in force any more: %s"), what.data);
	else
		finding_add(out, FINDING_OK, "not-as-profile", NULL,
			    _("nothing was applied; %s would change this: %s"), profile,
			    what.data);
}

static void check_offered(const struct diagnose_input *input, const char *active,
			  struct diagnosis *out)
{
	const struct device *device = input->device;
	_text_ struct text offered = { 0 };

	for (size_t i = 0; i < device->scheduler.count; i++)
		text_addf(&offered, "%s%s", i ? ", " : "", device->scheduler.names[i]);
	finding_add(out, FINDING_OK, "scheduler", NULL, _("%s, of %s"), active,
		    offered.data ? offered.data : active);
	for (size_t i = 0; input->policy && i < input->policy->rejected_count; i++)
		finding_add(out, FINDING_OK, "fallback", NULL, _("not %s: %s"),
			    input->policy->rejected[i].name,
			    input->policy->rejected[i].why);
}

/* A distribution's own rule is how things are meant to be, until something else is. */
static bool is_of_distribution(const struct conflict *conflict)
{
	return text_starts_with(conflict->path, "usr/lib/") ||
	       text_starts_with(conflict->path, "lib/");
}

static void check_conflicts(const struct diagnose_input *input, struct diagnosis *out)
{
	const struct conflicts *conflicts = input->conflicts;
	bool is_ours = input->is_applied || input->is_persisted;

	for (size_t i = 0; conflicts && i < conflicts->count && i < CONFLICTS_SHOWN; i++) {
		const struct conflict *conflict = &conflicts->items[i];
		bool is_argument = text_equal(conflict->owner, "kernel argument") ||
				   text_equal(conflict->owner, "boot loader");

		if (conflict->is_stale) {
			finding_add(out, FINDING_WARN, "stale-argument", conflict->advice,
				    _("%s without effect, in /%s: %s"), conflict->owner,
				    conflict->path, conflict->text);
			continue;
		}
		finding_add(out,
			    is_of_distribution(conflict) && !is_ours ? FINDING_OK
								     : FINDING_WARN,
			    is_argument ? "boot-argument" : "another-manager",
			    conflict->advice, _("%s sets schedulers too, in /%s: %s"),
			    conflict->owner, conflict->path, conflict->text);
	}
}

void diagnose_scheduler(const struct diagnose_input *input, struct diagnosis *out)
{
	const char *active = choice_active(&input->device->scheduler);

	check_conflicts(input, out);
	if (input->device->level != LEVEL_OWN || !active)
		return;
	check_misfit(input, active, out);
	check_drift(input, out);
	check_offered(input, active, out);
	if (input->is_applied && !input->is_persisted && input->plan &&
	    input->plan->state == PLAN_IN_FORCE)
		finding_add(out, FINDING_OK, "not-lasting",
			    N_("'iosched-tune persist install' makes it last"),
			    _("what was applied ends with the next boot"));
}
