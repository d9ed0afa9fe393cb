// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The load of disks as a table and as JSON: figures in their columns, and nothing where
 * there is no load yet.
 */
#include "captured.h"
#include "made-up.h"

#include "report/watch.h"

static const struct device_load load = {
	.seconds = 2,
	.read = { .requests_s = 1500.4, .kib_s = 6001.6, .size_kib = 4, .merged_percent = 25,
		  .await_ms = 0.256 },
	.write = { .requests_s = 10, .kib_s = 5120, .size_kib = 512, .await_ms = 12.5 },
	.flush = { .requests_s = 3 },
	.queue = 0.75,
	.busy_percent = 99.6,
	.in_flight = 7,
};

static void test_table(void **state)
{
	static const struct table_style style = { 0 };
	struct device_value values[4];
	struct device known = made_up_ssd(values);
	struct device fresh = { .name = WORD("sdb"), .scheduler.active = -1 };
	const struct watch_row rows[] = {
		{ .device = &known, .load = load, .has_load = true },
		{ .device = &fresh },
	};
	struct captured captured;
	char *text;

	(void)state;
	captured = captured_begin();
	assert_int_equal(watch_print(rows, 2, &style), 0);
	text = captured_end(&captured);
	assert_string_equal(text,
			    "NAME CLASS   SCHED        r/s rKiB/s r_await w/s wKiB/s w_await "
			    "aqu-sz %util\n"
			    "sda  ssd     mq-deadline 1500   6002    0.26  10   5120   12.50 "
			    "  0.75   100\n"
			    "sdb  unknown -              -      -       -   -      -       - "
			    "     -     -\n");
	free(text);
}

static void test_json(void **state)
{
	struct device_value values[4];
	struct device known = made_up_ssd(values);
	struct device fresh = { .name = WORD("sdb"), .scheduler.active = -1 };
	const struct watch_row rows[] = {
		{ .device = &known, .load = load, .has_load = true },
		{ .device = &fresh },
	};
	const char *name, *class, *sched;
	double requests, merged, await, size, flushes, queue, busy, seconds;
	json_t *list = watch_to_json(rows, 2);
	int in_flight, since_boot;

	(void)state;
	assert_non_null(list);
	assert_int_equal(json_array_size(list), 2);
	assert_int_equal(json_unpack(json_array_get(list, 0),
				     "{s:s, s:s, s:s, s:{s:F, s:b, s:{s:F, s:F}, s:{s:F, s:F},"
				     " s:{s:F}, s:F, s:F, s:i}}",
				     "name", &name, "class", &class, "sched", &sched, "load",
				     "seconds", &seconds, "since_boot", &since_boot, "read",
				     "requests_per_second", &requests, "merged_percent", &merged,
				     "write", "await_ms", &await, "size_kib", &size, "flush",
				     "requests_per_second", &flushes, "queue", &queue,
				     "busy_percent", &busy, "in_flight", &in_flight),
			 0);
	assert_string_equal(name, "sda");
	assert_string_equal(class, "ssd");
	assert_string_equal(sched, "mq-deadline");
	assert_true(seconds == 2 && requests == 1500.4 && merged == 25);
	assert_true(await == 12.5 && size == 512 && flushes == 3);
	assert_true(queue == 0.75 && busy == 99.6);
	assert_int_equal(in_flight, 7);
	assert_false(since_boot);
	/* It came just now. */
	assert_true(json_is_null(json_object_get(json_array_get(list, 1), "load")));
	assert_true(json_is_null(json_object_get(json_array_get(list, 1), "sched")));
	json_decref(list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
