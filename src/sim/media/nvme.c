/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An NVMe drive: as many reads at once as it has effective servers, a controller that
 * takes a command at a time, a link, and a write buffer that drains at the rate of the
 * flash. What drains keeps servers from reading.
 *
 * The controller fetches commands while it has room for them, from its submission queues
 * in turn (NVM Express base specification, "round robin arbitration"); the others wait in
 * their queues, whoever else has the drive.
 *
 * One event for each request: all that lies between is known when it is fetched.
 */
#include "sim/media/flash.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/list.h"
#include "sim/media/zones.h"
#include "sim/pool.h"
#include "util/i18n.h"

#define FETCHED_MAX 65536

/* What a command of 4 KiB has, which max_kiops is about. */
#define COMMAND_SECTORS 8

enum {
	SERVERS, READ_US, READ_SIGMA, TAIL_RATIO, TAIL_US, PAGE_KIB, SPREAD, BOUND, HIT_US,
	LATENCY_US, MAX_KIOPS, LINK_MBPS, FETCHED, WRITE_US, BUFFER_MIB, WRITE_MBPS,
	PROGRAM_US, PROGRAM_KIB, SLC_GIB, SLC_MBPS, SLC_PROGRAM_US, FOLD_MBPS, FRESH_GIB,
	AMPLIFICATION, ERASE_US, BLOCK_PAGES, SLICE_US, IS_SAFE, FLUSH_US, DISCARD_US,
	ZONE_RESET_US,
};

#define MEASURED_F N_("measured: ICPE 2024, doi 10.1145/3629526.3645053")
#define TYPICAL    N_("typical of data sheets")
#define FLASH      N_("timings of TLC flash")
#define ESTIMATE   N_("estimate")

static const struct sim_media_parameter nvme_parameters[] = {
	[SERVERS] = { "servers", "", 1, SERVERS_MAX, 44, MEASURED_F,
		      N_("pages that are read at the same time"), .is_whole = true },
	[READ_US] = { "read_us", "us", 0, 1e6, 52, MEASURED_F,
		      N_("reading one page, on average; the server is busy meanwhile") },
	[READ_SIGMA] = { "read_sigma", "", 0, 2, 0.12, ESTIMATE,
			 N_("spread of that time: deviation of its logarithm") },
	[TAIL_RATIO] = { "tail_ratio", "", 0, 1, 0.0005, ESTIMATE,
			 N_("share of page reads that have to be repeated") },
	[TAIL_US] = { "tail_us", "us", 0, 1e6, 150, ESTIMATE,
		      N_("what a repeated page read takes longer") },
	[PAGE_KIB] = { "page_kib", "KiB", 4, 1024, 16, FLASH,
		       N_("a page: larger reads take several servers"), .is_whole = true },
	[SPREAD] = { "spread", "", 1, 64, 16, ESTIMATE,
		     N_("servers that work on one request at most"), .is_whole = true },
	[BOUND] = { "bound", "", 0, 1, 0.25, ESTIMATE,
		    N_("share of reads whose address leaves no choice of the server; the "
		       "higher, the softer the approach to saturation") },
	[HIT_US] = { "hit_us", "us", 0, 1e6, 8, TYPICAL,
		     N_("a read that goes on where another ended: it has been read ahead") },
	[LATENCY_US] = { "latency_us", "us", 0, 1e6, 3.9, MEASURED_F,
			 N_("controller and bus, on top of everything; takes no server") },
	[MAX_KIOPS] = { "max_kiops", "1000/s", 0.01, 1e5, 790, MEASURED_F,
			N_("commands that the controller takes") },
	[LINK_MBPS] = { "link_mbps", "MB/s", 1, 1e6, 2100, MEASURED_F,
			N_("data beyond 4 KiB of a command: over the link, or as fast as the "
			   "controller moves them") },
	[FETCHED] = { "fetched", "", 1, FETCHED_MAX, 256, MEASURED_F,
		      N_("commands that the controller has at once; more wait in their "
			 "submission queues, which it asks in turn"), .is_whole = true },
	[WRITE_US] = { "write_us", "us", 0, 1e6, 12, TYPICAL,
		       N_("a write that finds room in the buffer, above latency_us") },
	[BUFFER_MIB] = { "buffer_mib", "MiB", 0.0625, 65536, 32, ESTIMATE,
			 N_("write buffer") },
	[WRITE_MBPS] = { "write_mbps", "MB/s", 0.1, 1e6, 1400, TYPICAL,
			 N_("sequential writing once caches are full") },
	[PROGRAM_US] = { "program_us", "us", 0, 1e6, 600, FLASH,
			 N_("programming: a server is busy with it") },
	[PROGRAM_KIB] = { "program_kib", "KiB", 4, 16384, 64, FLASH,
			  N_("what is programmed at once"), .is_whole = true },
	[SLC_GIB] = { "slc_gib", "GiB", 0, 65536, 0, TYPICAL,
		      N_("cache of one-bit cells; 0: none") },
	[SLC_MBPS] = { "slc_mbps", "MB/s", 0.1, 1e6, 2500, TYPICAL,
		       N_("sequential writing while that cache has room") },
	[SLC_PROGRAM_US] = { "slc_program_us", "us", 0, 1e6, 200, FLASH,
			     N_("programming into it") },
	[FOLD_MBPS] = { "fold_mbps", "MB/s", 0.1, 1e6, 300, ESTIMATE,
			N_("how fast that cache empties") },
	[FRESH_GIB] = { "fresh_gib", "GiB", 0, 1e6, 0, ESTIMATE,
			N_("written before garbage is collected; 0: in its steady state") },
	[AMPLIFICATION] = { "amplification", "", 1, 50, 2.5, TYPICAL,
			    N_("written to flash for each byte of random writes") },
	[ERASE_US] = { "erase_us", "us", 0, 1e6, 3800, FLASH, N_("erasing a block") },
	[BLOCK_PAGES] = { "block_pages", "", 1, 65536, 256, FLASH,
			  N_("units of program_kib in a block"), .is_whole = true },
	[SLICE_US] = { "gc_slice_us", "us", 1, 1e6, 1500, ESTIMATE,
		       N_("a server collects garbage for so long at once") },
	[IS_SAFE] = { "is_safe", "", 0, 1, 1, TYPICAL,
		      N_("1: the buffer outlives a loss of power, a flush need not wait"),
		      .is_whole = true },
	[FLUSH_US] = { "flush_us", "us", 0, 1e7, 20, TYPICAL, N_("a flush by itself") },
	[DISCARD_US] = { "discard_us", "us", 0, 1e7, 40, ESTIMATE,
			 N_("a discard; other commands wait") },
	[ZONE_RESET_US] = { "zone_reset_us", "us", 0, 1e7, 2000, ESTIMATE,
			    N_("writing a zone anew: its reset before") },
};

/* A command that the controller has not fetched yet. */
struct waiting_command {
	struct sim_link link;
	struct sim_request *rq;
	uint64_t at_ns;
};

struct nvme {
	struct flash flash;
	struct latency read, write;
	struct zones zones;
	uint64_t front_ns;       /* the controller takes the next command */
	uint64_t command_ns;
	uint64_t link_scale;
	uint64_t hit_ns, latency_ns, flush_ns, discard_ns, reset_ns;
	uint32_t page_sectors;
	unsigned spread;
	uint64_t bound_below;    /* of 2^32 */
	bool is_safe;

	struct sim_link *queues;   /* submission queues: commands that wait in them */
	unsigned queue_count, next_queue;
	struct pool commands;
	unsigned waiting;          /* in all of them */
	unsigned fetched, fetched_max;
};

static uint64_t read_pages(struct nvme *nvme, struct sim_media *media,
			   const struct sim_request *rq, uint64_t at_ns)
{
	struct servers *dies = &nvme->flash.dies;
	uint64_t first = rq->sector / nvme->page_sectors, done_ns = at_ns;
	uint64_t offset = rq->sector - first * nvme->page_sectors;
	/* Most are within one page: no division for them. */
	uint64_t pages = offset + rq->sectors <= nvme->page_sectors
				 ? 1
				 : (offset + rq->sectors - 1) / nvme->page_sectors + 1;
	unsigned parts = pages < nvme->spread ? (unsigned)pages : nvme->spread;

	for (unsigned i = 0; i < parts; i++) {
		/* Each part reads its share of the pages, one after the other. */
		uint64_t share = parts == pages ? 1 : pages / parts + (i < pages % parts);
		uint64_t bits = sim_random_next(&media->random);
		unsigned die = (bits & UINT32_MAX) < nvme->bound_below
				       ? flash_die(first + i, dies->count)
				       : servers_first(dies);
		uint64_t part_ns = servers_book(dies, die, at_ns,
						share * latency_draw(&nvme->read,
								     &media->random));

		done_ns = media_later(done_ns, part_ns);
	}
	return done_ns;
}

static uint64_t nvme_read(struct nvme *nvme, struct sim_media *media,
			  const struct sim_request *rq, uint64_t at_ns)
{
	flash_advance(&nvme->flash, media, at_ns);
	if (flash_is_sequential(&nvme->flash, rq)) {
		media->stats.cache_hits++;
		return at_ns + nvme->hit_ns;
	}
	return read_pages(nvme, media, rq, at_ns);
}

static uint64_t nvme_write(struct nvme *nvme, struct sim_media *media,
			   const struct sim_request *rq, uint64_t at_ns)
{
	uint64_t entered_ns, done_ns;

	flash_advance(&nvme->flash, media, at_ns);
	if ((rq->flags & SIM_REQUEST_PREFLUSH) && !nvme->is_safe)
		at_ns = media_later(at_ns, nvme->flash.drained_ns) + nvme->flush_ns;
	entered_ns = flash_write(&nvme->flash, media, rq->sector, rq->sectors, at_ns);
	done_ns = entered_ns;
	if ((rq->flags & SIM_REQUEST_FUA) && !nvme->is_safe)
		done_ns = nvme->flash.drained_ns;
	return done_ns + latency_draw(&nvme->write, &media->random);
}

static int refuse(struct nvme *nvme, struct sim_media *media, struct sim_request *rq,
		  uint64_t at_ns)
{
	media->stats.zone_errors++;
	return media_finish(media, rq, at_ns, nvme->front_ns + nvme->latency_ns);
}

/* The controller has fetched it. */
static int begin(struct sim_media *media, struct sim_request *rq, uint64_t at_ns)
{
	struct nvme *nvme = media->data;
	uint64_t start_ns = media_later(at_ns, nvme->front_ns), done_ns;
	uint64_t transfer_ns = 0;

	/* max_kiops is with 4 KiB: a command brings as much along. */
	if ((rq->op == SIM_READ || rq->op == SIM_WRITE) && rq->sectors > COMMAND_SECTORS)
		transfer_ns = media_transfer_ns(nvme->link_scale,
						rq->sectors - COMMAND_SECTORS);
	nvme->front_ns = start_ns + nvme->command_ns + transfer_ns;
	if (rq->op == SIM_READ && rq->sectors) {
		done_ns = nvme_read(nvme, media, rq, start_ns);
	} else if (rq->op == SIM_WRITE) {
		switch (zones_write(&nvme->zones, rq->sector, rq->sectors)) {
		case ZONE_WRITE_ELSEWHERE:
			if (media->medium.is_host_managed)
				return refuse(nvme, media, rq, at_ns);
			media->stats.zone_detours++;
			break;
		case ZONE_WRITE_ANEW:
			start_ns += nvme->reset_ns;
			break;
		case ZONE_WRITE_ON:
			break;
		}
		done_ns = nvme_write(nvme, media, rq, start_ns);
	} else if (rq->op == SIM_FLUSH) {
		done_ns = start_ns + nvme->flush_ns;
		if (!nvme->is_safe)
			done_ns = media_later(done_ns, nvme->flash.drained_ns + nvme->flush_ns);
	} else {
		zones_reset(&nvme->zones, rq->sector, rq->sectors);
		flash_discard(&nvme->flash, rq->sectors);
		nvme->front_ns = start_ns + nvme->discard_ns;
		done_ns = nvme->front_ns;
	}
	return media_finish(media, rq, at_ns, done_ns + transfer_ns + nvme->latency_ns);
}

static int nvme_submit(struct sim_media *media, struct sim_request *rq, uint64_t at_ns)
{
	struct nvme *nvme = media->data;
	struct waiting_command *command;

	if (nvme->fetched < nvme->fetched_max) {
		nvme->fetched++;
		return begin(media, rq, at_ns);
	}
	command = pool_take(&nvme->commands);
	if (!command)
		return -ENOMEM;
	command->rq = rq;
	command->at_ns = at_ns;
	sim_list_add_tail(&nvme->queues[rq->hctx % nvme->queue_count], &command->link);
	nvme->waiting++;
	return 0;
}

/* The next command, of the queue whose turn it is. */
static int nvme_completed(struct sim_media *media, uint64_t now_ns)
{
	struct nvme *nvme = media->data;
	struct waiting_command *command;
	struct sim_request *rq;
	uint64_t at_ns;

	nvme->fetched--;
	if (!nvme->waiting)
		return 0;
	while (sim_list_is_empty(&nvme->queues[nvme->next_queue]))
		nvme->next_queue = (nvme->next_queue + 1) % nvme->queue_count;
	command = SIM_ENTRY(nvme->queues[nvme->next_queue].next, struct waiting_command, link);
	nvme->next_queue = (nvme->next_queue + 1) % nvme->queue_count;
	sim_list_remove(&command->link);
	rq = command->rq;
	at_ns = media_later(now_ns, command->at_ns);
	pool_give(&nvme->commands, command);
	nvme->waiting--;
	nvme->fetched++;
	return begin(media, rq, at_ns);
}

static int set_up_queues(struct nvme *nvme, unsigned count)
{
	pool_init(&nvme->commands, sizeof(struct waiting_command));
	nvme->queue_count = count ? count : 1;
	nvme->queues = calloc(nvme->queue_count, sizeof(*nvme->queues));
	if (!nvme->queues)
		return -ENOMEM;
	for (unsigned i = 0; i < nvme->queue_count; i++)
		sim_list_init(&nvme->queues[i]);
	return 0;
}

static void configure(const struct sim_media *media, struct flash_config *ret)
{
	double unit = media_value(media, PROGRAM_KIB) * MEDIA_KIB;
	double program_ns = media_value(media, PROGRAM_US) * MEDIA_US;

	*ret = (struct flash_config){
		.dies = media_count(media, SERVERS),
		.unit_bytes = (uint64_t)unit,
		.program_ns = fmax(program_ns, 1),
		.cached_program_ns = fmax(media_value(media, SLC_PROGRAM_US) * MEDIA_US, 1),
		.mbps = media_value(media, WRITE_MBPS),
		.cached_mbps = media_value(media, SLC_MBPS),
		.cache_bytes = media_value(media, SLC_GIB) * MEDIA_GIB,
		.fold_mbps = media_value(media, FOLD_MBPS),
		.buffer_bytes = media_value(media, BUFFER_MIB) * MEDIA_MIB,
		.amplification = media_value(media, AMPLIFICATION),
		.collect_ns = media_value(media, READ_US) * MEDIA_US + program_ns +
			      media_value(media, ERASE_US) * MEDIA_US /
				      media_value(media, BLOCK_PAGES),
		.slice_ns = media_value(media, SLICE_US) * MEDIA_US,
		.fresh_bytes = media_value(media, FRESH_GIB) * MEDIA_GIB,
	};
}

static int nvme_init(struct sim_media *media, struct diag *diag)
{
	struct nvme *nvme = media->data;
	struct flash_config config;
	int r;

	configure(media, &config);
	r = flash_check_rates(&config, "write_mbps", "slc_mbps", diag);
	if (r == 0)
		r = zones_init(&nvme->zones, &media->medium, 0, diag);
	if (r == 0)
		r = flash_init(&nvme->flash, &config);
	if (r == 0)
		r = set_up_queues(nvme, media->medium.hw_queues);
	if (r < 0)
		return r;
	latency_init(&nvme->read, media_value(media, READ_US) * MEDIA_US,
		     media_value(media, READ_SIGMA), media_value(media, TAIL_RATIO),
		     media_value(media, TAIL_US) * MEDIA_US);
	latency_init(&nvme->write, media_value(media, WRITE_US) * MEDIA_US,
		     media_value(media, READ_SIGMA), 0, 0);
	nvme->command_ns = (uint64_t)(1e6 / media_value(media, MAX_KIOPS) + 0.5);
	nvme->link_scale = media_transfer_scale(media_value(media, LINK_MBPS));
	nvme->hit_ns = media_ns(media, HIT_US, MEDIA_US);
	nvme->latency_ns = media_ns(media, LATENCY_US, MEDIA_US);
	nvme->flush_ns = media_ns(media, FLUSH_US, MEDIA_US);
	nvme->discard_ns = media_ns(media, DISCARD_US, MEDIA_US);
	nvme->reset_ns = media_ns(media, ZONE_RESET_US, MEDIA_US);
	nvme->page_sectors = media_count(media, PAGE_KIB) * 2;
	nvme->spread = media_count(media, SPREAD);
	nvme->bound_below = (uint64_t)(media_value(media, BOUND) * 0x1p32);
	nvme->fetched_max = media_count(media, FETCHED);
	nvme->is_safe = media_value(media, IS_SAFE) > 0;
	return 0;
}

static void nvme_done(struct sim_media *media)
{
	struct nvme *nvme = media->data;

	flash_done(&nvme->flash);
	zones_done(&nvme->zones);
	pool_done(&nvme->commands);
	free(nvme->queues);
}

const struct sim_media_ops sim_media_nvme = {
	.name = "nvme",
	.summary = N_("an NVMe drive: parallel servers, a ceiling, a write buffer"),
	.parameters = nvme_parameters,
	.parameter_count = ARRAY_SIZE(nvme_parameters),
	.has_zones = true,
	.data_size = sizeof(struct nvme),
	.init = nvme_init,
	.done = nvme_done,
	.submit = nvme_submit,
	.completed = nvme_completed,
};
