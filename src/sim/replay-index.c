/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The index of live requests: chained hash, oldest first. */
#include "sim/replay-internal.h"

#include <errno.h>
#include <stdlib.h>

#define INDEX_BITS 16

struct replay_node {
	struct replay_node *next;
	struct sim_request *rq;
};

int replay_index_init(struct replay_index *index)
{
	*index = (struct replay_index){ 0 };
	pool_init(&index->nodes, sizeof(struct replay_node));
	index->buckets = calloc((size_t)1 << INDEX_BITS, sizeof(index->buckets[0]));
	return index->buckets ? 0 : -ENOMEM;
}

void replay_index_done(struct replay_index *index)
{
	pool_done(&index->nodes);
	free(index->buckets);
	index->buckets = NULL;
}

static struct replay_node **bucket_of(const struct replay_index *index, uint64_t sector)
{
	return &index->buckets[(sector * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - INDEX_BITS)];
}

int replay_index_add(struct replay_index *index, struct sim_request *rq)
{
	struct replay_node *node = pool_take(&index->nodes);
	struct replay_node **link;

	if (!node)
		return -ENOMEM;
	node->next = NULL;
	node->rq = rq;
	for (link = bucket_of(index, rq->sector); *link; link = &(*link)->next)
		;
	*link = node;
	index->count++;
	return 0;
}

void replay_index_remove(struct replay_index *index, const struct sim_request *rq)
{
	struct replay_node **link = bucket_of(index, rq->sector);

	while (*link && (*link)->rq != rq)
		link = &(*link)->next;
	if (*link) {
		struct replay_node *node = *link;

		*link = node->next;
		pool_give(&index->nodes, node);
		index->count--;
	}
}

static bool agrees_wholly(const struct sim_request *rq, const struct replay_key *key)
{
	return rq->sectors == key->sectors && (key->class < 0 || rq->class == key->class) &&
	       (!key->pid || rq->pid == key->pid);
}

struct sim_request *replay_index_find(const struct replay_index *index,
				      const struct replay_key *key)
{
	const struct replay_node *node = *bucket_of(index, key->sector);
	struct sim_request *first = NULL;

	for (; node; node = node->next) {
		struct sim_request *rq = node->rq;

		if (rq->sector != key->sector || rq->op != key->op ||
		    !(key->states & (1U << rq->state)))
			continue;
		if (agrees_wholly(rq, key))
			return rq;
		if (!first)
			first = rq;
	}
	return first;
}
