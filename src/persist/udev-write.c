// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The writing half of the udev rules.
 */
#include "persist/udev-write.h"

#include <errno.h>
#include <string.h>

#include "persist/udev-text.h"
#include "plan/order.h"
#include "util/number.h"

/* Set when a write was refused. udev reads an attribute once for each name, so what it has
   become is read by another one. */
#define REFUSED "ENV{.IOSCHED_REFUSED}"
#define AFRESH  "queue/../queue/"

void udev_writes_done(struct udev_writes *writes)
{
	free(writes->schedulers);
	free(writes->values);
	*writes = (struct udev_writes){ 0 };
}

int udev_writes_add_scheduler(struct udev_writes *writes,
			      const struct scheduler *scheduler)
{
	const struct scheduler **items;

	for (size_t i = 0; i < writes->scheduler_count; i++)
		if (writes->schedulers[i] == scheduler)
			return 0;
	items = reallocarray(writes->schedulers, writes->scheduler_count + 1,
			     sizeof(*items));
	if (!items)
		return -ENOMEM;
	writes->schedulers = items;
	items[writes->scheduler_count++] = scheduler;
	return 0;
}

int udev_writes_add_value(struct udev_writes *writes,
			  const struct profile_setting *setting)
{
	struct udev_write *items;

	for (size_t i = 0; i < writes->value_count; i++)
		if (writes->values[i].tunable == setting->tunable &&
		    !strcmp(writes->values[i].value, setting->value))
			return 0;
	items = reallocarray(writes->values, writes->value_count + 1, sizeof(*items));
	if (!items)
		return -ENOMEM;
	writes->values = items;
	items[writes->value_count++] =
		(struct udev_write){ setting->tunable, setting->value };
	return 0;
}

/* slice_idle and slice_idle_us are one setting, as for policy_resolve(); so are the two
   places of async_depth. */
static const struct tunable *find_twin(const struct tunable *tunable)
{
	if (tunable->phase == PHASE_ASYNC_DEPTH)
		return tunable->place == TUNABLE_QUEUE
			       ? tunable_find_iosched("mq-deadline", tunable->file)
			       : tunable_find_queue(tunable->file);
	if (tunable->place != TUNABLE_IOSCHED)
		return NULL;
	if (!strcmp(tunable->file, "slice_idle"))
		return tunable_find_iosched(tunable->owner, "slice_idle_us");
	if (!strcmp(tunable->file, "slice_idle_us"))
		return tunable_find_iosched(tunable->owner, "slice_idle");
	return NULL;
}

/* What was noted for the row itself, or its other spelling, comes first. */
static void add_unless_noted(struct text *conditions, const struct tunable *row)
{
	const struct tunable *twin = find_twin(row);

	text_addf(conditions, "ENV{.IOSCHED_%s}!=\"?*\", ", row->key);
	if (twin)
		text_addf(conditions, "ENV{.IOSCHED_%s}!=\"?*\", ", twin->key);
}

void udev_add_noted(struct text *out, const struct profile_setting *setting)
{
	add_unless_noted(out, setting->tunable);
	text_addf(out, "ENV{.IOSCHED_%s}=\"%s\"\n", setting->tunable->key,
		  setting->value);
}

static int compare_writes(const void *a, const void *b)
{
	const struct udev_write *x = a, *y = b;
	int order = plan_compare_order(x->tunable, y->tunable);

	if (!order)
		order = strcmp(x->tunable->key, y->tunable->key);
	return order ? order : strcmp(x->value, y->value);
}

/* --- the scheduler ---------------------------------------------------------------------- */

/* The active one, where the rules left it. */
static void add_active(const struct udev_writes *writes, struct text *out)
{
	_strv_ struct strv seen = { 0 };

	text_add(out,
		 "ENV{.IOSCHED_SCHEDULER}==\"?*\", ENV{.IOSCHED_SCHEDULER}!=\"keep\", "
		 "ENV{.IOSCHED_ACTIVE}=\"$env{.IOSCHED_SCHEDULER}\"\n");
	for (size_t i = 0; i < writes->value_count; i++) {
		const struct tunable *tunable = writes->values[i].tunable;
		const struct scheduler *scheduler;

		for (size_t n = 0; (scheduler = scheduler_get(n)); n++) {
			bool is_asked =
				tunable->phase == PHASE_WBT ||
				tunable->phase == PHASE_NR_REQUESTS ||
				tunable->phase == PHASE_ASYNC_DEPTH ||
				(tunable->owner &&
				 scheduler == scheduler_translate(tunable->owner,
								  scheduler->kind));

			if (!is_asked || strv_contains(&seen, scheduler->name))
				continue;
			if (strv_add(&seen, scheduler->name))
				out->error = -ENOMEM;
			text_addf(out,
				  "ENV{.IOSCHED_ACTIVE}!=\"?*\", "
				  "ATTR{queue/scheduler}==\"*[[]%s]*\", "
				  "ENV{.IOSCHED_ACTIVE}=\"%s\"\n",
				  scheduler->name, scheduler->name);
		}
	}
}

/* A switch to the active one would still cost a grace period. */
static void add_switches(const struct udev_writes *writes, struct text *out)
{
	text_add(out,
		 "\n# The scheduler first: a switch replaces the attributes below.\n");
	for (size_t i = 0; i < writes->scheduler_count; i++) {
		const char *name = writes->schedulers[i]->name;

		text_addf(out,
			  "ENV{.IOSCHED_SCHEDULER}==\"%s\", "
			  "ATTR{queue/scheduler}!=\"*[[]%s]*\", "
			  "ATTR{queue/scheduler}=\"%s\"\n",
			  name, name, name);
		text_addf(out,
			  "ENV{.IOSCHED_SCHEDULER}==\"%s\", "
			  "ATTR{" AFRESH "scheduler}!=\"*[[]%s]*\", " REFUSED "=\"1\"\n",
			  name, name);
	}
}

/* --- values ----------------------------------------------------------------------------- */

/* A write that may be refused for a moment is looked at again. */
static bool may_be_busy(const struct tunable *tunable)
{
	return tunable->phase == PHASE_NR_REQUESTS || tunable->phase == PHASE_ASYNC_DEPTH;
}

static void add_write(struct text *out, const char *conditions, const char *noted,
		      const struct tunable *tunable, const char *value)
{
	const char *folder =
		tunable->place == TUNABLE_IOSCHED ? "queue/iosched" : "queue";
	_text_ struct text line = { 0 };
	uint64_t limit_kb = 0;

	text_addf(&line, "ENV{.IOSCHED_%s}==\"%s\", %sTEST==\"%s/%s\", ", noted, value,
		  conditions, folder, tunable->file);
	if (tunable == tunable_find_queue("max_sectors_kb")) {
		/* above the hardware's limit it would be refused, or silently cut */
		text_add(&line, "ATTR{queue/max_hw_sectors_kb}==\"");
		(void)number_parse_u64(value, &limit_kb); /* checked with the profile */
		udev_add_at_least(&line, limit_kb);
		text_add(&line, "\", ");
	}
	text_addf(&line, "ATTR{%s/%s}!=\"%s\", ", folder, tunable->file, value);
	if (line.error) {
		out->error = line.error;
		return;
	}
	text_addf(out, "%sATTR{%s/%s}=\"%s\"\n", line.data, folder, tunable->file, value);
	if (may_be_busy(tunable))
		text_addf(out,
			  "ENV{.IOSCHED_%s}==\"%s\", %sATTR{" AFRESH
			  "%s%s}!=\"%s\", " REFUSED "=\"1\"\n",
			  noted, value, conditions,
			  tunable->place == TUNABLE_IOSCHED ? "iosched/" : "",
			  tunable->file, value);
}

/* Most scheduler tags that blk-mq gives a queue (facts on nr_requests). */
#define SCHEDULER_TAGS_MAX 2048

/* With none the driver's tags are the ceiling: nothing is tried then, as in a plan. */
static void add_ceiling(struct text *out, const struct udev_write *write)
{
	uint64_t wanted = 0;

	if (number_parse_u64(write->value, &wanted) || !wanted)
		return;
	text_addf(out,
		  "ENV{.IOSCHED_%s}==\"%s\", ENV{.IOSCHED_ACTIVE}==\"none\", "
		  "ATTR{mq/0/nr_tags}==\"",
		  write->tunable->key, write->value);
	udev_add_at_most(out, wanted - 1);
	text_addf(out, "\", ENV{.IOSCHED_%s}=\"too deep\"\n", write->tunable->key);
	if (wanted > SCHEDULER_TAGS_MAX)
		text_addf(out,
			  "ENV{.IOSCHED_%s}==\"%s\", ENV{.IOSCHED_ACTIVE}!=\"none\", "
			  "ENV{.IOSCHED_QUEUE}!=\"legacy\", ENV{.IOSCHED_%s}=\"too "
			  "deep\"\n",
			  write->tunable->key, write->value, write->tunable->key);
}

/* On a queue without requests these have a meaning, as for policy_resolve(). */
static bool is_for_any_queue(const struct tunable *tunable)
{
	static const char *const files[] = { "read_ahead_kb", "max_sectors_kb",
					     "iostats" };

	for (size_t i = 0; i < ARRAY_SIZE(files); i++)
		if (tunable == tunable_find_queue(files[i]))
			return true;
	return false;
}

static void add_async_depth(struct text *out, const struct udev_write *write)
{
	const struct tunable *own =
		tunable_find_iosched("mq-deadline", write->tunable->file);
	const struct tunable *queue = tunable_find_queue(write->tunable->file);
	bool is_owned = write->tunable->place == TUNABLE_IOSCHED;

	/* the file of 5.15 and 5.16 holds front_merges */
	if (own)
		add_write(out,
			  "ENV{.IOSCHED_ACTIVE}==\"mq-deadline\", "
			  "SYSCTL{kernel/osrelease}!=\"5.15.*|5.16.*\", ",
			  write->tunable->key, own, write->value);
	if (queue)
		add_write(out,
			  is_owned ? "ENV{.IOSCHED_ACTIVE}==\"mq-deadline\", "
				   : "ENV{.IOSCHED_ACTIVE}!=\"none\", "
				     "ENV{.IOSCHED_QUEUE}==\"?*\", ",
			  write->tunable->key, queue, write->value);
}

/* The scheduler's own, and on the other kind of queue its counterpart's. */
static void add_iosched(struct text *out, const struct udev_write *write)
{
	const struct tunable *tunable = write->tunable;

	for (int kind = QUEUE_MQ; kind <= QUEUE_LEGACY; kind++) {
		const struct scheduler *scheduler =
			scheduler_translate(tunable->owner, (enum queue_kind)kind);
		const struct tunable *row =
			scheduler ? tunable_find_iosched(scheduler->name, tunable->file)
				  : NULL;
		_text_ struct text conditions = { 0 };

		if (!row)
			continue;
		text_addf(&conditions, "ENV{.IOSCHED_ACTIVE}==\"%s\", ", scheduler->name);
		if (row != tunable)
			add_unless_noted(&conditions, row);
		if (conditions.error)
			out->error = conditions.error;
		else
			add_write(out, conditions.data, tunable->key, row, write->value);
	}
}

static void add_value(struct text *out, const struct udev_write *write)
{
	const char *conditions = "ENV{.IOSCHED_QUEUE}==\"?*\", ";

	if (write->tunable->phase == PHASE_ASYNC_DEPTH) {
		add_async_depth(out, write);
		return;
	}
	if (write->tunable->place == TUNABLE_IOSCHED) {
		add_iosched(out, write);
		return;
	}
	if (write->tunable->phase == PHASE_WBT) /* bfq disables it while it is active */
		conditions =
			"ENV{.IOSCHED_QUEUE}==\"?*\", ENV{.IOSCHED_ACTIVE}!=\"bfq\", ";
	else if (is_for_any_queue(write->tunable))
		conditions = "";
	if (write->tunable->phase == PHASE_NR_REQUESTS)
		add_ceiling(out, write);
	add_write(out, conditions, write->tunable->key, write->tunable, write->value);
}

/*
 * From Linux 6.18 on a queue refuses (EBUSY) while another one on the same tags, such as
 * a disk of the same SCSI host, is being changed; at boot that is likely. One more event
 * then, in which only what was refused is written, RETRY_MAX times in a row at most.
 */
#define RETRY     "ENV{IOSCHED_TUNE_RETRY}"
#define RETRY_MAX 5

static void add_retry(struct text *out)
{
	text_addf(out,
		  "\n# Refused, perhaps for a moment only: one more event.\n"
		  "IMPORT{db}=\"IOSCHED_TUNE_RETRY\"\n" REFUSED "!=\"1\", " RETRY
		  "=\"\"\n" REFUSED "==\"1\", " RETRY
		  "!=\"%d\", ATTR{uevent}=\"change\"\n",
		  RETRY_MAX);
	for (int count = RETRY_MAX - 1; count; count--)
		text_addf(out, REFUSED "==\"1\", " RETRY "==\"%d\", " RETRY "=\"%d\"\n",
			  count, count + 1);
	text_add(out, REFUSED "==\"1\", " RETRY "!=\"?*\", " RETRY "=\"1\"\n");
}

void udev_writes_render(struct udev_writes *writes, struct text *out)
{
	add_switches(writes, out);
	if (writes->value_count) {
		qsort(writes->values, writes->value_count, sizeof(*writes->values),
		      compare_writes);
		text_add(out, "\n# Values: those of the scheduler, then those of the "
			      "queue.\n");
		add_active(writes, out);
	}
	for (size_t i = 0; i < writes->value_count; i++)
		add_value(out, &writes->values[i]);
	add_retry(out);
}
