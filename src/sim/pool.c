/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Object pools: the chunks behind them. */
#include "sim/pool.h"

#include <stdint.h>
#include <stdlib.h>

/* Cache-line alignment keeps a request from sharing its line with another. */
#define POOL_ALIGN       64
#define POOL_FIRST_COUNT 64
#define POOL_MAX_COUNT   16384

struct pool_chunk {
	struct pool_chunk *next;
};

void pool_init(struct pool *pool, size_t size)
{
	size_t align = size >= POOL_ALIGN ? POOL_ALIGN : sizeof(void *);

	*pool = (struct pool){
		.size = (size + align - 1) / align * align,
		.next_count = POOL_FIRST_COUNT,
	};
}

void pool_done(struct pool *pool)
{
	while (pool->chunks) {
		struct pool_chunk *next = pool->chunks->next;

		free(pool->chunks);
		pool->chunks = next;
	}
	pool->free = NULL;
	pool->fresh = NULL;
	pool->fresh_end = NULL;
}

void *pool_grow(struct pool *pool)
{
	struct pool_chunk *chunk;
	void *object;

	if (pool->size > (SIZE_MAX - POOL_ALIGN) / pool->next_count)
		return NULL;
	/* aligned_alloc() wants a multiple of the alignment. */
	chunk = aligned_alloc(POOL_ALIGN, (POOL_ALIGN + pool->size * pool->next_count +
					   POOL_ALIGN - 1) / POOL_ALIGN * POOL_ALIGN);
	if (!chunk)
		return NULL;
	chunk->next = pool->chunks;
	pool->chunks = chunk;
	pool->fresh = (char *)chunk + POOL_ALIGN;
	pool->fresh_end = pool->fresh + pool->size * pool->next_count;
	if (pool->next_count < POOL_MAX_COUNT)
		pool->next_count *= 2;

	object = pool->fresh;
	pool->fresh += pool->size;
	return object;
}
