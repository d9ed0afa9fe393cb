/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which tags are taken, and which one is next. */
#include "sim/tag-map.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#define WORD_BITS_MAX 64
#define WORDS_MIN     4

unsigned tag_map_word_bits(unsigned tags)
{
	unsigned bits = WORD_BITS_MAX;

	while (bits > 1 && WORDS_MIN * bits > tags)
		bits /= 2;
	return bits;
}

int tag_map_init(struct tag_map *map, unsigned tags, unsigned cpus, bool parts_are_of_all)
{
	unsigned bits = tag_map_word_bits(tags);

	assert(tags >= 1 && tags <= TAG_MAP_MAX && cpus >= 1);
	*map = (struct tag_map){
		.tags = tags,
		.word_bits = bits,
		.word_shift = (unsigned)__builtin_ctz(bits),
		.word_count = (tags + bits - 1) / bits,
		.cpus = cpus,
		.parts_are_of_all = parts_are_of_all,
	};
	map->words = calloc(map->word_count, sizeof(*map->words));
	map->hints = calloc(cpus, sizeof(*map->hints));
	if (!map->words || !map->hints) {
		tag_map_done(map);
		return -ENOMEM;
	}
	/* The kernel's begin anywhere. */
	for (unsigned i = 0; i < cpus; i++)
		map->hints[i] = (uint16_t)((uint64_t)i * tags / cpus);
	return 0;
}

void tag_map_done(struct tag_map *map)
{
	free(map->words);
	free(map->hints);
	map->words = NULL;
	map->hints = NULL;
}

/* The bits of this word that are in the part. */
static unsigned part_of(const struct tag_map *map, unsigned word, unsigned limit)
{
	unsigned begin = word << map->word_shift, bits = map->tags - begin, part;
	uint64_t scaled;

	if (bits > map->word_bits)
		bits = map->word_bits;
	if (limit >= map->tags)
		return bits;
	scaled = (uint64_t)bits * limit;
	part = (unsigned)(scaled / map->tags);
	if (map->parts_are_of_all)
		return part + (scaled % map->tags >= (uint64_t)(word + 1) * bits);
	part = (unsigned)((scaled + map->tags / 2) / map->tags);
	return part ? part : 1;
}

static int take_of(struct tag_map *map, unsigned word, unsigned limit)
{
	unsigned part = part_of(map, word, limit), bit;
	uint64_t mask = part >= WORD_BITS_MAX ? UINT64_MAX : (UINT64_C(1) << part) - 1;
	uint64_t available = ~map->words[word] & mask;

	if (!available)
		return -1;
	bit = (unsigned)__builtin_ctzll(available);
	map->words[word] |= UINT64_C(1) << bit;
	map->taken++;
	return (int)((word << map->word_shift) + bit);
}

int tag_map_take(struct tag_map *map, unsigned cpu, unsigned limit)
{
	uint16_t *hint = &map->hints[cpu];
	unsigned word = *hint >> map->word_shift;

	for (unsigned i = 0; map->taken < map->tags && i < map->word_count; i++) {
		int tag = take_of(map, word, limit);

		if (tag >= 0) {
			if ((unsigned)tag == *hint)
				*hint = (uint16_t)(*hint + 1u < map->tags ? *hint + 1u : 0);
			return tag;
		}
		word = word + 1 < map->word_count ? word + 1 : 0;
	}
	*hint = 0;
	return -1;
}

void tag_map_give(struct tag_map *map, unsigned cpu, unsigned tag)
{
	uint64_t *word = &map->words[tag >> map->word_shift];
	uint64_t bit = UINT64_C(1) << (tag & (map->word_bits - 1));

	assert(*word & bit);
	*word &= ~bit;
	map->taken--;
	map->hints[cpu] = (uint16_t)tag;
}
