/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The merge hash: intrusive chains over a table that doubles with its content. */
#include "sim/merge-hash.h"

#include <errno.h>
#include <stdlib.h>

#define MERGE_HASH_FIRST_BITS 6
#define MERGE_HASH_LAST_BITS  24

int merge_hash_init(struct merge_hash *hash)
{
	*hash = (struct merge_hash){ .bits = MERGE_HASH_FIRST_BITS };
	hash->buckets = calloc((size_t)1 << hash->bits, sizeof(hash->buckets[0]));
	return hash->buckets ? 0 : -ENOMEM;
}

void merge_hash_done(struct merge_hash *hash)
{
	free(hash->buckets);
	*hash = (struct merge_hash){ 0 };
}

/* 2^64 divided by the golden ratio: neighbouring sectors land far apart. */
static size_t bucket_of(const struct merge_hash *hash, uint64_t end)
{
	return (size_t)((end * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - hash->bits));
}

static void chain_add(struct sim_request **bucket, struct sim_request *rq)
{
	rq->hash_next = *bucket;
	rq->hash_link = bucket;
	if (rq->hash_next)
		rq->hash_next->hash_link = &rq->hash_next;
	*bucket = rq;
}

static void merge_hash_grow(struct merge_hash *hash)
{
	struct merge_hash larger = { .bits = hash->bits + 1, .count = hash->count };
	size_t count = (size_t)1 << hash->bits;

	larger.buckets = calloc(count * 2, sizeof(larger.buckets[0]));
	if (!larger.buckets)
		return;
	for (size_t i = 0; i < count; i++) {
		struct sim_request *kept = NULL, *rq, *next;

		/* Turned over twice, so that a chain keeps its order. */
		for (rq = hash->buckets[i]; rq; rq = next) {
			next = rq->hash_next;
			rq->hash_next = kept;
			kept = rq;
		}
		for (rq = kept; rq; rq = next) {
			next = rq->hash_next;
			chain_add(&larger.buckets[bucket_of(&larger, sim_request_end(rq))],
				  rq);
		}
	}
	free(hash->buckets);
	*hash = larger;
}

void merge_hash_add(struct merge_hash *hash, struct sim_request *rq)
{
	/* Half full at most: a new request then seldom meets another. */
	if (hash->count * 2 >> hash->bits && hash->bits < MERGE_HASH_LAST_BITS)
		merge_hash_grow(hash);
	chain_add(&hash->buckets[bucket_of(hash, sim_request_end(rq))], rq);
	hash->count++;
}

void merge_hash_remove(struct merge_hash *hash, struct sim_request *rq)
{
	if (!rq->hash_link)
		return;
	*rq->hash_link = rq->hash_next;
	if (rq->hash_next)
		rq->hash_next->hash_link = rq->hash_link;
	rq->hash_link = NULL;
	rq->hash_next = NULL;
	hash->count--;
}

struct sim_request *merge_hash_find(const struct merge_hash *hash, uint64_t end,
				    enum sim_op op)
{
	struct sim_request *rq = hash->buckets[bucket_of(hash, end)];

	for (; rq; rq = rq->hash_next) {
		if (sim_request_end(rq) == end && rq->op == op)
			return rq;
	}
	return NULL;
}
