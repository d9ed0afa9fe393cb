/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processes seen in a trace, forgotten as soon as nothing of theirs is pending. */
#include "sim/replay-internal.h"

void submitters_init(struct submitters *submitters)
{
	*submitters = (struct submitters){ 0 };
	pool_init(&submitters->pool, sizeof(struct submitter));
}

void submitters_done(struct submitters *submitters)
{
	pool_done(&submitters->pool);
}

struct submitter *submitters_find(const struct submitters *submitters, uint32_t pid)
{
	struct submitter *submitter = submitters->buckets[pid % SUBMITTER_BUCKETS];

	while (submitter && submitter->pid != pid)
		submitter = submitter->next;
	return submitter;
}

struct submitter *submitters_get(struct submitters *submitters, uint32_t pid)
{
	struct submitter *submitter = submitters_find(submitters, pid);
	struct submitter **bucket = &submitters->buckets[pid % SUBMITTER_BUCKETS];

	if (submitter)
		return submitter;
	submitter = pool_take(&submitters->pool);
	if (!submitter)
		return NULL;
	*submitter = (struct submitter){ .pid = pid, .next = *bucket };
	sim_list_init(&submitter->plug);
	*bucket = submitter;
	return submitter;
}

void submitters_tidy(struct submitters *submitters, struct submitter *submitter)
{
	struct submitter **link = &submitters->buckets[submitter->pid % SUBMITTER_BUCKETS];

	if (submitter->plugged > 0 || submitter->unplug_left > 0 || submitter->is_blocked)
		return;
	while (*link != submitter)
		link = &(*link)->next;
	*link = submitter->next;
	pool_give(&submitters->pool, submitter);
}
