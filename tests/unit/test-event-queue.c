// SPDX-License-Identifier: GPL-2.0-or-later
/* The event queue: by time, and by insertion where times are equal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/event-queue.h"

static void test_order(void **state)
{
	struct event_queue queue;
	struct sim_event event;
	uint64_t last = 0, random = 1;

	(void)state;
	event_queue_init(&queue);
	assert_true(event_queue_next_ns(&queue) == SIM_NEVER);
	for (unsigned i = 0; i < 5000; i++) {
		random = random * 6364136223846793005u + 1442695040888963407u;
		assert_int_equal(event_queue_push(&queue, random >> 50, i, NULL), 0);
	}
	for (unsigned i = 0; i < 5000; i++) {
		uint64_t next = event_queue_next_ns(&queue);

		event_queue_pop(&queue, &event);
		assert_true(event.time_ns == next);
		assert_true(event.time_ns >= last);
		last = event.time_ns;
	}
	assert_int_equal(queue.count, 0);
	event_queue_done(&queue);
}

static void test_equal_times_keep_their_order(void **state)
{
	struct event_queue queue;
	struct sim_event event;

	(void)state;
	event_queue_init(&queue);
	for (unsigned i = 0; i < 300; i++)
		assert_int_equal(event_queue_push(&queue, i % 3, i, NULL), 0);
	for (unsigned i = 0; i < 300; i++) {
		event_queue_pop(&queue, &event);
		assert_int_equal(event.kind, i % 100 * 3 + i / 100);
	}
	event_queue_done(&queue);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_equal_times_keep_their_order),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
