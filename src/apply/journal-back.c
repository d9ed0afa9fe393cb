// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The state to go back to, as a policy over the devices that are here.
 */
#include "apply/journal.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "apply/journal-internal.h"
#include "util/i18n.h"

static const struct journal_device *find_kept(const struct journal *journal, size_t from,
					      size_t to, const struct device *live,
					      uint64_t *ret_id)
{
	for (size_t i = from; i < to; i++) {
		const struct journal_step *step = &journal->steps[i];

		for (size_t j = 0; j < step->device_count; j++) {
			const struct journal_device *kept = &step->devices[j];

			if (!journal_is_same_text(kept->name, live->name) ||
			    !journal_is_same_disk(kept, live))
				continue;
			*ret_id = step->id;
			return kept;
		}
	}
	return NULL;
}

static int make_value(const struct queue_value *kept, uint64_t id,
		      struct policy_value *value)
{
	value->tunable = kept->tunable;
	value->origin = ORIGIN_JOURNAL;
	memcpy(value->value, kept->text, sizeof(value->value));
	if (asprintf(&value->source, "journal:%llu", (unsigned long long)id) < 0) {
		value->source = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int make_item(const struct journal_device *kept, uint64_t id,
		     const struct device *live, struct policy_device *item)
{
	int error = 0;

	item->device = live;
	item->state = POLICY_SET;
	item->values = calloc(kept->state.count + 1, sizeof(*item->values));
	if (!item->values)
		return -ENOMEM;
	for (size_t i = 0; !error && i < kept->state.count; i++)
		error = make_value(&kept->state.values[i], id,
				   &item->values[item->value_count++]);
	return error;
}

static int add_line(struct strv *lines, const char *format, ...) _printf_(2, 3);

static int add_line(struct strv *lines, const char *format, ...)
{
	_free_ char *line = NULL;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&line, format, args);
	va_end(args);
	if (len < 0) {
		line = NULL;
		return -ENOMEM;
	}
	return strv_contains(lines, line) ? 0 : strv_add(lines, line);
}

/* What a person asked for: some devices, or all. */
struct selection {
	const struct device *const *named;
	size_t count;
};

static bool is_selected(const struct selection *selection, const struct device *device)
{
	for (size_t i = 0; i < selection->count; i++)
		if (selection->named[i] == device)
			return true;
	return !selection->count;
}

static int add_gone(const struct journal_device *kept, const struct device_list *devices,
		    const struct selection *selection, struct strv *lines)
{
	const struct device *other;

	if (journal_find_live(devices, kept, &other))
		return 0;
	if (other)
		return is_selected(selection, other)
			       ? add_line(lines,
					  _("%s: another disk has this name now; it is "
					    "left "
					    "alone"),
					  kept->name)
			       : 0;
	return selection->count
		       ? 0
		       : add_line(lines, _("%s: the device is gone"), kept->name);
}

static int add_all_gone(const struct journal *journal, size_t from, size_t to,
			const struct device_list *devices,
			const struct selection *selection, struct strv *lines)
{
	int error = 0;

	for (size_t i = from; i < to; i++)
		for (size_t j = 0; !error && j < journal->steps[i].device_count; j++)
			error = add_gone(&journal->steps[i].devices[j], devices,
					 selection, lines);
	if (!error && journal->step_count &&
	    journal_find_boot(journal, journal_get_boot_id(devices)) == journal->step_count)
		error = add_line(
			lines, _("what was changed before the last boot is gone with it: "
				 "the kernel starts with its own values"));
	return error;
}

static int fill_policy(const struct journal *journal, const struct device_list *devices,
		       const struct selection *selection, size_t from, size_t to,
		       struct policy *policy)
{
	int error = 0;

	for (size_t i = 0; !error && i < devices->count; i++) {
		const struct device *live = &devices->items[i];
		const struct journal_device *kept;
		uint64_t id;

		if (!is_selected(selection, live))
			continue;
		kept = find_kept(journal, from, to, live, &id);
		if (kept)
			error = make_item(kept, id, live,
					  &policy->items[policy->count++]);
	}
	return error;
}

int journal_to_policy(const struct journal *journal, const struct device_list *devices,
		      enum journal_target target, const struct device *const *named,
		      size_t named_count, struct policy **ret, struct strv *ret_gone)
{
	const struct selection selection = { named, named_count };
	_cleanup_(cleanup_policy_free) struct policy *policy = NULL;
	size_t from, to;
	int error;

	journal_find_range(journal, journal_get_boot_id(devices), target, &from, &to);
	policy = calloc(1, sizeof(*policy));
	if (!policy)
		return -ENOMEM;
	policy->items = calloc(devices->count + 1, sizeof(*policy->items));
	if (!policy->items)
		return -ENOMEM;
	error = fill_policy(journal, devices, &selection, from, to, policy);
	if (!error)
		error = add_all_gone(journal, from, to, devices, &selection, ret_gone);
	if (error)
		return error;
	*ret = TAKE_PTR(policy);
	return 0;
}
