// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Candidates for the values of options and arguments: devices of this host, profiles,
 * schedulers that the kernel has, attributes and what they could be set to, columns.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cmd/complete.h"
#include "cmd/simulate-published.h"
#include "cmd/verb.h"
#include "device/device.h"
#include "device/host.h"
#include "policy/profile.h"
#include "recorder/recorder.h"
#include "report/column.h"
#include "sim/elevator.h"
#include "sim/media/media.h"
#include "sim/workload/job.h"
#include "tunable/scheduler.h"
#include "util/i18n.h"
#include "util/number.h"

/* Longest description that is printed, in bytes. */
#define DESCRIPTION_MAX 400

const char *completion_rest(const struct completion *completion)
{
	return completion->word + completion->kept;
}

static bool is_literal(const char *candidate)
{
	for (; *candidate; candidate++)
		if (!isalnum((unsigned char)*candidate) &&
		    !strchr("_-+=.,:/@%", *candidate))
			return false;
	return true;
}

void completion_offer(const struct completion *completion, const char *candidate,
		      const char *description)
{
	char safe[DESCRIPTION_MAX];

	if (!text_starts_with(candidate, completion_rest(completion)) ||
	    !is_literal(candidate))
		return;
	text_escape_terminal(description ? description : "", safe, sizeof(safe));
	printf("%.*s%s\t%s\n", completion->kept, completion->word, candidate, safe);
}

void completion_ask_files(void)
{
	puts("\tfiles");
}

/* Something that can only be a path: the shell knows better. */
static bool is_path(const char *word)
{
	return word[0] == '.' || word[0] == '~' || strchr(word, '/');
}

/* Of "a,b,c" only the last name is completed. */
static struct completion last_of_list(const struct completion *completion)
{
	struct completion last = *completion;
	const char *comma = strrchr(completion_rest(completion), ',');

	if (comma)
		last.kept = (int)(comma + 1 - completion->word);
	return last;
}

/* Whether the list that is typed, before its last name, has this one. */
static bool is_in_list(const struct completion *completion, const char *name)
{
	_strv_ struct strv names = { 0 };
	const char *rest = completion_rest(completion);
	const char *comma = strrchr(rest, ',');
	_free_ char *list = comma ? strndup(rest, (size_t)(comma - rest)) : NULL;

	return list && !strv_split(&names, list, ",") && strv_contains(&names, name);
}

static void offer_devices(const struct completion *completion)
{
	_cleanup_(cleanup_device_list_free) struct device_list *list = NULL;
	const char *rest = completion_rest(completion);
	struct diag diag = { 0 };

	if (is_path(rest)) {
		completion_ask_files();
		return;
	}
	if (device_scan(completion->root, SCAN_CLASS | SCAN_IDENTITY | SCAN_BASICS, NULL,
			0, &list, &diag))
		return;
	for (size_t i = 0; i < list->count; i++) {
		const struct device *device = &list->items[i];
		_text_ struct text what = { 0 };
		char size[32];

		/* Free loop devices and empty drives: only when they are asked for. */
		if (!device->size_sectors && !*rest)
			continue;
		number_format_bytes(device->size_sectors * 512, size, sizeof(size));
		text_addf(&what, "%s, %s", device_class_name(device->class), size);
		if (device->model)
			text_addf(&what, ", %s", device->model);
		completion_offer(completion, device->name, what.data);
	}
}

static void offer_profiles(const struct completion *completion)
{
	struct profile_entry *entries = NULL;
	struct diag diag = { 0 };
	size_t count = 0;

	if (is_path(completion_rest(completion))) {
		completion_ask_files();
		return;
	}
	if (profile_list(completion->root, completion->search, &entries, &count, &diag))
		return;
	for (size_t i = 0; i < count; i++)
		if (!entries[i].is_shadowed && !entries[i].error)
			completion_offer(completion, entries[i].name, entries[i].summary);
	profile_entries_free(entries, count);
}

/* Without any sysfs every name that there is. */
static bool has_scheduler(const struct device_list *list,
			  const struct scheduler *scheduler)
{
	if (!list)
		return true;
	for (size_t i = 0; i < list->count; i++)
		if (choice_has(&list->items[i].scheduler, scheduler->name))
			return true;
	return scheduler->module && host_can_load_scheduler(list->host, scheduler);
}

static void offer_schedulers(const struct completion *completion)
{
	_cleanup_(cleanup_device_list_free) struct device_list *list = NULL;
	struct completion last = last_of_list(completion);
	const struct scheduler *scheduler;
	struct diag diag = { 0 };

	/* What cannot be scanned leaves `list` NULL. */
	(void)device_scan(completion->root, SCAN_SCHEDULER, NULL, 0, &list, &diag);
	for (size_t i = 0; (scheduler = scheduler_get(i)); i++)
		if (has_scheduler(list, scheduler) &&
		    !is_in_list(completion, scheduler->name))
			completion_offer(&last, scheduler->name, _(scheduler->summary));
}

/* Whatever this host has: the kernel is an option, too. */
static void offer_simulated(const struct completion *completion)
{
	struct completion last = last_of_list(completion);
	const struct scheduler *scheduler;

	for (size_t i = 0; (scheduler = scheduler_get(i)); i++)
		if (!is_in_list(completion, scheduler->name))
			completion_offer(&last, scheduler->name, _(scheduler->summary));
	for (size_t i = 0; (scheduler = scheduler_get_textbook(i)); i++)
		if (!is_in_list(completion, scheduler->name))
			completion_offer(&last, scheduler->name, _(scheduler->summary));
}

static void offer_tunable_names(const struct completion *completion)
{
	const struct tunable *tunable;

	for (size_t i = 0; (tunable = tunable_get(i)); i++) {
		_text_ struct text name = { 0 };

		if (!tunable->is_policy)
			continue;
		text_addf(&name, "%s=", tunable->key);
		if (!name.error)
			completion_offer(completion, name.data, _(tunable->help));
	}
}

/* The values that the devices have now, each once, with the first device that has it. */
static void offer_current(const struct completion *completion,
			  const struct tunable *tunable, struct strv *offered)
{
	_cleanup_(cleanup_device_list_free) struct device_list *list = NULL;
	struct diag diag = { 0 };

	if (device_scan(completion->root, SCAN_QUEUE | SCAN_IOSCHED | SCAN_SCHEDULER,
			NULL, 0, &list, &diag))
		return;
	for (size_t i = 0; i < list->count; i++) {
		const struct device *device = &list->items[i];
		const struct device_value *value = device_find_value(device, tunable);
		_text_ struct text what = { 0 };

		if (!value || value->error || strv_contains(offered, value->text))
			continue;
		text_addf(&what, _("as %s has it"), device->name);
		completion_offer(completion, value->text, what.data);
		if (strv_add(offered, value->text))
			return;
	}
}

static void offer_tunable_values(const struct completion *completion,
				 const struct tunable *tunable)
{
	_strv_ struct strv offered = { 0 };

	if (tunable == tunable_scheduler()) {
		offer_schedulers(completion);
		return;
	}
	if (tunable->type == TUNABLE_BOOL) {
		completion_offer(completion, "0", _("off"));
		completion_offer(completion, "1", _("on"));
		return;
	}
	if (tunable->initial) {
		completion_offer(completion, tunable->initial, _("the kernel's default"));
		if (strv_add(&offered, tunable->initial))
			return;
	}
	offer_current(completion, tunable, &offered);
}

/* KEY=VALUE, where KEY may leave out the scheduler: the first one that has it decides. */
static void offer_tunables(const struct completion *completion)
{
	const char *rest = completion_rest(completion);
	const char *equals = strchr(rest, '=');
	struct completion value = *completion;
	const struct tunable *tunable;

	if (!equals) {
		offer_tunable_names(completion);
		return;
	}
	value.kept = (int)(equals + 1 - completion->word);
	for (size_t i = 0; (tunable = tunable_get(i)); i++) {
		size_t len = (size_t)(equals - rest);
		bool is_key = !strncmp(tunable->key, rest, len) && !tunable->key[len];
		bool is_file = !strncmp(tunable->file, rest, len) && !tunable->file[len];

		if (tunable->is_policy && (is_key || is_file)) {
			offer_tunable_values(&value, tunable);
			return;
		}
	}
}

/* --- parameters of the engine's schedulers ------------------------------------------------ */

static const struct tunable *row_of(const struct sim_elevator_ops *ops, size_t i)
{
	if (ops->parameter_rows)
		return &ops->parameter_rows[i];
	return tunable_find_iosched(ops->name, ops->parameters[i].file);
}

/* "mq-deadline.read_expire=", and once "read_expire=" when something is typed. */
static void offer_parameter_names(const struct completion *completion)
{
	const struct tunable *nr_requests = tunable_find_queue("nr_requests");
	const struct sim_elevator_ops *ops;
	_strv_ struct strv files = { 0 };

	completion_offer(completion, "nr_requests=", nr_requests ? _(nr_requests->help) : NULL);
	for (size_t i = 0; (ops = sim_elevator_get(i)); i++) {
		for (size_t k = 0; k < ops->parameter_count; k++) {
			const struct tunable *row = row_of(ops, k);
			const char *help = row ? _(row->help) : NULL;
			_text_ struct text key = { 0 }, file = { 0 };

			text_addf(&key, "%s.%s=", ops->name, ops->parameters[k].file);
			text_addf(&file, "%s=", ops->parameters[k].file);
			if (key.error || file.error)
				return;
			completion_offer(completion, key.data, help);
			if (!*completion_rest(completion) || strv_contains(&files, file.data))
				continue;
			completion_offer(completion, file.data, help);
			if (strv_add(&files, file.data))
				return;
		}
	}
}

/* The row of "mq-deadline.read_expire" or of "read_expire", as the first one has it. */
static const struct tunable *find_parameter(const char *key, size_t len)
{
	const struct sim_elevator_ops *ops;

	if (!strncmp(key, "nr_requests", len) && len == strlen("nr_requests"))
		return tunable_find_queue("nr_requests");
	for (size_t i = 0; (ops = sim_elevator_get(i)); i++) {
		size_t owner = strlen(ops->name);
		const char *file = key;

		if (len > owner && !strncmp(key, ops->name, owner) && key[owner] == '.')
			file += owner + 1;
		for (size_t k = 0; k < ops->parameter_count; k++) {
			const char *name = ops->parameters[k].file;

			if (strlen(name) == len - (size_t)(file - key) &&
			    !strncmp(name, file, strlen(name)))
				return row_of(ops, k);
		}
	}
	return NULL;
}

static void offer_parameters(const struct completion *completion)
{
	const char *rest = completion_rest(completion);
	const char *equals = strchr(rest, '=');
	struct completion value = *completion;
	const struct tunable *row;

	if (!equals) {
		offer_parameter_names(completion);
		return;
	}
	value.kept = (int)(equals + 1 - completion->word);
	row = find_parameter(rest, (size_t)(equals - rest));
	if (row)
		offer_tunable_values(&value, row);
}

static void offer_columns(const struct completion *completion)
{
	struct completion last = last_of_list(completion);
	const char *rest = completion_rest(completion);
	const struct column *column;
	const struct tunable *tunable;

	if (*rest == '+' && !strchr(rest, ','))
		last.kept++;
	for (size_t i = 0; (column = column_get(i)); i++)
		if (!is_in_list(completion, column->name))
			completion_offer(&last, column->name, _(column->help));
	for (size_t i = 0; (tunable = tunable_get(i)); i++)
		if (!is_in_list(completion, tunable->key))
			completion_offer(&last, tunable->key, _(tunable->help));
	if (*rest == '+' || strchr(rest, ','))
		return;
	completion_offer(completion, "all", _("every column"));
	completion_offer(completion, "help", _("list the columns"));
}

static void offer_verb_names(const struct completion *completion)
{
	const struct verb *verb;

	for (size_t i = 0; (verb = verb_get(i)); i++)
		if (!verb->is_hidden)
			completion_offer(completion, verb->name, _(verb->summary));
}

static void offer_workloads(const struct completion *completion)
{
	const struct workload_row *row;

	for (size_t i = 0; (row = workload_get(i)); i++) {
		completion_offer(completion, row->name, _(row->summary));
		if (row->alias)
			completion_offer(completion, row->alias, _(row->summary));
	}
}

static void offer_media(const struct completion *completion)
{
	const struct sim_medium_preset *preset;

	if (is_path(completion_rest(completion))) {
		completion_ask_files();
		return;
	}
	for (size_t i = 0; (preset = sim_medium_preset(i)); i++)
		completion_offer(completion, preset->name, _(preset->summary));
}

static void offer_events(const struct completion *completion)
{
	struct completion last = last_of_list(completion);
	const char *name;

	for (unsigned i = 0; (name = recorder_event_name(i)); i++)
		if (!is_in_list(completion, name))
			completion_offer(&last, name, NULL);
}

static void offer_published(const struct completion *completion)
{
	_strv_ struct strv names = { 0 };

	if (is_path(completion_rest(completion))) {
		completion_ask_files();
		return;
	}
	if (simulate_published_names(&names))
		return;
	for (size_t i = 0; i < names.count; i++)
		completion_offer(completion, names.items[i], NULL);
}

/* One of them, or of a repeatable option several with commas. */
static void offer_words(const struct completion *completion, const struct option_spec *spec)
{
	struct completion last = spec->is_repeatable ? last_of_list(completion) : *completion;

	for (size_t i = 0; spec->words[i]; i++)
		if (!spec->is_repeatable || !is_in_list(completion, spec->words[i]))
			completion_offer(&last, spec->words[i], NULL);
}

void completion_offer_value(const struct completion *completion, enum option_value value,
			    const struct option_spec *spec)
{
	switch (value) {
	case VALUE_FILE:
	case VALUE_DIRECTORY:
		completion_ask_files();
		break;
	case VALUE_DEVICE:
		offer_devices(completion);
		break;
	case VALUE_PROFILE:
		offer_profiles(completion);
		break;
	case VALUE_SCHEDULER:
		offer_schedulers(completion);
		break;
	case VALUE_SIMULATED:
		offer_simulated(completion);
		break;
	case VALUE_TUNABLE:
		offer_tunables(completion);
		break;
	case VALUE_PARAMETER:
		offer_parameters(completion);
		break;
	case VALUE_COLUMN:
		offer_columns(completion);
		break;
	case VALUE_VERB:
		offer_verb_names(completion);
		break;
	case VALUE_WORKLOAD:
		offer_workloads(completion);
		break;
	case VALUE_MEDIUM:
		offer_media(completion);
		break;
	case VALUE_EVENT:
		offer_events(completion);
		break;
	case VALUE_PUBLISHED:
		offer_published(completion);
		break;
	case VALUE_WORD:
		if (spec)
			offer_words(completion, spec);
		break;
	case VALUE_NONE:
	case VALUE_TEXT:
	case VALUE_NUMBER:
	case VALUE_SECONDS:
		break;
	}
}
