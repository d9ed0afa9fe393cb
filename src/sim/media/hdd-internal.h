/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The spinning disk's parts: what it accepts (hdd.c) and what its arm does next
   (hdd-mechanism.c). */
#ifndef IOSCHED_SIM_MEDIA_HDD_INTERNAL_H
#define IOSCHED_SIM_MEDIA_HDD_INTERNAL_H

#include "sim/media/hdd-cache.h"
#include "sim/media/hdd-geometry.h"
#include "sim/media/models.h"
#include "sim/media/shingles.h"

#define HDD_QUEUE_MAX 256

/* What waits for the arm, or for room in the cache. */
struct hdd_entry {
	struct sim_request *rq;
	uint64_t at_ns;      /* when it came */
	uint64_t ready_ns;   /* the controller has decoded it */
	struct media_extent extent; /* on disk; a write has none before it found its place */
	struct hdd_place place;
	bool is_write;
};

/* A queue that grows as it must. */
struct hdd_ring {
	struct hdd_entry *entries;
	unsigned first, count, room;
};

enum hdd_motion {
	HDD_NOTHING,
	HDD_REQUEST,
	HDD_DESTAGE, /* of the write cache */
	HDD_CLEAN,   /* of the media cache */
};

struct hdd {
	struct hdd_geometry geometry;
	struct hdd_cache cache;
	struct shingles shingles;

	/* Parameters. */
	uint64_t aging_us; /* of positioning, for each second of waiting */
	uint64_t command_ns, max_wait_ns, write_settle_ns, destage_idle_ns, slice_ns;
	uint64_t link_scale;
	uint64_t ahead_sectors, ahead_min_sectors;
	unsigned queue;

	/* Requests that the arm chooses from, then those behind them. */
	struct hdd_entry window[HDD_QUEUE_MAX];
	unsigned window_count;
	struct hdd_ring behind;
	struct hdd_ring blocked; /* writes without room in the cache */
	struct hdd_ring flushes; /* wait until the cache is written */

	/* The arm. */
	struct hdd_place head;
	uint64_t head_sector;
	uint64_t free_ns;        /* it can move again */
	uint64_t asked_ns;       /* the last request came */
	uint64_t armed_ns;       /* an event is due; SIM_NEVER: none */
	enum hdd_motion last;
	uint64_t link_ns;        /* the interface is free */

	/* What it reads ahead since its last read. */
	struct hdd_segment *ahead; /* NULL: it does not */
	uint64_t ahead_since_ns;
	uint64_t ahead_begin, ahead_limit;
	uint64_t ahead_scale;      /* of the zone: 1/1024 ns for a sector */
};

/* 0, -ENOMEM. */
int hdd_ring_push(struct hdd_ring *ring, const struct hdd_entry *entry);
/* The ring must hold something. */
struct hdd_entry hdd_ring_pop(struct hdd_ring *ring);

/* Brings the segment that is being read ahead up to now. */
void hdd_update_ahead(struct hdd *hdd, uint64_t now_ns);
/* What was accepted is not all on disk. */
bool hdd_is_dirty(const struct hdd *hdd, uint64_t now_ns);
/* Moves the arm, or sees to it that an event does when it can. */
int hdd_move(struct sim_media *media, uint64_t now_ns);
/* How long until the first sector of the place is below the head. */
uint64_t hdd_position_ns(const struct hdd *hdd, const struct hdd_place *place, bool is_write,
			 uint64_t from_ns);
/* Done over the interface. */
int hdd_answer(struct sim_media *media, const struct hdd_entry *entry, uint64_t from_ns);
/* The write finds its place and, if there is room, goes into the cache, or to the arm's
   queue; false: it has to wait for either. */
int hdd_accept_write(struct sim_media *media, struct hdd_entry *entry, uint64_t now_ns,
		     bool *ret_accepted);

#endif
