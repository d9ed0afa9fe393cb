/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A solid state drive on SATA or SAS: channels of chips of dies of planes. The address
 * says which die has a page, so that requests to one die wait for each other; its data
 * go over the channel, then over a link that half-duplex interfaces share between the
 * directions. A controller handles one command at a time.
 *
 * One event for each request. A channel or link is taken in the order of submission, for
 * when the data could first be there: nobody waits for what a slower die still reads.
 */
#include "sim/media/flash.h"

#include <errno.h>
#include <math.h>

#include "util/i18n.h"

#define CHANNELS_MAX 64

enum {
	CHANNELS, CHIPS, DIES, PLANES, PAGE_KIB, READ_US, READ_SIGMA, TAIL_RATIO, TAIL_US,
	PROGRAM_US, ERASE_US, BLOCK_PAGES, CHANNEL_MBPS, SPREAD, HIT_US, COMMAND_US,
	LATENCY_US, LINK_MBPS, IS_DUPLEX, WRITE_US, BUFFER_MIB, PROGRAM_SHARE, SLC_GIB,
	SLC_PROGRAM_US, FOLD_MBPS, FRESH_GIB, AMPLIFICATION, SLICE_US, IS_SAFE, FLUSH_US,
	DISCARD_US,
};

#define GEOMETRY N_("flash of published simulators: 8 x 4 x 2 x 2, 75/750/3800 us, 333 MT/s")
#define TYPICAL  N_("typical of data sheets")
#define ESTIMATE N_("estimate")

static const struct sim_media_parameter ssd_parameters[] = {
	[CHANNELS] = { "channels", "", 1, CHANNELS_MAX, 8, GEOMETRY,
		       N_("channels to the flash"), .is_whole = true },
	[CHIPS] = { "chips", "", 1, 16, 4, GEOMETRY, N_("chips on each channel"),
		    .is_whole = true },
	[DIES] = { "dies", "", 1, 4, 2, GEOMETRY, N_("dies in each chip"), .is_whole = true },
	[PLANES] = { "planes", "", 1, 16, 2, GEOMETRY,
		     N_("planes of each die: they program together"), .is_whole = true },
	[PAGE_KIB] = { "page_kib", "KiB", 4, 256, 16, GEOMETRY, N_("a page"),
		       .is_whole = true },
	[READ_US] = { "read_us", "us", 0, 1e6, 75, GEOMETRY,
		      N_("reading one page, on average; the die is busy meanwhile") },
	[READ_SIGMA] = { "read_sigma", "", 0, 2, 0.1, ESTIMATE,
			 N_("spread of that time: deviation of its logarithm") },
	[TAIL_RATIO] = { "tail_ratio", "", 0, 1, 0.0005, ESTIMATE,
			 N_("share of page reads that have to be repeated") },
	[TAIL_US] = { "tail_us", "us", 0, 1e6, 400, ESTIMATE,
		      N_("what a repeated page read takes longer") },
	[PROGRAM_US] = { "program_us", "us", 0.001, 1e6, 750, GEOMETRY,
			 N_("programming one page in every plane of a die") },
	[ERASE_US] = { "erase_us", "us", 0, 1e6, 3800, GEOMETRY, N_("erasing a block") },
	[BLOCK_PAGES] = { "block_pages", "", 1, 65536, 256, GEOMETRY, N_("pages in a block"),
			  .is_whole = true },
	[CHANNEL_MBPS] = { "channel_mbps", "MB/s", 1, 1e5, 333, GEOMETRY,
			   N_("data over a channel") },
	[SPREAD] = { "spread", "", 1, 64, 16, ESTIMATE,
		     N_("dies that work on one request at most"), .is_whole = true },
	[HIT_US] = { "hit_us", "us", 0, 1e6, 15, TYPICAL,
		     N_("a read that goes on where another ended: it has been read ahead") },
	[COMMAND_US] = { "command_us", "us", 0, 1e6, 9.7, TYPICAL,
			 N_("the controller with each command, one after the other: the "
			    "ceiling of small requests") },
	[LATENCY_US] = { "latency_us", "us", 0, 1e6, 12, ESTIMATE,
			 N_("host adapter and protocol, on top of everything") },
	[LINK_MBPS] = { "link_mbps", "MB/s", 1, 1e6, 550, N_("SATA 6 Gbit/s, less its protocol"),
			N_("data over the link") },
	[IS_DUPLEX] = { "is_duplex", "", 0, 1, 0, N_("SATA: no; SAS: yes"),
			N_("1: both directions at once"), .is_whole = true },
	[WRITE_US] = { "write_us", "us", 0, 1e6, 25, TYPICAL,
		       N_("a write that finds room in the buffer, above latency_us") },
	[BUFFER_MIB] = { "buffer_mib", "MiB", 0.0625, 65536, 16, ESTIMATE, N_("write buffer") },
	[PROGRAM_SHARE] = { "program_share", "", 0.01, FLASH_PROGRAM_SHARE, 0.8, ESTIMATE,
			    N_("of the dies' time, what writing takes at most") },
	[SLC_GIB] = { "slc_gib", "GiB", 0, 65536, 0, TYPICAL,
		      N_("cache of one-bit cells; 0: none") },
	[SLC_PROGRAM_US] = { "slc_program_us", "us", 0.001, 1e6, 250, TYPICAL,
			     N_("programming into it") },
	[FOLD_MBPS] = { "fold_mbps", "MB/s", 0.1, 1e6, 100, ESTIMATE,
			N_("how fast that cache empties") },
	[FRESH_GIB] = { "fresh_gib", "GiB", 0, 1e6, 0, ESTIMATE,
			N_("written before garbage is collected; 0: in its steady state") },
	[AMPLIFICATION] = { "amplification", "", 1, 50, 3, TYPICAL,
			    N_("written to flash for each byte of random writes") },
	[SLICE_US] = { "gc_slice_us", "us", 1, 1e6, 4000, ESTIMATE,
		       N_("a die collects garbage for so long at once") },
	[IS_SAFE] = { "is_safe", "", 0, 1, 0, TYPICAL,
		      N_("1: the buffer outlives a loss of power, a flush need not wait"),
		      .is_whole = true },
	[FLUSH_US] = { "flush_us", "us", 0, 1e7, 1500, TYPICAL, N_("a flush by itself") },
	[DISCARD_US] = { "discard_us", "us", 0, 1e7, 150, ESTIMATE,
			 N_("a discard; other commands wait") },
};

struct ssd {
	struct flash flash;
	struct latency read, write;
	uint64_t front_ns;                 /* the controller takes the next command */
	uint64_t link_ns[SIM_DIRS];        /* each direction of the link is free */
	uint64_t channel_ns[CHANNELS_MAX];
	unsigned channels;
	uint64_t command_ns, hit_ns, latency_ns, flush_ns, discard_ns;
	uint64_t link_scale, channel_scale;
	uint32_t page_sectors;
	unsigned spread;
	bool is_duplex, is_safe;
};

/* A page or more of one die: the channel, then the die. */
static uint64_t read_die(struct ssd *ssd, struct sim_media *media, uint64_t page,
			 uint64_t pages, uint32_t sectors, uint64_t at_ns)
{
	unsigned die = flash_die(page, ssd->flash.dies.count);
	uint64_t *channel = &ssd->channel_ns[die % ssd->channels];
	uint64_t wait_ns = *channel > at_ns ? *channel - at_ns : 0;
	uint64_t move_ns = media_transfer_ns(ssd->channel_scale, sectors);
	uint64_t read_ns = pages * latency_draw(&ssd->read, &media->random);

	*channel = at_ns + wait_ns + move_ns;
	return servers_book(&ssd->flash.dies, die, at_ns, read_ns) + wait_ns + move_ns;
}

static uint64_t ssd_read(struct ssd *ssd, struct sim_media *media,
			 const struct sim_request *rq, uint64_t at_ns)
{
	uint64_t first = rq->sector / ssd->page_sectors;
	uint64_t pages = (sim_request_end(rq) - 1) / ssd->page_sectors - first + 1;
	unsigned parts = pages < ssd->spread ? (unsigned)pages : ssd->spread;
	uint64_t done_ns = at_ns;

	flash_advance(&ssd->flash, media, at_ns);
	if (flash_is_sequential(&ssd->flash, rq)) {
		media->stats.cache_hits++;
		return at_ns + ssd->hit_ns;
	}
	for (unsigned i = 0; i < parts; i++)
		done_ns = media_later(done_ns,
				      read_die(ssd, media, first + i,
					       pages / parts + (i < pages % parts),
					       rq->sectors / parts, at_ns));
	return done_ns;
}

static uint64_t ssd_write(struct ssd *ssd, struct sim_media *media,
			  const struct sim_request *rq, uint64_t at_ns)
{
	uint64_t entered_ns;

	flash_advance(&ssd->flash, media, at_ns);
	if ((rq->flags & SIM_REQUEST_PREFLUSH) && !ssd->is_safe)
		at_ns = media_later(at_ns, ssd->flash.drained_ns) + ssd->flush_ns;
	entered_ns = flash_write(&ssd->flash, media, rq->sector, rq->sectors, at_ns);
	/* There is nowhere to put data that the buffer has no room for: the link waits. */
	ssd->front_ns = media_later(ssd->front_ns, entered_ns);
	if ((rq->flags & SIM_REQUEST_FUA) && !ssd->is_safe)
		entered_ns = ssd->flash.drained_ns;
	return entered_ns + latency_draw(&ssd->write, &media->random);
}

/* When the data have gone over the link, if they are ready in time. */
static uint64_t move_data(struct ssd *ssd, const struct sim_request *rq, uint64_t at_ns)
{
	uint64_t *link = &ssd->link_ns[ssd->is_duplex ? rq->dir : 0];

	*link = media_later(*link, at_ns) + media_transfer_ns(ssd->link_scale, rq->sectors);
	return *link - at_ns;
}

static int ssd_submit(struct sim_media *media, struct sim_request *rq, uint64_t at_ns)
{
	struct ssd *ssd = media->data;
	uint64_t start_ns = media_later(at_ns, ssd->front_ns) + ssd->command_ns, done_ns;

	ssd->front_ns = start_ns;
	switch (rq->op) {
	case SIM_READ:
		done_ns = move_data(ssd, rq, start_ns);
		done_ns += rq->sectors ? ssd_read(ssd, media, rq, start_ns) : start_ns;
		break;
	case SIM_WRITE:
		start_ns += move_data(ssd, rq, start_ns);
		done_ns = ssd_write(ssd, media, rq, start_ns);
		break;
	case SIM_FLUSH:
		if (!ssd->is_safe)
			start_ns = media_later(start_ns, ssd->flash.drained_ns);
		done_ns = start_ns + ssd->flush_ns;
		break;
	default:
		flash_discard(&ssd->flash, rq->sectors);
		ssd->front_ns = start_ns + ssd->discard_ns;
		done_ns = ssd->front_ns;
		break;
	}
	return media_finish(media, rq, at_ns, done_ns + ssd->latency_ns);
}

static void configure(const struct sim_media *media, struct flash_config *ret)
{
	double dies = media_value(media, CHANNELS) * media_value(media, CHIPS) *
		      media_value(media, DIES);
	double unit = media_value(media, PLANES) * media_value(media, PAGE_KIB) * MEDIA_KIB;
	double program_ns = media_value(media, PROGRAM_US) * MEDIA_US;
	double cached_ns = media_value(media, SLC_PROGRAM_US) * MEDIA_US;
	double channels_mbps = media_value(media, CHANNELS) * media_value(media, CHANNEL_MBPS);
	double share = media_value(media, PROGRAM_SHARE) * dies * unit * 1e3;

	*ret = (struct flash_config){
		.dies = (unsigned)dies,
		.unit_bytes = (uint64_t)unit,
		.program_ns = program_ns,
		.cached_program_ns = cached_ns,
		/* As fast as dies and channels are. */
		.mbps = fmin(share / program_ns, channels_mbps),
		.cached_mbps = fmin(share / cached_ns, channels_mbps),
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

static int ssd_init(struct sim_media *media, struct diag *diag)
{
	struct ssd *ssd = media->data;
	struct flash_config config;

	(void)diag;
	configure(media, &config);
	latency_init(&ssd->read, media_value(media, READ_US) * MEDIA_US,
		     media_value(media, READ_SIGMA), media_value(media, TAIL_RATIO),
		     media_value(media, TAIL_US) * MEDIA_US);
	latency_init(&ssd->write, media_value(media, WRITE_US) * MEDIA_US,
		     media_value(media, READ_SIGMA), 0, 0);
	ssd->channels = media_count(media, CHANNELS);
	ssd->command_ns = media_ns(media, COMMAND_US, MEDIA_US);
	ssd->hit_ns = media_ns(media, HIT_US, MEDIA_US);
	ssd->latency_ns = media_ns(media, LATENCY_US, MEDIA_US);
	ssd->flush_ns = media_ns(media, FLUSH_US, MEDIA_US);
	ssd->discard_ns = media_ns(media, DISCARD_US, MEDIA_US);
	ssd->link_scale = media_transfer_scale(media_value(media, LINK_MBPS));
	ssd->channel_scale = media_transfer_scale(media_value(media, CHANNEL_MBPS));
	ssd->page_sectors = media_count(media, PAGE_KIB) * 2;
	ssd->spread = media_count(media, SPREAD);
	ssd->is_duplex = media_value(media, IS_DUPLEX) > 0;
	ssd->is_safe = media_value(media, IS_SAFE) > 0;
	return flash_init(&ssd->flash, &config);
}

static void ssd_done(struct sim_media *media)
{
	struct ssd *ssd = media->data;

	flash_done(&ssd->flash);
}

const struct sim_media_ops sim_media_sata_ssd = {
	.name = "sata-ssd",
	.summary = N_("a solid state drive on SATA or SAS: channels, dies, link, garbage"),
	.parameters = ssd_parameters,
	.parameter_count = ARRAY_SIZE(ssd_parameters),
	.data_size = sizeof(struct ssd),
	.init = ssd_init,
	.done = ssd_done,
	.submit = ssd_submit,
};
