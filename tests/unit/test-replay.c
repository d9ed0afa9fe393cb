// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Replays: real recordings (tests/fixtures/replay), and hand-made ones in which the kernel
 * does something else than the engine would.
 */
#include <errno.h>

#include "trace-fixture.h"

#include "sim/replay-internal.h"
#include "sim/replay.h"

static int replay_reader(struct trace_reader *reader, const struct replay_options *options,
			 struct replay_result *ret)
{
	struct diag diag = { 0 };
	int error = replay_run(reader, options, ret, &diag);

	trace_reader_free(reader);
	return error;
}

static void expect_recording(const char *path, uint64_t at_least)
{
	const struct replay_options options = { 0 };
	struct trace_reader *reader = NULL;
	struct replay_result result;
	struct diag diag = { 0 };

	if (trace_reader_open(path, TRACE_STRICT, &reader, &diag))
		fail_msg("%s: %s", path, diag.text);
	assert_int_equal(replay_reader(reader, &options, &result), 0);
	if (result.decisions < at_least || result.equal != result.decisions ||
	    result.latency_equal != result.latency_events ||
	    result.adjust_equal != result.adjust_events || result.kyber_extra ||
	    result.unknown)
		fail_msg("%s: %d of %d decisions, latency %d of %d, adjust %d of %d", path,
			 (int)result.equal, (int)result.decisions, (int)result.latency_equal,
			 (int)result.latency_events, (int)result.adjust_equal,
			 (int)result.adjust_events);
}

static void test_recordings(void **state)
{
	static const struct {
		const char *path;
		unsigned decisions;
	} rows[] = {
		{ "5.10/nb0.mq-deadline.seq", 280 },
		{ "5.10/nb2.kyber.shrinkr", 2700 },
		{ "5.10/nb2.mq-deadline.starved", 700 },
		{ "6.1/nb0.kyber.rr70", 1100 },
		{ "6.1/nb0.mq-deadline.prio", 800 },
		{ "6.1/nb2.none.seq", 15 },
		{ "6.12/nb0.mq-deadline.prio", 800 },
		{ "6.12/nb2.kyber.shrinkw", 2700 },
		{ "6.12/nb2.none.seq", 15 },
		{ "7.2/nb0.mq-deadline.expire", 900 },
		{ "7.2/nb0.mq-deadline.seq", 390 },
		{ "7.2/nb2.kyber.two", 2300 },
	};
	char path[256];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		snprintf(path, sizeof(path), "tests/fixtures/replay/%s.txt.xz", rows[i].path);
		expect_recording(path, rows[i].decisions);
	}
}

/* --- hand-made recordings ----------------------------------------------------------- */

#define HEADER                                                                            \
	"# kernel=6.12.1 hz=250 dev=8:0 hw_depth=1 nr_requests=64 sched=mq-deadline\n"

/* The submitter allocates and inserts; the worker issues. */
#define INSERT(time, op, sector)                                                          \
	" fio-9 [000] ..... 1." time "0: block_getrq: 8,0 " op " " sector " + 8 [fio]\n"   \
	" fio-9 [000] ...1. 1." time "1: block_rq_insert: 8,0 " op " 4096 () " sector      \
	" + 8 be,0,4 [fio]\n"
#define ISSUE(time, op, sector)                                                           \
	" kworker/0:1H-7 [000] ..... 1." time ": block_rq_issue: 8,0 " op " 4096 () "      \
	sector " + 8 be,0,4 [kworker/0:1H]\n"
#define COMPLETE(time, op, sector)                                                        \
	" <idle>-0 [000] d.h1. 1." time ": block_rq_complete: 8,0 " op " () " sector       \
	" + 8 be,0,4 [0]\n"

struct kept {
	struct replay_issue issues[32];
	unsigned count;
};

static void keep_issue(void *context, const struct replay_issue *issue)
{
	struct kept *kept = context;

	if (kept->count < 32)
		kept->issues[kept->count++] = *issue;
}

static void replay_text(const char *text, struct kept *kept, struct replay_result *ret)
{
	const struct replay_options options = { .on_issue = keep_issue, .context = kept };

	assert_int_equal(replay_reader(fixture_open_bytes(text, strlen(text), TRACE_STRICT),
				       &options, ret), 0);
}

static void test_equal(void **state)
{
	struct replay_result result;
	struct kept kept = { 0 };

	(void)state;
	replay_text(HEADER
		    INSERT("0001", "R", "100") ISSUE("00020", "R", "100")
		    INSERT("0003", "R", "400") INSERT("0004", "R", "300")
		    INSERT("0005", "R", "200")
		    COMPLETE("00100", "R", "100") ISSUE("00110", "R", "400")
		    COMPLETE("00200", "R", "400") ISSUE("00210", "R", "300")
		    COMPLETE("00300", "R", "300") ISSUE("00310", "R", "200"), &kept, &result);
	assert_int_equal(result.issues, 4);
	assert_int_equal(result.decisions, 2);
	assert_int_equal(result.equal, 2);
	assert_int_equal(result.unknown, 0);
	assert_int_equal(kept.issues[1].waiting, 3);
	assert_true(kept.issues[1].is_equal);
}

/* The recording issues another one: that is a difference, and it is followed. */
static void test_difference(void **state)
{
	struct replay_result result;
	struct kept kept = { 0 };

	(void)state;
	replay_text(HEADER
		    INSERT("0001", "R", "100") ISSUE("00020", "R", "100")
		    INSERT("0003", "R", "400") INSERT("0004", "R", "300")
		    INSERT("0005", "R", "500")
		    COMPLETE("00100", "R", "100") ISSUE("00110", "R", "300")
		    COMPLETE("00200", "R", "300") ISSUE("00210", "R", "400")
		    COMPLETE("00300", "R", "400") ISSUE("00310", "R", "500"), &kept, &result);
	assert_int_equal(result.issues, 4);
	assert_int_equal(result.decisions, 2);
	assert_int_equal(result.equal, 1);
	assert_false(kept.issues[1].is_equal);
	assert_true(kept.issues[1].chosen_sector == 400);
	assert_true(kept.issues[1].recorded_sector == 300);
	assert_true(kept.issues[1].line > 0);
	/* From 300 the sweep goes on to 400. */
	assert_true(kept.issues[2].is_equal);
}

/* What is recorded must not be what the engine chooses from: nothing leaks. */
static void test_no_leak(void **state)
{
	static const char *const orders[] = { "300", "400", "500" };
	struct replay_result result;
	uint64_t chosen[3];
	char text[4096];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		struct kept kept = { 0 };

		snprintf(text, sizeof(text), "%s%s%s%s",
			 HEADER INSERT("0001", "R", "100") ISSUE("00020", "R", "100")
			 INSERT("0003", "R", "400") INSERT("0004", "R", "300")
			 INSERT("0005", "R", "500") COMPLETE("00100", "R", "100")
			 " kworker/0:1H-7 [000] ..... 1.00110: block_rq_issue: 8,0 R 4096 () ",
			 orders[i], " + 8 be,0,4 [kworker/0:1H]\n", "");
		replay_text(text, &kept, &result);
		chosen[i] = kept.issues[1].chosen_sector;
	}
	assert_true(chosen[0] == 400 && chosen[1] == 400 && chosen[2] == 400);
}

/* Two with the same sector are told apart by what the records say of them. */
static void test_look_alikes(void **state)
{
	static const char *const classes[] = { "rt", "idle" };
	char text[2048];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct replay_result result;
		struct kept kept = { 0 };

		snprintf(text, sizeof(text),
			 HEADER INSERT("0001", "R", "900") ISSUE("00020", "R", "900")
			 " fio-1 [000] ..... 1.1: block_getrq: 8,0 R 100 + 8 [fio]\n"
			 " fio-1 [000] ..... 1.11: block_rq_insert: 8,0 R 4096 () 100 + 8 "
			 "idle,0,4 [fio]\n"
			 " fio-2 [000] ..... 1.12: block_getrq: 8,0 R 100 + 8 [fio]\n"
			 " fio-2 [000] ..... 1.13: block_rq_insert: 8,0 R 4096 () 100 + 8 "
			 "rt,0,4 [fio]\n"
			 COMPLETE("20000", "R", "900")
			 " k-7 [000] ..... 1.21: block_rq_issue: 8,0 R 4096 () 100 + 8 "
			 "%s,0,4 [k]\n", classes[i]);
		replay_text(text, &kept, &result);
		/* RT goes first: a kernel that issued the other one differs. */
		assert_int_equal(result.decisions, 1);
		assert_int_equal(result.equal, i == 0);
	}
}

/* A line that tells of a missing token shows when the run took its requests. */
static void test_run_begins_at_throttling(void **state)
{
	static const char text[] =
		"# kernel=6.12.1 hz=250 dev=8:0 hw_depth=2 nr_requests=64 sched=kyber\n"
		INSERT("0001", "W", "900") ISSUE("00020", "W", "900")
		INSERT("0003", "R", "100")
		" kworker/0:1H-7 [000] ...1. 1.00040: kyber_throttled: 8,0 READ\n"
		INSERT("0005", "W", "200") INSERT("0006", "W", "300")
		ISSUE("00070", "R", "100");
	struct replay_result result;
	struct kept kept = { 0 };

	(void)state;
	/* Without that line the run would be thought to begin with its issue. */
	replay_text(text, &kept, &result);
	assert_int_equal(result.decisions, 1);
	assert_int_equal(kept.issues[1].waiting, 3);
	assert_int_equal(result.equal, 1);
}

static void test_odd_recordings(void **state)
{
	struct replay_result result;
	struct kept kept = { 0 };

	(void)state;
	/* Begins in the middle: completions and issues of unknown requests. */
	replay_text(HEADER COMPLETE("00001", "R", "7") ISSUE("00002", "W", "8")
		    COMPLETE("00003", "W", "8") COMPLETE("00004", "W", "8"), &kept, &result);
	assert_int_equal(result.issues, 1);
	assert_int_equal(result.unknown, 3);
	/* Other devices are left out. */
	kept.count = 0;
	replay_text(HEADER " fio-9 [000] ..... 1.0: block_getrq: 8,16 R 1 + 8 [fio]\n"
		    INSERT("0001", "R", "100") ISSUE("00020", "R", "100"), &kept, &result);
	assert_int_equal(result.other_device, 1);
	assert_int_equal(result.issues, 1);
	/* A returned request is issued again. */
	kept.count = 0;
	replay_text(HEADER INSERT("0001", "R", "100") ISSUE("00020", "R", "100")
		    " kworker/0:1H-7 [000] ..... 1.00030: block_rq_requeue: 8,0 R () 100 + 8 "
		    "be,0,4 [0]\n" ISSUE("00040", "R", "100") COMPLETE("00100", "R", "100"),
		    &kept, &result);
	assert_int_equal(result.issues, 2);
	assert_int_equal(result.unknown, 0);
}

static void expect_refused(const char *text, const struct replay_options *options, int error)
{
	struct replay_result result;

	assert_int_equal(replay_reader(fixture_open_bytes(text, strlen(text),
							  TRACE_SKIP_BROKEN),
				       options, &result), error);
}

static void test_refuse(void **state)
{
	static const char nameless[] = INSERT("0001", "R", "100");
	struct replay_options options = { 0 };

	(void)state;
	expect_refused(nameless, &options, -EINVAL);
	options.kernel = (struct kernel_version){ 6, 12, 0 };
	expect_refused(nameless, &options, -EINVAL);
	options.scheduler = "mq-deadline";
	expect_refused(nameless, &options, 0);
	options.scheduler = "cfq";
	expect_refused(nameless, &options, -ENOTSUP);
	options.scheduler = "mq-deadline";
	options.hz = 1000000;
	expect_refused(nameless, &options, -ERANGE);
}

/* The header's fio arguments give the classes that 6.1 does not print. */
static void test_classes_from_fio(void **state)
{
	static const char text[] =
		"# kernel=6.1.0 hz=250 dev=8:0 hw_depth=1 nr_requests=64 sched=mq-deadline\n"
		"# fio --name=a --prioclass=3 --name=b --prioclass=1\n"
		" fio-12 [000] ..... 1.1: block_getrq: 8,0 R 500 + 8 [fio]\n"
		" fio-12 [000] ..... 1.2: block_rq_insert: 8,0 R 4096 () 500 + 8 [fio]\n"
		" kworker-7 [000] ..... 1.25: block_rq_issue: 8,0 R 4096 () 500 + 8 [k]\n"
		" fio-11 [000] ..... 1.3: block_getrq: 8,0 R 100 + 8 [fio]\n"
		" fio-11 [000] ..... 1.31: block_rq_insert: 8,0 R 4096 () 100 + 8 [fio]\n"
		" fio-12 [000] ..... 1.32: block_getrq: 8,0 R 900 + 8 [fio]\n"
		" fio-12 [000] ..... 1.33: block_rq_insert: 8,0 R 4096 () 900 + 8 [fio]\n"
		" <idle>-0 [000] d.h.. 1.4: block_rq_complete: 8,0 R () 500 + 8 [0]\n"
		" kworker-7 [000] ..... 1.5: block_rq_issue: 8,0 R 4096 () 900 + 8 [k]\n";
	struct replay_result result;
	struct kept kept = { 0 };

	(void)state;
	replay_text(text, &kept, &result);
	/* fio-11 is the first job, IDLE; 12 the second, RT: 900 goes first. */
	assert_int_equal(result.decisions, 1);
	assert_true(kept.issues[1].chosen_sector == 900);
	assert_true(kept.issues[1].is_equal);
}

static void test_job_without_class(void **state)
{
	struct trace_record records[2] = {
		{ .action = TRACE_GETRQ, .pid = 12, .comm = "fio" },
		{ .action = TRACE_GETRQ, .pid = 11, .comm = "fio" },
	};
	struct replay_classes classes;

	(void)state;
	replay_classes_find(&classes, "--name=a --name=b --prioclass=2 --prio=7", records, 2);
	assert_int_equal(classes.count, 2);
	assert_int_equal(classes.rows[0].pid, 11);
	assert_int_equal(classes.rows[0].class, SIM_CLASS_BE);
	assert_int_equal(classes.rows[0].level, 4);
	assert_int_equal(classes.rows[1].level, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recordings),
		cmocka_unit_test(test_equal),
		cmocka_unit_test(test_difference),
		cmocka_unit_test(test_no_leak),
		cmocka_unit_test(test_look_alikes),
		cmocka_unit_test(test_run_begins_at_throttling),
		cmocka_unit_test(test_odd_recordings),
		cmocka_unit_test(test_refuse),
		cmocka_unit_test(test_classes_from_fio),
		cmocka_unit_test(test_job_without_class),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
