/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A volume of a RAID controller: members that are media themselves, the reads and writes
 * that the level makes of each request, and a protected cache that accepts writes, joins
 * them to whole rows where it can and writes them when members are free.
 *
 * Each member has an event queue of its own, so that it needs to know nothing of being a
 * member; the volume is woken at the earliest of their events.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/media/models.h"
#include "sim/media/raid-layout.h"
#include "sim/media/write-back.h"
#include "sim/pool.h"
#include "util/i18n.h"

/* Rows that leave the cache at once, where they are whole. */
#define DESTAGE_ROWS 4

enum {
	MEMBERS, LEVEL, STRIPE_KIB, MEMBER, MEMBER_CACHE_MIB, COMMAND_US, LATENCY_US,
	LINK_MBPS, CACHE_MIB, DESTAGES,
};

static const char *const level_words[] = { "raid0", "raid1", "raid5", "raid6", "raid10",
					   NULL };
static const char *const member_words[] = { "hdd-7200", "hdd-15k", "hdd-5400-laptop",
					    "sata-ssd", "sas-ssd", "nvme", NULL };

#define TYPICAL  N_("typical of data sheets")
#define ESTIMATE N_("estimate")

static const struct sim_media_parameter raid_parameters[] = {
	[MEMBERS] = { "members", "", 1, RAID_MEMBERS_MAX, 8, TYPICAL, N_("drives"),
		      .is_whole = true },
	[LEVEL] = { "level", "", 0, 4, RAID_5, TYPICAL, N_("how they are combined"),
		    .is_whole = true, .words = level_words },
	[STRIPE_KIB] = { "stripe_kib", "KiB", 4, 16384, 256, TYPICAL,
			 N_("consecutive data on one member"), .is_whole = true },
	[MEMBER] = { "member", "", 0, 5, 0, TYPICAL, N_("the preset that each member is"),
		     .is_whole = true, .words = member_words },
	[MEMBER_CACHE_MIB] = { "member_cache_mib", "MiB", 0, 1024, 0, TYPICAL,
			       N_("write cache of a spinning member; controllers switch it "
				  "off") },
	[COMMAND_US] = { "command_us", "us", 0.01, 1e6, 5, ESTIMATE,
			 N_("the controller with each command, one after the other") },
	[LATENCY_US] = { "latency_us", "us", 0, 1e6, 60, ESTIMATE,
			 N_("the controller, on top of everything") },
	[LINK_MBPS] = { "link_mbps", "MB/s", 1, 1e6, 6000, ESTIMATE,
			N_("data between host and controller") },
	[CACHE_MIB] = { "cache_mib", "MiB", 0, 65536, 1024, TYPICAL,
			N_("protected write cache; 0: writes are done when members have them") },
	[DESTAGES] = { "destages", "", 1, 256, 16, ESTIMATE,
		       N_("extents of the cache that are written at the same time"),
		       .is_whole = true },
};

struct member {
	struct sim_media media;
	struct event_queue events;
	unsigned pending;
	uint64_t last_sector;
};

/* A request of the volume, or an extent that leaves the cache. */
struct parent {
	struct sim_request *rq; /* NULL: an extent of the cache */
	uint64_t at_ns;
	unsigned parts;         /* that are not done yet */
	struct parent *next;
};

/* A segment of it; a write may have to read first. */
struct part {
	struct parent *parent;
	struct media_extent extent;
	unsigned pending;       /* of the members' requests */
	unsigned phase;
	bool is_write;
};

struct raid {
	struct raid_layout layout;
	struct member *members;
	unsigned ready;         /* members that were made */
	struct pool parents, parts, requests;
	struct write_back cache;
	struct parent *blocked, **blocked_end; /* writes that the cache has no room for */
	unsigned destages, destages_max;
	uint64_t position;      /* where the cache was written last */
	uint64_t front_ns, armed_ns;
	uint64_t command_ns, latency_ns, link_scale;
};

static int submit_to_member(struct sim_media *media, const struct raid_io *io, enum sim_op op,
			    struct part *part, uint64_t now_ns)
{
	struct raid *raid = media->data;
	struct sim_request *rq = pool_take(&raid->requests);
	struct member *member = &raid->members[io->member];

	/* Of several copies that with the least to do, then the nearest. */
	for (unsigned i = 1; i < io->mirrors; i++) {
		struct member *other = &raid->members[io->member + i];
		uint64_t far = member->last_sector > io->sector
				       ? member->last_sector - io->sector
				       : io->sector - member->last_sector;
		uint64_t near = other->last_sector > io->sector
					? other->last_sector - io->sector
					: io->sector - other->last_sector;

		if (other->pending < member->pending ||
		    (other->pending == member->pending && near < far))
			member = other;
	}
	if (!rq)
		return -ENOMEM;
	if (op == SIM_WRITE)
		media->stats.programmed_sectors += io->sectors;
	*rq = (struct sim_request){
		.op = (uint8_t)op,
		.dir = (uint8_t)(op == SIM_WRITE ? SIM_DIR_WRITE : SIM_DIR_READ),
		.sector = io->sector,
		.sectors = io->sectors,
		.owner = part,
	};
	member->pending++;
	member->last_sector = io->sector + io->sectors;
	return member->media.ops->submit(&member->media, rq, now_ns);
}

/* Gives the members what the part's phase needs, or goes on to the next; 1: it is done. */
static int begin_phase(struct sim_media *media, struct part *part, uint64_t now_ns)
{
	struct raid *raid = media->data;
	struct raid_io ios[RAID_MEMBERS_MAX];

	for (; part->phase < 2; part->phase++) {
		unsigned count = raid_plan(&raid->layout, part->extent.begin,
					   part->extent.end, part->is_write, part->phase, ios);

		/* First, since what a cache holds may be done at once. */
		part->pending = count;
		for (unsigned i = 0; i < count; i++) {
			int r = submit_to_member(media, &ios[i],
						 ios[i].is_write ? SIM_WRITE : SIM_READ, part,
						 now_ns);

			if (r < 0)
				return r;
		}
		if (count)
			return 0;
	}
	return 1;
}

static int finish(struct sim_media *media, struct parent *parent, uint64_t now_ns)
{
	struct raid *raid = media->data;
	int r = 0;

	if (parent->rq)
		r = media_finish(media, parent->rq, parent->at_ns, now_ns + raid->latency_ns);
	else
		raid->destages--;
	pool_give(&raid->parents, parent);
	return r;
}

/* The extent in segments, all at once. */
static int begin(struct sim_media *media, struct parent *parent, struct media_extent extent,
		 bool is_write, uint64_t now_ns)
{
	struct raid *raid = media->data;
	int r = 0;

	parent->parts = 0;
	while (extent.begin < extent.end && r == 0) {
		struct part *part = pool_take(&raid->parts);

		if (!part)
			return -ENOMEM;
		*part = (struct part){
			.parent = parent,
			.extent.begin = extent.begin,
			.is_write = is_write,
		};
		extent.begin = raid_segment_end(&raid->layout, extent.begin, extent.end);
		part->extent.end = extent.begin;
		parent->parts++;
		r = begin_phase(media, part, now_ns);
	}
	return r;
}

/* A flush, a discard: every member has its own. */
static int begin_everywhere(struct sim_media *media, struct parent *parent, enum sim_op op,
			    uint64_t now_ns)
{
	struct raid *raid = media->data;
	struct part *part = pool_take(&raid->parts);
	int r = 0;

	if (!part)
		return -ENOMEM;
	*part = (struct part){ .parent = parent, .phase = 2, .pending = raid->layout.members };
	parent->parts = 1;
	for (unsigned i = 0; i < raid->layout.members && r == 0; i++) {
		const struct raid_io io = { .member = i, .mirrors = 1 };

		r = submit_to_member(media, &io, op, part, now_ns);
	}
	return r;
}

static struct parent *new_parent(struct raid *raid, struct sim_request *rq, uint64_t at_ns)
{
	struct parent *parent = pool_take(&raid->parents);

	if (parent)
		*parent = (struct parent){ .rq = rq, .at_ns = at_ns };
	return parent;
}

/* --- the cache ---------------------------------------------------------------------- */

/* The next extent in the order of sectors: whole rows where there are any. */
static int destage(struct sim_media *media, uint64_t now_ns)
{
	struct raid *raid = media->data;
	struct parent *parent = new_parent(raid, NULL, now_ns);
	uint64_t row = raid_row_sectors(&raid->layout), most;
	unsigned index = write_back_after(&raid->cache, raid->position);
	struct media_extent extent;

	if (!parent)
		return -ENOMEM;
	if (index == raid->cache.count)
		index = 0;
	extent = raid->cache.extents[index];
	most = extent.begin % row ? row - extent.begin % row : row * DESTAGE_ROWS;
	if (extent.begin % row == 0 && extent.end - extent.begin > row &&
	    extent.end - extent.begin < most)
		most = (extent.end - extent.begin) / row * row;
	extent = write_back_take(&raid->cache, index, most);
	raid->position = extent.end;
	raid->destages++;
	return begin(media, parent, extent, true, now_ns);
}

static struct media_extent extent_of(const struct sim_request *rq)
{
	return (struct media_extent){ rq->sector, sim_request_end(rq) };
}

/* Room came free: those that waited, in their order; then more is written. */
static int work_cache(struct sim_media *media, uint64_t now_ns)
{
	struct raid *raid = media->data;
	int r = 0;

	while (r == 0 && (raid->cache.count || raid->blocked)) {
		struct parent *parent = raid->blocked;

		if (parent && write_back_accept(&raid->cache, extent_of(parent->rq))) {
			raid->blocked = parent->next;
			if (!raid->blocked)
				raid->blocked_end = &raid->blocked;
			r = finish(media, parent, now_ns);
		} else if (raid->cache.count && raid->destages < raid->destages_max) {
			r = destage(media, now_ns);
		} else {
			break;
		}
	}
	return r;
}

static bool is_cached(const struct raid *raid, const struct sim_request *rq)
{
	return rq->op == SIM_WRITE && rq->sectors <= raid->cache.limit;
}

/* --- events ------------------------------------------------------------------------- */

static int complete(struct sim_media *media, struct member *member, struct sim_request *rq,
		    uint64_t now_ns)
{
	struct raid *raid = media->data;
	struct part *part = rq->owner;
	struct parent *parent = part->parent;
	int r = sim_media_completed(&member->media, now_ns);

	if (r < 0)
		return r;
	pool_give(&raid->requests, rq);
	member->pending--;
	if (--part->pending > 0)
		return 0;
	part->phase++;
	r = begin_phase(media, part, now_ns);
	if (r <= 0)
		return r;
	pool_give(&raid->parts, part);
	if (--parent->parts > 0)
		return 0;
	r = finish(media, parent, now_ns);
	return r < 0 ? r : work_cache(media, now_ns);
}

static struct member *earliest(struct raid *raid, uint64_t *ret_ns)
{
	struct member *found = NULL;

	*ret_ns = SIM_NEVER;
	for (unsigned i = 0; i < raid->layout.members; i++) {
		uint64_t ns = event_queue_next_ns(&raid->members[i].events);

		if (ns < *ret_ns) {
			*ret_ns = ns;
			found = &raid->members[i];
		}
	}
	return found;
}

static int arm(struct sim_media *media)
{
	struct raid *raid = media->data;
	uint64_t next_ns;

	earliest(raid, &next_ns);
	if (next_ns >= raid->armed_ns)
		return 0;
	raid->armed_ns = next_ns;
	return sim_media_wake(media, next_ns, NULL);
}

static int raid_event(struct sim_media *media, void *object, uint64_t now_ns)
{
	struct raid *raid = media->data;
	struct member *member;
	uint64_t next_ns;
	int r = 0;

	(void)object;
	if (now_ns < raid->armed_ns)
		return 0;
	raid->armed_ns = SIM_NEVER;
	while (r == 0 && (member = earliest(raid, &next_ns)) && next_ns <= now_ns) {
		struct sim_event event;

		event_queue_pop(&member->events, &event);
		if (event.kind == SIM_EVENT_COMPLETE)
			r = complete(media, member, event.object, now_ns);
		else
			r = member->media.ops->event(&member->media, event.object, now_ns);
	}
	return r < 0 ? r : arm(media);
}

static int submit_write(struct sim_media *media, struct parent *parent, uint64_t start_ns)
{
	struct raid *raid = media->data;

	media->stats.written_sectors += parent->rq->sectors;
	if (!is_cached(raid, parent->rq))
		return begin(media, parent, extent_of(parent->rq), true, start_ns);
	*raid->blocked_end = parent;
	raid->blocked_end = &parent->next;
	return work_cache(media, start_ns);
}

static int raid_submit(struct sim_media *media, struct sim_request *rq, uint64_t at_ns)
{
	struct raid *raid = media->data;
	uint64_t start_ns = media_later(at_ns, raid->front_ns) + raid->command_ns;
	struct parent *parent = new_parent(raid, rq, at_ns);
	bool has_data = (rq->op == SIM_READ || rq->op == SIM_WRITE) && rq->sectors;
	int r;

	if (!parent)
		return -ENOMEM;
	if (has_data)
		start_ns += media_transfer_ns(raid->link_scale, rq->sectors);
	raid->front_ns = start_ns;
	if (rq->op == SIM_WRITE && has_data) {
		r = submit_write(media, parent, start_ns);
	} else if (has_data) {
		if (write_back_holds(&raid->cache, extent_of(rq))) {
			media->stats.cache_hits++;
			return finish(media, parent, start_ns);
		}
		r = begin(media, parent, extent_of(rq), false, start_ns);
	} else if (rq->op == SIM_FLUSH && raid->cache.limit) {
		/* The cache is protected. */
		return finish(media, parent, start_ns);
	} else {
		r = begin_everywhere(media, parent, rq->op, start_ns);
	}
	return r < 0 ? r : arm(media);
}

/* --- making it ---------------------------------------------------------------------- */

static int init_member(struct sim_media *media, struct member *member, struct diag *diag)
{
	struct raid *raid = media->data;
	uint64_t rows = media->medium.capacity_sectors / raid_row_sectors(&raid->layout) + 1;
	struct sim_medium medium;
	int index, r;

	r = sim_medium_find(member_words[media_count(media, MEMBER)], &medium);
	if (r < 0)
		return r;
	medium.capacity_sectors = rows * raid->layout.unit_sectors;
	index = sim_media_parameter(medium.ops, "write_cache_mib");
	if (index >= 0)
		medium.values[index] = media_value(media, MEMBER_CACHE_MIB);
	event_queue_init(&member->events);
	r = sim_media_init(&member->media, &medium, sim_random_next(&media->random),
			   &member->events, diag);
	if (r < 0)
		event_queue_done(&member->events);
	else
		raid->ready++;
	return r;
}

static void raid_done(struct sim_media *media)
{
	struct raid *raid = media->data;

	for (unsigned i = 0; i < raid->ready; i++) {
		sim_media_done(&raid->members[i].media);
		event_queue_done(&raid->members[i].events);
	}
	free(raid->members);
	pool_done(&raid->parents);
	pool_done(&raid->parts);
	pool_done(&raid->requests);
}

static int raid_init(struct sim_media *media, struct diag *diag)
{
	struct raid *raid = media->data;
	unsigned level = media_count(media, LEVEL), members = media_count(media, MEMBERS);
	int r;

	pool_init(&raid->parents, sizeof(struct parent));
	pool_init(&raid->parts, sizeof(struct part));
	pool_init(&raid->requests, sizeof(struct sim_request));
	r = raid_layout_init(&raid->layout, level, members, media_count(media, STRIPE_KIB) * 2);
	if (r < 0)
		return diag_set(diag, r, _("%u members make no %s"), members,
				level_words[level]);
	raid->members = calloc(members, sizeof(*raid->members));
	if (!raid->members)
		return -ENOMEM;
	raid->blocked_end = &raid->blocked;
	raid->armed_ns = SIM_NEVER;
	raid->command_ns = media_ns(media, COMMAND_US, MEDIA_US);
	raid->latency_ns = media_ns(media, LATENCY_US, MEDIA_US);
	raid->link_scale = media_transfer_scale(media_value(media, LINK_MBPS));
	raid->destages_max = media_count(media, DESTAGES);
	raid->cache.limit = (uint64_t)(media_value(media, CACHE_MIB) * MEDIA_MIB / MEDIA_SECTOR);
	for (unsigned i = 0; i < members && r == 0; i++)
		r = init_member(media, &raid->members[i], diag);
	return r;
}

static bool raid_has_arm(const struct sim_medium *medium)
{
	struct sim_medium member;

	return !sim_medium_find(member_words[(unsigned)medium->values[MEMBER]], &member) &&
	       sim_medium_has_arm(&member);
}

const struct sim_media_ops sim_media_raid = {
	.name = "raid",
	.summary = N_("a volume of a RAID controller over members with a preset of their own"),
	.parameters = raid_parameters,
	.parameter_count = ARRAY_SIZE(raid_parameters),
	.has_arm = raid_has_arm,
	.data_size = sizeof(struct raid),
	.init = raid_init,
	.done = raid_done,
	.submit = raid_submit,
	.event = raid_event,
};
