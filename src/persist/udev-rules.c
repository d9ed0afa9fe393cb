// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A policy as udev rules. Source: udev(7); facts on udev (whole disks, TEST guards,
 * change events) and on the order of writes.
 */
#include "persist/udev-rules.h"

#include <errno.h>
#include <string.h>

#include "persist/udev-paths.h"
#include "persist/udev-text.h"
#include "persist/udev-write.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

/* Far above any policy; udev reads the file at every start. */
#define RULES_SIZE_MAX (4u * 1024 * 1024)

/* Events that do not bring or change a disk, and disks that others have set aside. dm
   queues must not be frozen while they are suspended. */
static const char opening[] =
	"ACTION!=\"add|change\", GOTO=\"iosched_tune_end\"\n"
	"SUBSYSTEM!=\"block\", GOTO=\"iosched_tune_end\"\n"
	"ENV{DEVTYPE}!=\"disk\", GOTO=\"iosched_tune_end\"\n"
	"TEST!=\"queue\", GOTO=\"iosched_tune_end\"\n"
	"ENV{DM_SUSPENDED}==\"1\", GOTO=\"iosched_tune_end\"\n"
	"ENV{DM_UDEV_DISABLE_OTHER_RULES_FLAG}==\"1\", GOTO=\"iosched_tune_end\"\n";

/* A queue that has a scheduler shows one in brackets. Until zone write plugging (6.10)
   only mq-deadline kept the order of writes to host-managed zones. */
static const char queue_kinds[] =
	"\n# Which schedulers its queue takes; nothing: it has none of its own.\n"
	"ATTR{queue/scheduler}==\"*[[]*\", ENV{.IOSCHED_QUEUE}=\"mq\"\n"
	"ENV{.IOSCHED_QUEUE}==\"mq\", ATTR{queue/scheduler}==\"*noop*|*cfq*\", "
	"ENV{.IOSCHED_QUEUE}=\"legacy\"\n"
	"ENV{.IOSCHED_QUEUE}==\"mq\", ATTR{queue/zoned}==\"host-managed\", "
	"SYSCTL{kernel/osrelease}==\"4.1[6-9].*|4.20.*|5.*|6.[0-9].*|6.[0-9]-*\", "
	"ENV{.IOSCHED_QUEUE}=\"zoned\"\n";

struct render {
	const struct udev_input *input;
	struct text *out;
	struct strv *left;
	struct udev_writes writes;
	size_t rule_index;
	bool leaves_some; /* a rule jumps to the writes */
};

/* --- one rule of the policy ------------------------------------------------------------- */

#define UNDECIDED "ENV{.IOSCHED_SCHEDULER}!=\"?*\", "

/* Modules are named with '_' once they are loaded. */
static void add_loaded(struct text *out, const char *module)
{
	for (const char *p = module; *p; p++)
		text_add_bytes(out, *p == '-' ? "_" : p, 1);
}

static void add_candidate(struct render *render, const struct scheduler *scheduler,
			  const char *queues)
{
	struct text *out = render->out;

	text_addf(out,
		  UNDECIDED
		  "ENV{.IOSCHED_QUEUE}==\"%s\", ATTR{queue/scheduler}==\"*%s*\", "
		  "ENV{.IOSCHED_SCHEDULER}=\"%s\"\n",
		  queues, scheduler->name, scheduler->name);
	if (!scheduler->module)
		return;
	text_addf(out,
		  UNDECIDED
		  "ENV{.IOSCHED_QUEUE}==\"%s\", IMPORT{builtin}=\"kmod load %s\"\n",
		  queues, scheduler->module);
	text_addf(out, UNDECIDED "ENV{.IOSCHED_QUEUE}==\"%s\", TEST==\"/%s/", queues,
		  PATH_SYS_MODULE);
	add_loaded(out, scheduler->module);
	text_addf(out, "\", ENV{.IOSCHED_SCHEDULER}=\"%s\"\n", scheduler->name);
}

static int add_schedulers(struct render *render, const struct profile_rule *rule)
{
	for (size_t i = 0; i < rule->schedulers.count; i++) {
		const char *name = rule->schedulers.items[i];
		const struct scheduler *mq = scheduler_translate(name, QUEUE_MQ);
		const struct scheduler *legacy = scheduler_translate(name, QUEUE_LEGACY);
		int error = 0;

		if (mq) {
			add_candidate(render, mq,
				      strcmp(mq->name, "mq-deadline") ? "mq"
								      : "mq|zoned");
			error = udev_writes_add_scheduler(&render->writes, mq);
		}
		if (!error && legacy) {
			add_candidate(render, legacy, "legacy");
			error = udev_writes_add_scheduler(&render->writes, legacy);
		}
		if (error)
			return error;
	}
	if (rule->keeps_scheduler)
		text_add(render->out, UNDECIDED "ENV{.IOSCHED_SCHEDULER}=\"keep\"\n");
	return 0;
}

/* Where the rule stands; its reasons are there, in more than one language. */
static void add_origin(struct render *render, const struct policy_layer *layer,
		       const struct profile_rule *rule)
{
	const char *base = strrchr(layer->path, '/');

	text_add(render->out, "\n# ");
	udev_add_comment(render->out, base && layer->origin != ORIGIN_OVERRIDE
					      ? base + 1
					      : layer->path);
	text_addf(render->out, ":%u\n", rule->line);
}

static int add_left(struct render *render, const struct policy_layer *layer,
		    const struct profile_rule *rule, const char *why)
{
	const char *base = strrchr(layer->path, '/');
	_free_ char *line = NULL;

	if (asprintf(&line, "%s:%u: %s",
		     base && layer->origin != ORIGIN_OVERRIDE ? base + 1 : layer->path,
		     rule->line, why) < 0) {
		line = NULL;
		return -ENOMEM;
	}
	return strv_add(render->left, line);
}

static int add_body(struct render *render, const struct profile_rule *rule)
{
	int error;

	if (rule->leave_alone) {
		text_add(render->out, "GOTO=\"iosched_tune_write\"\n");
		render->leaves_some = true;
		return 0;
	}
	error = add_schedulers(render, rule);
	for (size_t i = 0; !error && i < rule->setting_count; i++) {
		udev_add_noted(render->out, &rule->settings[i]);
		error = udev_writes_add_value(&render->writes, &rule->settings[i]);
	}
	return error;
}

/* The unit of the head takes care of it. */
static bool is_for_paths(const struct render *render, const struct profile_rule *rule)
{
	return render->input->instance_unit &&
	       rule->match.classes == 1u << CLASS_NVME_PATH;
}

/* Nobody misses it. */
static bool is_for_nothing_here(const struct render *render, const struct profile_rule *rule)
{
	return render->input->is_without_hidden &&
	       (rule->match.hidden == 1 ||
		rule->match.classes == 1u << CLASS_NVME_PATH);
}

/* What the rule is for, then its values, skipped by the others. */
static int add_rule(struct render *render, const struct policy_layer *layer,
		    const struct profile_rule *rule)
{
	_text_ struct text before = { 0 }, conditions = { 0 };
	const char *unseen = NULL;
	size_t index = ++render->rule_index;
	char tag[32];
	int error;

	snprintf(tag, sizeof(tag), "R%zu", index);
	error = udev_add_match(&before, &conditions, &rule->match, tag, &unseen);
	if (error)
		return error;
	if (unseen && (is_for_paths(render, rule) || is_for_nothing_here(render, rule)))
		return 0;
	if (unseen)
		return add_left(render, layer, rule, unseen);
	if (rule->match.classes & 1u << CLASS_NVME_PATH && !rule->leave_alone &&
	    !render->input->instance_unit && !render->input->is_without_hidden) {
		error = add_left(render, layer, rule,
				 N_("hidden paths of NVMe multipath send no events"));
		if (error)
			return error;
	}
	add_origin(render, layer, rule);
	if (before.len)
		text_add(render->out, before.data);
	if (conditions.len)
		text_addf(render->out,
			  "%s, GOTO=\"iosched_tune_rule_%zu\"\n"
			  "GOTO=\"iosched_tune_rule_%zu_end\"\n"
			  "LABEL=\"iosched_tune_rule_%zu\"\n",
			  conditions.data, index, index, index);
	error = add_body(render, rule);
	if (conditions.len)
		text_addf(render->out, "LABEL=\"iosched_tune_rule_%zu_end\"\n", index);
	return error ? error : before.error;
}

static bool sets_something(const struct profile_rule *rule)
{
	return rule->schedulers.count || rule->keeps_scheduler || rule->setting_count ||
	       rule->leave_alone;
}

static int add_layers(struct render *render)
{
	_free_ struct policy_layer *layers = NULL;
	size_t count = 0;
	int error = policy_list_layers(render->input->policy, &layers, &count);

	for (size_t i = 0; !error && i < count; i++)
		for (size_t n = 0; !error && n < layers[i].rule_count; n++) {
			if (sets_something(&layers[i].rules[n]))
				error = add_rule(render, &layers[i], &layers[i].rules[n]);
			if (!error && render->out->len > RULES_SIZE_MAX)
				error = -E2BIG;
		}
	return error;
}

/* --- the whole -------------------------------------------------------------------------- */

static int find_needs(const struct policy_request *policy, struct udev_needs *ret)
{
	_free_ struct policy_layer *layers = NULL;
	const struct device_override *classes;
	size_t count = 0, class_count = 0;
	int error = policy_list_layers(policy, &layers, &count);

	*ret = (struct udev_needs){ 0 };
	for (size_t i = 0; !error && i < count; i++)
		for (size_t n = 0; n < layers[i].rule_count; n++) {
			ret->serial |= layers[i].rules[n].match.serials.count > 0;
			ret->wwn |= layers[i].rules[n].match.wwns.count > 0;
		}
	classes = policy->overrides
			  ? policy_overrides_classes(policy->overrides, &class_count)
			  : NULL;
	for (size_t i = 0; i < class_count; i++) {
		ret->serial |= classes[i].serial != NULL;
		ret->wwn |= classes[i].wwn != NULL;
	}
	return error;
}

static void add_class_overrides(struct render *render)
{
	const struct policy_overrides *overrides = render->input->policy->overrides;
	const struct device_override *classes = NULL;
	size_t count = 0;

	if (overrides)
		classes = policy_overrides_classes(overrides, &count);
	if (!count)
		return;
	text_add(render->out, "\n# Classes that were set by hand.\n");
	udev_add_class_overrides(render->out, classes, count);
}

int udev_render(const struct udev_input *input, struct text *out, struct strv *left)
{
	struct render render = { .input = input, .out = out, .left = left };
	struct udev_needs needs;
	int error = find_needs(input->policy, &needs);

	if (error)
		return error;
	if (input->instance_unit)
		udev_add_controllers(out, input->instance_unit);
	text_add(out, opening);
	udev_add_classification(out, needs);
	add_class_overrides(&render);
	text_add(out, queue_kinds);
	error = add_layers(&render);
	if (!error) {
		if (render.leaves_some)
			text_add(out, "\nLABEL=\"iosched_tune_write\"\n");
		udev_writes_render(&render.writes, out);
		if (input->instance_unit)
			udev_add_heads(out, "ENV{.IOSCHED_CLASS}==\"nvme-head\"",
				       input->instance_unit);
		text_add(out, "\nLABEL=\"iosched_tune_end\"\n");
	}
	udev_writes_done(&render.writes);
	return error ? error : out->error;
}
