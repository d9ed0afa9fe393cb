// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * FIFO, SSTF, SCAN, C-SCAN, LOOK, C-LOOK against orders and distances worked out by hand.
 *
 * List 1: the queue of Silberschatz, Galvin, Gagne, "Operating System Concepts", chapter on
 * mass storage: cylinders 0 to 199, head at 53. List 2: the exercise of the same chapter:
 * cylinders 0 to 4999, head at 143 and going up. A cylinder is a sector here.
 *
 * The way of C-SCAN counts the stroke from one edge to the other. (The book's solution of the
 * exercise, 9813, goes from the last cylinder to request 86 without the first cylinder.)
 */
#include <errno.h>

#include "sim-fixture.h"

#include "sim/simulate.h"

struct list {
	uint64_t cylinders;
	const char *start;
	unsigned requests[10];
	size_t count;
};

static const struct list list_1 = {
	.cylinders = 200, .start = "53",
	.requests = { 98, 183, 37, 122, 14, 124, 65, 67 }, .count = 8,
};
static const struct list list_2 = {
	.cylinders = 5000, .start = "143",
	.requests = { 86, 1470, 913, 1774, 948, 1509, 1022, 1750, 130 }, .count = 9,
};

static struct sim_queue *new_queue(const char *scheduler, uint64_t cylinders,
				   const struct sim_setting *settings, size_t count)
{
	const struct sim_queue_config config = {
		.kernel = { 6, 12, 0 },
		.scheduler = scheduler,
		.settings = settings,
		.setting_count = count,
		.hw_depth = 1,
		.hw_queues = 1,
		.cpus = 1,
		.hz = 250,
		.capacity_sectors = cylinders,
	};
	struct sim_queue *queue = NULL;
	struct diag diag = { 0 };

	if (sim_queue_new(&config, &queue, &diag))
		fail_msg("no queue: %s", diag.text);
	return queue;
}

static void insert(struct sim_queue *queue, uint64_t sector)
{
	struct sim_request *rq = sim_request_new(queue, SIM_READ, sector, 1);

	assert_non_null(rq);
	assert_int_equal(sim_queue_insert(queue, rq), 0);
}

struct taken {
	char order[256];
	uint64_t travel;
};

/* Takes all that waits; the head begins at `pos`. */
static void take_all(struct sim_queue *queue, uint64_t pos, struct taken *ret)
{
	size_t len = 0;

	memset(ret, 0, sizeof(*ret));
	while (queue->waiting > 0) {
		struct sim_request *rq = queue->ops->dispatch_request(&queue->hctxs[0]);

		assert_non_null(rq);
		ret->travel += sim_queue_travel(queue, pos, rq);
		pos = rq->sector;
		len += (size_t)snprintf(ret->order + len, sizeof(ret->order) - len, "%s%llu",
					len ? " " : "", (unsigned long long)rq->sector);
		queue->waiting--;
		rq->state = SIM_STATE_ISSUED;
		queue->hctxs[0].in_flight++;
		sim_queue_complete(queue, rq);
		sim_request_free(queue, rq);
	}
}

static void check_list(const struct list *list, const char *scheduler, const char *direction,
		       const char *order, uint64_t travel)
{
	const struct sim_setting settings[] = {
		{ "start", list->start },
		{ "direction", direction },
	};
	struct sim_queue *queue = new_queue(scheduler, list->cylinders, settings, 2);
	struct taken taken;

	for (size_t i = 0; i < list->count; i++)
		insert(queue, list->requests[i]);
	take_all(queue, list == &list_1 ? 53 : 143, &taken);
	if (strcmp(taken.order, order) != 0 || taken.travel != travel)
		fail_msg("%s: %s, %llu; expected is %s, %llu", scheduler, taken.order,
			 (unsigned long long)taken.travel, order,
			 (unsigned long long)travel);
	sim_queue_free(queue);
}

static void test_list_1(void **state)
{
	(void)state;
	check_list(&list_1, "fifo", "1", "98 183 37 122 14 124 65 67", 640);
	check_list(&list_1, "sstf", "1", "65 67 37 14 98 122 124 183", 236);
	/* Down to 0, then up: 53 + 183. */
	check_list(&list_1, "scan", "0", "37 14 65 67 98 122 124 183", 236);
	/* Up to 199, then down: 146 + 185. */
	check_list(&list_1, "scan", "1", "65 67 98 122 124 183 37 14", 331);
	/* Up to 199, all the way to 0, up to 37: 146 + 199 + 37. */
	check_list(&list_1, "c-scan", "1", "65 67 98 122 124 183 14 37", 382);
	/* Down to 0, all the way to 199, down to 65: 53 + 199 + 134. */
	check_list(&list_1, "c-scan", "0", "37 14 183 124 122 98 67 65", 386);
	/* Down to 14, then up: 39 + 169. */
	check_list(&list_1, "look", "0", "37 14 65 67 98 122 124 183", 208);
	/* Up to 183, then down: 130 + 169. */
	check_list(&list_1, "look", "1", "65 67 98 122 124 183 37 14", 299);
	/* Up to 183, back to 14, up to 37: 130 + 169 + 23. */
	check_list(&list_1, "c-look", "1", "65 67 98 122 124 183 14 37", 322);
	/* Down to 14, up to 183, down to 65: 39 + 169 + 118. */
	check_list(&list_1, "c-look", "0", "37 14 183 124 122 98 67 65", 326);
}

static void test_list_2(void **state)
{
	(void)state;
	check_list(&list_2, "fifo", "1", "86 1470 913 1774 948 1509 1022 1750 130", 7081);
	check_list(&list_2, "sstf", "1", "130 86 913 948 1022 1470 1509 1750 1774", 1745);
	check_list(&list_2, "scan", "1", "913 948 1022 1470 1509 1750 1774 130 86", 9769);
	check_list(&list_2, "look", "1", "913 948 1022 1470 1509 1750 1774 130 86", 3319);
	/* 4856 to the edge, 4999 back, 130. */
	check_list(&list_2, "c-scan", "1", "913 948 1022 1470 1509 1750 1774 86 130", 9985);
	check_list(&list_2, "c-look", "1", "913 948 1022 1470 1509 1750 1774 86 130", 3363);
}

/* Arrivals during the sweep: ahead of the head they join it, behind it they wait. */
static void check_arrivals(const char *scheduler, const char *order)
{
	struct sim_queue *queue = new_queue(scheduler, 1000, NULL, 0);
	char first[32];
	struct taken taken;

	insert(queue, 100);
	insert(queue, 500);
	assert_string_equal(fixture_take(queue, first, sizeof(first)), "R100");
	insert(queue, 50);
	insert(queue, 300);
	insert(queue, 20);
	take_all(queue, 100, &taken);
	assert_string_equal(taken.order, order);
	sim_queue_free(queue);
}

static void test_arrivals(void **state)
{
	(void)state;
	check_arrivals("fifo", "500 50 300 20");
	check_arrivals("sstf", "50 20 300 500");
	check_arrivals("scan", "300 500 50 20");
	check_arrivals("look", "300 500 50 20");
	check_arrivals("c-scan", "300 500 20 50");
	check_arrivals("c-look", "300 500 20 50");
}

/* SSTF with two equally near: the older one. Equal sectors: the older one, all ways. */
static void test_ties(void **state)
{
	static const char *const names[] = { "sstf", "scan", "look", "c-scan", "c-look" };
	const struct sim_setting start = { "start", "100" };
	struct sim_queue *queue = new_queue("sstf", 1000, &start, 1);
	struct taken taken;

	(void)state;
	insert(queue, 110);
	insert(queue, 90);
	take_all(queue, 100, &taken);
	assert_string_equal(taken.order, "110 90");
	insert(queue, 80);
	insert(queue, 100);
	take_all(queue, 90, &taken);
	assert_string_equal(taken.order, "80 100");
	sim_queue_free(queue);

	/* Where the head stands already is no way at all, up or down. */
	for (size_t i = 0; i < 2 * ARRAY_SIZE(names); i++) {
		const struct sim_setting settings[] = { { "start", "100" },
							{ "direction", i % 2 ? "1" : "0" } };

		queue = new_queue(names[i / 2], 1000, settings, 2);
		insert(queue, i % 2 ? 110 : 90);
		insert(queue, 100);
		take_all(queue, 100, &taken);
		assert_string_equal(taken.order, i % 2 ? "100 110" : "100 90");
		sim_queue_free(queue);
	}

	for (size_t i = 0; i < 2 * ARRAY_SIZE(names); i++) {
		const struct sim_setting settings[] = { { "start", "100" },
							{ "direction", i % 2 ? "1" : "0" } };
		struct sim_request *rq;

		queue = new_queue(names[i / 2], 1000, settings, 2);
		insert(queue, 70);
		insert(queue, 70);
		rq = queue->ops->dispatch_request(&queue->hctxs[0]);
		assert_int_equal(rq->number, 0);
		sim_queue_free(queue);
	}
}

static void expect_reason(struct sim_queue *queue, enum sim_reason reason)
{
	struct sim_request *rq = queue->ops->dispatch_request(&queue->hctxs[0]);

	assert_int_equal(rq->reason, reason);
}

static void test_reasons(void **state)
{
	static const struct {
		const char *name;
		enum sim_reason on, turn;
	} rows[] = {
		{ "fifo", SIM_REASON_FIFO, SIM_REASON_FIFO },
		{ "sstf", SIM_REASON_NEAREST, SIM_REASON_NEAREST },
		{ "scan", SIM_REASON_SWEEP, SIM_REASON_EDGE },
		{ "c-scan", SIM_REASON_SWEEP, SIM_REASON_EDGE_WRAP },
		{ "look", SIM_REASON_SWEEP, SIM_REASON_TURN },
		{ "c-look", SIM_REASON_SWEEP, SIM_REASON_WRAP },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct sim_queue *queue = new_queue(rows[i].name, 1000, NULL, 0);
		struct sim_request *rq;

		insert(queue, 200);
		expect_reason(queue, rows[i].on);
		insert(queue, 100);
		expect_reason(queue, rows[i].turn);
		rq = sim_request_new(queue, SIM_READ, 900, 1);
		rq->flags |= SIM_REQUEST_AT_HEAD;
		insert(queue, 101);
		assert_int_equal(sim_queue_insert(queue, rq), 0);
		expect_reason(queue, SIM_REASON_AT_HEAD);
		sim_queue_free(queue);
	}
}

/* Without a capacity the edge is the highest sector that was seen. */
static void test_edge_is_seen(void **state)
{
	struct sim_queue *queue = new_queue("scan", 0, NULL, 0);
	struct taken taken;

	(void)state;
	insert(queue, 300);
	take_all(queue, 0, &taken);
	insert(queue, 700);
	take_all(queue, 300, &taken);
	insert(queue, 500);
	insert(queue, 100);
	take_all(queue, 700, &taken);
	assert_string_equal(taken.order, "500 100");
	assert_true(taken.travel == 600);
	sim_queue_free(queue);
}

/* The head stands over the last sector of the request before. */
static void test_long_requests(void **state)
{
	struct sim_queue *queue = new_queue("sstf", 1000, NULL, 0);
	struct sim_request *rq = sim_request_new(queue, SIM_READ, 100, 100);
	char buf[32];

	(void)state;
	assert_int_equal(sim_queue_insert(queue, rq), 0);
	assert_string_equal(fixture_take(queue, buf, sizeof(buf)), "R100");
	insert(queue, 120);
	insert(queue, 250);
	assert_string_equal(fixture_take(queue, buf, sizeof(buf)), "R250");
	sim_queue_free(queue);
}

static struct sim_request *merge(struct sim_queue *queue, uint64_t sector)
{
	const struct sim_bio bio = { .op = SIM_READ, .sector = sector, .sectors = 8,
				     .class = SIM_CLASS_BE };
	struct sim_request *rq = NULL;

	assert_int_equal(sim_merge_bio(queue, &bio, &rq), 0);
	return rq;
}

static void test_merging(void **state)
{
	const struct sim_setting on = { "merges", "1" };
	struct sim_queue *queue = new_queue("look", 0, NULL, 0);
	struct sim_request *rq;

	(void)state;
	fixture_insert(queue, 'R', 1000);
	assert_null(merge(queue, 1008));
	assert_null(merge(queue, 992));
	sim_queue_free(queue);

	queue = new_queue("fifo", 0, &on, 1);
	rq = fixture_insert(queue, 'R', 1000);
	fixture_insert(queue, 'R', 5000);
	assert_ptr_equal(merge(queue, 1008), rq);
	assert_ptr_equal(merge(queue, 992), rq);
	assert_int_equal(rq->sectors, 24);
	/* Closes the gap to a later one: the older one's place. */
	fixture_insert(queue, 'R', 1024);
	assert_ptr_equal(merge(queue, 1016), rq);
	assert_int_equal(rq->sectors, 40);
	fixture_expect_order(queue, "R992 R5000");
	/* To an earlier one: its place, again. */
	fixture_insert(queue, 'R', 1016);
	fixture_insert(queue, 'R', 5000);
	rq = fixture_insert(queue, 'R', 1000);
	assert_ptr_equal(merge(queue, 1008), rq);
	fixture_expect_order(queue, "R1000 R5000");
	sim_queue_free(queue);
}

/* And its age, where two are equally near. */
static void test_merged_is_as_old_as_the_older(void **state)
{
	const struct sim_setting settings[] = { { "merges", "1" }, { "start", "100" } };
	struct sim_queue *queue = new_queue("sstf", 0, settings, 2);
	struct sim_request *rq;

	(void)state;
	fixture_insert(queue, 'R', 92);
	fixture_insert(queue, 'R', 124);
	rq = fixture_insert(queue, 'R', 76);
	assert_ptr_equal(merge(queue, 84), rq);
	fixture_expect_order(queue, "R76 R124");
	sim_queue_free(queue);
}

static uint64_t sector_of(const struct sim_request *rq)
{
	return rq ? rq->sector : UINT64_MAX;
}

/* No choice is made before the device is free for it. */
static void test_chooses_late(void **state)
{
	struct sim_queue *queue = new_queue("sstf", 1000, NULL, 0);
	struct sim_hctx *hctx = &queue->hctxs[0];
	struct sim_request *rq;

	(void)state;
	insert(queue, 100);
	insert(queue, 900);
	sim_hctx_run(hctx, true);
	rq = sim_hctx_next(hctx);
	assert_true(sector_of(rq) == 100);
	sim_hctx_issue(hctx);
	assert_null(sim_hctx_next(hctx));
	assert_int_equal(hctx->dispatch_count, 0);
	insert(queue, 110);
	assert_true(sim_queue_complete(queue, rq));
	sim_request_free(queue, rq);
	sim_hctx_run(hctx, true);
	assert_true(sector_of(sim_hctx_next(hctx)) == 110);
	sim_queue_free(queue);
}

struct arrivals_of_list {
	const struct list *list;
	size_t next;
};

static int next_of_list(void *source, struct trace_record *ret, struct diag *diag)
{
	struct arrivals_of_list *arrivals = source;

	(void)diag;
	if (arrivals->next == arrivals->list->count)
		return 0;
	*ret = (struct trace_record){ .action = TRACE_IO, .op = TRACE_READ, .sectors = 1,
				      .sector = arrivals->list->requests[arrivals->next++] };
	return 1;
}

/* The way by the edges is part of a simulation's head travel; here it is all of it. */
static void test_detour_is_counted(void **state)
{
	const struct sim_setting settings[] = { { "start", "53" }, { "direction", "0" } };
	struct arrivals_of_list arrivals = { .list = &list_1 };
	struct simulate_options options = {
		.queue = { .kernel = { 6, 12, 0 }, .scheduler = "scan", .settings = settings,
			   .setting_count = 2, .hw_depth = 1, .hw_queues = 1, .cpus = 1,
			   .hz = 250, .capacity_sectors = 200 },
		.service_ns = MS,
		.hold_ns = 1,
	};
	struct simulate_result result;
	struct diag diag = { 0 };

	(void)state;
	if (simulate_run(next_of_list, &arrivals, &options, &result, &diag))
		fail_msg("%s", diag.text);
	assert_int_equal(result.requests, 8);
	/* From behind 14 to 0 and to 65 rather than straight. */
	assert_int_equal(result.media.travel_sectors, 15 + 65 - (65 - 15));
	simulate_result_done(&result);

	arrivals.next = 0;
	options.queue.scheduler = "look";
	assert_int_equal(simulate_run(next_of_list, &arrivals, &options, &result, &diag), 0);
	assert_int_equal(result.media.travel_sectors, 0);
	simulate_result_done(&result);
}

static void test_bad_parameters(void **state)
{
	static const struct sim_setting bad[] = {
		{ "start", "-1" }, { "direction", "2" }, { "merges", "x" }, { "end", "1" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const struct sim_queue_config config = {
			.kernel = { 6, 12, 0 }, .scheduler = "c-look", .settings = &bad[i],
			.setting_count = 1, .hw_depth = 1, .hw_queues = 1, .cpus = 1,
			.hz = 250,
		};
		struct sim_queue *queue = NULL;
		struct diag diag = { 0 };

		assert_true(sim_queue_new(&config, &queue, &diag) < 0);
		assert_non_null(strstr(diag.text, bad[i].file));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_list_1),
		cmocka_unit_test(test_list_2),
		cmocka_unit_test(test_arrivals),
		cmocka_unit_test(test_ties),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_edge_is_seen),
		cmocka_unit_test(test_long_requests),
		cmocka_unit_test(test_merging),
		cmocka_unit_test(test_merged_is_as_old_as_the_older),
		cmocka_unit_test(test_chooses_late),
		cmocka_unit_test(test_detour_is_counted),
		cmocka_unit_test(test_bad_parameters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
