/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A device in the tests' hands, for schedulers that look at processes and at the clock: who
 * asks for what and when, what is taken, and when it is done.
 */
#ifndef IOSCHED_TESTS_LEGACY_FIXTURE_H
#define IOSCHED_TESTS_LEGACY_FIXTURE_H

#include "sim-fixture.h"

#define IN_FLIGHT_MAX 256

struct bench {
	struct sim_queue *queue;
	struct sim_request *in_flight[IN_FLIGHT_MAX];
	unsigned count;
	unsigned runs; /* that the scheduler asked for */
	enum sim_reason reason; /* of what was taken last */
	char name[32];
};

static inline void bench_run_wanted(void *context, struct sim_hctx *hctx)
{
	(void)hctx;
	((struct bench *)context)->runs++;
}

static inline void bench_init(struct bench *bench, struct sim_queue *queue)
{
	memset(bench, 0, sizeof(*bench));
	bench->queue = queue;
	queue->on_run_wanted = bench_run_wanted;
	queue->context = bench;
}

static inline void bench_done(struct bench *bench)
{
	sim_queue_free(bench->queue);
}

/* Goes to that time; timers on the way go off. */
static inline void bench_at(struct bench *bench, uint64_t now_ns)
{
	struct sim_queue *queue = bench->queue;

	assert_true(now_ns >= queue->now_ns);
	while (queue->elevator_timer_ns <= now_ns) {
		if (queue->now_ns < queue->elevator_timer_ns)
			queue->now_ns = queue->elevator_timer_ns;
		queue->ops->timer(queue);
	}
	queue->now_ns = now_ns;
}

struct asked {
	uint32_t pid;
	char op; /* R, W, or S: a synchronous write */
	uint64_t sector;
	enum sim_class class;
	unsigned level;
	unsigned flags;
};

static inline struct sim_request *bench_ask_for(struct bench *bench, const struct asked *asked)
{
	struct sim_request *rq =
		fixture_request(bench->queue, asked->op == 'R' ? 'R' : 'W', asked->sector);

	rq->pid = asked->pid;
	rq->class = (uint8_t)asked->class;
	rq->level = (uint8_t)asked->level;
	rq->flags = (uint8_t)(asked->flags | (asked->op == 'S' ? SIM_REQUEST_SYNC : 0));
	assert_int_equal(sim_queue_insert(bench->queue, rq), 0);
	return rq;
}

/* The usual: best effort, level 4. */
static inline struct sim_request *bench_ask(struct bench *bench, uint32_t pid, char op,
					    uint64_t sector)
{
	return bench_ask_for(bench, &(const struct asked){ pid, op, sector, SIM_CLASS_BE, 4, 0 });
}

/* What the scheduler gives now, as "R100"; "-": nothing. */
static inline const char *bench_take(struct bench *bench)
{
	struct sim_queue *queue = bench->queue;
	struct sim_request *rq = NULL;

	if (queue->waiting > 0)
		rq = queue->ops->dispatch_request(&queue->hctxs[0]);
	if (!rq)
		return "-";
	assert_true(bench->count < IN_FLIGHT_MAX);
	bench->reason = rq->reason;
	queue->waiting--;
	rq->state = SIM_STATE_ISSUED;
	queue->hctxs[0].in_flight++;
	bench->in_flight[bench->count++] = rq;
	fixture_name(rq, bench->name, sizeof(bench->name));
	return bench->name;
}

/* What the scheduler gives now is this one, for this reason. */
static inline void bench_expect_next(struct bench *bench, const char *name,
				     enum sim_reason reason)
{
	assert_string_equal(bench_take(bench), name);
	assert_int_equal(bench->reason, reason);
}

/* The oldest one that was taken is done. */
static inline void bench_complete(struct bench *bench)
{
	struct sim_request *rq = bench->in_flight[0];

	assert_true(bench->count > 0);
	bench->count--;
	memmove(bench->in_flight, bench->in_flight + 1,
		bench->count * sizeof(bench->in_flight[0]));
	sim_queue_complete(bench->queue, rq);
	sim_request_free(bench->queue, rq);
}

/* Taken and done, each after `service_ns`, until nothing is given: "R1 R2 -". */
static inline void bench_expect(struct bench *bench, uint64_t service_ns, const char *expected)
{
	char order[2048] = "";
	size_t len = 0;

	for (;;) {
		const char *name = bench_take(bench);

		len += (size_t)snprintf(order + len, sizeof(order) - len, "%s%s",
					len ? " " : "", name);
		if (name[0] == '-' || len > sizeof(order) - 32)
			break;
		bench_at(bench, bench->queue->now_ns + service_ns);
		bench_complete(bench);
	}
	assert_string_equal(order, expected);
}

#endif
