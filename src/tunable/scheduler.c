// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The scheduler table and the translation of names between the two kinds of queue.
 */
#include "tunable/scheduler.h"

#include <string.h>

#include "util/cleanup.h"
#include "util/i18n.h"

/*
 * Versions: the blk-mq schedulers arrived in 4.11 (mq-deadline) and 4.12 (kyber, bfq);
 * anticipatory left in 2.6.33, the legacy path as a whole in 5.0.
 */
/* clang-format off: a table, one row an entry */
static const struct scheduler schedulers[] = {
	{ "none",
	  QUEUE_MQ,
	  NULL,
	  "noop",
	  { 3, 13, 0 },
	  { 0, 0, 0 },
	  N_("no reordering: requests go straight to the driver's queues") },
	{ "mq-deadline",
	  QUEUE_MQ,
	  "mq-deadline",
	  "deadline",
	  { 4, 11, 0 },
	  { 0, 0, 0 },
	  N_("sector order in batches, with an expiry time for reads and writes") },
	{ "kyber",
	  QUEUE_MQ,
	  "kyber-iosched",
	  "deadline",
	  { 4, 12, 0 },
	  { 0, 0, 0 },
	  N_("latency targets for reads and writes, kept by limiting queue depth") },
	{ "bfq",
	  QUEUE_MQ,
	  "bfq",
	  "cfq",
	  { 4, 12, 0 },
	  { 0, 0, 0 },
	  N_("a fair share of throughput for each process, interactive ones first") },
	{ "noop",
	  QUEUE_LEGACY,
	  NULL,
	  "none",
	  { 2, 6, 0 },
	  { 5, 0, 0 },
	  N_("first in, first out, with merging only") },
	{ "deadline",
	  QUEUE_LEGACY,
	  "deadline-iosched",
	  "mq-deadline",
	  { 2, 6, 0 },
	  { 5, 0, 0 },
	  N_("sector order in batches, with an expiry time for reads and writes") },
	{ "cfq",
	  QUEUE_LEGACY,
	  "cfq-iosched",
	  "bfq",
	  { 2, 6, 6 },
	  { 5, 0, 0 },
	  N_("a time slice for each process, by I/O priority") },
	{ "anticipatory",
	  QUEUE_LEGACY,
	  "as-iosched",
	  "bfq",
	  { 2, 6, 0 },
	  { 2, 6, 33 },
	  N_("deadline that waits a moment for the next read of the same process") },
};

/* Of the operating-systems literature. No kernel has them. */
static const struct scheduler textbook[] = {
	{ .name = "fifo",
	  .kind = QUEUE_LEGACY,
	  .summary = N_("simulation only: in the order of arrival") },
	{ .name = "sstf",
	  .kind = QUEUE_LEGACY,
	  .summary = N_("simulation only: always the nearest; others may starve") },
	{ .name = "scan",
	  .kind = QUEUE_LEGACY,
	  .summary = N_("simulation only: from edge to edge and back") },
	{ .name = "c-scan",
	  .kind = QUEUE_LEGACY,
	  .summary = N_("simulation only: to one edge, then back to the other without service") },
	{ .name = "look",
	  .kind = QUEUE_LEGACY,
	  .summary = N_("simulation only: as scan, turning at the last request") },
	{ .name = "c-look",
	  .kind = QUEUE_LEGACY,
	  .summary = N_("simulation only: as c-scan, from the last request to the first") },
};
/* clang-format on */

const struct scheduler *scheduler_get_textbook(size_t index)
{
	return index < ARRAY_SIZE(textbook) ? &textbook[index] : NULL;
}

const struct scheduler *scheduler_find_textbook(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(textbook); i++)
		if (!strcmp(textbook[i].name, name))
			return &textbook[i];
	return NULL;
}

const struct scheduler *scheduler_get(size_t index)
{
	return index < ARRAY_SIZE(schedulers) ? &schedulers[index] : NULL;
}

const struct scheduler *scheduler_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(schedulers); i++)
		if (!strcmp(schedulers[i].name, name))
			return &schedulers[i];
	return NULL;
}

const struct scheduler *scheduler_translate(const char *name, enum queue_kind kind)
{
	const struct scheduler *scheduler = scheduler_find(name);

	if (!scheduler || scheduler->kind == kind)
		return scheduler;
	/* A bio-based queue shows a bare "none" and takes nothing else. */
	if (kind == QUEUE_BIO)
		return &schedulers[0];
	return scheduler_find(scheduler->counterpart);
}
