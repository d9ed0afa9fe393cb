// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Randomness and sync share of small traces.
 */
#include "test.h"

#include <errno.h>

#include "diagnose/pattern.h"

static int read_text(const char *text, struct pattern *ret, struct diag *diag)
{
	char *dir = test_scratch_new(), path[4096];
	int error;

	test_write(dir, "trace", text);
	snprintf(path, sizeof(path), "%s/trace", dir);
	error = pattern_read(path, ret, diag);
	test_scratch_done(dir);
	return error;
}

static void test_two_streams_are_sequential(void **state)
{
	struct pattern pattern;

	(void)state;
	assert_int_equal(read_text("0,0,4096,r,0.0\n0,1000000,4096,w,0.5\n0,8,4096,r,1.0\n"
				   "0,1000008,4096,w,1.5\n0,16,4096,r,2.0\n"
				   "0,500000,8192,r,4.0\n",
				   &pattern, NULL),
			 0);
	assert_int_equal(pattern.requests, 6);
	assert_int_equal(pattern.reads, 4);
	/* the first of each stream, and one elsewhere */
	assert_int_equal(pattern.random, 3);
	assert_true(pattern.seconds > 3.99 && pattern.seconds < 4.01);
	assert_true(pattern.mean_kib > 4.6 && pattern.mean_kib < 4.7);
}

/* As what is simulated of a recording: each I/O once, at the first stage that is shown. */
static void test_first_stage(void **state)
{
	static const char *const text =
		" a-1 [000] ..... 1.0: block_rq_insert: 8,0 R 4096 () 0 + 8 [a]\n"
		" a-1 [000] ..... 1.1: block_rq_insert: 8,0 R 4096 () 80 + 8 [a]\n"
		" a-1 [000] ..... 1.2: block_rq_issue: 8,0 R 8192 () 0 + 8 [a]\n";
	struct pattern pattern;

	(void)state;
	assert_int_equal(read_text(text, &pattern, NULL), 0);
	assert_int_equal(pattern.requests, 2);
	assert_int_equal(pattern.counts.lost, 0);
}

/* What the recorder lost, and what cannot be read, is not in the figures. */
static void test_losses_are_counted(void **state)
{
	static const char *const text =
		" a-1 [000] ..... 1.0: block_rq_insert: 8,0 R 4096 () 0 + 8 [a]\n"
		"CPU:0 [LOST 12 EVENTS]\n"
		" a-1 [000] ..... 1.1: block_rq_insert: 8,0 R 4096 () x\n"
		" a-1 [000] ..... 1.2: block_rq_insert: 8,0 R 8192 () 80 + 8 [a]\n";
	struct pattern pattern;

	(void)state;
	assert_int_equal(read_text(text, &pattern, NULL), 0);
	assert_int_equal(pattern.requests, 2);
	assert_int_equal(pattern.counts.lost, 12);
	assert_int_equal(pattern.counts.broken, 1);
}

static void test_nothing_to_count(void **state)
{
	struct pattern pattern;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(read_text("nothing\n", &pattern, &diag), -EBADMSG);
	assert_int_equal(pattern_read("/no/such/file", &pattern, &diag), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_streams_are_sequential),
		cmocka_unit_test(test_first_stage),
		cmocka_unit_test(test_losses_are_counted),
		cmocka_unit_test(test_nothing_to_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
