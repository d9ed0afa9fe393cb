/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A spinning disk: a measured seek curve, a platter at a real angle, zones of different
 * speed, a cache that reads ahead and accepts writes, and a queue of which the drive takes
 * what it reaches first. With zones it is a shingled disk, host-aware or host-managed.
 */
#include "sim/media/hdd-internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/i18n.h"

/* Longer requests are no requests of a block layer: 4 GiB. */
#define HDD_SECTORS_MAX (UINT32_C(1) << 23)

enum {
	RPM, HEADS, ZONES, OUTER_MBPS, INNER_MBPS, SEEK_A_MS, SEEK_B_MS, SEEK_C_MS, SEEK_E_US,
	SEEK_KNEE, SEEK_CYLINDERS, STROKE, SETTLE_MS, WRITE_SETTLE_MS, HEAD_SWITCH_MS,
	COMMAND_US, LINK_MBPS, QUEUE, AGING_MS, MAX_WAIT_MS, CACHE_MIB, SEGMENTS, AHEAD_KIB,
	AHEAD_MIN_KIB, WRITE_CACHE_MIB, DESTAGE_IDLE_MS, CONVENTIONAL, MEDIA_CACHE_GIB,
	CLEAN_SLICE_MS,
};

#define BARRACUDA N_("seek table of the Barracuda (7200 rpm, 5172 cylinders), made faster to "\
		     "an average seek of 8.5 ms")
#define TYPICAL   N_("typical of data sheets")
#define ESTIMATE  N_("estimate")

static const struct sim_media_parameter hdd_parameters[] = {
	[RPM] = { "rpm", "1/min", 100, 30000, 7200, TYPICAL, N_("turns of the platter") },
	[HEADS] = { "heads", "", 1, 64, 8, TYPICAL, N_("recorded surfaces"), .is_whole = true },
	[ZONES] = { "zones", "", 1, HDD_ZONES_MAX, 24, ESTIMATE,
		    N_("zones of equal width with their own transfer rate"), .is_whole = true },
	[OUTER_MBPS] = { "outer_mbps", "MB/s", 0.01, 10000, 210, TYPICAL,
			 N_("sequential transfer at the beginning of the disk") },
	[INNER_MBPS] = { "inner_mbps", "MB/s", 0.01, 10000, 100, TYPICAL,
			 N_("sequential transfer at its end") },
	[SEEK_A_MS] = { "seek_a_ms", "ms", 0, 1000, 0.9, BARRACUDA,
			N_("short seeks over d cylinders: a + b * sqrt(d)") },
	[SEEK_B_MS] = { "seek_b_ms", "ms", 0, 1000, 0.19, BARRACUDA,
			N_("short seeks: b, for the root of a cylinder") },
	[SEEK_C_MS] = { "seek_c_ms", "ms", 0, 1000, 5.0, BARRACUDA,
			N_("long seeks: c + e * d") },
	[SEEK_E_US] = { "seek_e_us", "us", 0, 1e6, 2.146, BARRACUDA,
			N_("long seeks: e, for each cylinder") },
	[SEEK_KNEE] = { "seek_knee", "", 1, 1e6, 1300, BARRACUDA,
			N_("cylinders from which a seek counts as long"), .is_whole = true },
	[SEEK_CYLINDERS] = { "seek_cylinders", "", 1, 1e6, 5172, BARRACUDA,
			     N_("cylinders of the disk for which the curve holds: it is scaled "
				"to the full stroke of this one"), .is_whole = true },
	[STROKE] = { "stroke", "", 0.001, 1, 1, ESTIMATE,
		     N_("part of the stroke that the capacity takes: less for a disk of which "
			"only the outer part is used") },
	[SETTLE_MS] = { "settle_ms", "ms", 0, 100, 0, ESTIMATE,
			N_("settling after a seek, where the curve does not have it") },
	[WRITE_SETTLE_MS] = { "write_settle_ms", "ms", 0, 100, 0.461,
			      N_("measured on the Cheetah 9LP"),
			      N_("what a write settles longer") },
	[HEAD_SWITCH_MS] = { "head_switch_ms", "ms", 0, 100, 0.7, ESTIMATE,
			     N_("to another surface of the same cylinder") },
	[COMMAND_US] = { "command_us", "us", 0, 1e6, 120, ESTIMATE,
			 N_("until the controller has decoded a command") },
	[LINK_MBPS] = { "link_mbps", "MB/s", 1, 1e5, 550,
			N_("SATA 6 Gbit/s, less its protocol"), N_("data over the interface") },
	[QUEUE] = { "queue", "", 1, HDD_QUEUE_MAX, 32, N_("NCQ"),
		    N_("requests from which the drive chooses; 1: in order"), .is_whole = true },
	[AGING_MS] = { "aging_ms", "ms", 0, 1000, 6,
		       N_("estimate; aged positioning time as by Worthington, Ganger and Patt "
			  "(1994)"),
		       N_("what each second of waiting is worth in positioning time; 0: the "
			  "nearest is next") },
	[MAX_WAIT_MS] = { "max_wait_ms", "ms", 0, 1e6, 1500,
			  N_("measured beside sequential reads: 1 to 4 s, by drive (OpenZFS, "
			     "issue 15270)"),
			  N_("a request that has waited so long is next") },
	[CACHE_MIB] = { "cache_mib", "MiB", 0, 65536, 64, TYPICAL,
			N_("cache for reading") },
	[SEGMENTS] = { "segments", "", 1, HDD_SEGMENTS_MAX, 64, ESTIMATE,
		       N_("parts of it, each for one run of sectors"), .is_whole = true },
	[AHEAD_KIB] = { "readahead_kib", "KiB", 0, 1e6, 768, ESTIMATE,
			N_("read on after a read while nothing is asked for") },
	[AHEAD_MIN_KIB] = { "readahead_min_kib", "KiB", 0, 1e6, 0, ESTIMATE,
			    N_("read on even when other requests wait") },
	[WRITE_CACHE_MIB] = { "write_cache_mib", "MiB", 0, 65536, 32, TYPICAL,
			      N_("cache for writing; 0: writes are done when they are on disk") },
	[DESTAGE_IDLE_MS] = { "destage_idle_ms", "ms", 0, 1e5, 10, ESTIMATE,
			      N_("without requests for so long, the cache is written") },
	[CONVENTIONAL] = { "conventional", "", 0, 1, 0.01, TYPICAL,
			   N_("zoned: part of the zones that is written anywhere") },
	[MEDIA_CACHE_GIB] = { "media_cache_gib", "GiB", 0, 1024, 25, TYPICAL,
			      N_("host-aware: region for writes that are not sequential") },
	[CLEAN_SLICE_MS] = { "clean_slice_ms", "ms", 0.1, 1e5, 150, ESTIMATE,
			     N_("host-aware: a zone is brought home for so long at once") },
};

static struct media_extent extent_of(uint64_t sector, uint32_t sectors)
{
	uint64_t end = sector + (sectors < HDD_SECTORS_MAX ? sectors : HDD_SECTORS_MAX);

	return (struct media_extent){ sector, end };
}

/* Past the cache: when it must be on disk before it is done, or never fits. */
static bool is_direct(const struct hdd *hdd, const struct hdd_entry *entry)
{
	return (entry->rq->flags & SIM_REQUEST_FUA) ||
	       entry->rq->sectors > hdd->cache.dirty.limit;
}

static int queue_for_arm(struct hdd *hdd, struct hdd_entry *entry)
{
	hdd_locate(&hdd->geometry, entry->extent.begin, &entry->place);
	if (hdd->window_count < hdd->queue) {
		hdd->window[hdd->window_count++] = *entry;
		return 0;
	}
	return hdd_ring_push(&hdd->behind, entry);
}

int hdd_accept_write(struct sim_media *media, struct hdd_entry *entry, uint64_t now_ns,
		     bool *ret_accepted)
{
	struct hdd *hdd = media->data;
	uint64_t sector = entry->rq->sector;
	enum shingles_write where = SHINGLES_HOME;

	*ret_accepted = false;
	if (entry->extent.begin == entry->extent.end)
		where = shingles_write(&hdd->shingles, &sector, entry->rq->sectors);
	if (where == SHINGLES_FULL)
		return 0;
	if (where == SHINGLES_REFUSED) {
		media->stats.zone_errors++;
		*ret_accepted = true;
		return media_finish(media, entry->rq, entry->at_ns,
				    media_later(now_ns, entry->ready_ns));
	}
	media->stats.zone_detours += where == SHINGLES_DETOUR;
	if (entry->extent.begin == entry->extent.end) {
		entry->extent = extent_of(sector, entry->rq->sectors);
		hdd_cache_forget(&hdd->cache, entry->extent);
	}
	if (is_direct(hdd, entry)) {
		*ret_accepted = true;
		return queue_for_arm(hdd, entry);
	}
	if (!write_back_accept(&hdd->cache.dirty, entry->extent))
		return 0;
	*ret_accepted = true;
	return hdd_answer(media, entry, media_later(now_ns, entry->ready_ns));
}

static int submit_write(struct sim_media *media, struct hdd_entry *entry)
{
	struct hdd *hdd = media->data;
	bool is_accepted;
	int r;

	media->stats.written_sectors += entry->rq->sectors;
	if ((entry->rq->flags & SIM_REQUEST_PREFLUSH) && hdd_is_dirty(hdd, entry->at_ns))
		return hdd_ring_push(&hdd->flushes, entry);
	/* In their order, and none between a flush and its end. */
	if (hdd->blocked.count || hdd->flushes.count)
		return hdd_ring_push(&hdd->blocked, entry);
	r = hdd_accept_write(media, entry, entry->ready_ns, &is_accepted);
	return r < 0 || is_accepted ? r : hdd_ring_push(&hdd->blocked, entry);
}

static int submit_read(struct sim_media *media, struct hdd_entry *entry)
{
	struct hdd *hdd = media->data;
	uint64_t end;

	entry->extent = extent_of(entry->rq->sector, entry->rq->sectors);
	hdd_update_ahead(hdd, entry->ready_ns);
	if (!hdd_cache_holds(&hdd->cache, entry->extent))
		return queue_for_arm(hdd, entry);
	media->stats.cache_hits++;
	/* Who follows what is read ahead wants more of it. */
	end = entry->extent.end + hdd->ahead_sectors;
	if (hdd->ahead && hdd->ahead->extent.begin <= entry->extent.begin &&
	    entry->extent.end <= hdd->ahead->extent.end &&
	    hdd->ahead->extent.end < hdd->ahead_limit && end > hdd->ahead_limit)
		hdd->ahead_limit = end < media->medium.capacity_sectors
					   ? end
					   : media->medium.capacity_sectors;
	return hdd_answer(media, entry, entry->ready_ns);
}

static int hdd_submit(struct sim_media *media, struct sim_request *rq, uint64_t at_ns)
{
	struct hdd *hdd = media->data;
	struct hdd_entry entry = {
		.rq = rq,
		.at_ns = at_ns,
		.ready_ns = at_ns + hdd->command_ns,
		.is_write = rq->op == SIM_WRITE,
	};
	int r = 0;

	/* What it does next was settled when it had done the last, not when its answer was seen. */
	if (hdd->window_count && hdd->free_ns <= at_ns)
		r = hdd_move(media, hdd->free_ns);
	if (r < 0)
		return r;
	hdd->asked_ns = at_ns;
	if (rq->op == SIM_FLUSH && hdd_is_dirty(hdd, at_ns)) {
		r = hdd_ring_push(&hdd->flushes, &entry);
	} else if (rq->op == SIM_READ && rq->sectors) {
		r = submit_read(media, &entry);
	} else if (rq->op == SIM_WRITE && rq->sectors) {
		r = submit_write(media, &entry);
	} else {
		if (rq->op != SIM_READ && rq->op != SIM_FLUSH)
			zones_reset(&hdd->shingles.zones, rq->sector, rq->sectors);
		return media_finish(media, rq, at_ns, entry.ready_ns);
	}
	return r < 0 ? r : hdd_move(media, at_ns);
}

static int hdd_event(struct sim_media *media, void *object, uint64_t now_ns)
{
	struct hdd *hdd = media->data;

	(void)object;
	/* Another event was asked for since, and has seen to it. */
	if (now_ns < hdd->armed_ns)
		return 0;
	hdd->armed_ns = SIM_NEVER;
	return hdd_move(media, now_ns);
}

static void shape_of(const struct sim_media *media, struct hdd_shape *ret)
{
	*ret = (struct hdd_shape){
		.capacity_sectors = media->medium.capacity_sectors,
		.rpm = media_value(media, RPM),
		.heads = media_count(media, HEADS),
		.zones = media_count(media, ZONES),
		.outer_mbps = media_value(media, OUTER_MBPS),
		.inner_mbps = media_value(media, INNER_MBPS),
		.seek_a_ms = media_value(media, SEEK_A_MS),
		.seek_b_ms = media_value(media, SEEK_B_MS),
		.seek_c_ms = media_value(media, SEEK_C_MS),
		.seek_e_ms = media_value(media, SEEK_E_US) / 1e3,
		.knee = media_value(media, SEEK_KNEE),
		.curve_cylinders = media_value(media, SEEK_CYLINDERS),
		.stroke = media_value(media, STROKE),
		.settle_ms = media_value(media, SETTLE_MS),
		.head_switch_ms = media_value(media, HEAD_SWITCH_MS),
	};
}

static int hdd_init(struct sim_media *media, struct diag *diag)
{
	struct hdd *hdd = media->data;
	struct hdd_shape shape;
	int r;

	shape_of(media, &shape);
	r = hdd_geometry_init(&hdd->geometry, &shape, diag);
	if (r == 0)
		r = shingles_init(&hdd->shingles, &media->medium,
				  media_value(media, CONVENTIONAL),
				  (uint64_t)(media_value(media, MEDIA_CACHE_GIB) * MEDIA_GIB /
					     MEDIA_SECTOR),
				  diag);
	if (r < 0)
		return r;
	hdd_cache_init(&hdd->cache,
		       (uint64_t)(media_value(media, CACHE_MIB) * MEDIA_MIB / MEDIA_SECTOR),
		       media_count(media, SEGMENTS),
		       (uint64_t)(media_value(media, WRITE_CACHE_MIB) * MEDIA_MIB /
				  MEDIA_SECTOR));
	hdd->command_ns = media_ns(media, COMMAND_US, MEDIA_US);
	hdd->aging_us = media_ns(media, AGING_MS, 1e3);
	hdd->max_wait_ns = media_ns(media, MAX_WAIT_MS, MEDIA_MS);
	hdd->write_settle_ns = media_ns(media, WRITE_SETTLE_MS, MEDIA_MS);
	hdd->destage_idle_ns = media_ns(media, DESTAGE_IDLE_MS, MEDIA_MS);
	hdd->slice_ns = media_ns(media, CLEAN_SLICE_MS, MEDIA_MS);
	hdd->link_scale = media_transfer_scale(media_value(media, LINK_MBPS));
	hdd->ahead_sectors = (uint64_t)(media_value(media, AHEAD_KIB) * 2);
	hdd->ahead_min_sectors = (uint64_t)(media_value(media, AHEAD_MIN_KIB) * 2);
	hdd->queue = media_count(media, QUEUE);
	hdd->armed_ns = SIM_NEVER;
	return 0;
}

static void hdd_done(struct sim_media *media)
{
	struct hdd *hdd = media->data;

	shingles_done(&hdd->shingles);
	free(hdd->behind.entries);
	free(hdd->blocked.entries);
	free(hdd->flushes.entries);
}

static bool hdd_has_arm(const struct sim_medium *medium)
{
	(void)medium;
	return true;
}

const struct sim_media_ops sim_media_hdd = {
	.name = "hdd",
	.summary = N_("a spinning disk: seek curve, rotation, zones, cache, queue, shingled recording"),
	.parameters = hdd_parameters,
	.parameter_count = ARRAY_SIZE(hdd_parameters),
	.has_zones = true,
	.has_arm = hdd_has_arm,
	.data_size = sizeof(struct hdd),
	.init = hdd_init,
	.done = hdd_done,
	.submit = hdd_submit,
	.event = hdd_event,
};
