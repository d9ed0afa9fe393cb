// SPDX-License-Identifier: GPL-2.0-or-later
/* mq-deadline: what the versions do differently, classes, aging, zones, replay's hooks. */
#include <errno.h>

#include "sim-fixture.h"

/* Where does the sweep go when something is inserted just ahead of it? */
static void test_position(void **state)
{
	static const struct {
		unsigned major, minor;
		const char *order;
	} rows[] = {
		/* A pointer to the successor: 150 is passed over. */
		{ 5, 10, "R300 R150" },
		{ 6, 1, "R300 R150" },
		/* The last sector: 150 is the next one. */
		{ 6, 12, "R150 R300" },
	};
	char buf[32];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = fixture_queue("mq-deadline", rows[i].major,
							rows[i].minor, 1, NULL, 0);

		fixture_insert(queue, 'R', 100);
		fixture_insert(queue, 'R', 300);
		assert_string_equal(fixture_take(queue, buf, sizeof(buf)), "R100");
		fixture_insert(queue, 'R', 150);
		fixture_expect_order(queue, rows[i].order);
		sim_queue_free(queue);
	}
}

/* Where does a direction go on after the other one had its turn? */
static void test_position_of_the_other_direction(void **state)
{
	static const struct {
		unsigned major, minor;
		const char *order;
	} rows[] = {
		{ 5, 10, "R100 W50 R10 R200" },
		{ 6, 12, "R100 W50 R200 R10" },
	};
	const struct sim_setting settings[] = { { "fifo_batch", "1" },
						{ "writes_starved", "1" } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = fixture_queue("mq-deadline", rows[i].major,
							rows[i].minor, 1, settings, 2);
		char order[128] = "", one[32];

		fixture_insert(queue, 'R', 100);
		fixture_take(queue, one, sizeof(one));
		strcat(order, one);
		fixture_insert(queue, 'R', 10);
		fixture_insert(queue, 'R', 200);
		fixture_insert(queue, 'W', 50);
		/* Reads may go once more before writes do. */
		((uint32_t *)queue->elevator_data)[1] = 1;
		for (int n = 0; n < 3; n++) {
			strcat(order, " ");
			strcat(order, fixture_take(queue, one, sizeof(one)));
		}
		assert_string_equal(order, rows[i].order);
		sim_queue_free(queue);
	}
}

static void test_equal_sectors(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 1, NULL, 0);
	struct sim_request *first = fixture_insert(queue, 'R', 100);

	(void)state;
	fixture_insert(queue, 'R', 100);
	assert_ptr_equal(queue->ops->dispatch_request(&queue->hctxs[0]), first);
	sim_queue_free(queue);
}

static void test_classes(void **state)
{
	static const struct {
		unsigned major, minor;
		const char *order;
	} rows[] = {
		{ 5, 10, "R10 R20 R30" },
		{ 5, 15, "R30 R20 R10" },
		{ 6, 12, "R30 R20 R10" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = fixture_queue("mq-deadline", rows[i].major,
							rows[i].minor, 1, NULL, 0);

		fixture_insert_class(queue, 'R', 10, SIM_CLASS_IDLE);
		fixture_insert_class(queue, 'R', 20, SIM_CLASS_BE);
		fixture_insert_class(queue, 'R', 30, SIM_CLASS_RT);
		fixture_expect_order(queue, rows[i].order);
		sim_queue_free(queue);
	}
}

/* An RT request in flight holds BE back from 6.0 on. */
static void test_class_in_flight(void **state)
{
	static const struct {
		unsigned major, minor;
		bool waits;
	} rows[] = { { 5, 15, false }, { 6, 1, true }, { 6, 12, true } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = fixture_queue("mq-deadline", rows[i].major,
							rows[i].minor, 4, NULL, 0);
		struct sim_hctx *hctx = &queue->hctxs[0];
		struct sim_request *rt, *be;

		rt = fixture_insert_class(queue, 'R', 1, SIM_CLASS_RT);
		be = fixture_insert_class(queue, 'R', 2, SIM_CLASS_BE);
		assert_ptr_equal(queue->ops->dispatch_request(hctx), rt);
		assert_int_equal(queue->ops->can_dispatch(hctx), !rows[i].waits);
		if (rows[i].waits)
			assert_null(queue->ops->dispatch_request(hctx));
		queue->ops->finish_request(queue, rt);
		if (rows[i].waits)
			assert_ptr_equal(queue->ops->dispatch_request(hctx), be);
		sim_queue_free(queue);
	}
}

static void test_aging(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 1, NULL, 0);
	struct sim_request *rq;

	(void)state;
	fixture_insert_class(queue, 'R', 10, SIM_CLASS_IDLE);
	queue->now_ns = 9999 * MS;
	fixture_insert_class(queue, 'R', 30, SIM_CLASS_RT);
	fixture_insert_class(queue, 'R', 40, SIM_CLASS_RT);
	rq = queue->ops->dispatch_request(&queue->hctxs[0]);
	assert_true(rq->sector == 30);
	queue->now_ns = 10000 * MS;
	rq = queue->ops->dispatch_request(&queue->hctxs[0]);
	assert_true(rq->sector == 10);
	assert_int_equal(rq->reason, SIM_REASON_AGED);
	sim_queue_free(queue);
}

/* The aging pass counts passed-over writes even when it gives nothing. */
static void test_aging_moves_the_state(void **state)
{
	const struct sim_setting no_batches = { "fifo_batch", "0" };
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 1, &no_batches, 1);

	(void)state;
	fixture_insert_class(queue, 'R', 10, SIM_CLASS_BE);
	fixture_insert_class(queue, 'W', 20, SIM_CLASS_BE);
	fixture_insert_class(queue, 'R', 30, SIM_CLASS_IDLE);
	fixture_insert_class(queue, 'W', 40, SIM_CLASS_IDLE);
	fixture_insert_class(queue, 'R', 50, SIM_CLASS_RT);
	fixture_insert_class(queue, 'W', 60, SIM_CLASS_RT);
	/* BE and IDLE passed writes over once each: in RT it is the writes' turn. */
	assert_true(queue->ops->dispatch_request(&queue->hctxs[0])->sector == 60);
	sim_queue_free(queue);
}

static void test_at_head(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 1, NULL, 0);
	struct sim_request *rq;

	(void)state;
	fixture_insert(queue, 'R', 10);
	rq = fixture_request(queue, 'W', 99);
	rq->flags |= SIM_REQUEST_AT_HEAD;
	assert_int_equal(sim_queue_insert(queue, rq), 0);
	fixture_expect_order(queue, "W99 R10");
	sim_queue_free(queue);
}

static struct sim_queue *zoned_queue(unsigned major, unsigned minor)
{
	const struct sim_queue_config config = {
		.kernel = { major, minor, 0 }, .scheduler = "mq-deadline", .hw_depth = 8,
		.hw_queues = 1, .cpus = 1, .hz = 250, .zone_sectors = 1000,
	};
	struct sim_queue *queue = NULL;
	struct diag diag = { 0 };

	assert_int_equal(sim_queue_new(&config, &queue, &diag), 0);
	return queue;
}

/* Up to 6.9 one write at a time goes to a zone; reads and other zones pass. */
static void test_zones(void **state)
{
	struct sim_queue *queue = zoned_queue(6, 1);
	struct sim_hctx *hctx = &queue->hctxs[0];
	struct sim_request *first, *same, *other;

	(void)state;
	first = fixture_insert(queue, 'W', 100);
	same = fixture_insert(queue, 'W', 200);
	other = fixture_insert(queue, 'W', 1100);
	assert_ptr_equal(queue->ops->dispatch_request(hctx), first);
	assert_ptr_equal(queue->ops->dispatch_request(hctx), other);
	assert_null(queue->ops->dispatch_request(hctx));
	hctx->needs_restart = false;
	queue->ops->finish_request(queue, first);
	assert_true(hctx->needs_restart);
	assert_ptr_equal(queue->ops->dispatch_request(hctx), same);
	sim_queue_free(queue);

	queue = zoned_queue(6, 12);
	fixture_insert(queue, 'W', 100);
	fixture_insert(queue, 'W', 200);
	assert_non_null(queue->ops->dispatch_request(&queue->hctxs[0]));
	assert_non_null(queue->ops->dispatch_request(&queue->hctxs[0]));
	sim_queue_free(queue);
}

static void test_async_depth(void **state)
{
	const struct sim_setting eight = { "async_depth", "8" };
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 32, &eight, 1);

	(void)state;
	assert_int_equal(queue->nr_requests, 64);
	assert_int_equal(fixture_limit(queue, SIM_READ, 0), 64);
	assert_int_equal(fixture_limit(queue, SIM_WRITE, SIM_REQUEST_SYNC), 8);
	sim_queue_free(queue);
	queue = fixture_queue("mq-deadline", 5, 15, 32, NULL, 0);
	assert_int_equal(fixture_limit(queue, SIM_WRITE, 0), 48);
	sim_queue_free(queue);
	queue = fixture_queue("mq-deadline", 5, 10, 32, NULL, 0);
	assert_int_equal(fixture_limit(queue, SIM_WRITE, 0), 64);
	sim_queue_free(queue);
}

/* Put back where it was: the order that comes out is the same. */
static void test_undo(void **state)
{
	static const unsigned versions[][2] = { { 5, 10 }, { 6, 1 }, { 6, 12 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(versions); i++) {
		struct sim_queue *queue = fixture_queue("mq-deadline", versions[i][0],
							versions[i][1], 1, NULL, 0);
		struct sim_request *a, *b;
		unsigned char saved[256];

		fixture_insert(queue, 'R', 300);
		fixture_insert(queue, 'R', 100);
		fixture_insert(queue, 'R', 200);
		assert_true(queue->ops->state_size <= sizeof(saved));
		memcpy(saved, queue->elevator_data, queue->ops->state_size);
		a = queue->ops->dispatch_request(&queue->hctxs[0]);
		b = queue->ops->dispatch_request(&queue->hctxs[0]);
		memcpy(queue->elevator_data, saved, queue->ops->state_size);
		assert_int_equal(queue->ops->undo_dispatch(&queue->hctxs[0], b), 0);
		assert_int_equal(queue->ops->undo_dispatch(&queue->hctxs[0], a), 0);
		queue->ops->state_restored(queue);
		fixture_expect_order(queue, versions[i][1] == 12 ? "R100 R200 R300" :
								   "R300 R100 R200");
		sim_queue_free(queue);
	}
}

static void test_force(void **state)
{
	struct sim_queue *queue = fixture_queue("mq-deadline", 6, 12, 1, NULL, 0);
	struct sim_request *rq;

	(void)state;
	fixture_insert(queue, 'R', 100);
	rq = fixture_insert(queue, 'R', 200);
	fixture_insert(queue, 'R', 300);
	queue->ops->force_dispatch(&queue->hctxs[0], rq);
	queue->waiting--;
	/* The sweep stands at 200 now. */
	fixture_expect_order(queue, "R300 R100");
	sim_queue_free(queue);

	/* The kernel turned to writes: their batch goes on. */
	queue = fixture_queue("mq-deadline", 6, 12, 1, NULL, 0);
	fixture_insert(queue, 'R', 100);
	assert_int_equal(queue->ops->dispatch_request(&queue->hctxs[0])->sector, 100);
	queue->waiting--;
	fixture_insert(queue, 'R', 200);
	rq = fixture_insert(queue, 'W', 500);
	fixture_insert(queue, 'W', 600);
	queue->ops->force_dispatch(&queue->hctxs[0], rq);
	queue->waiting--;
	fixture_expect_order(queue, "W600 R200");
	sim_queue_free(queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_position),
		cmocka_unit_test(test_position_of_the_other_direction),
		cmocka_unit_test(test_equal_sectors),
		cmocka_unit_test(test_classes),
		cmocka_unit_test(test_class_in_flight),
		cmocka_unit_test(test_aging),
		cmocka_unit_test(test_aging_moves_the_state),
		cmocka_unit_test(test_at_head),
		cmocka_unit_test(test_zones),
		cmocka_unit_test(test_async_depth),
		cmocka_unit_test(test_undo),
		cmocka_unit_test(test_force),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
