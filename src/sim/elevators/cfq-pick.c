/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfq's order: classes before each other, within a class the kinds by turns (workloads),
 * within a kind the queues by their keys; when a queue may dispatch, and when a new request
 * takes the device away from the active queue.
 */
#include "sim/elevators/cfq.h"

#include <assert.h>

/* An idle-class queue comes so long after the last one in its tree. */
#define IDLE_DELAY_NS (200 * CFQ_MS_NS)
/* A queue at the front comes so long before the first one. */
#define FRONT_NS (1000 * CFQ_MS_NS)
/* Shortest workload, in ticks. */
#define WORKLOAD_MIN_TICKS 2
/* A sync request this near to the head is as good as the one that is waited for. */
#define CLOSE_SECTORS 8192

enum cfq_kind cfq_kind_of(const struct cfq_queue *cfqq)
{
	if (cfqq->class == SIM_CLASS_IDLE || !cfqq->is_sync)
		return CFQ_ASYNC;
	return cfqq->may_idle ? CFQ_SYNC : CFQ_SYNC_NOIDLE;
}

unsigned cfq_busy_of_class(const struct cfq_data *cfq, unsigned class)
{
	unsigned count = 0;

	for (unsigned kind = 0; kind < CFQ_KINDS; kind++)
		count += cfq->trees[class][kind].count;
	return count;
}

unsigned cfq_average_busy(struct cfq_data *cfq, unsigned class)
{
	unsigned busy = cfq_busy_of_class(cfq, class);
	unsigned average = cfq->busy_average[class];
	unsigned low = busy < average ? busy : average;
	unsigned high = busy < average ? average : busy;

	cfq->busy_average[class] = (3 * high + low + 2) / 4;
	return cfq->busy_average[class];
}

/* --- the trees ------------------------------------------------------------------------ */

static struct cfq_queue *first_of(const struct cfq_tree *tree)
{
	return tree->count ? SIM_ENTRY(tree->queues.next, struct cfq_queue, link) : NULL;
}

static struct cfq_queue *last_of(const struct cfq_tree *tree)
{
	return tree->count ? SIM_ENTRY(tree->queues.prev, struct cfq_queue, link) : NULL;
}

static void insert_by_key(struct cfq_tree *tree, struct cfq_queue *cfqq)
{
	struct sim_link *at = &tree->queues;

	while (at->prev != &tree->queues &&
	       SIM_ENTRY(at->prev, struct cfq_queue, link)->key_ns > cfqq->key_ns)
		at = at->prev;
	sim_list_add_before(at, &cfqq->link);
	cfqq->tree = tree;
	tree->count++;
}

static void take_from_tree(struct cfq_queue *cfqq)
{
	sim_list_remove(&cfqq->link);
	cfqq->tree->count--;
	cfqq->tree = NULL;
}

/*
 * A shorter slice waits longer: by what its slice is shorter than the best priority's, once
 * for each other queue.
 */
static int64_t key_of(const struct sim_queue *queue, const struct cfq_queue *cfqq,
		      const struct cfq_tree *tree, bool at_front)
{
	const struct cfq_data *cfq = cfq_data_of(queue);
	const struct cfq_queue *other;
	int64_t offset;

	if (cfqq->class == SIM_CLASS_IDLE) {
		other = last_of(tree);
		return IDLE_DELAY_NS + (other ? other->key_ns : cfq_now(queue));
	}
	if (at_front) {
		other = first_of(tree);
		return (other ? other->key_ns : cfq_now(queue)) - FRONT_NS;
	}
	offset = cfq_base_slice_ns(cfq, true, 0) -
		 cfq_base_slice_ns(cfq, cfqq->is_sync, cfqq->level);
	return cfq_now(queue) + (int64_t)(cfq->busy - 1) * offset - cfqq->slice_left_ns;
}

void cfq_tree_add(struct sim_queue *queue, struct cfq_queue *cfqq, bool at_front)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	struct cfq_tree *tree = &cfq->trees[cfqq->class][cfq_kind_of(cfqq)];

	if (cfqq->tree) {
		take_from_tree(cfqq);
	} else {
		cfq->busy++;
		cfq->busy_sync += cfqq->is_sync;
		process_entry_hold(&cfqq->entry);
	}
	cfqq->key_ns = key_of(queue, cfqq, tree, at_front);
	if (!at_front)
		cfqq->slice_left_ns = 0;
	insert_by_key(tree, cfqq);
}

void cfq_tree_remove(struct cfq_data *cfq, struct cfq_queue *cfqq)
{
	take_from_tree(cfqq);
	cfq->busy--;
	cfq->busy_sync -= cfqq->is_sync;
	process_entry_release(&cfq->processes, &cfqq->entry);
}

/* --- workloads ------------------------------------------------------------------------ */

/* The kind whose first queue has waited longest. */
static unsigned choose_kind(const struct cfq_data *cfq, unsigned class)
{
	unsigned best = CFQ_ASYNC;
	const struct cfq_queue *best_queue = NULL;

	for (unsigned kind = 0; kind < CFQ_KINDS; kind++) {
		const struct cfq_queue *cfqq = first_of(&cfq->trees[class][kind]);

		if (cfqq && (!best_queue || cfqq->key_ns < best_queue->key_ns)) {
			best = kind;
			best_queue = cfqq;
		}
	}
	return best;
}

/* The kind's part of the target latency, by the number of queues. */
static int64_t workload_ns(const struct sim_queue *queue, unsigned class, unsigned kind)
{
	const struct cfq_data *cfq = cfq_data_of(queue);
	int64_t target = cfq->target_latency_ms * CFQ_MS_NS, slice, least;
	unsigned busy = cfq_busy_of_class(cfq, class), async;

	if (busy < cfq->busy_average[class])
		busy = cfq->busy_average[class];
	slice = target * (int64_t)cfq->trees[class][kind].count / (int64_t)busy;
	if (kind == CFQ_ASYNC) {
		async = cfq->trees[SIM_CLASS_RT][CFQ_ASYNC].count +
			cfq->trees[SIM_CLASS_BE][CFQ_ASYNC].count;
		least = target * (int64_t)async / (int64_t)cfq->busy;
		if (slice > least)
			slice = least;
		slice = (int64_t)((__int128)slice * cfq->slice_ms[false] /
				  cfq->slice_ms[true]);
	} else {
		least = 2 * cfq->slice_idle_ms * CFQ_MS_NS;
		if (slice < least)
			slice = least;
	}
	least = WORKLOAD_MIN_TICKS * (int64_t)queue->tick_ns;
	return slice < least ? least : slice;
}

/* Some queue has something to do. */
static void choose_workload(struct sim_queue *queue)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	unsigned class = SIM_CLASS_RT;

	while (!cfq_busy_of_class(cfq, class))
		class++;
	cfq->workload_end_ns = cfq->workload_left_ns > 0 ?
				       cfq_now(queue) + cfq->workload_left_ns :
				       cfq_now(queue) - 1;
	if (class == SIM_CLASS_IDLE) {
		cfq->serving_class = class;
		cfq->serving_kind = 0;
		cfq->workload_end_ns = cfq_now(queue) + (int64_t)queue->tick_ns;
		return;
	}
	if (class == cfq->serving_class &&
	    cfq->trees[class][cfq->serving_kind].count > 0 &&
	    cfq_now(queue) <= cfq->workload_end_ns)
		return;
	cfq->serving_class = class;
	cfq->serving_kind = choose_kind(cfq, class);
	cfq->workload_end_ns = cfq_now(queue) + workload_ns(queue, class, cfq->serving_kind);
}

static struct cfq_queue *activate_next(struct sim_queue *queue)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	struct cfq_queue *cfqq;

	if (!cfq->waiting)
		return NULL;
	choose_workload(queue);
	cfqq = first_of(&cfq->trees[cfq->serving_class][cfq->serving_kind]);
	assert(cfqq);
	cfqq->slice_start_ns = 0;
	cfqq->slice_end_ns = 0;
	cfqq->slice_dispatched = 0;
	cfqq->is_slice_new = true;
	cfqq->has_checked_fifo = false;
	if (cfqq->next_reason != SIM_REASON_SLICE_TAKEN)
		cfqq->next_reason = SIM_REASON_SLICE_NEW;
	cfq->active = cfqq;
	return cfqq;
}

/* --- the active queue ----------------------------------------------------------------- */

/*
 * Deep and seeky, but the device was faster than the process: no use in waiting for it.
 */
static void doubt_deep_queue(const struct sim_queue *queue, struct cfq_queue *cfqq)
{
	int64_t now = cfq_now(queue);

	if (cfq_is_seeky(cfqq) && cfqq->may_idle &&
	    (cfqq->is_slice_new ||
	     cfqq->slice_end_ns - now > now - cfqq->slice_start_ns)) {
		cfqq->is_deep = false;
		cfqq->may_idle = false;
	}
}

/* Alone in the group and requests in flight: their end decides. */
static bool waits_for_group(const struct cfq_data *cfq)
{
	return cfq->group_idle_ms && cfq->busy == 1 &&
	       cfq->in_flight[false] + cfq->in_flight[true] > 0 &&
	       !cfq_thinks_long(&cfq->group_think, cfq->group_idle_ms);
}

struct cfq_queue *cfq_select(struct sim_queue *queue)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	struct cfq_queue *cfqq = cfq->active;

	if (!cfq->waiting)
		return NULL;
	if (!cfqq)
		return activate_next(queue);
	if (!(cfqq->is_extended && cfq_has_requests(cfqq))) {
		bool is_used = cfq_slice_is_used(queue, cfqq);
		bool awaits_end;

		if (!is_used && cfq_has_requests(cfqq))
			return cfqq;
		if (!is_used && cfqq->is_awaited)
			return NULL;
		if (!is_used)
			doubt_deep_queue(queue, cfqq);
		awaits_end = cfqq->dispatched > 0 && cfq_should_idle(queue, cfqq) &&
			     (!is_used || (cfq->busy == 1 && !cfq_has_requests(cfqq)));
		if (awaits_end || waits_for_group(cfq))
			return NULL;
	}
	cfq_expire_slice(queue, false);
	return activate_next(queue);
}

/* The slice would end before what is in flight is done. */
static bool is_used_soon(const struct sim_queue *queue, const struct cfq_queue *cfqq)
{
	const struct cfq_data *cfq = cfq_data_of(queue);

	return cfqq->is_slice_new ||
	       cfq_now(queue) + cfq->slice_idle_ms * CFQ_MS_NS * (int64_t)cfqq->dispatched >
		       cfqq->slice_end_ns;
}

/* How many requests of the queue the device may have at once; 0: none now. */
static unsigned depth_of(const struct sim_queue *queue, const struct cfq_queue *cfqq)
{
	const struct cfq_data *cfq = cfq_data_of(queue);
	unsigned depth = cfq->quantum > 1 ? (unsigned)(cfq->quantum / 2) : 1;
	bool is_only_sync = cfqq->is_sync && cfq->busy_sync == 1;

	if (cfqq->class == SIM_CLASS_IDLE)
		return 1;
	if (cfqq->dispatched < depth)
		return depth;
	if (cfq->busy == 1 || is_only_sync)
		return UINT32_MAX;
	return is_used_soon(queue, cfqq) ? 0 : (unsigned)cfq->quantum;
}

/* The longer no sync request was late, the more async ones may be under way. */
static unsigned async_depth_of(const struct sim_queue *queue, const struct cfq_queue *cfqq)
{
	const struct cfq_data *cfq = cfq_data_of(queue);
	int64_t depth = (cfq_now(queue) - cfq->last_delayed_sync_ns) /
			(cfq->slice_ms[true] * CFQ_MS_NS);

	if (!depth && !cfqq->dispatched)
		return 1;
	return depth < UINT32_MAX ? (unsigned)depth : UINT32_MAX;
}

bool cfq_may_dispatch(const struct sim_queue *queue, const struct cfq_queue *cfqq)
{
	const struct cfq_data *cfq = cfq_data_of(queue);
	unsigned depth;

	/* Sync waits until async is drained, async until sync is. */
	if (cfq->in_flight[false] > 0 && cfq_should_idle(queue, cfqq))
		return false;
	if (cfq->in_flight[true] > 0 && !cfqq->is_sync)
		return false;
	depth = depth_of(queue, cfqq);
	if (!cfqq->is_sync && cfq->low_latency) {
		unsigned async_depth = async_depth_of(queue, cfqq);

		if (async_depth < depth)
			depth = async_depth;
	}
	return cfqq->dispatched < depth;
}

/* --- preemption ----------------------------------------------------------------------- */

bool cfq_should_preempt(const struct sim_queue *queue, const struct cfq_queue *cfqq,
			const struct sim_request *rq)
{
	const struct cfq_data *cfq = cfq_data_of(queue);
	const struct cfq_queue *active = cfq->active;

	if (!active || cfqq->class == SIM_CLASS_IDLE)
		return false;
	if (active->class == SIM_CLASS_IDLE)
		return true;
	if (active->class == SIM_CLASS_RT && cfqq->class != SIM_CLASS_RT)
		return false;
	if (cfqq->is_sync && !active->is_sync)
		return true;
	if (cfq_slice_is_used(queue, active))
		return true;
	if (cfqq->class == SIM_CLASS_RT && active->class != SIM_CLASS_RT)
		return true;
	/* The tree waits, not the queue: any queue of the tree will do. */
	if (cfq->serving_kind == CFQ_SYNC_NOIDLE && cfqq->tree &&
	    cfq_kind_of(cfqq) == CFQ_SYNC_NOIDLE && !cfq_has_requests(active))
		return true;
	if ((rq->flags & SIM_REQUEST_META) && !active->meta_waiting)
		return true;
	if (!cfq_has_requests(active) && !cfq_should_idle(queue, active))
		return true;
	return active->is_awaited && cfqq->is_sync &&
	       seek_distance(rq->sector, cfq->head_sector) <= CLOSE_SECTORS;
}

void cfq_preempt(struct sim_queue *queue, struct cfq_queue *cfqq)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	enum cfq_kind old_kind = cfq_kind_of(cfq->active);

	cfq_expire_slice(queue, true);
	if (old_kind != cfq_kind_of(cfqq))
		cfq->workload_left_ns = 0;
	cfq_tree_add(queue, cfqq, true);
	cfqq->next_reason = SIM_REASON_SLICE_TAKEN;
}
