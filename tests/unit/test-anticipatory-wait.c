// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The wait of anticipatory after a read, and everything that ends it.
 */
#include "anticipatory-fixture.h"

/* Process 1 has read at 1000, its read is done; process 2 wants something far away. */
static void begin_wait(struct bench *bench, const struct sim_setting *settings, size_t count)
{
	begin(bench, settings, count);
	bench_ask(bench, 1, 'R', 1000);
	bench_take(bench);
	bench_ask(bench, 2, 'R', 9000000);
	bench_at(bench, MS);
	bench_complete(bench);
	assert_string_equal(bench_take(bench), "-");
}

static void test_waits_for_same_process(void **state)
{
	struct bench bench;

	(void)state;
	begin_wait(&bench, NULL, 0);
	bench_at(&bench, 6 * MS);
	assert_string_equal(bench_take(&bench), "-");
	bench_ask(&bench, 1, 'R', 700000);
	bench_expect_next(&bench, "R700000", SIM_REASON_ANTIC_SAME);
	bench_done(&bench);
}

/* antic_expire after the end of the request: a 150th of a second in whole ticks. */
static void test_wait_runs_out(void **state)
{
	const struct sim_setting longer = { "antic_expire", "20" };
	struct bench bench;

	(void)state;
	begin_wait(&bench, NULL, 0);
	assert_true(bench.queue->elevator_timer_ns == 7 * MS);
	bench_at(&bench, 7 * MS);
	assert_int_equal(bench.runs, 1);
	bench_expect_next(&bench, "R9000000", SIM_REASON_ANTIC_TIMEOUT);
	bench_done(&bench);

	begin_wait(&bench, &longer, 1);
	assert_true(bench.queue->elevator_timer_ns == 21 * MS);
	bench_done(&bench);
}

static void test_default_by_hz(void **state)
{
	static const struct {
		unsigned hz, ticks;
	} rows[] = { { 1000, 6 }, { 300, 2 }, { 250, 1 }, { 100, 1 } };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bench bench;

		bench_init(&bench, new_queue(NULL, 0, rows[i].hz, false));
		assert_int_equal(as_of(&bench)->antic_ticks, rows[i].ticks);
		bench_done(&bench);
	}
}

static void test_no_wait_at_zero(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, &no_wait, 1);
	bench_ask(&bench, 1, 'R', 1000);
	bench_take(&bench);
	bench_ask(&bench, 2, 'R', 9000000);
	bench_complete(&bench);
	assert_string_equal(bench_take(&bench), "R9000000");
	bench_done(&bench);
}

static void test_no_wait_on_flash(void **state)
{
	struct bench bench;

	(void)state;
	bench_init(&bench, new_queue(NULL, 0, 1000, true));
	bench_ask(&bench, 1, 'R', 1000);
	bench_take(&bench);
	bench_ask(&bench, 2, 'R', 9000000);
	bench_complete(&bench);
	assert_string_equal(bench_take(&bench), "R9000000");
	bench_done(&bench);
}

/* Until the request is done the clock does not run, and nothing else goes either. */
static void test_waits_for_end_first(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 1000);
	bench_take(&bench);
	bench_ask(&bench, 2, 'R', 9000000);
	assert_string_equal(bench_take(&bench), "-");
	assert_true(bench.queue->elevator_timer_ns == SIM_NEVER);
	bench_at(&bench, 50 * MS);
	assert_string_equal(bench_take(&bench), "-");
	bench_complete(&bench);
	assert_true(bench.queue->elevator_timer_ns == 56 * MS);
	bench_done(&bench);
}

/* Writes are not waited for, and a read is waited for also while only writes wait. */
static void test_waits_after_reads_only(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'W', 1000);
	bench_take(&bench);
	bench_ask(&bench, 2, 'R', 9000000);
	bench_complete(&bench);
	assert_string_equal(bench_take(&bench), "R9000000");
	assert_int_equal(bench.reason, SIM_REASON_BATCH_NEW);
	bench_complete(&bench);
	bench_ask(&bench, 3, 'W', 5000);
	assert_string_equal(bench_take(&bench), "-");
	bench_ask(&bench, 2, 'R', 9000008);
	bench_expect_next(&bench, "R9000008", SIM_REASON_ANTIC_SAME);
	bench_done(&bench);
}

/* Nor when the reads' turn comes while the write is in flight. */
static void test_does_not_wait_for_writer(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'W', 1000);
	bench_take(&bench);
	bench_ask(&bench, 2, 'R', 9000000);
	assert_string_equal(bench_take(&bench), "-");
	bench_complete(&bench);
	assert_string_equal(bench_take(&bench), "R9000000");
	bench_done(&bench);
}

/* The process has other I/O that waits: it is not thinking. */
static void test_ends_with_queued(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 1000);
	bench_take(&bench);
	bench_ask(&bench, 1, 'W', 500);
	bench_ask(&bench, 2, 'R', 9000000);
	bench_complete(&bench);
	bench_expect_next(&bench, "R9000000", SIM_REASON_ANTIC_QUEUED);
	bench_done(&bench);
}

/* A sync request near by, whoever wants it; further away the longer the wait has lasted. */
static void test_ends_with_close(void **state)
{
	struct bench bench;

	(void)state;
	begin_wait(&bench, NULL, 0);
	bench_ask(&bench, 3, 'R', 1008 + 8193);
	assert_string_equal(bench_take(&bench), "-");
	bench_ask(&bench, 4, 'R', 1008 + 8192);
	bench_expect_next(&bench, "R9200", SIM_REASON_ANTIC_CLOSE);
	bench_done(&bench);

	begin_wait(&bench, NULL, 0);
	bench_at(&bench, 3 * MS);
	bench_ask(&bench, 3, 'R', 1008 + 4 * 8192 + 1);
	assert_string_equal(bench_take(&bench), "-");
	bench_ask(&bench, 4, 'R', 1008 + 4 * 8192);
	bench_expect_next(&bench, "R33776", SIM_REASON_ANTIC_CLOSE);
	bench_done(&bench);

	/* Half as far back; and no async request. */
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 100000);
	bench_take(&bench);
	bench_complete(&bench);
	bench_ask(&bench, 2, 'R', 100008 - 4097);
	assert_string_equal(bench_take(&bench), "-");
	bench_ask(&bench, 5, 'W', 100016);
	assert_string_equal(bench_take(&bench), "-");
	bench_ask(&bench, 3, 'R', 100008 - 4096);
	bench_expect_next(&bench, "R95912", SIM_REASON_ANTIC_CLOSE);
	bench_done(&bench);
}

/* Or one that is nearer than the process' own seeks have been. */
static void test_ends_with_nearer_than_usual(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 6; i++) {
		bench_ask(&bench, 1, 'R', 1000 + i * 100008);
		assert_string_not_equal(bench_take(&bench), "-");
		bench_complete(&bench);
	}
	bench_ask(&bench, 2, 'R', 501048 + 105000);
	assert_string_equal(bench_take(&bench), "-");
	bench_ask(&bench, 3, 'R', 501048 + 90000);
	bench_expect_next(&bench, "R591048", SIM_REASON_ANTIC_CLOSE);
	bench_done(&bench);
}

/* Who is new seeks as those before it did. */
static void test_new_processes_seek_as_others(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned pid = 1; pid <= 20; pid++) {
		bench_at(&bench, bench.queue->now_ns + 20 * MS);
		bench_ask(&bench, pid, 'R', 1000);
		bench_take(&bench);
		bench_complete(&bench);
		bench_ask(&bench, pid, 'R', 1001008);
		bench_take(&bench);
		bench_complete(&bench);
	}
	bench_at(&bench, bench.queue->now_ns + 20 * MS);
	bench_ask(&bench, 77, 'R', 1000);
	bench_take(&bench);
	bench_complete(&bench);
	bench_ask(&bench, 78, 'R', 501008);
	bench_expect_next(&bench, "R501008", SIM_REASON_ANTIC_CLOSE);
	bench_done(&bench);
}

/* Two processes that work on one thing: what the other does counts for this one. */
static void test_close_request_counts(void **state)
{
	const struct as_process *process;
	struct bench bench;

	(void)state;
	begin_wait(&bench, NULL, 0);
	process = as_of(&bench)->process;
	as_of(&bench)->exit_alone_chance = 200;
	bench_ask(&bench, 3, 'R', 1500);
	assert_true(process->last_end_sector == 1508);
	assert_true(process->seek_sectors.weight > 0);
	assert_int_equal(as_of(&bench)->exit_alone_chance, 175);
	bench_done(&bench);
}

/* One long seek does not count in full: at most four means and a bit beyond. */
static void test_outlier_is_cut(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 6; i++) {
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
		bench_take(&bench);
		bench_complete(&bench);
	}
	bench_ask(&bench, 1, 'R', 4000000000);
	/* 131072 of 4 thousand millions, and the others were 0. */
	assert_true(as_of(&bench)->process->seek_sectors.mean < 131072 / 3);
	assert_true(as_of(&bench)->process->seek_sectors.mean > 131072 / 8);
	bench_done(&bench);
}

/* Who thinks longer than antic_expire on the average is not waited for. */
static void test_ends_with_think_time(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 4; i++) {
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
		bench_take(&bench);
		bench_complete(&bench);
		bench_at(&bench, bench.queue->now_ns + 12 * MS);
	}
	bench_ask(&bench, 1, 'R', 2000);
	bench_take(&bench);
	bench_ask(&bench, 2, 'R', 9000000);
	bench_complete(&bench);
	bench_expect_next(&bench, "R9000000", SIM_REASON_ANTIC_THINK);
	bench_done(&bench);
}

/* Who has more that waits does not think. */
static void test_thinks_with_nothing_queued_only(void **state)
{
	const struct as_process *process;
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	bench_ask(&bench, 1, 'R', 1000);
	bench_take(&bench);
	bench_complete(&bench);
	process = as_of(&bench)->process;
	bench_ask(&bench, 1, 'R', 1008);
	bench_at(&bench, 5 * MS);
	bench_ask(&bench, 1, 'R', 1016);
	assert_int_equal(process->think_ticks.mean, 0);
	while (bench.queue->waiting > 0)
		bench_take(&bench);
	while (bench.count > 0)
		bench_complete(&bench);
	/* At most a 50th of a second. */
	bench_at(&bench, 500 * MS);
	bench_ask(&bench, 1, 'R', 1024);
	assert_int_equal(process->think_ticks.mean, 19 * 32 / 84);
	bench_done(&bench);
}

/* A wait in vain for somebody who is known is no exit. */
static void test_known_process_does_not_exit(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned i = 0; i < 3; i++) {
		bench_ask(&bench, 1, 'R', 1000 + i * 8);
		bench_take(&bench);
		bench_complete(&bench);
	}
	bench_ask(&bench, 2, 'R', 9000000);
	assert_string_equal(bench_take(&bench), "-");
	bench_at(&bench, 30 * MS);
	assert_string_equal(bench_take(&bench), "R9000000");
	assert_int_equal(as_of(&bench)->exit_chance, 0);
	bench_done(&bench);
}

/* New processes are as those before them: so long do they think, so seldom do they return. */
static void test_new_processes_think_as_others(void **state)
{
	struct bench bench;

	(void)state;
	begin(&bench, NULL, 0);
	for (unsigned pid = 1; pid <= 10; pid++) {
		for (unsigned i = 0; i < 2; i++) {
			bench_ask(&bench, pid, 'R', 1000 + i * 8);
			bench_take(&bench);
			bench_complete(&bench);
			bench_at(&bench, bench.queue->now_ns + 18 * MS);
		}
	}
	bench_ask(&bench, 77, 'R', 1000);
	bench_take(&bench);
	bench_ask(&bench, 2, 'R', 9000000);
	bench_complete(&bench);
	bench_expect_next(&bench, "R9000000", SIM_REASON_ANTIC_THINK);
	bench_done(&bench);
}

static void finish_all(struct bench *bench)
{
	while (bench->queue->waiting > 0 || bench->count > 0) {
		bench_take(bench);
		bench_at(bench, bench->queue->now_ns + MS);
		while (bench->count > 0)
			bench_complete(bench);
	}
}

/* Why a process that makes a single read is not waited for; NONE: it is. */
static enum sim_reason why_no_wait(struct bench *bench, uint32_t pid)
{
	enum sim_reason why = SIM_REASON_NONE;

	bench_ask(bench, pid, 'R', 1000);
	while (strcmp(bench_take(bench), "R1000") != 0)
		bench_at(bench, bench->queue->now_ns + MS);
	bench_ask(bench, 100000 + pid, 'R', 9000000);
	while (bench->count > 0)
		bench_complete(bench);
	if (strcmp(bench_take(bench), "-") != 0)
		why = bench->reason;
	bench_at(bench, bench->queue->now_ns + 20 * MS);
	finish_all(bench);
	bench_at(bench, bench->queue->now_ns + 20 * MS);
	return why;
}

/* Who comes new is not waited for when those before it did not come back. */
static void test_ends_with_exit_chance(void **state)
{
	enum sim_reason why;
	struct bench bench;
	uint32_t pid = 1;

	(void)state;
	begin(&bench, NULL, 0);
	while ((why = why_no_wait(&bench, pid)) == SIM_REASON_NONE)
		pid++;
	assert_int_equal(why, SIM_REASON_ANTIC_EXIT);
	/* (1 - (7/8)^n)^2 is above one half from n = 10 on, in whole numbers of 1/256. */
	assert_int_equal(pid, 11);
	/* Those that come back make it worth a wait again. */
	for (unsigned i = 0; i < 4; i++) {
		bench_ask(&bench, 500 + i, 'R', 1000);
		finish_all(&bench);
		bench_ask(&bench, 500 + i, 'R', 1008);
		finish_all(&bench);
	}
	assert_int_equal(why_no_wait(&bench, pid + 1), SIM_REASON_NONE);
	bench_done(&bench);
}

/* After a wait in vain one request goes without another wait. */
static void test_no_wait_twice(void **state)
{
	struct bench bench;

	(void)state;
	begin_wait(&bench, NULL, 0);
	bench_at(&bench, 7 * MS);
	bench_ask(&bench, 3, 'R', 9000008);
	assert_string_equal(bench_take(&bench), "R9000000");
	bench_complete(&bench);
	/* Close to where the head is. */
	assert_string_equal(bench_take(&bench), "R9000008");
	bench_done(&bench);
}

/* A late request ends it, too. */
static void test_late_request_does_not_wait(void **state)
{
	const struct sim_setting longer = { "antic_expire", "1000" };
	struct bench bench;

	(void)state;
	begin(&bench, &longer, 1);
	bench_ask(&bench, 1, 'R', 1000);
	bench_take(&bench);
	bench_ask(&bench, 2, 'R', 9000000);
	bench_at(&bench, 126 * MS);
	bench_complete(&bench);
	bench_expect_next(&bench, "R9000000", SIM_REASON_BATCH_LATE);
	bench_done(&bench);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_waits_for_same_process),
		cmocka_unit_test(test_wait_runs_out),
		cmocka_unit_test(test_default_by_hz),
		cmocka_unit_test(test_no_wait_at_zero),
		cmocka_unit_test(test_no_wait_on_flash),
		cmocka_unit_test(test_waits_for_end_first),
		cmocka_unit_test(test_waits_after_reads_only),
		cmocka_unit_test(test_does_not_wait_for_writer),
		cmocka_unit_test(test_ends_with_queued),
		cmocka_unit_test(test_ends_with_close),
		cmocka_unit_test(test_ends_with_nearer_than_usual),
		cmocka_unit_test(test_new_processes_seek_as_others),
		cmocka_unit_test(test_close_request_counts),
		cmocka_unit_test(test_outlier_is_cut),
		cmocka_unit_test(test_ends_with_think_time),
		cmocka_unit_test(test_thinks_with_nothing_queued_only),
		cmocka_unit_test(test_known_process_does_not_exit),
		cmocka_unit_test(test_new_processes_think_as_others),
		cmocka_unit_test(test_ends_with_exit_chance),
		cmocka_unit_test(test_no_wait_twice),
		cmocka_unit_test(test_late_request_does_not_wait),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
