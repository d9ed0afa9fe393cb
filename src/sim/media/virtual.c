/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A disk at the other end of something: a hypervisor, a network. The way there and back,
 * a queue at the host that serves so many at once, a provider's limits of operations and
 * bandwidth, each with a burst, and pauses in which the host does something else.
 */
#include "sim/media/models.h"

#include <math.h>

#include "sim/media/latency.h"
#include "sim/media/servers.h"
#include "util/i18n.h"

enum {
	HOST_US, JITTER, SERVERS, READ_US, WRITE_US, FLUSH_US, DISCARD_US, LINK_MBPS,
	MAX_IOPS, MAX_MBPS, BURST_S, PAUSE_EVERY_S, PAUSE_MS,
};

#define ESTIMATE N_("estimate")
#define LAST_NS  0x1p62 /* the clock stays far from its end */

static const struct sim_media_parameter virtual_parameters[] = {
	[HOST_US] = { "host_us", "us", 0, 1e7, 35, ESTIMATE,
		      N_("the way to the host and back, on average") },
	[JITTER] = { "jitter", "", 0, 2, 0.4, ESTIMATE,
		     N_("spread of all times: deviation of their logarithm") },
	[SERVERS] = { "servers", "", 1, SERVERS_MAX, 16, ESTIMATE,
		      N_("requests that the host serves at the same time"), .is_whole = true },
	[READ_US] = { "read_us", "us", 0.01, 1e7, 110, ESTIMATE,
		      N_("a read at the host, on average") },
	[WRITE_US] = { "write_us", "us", 0.01, 1e7, 60, ESTIMATE,
		       N_("a write at the host, on average") },
	[FLUSH_US] = { "flush_us", "us", 0, 1e8, 1200, ESTIMATE, N_("a flush at the host") },
	[DISCARD_US] = { "discard_us", "us", 0, 1e8, 300, ESTIMATE, N_("a discard there") },
	[LINK_MBPS] = { "link_mbps", "MB/s", 1, 1e6, 2500, ESTIMATE,
			N_("data between guest and host") },
	[MAX_IOPS] = { "max_iops", "1/s", 0, 1e8, 0, ESTIMATE,
		       N_("operations that the provider allows; 0: no limit") },
	[MAX_MBPS] = { "max_mbps", "MB/s", 0, 1e6, 0, ESTIMATE,
		       N_("data that the provider allows; 0: no limit") },
	[BURST_S] = { "burst_s", "s", 0, 1e5, 0.1, ESTIMATE,
		      N_("so much of both limits can be used at once after a rest") },
	[PAUSE_EVERY_S] = { "pause_every_s", "s", 0.001, 1e6, 5, ESTIMATE,
			    N_("the host does something else that often, on average") },
	[PAUSE_MS] = { "pause_ms", "ms", 0, 1e5, 4, ESTIMATE, N_("for so long") },
};

/* A limit with a burst: when the next may pass if none came before. */
struct limit {
	double ns_each; /* of an operation, or of a sector; 0: none */
	double full_ns; /* the time at which all credit will be used up */
	double burst_ns;
};

struct virtual_disk {
	struct servers servers;
	struct latency host, read, write;
	struct limit operations, data;
	uint64_t link_scale, link_ns;
	uint64_t flush_ns, discard_ns;
	uint64_t pause_ns, next_pause_ns;
	double pause_every_ns;
	uint64_t written_ns; /* all writes are done */
};

/* Until the limit lets it pass. */
static double pass(struct limit *limit, double amount, double at_ns)
{
	double passes_ns;

	if (limit->ns_each <= 0)
		return at_ns;
	if (limit->full_ns < at_ns)
		limit->full_ns = at_ns;
	passes_ns = fmax(at_ns, limit->full_ns - limit->burst_ns);
	limit->full_ns = fmin(limit->full_ns + amount * limit->ns_each, LAST_NS);
	return passes_ns;
}

/* Pauses that began before this time delay it by what is left of them. */
static uint64_t after_pauses(struct virtual_disk *disk, struct sim_media *media,
			     uint64_t at_ns)
{
	uint64_t end_ns;

	if (!disk->pause_ns || at_ns < disk->next_pause_ns)
		return at_ns;
	end_ns = disk->next_pause_ns + disk->pause_ns;
	if (at_ns < end_ns) {
		media->stats.stalls++;
		return end_ns;
	}
	/* It is over; the ones in a long silence concerned nobody. */
	disk->next_pause_ns = at_ns + (uint64_t)sim_random_exponential(&media->random,
								      disk->pause_every_ns);
	return at_ns;
}

static int virtual_submit(struct sim_media *media, struct sim_request *rq, uint64_t at_ns)
{
	struct virtual_disk *disk = media->data;
	bool has_data = rq->op == SIM_READ || rq->op == SIM_WRITE;
	uint64_t start_ns = at_ns + latency_draw(&disk->host, &media->random) / 2;
	uint64_t work_ns, done_ns;
	double passes_ns = pass(&disk->operations, 1, (double)start_ns);

	if (has_data) {
		passes_ns = pass(&disk->data, rq->sectors, passes_ns);
		disk->link_ns = media_later(disk->link_ns, start_ns) +
				media_transfer_ns(disk->link_scale, rq->sectors);
		start_ns = disk->link_ns;
	}
	start_ns = after_pauses(disk, media, media_later(start_ns, (uint64_t)passes_ns));
	if (rq->op == SIM_READ)
		work_ns = latency_draw(&disk->read, &media->random);
	else if (rq->op == SIM_WRITE)
		work_ns = latency_draw(&disk->write, &media->random);
	else
		work_ns = rq->op == SIM_FLUSH ? disk->flush_ns : disk->discard_ns;
	if (rq->op == SIM_FLUSH || (rq->flags & SIM_REQUEST_PREFLUSH))
		start_ns = media_later(start_ns, disk->written_ns);
	if (rq->op == SIM_WRITE && (rq->flags & SIM_REQUEST_FUA))
		work_ns += disk->flush_ns;
	done_ns = servers_book(&disk->servers, servers_first(&disk->servers), start_ns, work_ns);
	if (rq->op == SIM_WRITE) {
		disk->written_ns = media_later(disk->written_ns, done_ns);
		media->stats.written_sectors += rq->sectors;
		media->stats.programmed_sectors += rq->sectors;
	}
	done_ns += latency_draw(&disk->host, &media->random) / 2;
	return media_finish(media, rq, at_ns, done_ns);
}

static void limit_init(struct limit *limit, double rate_per_ns, double burst_s)
{
	*limit = (struct limit){
		.ns_each = rate_per_ns > 0 ? 1 / rate_per_ns : 0,
		.burst_ns = burst_s * 1e9,
	};
}

static int virtual_init(struct sim_media *media, struct diag *diag)
{
	struct virtual_disk *disk = media->data;
	double jitter = media_value(media, JITTER), burst_s = media_value(media, BURST_S);

	(void)diag;
	latency_init(&disk->host, media_value(media, HOST_US) * MEDIA_US, jitter, 0, 0);
	latency_init(&disk->read, media_value(media, READ_US) * MEDIA_US, jitter, 0, 0);
	latency_init(&disk->write, media_value(media, WRITE_US) * MEDIA_US, jitter, 0, 0);
	limit_init(&disk->operations, media_value(media, MAX_IOPS) / 1e9, burst_s);
	limit_init(&disk->data, media_value(media, MAX_MBPS) / 1e3 / MEDIA_SECTOR, burst_s);
	disk->link_scale = media_transfer_scale(media_value(media, LINK_MBPS));
	disk->flush_ns = media_ns(media, FLUSH_US, MEDIA_US);
	disk->discard_ns = media_ns(media, DISCARD_US, MEDIA_US);
	disk->pause_ns = media_ns(media, PAUSE_MS, MEDIA_MS);
	disk->pause_every_ns = media_value(media, PAUSE_EVERY_S) * 1e9;
	disk->next_pause_ns = (uint64_t)sim_random_exponential(&media->random,
							       disk->pause_every_ns);
	return servers_init(&disk->servers, media_count(media, SERVERS));
}

static void virtual_done(struct sim_media *media)
{
	struct virtual_disk *disk = media->data;

	servers_done(&disk->servers);
}

const struct sim_media_ops sim_media_virtual = {
	.name = "virtual",
	.summary = N_("a disk behind a hypervisor or a network, with limits"),
	.parameters = virtual_parameters,
	.parameter_count = ARRAY_SIZE(virtual_parameters),
	.data_size = sizeof(struct virtual_disk),
	.init = virtual_init,
	.done = virtual_done,
	.submit = virtual_submit,
};
