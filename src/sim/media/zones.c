/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Zones and their write pointers. */
#include "sim/media/zones.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "util/i18n.h"

#define ZONE_UNKNOWN UINT64_MAX
#define CROSSED_MAX  64 /* zones that one write goes on over */

int zones_init(struct zones *zones, const struct sim_medium *medium, double conventional_ratio,
	       struct diag *diag)
{
	*zones = (struct zones){ .zone_sectors = medium->zone_sectors };
	if (!medium->zone_sectors)
		return 0;
	zones->count = (medium->capacity_sectors - 1) / medium->zone_sectors + 1;
	zones->conventional = (uint64_t)((double)zones->count * conventional_ratio);
	if (zones->count > ZONES_MAX) {
		diag_set(diag, -EINVAL, _("%" PRIu64 " zones are too many: at most %d"),
			 zones->count, ZONES_MAX);
		diag_hint(diag, _("a larger \"zone_size\" gives fewer"));
		zones->count = 0;
		return -EINVAL;
	}
	zones->next = malloc(zones->count * sizeof(*zones->next));
	if (!zones->next) {
		zones->count = 0;
		return -ENOMEM;
	}
	for (uint64_t i = 0; i < zones->count; i++)
		zones->next[i] = ZONE_UNKNOWN;
	return 0;
}

void zones_done(struct zones *zones)
{
	free(zones->next);
	zones->next = NULL;
	zones->count = 0;
}

/* A write within one zone. */
static enum zone_write check_part(const struct zones *zones, uint64_t zone, uint64_t sector)
{
	uint64_t begin = zone * zones->zone_sectors, next = zones->next[zone];

	if (zone < zones->conventional || next == ZONE_UNKNOWN || next == sector)
		return ZONE_WRITE_ON;
	return sector == begin ? ZONE_WRITE_ANEW : ZONE_WRITE_ELSEWHERE;
}

enum zone_write zones_write(struct zones *zones, uint64_t sector, uint32_t sectors)
{
	enum zone_write result = ZONE_WRITE_ON;
	uint64_t end = sector + sectors, first, last;

	if (!zones->count || !sectors)
		return ZONE_WRITE_ON;
	first = sector / zones->zone_sectors;
	last = (end - 1) / zones->zone_sectors;
	if (end < sector || last >= zones->count || last - first > CROSSED_MAX)
		return ZONE_WRITE_ELSEWHERE;
	for (uint64_t zone = first; zone <= last; zone++) {
		uint64_t begin = zone == first ? sector : zone * zones->zone_sectors;
		enum zone_write part = check_part(zones, zone, begin);

		if (part == ZONE_WRITE_ELSEWHERE)
			return part;
		if (part == ZONE_WRITE_ANEW)
			result = part;
	}
	for (uint64_t zone = first; zone <= last; zone++)
		zones->next[zone] = zone == last ? end : (zone + 1) * zones->zone_sectors;
	return result;
}

void zones_reset(struct zones *zones, uint64_t sector, uint32_t sectors)
{
	uint64_t zone;

	if (!zones->count)
		return;
	zone = sector / zones->zone_sectors + (sector % zones->zone_sectors != 0);
	for (; zone < zones->count; zone++) {
		uint64_t begin = zone * zones->zone_sectors;

		if (begin - sector >= sectors)
			return;
		zones->next[zone] = begin;
	}
}
