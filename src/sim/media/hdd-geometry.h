/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The mechanics of a spinning disk: where a sector is, how long the arm takes over a
 * distance, and when the platter brings a place below the head. Angles and times need no
 * division: an angle is a fraction of a turn in 64 bits that wraps as the platter does.
 */
#ifndef IOSCHED_SIM_MEDIA_HDD_GEOMETRY_H
#define IOSCHED_SIM_MEDIA_HDD_GEOMETRY_H

#include <stdbool.h>
#include <stdint.h>

#include "util/diag.h"

#define HDD_ZONES_MAX 64

/* Distances up to 2^32 in steps of 1/16 of a power of two. */
#define HDD_SEEK_BITS  4
#define HDD_SEEK_STEPS (33 << HDD_SEEK_BITS)

/*
 * Seek time in ms over d cylinders: a + b * sqrt(d) below `knee`, c + e * d above, as
 * measured on a disk of `curve_cylinders`; the two need not meet. A disk with more cylinders is given the same
 * times for the same fraction of its stroke. `stroke`: the fraction that is used.
 */
struct hdd_shape {
	uint64_t capacity_sectors;
	double rpm;
	unsigned heads, zones;
	double outer_mbps, inner_mbps; /* sequential, with the switches of heads */
	double seek_a_ms, seek_b_ms, seek_c_ms, seek_e_ms, knee, curve_cylinders, stroke;
	double settle_ms, head_switch_ms;
};

struct hdd_zone {
	uint64_t first_sector;
	uint32_t first_cylinder;
	uint32_t track_sectors;
	uint64_t angle_of_sector;
	uint64_t sector_scale;    /* ns for one sector below the head, times 1024 */
	uint64_t sustained_scale; /* the same with the switches of heads */
};

struct hdd_geometry {
	struct hdd_zone zones[HDD_ZONES_MAX];
	unsigned zone_count;
	unsigned heads;
	uint32_t cylinders;
	uint64_t period_ns;
	uint64_t angle_of_ns;       /* 2^64 / period */
	uint64_t head_skew, cylinder_skew;
	uint64_t head_switch_ns, cylinder_switch_ns; /* of tracks that follow each other */
	uint32_t seek_ns[HDD_SEEK_STEPS + 1];
};

struct hdd_place {
	uint32_t cylinder;
	uint16_t head;
	uint16_t zone;
	uint64_t angle;
};

/* -EINVAL with a diag: shapes that cannot be. */
int hdd_geometry_init(struct hdd_geometry *geometry, const struct hdd_shape *shape,
		      struct diag *diag);

void hdd_locate(const struct hdd_geometry *geometry, uint64_t sector, struct hdd_place *ret);

/* Over `distance` cylinders; 0 for none. */
static inline uint64_t hdd_seek_ns(const struct hdd_geometry *geometry, uint32_t distance)
{
	unsigned power, shift, index;
	uint64_t rest;
	int64_t low, step;

	if (distance < 2u << HDD_SEEK_BITS)
		return geometry->seek_ns[distance];
	power = 31 - (unsigned)__builtin_clz(distance);
	shift = power - HDD_SEEK_BITS;
	index = ((shift + 1) << HDD_SEEK_BITS) + (distance >> shift) - (1u << HDD_SEEK_BITS);
	low = geometry->seek_ns[index];
	step = (int64_t)geometry->seek_ns[index + 1] - low;
	rest = distance & ((1u << shift) - 1);
	return (uint64_t)(low + step * (int64_t)rest / (INT64_C(1) << shift));
}

static inline uint64_t hdd_angle_at(const struct hdd_geometry *geometry, uint64_t time_ns)
{
	return time_ns * geometry->angle_of_ns;
}

/* Until the angle comes below the head; what is only just past counts as there. */
static inline uint64_t hdd_rotation_ns(const struct hdd_geometry *geometry, uint64_t angle,
				       uint64_t time_ns)
{
	const uint64_t slack = UINT64_C(1) << 53; /* 1/2048 of a turn, 4 us at 7200 rpm */
	uint64_t wait = angle + slack - hdd_angle_at(geometry, time_ns);

	wait = wait > slack ? wait - slack : 0;
	return (uint64_t)(((unsigned __int128)wait * geometry->period_ns) >> 64);
}

/* Sectors below the head one after the other from this place, with the switches between. */
uint64_t hdd_transfer_ns(const struct hdd_geometry *geometry, uint64_t sector,
			 uint64_t sectors);

#endif
