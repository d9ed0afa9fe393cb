// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How fast the engine is: requests that go through a scheduler to the null device and
 * back, half of them reads, at random sectors. A number of requests always waits; each that
 * completes is followed by another. The device's time varies by half around 1 ms, so that
 * the event queue has something to sort.
 *
 * The reference is a bare event queue, one pop and one push for each request with the same
 * times, measured in turns with the engine: once with as many events as there are requests,
 * waiting or in flight (the bar), once with only those in flight (for information). Times
 * are of the processor, so that other processes do not count.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim/media/media.h"
#include "sim/queue.h"

#define ROUNDS      7
#define REQUESTS    1000000
#define SERVICE_NS  1000000 /* 0.5 to 1.5 of it */
#define PROCESSES   16
#define DISK_MASK   ((UINT64_C(1) << 31) - 1) /* 1 TiB */

struct bench {
	struct sim_queue *queue;
	struct event_queue events;
	uint64_t random, random_times;
};

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
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

static uint64_t next_service_ns(uint64_t *random)
{
	return SERVICE_NS / 2 + (next_random(random) >> 44) % SERVICE_NS;
}

static void insert_one(struct bench *bench)
{
	uint64_t random = next_random(&bench->random);
	struct sim_request *rq = sim_request_new(bench->queue,
						 random >> 63 ? SIM_READ : SIM_WRITE,
						 (random & DISK_MASK) * 8, 8);

	if (!rq)
		die("out of memory");
	rq->pid = (uint32_t)(random >> 40) % PROCESSES;
	rq->level = 4;
	if (sim_queue_insert(bench->queue, rq) < 0)
		die("out of memory");
}

static void issue_all(struct bench *bench, struct sim_hctx *hctx)
{
	struct sim_request *rq;

	while ((rq = sim_hctx_next(hctx))) {
		uint64_t done_ns = bench->queue->now_ns +
				   next_service_ns(&bench->random_times);

		if (event_queue_push(&bench->events, done_ns, SIM_EVENT_COMPLETE, rq) < 0)
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
		.is_nonrotational = true,
	};
	struct diag diag = { 0 };

	*bench = (struct bench){ .random = 88172645463325252u, .random_times = 42 };
	if (sim_queue_new(&config, &bench->queue, &diag) < 0)
		die(diag.text);
	event_queue_init(&bench->events);
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

		while (bench->queue->elevator_timer_ns <= event_queue_next_ns(&bench->events)) {
			bench->queue->now_ns = bench->queue->elevator_timer_ns;
			bench->queue->ops->timer(bench->queue);
			sim_hctx_run(hctx, true);
			issue_all(bench, hctx);
		}
		event_queue_pop(&bench->events, &event);
		bench->queue->now_ns = event.time_ns;
		insert_one(bench);
		sim_queue_complete(bench->queue, event.object);
		sim_request_free(bench->queue, event.object);
		sim_hctx_run(hctx, true);
		issue_all(bench, hctx);
	}
	return now_s() - begin;
}

struct bare {
	struct event_queue events;
	uint64_t random_times;
	double times[ROUNDS];
};

static void set_up_bare(struct bare *bare, unsigned count)
{
	event_queue_init(&bare->events);
	bare->random_times = 42;
	for (unsigned i = 0; i < count; i++) {
		if (event_queue_push(&bare->events, next_service_ns(&bare->random_times),
				     SIM_EVENT_COMPLETE, NULL) < 0)
			die("out of memory");
	}
}

static double time_bare(struct bare *bare, unsigned count)
{
	double begin = now_s();

	for (unsigned i = 0; i < count; i++) {
		struct sim_event event;

		event_queue_pop(&bare->events, &event);
		if (event_queue_push(&bare->events,
				     event.time_ns + next_service_ns(&bare->random_times),
				     SIM_EVENT_COMPLETE, event.object) < 0)
			die("out of memory");
	}
	return now_s() - begin;
}

static int compare_doubles(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *times)
{
	qsort(times, ROUNDS, sizeof(times[0]), compare_doubles);
	return times[ROUNDS / 2];
}

static void print_row(const char *scheduler, unsigned depth, unsigned waiting,
		      const char *reference, double ours, double bare, const char *wanted)
{
	printf("bench\tengine, %s, depth %u, %u waiting\t%.1f M requests/s\t"
	       "%s %.1f M/s\t%.2f\t%s\n",
	       scheduler, depth, waiting, REQUESTS / ours / 1e6, reference,
	       REQUESTS / bare / 1e6, bare / ours, wanted);
}

static void measure(const char *scheduler, unsigned depth, unsigned waiting,
		    const char *wanted)
{
	struct bare all = { 0 }, in_flight = { 0 };
	double ours[ROUNDS], time;
	struct bench bench;

	set_up(&bench, scheduler, depth, waiting);
	set_up_bare(&all, depth + waiting);
	set_up_bare(&in_flight, depth);
	time_engine(&bench, REQUESTS / 10);
	time_bare(&all, REQUESTS / 10);
	time_bare(&in_flight, REQUESTS / 10);
	for (unsigned i = 0; i < ROUNDS; i++) {
		ours[i] = time_engine(&bench, REQUESTS);
		all.times[i] = time_bare(&all, REQUESTS);
		in_flight.times[i] = time_bare(&in_flight, REQUESTS);
	}
	time = median(ours);
	print_row(scheduler, depth, waiting, "queue of all", time, median(all.times), wanted);
	print_row(scheduler, depth, waiting, "queue of those in flight", time,
		  median(in_flight.times), "-");
	fflush(stdout);
	event_queue_done(&all.events);
	event_queue_done(&in_flight.events);
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
		{ "bfq", ">=0.063" },
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
