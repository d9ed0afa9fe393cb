/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens next: a heap of events ordered by time, and by the order of their
 * insertion where times are equal, so that a run is the same every time. Four children a
 * node: half the levels of a binary heap, and siblings share a cache line.
 */
#ifndef IOSCHED_SIM_EVENT_QUEUE_H
#define IOSCHED_SIM_EVENT_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_NEVER UINT64_MAX

struct sim_event {
	uint64_t time_ns;
	uint64_t order; /* set by event_queue_push() */
	void *object;
	unsigned kind;
};

struct event_queue {
	struct sim_event *heap;
	size_t count, room;
	uint64_t pushed;
};

void event_queue_init(struct event_queue *queue);
void event_queue_done(struct event_queue *queue);

/* 0 or -ENOMEM. */
int event_queue_push(struct event_queue *queue, uint64_t time_ns, unsigned kind,
		     void *object);

/* Takes the earliest event off; the queue must not be empty. */
void event_queue_pop(struct event_queue *queue, struct sim_event *ret);

static inline uint64_t event_queue_next_ns(const struct event_queue *queue)
{
	return queue->count ? queue->heap[0].time_ns : SIM_NEVER;
}

#endif
