// SPDX-License-Identifier: GPL-2.0-or-later
/* noop: first in, first out, with merging. */
#include <errno.h>

#include "sim-fixture.h"

static void test_fifo(void **state)
{
	struct sim_queue *queue = fixture_queue("noop", 4, 19, 8, NULL, 0);
	struct sim_request *rq;

	(void)state;
	fixture_insert(queue, 'R', 900);
	fixture_insert(queue, 'W', 100);
	rq = fixture_request(queue, 'R', 500);
	rq->flags |= SIM_REQUEST_AT_HEAD;
	assert_int_equal(sim_queue_insert(queue, rq), 0);
	fixture_expect_order(queue, "R500 R900 W100");
	sim_queue_free(queue);
}

static void test_merges(void **state)
{
	struct sim_queue *queue = fixture_queue("noop", 4, 19, 8, NULL, 0);
	struct sim_bio bio = { .op = SIM_READ, .sector = 108, .sectors = 8,
			       .class = SIM_CLASS_BE };
	struct sim_request *rq = NULL;

	(void)state;
	fixture_insert(queue, 'R', 100);
	fixture_insert(queue, 'R', 900);
	assert_int_equal(sim_merge_bio(queue, &bio, &rq), 0);
	assert_non_null(rq);
	assert_int_equal(rq->sectors, 16);
	fixture_expect_order(queue, "R100 R900");
	sim_queue_free(queue);
}

static void test_not_on_new_kernels(void **state)
{
	const struct sim_queue_config config = {
		.kernel = { 5, 10, 0 }, .scheduler = "noop", .hw_depth = 1,
		.hw_queues = 1, .cpus = 1, .hz = 250,
	};
	struct sim_queue *queue = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(sim_queue_new(&config, &queue, &diag), -ENOTSUP);
	assert_null(queue);
	assert_non_null(strstr(diag.text, "noop"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fifo),
		cmocka_unit_test(test_merges),
		cmocka_unit_test(test_not_on_new_kernels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
