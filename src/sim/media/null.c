/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The null device: no seeks, no transfer, a fixed time for everything. */
#include "sim/media/media.h"

static int null_submit(struct sim_media *media, struct sim_request *rq, uint64_t now_ns)
{
	const struct null_media *null = media->data;

	return event_queue_push(media->events, now_ns + null->service_ns,
				SIM_EVENT_COMPLETE, rq);
}

static const struct sim_media_ops null_ops = {
	.name = "null",
	.submit = null_submit,
};

void null_media_init(struct sim_media *media, struct null_media *data,
		     uint64_t service_ns, struct event_queue *events)
{
	data->service_ns = service_ns;
	*media = (struct sim_media){ .ops = &null_ops, .events = events, .data = data };
}
