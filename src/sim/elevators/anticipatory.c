/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anticipatory: time-limited batches of sync requests and of the others, in the order of a
 * one-way elevator, interrupted by what is late; and the wait for the next request of the
 * process that read last.
 */
#include "sim/elevators/anticipatory.h"

#include <assert.h>
#include <errno.h>

#include "sim/elevators/elevators.h"
#include "sim/merge.h"

/* Furthest way back of the elevator, and what it costs (facts on anticipatory). */
static const struct seek_rule elevator_rule = { 1024 * 1024, 2 };

/* antic_expire by default: a 150th of a second. */
#define ANTIC_PART 150
/* So many ticks are first thought to be needed for an async request. */
#define WRITE_TICKS     10
#define WRITE_COUNT_MIN 2
#define WRITE_COUNT_MAX (UINT32_MAX / 2)

/* clang-format off: a table, one row an entry */
static const struct sim_parameter as_parameters[] = {
	{ "read_expire", offsetof(struct as_data, read_expire_ms) },
	{ "write_expire", offsetof(struct as_data, write_expire_ms) },
	{ "read_batch_expire", offsetof(struct as_data, read_batch_ms) },
	{ "write_batch_expire", offsetof(struct as_data, write_batch_ms) },
	{ "antic_expire", offsetof(struct as_data, antic_ms) },
};
/* clang-format on */

static void as_adjust_defaults(struct sim_queue *queue)
{
	unsigned ticks = queue->hz / ANTIC_PART;

	as_data_of(queue)->antic_ms =
		(int64_t)((ticks ? ticks : 1) * queue->tick_ns / 1000000);
}

static int as_init(struct sim_queue *queue)
{
	struct as_data *as = as_data_of(queue);

	as->expire_ticks[true] = sim_queue_ms_to_jiffies(queue, as->read_expire_ms);
	as->expire_ticks[false] = sim_queue_ms_to_jiffies(queue, as->write_expire_ms);
	as->batch_ticks[true] = sim_queue_ms_to_jiffies(queue, as->read_batch_ms);
	as->batch_ticks[false] = sim_queue_ms_to_jiffies(queue, as->write_batch_ms);
	as->antic_ticks = sim_queue_ms_to_jiffies(queue, as->antic_ms);
	as->batch_end_ticks = sim_queue_jiffies(queue) + as->batch_ticks[true];
	as->write_count = as->batch_ticks[false] / WRITE_TICKS;
	if (as->write_count < WRITE_COUNT_MIN)
		as->write_count = WRITE_COUNT_MIN;
	for (unsigned sync = 0; sync < 2; sync++) {
		sector_tree_init(&as->sorted[sync], &queue->sector_pools);
		sim_list_init(&as->fifo[sync]);
	}
	sim_list_init(&as->head);
	return process_table_init(&as->processes, sizeof(struct as_process));
}

static void as_exit(struct sim_queue *queue)
{
	process_table_done(&as_data_of(queue)->processes);
}

/* --- taking --------------------------------------------------------------------------- */

static void take_out(struct sim_queue *queue, struct sim_request *rq)
{
	struct as_data *as = as_data_of(queue);
	bool sync = as_is_sync(rq);
	struct sim_request *prev, *next;

	sector_tree_take(&as->sorted[sync], rq, &prev, &next);
	if (as->next_rq[sync] == rq) {
		if (!next)
			next = sector_tree_at_or_after(&as->sorted[sync], 0);
		as->next_rq[sync] =
			seek_choose(&elevator_rule, next, prev, as->head_sector[sync]);
	}
	sim_list_remove(&rq->link);
	merge_hash_remove(&queue->merge_hash, rq);
	if (queue->last_merge == rq)
		queue->last_merge = NULL;
	as_process_of(as, rq)->queued--;
}

static struct sim_request *take(struct sim_queue *queue, struct sim_request *rq,
				enum sim_reason reason)
{
	struct as_data *as = as_data_of(queue);
	bool sync = as_is_sync(rq);

	rq->reason = (uint8_t)reason;
	as->head_sector[sync] = sim_request_end(rq);
	as->next_rq[sync] = rq;
	take_out(queue, rq);
	as_follow(queue, sync ? as_process_of(as, rq) : NULL);
	as->begins = false;
	if (!sync && as->write_left > 0)
		as->write_left--;
	/* Nobody waits for the end of the writes: their time says nothing. */
	if (!sync && !as->sorted[true].count &&
	    (!as->write_left || !as->sorted[false].count))
		as->write_was_idle = true;
	as->dispatched++;
	return rq;
}

/* --- batches -------------------------------------------------------------------------- */

static struct sim_request *oldest(const struct as_data *as, bool sync)
{
	return sim_list_is_empty(&as->fifo[sync]) ? NULL :
						    sim_request_of(as->fifo[sync].next);
}

/* Whether the oldest is late; looked at once in its expiry time. */
static bool has_late(struct sim_queue *queue, bool sync)
{
	struct as_data *as = as_data_of(queue);
	uint64_t now = sim_queue_jiffies(queue);
	const struct sim_request *rq = oldest(as, sync);

	if (now - as->fifo_looked_at[sync] < as->expire_ticks[sync])
		return false;
	as->fifo_looked_at[sync] = now;
	return rq && now > rq->fifo_jiffies;
}

static bool is_batch_over(struct sim_queue *queue)
{
	const struct as_data *as = as_data_of(queue);

	if (as->has_changed || as->is_new)
		return false;
	return sim_queue_jiffies(queue) > as->batch_end_ticks ||
	       (!as->is_sync_batch && as->write_left == 0);
}

/* How many async requests fit into a batch, from how long the last one took. */
static void learn_write_count(struct sim_queue *queue)
{
	struct as_data *as = as_data_of(queue);
	int64_t batch = (int64_t)as->batch_ticks[false];
	int64_t took = (int64_t)sim_queue_jiffies(queue) - (int64_t)as->batch_end_ticks + batch;

	if (took < 0)
		took = 0;
	if (took > batch && !as->write_was_idle)
		as->write_count = took > 3 * batch ? as->write_count / 2 : as->write_count - 1;
	else if (took < batch && as->write_left == 0 && as->write_count < WRITE_COUNT_MAX)
		as->write_count = batch > 3 * took ? as->write_count * 2 : as->write_count + 1;
	if (as->write_count < 1)
		as->write_count = 1;
}

/*
 * The device has to be done with the other kind before the batch begins. False: it is not.
 */
static bool begin_changed_batch(struct sim_queue *queue)
{
	struct as_data *as = as_data_of(queue);

	if (!as->has_changed)
		return true;
	if (as->dispatched > 0)
		return false;
	if (as->is_sync_batch)
		as->is_new = true;
	else
		as->batch_end_ticks = sim_queue_jiffies(queue) + as->batch_ticks[false];
	as->has_changed = false;
	return true;
}

/* The other kind's turn, or the only one's; with the oldest request. */
static struct sim_request *begin_batch(struct sim_queue *queue, bool sync)
{
	struct as_data *as = as_data_of(queue);

	if (as->is_sync_batch != sync) {
		as->has_changed = true;
		as->is_new = false;
	}
	as->is_sync_batch = sync;
	as->begins = true;
	if (!sync) {
		as->write_left = as->write_count;
		as->write_was_idle = false;
	}
	as->fifo_looked_at[sync] = sim_queue_jiffies(queue);
	if (!begin_changed_batch(queue))
		return NULL;
	return take(queue, oldest(as, sync), SIM_REASON_BATCH_NEW);
}

/* Why the next one of a batch goes now: a wait that ended, or none that was worth it. */
static enum sim_reason reason_to_go_on(const struct as_data *as)
{
	if (as->begins)
		return SIM_REASON_BATCH_NEW;
	if (as->end_reason == SIM_REASON_ANTIC_SAME && as->wait != AS_OVER)
		return SIM_REASON_BATCH;
	return as->is_sync_batch && as->end_reason ? as->end_reason : SIM_REASON_BATCH;
}

static struct sim_request *continue_batch(struct sim_queue *queue, struct sim_request *rq,
					  bool has_writes)
{
	struct as_data *as = as_data_of(queue);
	bool sync = as->is_sync_batch;
	bool is_late;

	/* Nobody waits for the end of this one. */
	if (sync && !has_writes)
		as->batch_end_ticks = sim_queue_jiffies(queue) + as->batch_ticks[true];
	is_late = has_late(queue, sync);
	if (!begin_changed_batch(queue))
		return NULL;
	return is_late ? take(queue, oldest(as, sync), SIM_REASON_BATCH_LATE) :
			 take(queue, rq, reason_to_go_on(as));
}

static struct sim_request *as_choose(struct sim_queue *queue)
{
	struct as_data *as = as_data_of(queue);
	bool has_reads = as->sorted[true].count > 0, has_writes = as->sorted[false].count > 0;
	struct sim_request *rq;

	if (!(has_reads || has_writes) || as_is_waiting(as) || as->has_changed)
		return NULL;

	if (!(has_reads && has_writes && is_batch_over(queue))) {
		rq = as->next_rq[as->is_sync_batch];
		if (as->is_sync_batch && as->antic_ticks) {
			if (has_late(queue, true))
				return take(queue, oldest(as, true), SIM_REASON_BATCH_LATE);
			if (as_should_wait(queue, rq)) {
				as_begin_wait(queue);
				return NULL;
			}
		}
		if (rq)
			return continue_batch(queue, rq, has_writes);
	}
	/* After a batch of reads the writes, if there are any. */
	return begin_batch(queue, has_reads && !(has_writes && as->is_sync_batch));
}

static struct sim_request *as_dispatch_request(struct sim_hctx *hctx)
{
	struct as_data *as = as_data_of(hctx->queue);
	struct sim_request *rq;

	if (sim_list_is_empty(&as->head))
		return as_choose(hctx->queue);
	rq = sim_request_of(as->head.next);
	sim_list_remove(&rq->link);
	rq->reason = SIM_REASON_AT_HEAD;
	return rq;
}

/* --- insertion and completion --------------------------------------------------------- */

static int as_insert_request(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct sim_queue *queue = hctx->queue;
	struct as_data *as = as_data_of(queue);
	bool sync = as_is_sync(rq);
	struct as_process *process;
	int r;

	if (rq->flags & SIM_REQUEST_AT_HEAD) {
		sim_list_add_head(&as->head, &rq->link);
		return 0;
	}
	process = (struct as_process *)(void *)process_table_get(&as->processes, rq->pid);
	if (!process)
		return -ENOMEM;
	r = sector_tree_insert(&as->sorted[sync], rq);
	if (r < 0)
		return r;
	process_entry_hold(&process->entry);
	rq->queue_index = process->entry.index;
	as_learn(queue, process, rq);
	process->queued++;
	rq->fifo_jiffies = sim_queue_jiffies(queue) + as->expire_ticks[sync];
	sim_list_add_tail(&as->fifo[sync], &rq->link);
	merge_hash_add(&queue->merge_hash, rq);
	if (!queue->last_merge)
		queue->last_merge = rq;
	as->next_rq[sync] = seek_choose(&elevator_rule, rq, as->next_rq[sync],
					as->head_sector[sync]);
	as_arrived(queue, rq);
	return 0;
}

static bool as_has_work(const struct sim_hctx *hctx)
{
	const struct as_data *as = as_data_of(hctx->queue);

	return as->sorted[true].count + as->sorted[false].count > 0 ||
	       !sim_list_is_empty(&as->head);
}

static void as_completed_request(struct sim_queue *queue, struct sim_request *rq)
{
	struct as_data *as = as_data_of(queue);
	uint64_t now = sim_queue_jiffies(queue);

	if (rq->flags & SIM_REQUEST_AT_HEAD)
		return;
	if (as->has_changed && as->dispatched == 1) {
		as->batch_end_ticks = now + as->batch_ticks[as->is_sync_batch];
		as->has_changed = false;
		as->is_new = as->is_sync_batch;
	}
	if (as->is_new && as_is_sync(rq)) {
		learn_write_count(queue);
		as->batch_end_ticks = now + as->batch_ticks[true];
		as->is_new = false;
	}
	as_completed(queue, as_process_of(as, rq), as_is_sync(rq));
}

static void as_finish_request(struct sim_queue *queue, struct sim_request *rq)
{
	struct as_data *as = as_data_of(queue);

	if (rq->flags & SIM_REQUEST_AT_HEAD)
		return;
	if (rq->state == SIM_STATE_ISSUED) {
		assert(as->dispatched > 0);
		as->dispatched--;
	}
	process_entry_release(&as->processes, &as_process_of(as, rq)->entry);
}

/* --- merging -------------------------------------------------------------------------- */

static struct sim_request *as_request_merge(struct sim_queue *queue,
					    const struct sim_bio *bio)
{
	struct as_data *as = as_data_of(queue);
	bool sync = sim_request_is_sync(bio->op, bio->flags);
	struct sim_request *rq =
		sector_tree_find(&as->sorted[sync], bio->sector + bio->sectors);

	return rq && rq->op == bio->op ? rq : NULL;
}

static int as_request_merged(struct sim_queue *queue, struct sim_request *rq,
			     enum sim_merge merge, uint64_t old_sector)
{
	struct as_data *as = as_data_of(queue);
	bool sync = as_is_sync(rq);
	uint64_t sector = rq->sector;

	if (merge != SIM_MERGE_FRONT || !rq->leaf)
		return 0;
	rq->sector = old_sector;
	sector_tree_remove(&as->sorted[sync], rq);
	rq->sector = sector;
	return sector_tree_insert(&as->sorted[sync], rq);
}

static void as_requests_merged(struct sim_queue *queue, struct sim_request *rq,
			       struct sim_request *next)
{
	struct as_data *as = as_data_of(queue);

	/* The earlier time, and the place in the FIFO with it. */
	if (rq->leaf && next->leaf && as_is_sync(rq) == as_is_sync(next) &&
	    next->fifo_jiffies < rq->fifo_jiffies) {
		sim_list_remove(&rq->link);
		sim_list_add_before(&next->link, &rq->link);
		rq->fifo_jiffies = next->fifo_jiffies;
	}
	if (as->next_rq[as_is_sync(next)] == next && as_is_sync(rq) == as_is_sync(next))
		as->next_rq[as_is_sync(next)] = rq;
	take_out(queue, next);
}

static struct sim_request *as_former_request(struct sim_queue *queue, struct sim_request *rq)
{
	(void)queue;
	return rq->leaf ? sector_tree_prev(rq) : NULL;
}

static struct sim_request *as_next_request(struct sim_queue *queue, struct sim_request *rq)
{
	(void)queue;
	return rq->leaf ? sector_tree_next(rq) : NULL;
}

const struct sim_elevator_ops sim_elevator_anticipatory = {
	.name = "anticipatory",
	.kind = QUEUE_LEGACY,
	.parameters = as_parameters,
	.parameter_count = ARRAY_SIZE(as_parameters),
	.data_size = sizeof(struct as_data),
	.merges_inserts = true,
	.adjust_defaults = as_adjust_defaults,
	.init_sched = as_init,
	.exit_sched = as_exit,
	.request_merge = as_request_merge,
	.request_merged = as_request_merged,
	.requests_merged = as_requests_merged,
	.former_request = as_former_request,
	.next_request = as_next_request,
	.insert_request = as_insert_request,
	.dispatch_request = as_dispatch_request,
	.has_work = as_has_work,
	.completed_request = as_completed_request,
	.finish_request = as_finish_request,
	.timer = as_timer,
};
