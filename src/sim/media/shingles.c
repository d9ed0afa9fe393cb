/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shingled recording: the media cache and its cleaning. */
#include "sim/media/shingles.h"

#include <errno.h>
#include <stdlib.h>

#include "util/i18n.h"

int shingles_init(struct shingles *shingles, const struct sim_medium *medium,
		  double conventional_ratio, uint64_t cache_sectors, struct diag *diag)
{
	uint64_t count;
	int r;

	*shingles = (struct shingles){
		.is_host_managed = medium->is_host_managed,
		.cache_sectors = cache_sectors,
	};
	r = zones_init(&shingles->zones, medium, conventional_ratio, diag);
	if (r < 0 || !shingles->zones.count || shingles->is_host_managed)
		return r;
	if (cache_sectors < 2 * (uint64_t)medium->zone_sectors ||
	    cache_sectors > medium->capacity_sectors) {
		diag_set(diag, -EINVAL,
			 _("\"media_cache_gib\" must hold two zones and fit on the disk"));
		return -EINVAL;
	}
	count = shingles->zones.count;
	shingles->detoured = calloc(count, sizeof(*shingles->detoured));
	shingles->queue = calloc(count, sizeof(*shingles->queue));
	return shingles->detoured && shingles->queue ? 0 : -ENOMEM;
}

void shingles_done(struct shingles *shingles)
{
	zones_done(&shingles->zones);
	free(shingles->detoured);
	free(shingles->queue);
	shingles->detoured = shingles->queue = NULL;
}

static void remember_zone(struct shingles *shingles, uint64_t zone, uint32_t sectors)
{
	uint64_t count = shingles->zones.count;
	uint64_t end = (shingles->queue_first + shingles->queue_count) % count;

	if (!shingles->detoured[zone]) {
		shingles->queue[end] = (uint32_t)zone;
		shingles->queue_count++;
	}
	shingles->detoured[zone] += sectors;
}

enum shingles_write shingles_write(struct shingles *shingles, uint64_t *sector,
				   uint32_t sectors)
{
	uint64_t zone;

	if (!shingles->zones.count ||
	    zones_write(&shingles->zones, *sector, sectors) != ZONE_WRITE_ELSEWHERE)
		return SHINGLES_HOME;
	if (shingles->is_host_managed)
		return SHINGLES_REFUSED;
	/* Larger than a zone, it overwrites whole ones: nothing would be gained. */
	if (sectors > shingles->zones.zone_sectors)
		return SHINGLES_HOME;
	if (shingles->used + sectors > shingles->cache_sectors)
		return SHINGLES_FULL;
	zone = *sector / shingles->zones.zone_sectors;
	if (zone >= shingles->zones.count)
		zone = shingles->zones.count - 1;
	remember_zone(shingles, zone, sectors);
	shingles->used += sectors;
	if (shingles->position + sectors > shingles->cache_sectors)
		shingles->position = 0;
	*sector = shingles->position;
	shingles->position += sectors;
	return SHINGLES_DETOUR;
}

uint64_t shingles_clean(struct shingles *shingles, uint64_t zone_ns)
{
	if (!shingles->cleaning_ns) {
		shingles->cleaning_zone = shingles->queue[shingles->queue_first];
		shingles->queue_first = (shingles->queue_first + 1) % shingles->zones.count;
		shingles->queue_count--;
		shingles->cleaning_ns = zone_ns ? zone_ns : 1;
		/* What comes meanwhile is for another time. */
		shingles->cleaning_sectors = shingles->detoured[shingles->cleaning_zone];
		shingles->detoured[shingles->cleaning_zone] = 0;
	}
	return shingles->cleaning_zone * shingles->zones.zone_sectors;
}

void shingles_cleaned(struct shingles *shingles, uint64_t work_ns)
{
	if (work_ns < shingles->cleaning_ns) {
		shingles->cleaning_ns -= work_ns;
		return;
	}
	shingles->cleaning_ns = 0;
	shingles->used -= shingles->cleaning_sectors;
}
