/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of a spinning disk. */
#include "sim/media/hdd-cache.h"

#include <string.h>

void hdd_cache_init(struct hdd_cache *cache, uint64_t read_sectors, unsigned segments,
		    uint64_t write_sectors)
{
	memset(cache, 0, sizeof(*cache));
	cache->segment_count = segments;
	cache->segment_sectors = read_sectors / segments;
	if (!cache->segment_sectors)
		cache->segment_count = 0;
	cache->dirty.limit = write_sectors;
}

struct hdd_segment *hdd_cache_find(struct hdd_cache *cache, uint64_t sector)
{
	for (unsigned i = 0; i < cache->segment_count; i++) {
		struct hdd_segment *segment = &cache->segments[i];

		if (segment->extent.begin <= sector && sector <= segment->extent.end &&
		    segment->used)
			return segment;
	}
	return NULL;
}

bool hdd_cache_holds(struct hdd_cache *cache, struct media_extent extent)
{
	for (unsigned i = 0; i < cache->segment_count; i++) {
		struct hdd_segment *segment = &cache->segments[i];

		if (segment->extent.begin <= extent.begin && extent.end <= segment->extent.end &&
		    segment->used) {
			segment->used = ++cache->uses;
			return true;
		}
	}
	return write_back_holds(&cache->dirty, extent);
}

void hdd_cache_grow(const struct hdd_cache *cache, struct hdd_segment *segment, uint64_t end)
{
	segment->extent.end = end;
	if (end - segment->extent.begin > cache->segment_sectors)
		segment->extent.begin = end - cache->segment_sectors;
}

struct hdd_segment *hdd_cache_add(struct hdd_cache *cache, struct media_extent extent)
{
	struct hdd_segment *segment = hdd_cache_find(cache, extent.begin);

	if (!cache->segment_count)
		return NULL;
	if (!segment) {
		segment = &cache->segments[0];
		for (unsigned i = 1; i < cache->segment_count; i++) {
			if (cache->segments[i].used < segment->used)
				segment = &cache->segments[i];
		}
		segment->extent.begin = extent.begin;
		segment->extent.end = extent.begin;
	}
	segment->used = ++cache->uses;
	if (extent.end > segment->extent.end)
		hdd_cache_grow(cache, segment, extent.end);
	return segment;
}

void hdd_cache_forget(struct hdd_cache *cache, struct media_extent extent)
{
	for (unsigned i = 0; i < cache->segment_count; i++) {
		struct hdd_segment *segment = &cache->segments[i];

		if (segment->extent.begin < extent.end && extent.begin < segment->extent.end)
			segment->used = 0;
	}
}
