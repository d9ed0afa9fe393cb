// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The journal as a value: adding a step, going back to a state as a policy, forgetting
 * what was restored. Reading and writing the file is in journal-file.c.
 */
#include "apply/journal.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "apply/journal-internal.h"

void journal_device_done(struct journal_device *device)
{
	free(device->name);
	free(device->serial);
	free(device->wwn);
	queue_state_done(&device->state);
	*device = (struct journal_device){ 0 };
}

void journal_step_done(struct journal_step *step)
{
	for (size_t i = 0; i < step->device_count; i++)
		journal_device_done(&step->devices[i]);
	free(step->devices);
	free(step->profile);
	free(step->boot_id);
	strv_done(&step->sets);
	strv_done(&step->named);
	*step = (struct journal_step){ 0 };
}

void journal_free(struct journal *journal)
{
	if (!journal)
		return;
	for (size_t i = 0; i < journal->step_count; i++)
		journal_step_done(&journal->steps[i]);
	free(journal->steps);
	free(journal);
}

void journal_remove_step(struct journal *journal, size_t index)
{
	journal_step_done(&journal->steps[index]);
	journal->step_count--;
	memmove(&journal->steps[index], &journal->steps[index + 1],
		(journal->step_count - index) * sizeof(*journal->steps));
}

static void remove_device(struct journal_step *step, size_t index)
{
	journal_device_done(&step->devices[index]);
	step->device_count--;
	memmove(&step->devices[index], &step->devices[index + 1],
		(step->device_count - index) * sizeof(*step->devices));
}

/* --- adding ------------------------------------------------------------------------- */

static void drop_other_boots(struct journal *journal, const char *boot_id)
{
	for (size_t i = journal->step_count; i-- > 0;)
		if (!text_equal(journal->steps[i].boot_id, boot_id))
			journal_remove_step(journal, i);
}

static int copy_state(const struct queue_state *from, struct queue_state *ret)
{
	ret->values = calloc(from->count + 1, sizeof(*ret->values));
	if (!ret->values)
		return -ENOMEM;
	memcpy(ret->values, from->values, from->count * sizeof(*ret->values));
	ret->count = from->count;
	return 0;
}

static int add_device(struct journal_step *step, const struct plan_device *planned,
		      const struct queue_state *state, const struct device *device)
{
	struct journal_device *kept = &step->devices[step->device_count++];
	int error;

	kept->major = planned->major;
	kept->minor = planned->minor;
	error = journal_copy_text(planned->name, &kept->name);
	if (!error && device)
		error = journal_copy_text(device->serial, &kept->serial);
	if (!error && device)
		error = journal_copy_text(device->wwn, &kept->wwn);
	return error ? error : copy_state(state, &kept->state);
}

static int fill_step(struct journal_step *step, const struct plan *plan,
		     const struct queue_state *states, const struct device_list *devices)
{
	int error = 0;

	step->devices = calloc(plan->count + 1, sizeof(*step->devices));
	if (!step->devices)
		return -ENOMEM;
	for (size_t i = 0; !error && i < plan->count; i++) {
		const struct plan_device *planned = &plan->items[i];

		if (states[i].count)
			error = add_device(step, planned, &states[i],
					   device_find_by_name(devices, planned->name));
	}
	return error;
}

int journal_append(struct journal *journal, struct journal_step **ret)
{
	struct journal_step *steps;

	steps = reallocarray(journal->steps, journal->step_count + 1, sizeof(*steps));
	if (!steps)
		return -ENOMEM;
	journal->steps = steps;
	*ret = &steps[journal->step_count++];
	**ret = (struct journal_step){ 0 };
	return 0;
}

int journal_begin_step(struct journal *journal, const struct device_list *devices,
		       struct journal_step **ret)
{
	const char *boot_id = journal_get_boot_id(devices);
	struct journal_step *step;
	uint64_t id = 1;
	int error;

	drop_other_boots(journal, boot_id);
	if (journal->step_count)
		id = journal->steps[journal->step_count - 1].id + 1;
	error = journal_append(journal, &step);
	if (error)
		return error;
	step->id = id;
	step->time_s = (int64_t)time(NULL);
	error = boot_id ? journal_copy_text(boot_id, &step->boot_id) : 0;
	if (error)
		journal_remove_step(journal, journal->step_count - 1);
	else
		*ret = step;
	return error;
}

int journal_add_step(struct journal *journal, const struct plan *plan,
		     const struct queue_state *states, const struct device_list *devices,
		     const struct apply_asked *asked)
{
	struct journal_step *step;
	int error = journal_begin_step(journal, devices, &step);

	if (error)
		return error;
	error = journal_keep_asked(step, asked ? asked->profile : plan->profile_name,
				   asked);
	if (!error)
		error = fill_step(step, plan, states, devices);
	if (error)
		journal_remove_step(journal, journal->step_count - 1);
	return error;
}

static bool has_device(const struct journal_step *step,
		       const struct journal_device *other)
{
	for (size_t i = 0; i < step->device_count; i++) {
		const struct journal_device *device = &step->devices[i];

		if (!strcmp(device->name, other->name) &&
		    text_equal(device->serial, other->serial) &&
		    text_equal(device->wwn, other->wwn) &&
		    device->major == other->major && device->minor == other->minor)
			return true;
	}
	return false;
}

/* A step has room for one thing that was asked for: what was for all devices stays. */
static void keep_one_asked(struct journal_step *into, struct journal_step *from)
{
	if (journal_step_is_for_all(into) && !journal_step_is_for_all(from))
		return;
	free(into->profile);
	strv_done(&into->sets);
	strv_done(&into->named);
	into->profile = NULL;
	if (!journal_step_is_for_all(from))
		return;
	into->profile = TAKE_PTR(from->profile);
	into->sets = from->sets;
	from->sets = (struct strv){ 0 };
}

int journal_fold(struct journal *journal)
{
	struct journal_step *into = &journal->steps[0], *from = &journal->steps[1];
	struct journal_device *devices;

	devices = reallocarray(into->devices, into->device_count + from->device_count + 1,
			       sizeof(*devices));
	if (!devices)
		return -ENOMEM;
	into->devices = devices;
	for (size_t i = 0; i < from->device_count; i++) {
		if (has_device(into, &from->devices[i]))
			continue;
		devices[into->device_count++] = from->devices[i];
		from->devices[i] = (struct journal_device){ 0 };
	}
	keep_one_asked(into, from);
	journal_remove_step(journal, 1);
	return 0;
}

void journal_find_range(const struct journal *journal, const char *boot_id,
			enum journal_target target, size_t *ret_from, size_t *ret_to)
{
	size_t from = journal->step_count, to = journal->step_count;

	/* drop_other_boots() keeps those of one boot together, at the end */
	while (from && text_equal(journal->steps[from - 1].boot_id, boot_id))
		from--;
	if (target == JOURNAL_LAST) {
		while (to > from && !journal->steps[to - 1].device_count)
			to--;
		from = to > from ? to - 1 : to;
	}
	*ret_from = from;
	*ret_to = to;
}

size_t journal_find_boot(const struct journal *journal, const char *boot_id)
{
	size_t from, to;

	journal_find_range(journal, boot_id, JOURNAL_FIRST, &from, &to);
	return from;
}

/* --- forgetting --------------------------------------------------------------------- */

static const struct apply_device *find_outcome(const struct apply_report *report,
					       const char *name)
{
	for (size_t i = 0; i < report->count; i++)
		if (journal_is_same_text(name, report->items[i].planned->name))
			return &report->items[i];
	return NULL;
}

static bool is_name_back(const struct apply_report *report, const char *name)
{
	const struct apply_device *outcome = find_outcome(report, name);

	return outcome &&
	       (outcome->outcome == APPLY_DONE || outcome->outcome == APPLY_UNCHANGED);
}

/* Whether a step without devices is undone by a restore of the steps [from, to). */
static bool is_undone(const struct journal_step *step, size_t index, size_t to,
		      bool is_everything, enum journal_target target,
		      const struct apply_report *report)
{
	if (is_everything)
		return target == JOURNAL_FIRST || index >= to;
	for (size_t i = 0; i < step->named.count; i++)
		if (!is_name_back(report, step->named.items[i]))
			return false;
	return step->named.count > 0;
}

void journal_drop(struct journal *journal, enum journal_target target, bool is_everything,
		  const struct apply_report *report, const struct device_list *devices)
{
	size_t from, to;

	drop_other_boots(journal, journal_get_boot_id(devices));
	journal_find_range(journal, journal_get_boot_id(devices), target, &from, &to);
	for (size_t i = journal->step_count; i-- > 0;) {
		struct journal_step *step = &journal->steps[i];
		bool is_void = !step->device_count &&
			       is_undone(step, i, to, is_everything, target, report);

		if (!step->device_count && !is_void)
			continue;
		for (size_t j = step->device_count; j-- > 0;) {
			const struct device *other;

			if (!journal_find_live(devices, &step->devices[j], &other) ||
			    (i >= from && i < to &&
			     is_name_back(report, step->devices[j].name)))
				remove_device(step, j);
		}
		if (!step->device_count)
			journal_remove_step(journal, i);
	}
}

bool journal_prune(struct journal *journal, const struct apply_report *report)
{
	struct journal_step *step;
	bool is_changed = false;

	if (!journal->step_count)
		return false;
	step = &journal->steps[journal->step_count - 1];
	for (size_t i = step->device_count; i-- > 0;) {
		const struct apply_device *outcome;

		outcome = find_outcome(report, step->devices[i].name);
		if (!outcome || outcome->outcome == APPLY_DONE ||
		    outcome->outcome == APPLY_BROKEN || outcome->outcome == APPLY_STUCK)
			continue;
		remove_device(step, i);
		is_changed = true;
	}
	if (!step->device_count)
		journal_remove_step(journal, journal->step_count - 1);
	return is_changed;
}
