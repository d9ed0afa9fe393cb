/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shingled recording of a host-aware drive: what is not written at a zone's write pointer
 * goes to a region of ordinary tracks, the media cache, and is brought home zone by zone:
 * a zone is read and written as a whole. A host-managed drive refuses such writes instead.
 */
#ifndef IOSCHED_SIM_MEDIA_SHINGLES_H
#define IOSCHED_SIM_MEDIA_SHINGLES_H

#include "sim/media/zones.h"

struct shingles {
	struct zones zones;
	bool is_host_managed;
	uint64_t cache_sectors;   /* size of the media cache */
	uint64_t used;            /* of it */
	uint64_t position;        /* where it is written next */
	uint32_t *detoured;       /* sectors of each zone that lie in the media cache */
	uint32_t *queue;          /* the zones with any, in the order in which they got them */
	uint64_t queue_first, queue_count;
	uint64_t cleaning_ns;     /* work left on the zone that is being cleaned; 0: none */
	uint64_t cleaning_zone, cleaning_sectors;
};

enum shingles_write {
	SHINGLES_HOME,    /* to where it belongs */
	SHINGLES_DETOUR,  /* to *sector in the media cache */
	SHINGLES_FULL,    /* the media cache has no room: clean first */
	SHINGLES_REFUSED,
};

int shingles_init(struct shingles *shingles, const struct sim_medium *medium,
		  double conventional_ratio, uint64_t cache_sectors, struct diag *diag);
void shingles_done(struct shingles *shingles);

enum shingles_write shingles_write(struct shingles *shingles, uint64_t *sector,
				   uint32_t sectors);

/* Is there anything to bring home? */
static inline bool shingles_want_cleaning(const struct shingles *shingles)
{
	return shingles->cleaning_ns || shingles->queue_count;
}

/* Chooses the next zone, which takes `zone_ns` in all, unless one is begun: its sector. */
uint64_t shingles_clean(struct shingles *shingles, uint64_t zone_ns);
/* So much of the work is done. */
void shingles_cleaned(struct shingles *shingles, uint64_t work_ns);

#endif
