/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kyber's tokens of one domain: a bitmap whose size can change while tokens are out. A
 * token that lies beyond a new, smaller size is not missed until it comes back, which is
 * why it has a number and is not just counted.
 */
#ifndef IOSCHED_SIM_ELEVATORS_TOKEN_MAP_H
#define IOSCHED_SIM_ELEVATORS_TOKEN_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define TOKENS_MAX 256

struct token_map {
	uint64_t used[TOKENS_MAX];     /* one word each, as many bits as the map's width */
	uint64_t returned[TOKENS_MAX]; /* came back, cleared when the word is full */
	unsigned width_shift;          /* bits a word: fixed by the first size */
	unsigned size;
	unsigned hint;                 /* where the search starts */
	unsigned wake_batch, until_wake;
	unsigned out;
};

void token_map_init(struct token_map *map, unsigned size);
void token_map_resize(struct token_map *map, unsigned size);

/* True: *ret is the token's number. */
bool token_map_take(struct token_map *map, unsigned *ret);
/* True: enough came back to wake one who waits. */
bool token_map_give(struct token_map *map, unsigned token);
/* Would token_map_take() succeed? */
bool token_map_has_free(const struct token_map *map);
/* As if the token had never been taken. */
void token_map_undo(struct token_map *map, unsigned token);

#endif
