/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory of a spinning disk: segments of what was read and read ahead, the least used
 * of which is given up, and the extents that were accepted but not yet written.
 */
#ifndef IOSCHED_SIM_MEDIA_HDD_CACHE_H
#define IOSCHED_SIM_MEDIA_HDD_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/media/write-back.h"

#define HDD_SEGMENTS_MAX 256

struct hdd_segment {
	struct media_extent extent;
	uint64_t used; /* when: a count of uses */
};

struct hdd_cache {
	struct hdd_segment segments[HDD_SEGMENTS_MAX];
	unsigned segment_count;
	uint64_t segment_sectors;
	uint64_t uses;

	struct write_back dirty;
};

void hdd_cache_init(struct hdd_cache *cache, uint64_t read_sectors, unsigned segments,
		    uint64_t write_sectors);

/* The segment that holds the sector or ends before it; NULL. */
struct hdd_segment *hdd_cache_find(struct hdd_cache *cache, uint64_t sector);
/* Is all of it in one segment, or waiting to be written? */
bool hdd_cache_holds(struct hdd_cache *cache, struct media_extent extent);
/* It was read: the segment that has it now. */
struct hdd_segment *hdd_cache_add(struct hdd_cache *cache, struct media_extent extent);
/* The segment goes on to `end`, and forgets its beginning where it is too long. */
void hdd_cache_grow(const struct hdd_cache *cache, struct hdd_segment *segment,
		    uint64_t end);

/* It is written: what was read of it is of no use. */
void hdd_cache_forget(struct hdd_cache *cache, struct media_extent extent);

#endif
