// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What was asked for, step by step: which steps say the same, and which no longer count
 * because a later one took their place.
 */
#include "apply/journal.h"

#include <string.h>

#include "apply/journal-internal.h"

bool journal_step_is_for_all(const struct journal_step *step)
{
	return step->profile && !step->named.count;
}

bool journal_has_devices(const struct journal *journal)
{
	for (size_t i = 0; i < journal->step_count; i++)
		if (journal->steps[i].device_count)
			return true;
	return false;
}

static bool is_same_list(const struct strv *kept, const struct strv *other)
{
	if (kept->count != other->count)
		return false;
	for (size_t i = 0; i < kept->count; i++)
		if (strcmp(kept->items[i], other->items[i]) != 0)
			return false;
	return true;
}

static bool is_among(const struct strv *some, const struct strv *all)
{
	for (size_t i = 0; i < some->count; i++)
		if (!strv_contains(all, some->items[i]))
			return false;
	return true;
}

static bool has_key(const struct strv *sets, const char *set)
{
	size_t len = strcspn(set, "=");

	for (size_t i = 0; i < sets->count; i++)
		if (strcspn(sets->items[i], "=") == len &&
		    !strncmp(sets->items[i], set, len))
			return true;
	return false;
}

/* Whether nothing of what `older` asked for is left once `newer` was asked for. */
static bool is_superseded(const struct journal_step *older,
			  const struct journal_step *newer)
{
	if (journal_step_is_for_all(newer))
		return true;
	if (!older->named.count || !is_among(&older->named, &newer->named))
		return false;
	if (newer->profile)
		return true;
	for (size_t i = 0; i < older->sets.count; i++)
		if (!has_key(&newer->sets, older->sets.items[i]))
			return false;
	return !older->profile;
}

void journal_drop_superseded(struct journal *journal)
{
	for (size_t i = journal->step_count; i-- > 0;) {
		bool is_dropped = false;

		if (journal->steps[i].device_count)
			continue;
		for (size_t j = i + 1; j < journal->step_count && !is_dropped; j++)
			is_dropped = is_superseded(&journal->steps[i],
						   &journal->steps[j]);
		if (is_dropped)
			journal_remove_step(journal, i);
	}
}

int journal_keep_asked(struct journal_step *step, const char *profile,
		       const struct apply_asked *asked)
{
	int error = profile ? journal_copy_text(profile, &step->profile) : 0;

	for (size_t i = 0; !error && asked && i < asked->set_count; i++)
		error = strv_add(&step->sets, asked->sets[i]);
	for (size_t i = 0; !error && asked && i < asked->named_count; i++)
		error = strv_add(&step->named, asked->named[i]->name);
	return error;
}

bool journal_is_asked_last(const struct journal *journal,
			   const struct device_list *devices,
			   const struct apply_asked *asked)
{
	size_t from = journal_find_boot(journal, journal_get_boot_id(devices));
	struct journal_step wanted = { 0 };
	const struct journal_step *last;
	bool is_same = false;

	if (from == journal->step_count)
		return false;
	last = &journal->steps[journal->step_count - 1];
	if (!journal_keep_asked(&wanted, asked->profile, asked))
		is_same = text_equal(last->profile, wanted.profile) &&
			  is_same_list(&last->sets, &wanted.sets) &&
			  is_same_list(&last->named, &wanted.named);
	journal_step_done(&wanted);
	return is_same;
}

int journal_add_asked(struct journal *journal, const struct device_list *devices,
		      const struct apply_asked *asked)
{
	struct journal_step *step;
	int error = journal_begin_step(journal, devices, &step);

	if (error)
		return error;
	error = journal_keep_asked(step, asked->profile, asked);
	if (error)
		journal_remove_step(journal, journal->step_count - 1);
	else
		journal_drop_superseded(journal);
	return error;
}
