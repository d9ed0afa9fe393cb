/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The models, of which media.c has the table, and what they share. */
#ifndef IOSCHED_SIM_MEDIA_MODELS_H
#define IOSCHED_SIM_MEDIA_MODELS_H

#include "sim/media/media.h"
#include "util/cleanup.h"

extern const struct sim_media_ops sim_media_flash_card;
extern const struct sim_media_ops sim_media_hdd;
extern const struct sim_media_ops sim_media_nvme;
extern const struct sim_media_ops sim_media_null;
extern const struct sim_media_ops sim_media_raid;
extern const struct sim_media_ops sim_media_sata_ssd;
extern const struct sim_media_ops sim_media_virtual;

#define MEDIA_US 1e3 /* in ns */
#define MEDIA_MS 1e6
#define MEDIA_SECTOR 512.0
#define MEDIA_KIB 1024.0
#define MEDIA_MIB 1048576.0
#define MEDIA_GIB 1073741824.0

static inline double media_value(const struct sim_media *media, unsigned index)
{
	return media->medium.values[index];
}

/* A time whose unit is this many nanoseconds. */
static inline uint64_t media_ns(const struct sim_media *media, unsigned index, double unit)
{
	return (uint64_t)(media->medium.values[index] * unit + 0.5);
}

static inline unsigned media_count(const struct sim_media *media, unsigned index)
{
	return (unsigned)media->medium.values[index];
}

/* How long a sector takes at a rate in MB/s, in 1/1024 ns, so that 64 bits are enough for
   every request; see media_transfer_ns(). */
static inline uint64_t media_transfer_scale(double mbps)
{
	return (uint64_t)(MEDIA_SECTOR * 1e3 / mbps * 1024 + 0.5);
}

static inline uint64_t media_transfer_ns(uint64_t scale, uint32_t sectors)
{
	return (scale * sectors) >> 10;
}

static inline uint64_t media_later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* The request, which came at `at_ns`, is done at `done_ns`. 0, -ENOMEM. */
static inline int media_finish(struct sim_media *media, struct sim_request *rq,
			       uint64_t at_ns, uint64_t done_ns)
{
	if (done_ns > media->busy_until_ns) {
		media->stats.busy_ns += done_ns - media_later(media->busy_until_ns, at_ns);
		media->busy_until_ns = done_ns;
	}
	return event_queue_push(media->events, done_ns, SIM_EVENT_COMPLETE, rq);
}

#endif
