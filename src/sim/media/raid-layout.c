/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which members of a RAID volume an extent concerns. */
#include "sim/media/raid-layout.h"

#include <errno.h>

int raid_layout_init(struct raid_layout *layout, enum raid_level level, unsigned members,
		     uint32_t unit_sectors)
{
	static const struct {
		unsigned least, parity, mirrors;
	} levels[] = {
		[RAID_0] = { 1, 0, 1 },
		[RAID_1] = { 2, 0, 0 }, /* as many copies as members */
		[RAID_5] = { 3, 1, 1 },
		[RAID_6] = { 4, 2, 1 },
		[RAID_10] = { 4, 0, 2 },
	};
	unsigned mirrors = levels[level].mirrors ? levels[level].mirrors : members;

	if (members < levels[level].least || members > RAID_MEMBERS_MAX || members % mirrors)
		return -EINVAL;
	*layout = (struct raid_layout){
		.level = level,
		.members = members,
		.data = members / mirrors - levels[level].parity,
		.parity = levels[level].parity,
		.mirrors = mirrors,
		.unit_sectors = unit_sectors,
	};
	return 0;
}

uint64_t raid_segment_end(const struct raid_layout *layout, uint64_t begin, uint64_t end)
{
	uint64_t row = raid_row_sectors(layout);
	uint64_t rows_end = end / row * row;

	if (begin % row == 0 && rows_end > begin)
		return rows_end;
	return (begin / row + 1) * row < end ? (begin / row + 1) * row : end;
}

/* The member of a row's unit: data first, then parity. */
static unsigned member_of(const struct raid_layout *layout, uint64_t row, unsigned unit)
{
	unsigned first;

	if (!layout->parity)
		return unit * layout->mirrors;
	/* Parity goes from the last member to the first; data begin behind it. */
	first = layout->members - 1 - (unsigned)(row % layout->members);
	if (unit >= layout->data)
		return (first + unit - layout->data) % layout->members;
	return (first + layout->parity + unit) % layout->members;
}

static void put(const struct raid_layout *layout, struct raid_io *ret, unsigned *count,
		unsigned member, bool is_write, uint64_t sector, uint64_t sectors)
{
	unsigned copies = is_write ? layout->mirrors : 1;

	for (unsigned i = 0; i < copies; i++)
		ret[(*count)++] = (struct raid_io){
			.member = member + i,
			.mirrors = is_write ? 1 : layout->mirrors,
			.sector = sector,
			.sectors = (uint32_t)sectors,
			.is_write = is_write,
		};
}

/* Whole rows: every member from the first to the last; what is read has parity between. */
static unsigned plan_rows(const struct raid_layout *layout, uint64_t begin, uint64_t end,
			  bool is_write, struct raid_io *ret)
{
	uint64_t row_sectors = raid_row_sectors(layout);
	uint64_t first = begin / row_sectors, rows = (end - begin) / row_sectors;
	unsigned units = layout->data + layout->parity, count = 0;

	/* Of a single row that is read no parity is needed. */
	if (!is_write && rows == 1)
		units = layout->data;
	for (unsigned unit = 0; unit < units; unit++)
		put(layout, ret, &count, member_of(layout, first, unit), is_write,
		    first * layout->unit_sectors, rows * layout->unit_sectors);
	return count;
}

/* Sectors of a unit: all that the segment has of any, when it has more than one. */
struct range {
	uint64_t begin, end;
};

static struct range of_unit(const struct raid_layout *layout, uint64_t begin, uint64_t end,
			    unsigned unit)
{
	uint64_t row = begin / raid_row_sectors(layout) * raid_row_sectors(layout);
	uint64_t from = row + (uint64_t)unit * layout->unit_sectors;
	uint64_t to = from + layout->unit_sectors;

	if (begin > from)
		from = begin < to ? begin : to;
	if (end < to)
		to = end > from ? end : from;
	from -= row + (uint64_t)unit * layout->unit_sectors;
	to -= row + (uint64_t)unit * layout->unit_sectors;
	return (struct range){ from, to };
}

/* A part of a row that is written with parity: reads what is old, or what is left. */
static unsigned plan_parity(const struct raid_layout *layout, uint64_t begin, uint64_t end,
			    unsigned phase, struct raid_io *ret)
{
	uint64_t row = begin / raid_row_sectors(layout), base = row * layout->unit_sectors;
	struct range all = { UINT64_MAX, 0 };
	unsigned touched = 0, count = 0;
	bool reads_rest;

	for (unsigned unit = 0; unit < layout->data; unit++) {
		struct range range = of_unit(layout, begin, end, unit);

		if (range.begin == range.end)
			continue;
		touched++;
		all.begin = range.begin < all.begin ? range.begin : all.begin;
		all.end = range.end > all.end ? range.end : all.end;
	}
	reads_rest = layout->data - touched < touched + layout->parity;
	for (unsigned unit = 0; unit < layout->data + layout->parity; unit++) {
		struct range range = unit < layout->data ? of_unit(layout, begin, end, unit)
							 : all;
		bool is_touched = range.begin != range.end, is_parity = unit >= layout->data;
		unsigned member = member_of(layout, row, unit);

		if (phase == 1 && is_touched)
			put(layout, ret, &count, member, true, base + range.begin,
			    range.end - range.begin);
		else if (phase == 0 && (reads_rest ? !is_parity && (!is_touched ||
					range.begin > all.begin || range.end < all.end)
						   : is_touched))
			put(layout, ret, &count, member, false, base + all.begin,
			    all.end - all.begin);
	}
	return count;
}

unsigned raid_plan(const struct raid_layout *layout, uint64_t begin, uint64_t end,
		   bool is_write, unsigned phase, struct raid_io *ret)
{
	uint64_t row_sectors = raid_row_sectors(layout), row = begin / row_sectors;
	unsigned count = 0;

	if (phase != 0 && !is_write)
		return 0;
	if (begin % row_sectors == 0 && (end - begin) % row_sectors == 0)
		return is_write && phase == 0 ? 0
					      : plan_rows(layout, begin, end, is_write, ret);
	if (is_write && layout->parity)
		return plan_parity(layout, begin, end, phase, ret);
	if (is_write && phase == 0)
		return 0;
	for (unsigned unit = 0; unit < layout->data; unit++) {
		struct range range = of_unit(layout, begin, end, unit);

		if (range.begin != range.end)
			put(layout, ret, &count, member_of(layout, row, unit), is_write,
			    row * layout->unit_sectors + range.begin, range.end - range.begin);
	}
	return count;
}
