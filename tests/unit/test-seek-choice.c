// SPDX-License-Identifier: GPL-2.0-or-later
/* The one-way elevator, and the mean that forgets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/elevators/decaying-mean.h"
#include "sim/elevators/seek-choice.h"

#define HEAD 10000

/* Which of two requests: the sector, or 0. */
static uint64_t choose(uint64_t a, uint64_t b)
{
	static const struct seek_rule rule = { 1000, 2 };
	struct sim_request first = { .sector = a }, second = { .sector = b };

	return seek_choose(&rule, &first, &second, HEAD)->sector;
}

static void test_choices(void **state)
{
	static const struct {
		uint64_t a, b, chosen;
	} rows[] = {
		{ 10100, 10200, 10100 }, /* the nearer one ahead */
		{ 10000, 10001, 10000 }, /* where the head stands */
		{ 9900, 10201, 9900 },   /* 100 back costs 200 */
		{ 9900, 10199, 10199 },
		{ 9900, 10200, 10200 },  /* equally dear: ahead */
		{ 9000, 50000, 9000 },   /* the furthest way back */
		{ 8999, 50000, 50000 },  /* one more: the next sweep */
		{ 8000, 100, 100 },      /* both: from the lowest */
		{ 9500, 9600, 9600 },    /* both back: the nearer */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(choose(rows[i].a, rows[i].b) == rows[i].chosen);
		assert_true(choose(rows[i].b, rows[i].a) == rows[i].chosen);
	}
}

static void test_one_or_none(void **state)
{
	static const struct seek_rule rule = { UINT64_MAX, UINT64_MAX };
	struct sim_request low = { .sector = 0 }, high = { .sector = 20000 };

	(void)state;
	assert_null(seek_choose(&rule, NULL, NULL, HEAD));
	assert_ptr_equal(seek_choose(&rule, &low, NULL, HEAD), &low);
	assert_ptr_equal(seek_choose(&rule, NULL, &low, HEAD), &low);
	/* A cost that does not fit is the dearest. */
	assert_ptr_equal(seek_choose(&rule, &low, &high, HEAD), &high);
}

static void test_distance(void **state)
{
	(void)state;
	assert_true(seek_distance(5, 8) == 3);
	assert_true(seek_distance(8, 5) == 3);
	assert_true(seek_distance(0, UINT64_MAX) == UINT64_MAX);
}

static void test_mean(void **state)
{
	struct decaying_mean mean = { 0 };

	(void)state;
	decaying_mean_add(&mean, 100);
	assert_int_equal(mean.weight, 32);
	assert_int_equal(mean.mean, 100);
	decaying_mean_add(&mean, 0);
	assert_int_equal(mean.weight, 60);
	assert_int_equal(mean.mean, 47); /* 2800 / 60 */
	for (unsigned i = 0; i < 100; i++)
		decaying_mean_add(&mean, 1000000);
	assert_int_equal(mean.weight, 249);
	/* The weight is rounded down, so the mean is a little more. */
	assert_true(mean.mean > 1000000 && mean.mean < 1030000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_choices),
		cmocka_unit_test(test_one_or_none),
		cmocka_unit_test(test_distance),
		cmocka_unit_test(test_mean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
