/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which members of a RAID volume an extent concerns, and what has to be read before it can
 * be written. The volume is divided into rows of a stripe unit on each member; parity
 * moves from row to row.
 */
#ifndef IOSCHED_SIM_MEDIA_RAID_LAYOUT_H
#define IOSCHED_SIM_MEDIA_RAID_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#define RAID_MEMBERS_MAX 32

enum raid_level { RAID_0, RAID_1, RAID_5, RAID_6, RAID_10 };

struct raid_layout {
	enum raid_level level;
	unsigned members;
	unsigned data;        /* stripe units of data in a row */
	unsigned parity;      /* and of parity */
	unsigned mirrors;     /* copies of each */
	uint32_t unit_sectors;
};

/* 0, or -EINVAL when so many members make no volume of this level. */
int raid_layout_init(struct raid_layout *layout, enum raid_level level, unsigned members,
		     uint32_t unit_sectors);

static inline uint64_t raid_row_sectors(const struct raid_layout *layout)
{
	return (uint64_t)layout->data * layout->unit_sectors;
}

struct raid_io {
	unsigned member;
	unsigned mirrors; /* of a read: any of so many members from this one on */
	uint64_t sector;
	uint32_t sectors;
	bool is_write;
};

/* Of the extent, what is planned at once: a part of one row, or whole rows. */
uint64_t raid_segment_end(const struct raid_layout *layout, uint64_t begin, uint64_t end);

/*
 * The members' requests for such a segment. A write has two phases: what has to be read,
 * which may be nothing, then what is written; a read has only the first. Returns how many;
 * `ret` has room for RAID_MEMBERS_MAX.
 */
unsigned raid_plan(const struct raid_layout *layout, uint64_t begin, uint64_t end,
		   bool is_write, unsigned phase, struct raid_io *ret);

#endif
