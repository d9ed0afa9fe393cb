/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler tags of a hardware queue: a bitmap in words. Who may have a part of the tags
 * only may have that part of each word, its lowest bits, wherever the tags of the others lie.
 * Each processor begins in the word of the tag that came free there last, and takes the lowest
 * one that is free.
 *
 * Source: the documentation of the kernel's scalable bitmap (include/linux/sbitmap.h), and
 * recordings: beyond its part a process has one request of each word up to 6.12, one in all on
 * 6.18.
 */
#ifndef IOSCHED_SIM_TAG_MAP_H
#define IOSCHED_SIM_TAG_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define TAG_MAP_MAX 65536

struct tag_map {
	uint64_t *words;   /* a set bit is a tag that is taken */
	uint16_t *hints;   /* by processor */
	unsigned tags, word_bits, word_shift, word_count, cpus;
	unsigned taken;
	bool parts_are_of_all; /* a part is of all tags, spread over the words; of each word */
};

/* The bits of a word: four words at least, where there are so many tags. */
unsigned tag_map_word_bits(unsigned tags);

/* 1 <= tags <= TAG_MAP_MAX, 1 <= cpus. 0, -ENOMEM. */
int tag_map_init(struct tag_map *map, unsigned tags, unsigned cpus, bool parts_are_of_all);
void tag_map_done(struct tag_map *map);

/* A tag, of the part that `limit` of all tags are; -1: none of it is free. cpu < cpus. */
int tag_map_take(struct tag_map *map, unsigned cpu, unsigned limit);
void tag_map_give(struct tag_map *map, unsigned cpu, unsigned tag);

#endif
