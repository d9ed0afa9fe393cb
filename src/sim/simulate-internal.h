/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of a simulation share: submission (simulate-submit.c) and the loop. */
#ifndef IOSCHED_SIM_SIMULATE_INTERNAL_H
#define IOSCHED_SIM_SIMULATE_INTERNAL_H

#include "sim/media/media.h"
#include "sim/merge.h"
#include "sim/simulate.h"

struct waiting_io {
	struct sim_link link;
	struct sim_io *io;
	struct sim_bio bio;
	uint32_t pid;
};

struct simulation {
	const struct simulate_options *options;
	struct simulate_result *result;
	simulate_source *next;
	void *source;
	struct diag *diag;

	struct sim_queue *queue;
	struct event_queue events;
	struct sim_media media;
	struct pool ios, waiting;

	struct trace_record arrival; /* the next one */
	bool has_arrival;

	struct sim_link plug;        /* requests not inserted yet */
	unsigned plugged;
	uint32_t plug_pid;
	struct sim_link backlog;     /* I/Os without a tag, oldest first */
	size_t backlog_count;
	unsigned allocated;          /* scheduler tags in use */
	bool is_none;
	bool is_held;
};

/* Gives a request that left the queue to the device. `waiting`: it was chosen from so many. */
int simulate_issue(struct simulation *sim, struct sim_request *rq, unsigned waiting);
/* Runs the hardware queue and issues all that may be issued. */
int simulate_run_hctx(struct simulation *sim, struct sim_hctx *hctx);

/* The arrival that was read last becomes a request, joins one, or waits for a tag. */
int simulate_take_arrival(struct simulation *sim);
/* Tags came free: those that waited go on, in their order. */
int simulate_retry_backlog(struct simulation *sim);
/* What is on the plug goes to the scheduler, or directly to the device. */
int simulate_flush_plug(struct simulation *sim);

#endif
