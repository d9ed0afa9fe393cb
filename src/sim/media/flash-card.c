/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Flash without much of a controller: eMMC, UFS, memory cards, USB sticks. A bus that one
 * command at a time has, a few pages at once, and erase groups of which only some are
 * open: a write elsewhere closes the one that was used least, and what was not written of
 * it has to be copied. Now and then the card is busy with itself.
 */
#include "sim/media/models.h"

#include <errno.h>
#include <string.h>

#include "sim/media/latency.h"
#include "sim/media/servers.h"
#include "util/i18n.h"

#define OPEN_GROUPS_MAX 64

enum {
	SERVERS, READ_US, WRITE_US, SIGMA, PAGE_KIB, COMMAND_US, READ_MBPS, WRITE_MBPS,
	GROUP_KIB, OPEN_GROUPS, GROUP_SWITCH_US, IS_MAPPED, BUSY_RATIO, BUSY_US, CACHE_KIB,
	FLUSH_US, DISCARD_US,
};

#define RANGES_EMMC N_("eMMC 5.1: 6 to 10 thousand reads, 2 to 4 thousand writes a second")
#define ESTIMATE    N_("estimate")

static const struct sim_media_parameter card_parameters[] = {
	[SERVERS] = { "servers", "", 1, 256, 2, ESTIMATE,
		      N_("pages that are read or written at the same time"),
		      .is_whole = true },
	[READ_US] = { "read_us", "us", 0, 1e6, 200, RANGES_EMMC,
		      N_("reading one page, on average") },
	[WRITE_US] = { "write_us", "us", 0, 1e7, 550, RANGES_EMMC,
		       N_("writing one page, on average") },
	[SIGMA] = { "sigma", "", 0, 2, 0.25, ESTIMATE,
		    N_("spread of both times: deviation of their logarithm") },
	[PAGE_KIB] = { "page_kib", "KiB", 4, 1024, 16, ESTIMATE,
		       N_("a page: larger requests take several"), .is_whole = true },
	[COMMAND_US] = { "command_us", "us", 0.01, 1e6, 25, ESTIMATE,
			 N_("a command on the bus: no other has it meanwhile") },
	[READ_MBPS] = { "read_mbps", "MB/s", 1, 1e5, 280, ESTIMATE,
			N_("sequential reading, as fast as the bus is") },
	[WRITE_MBPS] = { "write_mbps", "MB/s", 0.3, 1e5, 120, ESTIMATE,
			 N_("sequential writing") },
	[GROUP_KIB] = { "group_kib", "KiB", 16, 1e6, 4096, ESTIMATE, N_("an erase group"),
			.is_whole = true },
	[OPEN_GROUPS] = { "open_groups", "", 1, OPEN_GROUPS_MAX, 16, ESTIMATE,
			  N_("erase groups that can be written without closing another"),
			  .is_whole = true },
	[GROUP_SWITCH_US] = { "group_switch_us", "us", 0, 1e7, 250, ESTIMATE,
			      N_("closing one of them and opening another") },
	[IS_MAPPED] = { "is_mapped", "", 0, 1, 1, ESTIMATE,
			N_("0: a write in an open group that is not where the last one ended "
			   "closes it too; 1: pages are mapped one by one"),
			.is_whole = true },
	[BUSY_RATIO] = { "busy_ratio", "", 0, 1, 0.0005, ESTIMATE,
			 N_("share of writes at which the card tidies up") },
	[BUSY_US] = { "busy_us", "us", 0, 1e7, 15000, ESTIMATE,
		      N_("for how long: nothing else goes on") },
	[CACHE_KIB] = { "cache_kib", "KiB", 0, 1e6, 512, ESTIMATE,
			N_("write cache; 0: a write is done when it is in flash") },
	[FLUSH_US] = { "flush_us", "us", 0, 1e7, 800, ESTIMATE, N_("a flush by itself") },
	[DISCARD_US] = { "discard_us", "us", 0, 1e7, 1500, ESTIMATE,
			 N_("a discard; nothing else goes on") },
};

struct group {
	uint64_t number; /* plus one; 0: none */
	uint64_t next;   /* sector after the last that was written */
	uint64_t used;
};

struct card {
	struct servers servers;
	struct latency read, write;
	struct group groups[OPEN_GROUPS_MAX];
	unsigned open_groups;
	uint64_t uses;
	uint32_t group_sectors, page_sectors;
	uint64_t bus_ns;       /* the bus is free */
	uint64_t drained_ns;   /* all that was written is in flash */
	uint64_t rate_ns;      /* the same as far as the rate of writing goes */
	uint64_t command_ns, switch_ns, busy_ns, flush_ns, discard_ns;
	uint64_t read_scale, write_scale;
	uint64_t busy_below;   /* of 2^53 */
	uint64_t cache_ns;     /* how much work the cache may be behind */
	bool is_mapped;
};

/* The pages of the request, each on the server that is free first. */
static uint64_t work(struct card *card, struct sim_media *media, const struct sim_request *rq,
		     const struct latency *latency, uint64_t extra_ns, uint64_t at_ns)
{
	uint64_t first = rq->sector / card->page_sectors, done_ns = at_ns;
	uint64_t pages = (sim_request_end(rq) - 1) / card->page_sectors - first + 1;
	unsigned parts = pages < card->servers.count ? (unsigned)pages : card->servers.count;

	for (unsigned i = 0; i < parts; i++) {
		unsigned server = servers_first(&card->servers);
		uint64_t part_ns = servers_book(&card->servers, server, at_ns,
						latency_draw(latency, &media->random) +
							extra_ns);

		extra_ns = 0;
		done_ns = media_later(done_ns, part_ns);
	}
	return done_ns;
}

/* A group whose last sector was written has nothing that must be copied. */
static bool is_complete(const struct card *card, const struct group *group)
{
	return !group->number || group->next >= group->number * card->group_sectors;
}

/* What opening the write's group costs: 0 where it is open and may be written there, or
   takes the place of one that is complete. */
static uint64_t open_group(struct card *card, struct sim_media *media,
			   const struct sim_request *rq)
{
	uint64_t number = rq->sector / card->group_sectors + 1;
	struct group *group = NULL, *oldest = &card->groups[0];
	bool is_free;

	for (unsigned i = 0; i < card->open_groups && !group; i++) {
		if (card->groups[i].number == number)
			group = &card->groups[i];
		else if (card->groups[i].used < oldest->used)
			oldest = &card->groups[i];
	}
	if (group) {
		is_free = card->is_mapped || group->next == rq->sector;
	} else {
		group = oldest;
		is_free = is_complete(card, group);
	}
	group->number = number;
	group->next = sim_request_end(rq);
	group->used = ++card->uses;
	if (is_free)
		return 0;
	media->stats.stalls++;
	if (!card->is_mapped)
		media->stats.programmed_sectors += card->group_sectors;
	return card->switch_ns;
}

static uint64_t card_write(struct card *card, struct sim_media *media,
			   const struct sim_request *rq, uint64_t at_ns)
{
	uint64_t extra_ns = open_group(card, media, rq), done_ns;

	media->stats.written_sectors += rq->sectors;
	media->stats.programmed_sectors += rq->sectors;
	if ((sim_random_next(&media->random) >> 11) < card->busy_below) {
		media->stats.stalls++;
		at_ns += card->busy_ns;
		card->bus_ns = media_later(card->bus_ns, at_ns);
	}
	if (rq->flags & SIM_REQUEST_PREFLUSH)
		at_ns = media_later(at_ns, card->drained_ns) + card->flush_ns;
	done_ns = work(card, media, rq, &card->write, extra_ns, at_ns);
	/* Long transfers are as fast as the card is, not as its pages. */
	card->rate_ns = media_later(card->rate_ns, at_ns) +
			media_transfer_ns(card->write_scale, rq->sectors);
	done_ns = media_later(done_ns, card->rate_ns);
	card->drained_ns = media_later(card->drained_ns, done_ns);
	if ((rq->flags & SIM_REQUEST_FUA) || !card->cache_ns)
		return done_ns;
	/* The cache takes it while what is behind is not more than it holds. */
	return card->drained_ns > at_ns + card->cache_ns ? card->drained_ns - card->cache_ns
							 : at_ns;
}

static int card_submit(struct sim_media *media, struct sim_request *rq, uint64_t at_ns)
{
	struct card *card = media->data;
	uint64_t start_ns = media_later(at_ns, card->bus_ns) + card->command_ns, done_ns;

	card->bus_ns = start_ns;
	if (rq->op == SIM_READ && rq->sectors) {
		uint64_t transfer_ns = media_transfer_ns(card->read_scale, rq->sectors);

		card->bus_ns += transfer_ns;
		done_ns = work(card, media, rq, &card->read, 0, start_ns) + transfer_ns;
	} else if (rq->op == SIM_WRITE && rq->sectors) {
		card->bus_ns += media_transfer_ns(card->read_scale, rq->sectors);
		done_ns = card_write(card, media, rq, card->bus_ns);
		if (!card->cache_ns)
			card->bus_ns = media_later(card->bus_ns, done_ns);
	} else if (rq->op == SIM_FLUSH) {
		done_ns = media_later(start_ns, card->drained_ns) + card->flush_ns;
		card->bus_ns = done_ns;
	} else {
		done_ns = start_ns + card->discard_ns;
		card->bus_ns = done_ns;
	}
	return media_finish(media, rq, at_ns, done_ns);
}

static int card_init(struct sim_media *media, struct diag *diag)
{
	struct card *card = media->data;
	double cache_bytes = media_value(media, CACHE_KIB) * MEDIA_KIB;
	double page_bytes = media_value(media, PAGE_KIB) * MEDIA_KIB;

	(void)diag;
	latency_init(&card->read, media_value(media, READ_US) * MEDIA_US,
		     media_value(media, SIGMA), 0, 0);
	latency_init(&card->write, media_value(media, WRITE_US) * MEDIA_US,
		     media_value(media, SIGMA), 0, 0);
	card->open_groups = media_count(media, OPEN_GROUPS);
	card->group_sectors = media_count(media, GROUP_KIB) * 2;
	card->page_sectors = media_count(media, PAGE_KIB) * 2;
	card->command_ns = media_ns(media, COMMAND_US, MEDIA_US);
	card->switch_ns = media_ns(media, GROUP_SWITCH_US, MEDIA_US);
	card->busy_ns = media_ns(media, BUSY_US, MEDIA_US);
	card->flush_ns = media_ns(media, FLUSH_US, MEDIA_US);
	card->discard_ns = media_ns(media, DISCARD_US, MEDIA_US);
	card->read_scale = media_transfer_scale(media_value(media, READ_MBPS));
	card->write_scale = media_transfer_scale(media_value(media, WRITE_MBPS));
	card->busy_below = (uint64_t)(media_value(media, BUSY_RATIO) * 0x1p53);
	card->is_mapped = media_value(media, IS_MAPPED) > 0;
	/* A cache full of small writes: a page of work for each. */
	card->cache_ns = (uint64_t)(cache_bytes / page_bytes * media_value(media, WRITE_US) *
				    MEDIA_US / media_value(media, SERVERS));
	return servers_init(&card->servers, media_count(media, SERVERS));
}

static void card_done(struct sim_media *media)
{
	struct card *card = media->data;

	servers_done(&card->servers);
}

const struct sim_media_ops sim_media_flash_card = {
	.name = "flash-card",
	.summary = N_("flash with a simple controller: eMMC, UFS, memory cards, sticks"),
	.parameters = card_parameters,
	.parameter_count = ARRAY_SIZE(card_parameters),
	.data_size = sizeof(struct card),
	.init = card_init,
	.done = card_done,
	.submit = card_submit,
};
