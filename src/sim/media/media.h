/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device model: takes what the queue issues and says when it is done, by pushing an
 * event. Adding one is a file here. What a model keeps for itself (a head position, an
 * internal queue) is its `data`.
 */
#ifndef IOSCHED_SIM_MEDIA_MEDIA_H
#define IOSCHED_SIM_MEDIA_MEDIA_H

#include <stdint.h>

#include "sim/event-queue.h"
#include "sim/request.h"

enum sim_event_kind {
	SIM_EVENT_COMPLETE, /* object: the request */
	SIM_EVENT_MEDIA,    /* the model's own; object: as it was pushed */
};

struct sim_media;

struct sim_media_ops {
	const char *name;
	/* Begins the request; pushes its SIM_EVENT_COMPLETE now or later. 0 or -ENOMEM. */
	int (*submit)(struct sim_media *media, struct sim_request *rq, uint64_t now_ns);
	/* A SIM_EVENT_MEDIA of this model is due; may be NULL. */
	int (*event)(struct sim_media *media, void *object, uint64_t now_ns);
};

struct sim_media {
	const struct sim_media_ops *ops;
	struct event_queue *events;
	void *data;
};

/* Every request takes `service_ns`, as many at once as there are driver tags. */
struct null_media {
	uint64_t service_ns;
};

void null_media_init(struct sim_media *media, struct null_media *data,
		     uint64_t service_ns, struct event_queue *events);

#endif
