/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Putting the deadline schedulers on a recorded history: a request that was taken goes
 * back where it was, and the one that the kernel took is taken as the kernel must have.
 */
#include "sim/elevators/deadline-core.h"

static void put_in_fifo(struct sim_link *fifo, struct sim_request *rq)
{
	struct sim_link *at = fifo->next;

	while (at != fifo) {
		const struct sim_request *other = sim_request_of(at);

		if (other->fifo_jiffies > rq->fifo_jiffies ||
		    (other->fifo_jiffies == rq->fifo_jiffies && other->number > rq->number))
			break;
		at = at->next;
	}
	sim_list_add_before(at, &rq->link);
}

int deadline_undo_dispatch(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct sim_queue *queue = hctx->queue;
	struct deadline_data *dd = queue->elevator_data;
	unsigned class = deadline_class_of(dd, rq);
	int r;

	if (rq->flags & SIM_REQUEST_HOLDS_ZONE) {
		zone_locks_unlock(&dd->zones, rq->sector / queue->zone_sectors);
		rq->flags &= (uint8_t)~SIM_REQUEST_HOLDS_ZONE;
	}
	dd->classes[class].waiting++;
	if (rq->flags & SIM_REQUEST_AT_HEAD) {
		sim_list_add_head(&dd->classes[class].head, &rq->link);
		return 0;
	}
	r = sector_tree_insert(&dd->classes[class].tree[rq->dir], rq);
	if (r < 0)
		return r;
	put_in_fifo(&dd->classes[class].fifo[rq->dir], rq);
	merge_hash_add(&queue->merge_hash, rq);
	return 0;
}

/*
 * The positions were restored by value; a request that was merged away in the meantime
 * would dangle there, and one that was inserted would be missed.
 */
void deadline_state_restored(struct sim_queue *queue)
{
	struct deadline_data *dd = queue->elevator_data;

	for (unsigned class = 0; class < dd->class_count; class++) {
		for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
			struct sim_request *next = dd->state.next_rq[class][dir];

			if (dd->keeps_latest_pos)
				deadline_find_position(dd, class, dir);
			else if (next && (next->state != SIM_STATE_WAITING || !next->leaf))
				dd->state.next_rq[class][dir] = NULL;
		}
	}
}

void deadline_force_dispatch(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct sim_queue *queue = hctx->queue;
	struct deadline_data *dd = queue->elevator_data;
	struct deadline_state *state = &dd->state;
	unsigned class = deadline_class_of(dd, rq);

	if (!rq->leaf) {
		sim_list_remove(&rq->link);
		dd->classes[class].waiting--;
		return;
	}
	if (rq->dir == state->last_dir && rq == state->next_rq[class][rq->dir] &&
	    state->batching < dd->fifo_batch) {
		state->batching++;
		deadline_take(queue, rq);
		return;
	}
	/* A batch began: the count of passed-over writes must have allowed it. */
	if (rq->dir == SIM_DIR_WRITE)
		state->starved = 0;
	else if (!sim_list_is_empty(&dd->classes[class].fifo[SIM_DIR_WRITE]) &&
		 state->starved < dd->writes_starved)
		state->starved++;
	state->last_dir = rq->dir;
	state->batching = 1;
	deadline_take(queue, rq);
}
