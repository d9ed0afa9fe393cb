// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether elevator= does anything here, and its value.
 */
#include "persist/elevator.h"

#include <errno.h>
#include <string.h>

#include "device/host.h"
#include "sysfs/paths.h"
#include "util/i18n.h"

#define LEGACY_GONE ((struct kernel_version){ 5, 0, 0 })

void elevator_done(struct elevator *elevator)
{
	free(elevator->rule);
	free(elevator->argument);
	*elevator = (struct elevator){ 0 };
}

static int search_folder(const struct root *root, const char *folder, char **ret)
{
	_strv_ struct strv paths = { 0 };
	int error = root_list_files(root, folder, ".rules", &paths);

	for (size_t i = 0; !error && !*ret && i < paths.count; i++) {
		_free_ char *text = NULL;

		if (root_read(root, paths.items[i], &text) == -ENOMEM)
			return -ENOMEM;
		if (!text || (!strstr(text, "IMPORT{cmdline}==\"elevator\"") &&
			      !strstr(text, "IMPORT{cmdline}=\"elevator\"")))
			continue;
		*ret = strdup(paths.items[i]);
		error = *ret ? 0 : -ENOMEM;
	}
	return error;
}

int elevator_find_rule(const struct root *root, char **ret)
{
	static const char *const folders[] = PATHS_UDEV_RULES;
	int error = 0;

	*ret = NULL;
	for (size_t i = 0; !error && !*ret && i < ARRAY_SIZE(folders); i++)
		error = search_folder(root, folders[i], ret);
	return error;
}

struct kernel_version elevator_installed_kernel(const struct root *root)
{
	struct kernel_version newest = KERNEL_VERSION_NONE;
	_strv_ struct strv releases = { 0 };

	if (root_list(root, PATH_MODULES, &releases))
		return newest;
	for (size_t i = 0; i < releases.count; i++) {
		struct kernel_version version;

		if (!kernel_version_parse(releases.items[i], &version) &&
		    kernel_version_compare(version, newest) > 0)
			newest = version;
	}
	return newest;
}

struct kernel_version elevator_kernel(const struct persist_input *input)
{
	const struct host *host = input->devices ? input->devices->host : NULL;

	if (host && host->kernel.major)
		return host->kernel;
	return elevator_installed_kernel(input->root);
}

/* --- effect ----------------------------------------------------------------------------- */

static size_t count_legacy(const struct persist_input *input, size_t *ret_own)
{
	const struct device_list *devices = input->devices;
	size_t legacy = 0;

	*ret_own = 0;
	for (size_t i = 0; devices && i < devices->count; i++) {
		*ret_own += devices->items[i].level == LEVEL_OWN;
		legacy += devices->items[i].level == LEVEL_OWN &&
			  devices->items[i].queue_kind == QUEUE_LEGACY;
	}
	return legacy;
}

static void judge_kernel(const struct persist_input *input, struct elevator *ret)
{
	struct kernel_version kernel = elevator_kernel(input);
	size_t own = 0, legacy = count_legacy(input, &own);

	if (!kernel.major) {
		snprintf(ret->why, sizeof(ret->why),
			 _("it cannot be told which kernel will be booted"));
	} else if (kernel_version_compare(kernel, LEGACY_GONE) >= 0) {
		snprintf(ret->why, sizeof(ret->why),
			 kernel_version_compare(kernel,
						(struct kernel_version){ 5, 5, 0 }) >= 0
				 ? _("Linux %u.%u only warns about elevator= and ignores "
				     "it")
				 : _("Linux %u.%u has no legacy queues, and only those "
				     "heed "
				     "elevator="),
			 kernel.major, kernel.minor);
	} else if (own && !legacy) {
		snprintf(ret->why, sizeof(ret->why),
			 _("every queue here is of the blk-mq kind, which Linux %u.%u "
			   "does not "
			   "apply elevator= to"),
			 kernel.major, kernel.minor);
	} else {
		ret->has_effect = true;
	}
}

/* --- value ------------------------------------------------------------------------------ */

/* Counts how often each scheduler is wanted, by index of scheduler_get(). */
static void count_wanted(const struct policy *policy, bool only_legacy, size_t *counts)
{
	for (size_t i = 0; policy && i < policy->count; i++) {
		const struct policy_device *item = &policy->items[i];
		const struct scheduler *scheduler;

		if (only_legacy && item->device->queue_kind != QUEUE_LEGACY)
			continue;
		for (size_t v = 0; v < item->value_count; v++)
			for (size_t n = 0; (scheduler = scheduler_get(n)); n++)
				counts[n] +=
					item->values[v].tunable == tunable_scheduler() &&
					!strcmp(scheduler->name, item->values[v].value);
	}
}

/* Without devices: what the policy has for a spinning disk, the medium of that age. */
static int find_in_rules(const struct persist_input *input, enum queue_kind kind,
			 const struct scheduler **ret)
{
	_free_ struct policy_layer *layers = NULL;
	size_t count = 0;
	int error = policy_list_layers(input->policy, &layers, &count);

	for (size_t i = 0; !error && !*ret && i < count; i++)
		for (size_t n = 0; !*ret && n < layers[i].rule_count; n++) {
			const struct profile_rule *rule = &layers[i].rules[n];

			if (rule->schedulers.count &&
			    (!rule->match.classes ||
			     rule->match.classes & 1u << CLASS_HDD))
				*ret = scheduler_translate(rule->schedulers.items[0],
							   kind);
		}
	return error;
}

static int find_value(const struct persist_input *input, struct elevator *ret)
{
	bool is_legacy = !ret->rule && ret->has_effect;
	const struct scheduler *scheduler, *best = NULL;
	size_t counts[16] = { 0 }, most = 0, kinds = 0;
	int error = 0;

	count_wanted(input->resolved, is_legacy, counts);
	for (size_t n = 0; n < ARRAY_SIZE(counts) && (scheduler = scheduler_get(n));
	     n++) {
		kinds += counts[n] > 0;
		if (counts[n] > most) {
			most = counts[n];
			best = scheduler;
		}
	}
	ret->is_mixed = kinds > 1;
	if (!best && !(input->devices && input->devices->count))
		error = find_in_rules(input, is_legacy ? QUEUE_LEGACY : QUEUE_MQ, &best);
	if (error || !best)
		return error;
	if (asprintf(&ret->argument, ELEVATOR_NAME "=%s", best->name) < 0) {
		ret->argument = NULL;
		return -ENOMEM;
	}
	return 0;
}

int elevator_judge(const struct persist_input *input, struct elevator *ret)
{
	int error;

	*ret = (struct elevator){ 0 };
	error = elevator_find_rule(input->root, &ret->rule);
	if (error)
		return error;
	judge_kernel(input, ret);
	if (ret->has_effect) { /* the kernel itself: the rule adds nothing */
		free(ret->rule);
		ret->rule = NULL;
	} else if (ret->rule) {
		ret->has_effect = true;
	}
	return find_value(input, ret);
}
