/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flash behind a controller, as far as drives of every interface share it: dies that read
 * one page at a time, a write buffer, programming that takes dies in turn and delays what
 * is read from them, a cache of one-bit cells in front, and collection of garbage.
 *
 * There is no map of pages: a terabyte of them would not fit. What random writes cost is
 * the write amplification, a parameter; how much of the writing is random is seen.
 */
#ifndef IOSCHED_SIM_MEDIA_FLASH_H
#define IOSCHED_SIM_MEDIA_FLASH_H

#include "sim/media/latency.h"
#include "sim/media/models.h"
#include "sim/media/servers.h"

/* Of the dies' time, what programming may take: reads always get the rest. */
#define FLASH_PROGRAM_SHARE 0.9

#define FLASH_STREAMS 64 /* a power of two */

struct flash_config {
	unsigned dies;
	uint64_t unit_bytes;       /* programmed at once by one die */
	double program_ns;         /* for a unit */
	double cached_program_ns;  /* into the cache of one-bit cells */
	double mbps;               /* drained to the medium */
	double cached_mbps;        /* the same while the cache has room */
	double cache_bytes;        /* 0: none */
	double fold_mbps;          /* how fast the cache empties */
	double buffer_bytes;       /* of memory in front of all */
	double amplification;      /* of random writes, once there is no fresh flash */
	double collect_ns;         /* work for a unit of data that is moved: read, program
				      and its part of an erase */
	double slice_ns;           /* garbage is collected for so long at once */
	double fresh_bytes;        /* can be written before anything need be collected */
};

struct flash {
	struct flash_config config;
	struct servers dies;
	/* The buffer, as a bucket that leaks: when all that it took will be drained. */
	uint64_t drained_ns;
	double cache_level, fresh_level; /* bytes */
	uint64_t cache_seen_ns;
	/* What is programmed as time goes on. */
	uint64_t pending_bytes, next_program_ns;
	double step_ns;            /* between units at the present rate */
	double program_ns;         /* of a unit at present */
	double debt_ns, debt_per_unit_ns;
	double random_share;       /* of the writing of late, 0 to 1 */
	uint64_t ends[FLASH_STREAMS];  /* where reads ended, by their hash */
	uint64_t wends[FLASH_STREAMS]; /* where writes ended */
};

/*
 * -EINVAL with a diag that names the keys where the dies are too slow for the rates:
 * programming may take FLASH_PROGRAM_SHARE of them.
 */
int flash_check_rates(const struct flash_config *config, const char *key,
		      const char *cached_key, struct diag *diag);
int flash_init(struct flash *flash, const struct flash_config *config);
void flash_done(struct flash *flash);

/*
 * A write of so many bytes that the drive takes at `at_ns`: returns when the buffer has
 * room for it. What it costs the dies comes later, by flash_advance().
 */
uint64_t flash_write(struct flash *flash, struct sim_media *media, uint64_t sector,
		     uint32_t sectors, uint64_t at_ns);

void flash_program(struct flash *flash, struct sim_media *media, uint64_t now_ns);

/* Brings the dies up to now: to be called before they are looked at. */
static inline void flash_advance(struct flash *flash, struct sim_media *media,
				 uint64_t now_ns)
{
	if (flash->pending_bytes >= flash->config.unit_bytes &&
	    flash->next_program_ns <= now_ns)
		flash_program(flash, media, now_ns);
}

/* What was deleted need not be moved when garbage is collected. */
void flash_discard(struct flash *flash, uint32_t sectors);

static inline unsigned flash_stream(uint64_t sector)
{
	return (unsigned)((sector * UINT64_C(0x9e3779b97f4a7c15)) >> 58);
}

/* Does the read go on where another ended? */
static inline bool flash_is_sequential(struct flash *flash, const struct sim_request *rq)
{
	bool is_sequential = flash->ends[flash_stream(rq->sector)] == rq->sector;
	uint64_t end = sim_request_end(rq);

	flash->ends[flash_stream(end)] = end;
	return is_sequential;
}

/* One of `count` by the address: neighbours differ, and so do most strides. */
static inline unsigned flash_die(uint64_t page, unsigned count)
{
	uint64_t hash = (page * UINT64_C(0x9e3779b97f4a7c15)) >> 32;

	return (unsigned)((hash * count) >> 32);
}

#endif
