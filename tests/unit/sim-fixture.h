/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queues and requests for the tests of the engine, and the order in which requests come
 * out as text: "R1000 W2000".
 */
#ifndef IOSCHED_TESTS_SIM_FIXTURE_H
#define IOSCHED_TESTS_SIM_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "sim/merge.h"
#include "sim/queue.h"

#define MS UINT64_C(1000000)

/* How many tags a request of this kind may see in use. */
static inline unsigned fixture_limit(struct sim_queue *queue, enum sim_op op, unsigned flags)
{
	const struct sim_bio bio = { .op = op, .flags = flags, .pid = 1 };

	return queue->ops->limit_depth(queue, &bio);
}

static inline struct sim_queue *fixture_queue(const char *scheduler, unsigned major,
					      unsigned minor, unsigned depth,
					      const struct sim_setting *settings,
					      size_t setting_count)
{
	const struct sim_queue_config config = {
		.kernel = { major, minor, 0 },
		.scheduler = scheduler,
		.settings = settings,
		.setting_count = setting_count,
		.hw_depth = depth,
		.hw_queues = 1,
		.cpus = 4,
		.hz = 250,
	};
	struct sim_queue *queue = NULL;
	struct diag diag = { 0 };

	if (sim_queue_new(&config, &queue, &diag))
		fail_msg("no queue: %s", diag.text);
	return queue;
}

static inline struct sim_request *fixture_request(struct sim_queue *queue, char op,
						  uint64_t sector)
{
	enum sim_op kind = op == 'R' ? SIM_READ : op == 'W' ? SIM_WRITE : SIM_DISCARD;
	struct sim_request *rq = sim_request_new(queue, kind, sector, 8);

	assert_non_null(rq);
	return rq;
}

static inline struct sim_request *fixture_insert(struct sim_queue *queue, char op,
						 uint64_t sector)
{
	struct sim_request *rq = fixture_request(queue, op, sector);

	assert_int_equal(sim_queue_insert(queue, rq), 0);
	return rq;
}

static inline struct sim_request *fixture_insert_class(struct sim_queue *queue, char op,
						       uint64_t sector, enum sim_class class)
{
	struct sim_request *rq = fixture_request(queue, op, sector);

	rq->class = (uint8_t)class;
	assert_int_equal(sim_queue_insert(queue, rq), 0);
	return rq;
}

static inline void fixture_name(const struct sim_request *rq, char *buf, size_t size)
{
	snprintf(buf, size, "%c%llu", "RWDFN"[rq->op], (unsigned long long)rq->sector);
}

/* Takes the scheduler's next choice and completes it at once; "-" when there is none. */
static inline const char *fixture_take(struct sim_queue *queue, char *buf, size_t size)
{
	struct sim_request *rq = queue->ops->dispatch_request(&queue->hctxs[0]);

	if (!rq) {
		snprintf(buf, size, "-");
		return buf;
	}
	fixture_name(rq, buf, size);
	queue->waiting--;
	rq->state = SIM_STATE_ISSUED;
	queue->hctxs[0].in_flight++;
	sim_queue_complete(queue, rq);
	sim_request_free(queue, rq);
	return buf;
}

/* Takes all that waits: "R1 R2 W3". */
static inline void fixture_expect_order(struct sim_queue *queue, const char *expected)
{
	char order[4096] = "", one[32];
	size_t len = 0;

	while (queue->waiting > 0) {
		fixture_take(queue, one, sizeof(one));
		len += (size_t)snprintf(order + len, sizeof(order) - len, "%s%s",
					len ? " " : "", one);
		if (one[0] == '-')
			break;
	}
	assert_string_equal(order, expected);
}

#endif
