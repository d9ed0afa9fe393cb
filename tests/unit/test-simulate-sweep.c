// SPDX-License-Identifier: GPL-2.0-or-later
/* Axes as they are written, and the grid in its order. */
#include "test.h"

#include <errno.h>

#include "cmd/simulate-case.h"
#include "util/cleanup.h"

static int add(struct sweep *sweep, const char *text)
{
	struct diag diag = { 0 };
	int error = sweep_add(sweep, text, &diag);

	assert_true(!error || diag.text[0]);
	return error;
}

static void test_axes(void **state)
{
	struct sweep sweep = { 0 };

	(void)state;
	assert_int_equal(add(&sweep, "mq-deadline.read_expire=50ms:1s:450ms"), 0);
	assert_string_equal(sweep.axes[0].owner, "mq-deadline");
	assert_string_equal(sweep.axes[0].key, "read_expire");
	assert_int_equal(sweep.axes[0].count, 3);
	assert_int_equal(sweep.axes[0].values[2], 950);
	assert_int_equal(add(&sweep, "nr_requests=64,256"), 0);
	assert_null(sweep.axes[1].owner);
	assert_int_equal(sweep.axes[1].values[1], 256);
	sweep_done(&sweep);
}

static void test_what_is_refused(void **state)
{
	static const char *const wrong[] = { "", "=", "fifo_batch", "=1", "fifo_batch=", "fifo_batch=,",
					     "fifo_batch=1:2", "fifo_batch=1:2:3:4", "fifo_batch=2:1:1",
					     "fifo_batch=1:2:0", "fifo_batch=1:2:-1", "fifo_batch=x",
					     "read_expire=1MiB", "kyber.fifo_batch=1", "no_such=1" };
	static const char *const others[] = { "read_expire=1", "write_expire=1", "front_merges=1" };
	struct sweep sweep = { 0 };

	(void)state;
	assert_int_equal(SWEEP_AXES_MAX, ARRAY_SIZE(others) + 1);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		assert_int_equal(add(&sweep, wrong[i]), -EINVAL);
		sweep_done(&sweep);
	}
	assert_int_equal(add(&sweep, "fifo_batch=1:1000:1"), -E2BIG);
	sweep_done(&sweep);
	/* The step would pass the largest number. */
	assert_int_equal(add(&sweep, "fifo_batch=9223372036854775806:9223372036854775807:"
				     "9223372036854775807"), 0);
	assert_int_equal(sweep.axes[0].count, 1);
	for (size_t i = 1; i < SWEEP_AXES_MAX; i++)
		assert_int_equal(add(&sweep, others[i - 1]), 0);
	assert_int_equal(add(&sweep, "writes_starved=1"), -E2BIG);
	sweep_done(&sweep);
}

static void test_the_same_twice(void **state)
{
	struct sweep sweep = { 0 };

	(void)state;
	assert_int_equal(add(&sweep, "fifo_batch=1"), 0);
	assert_int_equal(add(&sweep, "fifo_batch=2"), -EINVAL);
	sweep_done(&sweep);
	assert_int_equal(add(&sweep, "deadline.fifo_batch=1"), 0);
	assert_int_equal(add(&sweep, "fifo_batch=2"), -EINVAL);
	sweep_done(&sweep);
	/* Of two schedulers. */
	assert_int_equal(add(&sweep, "deadline.fifo_batch=1"), 0);
	assert_int_equal(add(&sweep, "mq-deadline.fifo_batch=2"), 0);
	sweep_done(&sweep);
}

static void test_grid(void **state)
{
	struct simulate_variants variants = { 0 };
	struct simulate_variant *now;
	struct sweep sweep = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(add(&sweep, "fifo_batch=1,2"), 0);
	assert_int_equal(add(&sweep, "writes_starved=3,4"), 0);
	now = simulate_variant_add(&variants, "mq-deadline");
	now->role = VARIANT_NOW;
	now->nr_requests = 99;
	assert_int_equal(simulate_variant_set(now, "fifo_batch", "16"), 0);
	assert_non_null(simulate_variant_add(&variants, "none"));
	assert_int_equal(sweep_expand(&sweep, &variants, &diag), 0);
	/* What is now, then the last axis turns fastest; none has no such parameters. */
	assert_int_equal(variants.count, 5);
	assert_string_equal(variants.items[0].title, "mq-deadline");
	assert_string_equal(variants.items[0].settings[0].value, "16");
	assert_string_equal(variants.items[1].title, "mq-deadline fifo_batch=1 writes_starved=3");
	assert_string_equal(variants.items[2].title, "mq-deadline fifo_batch=1 writes_starved=4");
	assert_string_equal(variants.items[4].title, "mq-deadline fifo_batch=2 writes_starved=4");
	assert_int_equal(variants.items[4].nr_requests, 99);
	assert_int_equal(variants.items[4].setting_count, 2);
	simulate_variants_done(&variants);
	sweep_done(&sweep);
}

static void test_too_much(void **state)
{
	struct simulate_variants variants = { 0 };
	struct sweep sweep = { 0 };
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(add(&sweep, "fifo_batch=1:100:1"), 0);
	assert_int_equal(add(&sweep, "writes_starved=1:100:1"), 0);
	assert_non_null(simulate_variant_add(&variants, "none"));
	assert_int_equal(sweep_expand(&sweep, &variants, &diag), -EINVAL);
	assert_non_null(simulate_variant_add(&variants, "deadline"));
	diag = (struct diag){ 0 };
	assert_int_equal(sweep_expand(&sweep, &variants, &diag), -E2BIG);
	simulate_variants_done(&variants);
	sweep_done(&sweep);
}

static void test_same_variants(void **state)
{
	struct simulate_variants variants = { 0 };
	struct simulate_variant *a, *b;

	(void)state;
	assert_non_null(simulate_variant_add(&variants, "mq-deadline"));
	assert_non_null(simulate_variant_add(&variants, "mq-deadline"));
	a = &variants.items[0];
	b = &variants.items[1];
	assert_true(simulate_variant_is_same(a, b));
	/* The default, said or not said. */
	assert_int_equal(simulate_variant_set(a, "read_expire", "500"), 0);
	assert_true(simulate_variant_is_same(a, b));
	assert_int_equal(simulate_variant_set(a, "read_expire", "501"), 0);
	assert_int_equal(a->setting_count, 1);
	assert_false(simulate_variant_is_same(a, b));
	assert_false(simulate_variant_is_same(b, a));
	simulate_variants_done(&variants);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_axes),
		cmocka_unit_test(test_what_is_refused),
		cmocka_unit_test(test_the_same_twice),
		cmocka_unit_test(test_grid),
		cmocka_unit_test(test_too_much),
		cmocka_unit_test(test_same_variants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
