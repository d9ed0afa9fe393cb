/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Objects of one size, taken and given back in constant time. Memory comes in chunks that
 * double up to a limit and is released all at once; neighbours in time are neighbours in
 * memory, which is what keeps a queue of many requests fast.
 */
#ifndef IOSCHED_SIM_POOL_H
#define IOSCHED_SIM_POOL_H

#include <stddef.h>

struct pool_chunk;

struct pool {
	size_t size;             /* of one object, rounded up */
	void *free;              /* given back, linked through their first word */
	char *fresh, *fresh_end; /* never used yet, in the newest chunk */
	struct pool_chunk *chunks;
	size_t next_count;
};

void pool_init(struct pool *pool, size_t size);
/* Every object of the pool ends here, given back or not. */
void pool_done(struct pool *pool);

/* The slow path of pool_take(): a new chunk. NULL without memory. */
void *pool_grow(struct pool *pool);

/* The content is undefined. NULL without memory. */
static inline void *pool_take(struct pool *pool)
{
	void *object = pool->free;

	if (object) {
		pool->free = *(void **)object;
		return object;
	}
	if (pool->fresh == pool->fresh_end)
		return pool_grow(pool);
	object = pool->fresh;
	pool->fresh += pool->size;
	return object;
}

static inline void pool_give(struct pool *pool, void *object)
{
	*(void **)object = pool->free;
	pool->free = object;
}

#endif
