/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queues that become one: processes that read next to each other in turns, and, from 5.13,
 * processes that were started together. What is queued already stays where it is; the
 * process's next requests go to the common queue. A common queue that turns out seeky is
 * taken apart again.
 */
#include "sim/elevators/bfq.h"

#define CLOSE_SECTORS 8192
/* No merging of a queue that has had service for this long: 100 ms. */
#define MERGE_MS 100
/* Created within 600 ms and beginning within 180 ms of each other. */
#define STABLE_MS   600
#define TOGETHER_MS 180

static bool is_too_late(struct bfq_data *bfq, const struct bfq_queue *q)
{
	return q->backlog_service > 0 &&
	       q->first_io + bfq_ms(bfq, MERGE_MS) < bfq_now(bfq);
}

/* --- by place ----------------------------------------------------------------------- */

void bfq_leave_close(struct bfq_data *bfq, struct bfq_queue *q)
{
	if (!q->is_close)
		return;
	bfq_tree_remove(&bfq->close, &q->close);
	q->is_close = false;
}

void bfq_move_close(struct bfq_data *bfq, struct bfq_queue *q)
{
	bfq_leave_close(bfq, q);
	if (is_too_late(bfq, q) || q->class == SIM_CLASS_IDLE || !q->next_rq)
		return;
	q->close.key = q->next_rq->sector;
	q->close.low = 0;
	bfq_tree_insert(&bfq->close, &q->close);
	q->is_close = true;
}

static bool is_near(uint64_t a, uint64_t b)
{
	return (a > b ? a - b : b - a) <= CLOSE_SECTORS;
}

static struct bfq_queue *closest(const struct bfq_data *bfq, uint64_t sector)
{
	struct bfq_node *node = bfq_tree_at_or_after(&bfq->close, sector);

	if (!node || !is_near(node->key, sector))
		node = bfq_tree_before(&bfq->close, sector);
	if (!node || !is_near(node->key, sector))
		return NULL;
	return SIM_ENTRY(node, struct bfq_queue, close);
}

static bool may_cooperate(struct bfq_data *bfq, const struct bfq_queue *q,
			  const struct bfq_queue *other)
{
	return q != other && !is_too_late(bfq, other) && q->class == other->class &&
	       q->class != SIM_CLASS_IDLE && !bfq_is_seeky(q) && !bfq_is_seeky(other) &&
	       q->is_sync && other->is_sync;
}

/* --- becoming one ------------------------------------------------------------------- */

/* The end of the chain of planned merges. */
static struct bfq_queue *end_of_chain(const struct bfq_data *bfq, struct bfq_queue *q)
{
	struct bfq_queue *next;

	while ((next = bfq_deref(bfq, q->merged_into)))
		q = next;
	return q;
}

static struct bfq_queue *plan(struct bfq_data *bfq, struct bfq_queue *q,
			      struct bfq_queue *into)
{
	into = end_of_chain(bfq, into);
	if (into == q || !q->processes || !into->processes)
		return NULL;
	q->merged_into = into->id;
	into->pins++;
	return into;
}

static void save(struct bfq_process *process, const struct bfq_queue *q)
{
	process->saved = (struct bfq_saved){
		.raise = q->raise,
		.think = q->think,
		.io_start_ns = q->io_start_ns,
		.idle_total_ns = q->idle_total_ns,
		.last_serv_ns = q->last_serv_ns,
		.inject_limit = q->inject_limit,
		.decrease_time = q->decrease_time,
		.has_short_think = q->has_short_think,
		.is_io_bound = q->is_io_bound,
		.in_large_burst = q->in_large_burst,
		.was_in_burst = !sim_list_is_empty(&q->burst_link),
		.is_valid = true,
	};
}

static void hand_over_raise(struct bfq_data *bfq, struct bfq_queue *q,
			    struct bfq_queue *into)
{
	if (q->raise.coeff == 1)
		return;
	if (into->raise.coeff == 1) {
		into->raise = q->raise;
		into->prio_changed = true;
		bfq->busy_raised += into->is_busy;
	}
	q->raise.coeff = 1;
	q->prio_changed = true;
	bfq->busy_raised -= q->is_busy;
}

void bfq_become_one(struct bfq_data *bfq, struct bfq_process *process,
		    struct bfq_queue *q, struct bfq_queue *into)
{
	save(process, q);
	if (into->process)
		save(into->process, into);
	if (q->is_io_bound)
		into->is_io_bound = true;
	if (q->waker && !into->waker && q->waker != into)
		bfq_set_waker(into, q->waker);
	hand_over_raise(bfq, q, into);
	process->sync = into;
	into->is_shared = true;
	into->process = NULL;
	into->processes++;
	q->process = NULL;
	q->processes--;
	bfq_release(bfq, q);
}

/* --- finding ------------------------------------------------------------------------ */

/* A merge that was planned when the queue was created, on a device that gains from order. */
static struct bfq_queue *late_stable(struct bfq_data *bfq, struct bfq_queue *q,
				     struct bfq_process *process)
{
	struct bfq_queue *other = bfq_deref(bfq, process->stable), *into = NULL;

	process->stable = 0;
	if (!other)
		return NULL;
	if (!bfq_idling_boosts(bfq, q) && q->processes && other->processes)
		into = plan(bfq, q, other);
	if (into) {
		process->stably_merged = true;
		if (into->process)
			into->process->stably_merged = true;
	}
	bfq_unpin(bfq, other->id);
	return into;
}

struct bfq_queue *bfq_cooperator(struct bfq_data *bfq, struct bfq_queue *q,
				 struct bfq_process *process,
				 const struct sim_request *rq)
{
	struct bfq_queue *other = bfq->in_service;
	int64_t stable = bfq_ms(bfq, STABLE_MS), now = bfq_now(bfq);

	if (!q->is_sync)
		return NULL;
	if (q->merged_into)
		return bfq_deref(bfq, q->merged_into);
	if (!bfq->is_fast && process->stable && !q->is_just_created &&
	    q->split_time + stable < now && q->created + stable < now)
		return late_stable(bfq, q, process);
	if (bfq->is_fast || is_too_late(bfq, q))
		return NULL;
	if (bfq_busy(bfq) == 1)
		return NULL;
	if (other && is_near(rq->sector, bfq->in_service_pos) &&
	    may_cooperate(bfq, q, other))
		return plan(bfq, q, other);
	other = closest(bfq, rq->sector);
	if (other && may_cooperate(bfq, q, other))
		return plan(bfq, q, other);
	return NULL;
}

struct bfq_queue *bfq_stable_merge(struct bfq_data *bfq, struct bfq_process *process,
				   struct bfq_queue *q)
{
	struct bfq_queue *last = bfq_deref(bfq, bfq->last_created);

	if (!bfq->queue->kernel.has[SIM_BFQ_STABLE_MERGE])
		return q;
	if (!last || last->created + bfq_ms(bfq, STABLE_MS) < q->created ||
	    last->level != q->level || last->new_class != q->new_class) {
		bfq->last_created = q->id;
		return q;
	}
	if (last->created + bfq_ms(bfq, TOGETHER_MS) < q->created)
		return q;
	if (bfq->is_fast && last->processes) {
		last = end_of_chain(bfq, last);
		if (last->process) {
			save(last->process, last);
			last->process->stably_merged = true;
		}
		last->is_shared = true;
		last->process = NULL;
		process->stably_merged = true;
		bfq_release(bfq, q);
		return last;
	}
	process->stable = last->id;
	last->pins++;
	return q;
}

/* --- apart again -------------------------------------------------------------------- */

bool bfq_split_off(struct bfq_process *process)
{
	struct bfq_queue *q = process->sync;

	if (!q->is_shared || !q->must_split || process->stably_merged)
		return false;
	if (q->processes == 1) {
		q->is_shared = false;
		q->must_split = false;
		q->process = process;
		return false;
	}
	q->processes--;
	process->sync = NULL;
	return true;
}

void bfq_restore_saved(struct bfq_data *bfq, struct bfq_queue *q,
		       struct bfq_process *process)
{
	struct bfq_saved *saved = &process->saved;

	if (!saved->is_valid)
		return;
	q->raise = saved->raise;
	q->think = saved->think;
	q->io_start_ns = saved->io_start_ns;
	q->idle_total_ns = saved->idle_total_ns;
	q->last_serv_ns = saved->last_serv_ns;
	q->inject_limit = saved->inject_limit;
	q->decrease_time = saved->decrease_time;
	q->has_short_think = saved->has_short_think;
	q->is_io_bound = saved->is_io_bound;
	q->in_large_burst =
		saved->in_large_burst || (saved->was_in_burst && bfq->large_burst);
	q->is_just_created = false;
	/* Its period ran out, or it is part of a burst now. */
	if (q->raise.coeff > 1 &&
	    (q->in_large_burst || q->raise.start + q->raise.max_time < bfq_now(bfq)))
		q->raise.coeff = 1;
	q->prio_changed = true;
	saved->is_valid = false;
}
