// SPDX-License-Identifier: GPL-2.0-or-later
/* kyber: turns, tokens, measurements, and the depths that come of them. */
#include "sim-fixture.h"

#include "sim/elevators/kyber.h"
#include "util/text.h"

static void test_turns(void **state)
{
	struct sim_queue *queue = fixture_queue("kyber", 6, 12, 32, NULL, 0);
	char expected[1024] = "";

	(void)state;
	for (unsigned i = 0; i < 20; i++)
		fixture_insert(queue, 'R', i);
	for (unsigned i = 0; i < 12; i++)
		fixture_insert(queue, 'W', i);
	/* 16 reads, 8 writes, the rest of each. */
	for (unsigned i = 0; i < 16; i++)
		sprintf(expected + strlen(expected), "R%u ", i);
	for (unsigned i = 0; i < 8; i++)
		sprintf(expected + strlen(expected), "W%u ", i);
	for (unsigned i = 16; i < 20; i++)
		sprintf(expected + strlen(expected), "R%u ", i);
	strcat(expected, "W8 W9 W10 W11");
	fixture_expect_order(queue, expected);
	sim_queue_free(queue);
}

static void test_order_of_domains(void **state)
{
	struct sim_queue *queue = fixture_queue("kyber", 6, 12, 32, NULL, 0);

	(void)state;
	fixture_insert(queue, 'D', 1);
	fixture_insert(queue, 'D', 2);
	fixture_insert(queue, 'W', 3);
	fixture_insert(queue, 'R', 4);
	/* Reads, writes, discards, and of these one at a time. */
	fixture_expect_order(queue, "R4 W3 D1 D2");
	fixture_insert(queue, 'D', 5);
	fixture_insert(queue, 'D', 6);
	fixture_insert(queue, 'W', 7);
	fixture_expect_order(queue, "W7 D5 D6");
	sim_queue_free(queue);
}

static void test_processors_are_flushed_in_order(void **state)
{
	struct sim_queue *queue = fixture_queue("kyber", 6, 12, 32, NULL, 0);
	char buf[32];

	(void)state;
	for (unsigned cpu = 4; cpu-- > 0;) {
		struct sim_request *rq = fixture_request(queue, 'R', cpu);

		rq->cpu = (uint16_t)cpu;
		assert_int_equal(sim_queue_insert(queue, rq), 0);
	}
	assert_string_equal(fixture_take(queue, buf, sizeof(buf)), "R0");
	/* What comes now waits for the next flush, whatever its processor. */
	fixture_insert(queue, 'R', 100);
	fixture_expect_order(queue, "R1 R2 R3 R100");
	sim_queue_free(queue);
}

struct events {
	struct sim_kyber_event list[32];
	unsigned count, runs;
};

static void keep_event(void *context, const struct sim_kyber_event *event)
{
	struct events *events = context;

	assert_in_range(events->count, 0, 31);
	events->list[events->count++] = *event;
}

static void keep_run(void *context, struct sim_hctx *hctx)
{
	(void)hctx;
	((struct events *)context)->runs++;
}

/* `count` requests that take `io_ns` on the device and as long again before it. */
static void run_requests(struct sim_queue *queue, char op, unsigned count, uint64_t io_ns)
{
	for (unsigned i = 0; i < count; i++) {
		struct sim_request *rq = fixture_insert(queue, op, i);
		uint64_t now = queue->now_ns;

		assert_ptr_equal(queue->ops->dispatch_request(&queue->hctxs[0]), rq);
		queue->waiting--;
		rq->state = SIM_STATE_ISSUED;
		queue->hctxs[0].in_flight++;
		rq->start_ns = now - 2 * io_ns;
		rq->issue_ns = now - io_ns;
		sim_queue_complete(queue, rq);
		sim_request_free(queue, rq);
	}
}

static void expect_event(const struct sim_kyber_event *event, const char *domain,
			 const char *type, unsigned percentile, unsigned bucket,
			 unsigned samples)
{
	assert_false(event->is_adjust);
	assert_string_equal(event->domain, domain);
	assert_string_equal(event->type, type);
	assert_int_equal(event->percentile, percentile);
	assert_int_equal(event->numerator, bucket);
	assert_int_equal(event->denominator, 4);
	assert_int_equal(event->samples, samples);
}

static void expect_adjust(const struct sim_kyber_event *event, const char *domain,
			  unsigned depth)
{
	assert_true(event->is_adjust);
	assert_string_equal(event->domain, domain);
	assert_int_equal(event->depth, depth);
}

/* A slow domain makes the device bad: the good one shrinks, the slow one may grow. */
static void test_congestion(void **state)
{
	struct sim_queue *queue = fixture_queue("kyber", 6, 12, 32, NULL, 0);
	struct events events = { 0 };

	(void)state;
	queue->on_kyber_event = keep_event;
	queue->context = &events;
	queue->now_ns = 1000 * MS;
	assert_true(queue->elevator_timer_ns == SIM_NEVER);
	run_requests(queue, 'R', 500, 5 * MS);     /* target 2 ms: bucket 7 of 0..7 */
	run_requests(queue, 'W', 600, MS);         /* target 10 ms: bucket 0 */
	/* 100 ms, and one tick because the wheel rounds up. */
	assert_true(queue->elevator_timer_ns == 1104 * MS);
	queue->now_ns = queue->elevator_timer_ns;
	queue->ops->timer(queue);
	assert_int_equal(events.count, 5);
	expect_event(&events.list[0], "READ", "I/O", 90, 8, 500);
	expect_event(&events.list[1], "WRITE", "I/O", 90, 1, 600);
	expect_event(&events.list[2], "READ", "total", 99, 8, 500);
	expect_event(&events.list[3], "WRITE", "total", 99, 1, 600);
	expect_adjust(&events.list[4], "WRITE", 32); /* 128 * (0 + 1) / 4 */
	assert_true(queue->elevator_timer_ns == SIM_NEVER);
	sim_queue_free(queue);
}

static void test_growing_back(void **state)
{
	struct sim_queue *queue = fixture_queue("kyber", 6, 12, 32, NULL, 0);
	struct kyber_data *kyber = queue->elevator_data;
	struct events events = { 0 };

	(void)state;
	queue->on_kyber_event = keep_event;
	queue->context = &events;
	queue->now_ns = 1000 * MS;
	token_map_resize(&kyber->tokens[KYBER_READ], 10);
	/* Fast on the device, slow in all: not congested, but READ gets more tokens. */
	run_requests(queue, 'R', 500, 1100000);
	queue->now_ns = 1104 * MS;
	queue->ops->timer(queue);
	assert_int_equal(events.count, 3);
	expect_event(&events.list[0], "READ", "I/O", 90, 3, 500);
	expect_event(&events.list[1], "READ", "total", 99, 5, 500);
	expect_adjust(&events.list[2], "READ", 12); /* 10 * 5 / 4 */
	sim_queue_free(queue);
}

/* Too few samples wait for a second since the first look. */
static void test_few_samples(void **state)
{
	struct sim_queue *queue = fixture_queue("kyber", 6, 12, 32, NULL, 0);
	struct events events = { 0 };

	(void)state;
	queue->on_kyber_event = keep_event;
	queue->context = &events;
	queue->now_ns = 1000 * MS;
	run_requests(queue, 'R', 10, MS);
	queue->now_ns = 1104 * MS;
	queue->ops->timer(queue);
	assert_int_equal(events.count, 0);
	run_requests(queue, 'R', 10, MS);
	queue->now_ns = 2100 * MS;
	queue->ops->timer(queue);
	assert_int_equal(events.count, 0);
	queue->now_ns = 2104 * MS;
	queue->ops->timer(queue);
	/* The I/O histogram took the shared time limit with it. */
	assert_int_equal(events.count, 1);
	expect_event(&events.list[0], "READ", "I/O", 90, 2, 20);
	sim_queue_free(queue);
}

static void test_tokens(void **state)
{
	struct sim_queue *queue = fixture_queue("kyber", 6, 12, 512, NULL, 0);
	struct kyber_data *kyber = queue->elevator_data;
	struct events events = { 0 };
	struct sim_request *first, *rq;

	(void)state;
	queue->on_run_wanted = keep_run;
	queue->context = &events;
	token_map_resize(&kyber->tokens[KYBER_WRITE], 1);
	first = fixture_insert(queue, 'W', 1);
	fixture_insert(queue, 'W', 2);
	assert_ptr_equal(queue->ops->dispatch_request(&queue->hctxs[0]), first);
	assert_true(queue->ops->has_work(&queue->hctxs[0]));
	assert_false(queue->ops->can_dispatch(&queue->hctxs[0]));
	assert_null(queue->ops->dispatch_request(&queue->hctxs[0]));
	/* Reads have tokens of their own. */
	rq = fixture_insert(queue, 'R', 3);
	assert_ptr_equal(queue->ops->dispatch_request(&queue->hctxs[0]), rq);
	assert_int_equal(events.runs, 0);
	queue->ops->finish_request(queue, first);
	assert_int_equal(events.runs, 1);
	assert_non_null(queue->ops->dispatch_request(&queue->hctxs[0]));
	sim_queue_free(queue);
}

static struct sim_queue *make_queues(unsigned hw_queues)
{
	const struct sim_queue_config config = {
		.kernel = { 6, 12, 0 },
		.scheduler = "kyber",
		.hw_depth = 512,
		.hw_queues = hw_queues,
		.cpus = hw_queues,
		.hz = 250,
	};
	struct sim_queue *queue = NULL;
	struct diag diag = { 0 };

	if (sim_queue_new(&config, &queue, &diag))
		fail_msg("no queues: %s", diag.text);
	return queue;
}

static void note_run(void *context, struct sim_hctx *hctx)
{
	struct text *runs = context;

	text_addf(runs, "%u", hctx->index);
}

/* Requests of hardware queue `index`, so many; the number that it is given. */
static unsigned take_all(struct sim_queue *queue, unsigned index)
{
	unsigned count = 0;

	while (queue->ops->dispatch_request(&queue->hctxs[index]))
		count++;
	return count;
}

static void insert_writes(struct sim_queue *queue, unsigned index, unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		struct sim_request *rq = fixture_request(queue, 'W', 100 * index + i);

		rq->cpu = rq->hctx = (uint16_t)index;
		assert_int_equal(sim_queue_insert(queue, rq), 0);
	}
}

static void give_back(struct sim_queue *queue, unsigned tokens)
{
	struct kyber_data *kyber = queue->elevator_data;

	for (unsigned i = 0; i < tokens; i++) {
		struct sim_request rq = { .domain = KYBER_WRITE, .has_token = true };
		uint64_t used = kyber->tokens[KYBER_WRITE].used[0] &
				~kyber->tokens[KYBER_WRITE].returned[0];

		rq.token = (uint16_t)__builtin_ctzll(used);
		queue->ops->finish_request(queue, &rq);
	}
}

/* One hardware queue has all the tokens, three wait: each is woken in its turn. */
static void test_waiters_take_turns(void **state)
{
	struct sim_queue *queue = make_queues(4);
	struct kyber_data *kyber = queue->elevator_data;
	struct text runs = { 0 };

	(void)state;
	queue->on_run_wanted = note_run;
	queue->context = &runs;
	token_map_resize(&kyber->tokens[KYBER_WRITE], 16);
	for (unsigned i = 0; i < 4; i++)
		insert_writes(queue, i, 20);
	assert_int_equal(take_all(queue, 0), 16);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(take_all(queue, i), 0);
	/* A batch is an eighth of the tokens: two. */
	give_back(queue, 2);
	assert_string_equal(runs.data, "12");
	assert_int_equal(take_all(queue, 1), 1);
	give_back(queue, 2);
	/* It yielded, and would go on after the other; then come those behind it. */
	assert_string_equal(runs.data, "12130");
	text_done(&runs);
	sim_queue_free(queue);
}

/* Of those that are woken together none takes what the next would get; later it may. */
static void test_a_share_each(void **state)
{
	struct sim_queue *queue = make_queues(2);
	struct kyber_data *kyber = queue->elevator_data;
	struct text runs = { 0 };

	(void)state;
	queue->on_run_wanted = note_run;
	queue->context = &runs;
	token_map_resize(&kyber->tokens[KYBER_WRITE], 64);
	insert_writes(queue, 0, 100);
	insert_writes(queue, 1, 100);
	assert_int_equal(take_all(queue, 0), 64);
	assert_int_equal(take_all(queue, 1), 0);
	give_back(queue, 8);
	assert_string_equal(runs.data, "10");
	assert_int_equal(take_all(queue, 1), 4);
	assert_int_equal(take_all(queue, 0), 4);
	assert_string_equal(runs.data, "1010");
	/* What is left after all had theirs is for who comes first. */
	give_back(queue, 3);
	assert_int_equal(take_all(queue, 1), 3);
	text_done(&runs);
	sim_queue_free(queue);
}

static void test_async_limit(void **state)
{
	struct sim_queue *queue = fixture_queue("kyber", 6, 12, 32, NULL, 0);

	(void)state;
	assert_int_equal(fixture_limit(queue, SIM_WRITE, 0), 48);
	assert_int_equal(fixture_limit(queue, SIM_WRITE, SIM_REQUEST_SYNC), 64);
	sim_queue_free(queue);
	queue = fixture_queue("kyber", 7, 2, 32, NULL, 0);
	assert_int_equal(fixture_limit(queue, SIM_WRITE, SIM_REQUEST_SYNC), 48);
	assert_int_equal(fixture_limit(queue, SIM_READ, 0), 64);
	sim_queue_free(queue);
}

static void test_undo_and_force(void **state)
{
	struct sim_queue *queue = fixture_queue("kyber", 6, 12, 32, NULL, 0);
	struct kyber_data *kyber = queue->elevator_data;
	struct sim_request *a, *b;

	(void)state;
	a = fixture_insert(queue, 'R', 1);
	b = fixture_insert(queue, 'W', 2);
	assert_ptr_equal(queue->ops->dispatch_request(&queue->hctxs[0]), a);
	assert_int_equal(queue->ops->undo_dispatch(&queue->hctxs[0], a), 0);
	assert_int_equal(kyber->tokens[KYBER_READ].out, 0);
	queue->ops->force_dispatch(&queue->hctxs[0], b);
	queue->waiting--;
	assert_int_equal(kyber->tokens[KYBER_WRITE].out, 1);
	assert_int_equal(kyber->state.turns[0].domain, KYBER_WRITE);
	fixture_expect_order(queue, "R1");
	sim_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_order_of_domains),
		cmocka_unit_test(test_processors_are_flushed_in_order),
		cmocka_unit_test(test_congestion),
		cmocka_unit_test(test_growing_back),
		cmocka_unit_test(test_few_samples),
		cmocka_unit_test(test_tokens),
		cmocka_unit_test(test_waiters_take_turns),
		cmocka_unit_test(test_a_share_each),
		cmocka_unit_test(test_async_limit),
		cmocka_unit_test(test_undo_and_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
