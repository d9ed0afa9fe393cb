/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flash behind a controller: writing, and what it does to the dies. */
#include "sim/media/flash.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "util/i18n.h"

/* Memory of how random the writing is: the last writes count by 1 / 32 each. */
#define RANDOM_WEIGHT 0.03125

#define SLICES_MAX 8
/* No write takes longer to drain, and the clock stays far from its end: 11 days, 146 years. */
#define DRAIN_MAX_NS   1e15
#define DRAINED_MAX_NS (UINT64_C(1) << 62)

/* MB/s at which the dies do nothing but program. */
static double fastest_mbps(const struct flash_config *config, double program_ns)
{
	return config->dies * (double)config->unit_bytes / program_ns * 1e3;
}

static int check_rate(const struct flash_config *config, double program_ns, double mbps,
		      const char *key, struct diag *diag)
{
	double most = FLASH_PROGRAM_SHARE * fastest_mbps(config, program_ns);

	if (mbps <= most)
		return 0;
	diag_set(diag, -EINVAL,
		 _("\"%s\" is %.6g MB/s, but programming at this speed leaves at most %.6g"),
		 key, mbps, most);
	return -EINVAL;
}

int flash_check_rates(const struct flash_config *config, const char *key,
		      const char *cached_key, struct diag *diag)
{
	int r = check_rate(config, config->program_ns, config->mbps, key, diag);

	if (r == 0 && config->cache_bytes > 0)
		r = check_rate(config, config->cached_program_ns, config->cached_mbps,
			       cached_key, diag);
	return r;
}

int flash_init(struct flash *flash, const struct flash_config *config)
{
	memset(flash, 0, sizeof(*flash));
	flash->config = *config;
	flash->fresh_level = config->fresh_bytes;
	/* No request begins where a stream that never was ended. */
	memset(flash->ends, 0xff, sizeof(flash->ends));
	memset(flash->wends, 0xff, sizeof(flash->wends));
	return servers_init(&flash->dies, config->dies);
}

void flash_done(struct flash *flash)
{
	servers_done(&flash->dies);
}

static double ns_per_byte(double mbps)
{
	return 1e3 / mbps;
}

/* The cache of one-bit cells empties by itself. True: it takes this write. */
static bool takes_cache(struct flash *flash, double bytes, uint64_t now_ns)
{
	const struct flash_config *config = &flash->config;

	if (config->cache_bytes <= 0)
		return false;
	if (now_ns > flash->cache_seen_ns) {
		flash->cache_level -= (double)(now_ns - flash->cache_seen_ns) *
				      config->fold_mbps / 1e3;
		flash->cache_seen_ns = now_ns;
	}
	if (flash->cache_level < 0)
		flash->cache_level = 0;
	if (flash->cache_level + bytes > config->cache_bytes)
		return false;
	flash->cache_level += bytes;
	return true;
}

/* How many units are moved for each that is written. */
static double moved_units(struct flash *flash, double bytes, bool is_random)
{
	flash->random_share += ((is_random ? 1.0 : 0.0) - flash->random_share) * RANDOM_WEIGHT;
	if (flash->fresh_level > 0) {
		flash->fresh_level -= bytes;
		return 0;
	}
	return (flash->config.amplification - 1) * flash->random_share;
}

uint64_t flash_write(struct flash *flash, struct sim_media *media, uint64_t sector,
		     uint32_t sectors, uint64_t at_ns)
{
	const struct flash_config *config = &flash->config;
	double bytes = sectors * MEDIA_SECTOR, rate, moved;
	bool is_random = flash->wends[flash_stream(sector)] != sector;
	uint64_t entered_ns = at_ns, wait_ns, room_ns;

	flash->wends[flash_stream(sector + sectors)] = sector + sectors;
	moved = moved_units(flash, bytes, is_random);
	flash->debt_per_unit_ns = moved * config->collect_ns;
	if (takes_cache(flash, bytes, at_ns)) {
		rate = ns_per_byte(config->cached_mbps);
		flash->program_ns = config->cached_program_ns;
	} else {
		/* Garbage is collected by the same dies, at the cost of what drains. */
		rate = ns_per_byte(config->mbps) *
		       (1 + moved * config->collect_ns / config->program_ns);
		flash->program_ns = config->program_ns;
	}
	wait_ns = (uint64_t)(fmin(bytes * rate, DRAIN_MAX_NS) + 0.5);
	room_ns = (uint64_t)(config->buffer_bytes * rate);
	/* As much as the buffer holds may still be on its way when this one is taken. */
	if (flash->drained_ns + wait_ns > at_ns + room_ns)
		entered_ns = media_later(at_ns, flash->drained_ns + wait_ns - room_ns);
	flash->drained_ns = media_later(flash->drained_ns, entered_ns) + wait_ns;
	if (flash->drained_ns > DRAINED_MAX_NS)
		flash->drained_ns = DRAINED_MAX_NS;

	flash->step_ns = (double)config->unit_bytes * rate;
	if (flash->pending_bytes < config->unit_bytes)
		flash->next_program_ns = media_later(flash->next_program_ns, entered_ns);
	flash->pending_bytes += (uint64_t)sectors << 9;
	media->stats.written_sectors += sectors;
	media->stats.programmed_sectors += (uint64_t)(sectors * (1 + moved) + 0.5);
	return entered_ns;
}

/* A slice at a time, each on a die of its own; more at once only where that is too many. */
static void collect_garbage(struct flash *flash, struct sim_media *media, uint64_t at_ns)
{
	double slice_ns = flash->config.slice_ns;

	if (flash->debt_ns > SLICES_MAX * slice_ns)
		slice_ns = flash->debt_ns / SLICES_MAX;
	while (flash->debt_ns >= slice_ns) {
		unsigned die = (unsigned)sim_random_below(&media->random, flash->dies.count);

		servers_book(&flash->dies, die, at_ns, (uint64_t)slice_ns);
		flash->debt_ns -= slice_ns;
		media->stats.stalls++;
	}
}

void flash_program(struct flash *flash, struct sim_media *media, uint64_t now_ns)
{
	const uint64_t unit = flash->config.unit_bytes;
	uint64_t steps = flash->pending_bytes / unit;
	uint64_t keep = 4 * (uint64_t)flash->dies.count;
	uint64_t due = (uint64_t)((double)(now_ns - flash->next_program_ns) / flash->step_ns) + 1;

	if (due < steps)
		steps = due;
	/* What was programmed long ago is forgotten: nobody waits for it any more. */
	if (steps > keep) {
		flash->next_program_ns += (uint64_t)((double)(steps - keep) * flash->step_ns);
		flash->pending_bytes -= (steps - keep) * unit;
		steps = keep;
	}
	for (uint64_t i = 0; i < steps; i++) {
		unsigned die = servers_next(&flash->dies);

		servers_book(&flash->dies, die, flash->next_program_ns,
			     (uint64_t)flash->program_ns);
		flash->debt_ns += flash->debt_per_unit_ns;
		if (flash->debt_ns >= flash->config.slice_ns)
			collect_garbage(flash, media, flash->next_program_ns);
		flash->next_program_ns += (uint64_t)flash->step_ns + 1;
	}
	flash->pending_bytes -= steps * unit;
	if (flash->pending_bytes < unit)
		flash->next_program_ns = media_later(flash->next_program_ns, now_ns);
}

void flash_discard(struct flash *flash, uint32_t sectors)
{
	flash->fresh_level += sectors * MEDIA_SECTOR;
	if (flash->fresh_level > flash->config.fresh_bytes)
		flash->fresh_level = flash->config.fresh_bytes;
}
