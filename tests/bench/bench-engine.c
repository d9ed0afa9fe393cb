// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How fast the engine is: requests that go through a scheduler to the null device and
 * back, against a bare event queue (one pop and one push for each request) timed in turns
 * with it. As many requests wait as are said; each that completes is followed by another.
 * Half the requests are reads, sectors are random, one writer and one reader.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/media/media.h"
#include "sim/queue.h"

#define ROUNDS      7
#define REQUESTS    1000000
#define SERVICE_NS  1000000
#define DISK_MASK   ((UINT64_C(1) << 31) - 1) /* 1 TiB */

struct bench {
	struct sim_queue *queue;
	struct event_queue events;
	struct sim_media media;
	struct null_media null;
	uint64_t random;
};

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* xorshift64: fast, and the same every time. */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static void die(const char *what)
{
	fprintf(stderr, "bench-engine: %s\n", what);
	exit(1);
}

static void insert_one(struct bench *bench)
{
	uint64_t random = next_random(&bench->random);
	struct sim_request *rq = sim_request_new(bench->queue,
						 random >> 63 ? SIM_READ : SIM_WRITE,
						 (random & DISK_MASK) * 8, 8);

	if (!rq || sim_queue_insert(bench->queue, rq) < 0)
		die("out of memory");
}

static void issue_all(struct bench *bench, struct sim_hctx *hctx)
{
	struct sim_request *rq;

	while ((rq = sim_hctx_next(hctx))) {
		if (bench->media.ops->submit(&bench->media, rq, bench->queue->now_ns) < 0)
			die("out of memory");
		sim_hctx_issue(hctx);
	}
}

static void set_up(struct bench *bench, const char *scheduler, unsigned depth,
		   unsigned waiting)
{
	const struct sim_queue_config config = {
		.kernel = { 6, 12, 0 },
		.scheduler = scheduler,
		.hw_depth = depth,
		.hw_queues = 1,
		.cpus = 1,
		.hz = 250,
	};
	struct diag diag = { 0 };

	*bench = (struct bench){ .random = 88172645463325252u };
	if (sim_queue_new(&config, &bench->queue, &diag) < 0)
		die(diag.text);
	event_queue_init(&bench->events);
	null_media_init(&bench->media, &bench->null, SERVICE_NS, &bench->events);
	for (unsigned i = 0; i < waiting + depth; i++)
		insert_one(bench);
	sim_hctx_run(&bench->queue->hctxs[0], true);
	issue_all(bench, &bench->queue->hctxs[0]);
}

static void tear_down(struct bench *bench)
{
	sim_queue_free(bench->queue);
	event_queue_done(&bench->events);
}

/* Seconds for `count` requests. */
static double time_engine(struct bench *bench, unsigned count)
{
	struct sim_hctx *hctx = &bench->queue->hctxs[0];
	double begin = now_s();

	for (unsigned i = 0; i < count; i++) {
		struct sim_event event;

		event_queue_pop(&bench->events, &event);
		bench->queue->now_ns = event.time_ns;
		insert_one(bench);
		if (bench->queue->ops->timer &&
		    bench->queue->elevator_timer_ns <= bench->queue->now_ns)
			bench->queue->ops->timer(bench->queue);
		sim_queue_complete(bench->queue, event.object);
		sim_request_free(bench->queue, event.object);
		sim_hctx_run(hctx, true);
		issue_all(bench, hctx);
	}
	return now_s() - begin;
}

static double time_bare(struct event_queue *events, unsigned count)
{
	double begin = now_s();

	for (unsigned i = 0; i < count; i++) {
		struct sim_event event;

		event_queue_pop(events, &event);
		if (event_queue_push(events, event.time_ns + SERVICE_NS, SIM_EVENT_COMPLETE,
				     event.object) < 0)
			die("out of memory");
	}
	return now_s() - begin;
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void measure(const char *scheduler, unsigned depth, unsigned waiting,
		    const char *wanted)
{
	double ours[ROUNDS], bare[ROUNDS];
	struct event_queue events;
	struct bench bench;

	set_up(&bench, scheduler, depth, waiting);
	event_queue_init(&events);
	for (unsigned i = 0; i < depth; i++) {
		if (event_queue_push(&events, i, SIM_EVENT_COMPLETE, NULL) < 0)
			die("out of memory");
	}
	time_engine(&bench, REQUESTS / 10);
	time_bare(&events, REQUESTS / 10);
	for (unsigned i = 0; i < ROUNDS; i++) {
		ours[i] = time_engine(&bench, REQUESTS);
		bare[i] = time_bare(&events, REQUESTS);
	}
	qsort(ours, ROUNDS, sizeof(ours[0]), compare_doubles);
	qsort(bare, ROUNDS, sizeof(bare[0]), compare_doubles);
	printf("bench\tengine, %s, depth %u, %u waiting\t%.1f M requests/s\t"
	       "bare event queue %.1f M/s\t%.2f\t%s\n",
	       scheduler, depth, waiting, REQUESTS / ours[ROUNDS / 2] / 1e6,
	       REQUESTS / bare[ROUNDS / 2] / 1e6, bare[ROUNDS / 2] / ours[ROUNDS / 2],
	       wanted);
	fflush(stdout);
	event_queue_done(&events);
	tear_down(&bench);
}

int main(void)
{
	static const struct {
		const char *scheduler, *wanted;
	} rows[] = {
		{ "none", ">=0.333" },
		{ "mq-deadline", ">=0.167" },
		{ "kyber", "-" },
	};
	static const unsigned depths[] = { 32, 256 };
	static const unsigned waiting[] = { 1, 1000, 100000 };

	for (size_t s = 0; s < ARRAY_SIZE(rows); s++) {
		for (size_t d = 0; d < ARRAY_SIZE(depths); d++) {
			for (size_t w = 0; w < ARRAY_SIZE(waiting); w++)
				measure(rows[s].scheduler, depths[d], waiting[w],
					rows[s].wanted);
		}
	}
	return 0;
}
