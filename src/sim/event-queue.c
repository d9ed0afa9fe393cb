/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The event queue: a four-ary heap in one array. */
#include "sim/event-queue.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#define ARITY 4

void event_queue_init(struct event_queue *queue)
{
	*queue = (struct event_queue){ 0 };
}

void event_queue_done(struct event_queue *queue)
{
	free(queue->heap);
	event_queue_init(queue);
}

static inline bool event_is_before(const struct sim_event *a, const struct sim_event *b)
{
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns;
	return a->order < b->order;
}

static int event_queue_grow(struct event_queue *queue)
{
	size_t room = queue->room ? queue->room * 2 : 64;
	struct sim_event *heap;

	heap = reallocarray(queue->heap, room, sizeof(*heap));
	if (!heap)
		return -ENOMEM;
	queue->heap = heap;
	queue->room = room;
	return 0;
}

int event_queue_push(struct event_queue *queue, uint64_t time_ns, unsigned kind,
		     void *object)
{
	struct sim_event event = {
		.time_ns = time_ns,
		.order = queue->pushed,
		.object = object,
		.kind = kind,
	};
	size_t at, parent;
	int r;

	if (queue->count == queue->room) {
		r = event_queue_grow(queue);
		if (r < 0)
			return r;
	}
	queue->pushed++;
	at = queue->count++;
	while (at > 0) {
		parent = (at - 1) / ARITY;
		if (!event_is_before(&event, &queue->heap[parent]))
			break;
		queue->heap[at] = queue->heap[parent];
		at = parent;
	}
	queue->heap[at] = event;
	return 0;
}

void event_queue_pop(struct event_queue *queue, struct sim_event *ret)
{
	struct sim_event last;
	size_t at = 0;

	assert(queue->count > 0);
	*ret = queue->heap[0];
	last = queue->heap[--queue->count];

	for (;;) {
		size_t child = at * ARITY + 1;
		size_t best = child;
		size_t end = child + ARITY;

		if (child >= queue->count)
			break;
		if (end > queue->count)
			end = queue->count;
		while (++child < end) {
			if (event_is_before(&queue->heap[child], &queue->heap[best]))
				best = child;
		}
		if (!event_is_before(&queue->heap[best], &last))
			break;
		queue->heap[at] = queue->heap[best];
		at = best;
	}
	queue->heap[at] = last;
}
