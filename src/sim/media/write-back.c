/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a write cache has accepted and not yet written. */
#include "sim/media/write-back.h"

#include <string.h>

unsigned write_back_after(const struct write_back *cache, uint64_t sector)
{
	unsigned low = 0, high = cache->count;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (cache->extents[middle].end <= sector)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void remove_extents(struct write_back *cache, unsigned index, unsigned count)
{
	memmove(&cache->extents[index], &cache->extents[index + count],
		(cache->count - index - count) * sizeof(cache->extents[0]));
	cache->count -= count;
}

bool write_back_accept(struct write_back *cache, struct media_extent extent)
{
	/* One that ends where this begins joins it. */
	unsigned first = write_back_after(cache, extent.begin ? extent.begin - 1 : 0);
	unsigned last = first;
	uint64_t length;

	if (cache->sectors + (extent.end - extent.begin) > cache->limit)
		return false;
	while (last < cache->count && cache->extents[last].begin <= extent.end) {
		if (cache->extents[last].begin < extent.begin)
			extent.begin = cache->extents[last].begin;
		if (cache->extents[last].end > extent.end)
			extent.end = cache->extents[last].end;
		cache->sectors -= cache->extents[last].end - cache->extents[last].begin;
		last++;
	}
	length = extent.end - extent.begin;
	if (last == first) {
		if (cache->count == WRITE_BACK_MAX)
			return false;
		memmove(&cache->extents[first + 1], &cache->extents[first],
			(cache->count - first) * sizeof(cache->extents[0]));
		cache->count++;
	} else {
		remove_extents(cache, first + 1, last - first - 1);
	}
	cache->extents[first] = extent;
	cache->sectors += length;
	return true;
}

bool write_back_holds(const struct write_back *cache, struct media_extent extent)
{
	unsigned index = write_back_after(cache, extent.begin);

	return index < cache->count && cache->extents[index].begin <= extent.begin &&
	       extent.end <= cache->extents[index].end;
}

struct media_extent write_back_take(struct write_back *cache, unsigned index, uint64_t most)
{
	struct media_extent taken = cache->extents[index];

	if (taken.end - taken.begin > most) {
		taken.end = taken.begin + most;
		cache->extents[index].begin = taken.end;
	} else {
		remove_extents(cache, index, 1);
	}
	cache->sectors -= taken.end - taken.begin;
	return taken;
}
