// SPDX-License-Identifier: GPL-2.0-or-later
/* The null device: every request is done after the same time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/media/media.h"

static void test_service_time(void **state)
{
	struct sim_request a = { .sector = 1 }, b = { .sector = 2 };
	struct event_queue events;
	struct sim_medium medium;
	struct diag diag = { 0 };
	struct sim_media media;
	struct sim_event event;

	(void)state;
	event_queue_init(&events);
	sim_medium_null(&medium, 500);
	assert_int_equal(sim_media_init(&media, &medium, 1, &events, &diag), 0);
	assert_int_equal(media.ops->submit(&media, &b, 100), 0);
	assert_int_equal(media.ops->submit(&media, &a, 50), 0);
	event_queue_pop(&events, &event);
	assert_true(event.time_ns == 550);
	assert_ptr_equal(event.object, &a);
	assert_int_equal(event.kind, SIM_EVENT_COMPLETE);
	event_queue_pop(&events, &event);
	assert_true(event.time_ns == 600);
	sim_media_done(&media);
	event_queue_done(&events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_service_time),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
