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
	cache->dirty_limit = write_sectors;
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

bool hdd_cache_holds(struct hdd_cache *cache, struct hdd_extent extent)
{
	unsigned index;

	for (unsigned i = 0; i < cache->segment_count; i++) {
		struct hdd_segment *segment = &cache->segments[i];

		if (segment->extent.begin <= extent.begin && extent.end <= segment->extent.end &&
		    segment->used) {
			segment->used = ++cache->uses;
			return true;
		}
	}
	index = hdd_cache_dirty_after(cache, extent.begin);
	return index < cache->dirty_count && cache->dirty[index].begin <= extent.begin &&
	       extent.end <= cache->dirty[index].end;
}

void hdd_cache_grow(const struct hdd_cache *cache, struct hdd_segment *segment, uint64_t end)
{
	segment->extent.end = end;
	if (end - segment->extent.begin > cache->segment_sectors)
		segment->extent.begin = end - cache->segment_sectors;
}

struct hdd_segment *hdd_cache_add(struct hdd_cache *cache, struct hdd_extent extent)
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

void hdd_cache_forget(struct hdd_cache *cache, struct hdd_extent extent)
{
	for (unsigned i = 0; i < cache->segment_count; i++) {
		struct hdd_segment *segment = &cache->segments[i];

		if (segment->extent.begin < extent.end && extent.begin < segment->extent.end)
			segment->used = 0;
	}
}

unsigned hdd_cache_dirty_after(const struct hdd_cache *cache, uint64_t sector)
{
	unsigned low = 0, high = cache->dirty_count;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (cache->dirty[middle].end <= sector)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void remove_dirty(struct hdd_cache *cache, unsigned index, unsigned count)
{
	memmove(&cache->dirty[index], &cache->dirty[index + count],
		(cache->dirty_count - index - count) * sizeof(cache->dirty[0]));
	cache->dirty_count -= count;
}

bool hdd_cache_accept(struct hdd_cache *cache, struct hdd_extent extent)
{
	/* One that ends where this begins joins it. */
	unsigned first = hdd_cache_dirty_after(cache, extent.begin ? extent.begin - 1 : 0);
	unsigned last = first;
	uint64_t length;

	if (cache->dirty_sectors + (extent.end - extent.begin) > cache->dirty_limit)
		return false;
	while (last < cache->dirty_count && cache->dirty[last].begin <= extent.end) {
		if (cache->dirty[last].begin < extent.begin)
			extent.begin = cache->dirty[last].begin;
		if (cache->dirty[last].end > extent.end)
			extent.end = cache->dirty[last].end;
		cache->dirty_sectors -= cache->dirty[last].end - cache->dirty[last].begin;
		last++;
	}
	length = extent.end - extent.begin;
	if (last == first) {
		if (cache->dirty_count == HDD_DIRTY_MAX)
			return false;
		memmove(&cache->dirty[first + 1], &cache->dirty[first],
			(cache->dirty_count - first) * sizeof(cache->dirty[0]));
		cache->dirty_count++;
	} else {
		remove_dirty(cache, first + 1, last - first - 1);
	}
	cache->dirty[first] = extent;
	cache->dirty_sectors += length;
	return true;
}

struct hdd_extent hdd_cache_take(struct hdd_cache *cache, unsigned index, uint64_t most)
{
	struct hdd_extent taken = cache->dirty[index];

	if (taken.end - taken.begin > most) {
		taken.end = taken.begin + most;
		cache->dirty[index].begin = taken.end;
	} else {
		remove_dirty(cache, index, 1);
	}
	cache->dirty_sectors -= taken.end - taken.begin;
	return taken;
}
