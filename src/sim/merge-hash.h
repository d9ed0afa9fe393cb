/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waiting requests by the sector behind their last one: how a bio finds the request that
 * it continues. The newest of several with the same end is found first.
 */
#ifndef IOSCHED_SIM_MERGE_HASH_H
#define IOSCHED_SIM_MERGE_HASH_H

#include <stddef.h>
#include <stdint.h>

#include "sim/request.h"

struct merge_hash {
	struct sim_request **buckets;
	unsigned bits;
	size_t count;
};

/* 0 or -ENOMEM. */
int merge_hash_init(struct merge_hash *hash);
void merge_hash_done(struct merge_hash *hash);

/* Without memory to grow, the chains just get longer. */
void merge_hash_add(struct merge_hash *hash, struct sim_request *rq);
/* A request that is not in the hash is left alone. */
void merge_hash_remove(struct merge_hash *hash, struct sim_request *rq);

/* Brings what merge_hash_add() will touch near. */
static inline void merge_hash_prefetch(const struct merge_hash *hash, uint64_t end)
{
	__builtin_prefetch(&hash->buckets[(size_t)((end * UINT64_C(0x9e3779b97f4a7c15)) >>
						   (64 - hash->bits))]);
}

struct sim_request *merge_hash_find(const struct merge_hash *hash, uint64_t end,
				    enum sim_op op);

#endif
