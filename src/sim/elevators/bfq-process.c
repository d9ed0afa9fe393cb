/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processes, their queues, and the shared queues of asynchronous writes, one for each
 * class and level. A process that has nothing under way is forgotten when there are too
 * many, the one that was silent longest first, as if it had ended.
 */
#include "sim/elevators/bfq.h"

#include <errno.h>
#include <stdlib.h>

#define PROCESS_BUCKETS 4096
#define PROCESSES_MAX   16384

#define LONG_AGO_NS (UINT64_C(1) << 32)

#define SLOT_BITS 24
#define SLOT_MASK ((UINT64_C(1) << SLOT_BITS) - 1)

int bfq_processes_init(struct bfq_data *bfq)
{
	sim_list_init(&bfq->lru);
	pool_init(&bfq->processes, sizeof(struct bfq_process));
	pool_init(&bfq->queue_pool, sizeof(struct bfq_queue));
	bfq->buckets = calloc(PROCESS_BUCKETS, sizeof(struct bfq_process *));
	return bfq->buckets ? 0 : -ENOMEM;
}

void bfq_processes_done(struct bfq_data *bfq)
{
	pool_done(&bfq->processes);
	pool_done(&bfq->queue_pool);
	free(bfq->buckets);
	free(bfq->slots);
	free(bfq->generations);
	free(bfq->free_slots);
}

/* --- slots: a queue by its number ---------------------------------------------------- */

static int grow_slots(struct bfq_data *bfq)
{
	uint32_t room = bfq->slots_room ? bfq->slots_room * 2 : 64;
	struct bfq_queue **slots;
	uint64_t *generations;
	uint32_t *free_slots;

	if (room > SLOT_MASK)
		return -ENOMEM;
	slots = realloc(bfq->slots, room * sizeof(*slots));
	if (!slots)
		return -ENOMEM;
	bfq->slots = slots;
	generations = realloc(bfq->generations, room * sizeof(*generations));
	if (!generations)
		return -ENOMEM;
	bfq->generations = generations;
	free_slots = realloc(bfq->free_slots, room * sizeof(*free_slots));
	if (!free_slots)
		return -ENOMEM;
	bfq->free_slots = free_slots;
	bfq->slots_room = room;
	return 0;
}

static int take_slot(struct bfq_data *bfq, struct bfq_queue *q)
{
	uint32_t slot;

	if (bfq->free_count > 0) {
		slot = bfq->free_slots[--bfq->free_count];
	} else {
		if (bfq->slot_count == bfq->slots_room && grow_slots(bfq) < 0)
			return -ENOMEM;
		slot = bfq->slot_count++;
		bfq->generations[slot] = 0;
	}
	bfq->slots[slot] = q;
	q->id = ++bfq->generations[slot] << SLOT_BITS | slot;
	return 0;
}

struct bfq_queue *bfq_deref(const struct bfq_data *bfq, uint64_t id)
{
	struct bfq_queue *q = id ? bfq->slots[id & SLOT_MASK] : NULL;

	return q && q->id == id ? q : NULL;
}

struct bfq_queue *bfq_queue_of(const struct bfq_data *bfq, const struct sim_request *rq)
{
	return bfq->slots[rq->queue_index];
}

/* --- queues ------------------------------------------------------------------------- */

static void init_queue(struct bfq_data *bfq, struct bfq_queue *q, unsigned class,
		       unsigned level, bool is_sync)
{
	int64_t now = bfq_now(bfq);

	q->class = q->new_class = (uint8_t) class;
	q->level = (uint8_t)level;
	q->weight = q->orig_weight = (BFQ_LEVELS - level) * 10;
	q->is_sync = is_sync;
	q->max_budget = bfq_max_budget(bfq) * 2 / 3;
	q->budget_timeout = BFQ_LONG_AGO;
	q->has_short_think = is_sync;
	q->is_just_created = is_sync;
	q->is_io_bound = true;
	q->raise = (struct bfq_raise){ .coeff = 1,
				       .start = now,
				       .interactive_start = BFQ_LONG_AGO };
	q->split_time = BFQ_LONG_AGO;
	q->soft_rt_next_start = now;
	q->decrease_time = now;
	q->created = now;
	/* The first request is almost surely far from where the head stands. */
	q->seek_history = 1;
	/* As if it had just completed something; before 5.12 as if that were long ago. */
	q->think.last_end_ns = bfq->queue->now_ns;
	if (!bfq->queue->kernel.has[SIM_BFQ_REVISED])
		q->think.last_end_ns -= bfq->queue->now_ns < LONG_AGO_NS
						? bfq->queue->now_ns
						: LONG_AGO_NS;
	q->io_start_ns = bfq->queue->now_ns;
	sim_list_init(&q->fifo);
	sim_list_init(&q->woken);
	sim_list_init(&q->burst_link);
	sector_tree_init(&q->sorted, &bfq->queue->sector_pools);
}

static struct bfq_queue *new_queue(struct bfq_data *bfq, unsigned class, unsigned level,
				   bool is_sync)
{
	struct bfq_queue *q = pool_take(&bfq->queue_pool);

	if (!q)
		return NULL;
	*q = (struct bfq_queue){ 0 };
	if (take_slot(bfq, q) < 0) {
		pool_give(&bfq->queue_pool, q);
		return NULL;
	}
	init_queue(bfq, q, class, level, is_sync);
	return q;
}

void bfq_release(struct bfq_data *bfq, struct bfq_queue *q)
{
	uint32_t slot = (uint32_t)(q->id & SLOT_MASK);

	/* The async queues stay. */
	if (!q->is_sync || q->processes || q->allocated || q->is_busy || q->pins ||
	    q->place != BFQ_NOWHERE || q == bfq->in_service || q->is_counted)
		return;
	bfq_leave_close(bfq, q);
	bfq_forget_waker(q);
	while (!sim_list_is_empty(&q->woken))
		bfq_forget_waker(SIM_ENTRY(q->woken.next, struct bfq_queue, woken_link));
	sim_list_remove(&q->burst_link);
	bfq_uncount_weight(bfq, q);
	if (q->merged_into)
		bfq_unpin(bfq, q->merged_into);
	bfq->slots[slot] = NULL;
	bfq->free_slots[bfq->free_count++] = slot;
	q->id = 0;
	pool_give(&bfq->queue_pool, q);
}

void bfq_unpin(struct bfq_data *bfq, uint64_t id)
{
	struct bfq_queue *q = bfq_deref(bfq, id);

	if (!q)
		return;
	q->pins--;
	bfq_release(bfq, q);
}

/* --- processes ---------------------------------------------------------------------- */

static struct bfq_process **bucket_of(const struct bfq_data *bfq, uint32_t pid)
{
	return &bfq->buckets[pid * UINT32_C(0x9e3779b1) >> 20];
}

struct bfq_process *bfq_find_process(const struct bfq_data *bfq, uint32_t pid)
{
	struct bfq_process *process = *bucket_of(bfq, pid);

	while (process && process->pid != pid)
		process = process->hash_next;
	return process;
}

static void end_process(struct bfq_data *bfq, struct bfq_process *process)
{
	struct bfq_process **link = bucket_of(bfq, process->pid);
	struct bfq_queue *q = process->sync;

	while (*link != process)
		link = &(*link)->hash_next;
	*link = process->hash_next;
	sim_list_remove(&process->lru);
	bfq->process_count--;
	if (process->stable)
		bfq_unpin(bfq, process->stable);
	if (q) {
		q->processes--;
		if (q->process == process)
			q->process = NULL;
		bfq_release(bfq, q);
	}
	pool_give(&bfq->processes, process);
}

static void end_silent(struct bfq_data *bfq)
{
	struct sim_link *link = bfq->lru.next;

	while (link != &bfq->lru && bfq->process_count >= PROCESSES_MAX) {
		struct bfq_process *process = SIM_ENTRY(link, struct bfq_process, lru);

		link = link->next;
		if (process->requests == 0)
			end_process(bfq, process);
	}
}

static struct bfq_process *get_process(struct bfq_data *bfq, uint32_t pid)
{
	struct bfq_process *process = bfq_find_process(bfq, pid);
	struct bfq_process **bucket = bucket_of(bfq, pid);

	if (process) {
		sim_list_remove(&process->lru);
		sim_list_add_tail(&bfq->lru, &process->lru);
		return process;
	}
	if (bfq->process_count >= PROCESSES_MAX)
		end_silent(bfq);
	process = pool_take(&bfq->processes);
	if (!process)
		return NULL;
	*process = (struct bfq_process){ .pid = pid, .hash_next = *bucket };
	*bucket = process;
	sim_list_add_tail(&bfq->lru, &process->lru);
	bfq->process_count++;
	return process;
}

static struct bfq_queue *async_queue(struct bfq_data *bfq, const struct sim_request *rq)
{
	struct bfq_queue **place = &bfq->async_idle;

	if (rq->class != SIM_CLASS_IDLE)
		place = &bfq->async[rq->class][rq->level % BFQ_LEVELS];
	if (!*place)
		*place = new_queue(
			bfq, rq->class,
			rq->class == SIM_CLASS_IDLE ? 7 : rq->level % BFQ_LEVELS, false);
	return *place;
}

/* The process's I/O priority changed: its queue takes it over when it is next sorted in. */
static void follow_priority(struct bfq_process *process, const struct sim_request *rq)
{
	struct bfq_queue *q = process->sync;
	uint8_t level = rq->class == SIM_CLASS_IDLE ? 7 : rq->level % BFQ_LEVELS;

	if (process->class == rq->class && process->level == level)
		return;
	process->class = rq->class;
	process->level = level;
	if (!q)
		return;
	q->new_class = rq->class;
	q->level = level;
	q->prio_changed = true;
}

static struct bfq_queue *new_sync_queue(struct bfq_data *bfq, struct bfq_process *process,
					bool is_split)
{
	struct bfq_queue *q = new_queue(bfq, process->class, process->level, true);

	if (!q)
		return NULL;
	if (is_split)
		q->split_time = bfq_now(bfq);
	else
		q = bfq_stable_merge(bfq, process, q);
	process->sync = q;
	q->processes++;
	if (q->processes == 1)
		q->process = process;
	if (is_split)
		bfq_restore_saved(bfq, q, process);
	return q;
}

struct bfq_queue *bfq_queue_for(struct bfq_data *bfq, const struct sim_request *rq,
				struct bfq_process **ret)
{
	struct bfq_process *process = get_process(bfq, rq->pid);
	struct bfq_queue *q;
	bool is_split = false;

	if (!process)
		return NULL;
	*ret = process;
	follow_priority(process, rq);
	if (!bfq_rq_is_sync(rq)) {
		process->async = async_queue(bfq, rq);
		return process->async;
	}
	if (process->sync)
		is_split = bfq_split_off(process);
	if (!process->sync && !new_sync_queue(bfq, process, is_split))
		return NULL;
	q = process->sync;
	bfq_note_created(bfq, q);
	return q;
}
