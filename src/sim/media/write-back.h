/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a write cache has accepted and not yet written: extents in the order of their
 * sectors, those that touch joined. A bounded number of them, as controllers have.
 */
#ifndef IOSCHED_SIM_MEDIA_WRITE_BACK_H
#define IOSCHED_SIM_MEDIA_WRITE_BACK_H

#include <stdbool.h>
#include <stdint.h>

#define WRITE_BACK_MAX 2048

/* Sectors from `begin`, without `end`. */
struct media_extent {
	uint64_t begin, end;
};

struct write_back {
	struct media_extent extents[WRITE_BACK_MAX]; /* in order; no two touch */
	unsigned count;
	uint64_t sectors, limit; /* limit 0: nothing is accepted */
};

/* Accepts a write; false: no room for it now. */
bool write_back_accept(struct write_back *cache, struct media_extent extent);
/* The first extent that ends after the sector; count when there is none. */
unsigned write_back_after(const struct write_back *cache, uint64_t sector);
/* Is all of it in one extent? */
bool write_back_holds(const struct write_back *cache, struct media_extent extent);
/* Takes at most so many sectors of the beginning of an extent. */
struct media_extent write_back_take(struct write_back *cache, unsigned index, uint64_t most);

#endif
