/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heart of deadline and mq-deadline: batches in sector order, interrupted by what has
 * waited too long, reads before writes until writes were passed over often enough. An
 * expired write never changes the direction.
 */
#include "sim/elevators/deadline-core.h"

#include <assert.h>
#include <errno.h>

#include "sim/merge.h"

/* Without classes all requests are in the first. */
unsigned deadline_class_of(const struct deadline_data *dd, const struct sim_request *rq)
{
	return dd->class_count == 1 ? 0 : rq->class;
}

static struct deadline_data *data_of(const struct sim_queue *queue)
{
	return queue->elevator_data;
}

static struct deadline_class *class_of(struct sim_queue *queue,
				       const struct sim_request *rq)
{
	struct deadline_data *dd = data_of(queue);

	return &dd->classes[deadline_class_of(dd, rq)];
}

int deadline_init(struct sim_queue *queue)
{
	struct deadline_data *dd = data_of(queue);
	const bool *has = queue->kernel.has;
	bool is_mq = queue->ops->kind == QUEUE_MQ;

	dd->class_count = is_mq && has[SIM_MQD_CLASSES] ? SIM_CLASSES : 1;
	dd->keeps_latest_pos = is_mq && has[SIM_MQD_LATEST_POS];
	dd->state.last_dir = is_mq && has[SIM_MQD_STARTS_WRITING] ? SIM_DIR_WRITE :
								     SIM_DIR_READ;
	dd->expire_jiffies[SIM_DIR_READ] = sim_queue_ms_to_jiffies(queue, dd->read_expire_ms);
	dd->expire_jiffies[SIM_DIR_WRITE] =
		sim_queue_ms_to_jiffies(queue, dd->write_expire_ms);
	dd->aging_jiffies = sim_queue_ms_to_jiffies(queue, dd->prio_aging_expire_ms);
	if (!dd->async_depth)
		dd->async_depth = has[SIM_MQD_ASYNC_THREE_QUARTERS] ?
					  3 * (int64_t)queue->nr_requests / 4 :
					  (int64_t)queue->nr_requests;
	if (dd->async_depth < 1)
		dd->async_depth = 1;

	for (unsigned class = 0; class < SIM_CLASSES; class++) {
		sim_list_init(&dd->classes[class].head);
		for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
			sector_tree_init(&dd->classes[class].tree[dir],
					 &queue->sector_pools);
			sim_list_init(&dd->classes[class].fifo[dir]);
		}
	}
	if (!queue->zone_sectors || !is_mq || !has[SIM_MQD_ZONE_LOCKS])
		return 0;
	return zone_locks_init(&dd->zones, (size_t)queue->hctxs[0].depth * queue->hw_queues +
						   queue->nr_requests + 1);
}

void deadline_exit(struct sim_queue *queue)
{
	zone_locks_done(&data_of(queue)->zones);
}

/* --- zones ------------------------------------------------------------------------- */

static bool may_go_to_zone(const struct sim_queue *queue, const struct sim_request *rq)
{
	const struct deadline_data *dd = data_of(queue);

	return !dd->zones.mask || rq->op != SIM_WRITE ||
	       !zone_locks_is_locked(&dd->zones, rq->sector / queue->zone_sectors);
}

static void lock_zone(struct sim_queue *queue, struct sim_request *rq)
{
	struct deadline_data *dd = data_of(queue);

	if (!dd->zones.mask || rq->op != SIM_WRITE)
		return;
	zone_locks_lock(&dd->zones, rq->sector / queue->zone_sectors);
	rq->flags |= SIM_REQUEST_HOLDS_ZONE;
}

static void unlock_zone(struct sim_queue *queue, struct sim_request *rq)
{
	struct deadline_data *dd = data_of(queue);

	if (!(rq->flags & SIM_REQUEST_HOLDS_ZONE))
		return;
	zone_locks_unlock(&dd->zones, rq->sector / queue->zone_sectors);
	rq->flags &= (uint8_t)~SIM_REQUEST_HOLDS_ZONE;
}

/* --- the sweep's position ---------------------------------------------------------- */

void deadline_find_position(struct deadline_data *dd, unsigned class, unsigned dir)
{
	dd->state.next_rq[class][dir] = sector_tree_at_or_after(
		&dd->classes[class].tree[dir], dd->state.latest_pos[class][dir]);
}

static void note_inserted(struct deadline_data *dd, struct sim_request *rq)
{
	struct sim_request **next = &dd->state.next_rq[deadline_class_of(dd, rq)][rq->dir];

	if (!dd->keeps_latest_pos ||
	    rq->sector < dd->state.latest_pos[deadline_class_of(dd, rq)][rq->dir])
		return;
	if (!*next || rq->sector < (*next)->sector)
		*next = rq;
}

/* Takes the request out of the FIFO and of merging. */
static void take_out(struct sim_queue *queue, struct sim_request *rq)
{
	sim_list_remove(&rq->link);
	merge_hash_remove(&queue->merge_hash, rq);
	if (queue->last_merge == rq)
		queue->last_merge = NULL;
	class_of(queue, rq)->waiting--;
}

/* The sweep moves to the request, which is taken out. */
static void sweep_to(struct sim_queue *queue, struct sim_request *rq)
{
	struct deadline_data *dd = data_of(queue);
	struct deadline_state *state = &dd->state;
	const unsigned class = deadline_class_of(dd, rq), dir = rq->dir;
	struct sim_request *prev, *next;

	sector_tree_take(&dd->classes[class].tree[dir], rq, &prev, &next);
	if (next)
		__builtin_prefetch(next);
	take_out(queue, rq);
	state->latest_pos[class][dir] = rq->sector;
	if (dd->keeps_latest_pos && prev && prev->sector == rq->sector) {
		deadline_find_position(dd, class, dir);
		return;
	}
	if (queue->kernel.has[SIM_MQD_ONE_POSITION] || queue->ops->kind == QUEUE_LEGACY)
		state->next_rq[class][!dir] = NULL;
	state->next_rq[class][dir] = next;
}

/* The next request in sector order, passing over locked zones. */
static struct sim_request *next_in_order(struct sim_queue *queue, unsigned class,
					 unsigned dir)
{
	struct sim_request *rq = data_of(queue)->state.next_rq[class][dir];

	while (rq && !may_go_to_zone(queue, rq))
		rq = sector_tree_next(rq);
	return rq;
}

/* The oldest request of the direction that may go. */
static struct sim_request *oldest(struct sim_queue *queue, unsigned class, unsigned dir)
{
	struct sim_link *fifo = &data_of(queue)->classes[class].fifo[dir];

	for (struct sim_link *link = fifo->next; link != fifo; link = link->next) {
		if (may_go_to_zone(queue, sim_request_of(link)))
			return sim_request_of(link);
	}
	return NULL;
}

void deadline_take(struct sim_queue *queue, struct sim_request *rq)
{
	sweep_to(queue, rq);
	lock_zone(queue, rq);
}

/* --- choosing ---------------------------------------------------------------------- */

static bool is_expired(struct sim_queue *queue, unsigned class, unsigned dir)
{
	struct sim_link *fifo = &data_of(queue)->classes[class].fifo[dir];

	/* The head of the FIFO decides, whether its zone is locked or not. */
	return sim_queue_jiffies(queue) >= sim_request_of(fifo->next)->fifo_jiffies;
}

static bool is_aged_enough(struct sim_queue *queue, const struct sim_request *rq)
{
	const struct deadline_data *dd = data_of(queue);

	return rq->fifo_jiffies - dd->expire_jiffies[rq->dir] + dd->aging_jiffies <=
	       sim_queue_jiffies(queue);
}

/* Why: by direction (reads, only writes, starved writes), then by how it was found. */
enum deadline_turn { TURN_READ, TURN_WRITE, TURN_STARVED };
enum deadline_find { FIND_SORTED, FIND_EXPIRED, FIND_OLDEST };

static const uint8_t turn_reasons[][3] = {
	[TURN_READ] = { SIM_REASON_SORTED_READ, SIM_REASON_EXPIRED_READ,
			SIM_REASON_OLDEST_READ },
	[TURN_WRITE] = { SIM_REASON_SORTED_WRITE, SIM_REASON_EXPIRED_WRITE,
			 SIM_REASON_OLDEST_WRITE },
	[TURN_STARVED] = { SIM_REASON_STARVED_SORTED, SIM_REASON_STARVED_EXPIRED,
			   SIM_REASON_STARVED_OLDEST },
};

/* A new batch: direction first, then the request. NULL: nothing may go. */
static struct sim_request *start_batch(struct sim_queue *queue, unsigned class)
{
	struct deadline_data *dd = data_of(queue);
	struct deadline_state *state = &dd->state;
	bool has_reads = !sim_list_is_empty(&dd->classes[class].fifo[SIM_DIR_READ]);
	bool has_writes = oldest(queue, class, SIM_DIR_WRITE) != NULL;
	enum deadline_turn turn = TURN_READ;
	enum deadline_find find = FIND_SORTED;
	struct sim_request *rq;
	enum sim_dir dir;

	if (has_reads && has_writes && state->starved++ >= dd->writes_starved)
		turn = TURN_STARVED;
	else if (!has_reads)
		turn = TURN_WRITE;
	if (turn == TURN_WRITE && !has_writes)
		return NULL;
	if (turn != TURN_READ)
		state->starved = 0;

	dir = turn == TURN_READ ? SIM_DIR_READ : SIM_DIR_WRITE;
	rq = next_in_order(queue, class, dir);
	if (is_expired(queue, class, dir))
		find = FIND_EXPIRED;
	else if (!rq)
		find = FIND_OLDEST;
	if (find != FIND_SORTED)
		rq = oldest(queue, class, dir);
	if (!rq)
		return NULL;
	rq->reason = turn_reasons[turn][find];
	state->last_dir = (uint8_t)dir;
	state->batching = 0;
	return rq;
}

static struct sim_request *continue_batch(struct sim_queue *queue, unsigned class)
{
	struct deadline_data *dd = data_of(queue);
	struct deadline_state *state = &dd->state;
	struct sim_request *rq;

	if (state->batching >= dd->fifo_batch)
		return NULL;
	rq = next_in_order(queue, class, state->last_dir);
	/* The one position of old versions may be the other direction's. */
	if (!rq && (queue->kernel.has[SIM_MQD_ONE_POSITION] ||
		    queue->ops->kind == QUEUE_LEGACY))
		rq = next_in_order(queue, class, !state->last_dir);
	if (rq)
		rq->reason = SIM_REASON_BATCH;
	return rq;
}

static struct sim_request *dispatch_head(struct sim_queue *queue, unsigned class,
					 bool is_aged)
{
	struct deadline_data *dd = data_of(queue);
	struct sim_link *head = &dd->classes[class].head;
	struct sim_request *rq = sim_request_of(head->next);

	if (is_aged && !is_aged_enough(queue, rq))
		return NULL;
	sim_list_remove(&rq->link);
	dd->classes[class].waiting--;
	if (dd->keeps_latest_pos) {
		dd->state.latest_pos[class][rq->dir] = rq->sector;
		deadline_find_position(dd, class, rq->dir);
	}
	lock_zone(queue, rq);
	rq->reason = SIM_REASON_AT_HEAD;
	return rq;
}

struct sim_request *deadline_dispatch_class(struct sim_queue *queue, unsigned class,
					    bool is_aged)
{
	struct deadline_data *dd = data_of(queue);
	struct sim_request *rq;

	/* Nothing changes where nothing waits. */
	if (!dd->classes[class].waiting)
		return NULL;
	if (!sim_list_is_empty(&dd->classes[class].head))
		return dispatch_head(queue, class, is_aged);
	rq = continue_batch(queue, class);
	if (!rq)
		rq = start_batch(queue, class);
	if (!rq || (is_aged && !is_aged_enough(queue, rq)))
		return NULL;
	dd->state.batching++;
	if (is_aged)
		rq->reason = SIM_REASON_AGED;
	deadline_take(queue, rq);
	return rq;
}

/* --- insertion, merging, completion ------------------------------------------------ */

int deadline_insert_request(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct sim_queue *queue = hctx->queue;
	struct deadline_data *dd = data_of(queue);
	struct deadline_class *class;
	int r;

	class = &dd->classes[deadline_class_of(dd, rq)];
	rq->fifo_jiffies = sim_queue_jiffies(queue) + dd->expire_jiffies[rq->dir];
	if (rq->flags & SIM_REQUEST_AT_HEAD) {
		sim_list_add_head(&class->head, &rq->link);
		class->queued++;
		class->waiting++;
		return 0;
	}
	merge_hash_prefetch(&queue->merge_hash, sim_request_end(rq));
	r = sector_tree_insert(&class->tree[rq->dir], rq);
	if (r < 0)
		return r;
	note_inserted(dd, rq);
	sim_list_add_tail(&class->fifo[rq->dir], &rq->link);
	merge_hash_add(&queue->merge_hash, rq);
	if (!queue->last_merge)
		queue->last_merge = rq;
	class->queued++;
	class->waiting++;
	return 0;
}

bool deadline_has_work(const struct sim_hctx *hctx)
{
	const struct deadline_data *dd = data_of(hctx->queue);

	for (unsigned i = 0; i < dd->class_count; i++) {
		if (dd->classes[i].waiting > 0)
			return true;
	}
	return false;
}

struct sim_request *deadline_request_merge(struct sim_queue *queue,
					   const struct sim_bio *bio)
{
	struct deadline_data *dd = data_of(queue);
	unsigned class = dd->class_count == 1 ? 0 : bio->class;

	if (!dd->front_merges)
		return NULL;
	return sector_tree_find(&dd->classes[class].tree[sim_op_dir(bio->op)],
				bio->sector + bio->sectors);
}

int deadline_request_merged(struct sim_queue *queue, struct sim_request *rq,
			    enum sim_merge merge, uint64_t old_sector)
{
	struct deadline_data *dd = data_of(queue);
	struct sector_tree *tree = &dd->classes[deadline_class_of(dd, rq)].tree[rq->dir];
	uint64_t sector = rq->sector;
	int r;

	if (merge != SIM_MERGE_FRONT || !rq->leaf)
		return 0;
	rq->sector = old_sector;
	sector_tree_remove(tree, rq);
	rq->sector = sector;
	r = sector_tree_insert(tree, rq);
	if (r < 0)
		return r;
	if (dd->keeps_latest_pos)
		deadline_find_position(dd, deadline_class_of(dd, rq), rq->dir);
	return 0;
}

void deadline_requests_merged(struct sim_queue *queue, struct sim_request *rq,
			      struct sim_request *next)
{
	struct deadline_data *dd = data_of(queue);

	/* The earlier deadline wins, and its place in the FIFO with it. */
	if (rq->leaf && next->leaf && next->fifo_jiffies < rq->fifo_jiffies) {
		sim_list_remove(&rq->link);
		sim_list_add_before(&next->link, &rq->link);
		rq->fifo_jiffies = next->fifo_jiffies;
	}
	if (dd->state.next_rq[deadline_class_of(dd, next)][next->dir] == next)
		dd->state.next_rq[deadline_class_of(dd, next)][next->dir] =
			sector_tree_next(next);
	sector_tree_remove(&class_of(queue, next)->tree[next->dir], next);
	take_out(queue, next);
}

struct sim_request *deadline_former_request(struct sim_queue *queue,
					    struct sim_request *rq)
{
	(void)queue;
	return rq->leaf ? sector_tree_prev(rq) : NULL;
}

struct sim_request *deadline_next_request(struct sim_queue *queue, struct sim_request *rq)
{
	(void)queue;
	return rq->leaf ? sector_tree_next(rq) : NULL;
}

void deadline_finish_request(struct sim_queue *queue, struct sim_request *rq)
{
	struct deadline_data *dd = data_of(queue);
	struct deadline_class *class = &dd->classes[deadline_class_of(dd, rq)];

	assert(class->queued > 0);
	class->queued--;
	if (!(rq->flags & SIM_REQUEST_HOLDS_ZONE))
		return;
	unlock_zone(queue, rq);
	if (!sim_list_is_empty(&class->fifo[SIM_DIR_WRITE]))
		sim_hctx_of(queue, rq)->needs_restart = true;
}
