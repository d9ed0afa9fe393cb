/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the arm of a spinning disk does next. It takes the request that is below the head
 * first, among as many as the drive's queue holds, unless one has waited too long. While
 * nothing is asked of it, it reads on where it is, writes what the cache accepted, and
 * brings home what shingled recording sent elsewhere.
 */
#include "sim/media/hdd-internal.h"

#include <errno.h>
#include <stdlib.h>

#define DESTAGE_CHOICE  16   /* dirty extents ahead of the arm to choose from */
#define DESTAGE_SECTORS 2048 /* written at once: 1 MiB, then requests have their turn */

#define CLEAN_PIECES_MAX 1000

/* --- queues ------------------------------------------------------------------------- */

int hdd_ring_push(struct hdd_ring *ring, const struct hdd_entry *entry)
{
	if (ring->count == ring->room) {
		unsigned room = ring->room ? 2 * ring->room : 32;
		struct hdd_entry *entries = malloc(room * sizeof(*entries));

		if (!entries)
			return -ENOMEM;
		for (unsigned i = 0; i < ring->count; i++)
			entries[i] = ring->entries[(ring->first + i) % ring->room];
		free(ring->entries);
		*ring = (struct hdd_ring){ entries, 0, ring->count, room };
	}
	ring->entries[(ring->first + ring->count++) % ring->room] = *entry;
	return 0;
}

struct hdd_entry hdd_ring_pop(struct hdd_ring *ring)
{
	struct hdd_entry entry = ring->entries[ring->first];

	ring->first = (ring->first + 1) % ring->room;
	ring->count--;
	return entry;
}

static int arm(struct sim_media *media, uint64_t at_ns)
{
	struct hdd *hdd = media->data;

	if (hdd->armed_ns <= at_ns)
		return 0;
	hdd->armed_ns = at_ns;
	return sim_media_wake(media, at_ns, NULL);
}

/* --- reading ahead ------------------------------------------------------------------ */

static uint64_t ahead_end(const struct hdd *hdd, uint64_t now_ns)
{
	uint64_t read;

	if (now_ns <= hdd->ahead_since_ns)
		return hdd->ahead_begin;
	read = ((now_ns - hdd->ahead_since_ns) << 10) / hdd->ahead_scale;
	if (read > hdd->ahead_limit - hdd->ahead_begin)
		return hdd->ahead_limit;
	return hdd->ahead_begin + read;
}

void hdd_update_ahead(struct hdd *hdd, uint64_t now_ns)
{
	if (hdd->ahead && hdd->ahead->used)
		hdd_cache_grow(&hdd->cache, hdd->ahead, ahead_end(hdd, now_ns));
}

/* The arm is wanted elsewhere: it is where it read to. */
static void stop_ahead(struct hdd *hdd, uint64_t now_ns)
{
	if (!hdd->ahead)
		return;
	hdd_update_ahead(hdd, now_ns);
	hdd->head_sector = ahead_end(hdd, now_ns);
	hdd_locate(&hdd->geometry, hdd->head_sector, &hdd->head);
	hdd->ahead = NULL;
}

static void start_ahead(struct hdd *hdd, struct hdd_segment *segment, uint64_t end,
			uint64_t capacity, uint64_t now_ns)
{
	if (!segment || segment->extent.end != end || end >= capacity)
		return;
	hdd->ahead = segment;
	hdd->ahead_since_ns = now_ns;
	hdd->ahead_begin = end;
	hdd->ahead_limit = end + hdd->ahead_sectors;
	if (hdd->ahead_limit > capacity)
		hdd->ahead_limit = capacity;
	hdd->ahead_scale = hdd->geometry.zones[hdd->head.zone].sustained_scale;
}

/* --- moving ------------------------------------------------------------------------- */

uint64_t hdd_position_ns(const struct hdd *hdd, const struct hdd_place *place, bool is_write,
			 uint64_t from_ns)
{
	uint32_t distance = place->cylinder > hdd->head.cylinder
				    ? place->cylinder - hdd->head.cylinder
				    : hdd->head.cylinder - place->cylinder;
	uint64_t seek_ns = hdd_seek_ns(&hdd->geometry, distance);

	if (place->head != hdd->head.head && seek_ns < hdd->geometry.head_switch_ns)
		seek_ns = hdd->geometry.head_switch_ns;
	if (is_write)
		seek_ns += hdd->write_settle_ns;
	return seek_ns + hdd_rotation_ns(&hdd->geometry, place->angle, from_ns + seek_ns);
}

/* The arm goes there and over so many sectors: returns when it is done. */
static uint64_t travel(struct sim_media *media, const struct hdd_place *place,
		       struct media_extent extent, bool is_write, uint64_t from_ns)
{
	struct hdd *hdd = media->data;
	uint64_t distance = extent.begin > hdd->head_sector ? extent.begin - hdd->head_sector
							    : hdd->head_sector - extent.begin;
	/* Writing on where it wrote before needs no settling beyond that of the track. */
	uint64_t done_ns = from_ns + hdd_position_ns(hdd, place, is_write && distance, from_ns);

	media->stats.travel_sectors += distance;
	media->stats.seeks += place->cylinder != hdd->head.cylinder;
	done_ns += hdd_transfer_ns(&hdd->geometry, extent.begin, extent.end - extent.begin);
	hdd->head_sector = extent.end;
	hdd_locate(&hdd->geometry, extent.end - 1, &hdd->head);
	return done_ns;
}

int hdd_answer(struct sim_media *media, const struct hdd_entry *entry, uint64_t from_ns)
{
	struct hdd *hdd = media->data;
	uint64_t transfer_ns = media_transfer_ns(hdd->link_scale, entry->rq->sectors);

	hdd->link_ns = media_later(hdd->link_ns, from_ns) + transfer_ns;
	return media_finish(media, entry->rq, entry->at_ns, hdd->link_ns);
}

static int read_request(struct sim_media *media, const struct hdd_entry *entry,
			uint64_t now_ns)
{
	struct hdd *hdd = media->data;
	struct media_extent rest = entry->extent;
	struct hdd_place place = entry->place;
	struct hdd_segment *segment;
	bool goes_on;
	uint64_t done_ns;

	hdd_update_ahead(hdd, now_ns);
	if (hdd_cache_holds(&hdd->cache, rest)) {
		media->stats.cache_hits++;
		return hdd_answer(media, entry, now_ns);
	}
	segment = hdd_cache_find(&hdd->cache, rest.begin);
	if (segment && segment->extent.end > rest.begin) {
		rest.begin = segment->extent.end;
		hdd_locate(&hdd->geometry, rest.begin, &place);
	}
	/* The arm is just reading what is asked for. */
	goes_on = hdd->ahead && hdd->ahead == segment && ahead_end(hdd, now_ns) == rest.begin &&
		  rest.begin < hdd->ahead_limit;
	stop_ahead(hdd, now_ns);
	if (goes_on) {
		done_ns = now_ns + hdd_transfer_ns(&hdd->geometry, rest.begin,
						   rest.end - rest.begin);
		hdd->head_sector = rest.end;
		hdd_locate(&hdd->geometry, rest.end - 1, &hdd->head);
	} else {
		done_ns = travel(media, &place, rest, false, now_ns);
	}
	segment = hdd_cache_add(&hdd->cache, entry->extent);
	start_ahead(hdd, segment, rest.end, media->medium.capacity_sectors, done_ns);
	hdd->free_ns = done_ns;
	if (hdd->ahead)
		hdd->free_ns += (hdd->ahead_min_sectors * hdd->ahead_scale) >> 10;
	return media_finish(media, entry->rq, entry->at_ns, done_ns);
}

static int do_request(struct sim_media *media, const struct hdd_entry *entry,
		      uint64_t now_ns)
{
	struct hdd *hdd = media->data;

	now_ns = media_later(now_ns, entry->ready_ns);
	if (!entry->is_write)
		return read_request(media, entry, now_ns);
	stop_ahead(hdd, now_ns);
	hdd->free_ns = travel(media, &entry->place, entry->extent, true, now_ns);
	media->stats.programmed_sectors += entry->extent.end - entry->extent.begin;
	return media_finish(media, entry->rq, entry->at_ns, hdd->free_ns);
}

/* The extent that is reached first, of the next ones in the arm's way. */
static void destage(struct sim_media *media, uint64_t now_ns)
{
	struct hdd *hdd = media->data;
	struct write_back *dirty = &hdd->cache.dirty;
	unsigned index, chosen = 0, choices = dirty->count;
	uint64_t best_ns = UINT64_MAX;
	struct hdd_place chosen_place = { 0 };
	struct media_extent extent;

	stop_ahead(hdd, now_ns);
	index = write_back_after(dirty, hdd->head_sector);
	if (choices > DESTAGE_CHOICE)
		choices = DESTAGE_CHOICE;
	for (unsigned i = 0; i < choices; i++, index++) {
		struct hdd_place place;
		uint64_t ns;

		if (index >= dirty->count)
			index = 0;
		hdd_locate(&hdd->geometry, dirty->extents[index].begin, &place);
		ns = hdd_position_ns(hdd, &place, true, now_ns);
		if (ns < best_ns) {
			best_ns = ns;
			chosen = index;
			chosen_place = place;
		}
	}
	extent = write_back_take(dirty, chosen, DESTAGE_SECTORS);
	media->stats.programmed_sectors += extent.end - extent.begin;
	hdd->free_ns = travel(media, &chosen_place, extent, true, now_ns);
}

/* A slice of bringing a zone home. */
static void clean(struct sim_media *media, uint64_t now_ns)
{
	struct hdd *hdd = media->data;
	struct shingles *shingles = &hdd->shingles;
	uint32_t sectors = shingles->zones.zone_sectors;
	bool is_begun = shingles->cleaning_ns > 0;
	uint64_t rate = hdd->geometry.zones[hdd->head.zone].sustained_scale;
	uint64_t zone_ns = 2 * ((sectors * rate) >> 10), sector, work_ns;
	struct hdd_place place;

	stop_ahead(hdd, now_ns);
	sector = shingles_clean(shingles, zone_ns);
	if (!is_begun) {
		media->stats.stalls++;
		media->stats.programmed_sectors += sectors;
	}
	hdd_locate(&hdd->geometry, sector, &place);
	/* However slow the disk, a zone is not in endless pieces. */
	work_ns = media_later(hdd->slice_ns, zone_ns / CLEAN_PIECES_MAX);
	if (work_ns > shingles->cleaning_ns)
		work_ns = shingles->cleaning_ns;
	hdd->free_ns = now_ns + hdd_position_ns(hdd, &place, true, now_ns) + work_ns;
	hdd->head = place;
	hdd->head_sector = sector;
	shingles_cleaned(shingles, work_ns);
}

/* --- choosing ----------------------------------------------------------------------- */

/* The request that ends where this one begins; window_count: there is none. */
static unsigned find_before(const struct hdd *hdd, unsigned index)
{
	const struct hdd_entry *next = &hdd->window[index];
	unsigned i = 0;

	while (i < hdd->window_count && (hdd->window[i].extent.end != next->extent.begin ||
					 hdd->window[i].is_write != next->is_write))
		i++;
	return i;
}

/*
 * A stream is read from its beginning: entered in its middle it would leave there what
 * nothing brings the arm back to until that has waited too long.
 */
static unsigned first_of_stream(const struct hdd *hdd, unsigned index)
{
	for (unsigned steps = 0; steps < hdd->window_count; steps++) {
		unsigned before = find_before(hdd, index);

		if (before == hdd->window_count)
			break;
		index = before;
	}
	return index;
}

/* What the time that it has waited for makes it nearer. */
static int64_t age_bonus_ns(const struct hdd *hdd, const struct hdd_entry *entry,
			    uint64_t now_ns)
{
	uint64_t waited_ns = now_ns > entry->at_ns ? now_ns - entry->at_ns : 0;

	return (int64_t)(waited_ns / 1000 * hdd->aging_us / 1000);
}

/* By the shortest time until the data are below the head, less for what waits. */
static unsigned choose_request(const struct hdd *hdd, uint64_t now_ns)
{
	uint64_t oldest_ns = UINT64_MAX;
	int64_t best_ns = INT64_MAX;
	unsigned best = 0, oldest = 0;

	for (unsigned i = 0; i < hdd->window_count; i++) {
		const struct hdd_entry *entry = &hdd->window[i];
		int64_t ns = (int64_t)hdd_position_ns(hdd, &entry->place, entry->is_write,
						      now_ns);

		if (hdd->ahead && hdd->ahead->used &&
		    entry->extent.begin >= hdd->ahead->extent.begin &&
		    entry->extent.begin <= hdd->ahead->extent.end)
			ns = 0;
		ns -= age_bonus_ns(hdd, entry, now_ns);
		if (ns < best_ns) {
			best_ns = ns;
			best = i;
		}
		if (entry->at_ns < oldest_ns) {
			oldest_ns = entry->at_ns;
			oldest = i;
		}
	}
	if (now_ns > oldest_ns && now_ns - oldest_ns > hdd->max_wait_ns)
		return oldest;
	return first_of_stream(hdd, best);
}

static int serve_request(struct sim_media *media, uint64_t now_ns)
{
	struct hdd *hdd = media->data;
	unsigned index;
	struct hdd_entry entry;

	hdd_update_ahead(hdd, now_ns);
	index = choose_request(hdd, now_ns);
	entry = hdd->window[index];
	hdd->window[index] = hdd->window[--hdd->window_count];
	if (hdd->behind.count)
		hdd->window[hdd->window_count++] = hdd_ring_pop(&hdd->behind);
	return do_request(media, &entry, now_ns);
}

/* Half full, the cache is written when the arm has nothing else to do; before that only
   after a while in which nothing came. */
static bool is_half_full(const struct hdd *hdd)
{
	return hdd->cache.dirty.sectors > hdd->cache.dirty.limit / 2 ||
	       hdd->cache.dirty.count > WRITE_BACK_MAX / 2;
}

bool hdd_is_dirty(const struct hdd *hdd, uint64_t now_ns)
{
	return hdd->cache.dirty.count || (hdd->last == HDD_DESTAGE && now_ns < hdd->free_ns);
}

/* With writes or a flush waiting, requests and the cache take turns. */
static enum hdd_motion choose_motion(const struct hdd *hdd, uint64_t now_ns,
				     uint64_t *ret_wait_ns)
{
	bool is_pressed = hdd->blocked.count || hdd->flushes.count;
	uint64_t idle_until_ns = media_later(hdd->free_ns, hdd->asked_ns) +
				 hdd->destage_idle_ns;

	*ret_wait_ns = SIM_NEVER;
	if (hdd->window_count && (!is_pressed || hdd->last != HDD_REQUEST))
		return HDD_REQUEST;
	if (is_pressed && hdd->cache.dirty.count)
		return HDD_DESTAGE;
	if (is_pressed && shingles_want_cleaning(&hdd->shingles))
		return HDD_CLEAN;
	if (hdd->window_count)
		return HDD_REQUEST;
	if (!hdd->cache.dirty.count && !shingles_want_cleaning(&hdd->shingles))
		return HDD_NOTHING;
	if (now_ns < idle_until_ns && !is_half_full(hdd)) {
		*ret_wait_ns = idle_until_ns;
		return HDD_NOTHING;
	}
	return hdd->cache.dirty.count ? HDD_DESTAGE : HDD_CLEAN;
}

/* Room came free, or the cache is written. */
static int admit(struct sim_media *media, uint64_t now_ns)
{
	struct hdd *hdd = media->data;
	bool is_accepted = true;
	int r = 0;

	while (r == 0 && hdd->flushes.count && !hdd->cache.dirty.count) {
		struct hdd_entry entry = hdd_ring_pop(&hdd->flushes);

		/* A write that asked for a flush before it goes on. */
		if (!entry.is_write)
			r = media_finish(media, entry.rq, entry.at_ns,
					 media_later(now_ns, entry.ready_ns));
		else
			r = hdd_accept_write(media, &entry, now_ns, &is_accepted);
		if (r == 0 && !is_accepted)
			r = hdd_ring_push(&hdd->blocked, &entry);
	}
	while (r == 0 && is_accepted && hdd->blocked.count && !hdd->flushes.count) {
		struct hdd_entry *entry = &hdd->blocked.entries[hdd->blocked.first];

		r = hdd_accept_write(media, entry, now_ns, &is_accepted);
		if (is_accepted)
			hdd_ring_pop(&hdd->blocked);
	}
	return r;
}

int hdd_move(struct sim_media *media, uint64_t now_ns)
{
	struct hdd *hdd = media->data;
	uint64_t wait_ns;
	int r;

	for (;;) {
		enum hdd_motion motion;

		if (now_ns < hdd->free_ns)
			break;
		r = admit(media, now_ns);
		if (r < 0)
			return r;
		motion = choose_motion(hdd, now_ns, &wait_ns);
		if (motion == HDD_NOTHING)
			return wait_ns == SIM_NEVER ? 0 : arm(media, wait_ns);
		hdd->last = motion;
		if (motion == HDD_DESTAGE) {
			destage(media, now_ns);
		} else if (motion == HDD_CLEAN) {
			clean(media, now_ns);
		} else {
			r = serve_request(media, now_ns);
			if (r < 0)
				return r;
		}
	}
	if (hdd->window_count || hdd->blocked.count || hdd->flushes.count ||
	    hdd->cache.dirty.count || shingles_want_cleaning(&hdd->shingles))
		return arm(media, hdd->free_ns);
	return 0;
}
