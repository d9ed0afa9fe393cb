// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which scheduler a device should have: of each list in order of precedence the first
 * one that the queue offers or the kernel can load, and why others were passed over.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "policy/resolve.h"
#include "tunable/scheduler.h"
#include "util/i18n.h"

/* The verdict on one name of a list. */
struct candidate {
	const char *name;    /* as it was asked for */
	const char *written; /* as this kind of queue calls it; NULL: cannot be had */
	char why[256];       /* then: the reason */
};

/*
 * Sequential zones must be written in order. Until zone write plugging (6.10) only
 * mq-deadline kept that order: see the facts on host-managed devices.
 */
static bool needs_mq_deadline(const struct resolving *resolving)
{
	const struct host *host = resolving->all->host;
	struct kernel_version kernel = host ? host->kernel : KERNEL_VERSION_NONE;

	if (strcmp(resolving->device->zoned, "host-managed") != 0 ||
	    resolving->device->queue_kind != QUEUE_MQ)
		return false;
	return !kernel.major ||
	       kernel_version_is_within(kernel, (struct kernel_version){ 4, 16, 0 },
					(struct kernel_version){ 6, 10, 0 });
}

static const char *release_of(const struct resolving *resolving)
{
	const struct host *host = resolving->all->host;

	return host && host->release ? host->release : "";
}

static void judge(const struct resolving *resolving, struct candidate *candidate)
{
	const struct device *device = resolving->device;
	const struct scheduler *scheduler =
		scheduler_translate(candidate->name, device->queue_kind);

	if (!scheduler) {
		snprintf(candidate->why, sizeof(candidate->why),
			 _("there is no scheduler of this name"));
		return;
	}
	if (needs_mq_deadline(resolving) && strcmp(scheduler->name, "mq-deadline") != 0) {
		snprintf(candidate->why, sizeof(candidate->why),
			 _("host-managed zoned disk: on Linux %s only mq-deadline keeps "
			   "the "
			   "order of writes"),
			 release_of(resolving));
		return;
	}
	if (choice_has(&device->scheduler, scheduler->name) ||
	    (resolving->all->host &&
	     host_can_load_scheduler(resolving->all->host, scheduler))) {
		candidate->written = scheduler->name;
		return;
	}
	snprintf(candidate->why, sizeof(candidate->why),
		 _("this queue does not offer %s, and Linux %s has no module %s"),
		 scheduler->name, release_of(resolving),
		 scheduler->module ? scheduler->module : scheduler->name);
}

static int add_rejected(struct resolving *resolving, const struct candidate *candidate)
{
	struct policy_device *target = resolving->target;
	struct policy_rejected *rejected, *last;

	for (size_t i = 0; i < target->rejected_count; i++)
		if (!strcmp(target->rejected[i].name, candidate->name))
			return 0;
	rejected = reallocarray(target->rejected, target->rejected_count + 1,
				sizeof(*rejected));
	if (!rejected)
		return -ENOMEM;
	target->rejected = rejected;
	last = &rejected[target->rejected_count++];
	*last = (struct policy_rejected){ .name = strdup(candidate->name),
					  .why = strdup(candidate->why) };
	return last->name && last->why ? 0 : -ENOMEM;
}

static int note_translation(struct resolving *resolving,
			    const struct candidate *candidate)
{
	if (!strcmp(candidate->name, candidate->written))
		return 0;
	return resolve_add_note(resolving, _("this queue cannot have %s: %s takes its place"),
				candidate->name, candidate->written);
}

/* The first of the list that can be had; NULL when there is none. */
static int choose(struct resolving *resolving, const struct strv *names, const char **ret)
{
	for (size_t i = 0; i < names->count; i++) {
		struct candidate candidate = { .name = names->items[i] };
		int error;

		judge(resolving, &candidate);
		if (!candidate.written) {
			error = add_rejected(resolving, &candidate);
			if (error)
				return error;
			continue;
		}
		error = note_translation(resolving, &candidate);
		if (error)
			return error;
		*ret = candidate.written;
		return 0;
	}
	*ret = NULL;
	return 0;
}

static int add_scheduler(struct resolving *resolving, const char *name,
			 enum policy_origin origin, char *source, const char *why)
{
	resolving->scheduler = name;
	return resolve_add_value(resolving, tunable_scheduler(), name, origin, source,
				 why);
}

/* *ret_is_decided: the command line named one that can be had. */
static int take_set(struct resolving *resolving, struct resolve_set *set,
		    bool *ret_is_decided, struct diag *diag)
{
	_strv_ struct strv names = { 0 };
	const char *chosen = NULL;
	char *source;
	int error = strv_split(&names, set->set->value, ", ");

	if (!error)
		error = choose(resolving, &names, &chosen);
	if (error)
		return error;
	if (!chosen) {
		const struct policy_device *target = resolving->target;

		return resolve_refuse_set(
			resolving, set, -EINVAL,
			target->rejected_count
				? target->rejected[target->rejected_count - 1].why
				: _("there is no scheduler of this name"),
			diag);
	}
	source = strdup("--set");
	if (!source)
		return -ENOMEM;
	set->is_taken = true;
	*ret_is_decided = true;
	return add_scheduler(resolving, chosen, ORIGIN_COMMAND_LINE, source, NULL);
}

static int take_sets(struct resolving *resolving, bool *ret_is_decided, struct diag *diag)
{
	struct resolver *all = resolving->all;

	/* Of several the last one counts, as with other options. */
	for (size_t i = all->set_count; i--;) {
		int error = 0;

		if (strcmp(all->sets[i].set->key, tunable_scheduler()->key) != 0 ||
		    !resolve_is_for(resolving, all->sets[i].set))
			continue;
		if (*ret_is_decided)
			all->sets[i].is_taken = true;
		else
			error = take_set(resolving, &all->sets[i], ret_is_decided, diag);
		if (error)
			return error;
	}
	return 0;
}

static int take_rule(struct resolving *resolving, const struct layer_rule *layer,
		     bool *ret_is_decided)
{
	const struct profile_rule *rule = layer->rule;
	const char *chosen = NULL;
	char *source = NULL;
	int error = 0;

	if (rule->keeps_scheduler)
		*ret_is_decided = true;
	/* What was named and is to be left alone is held as it is. */
	if (rule->leave_alone)
		chosen = resolving->scheduler;
	else if (!rule->keeps_scheduler)
		error = choose(resolving, &rule->schedulers, &chosen);
	if (error || !chosen)
		return error;
	error = resolve_spell_source(layer, rule->scheduler_line, &source);
	if (error)
		return error;
	*ret_is_decided = true;
	return add_scheduler(resolving, chosen, layer->origin, source,
			     rule->scheduler_why ? rule->scheduler_why : rule->why);
}

/* What will be active when the policy says nothing. */
static const char *active_of(const struct device *device)
{
	const char *active = choice_active(&device->scheduler);

	if (!active && device->scheduler.count == 1)
		active = device->scheduler.names[0];
	return active;
}

int resolve_scheduler(struct resolving *resolving, struct diag *diag)
{
	bool is_decided = false;
	int error = 0;

	resolving->scheduler = active_of(resolving->device);
	if (resolving->device->level != LEVEL_OWN)
		return 0;
	error = take_sets(resolving, &is_decided, diag);
	for (size_t i = 0; !error && !is_decided && i < resolving->layers.count; i++)
		error = take_rule(resolving, &resolving->layers.items[i], &is_decided);
	if (!error && !is_decided && resolving->target->rejected_count)
		error = resolve_add_note(
			resolving, _("no scheduler that is wanted can be had: %s stays"),
			resolving->scheduler ? resolving->scheduler
					     : _("what is active"));
	return error;
}
