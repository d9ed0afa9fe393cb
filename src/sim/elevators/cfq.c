/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfq: time for each process in turn. A process' requests wait in its own queue and go to
 * the device during its slice; at the end of a slice's work the device is kept free for a
 * moment, so that a process that reads piece by piece keeps its place. The search for other
 * processes that work near by, whose queues the kernel joins, is left out, and so are
 * control groups.
 */
#include "sim/elevators/cfq.h"

#include <assert.h>
#include <errno.h>

#include "sim/elevators/elevators.h"
#include "sim/merge.h"

/* Longer times than any run make no difference: 10^8 ms are more than a day. */
#define MS_MAX 100000000

/* A process without a late request for so long is not held back. */
#define CALM_NS INT64_C(1000000000)

/* Below these many requests nothing is learned about the device's depth, and after so many
 * completions the highest number that was seen is believed. */
#define DEPTH_MIN     5
#define DEPTH_SAMPLES 50

/* clang-format off: a table, one row an entry */
static const struct sim_parameter cfq_parameters[] = {
	{ "quantum", offsetof(struct cfq_data, quantum) },
	{ "fifo_expire_sync", offsetof(struct cfq_data, fifo_expire_ms[1]) },
	{ "fifo_expire_async", offsetof(struct cfq_data, fifo_expire_ms[0]) },
	{ "back_seek_max", offsetof(struct cfq_data, back_seek_max_kib) },
	{ "back_seek_penalty", offsetof(struct cfq_data, back_seek_penalty) },
	{ "slice_sync", offsetof(struct cfq_data, slice_ms[1]) },
	{ "slice_async", offsetof(struct cfq_data, slice_ms[0]) },
	{ "slice_async_rq", offsetof(struct cfq_data, slice_async_rq) },
	{ "slice_idle", offsetof(struct cfq_data, slice_idle_ms) },
	{ "group_idle", offsetof(struct cfq_data, group_idle_ms) },
	{ "low_latency", offsetof(struct cfq_data, low_latency) },
	{ "target_latency", offsetof(struct cfq_data, target_latency_ms) },
};
/* clang-format on */

/* No waiting for the next request where seeks cost nothing. */
static void cfq_adjust_defaults(struct sim_queue *queue)
{
	if (queue->is_nonrotational)
		cfq_data_of(queue)->slice_idle_ms = 0;
}

static void limit_ms(int64_t *ms)
{
	if (*ms > MS_MAX)
		*ms = MS_MAX;
}

static int cfq_init(struct sim_queue *queue)
{
	struct cfq_data *cfq = cfq_data_of(queue);

	for (unsigned sync = 0; sync < 2; sync++) {
		limit_ms(&cfq->fifo_expire_ms[sync]);
		limit_ms(&cfq->slice_ms[sync]);
	}
	limit_ms(&cfq->slice_idle_ms);
	limit_ms(&cfq->group_idle_ms);
	limit_ms(&cfq->target_latency_ms);
	for (unsigned class = 0; class < SIM_CLASSES; class++) {
		for (unsigned kind = 0; kind < CFQ_KINDS; kind++)
			sim_list_init(&cfq->trees[class][kind].queues);
	}
	sim_list_init(&cfq->head);
	cfq->serving_class = SIM_CLASS_BE;
	cfq->last_delayed_sync_ns = cfq_now(queue) - CALM_NS;
	cfq->has_depth = true;
	return process_table_init(&cfq->processes, sizeof(struct cfq_queue));
}

static void cfq_exit(struct sim_queue *queue)
{
	process_table_done(&cfq_data_of(queue)->processes);
}

/* --- whose queue ---------------------------------------------------------------------- */

static bool is_sync(const struct sim_request *rq)
{
	return sim_request_is_sync(rq->op, rq->flags);
}

/* A process' sync requests of one priority; all async requests of one priority. */
static uint64_t key_of(uint32_t pid, bool sync, unsigned class, unsigned level)
{
	unsigned priority = class * 8 + (class == SIM_CLASS_IDLE ? 7 : level);

	return (uint64_t)(sync ? pid : 0) << 8 | (uint64_t)sync << 7 | priority;
}

static struct cfq_queue *queue_for(struct sim_queue *queue, const struct sim_request *rq)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	uint64_t key = key_of(rq->pid, is_sync(rq), rq->class, rq->level);
	bool is_new = !process_table_find(&cfq->processes, key);
	struct process_entry *entry = process_table_get(&cfq->processes, key);
	struct cfq_queue *cfqq = (struct cfq_queue *)(void *)entry;

	if (!cfqq || !is_new)
		return cfqq;
	cfqq->class = rq->class;
	cfqq->level = rq->class == SIM_CLASS_IDLE ? 7 : rq->level;
	cfqq->is_sync = is_sync(rq);
	cfqq->may_idle = cfqq->is_sync && rq->class != SIM_CLASS_IDLE;
	cfqq->think.last_end_ns = cfq_now(queue);
	sector_tree_init(&cfqq->sorted, &queue->sector_pools);
	sim_list_init(&cfqq->fifo);
	return cfqq;
}

/* --- requests of a queue -------------------------------------------------------------- */

static struct sim_request *choose(const struct cfq_data *cfq, struct sim_request *a,
				  struct sim_request *b, uint64_t head_sector)
{
	const struct seek_rule rule = {
		.back_max_sectors = (uint64_t)cfq->back_seek_max_kib * 2,
		.back_penalty = (uint64_t)cfq->back_seek_penalty,
	};

	if (a && b && (a->flags ^ b->flags) & SIM_REQUEST_META)
		return a->flags & SIM_REQUEST_META ? a : b;
	return seek_choose(&rule, a, b, head_sector);
}

static void take_out(struct sim_queue *queue, struct cfq_queue *cfqq, struct sim_request *rq)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	struct sim_request *prev, *next;

	sector_tree_take(&cfqq->sorted, rq, &prev, &next);
	if (cfqq->next_rq == rq) {
		if (!next)
			next = sector_tree_at_or_after(&cfqq->sorted, 0);
		cfqq->next_rq = choose(cfq, next, prev, rq->sector);
	}
	sim_list_remove(&rq->link);
	merge_hash_remove(&queue->merge_hash, rq);
	if (queue->last_merge == rq)
		queue->last_merge = NULL;
	cfqq->meta_waiting -= (rq->flags & SIM_REQUEST_META) != 0;
	cfq->waiting--;
}

static int cfq_insert_request(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct sim_queue *queue = hctx->queue;
	struct cfq_data *cfq = cfq_data_of(queue);
	struct cfq_queue *cfqq;
	int r;

	if (rq->flags & SIM_REQUEST_AT_HEAD) {
		sim_list_add_head(&cfq->head, &rq->link);
		return 0;
	}
	cfqq = queue_for(queue, rq);
	if (!cfqq)
		return -ENOMEM;
	r = sector_tree_insert(&cfqq->sorted, rq);
	if (r < 0)
		return r;
	process_entry_hold(&cfqq->entry);
	rq->queue_index = cfqq->entry.index;
	rq->domain = CFQ_WAITING;
	rq->fifo_jiffies =
		sim_queue_jiffies(queue) +
		sim_queue_ms_to_jiffies(queue, cfq->fifo_expire_ms[cfqq->is_sync]);
	sim_list_add_tail(&cfqq->fifo, &rq->link);
	merge_hash_add(&queue->merge_hash, rq);
	if (!queue->last_merge)
		queue->last_merge = rq;
	cfq->waiting++;
	cfqq->meta_waiting += (rq->flags & SIM_REQUEST_META) != 0;
	cfqq->next_rq = choose(cfq, cfqq->next_rq, rq, cfq->head_sector);
	if (!cfqq->tree)
		cfq_tree_add(queue, cfqq, false);

	cfq_learn(queue, cfqq, rq);
	if (cfqq == cfq->active && cfqq->is_awaited) {
		cfq_stop_waiting(queue, cfqq);
		cfqq->next_reason = SIM_REASON_SLICE_AWAITED;
	} else if (cfqq != cfq->active && cfq_should_preempt(queue, cfqq, rq)) {
		cfq_preempt(queue, cfqq);
	}
	return 0;
}

/* --- dispatch ------------------------------------------------------------------------- */

/* The oldest one if it is late; looked at once a slice. */
static struct sim_request *late_request(const struct sim_queue *queue, struct cfq_queue *cfqq)
{
	const struct cfq_data *cfq = cfq_data_of(queue);
	struct sim_request *oldest = sim_request_of(cfqq->fifo.next);
	int64_t expire_ns = cfq->fifo_expire_ms[cfqq->is_sync] * CFQ_MS_NS;

	if (cfqq->has_checked_fifo)
		return NULL;
	cfqq->has_checked_fifo = true;
	return cfq_now(queue) - (int64_t)oldest->start_ns >= expire_ns ? oldest : NULL;
}

/* Async queues and idle ones do not use their time to its end while others wait. */
static bool has_had_enough(const struct cfq_data *cfq, const struct cfq_queue *cfqq)
{
	if (cfq->busy <= 1)
		return false;
	if (cfqq->class == SIM_CLASS_IDLE)
		return true;
	return !cfqq->is_sync &&
	       cfqq->slice_dispatched >= 2 * cfq->slice_async_rq * (8 - (int64_t)cfqq->level);
}

static struct sim_request *dispatch_head(struct cfq_data *cfq)
{
	struct sim_request *rq = sim_request_of(cfq->head.next);

	sim_list_remove(&rq->link);
	rq->reason = SIM_REASON_AT_HEAD;
	return rq;
}

static struct sim_request *cfq_dispatch_request(struct sim_hctx *hctx)
{
	struct sim_queue *queue = hctx->queue;
	struct cfq_data *cfq = cfq_data_of(queue);
	struct cfq_queue *cfqq;
	struct sim_request *rq;

	if (!sim_list_is_empty(&cfq->head))
		return dispatch_head(cfq);
	cfqq = cfq_select(queue);
	if (!cfqq || !cfq_may_dispatch(queue, cfqq))
		return NULL;
	rq = late_request(queue, cfqq);
	rq = rq ? rq : cfqq->next_rq;
	rq->reason = rq == cfqq->next_rq ? cfqq->next_reason : SIM_REASON_SLICE_LATE;
	cfqq->next_reason = SIM_REASON_SLICE;
	/* From the request that is taken the next one is looked for, whichever it was. */
	cfqq->next_rq = rq;
	take_out(queue, cfqq, rq);
	rq->domain = CFQ_DISPATCHED;
	cfqq->dispatched++;
	cfq->in_flight[cfqq->is_sync]++;
	cfq->head_sector = sim_request_end(rq);
	cfqq->slice_dispatched++;
	if (has_had_enough(cfq, cfqq))
		cfq_expire_slice(queue, false);
	return rq;
}

static bool cfq_has_work(const struct sim_hctx *hctx)
{
	const struct cfq_data *cfq = cfq_data_of(hctx->queue);

	return cfq->waiting > 0 || !sim_list_is_empty(&cfq->head);
}

/* --- completion ----------------------------------------------------------------------- */

static void learn_depth(const struct sim_queue *queue)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	const struct cfq_queue *cfqq = cfq->active;
	unsigned in_driver = 0;

	for (unsigned i = 0; i < queue->hw_queues; i++)
		in_driver += queue->hctxs[i].in_flight;
	if (in_driver > cfq->depth_seen)
		cfq->depth_seen = in_driver;
	if (cfq->knows_depth || (cfq->waiting <= DEPTH_MIN && in_driver <= DEPTH_MIN))
		return;
	/* Who waits for one process cannot keep the device busy. */
	if (cfqq && cfqq->may_idle && cfqq->dispatched + cfqq->sorted.count < DEPTH_MIN &&
	    in_driver < DEPTH_MIN)
		return;
	if (cfq->depth_samples++ < DEPTH_SAMPLES)
		return;
	cfq->has_depth = cfq->depth_seen >= DEPTH_MIN;
	cfq->knows_depth = cfq->has_depth;
}

static void leave_driver(struct cfq_data *cfq, struct cfq_queue *cfqq, struct sim_request *rq)
{
	assert(cfqq->dispatched > 0);
	rq->domain = CFQ_DONE;
	cfqq->dispatched--;
	cfq->in_flight[cfqq->is_sync]--;
}

static void cfq_completed_request(struct sim_queue *queue, struct sim_request *rq)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	struct cfq_queue *cfqq;
	int64_t now = cfq_now(queue);

	if (rq->flags & SIM_REQUEST_AT_HEAD)
		return;
	cfqq = cfq_queue_of(cfq, rq);
	learn_depth(queue);
	leave_driver(cfq, cfqq, rq);
	if (cfqq->is_sync) {
		struct cfq_tree *tree = cfqq->tree ?
						cfqq->tree :
						&cfq->trees[cfqq->class][cfq_kind_of(cfqq)];

		cfqq->think.last_end_ns = now;
		tree->think.last_end_ns = now;
		if (now - (int64_t)rq->start_ns >= cfq->fifo_expire_ms[true] * CFQ_MS_NS)
			cfq->last_delayed_sync_ns = now;
	}
	cfq->group_think.last_end_ns = now;
	cfq_slice_on_completion(queue, cfqq);
}

static void cfq_finish_request(struct sim_queue *queue, struct sim_request *rq)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	struct cfq_queue *cfqq;

	if (rq->flags & SIM_REQUEST_AT_HEAD)
		return;
	cfqq = cfq_queue_of(cfq, rq);
	/* Given back by the driver. */
	if (rq->domain == CFQ_DISPATCHED)
		leave_driver(cfq, cfqq, rq);
	process_entry_release(&cfq->processes, &cfqq->entry);
}

/* --- merging -------------------------------------------------------------------------- */

/* Only what the process would put into the same queue. */
static bool cfq_allow_bio(struct sim_queue *queue, const struct sim_request *rq,
			  const struct sim_bio *bio)
{
	const struct cfq_data *cfq = cfq_data_of(queue);
	uint64_t key = key_of(bio->pid, sim_request_is_sync(bio->op, bio->flags), bio->class,
			      bio->level);

	return cfq_queue_of(cfq, rq)->entry.key == key;
}

static bool cfq_allow_join(struct sim_queue *queue, const struct sim_request *rq,
			   const struct sim_request *next)
{
	(void)queue;
	return key_of(rq->pid, is_sync(rq), rq->class, rq->level) ==
	       key_of(next->pid, is_sync(next), next->class, next->level);
}

static struct sim_request *cfq_request_merge(struct sim_queue *queue,
					     const struct sim_bio *bio)
{
	const struct cfq_data *cfq = cfq_data_of(queue);
	uint64_t key = key_of(bio->pid, sim_request_is_sync(bio->op, bio->flags), bio->class,
			      bio->level);
	struct process_entry *entry = process_table_find(&cfq->processes, key);
	struct sim_request *rq;

	if (!entry)
		return NULL;
	rq = sector_tree_find(&((struct cfq_queue *)(void *)entry)->sorted,
			      bio->sector + bio->sectors);
	return rq && rq->op == bio->op ? rq : NULL;
}

static int cfq_request_merged(struct sim_queue *queue, struct sim_request *rq,
			      enum sim_merge merge, uint64_t old_sector)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	struct cfq_queue *cfqq = cfq_queue_of(cfq, rq);
	uint64_t sector = rq->sector;
	int r;

	if (merge != SIM_MERGE_FRONT || !rq->leaf)
		return 0;
	rq->sector = old_sector;
	sector_tree_remove(&cfqq->sorted, rq);
	rq->sector = sector;
	r = sector_tree_insert(&cfqq->sorted, rq);
	if (r < 0)
		return r;
	cfqq->next_rq = choose(cfq, cfqq->next_rq, rq, cfq->head_sector);
	return 0;
}

static void cfq_requests_merged(struct sim_queue *queue, struct sim_request *rq,
				struct sim_request *next)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	struct cfq_queue *cfqq = cfq_queue_of(cfq, next);

	/* The older one's place in the FIFO. */
	if (rq->leaf && next->leaf && next->start_ns < rq->start_ns) {
		sim_list_remove(&rq->link);
		sim_list_add_before(&next->link, &rq->link);
		rq->fifo_jiffies = next->fifo_jiffies;
	}
	if (cfqq->next_rq == next)
		cfqq->next_rq = rq;
	take_out(queue, cfqq, next);
	if (!cfq_has_requests(cfqq) && cfqq != cfq->active)
		cfq_tree_remove(cfq, cfqq);
}

static struct sim_request *cfq_former_request(struct sim_queue *queue, struct sim_request *rq)
{
	(void)queue;
	return rq->leaf ? sector_tree_prev(rq) : NULL;
}

static struct sim_request *cfq_next_request(struct sim_queue *queue, struct sim_request *rq)
{
	(void)queue;
	return rq->leaf ? sector_tree_next(rq) : NULL;
}

const struct sim_elevator_ops sim_elevator_cfq = {
	.name = "cfq",
	.kind = QUEUE_LEGACY,
	.parameters = cfq_parameters,
	.parameter_count = ARRAY_SIZE(cfq_parameters),
	.data_size = sizeof(struct cfq_data),
	.merges_inserts = true,
	.adjust_defaults = cfq_adjust_defaults,
	.init_sched = cfq_init,
	.exit_sched = cfq_exit,
	.allow_bio = cfq_allow_bio,
	.allow_join = cfq_allow_join,
	.request_merge = cfq_request_merge,
	.request_merged = cfq_request_merged,
	.requests_merged = cfq_requests_merged,
	.former_request = cfq_former_request,
	.next_request = cfq_next_request,
	.insert_request = cfq_insert_request,
	.dispatch_request = cfq_dispatch_request,
	.has_work = cfq_has_work,
	.completed_request = cfq_completed_request,
	.finish_request = cfq_finish_request,
	.timer = cfq_timer,
};
