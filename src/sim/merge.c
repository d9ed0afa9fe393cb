/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Merging, in the kernel's order of candidates. */
#include "sim/merge.h"

#include <assert.h>

static bool is_like(const struct sim_request *rq, unsigned class, unsigned level)
{
	return rq->class == class && rq->level == level;
}

static bool fits(const struct sim_request *rq, uint32_t sectors)
{
	return rq->sectors <= SIM_MERGE_SECTORS_MAX &&
	       sectors <= SIM_MERGE_SECTORS_MAX - rq->sectors;
}

static bool can_take_bio(struct sim_queue *queue, const struct sim_request *rq,
			 const struct sim_bio *bio)
{
	return is_like(rq, bio->class, bio->level) && fits(rq, bio->sectors) &&
	       (!queue->ops->allow_bio || queue->ops->allow_bio(queue, rq, bio));
}

/* The block layer's search, for schedulers that have none of their own. */
static enum sim_merge find_for_bio(struct sim_queue *queue, const struct sim_bio *bio,
				   struct sim_request **ret)
{
	const uint64_t end = bio->sector + bio->sectors;
	struct sim_request *rq = queue->last_merge;
	enum sim_merge merge;

	if (rq && can_take_bio(queue, rq, bio)) {
		merge = sim_request_merge_kind(rq, bio->op, bio->sector, bio->sectors);
		if (merge != SIM_MERGE_NONE) {
			*ret = rq;
			return merge;
		}
	}
	rq = merge_hash_find(&queue->merge_hash, bio->sector, bio->op);
	if (rq && can_take_bio(queue, rq, bio)) {
		*ret = rq;
		return SIM_MERGE_BACK;
	}
	if (!queue->ops->request_merge)
		return SIM_MERGE_NONE;
	rq = queue->ops->request_merge(queue, bio);
	if (!rq || !can_take_bio(queue, rq, bio) || rq->sector != end)
		return SIM_MERGE_NONE;
	*ret = rq;
	return SIM_MERGE_FRONT;
}

/* The end is the hash's key: out under the old one, in under the new. */
static void grow_end(struct sim_queue *queue, struct sim_request *rq, uint32_t sectors)
{
	bool is_hashed = rq->hash_link != NULL;

	if (is_hashed)
		merge_hash_remove(&queue->merge_hash, rq);
	rq->sectors += sectors;
	if (is_hashed)
		merge_hash_add(&queue->merge_hash, rq);
}

int sim_merge_grow(struct sim_queue *queue, struct sim_request *rq, enum sim_merge merge,
		   uint32_t sectors)
{
	uint64_t old_sector = rq->sector;
	int r = 0;

	assert(merge != SIM_MERGE_NONE);
	if (merge == SIM_MERGE_FRONT) {
		rq->sector -= sectors;
		rq->sectors += sectors;
	} else {
		grow_end(queue, rq, sectors);
	}
	if (rq->state == SIM_STATE_WAITING) {
		if (queue->ops->request_merged)
			r = queue->ops->request_merged(queue, rq, merge, old_sector);
		queue->last_merge = rq;
	}
	return r;
}

static void chain_ios(struct sim_request *rq, struct sim_request *next)
{
	if (!next->ios)
		return;
	if (rq->ios)
		rq->ios_tail->next = next->ios;
	else
		rq->ios = next->ios;
	rq->ios_tail = next->ios_tail;
	next->ios = NULL;
	next->ios_tail = NULL;
}

void sim_merge_requests(struct sim_queue *queue, struct sim_request *rq,
			struct sim_request *next)
{
	if (next->state == SIM_STATE_WAITING && queue->ops->requests_merged)
		queue->ops->requests_merged(queue, rq, next);
	grow_end(queue, rq, next->sectors);
	if (next->start_ns < rq->start_ns)
		rq->start_ns = next->start_ns;
	chain_ios(rq, next);
	sim_queue_merged_away(queue, next);
	if (rq->state == SIM_STATE_WAITING)
		queue->last_merge = rq;
}

/* It became part of another. */
static void forget(struct sim_queue *queue, struct sim_request *rq)
{
	if (queue->on_merged_away)
		queue->on_merged_away(rq);
	sim_request_free(queue, rq);
}

static bool can_join(struct sim_queue *queue, const struct sim_request *rq,
		     const struct sim_request *next)
{
	return rq->op == next->op && sim_request_end(rq) == next->sector &&
	       is_like(rq, next->class, next->level) && fits(rq, next->sectors) &&
	       !((rq->flags | next->flags) & SIM_REQUEST_NOMERGE) &&
	       (!queue->ops->allow_join || queue->ops->allow_join(queue, rq, next));
}

/* A request that grew may now touch its neighbour in sector order. */
static struct sim_request *join_neighbour(struct sim_queue *queue, struct sim_request *rq,
					  enum sim_merge merge)
{
	struct sim_request *other;

	if (merge == SIM_MERGE_BACK) {
		other = queue->ops->next_request ? queue->ops->next_request(queue, rq) : NULL;
		if (other && can_join(queue, rq, other)) {
			sim_merge_requests(queue, rq, other);
			forget(queue, other);
		}
		return rq;
	}
	other = queue->ops->former_request ? queue->ops->former_request(queue, rq) : NULL;
	if (!other || !can_join(queue, other, rq))
		return rq;
	sim_merge_requests(queue, other, rq);
	forget(queue, rq);
	return other;
}

int sim_merge_bio(struct sim_queue *queue, const struct sim_bio *bio,
		  struct sim_request **ret)
{
	struct sim_request *rq = NULL;
	enum sim_merge merge = SIM_MERGE_NONE;
	int r;

	*ret = NULL;
	if (!bio->sectors || !queue->waiting)
		return 0;
	if (queue->ops->bio_merge) {
		if (!queue->ops->bio_merge(queue, bio->op, bio->sector, bio->sectors,
					   bio->cpu, &rq, &merge) ||
		    !can_take_bio(queue, rq, bio))
			return 0;
	} else {
		merge = find_for_bio(queue, bio, &rq);
	}
	if (merge == SIM_MERGE_NONE)
		return 0;
	r = sim_merge_grow(queue, rq, merge, bio->sectors);
	if (r < 0)
		return r;
	*ret = join_neighbour(queue, rq, merge);
	return 0;
}

int sim_merge_insert(struct sim_queue *queue, struct sim_request *rq,
		     struct sim_request **ret)
{
	struct sim_request *into = queue->last_merge;

	*ret = NULL;
	if (!queue->ops->merges_inserts || !queue->waiting)
		return 0;
	if (!into || !can_join(queue, into, rq))
		into = merge_hash_find(&queue->merge_hash, rq->sector, rq->op);
	while (into && into != rq && can_join(queue, into, rq)) {
		sim_merge_requests(queue, into, rq);
		forget(queue, rq);
		*ret = into;
		rq = into;
		into = merge_hash_find(&queue->merge_hash, rq->sector, rq->op);
	}
	return 0;
}
