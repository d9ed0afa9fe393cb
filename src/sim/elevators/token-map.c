/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The token bitmap. The search begins in the word of the hint and takes that word's lowest
 * free bit; a token that comes back becomes free when its word has no other one left.
 * Waiters are woken in batches of an eighth of the size, at most eight at once.
 */
#include "sim/elevators/token-map.h"

#include <string.h>

#define WAIT_QUEUES    8
#define WAKE_BATCH_MAX 8

static void set_wake_batch(struct token_map *map)
{
	unsigned batch = map->size / WAIT_QUEUES;

	if (batch > WAKE_BATCH_MAX)
		batch = WAKE_BATCH_MAX;
	if (batch < 1)
		batch = 1;
	map->wake_batch = batch;
	map->until_wake = batch;
}

void token_map_init(struct token_map *map, unsigned size)
{
	memset(map, 0, sizeof(*map));
	map->size = size;
	/* At least four words where the size allows it. */
	map->width_shift = 6;
	while (size >= 4 && map->width_shift > 0 && (4U << map->width_shift) > size)
		map->width_shift--;
	set_wake_batch(map);
}

void token_map_resize(struct token_map *map, unsigned size)
{
	for (unsigned i = 0; i < TOKENS_MAX; i++) {
		map->used[i] &= ~map->returned[i];
		map->returned[i] = 0;
	}
	map->size = size;
	set_wake_batch(map);
}

static unsigned word_count(const struct token_map *map)
{
	return ((map->size - 1) >> map->width_shift) + 1;
}

/* The bits of word `index` that are within the size. */
static uint64_t word_mask(const struct token_map *map, unsigned index)
{
	unsigned first = index << map->width_shift;
	unsigned bits = 1U << map->width_shift;

	if (map->size - first < bits)
		bits = map->size - first;
	return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static void move_hint(struct token_map *map, unsigned token)
{
	if (token == map->hint)
		map->hint = token + 1 >= map->size ? 0 : token + 1;
}

bool token_map_take(struct token_map *map, unsigned *ret)
{
	unsigned count = word_count(map);
	unsigned index;

	if (map->hint >= map->size)
		map->hint = 0;
	index = map->hint >> map->width_shift;
	for (unsigned i = 0; i < count; i++) {
		uint64_t free = ~map->used[index] & word_mask(map, index);

		if (!free && map->returned[index]) {
			map->used[index] &= ~map->returned[index];
			map->returned[index] = 0;
			free = ~map->used[index] & word_mask(map, index);
		}
		if (free) {
			unsigned bit = (unsigned)__builtin_ctzll(free);

			map->used[index] |= UINT64_C(1) << bit;
			map->out++;
			*ret = (index << map->width_shift) + bit;
			move_hint(map, *ret);
			return true;
		}
		index = index + 1 == count ? 0 : index + 1;
	}
	map->hint = 0;
	return false;
}

bool token_map_has_free(const struct token_map *map)
{
	unsigned count = word_count(map);

	for (unsigned i = 0; i < count; i++) {
		if (~(map->used[i] & ~map->returned[i]) & word_mask(map, i))
			return true;
	}
	return false;
}

bool token_map_give(struct token_map *map, unsigned token)
{
	unsigned index = token >> map->width_shift;

	map->returned[index] |= UINT64_C(1) << (token & ((1U << map->width_shift) - 1));
	map->out--;
	if (token < map->size)
		map->hint = token;
	if (--map->until_wake > 0)
		return false;
	map->until_wake = map->wake_batch;
	return true;
}

void token_map_undo(struct token_map *map, unsigned token)
{
	unsigned index = token >> map->width_shift;

	map->used[index] &= ~(UINT64_C(1) << (token & ((1U << map->width_shift) - 1)));
	map->out--;
}
