/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mechanics of a spinning disk: zones, skew, and the table of seek times. */
#include "sim/media/hdd-geometry.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "util/i18n.h"

#define SECTOR 512.0

static uint64_t angle_of(double turns)
{
	/* 2^64 does not fit: a whole turn is no turn. */
	return turns >= 1 ? 0 : (uint64_t)(turns * 0x1p64);
}

/* ms over a distance on the measured disk. */
static double curve_ms(const struct hdd_shape *shape, double distance)
{
	return distance < shape->knee
		       ? shape->seek_a_ms + shape->seek_b_ms * sqrt(distance)
		       : shape->seek_c_ms + shape->seek_e_ms * distance;
}

/* The distance that an index of the table stands for. */
static double distance_of(unsigned index)
{
	unsigned shift;

	if (index < 2u << HDD_SEEK_BITS)
		return index;
	shift = (index >> HDD_SEEK_BITS) - 1;
	return ldexp((1u << HDD_SEEK_BITS) + (index & ((1u << HDD_SEEK_BITS) - 1)),
		     (int)shift);
}

static void fill_seek_table(struct hdd_geometry *geometry, const struct hdd_shape *shape)
{
	double scale = shape->curve_cylinders * shape->stroke / geometry->cylinders;

	geometry->seek_ns[0] = 0;
	for (unsigned i = 1; i <= HDD_SEEK_STEPS; i++) {
		double ms = curve_ms(shape, distance_of(i) * scale);

		geometry->seek_ns[i] = (uint32_t)fmin((ms + shape->settle_ms) * 1e6 + 0.5,
						      UINT32_MAX);
	}
}

static int fill_zones(struct hdd_geometry *geometry, const struct hdd_shape *shape,
		      double switch_turns, struct diag *diag)
{
	unsigned count = shape->zones;
	double sectors = 0, cylinders_each;
	uint64_t sector = 0;
	uint32_t cylinder = 0;

	for (unsigned i = 0; i < count; i++) {
		double part = count > 1 ? (double)i / (count - 1) : 0;
		double mbps = shape->outer_mbps + (shape->inner_mbps - shape->outer_mbps) * part;
		double turn_s = 60 / shape->rpm * (1 + switch_turns);
		struct hdd_zone *zone = &geometry->zones[i];

		zone->track_sectors = (uint32_t)fmax(mbps * 1e6 * turn_s / SECTOR, 1);
		zone->angle_of_sector = UINT64_MAX / zone->track_sectors;
		zone->sector_scale = (uint64_t)((double)geometry->period_ns * 1024 /
						zone->track_sectors);
		zone->sustained_scale =
			(uint64_t)((double)zone->sector_scale * (1 + switch_turns));
		sectors += (double)zone->track_sectors * geometry->heads;
	}
	cylinders_each = ceil((double)shape->capacity_sectors / sectors);
	if (cylinders_each * count > INT32_MAX)
		return diag_set(diag, -EINVAL,
				_("the capacity is too large for so few heads at such transfer "
				  "rates"));
	for (unsigned i = 0; i < count; i++) {
		struct hdd_zone *zone = &geometry->zones[i];

		zone->first_sector = sector;
		zone->first_cylinder = cylinder;
		sector += (uint64_t)cylinders_each * zone->track_sectors * geometry->heads;
		cylinder += (uint32_t)cylinders_each;
	}
	geometry->zone_count = count;
	geometry->cylinders = cylinder;
	return 0;
}

int hdd_geometry_init(struct hdd_geometry *geometry, const struct hdd_shape *shape,
		      struct diag *diag)
{
	double period_ns = 60e9 / shape->rpm, cylinder_ns, switch_turns;
	int r;

	if (shape->inner_mbps > shape->outer_mbps)
		return diag_set(diag, -EINVAL,
				_("\"inner_mbps\" is larger than \"outer_mbps\""));
	memset(geometry, 0, sizeof(*geometry));
	geometry->heads = shape->heads;
	geometry->period_ns = (uint64_t)(period_ns + 0.5);
	geometry->angle_of_ns = UINT64_MAX / geometry->period_ns;
	geometry->head_switch_ns = (uint64_t)(shape->head_switch_ms * 1e6 + 0.5);
	/* Tracks begin later by what the switch to them takes. */
	cylinder_ns = fmax((curve_ms(shape, 0) + shape->settle_ms) * 1e6,
			   shape->head_switch_ms * 1e6);
	if (cylinder_ns > period_ns * 8)
		return diag_set(diag, -EINVAL,
				_("the shortest seek takes more than eight turns"));
	switch_turns = (shape->head_switch_ms * 1e6 * (shape->heads - 1) + cylinder_ns) /
		       shape->heads / period_ns;
	r = fill_zones(geometry, shape, switch_turns, diag);
	if (r < 0)
		return r;
	fill_seek_table(geometry, shape);
	geometry->cylinder_switch_ns = geometry->seek_ns[1];
	if (geometry->heads > 1 && geometry->head_switch_ns > geometry->seek_ns[1])
		geometry->cylinder_switch_ns = geometry->head_switch_ns;
	cylinder_ns = (double)geometry->cylinder_switch_ns;
	geometry->head_skew = angle_of(fmod(shape->head_switch_ms * 1e6 / period_ns, 1));
	geometry->cylinder_skew = (geometry->heads - 1) * geometry->head_skew +
				  angle_of(fmod(cylinder_ns / period_ns, 1));
	return 0;
}

static unsigned zone_of(const struct hdd_geometry *geometry, uint64_t sector)
{
	unsigned low = 0, high = geometry->zone_count;

	while (high - low > 1) {
		unsigned middle = (low + high) / 2;

		if (geometry->zones[middle].first_sector <= sector)
			low = middle;
		else
			high = middle;
	}
	return low;
}

void hdd_locate(const struct hdd_geometry *geometry, uint64_t sector, struct hdd_place *ret)
{
	unsigned index = zone_of(geometry, sector);
	const struct hdd_zone *zone = &geometry->zones[index];
	uint64_t within = sector - zone->first_sector;
	uint64_t track = within / zone->track_sectors;
	uint64_t on_track = within % zone->track_sectors;
	uint64_t cylinder = zone->first_cylinder + track / geometry->heads;
	uint64_t head = track % geometry->heads;

	/* What lies beyond the end is at the end. */
	if (cylinder >= geometry->cylinders)
		cylinder = geometry->cylinders - 1;
	*ret = (struct hdd_place){
		.cylinder = (uint32_t)cylinder,
		.head = (uint16_t)head,
		.zone = (uint16_t)index,
		.angle = on_track * zone->angle_of_sector + head * geometry->head_skew +
			 cylinder * geometry->cylinder_skew,
	};
}

uint64_t hdd_transfer_ns(const struct hdd_geometry *geometry, uint64_t sector,
			 uint64_t sectors)
{
	const struct hdd_zone *zone = &geometry->zones[zone_of(geometry, sector)];
	uint64_t first = (sector - zone->first_sector) / zone->track_sectors;
	uint64_t last = (sector - zone->first_sector + sectors - 1) / zone->track_sectors;
	uint64_t cylinders = last / geometry->heads - first / geometry->heads;

	return ((sectors * zone->sector_scale) >> 10) +
	       (last - first - cylinders) * geometry->head_switch_ns +
	       cylinders * geometry->cylinder_switch_ns;
}
