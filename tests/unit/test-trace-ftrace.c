// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text of tracefs, trace-cmd and perf.
 */
#include "trace-fixture.h"

#define INSERT                                                                           \
	"             fio-640     [003] ...1.    65.482257: block_rq_insert: 252,7 WS "  \
	"4096 () "                                                                       \
	"534320 + 8 be,0,4 [fio]"

static struct trace_record only(const char *text)
{
	return fixture_only("ftrace", text);
}

static void test_insert(void **state)
{
	struct trace_record r = only(INSERT "\n");

	(void)state;
	assert_int_equal(r.action, TRACE_RQ_INSERT);
	assert_int_equal(r.op, TRACE_WRITE);
	assert_int_equal(r.flags, TRACE_FLAG_SYNC);
	assert_int_equal(r.time_ns, 65482257000);
	assert_int_equal(r.sector, 534320);
	assert_int_equal(r.sectors, 8);
	assert_int_equal(r.bytes, 4096);
	assert_int_equal(r.cpu, 3);
	assert_int_equal(r.pid, 640);
	assert_int_equal(r.device, 252u << 20 | 7);
	assert_int_equal(r.prio_class, TRACE_PRIO_BE);
	assert_int_equal(r.prio_level, 4);
	assert_string_equal(r.comm, "fio");
	assert_int_equal(r.line, 1);
}

static void test_largest_numbers(void **state)
{
	struct trace_record r =
		only("a-4294967295 [4294967295] ..... 18446744073.709551615: "
		     "block_rq_issue: 4095,1048575 D 4294967295 () "
		     "18446744069414584320 + 4294967295 be,1023,7 [a]");

	(void)state;
	assert_int_equal(r.pid, UINT32_MAX);
	assert_int_equal(r.cpu, UINT32_MAX);
	assert_int_equal(r.time_ns, UINT64_MAX);
	assert_int_equal(r.device, UINT32_MAX);
	assert_int_equal(r.bytes, UINT32_MAX);
	assert_int_equal(r.sector, UINT64_MAX - UINT32_MAX);
	assert_int_equal(r.sectors, UINT32_MAX);
	assert_int_equal(r.prio_hint, UINT8_MAX);
	r = only("a-1 [0] ..... 1.0: block_rq_complete: 8,0 R () 1 + 1 [2147483647]");
	assert_int_equal(r.error, INT32_MAX);
}

/* Old kernels print no bytes but for commands that are passed through. */
static void test_no_bytes(void **state)
{
	struct trace_record r =
		only("tar 16072 [001] 2199495.030133: block:block_rq_issue: "
		     "202,16 R 0 () 21997888 + 8 [tar]");

	(void)state;
	assert_int_equal(r.bytes, 4096);
	assert_int_equal(r.sectors, 8);
}

static void test_priority_classes(void **state)
{
	static const struct {
		const char *text;
		enum trace_prio_class value;
		unsigned hint, level;
	} rows[] = {
		{ "rt,0,0 ", TRACE_PRIO_RT, 0, 0 },
		{ "be,3,7 ", TRACE_PRIO_BE, 3, 7 },
		{ "idle,0,1 ", TRACE_PRIO_IDLE, 0, 1 },
		{ "none,0,0 ", TRACE_PRIO_NONE, 0, 0 },
		{ "0x2,0,4 ", TRACE_PRIO_BE, 0, 4 },
		{ "0x1,0,2 ", TRACE_PRIO_RT, 0, 2 },
		{ "", TRACE_PRIO_NONE, 0, 0 },
	};
	char line[256];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_record r;

		snprintf(line, sizeof(line),
			 "a-1 [000] ..... 1.000001: block_rq_issue: 8,0 R 512 () 1 + 1 "
			 "%s[a]",
			 rows[i].text);
		r = only(line);
		assert_int_equal(r.prio_class, rows[i].value);
		assert_int_equal(r.prio_hint, rows[i].hint);
		assert_int_equal(r.prio_level, rows[i].level);
	}
}

static void test_complete_and_requeue(void **state)
{
	struct trace_record r =
		only("<idle>-0 [000] d.h.. 2.5: block_rq_complete: 8,16 R () "
		     "100 + 16 [-5]");

	(void)state;
	assert_int_equal(r.action, TRACE_RQ_COMPLETE);
	assert_int_equal(r.error, -5);
	assert_int_equal(r.bytes, 8192);
	assert_int_equal(r.time_ns, 2500000000);
	assert_string_equal(r.comm, "");
	r = only("<idle>-0 [000] d.h.. 2.5: block_rq_requeue: 8,16 WS () 100 + 16 be,0,4 "
		 "[0]");
	assert_int_equal(r.action, TRACE_RQ_REQUEUE);
	assert_int_equal(r.error, 0);
	assert_int_equal(r.prio_level, 4);
}

static void test_bio_events(void **state)
{
	static const struct {
		const char *event;
		enum trace_action action;
	} rows[] = {
		{ "block_bio_queue", TRACE_BIO_QUEUE },
		{ "block_getrq", TRACE_GETRQ },
		{ "block_bio_backmerge", TRACE_BIO_BACKMERGE },
		{ "block_bio_frontmerge", TRACE_BIO_FRONTMERGE },
	};
	char line[256];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_record r;

		snprintf(line, sizeof(line),
			 "a-1 [000] .... 1.0: %s: 8,0 RA 24 + 8 [a b]", rows[i].event);
		r = only(line);
		assert_int_equal(r.action, rows[i].action);
		assert_int_equal(r.flags, TRACE_FLAG_AHEAD);
		assert_int_equal(r.sector, 24);
		assert_int_equal(r.bytes, 4096);
		assert_string_equal(r.comm, "a b");
	}
}

static void test_context(void **state)
{
	static const struct {
		const char *flags;
		enum trace_context context;
		bool needs_resched;
	} rows[] = {
		{ ".....", TRACE_CONTEXT_TASK, false },
		{ "d.h1.", TRACE_CONTEXT_HARDIRQ, false },
		{ "dNh1", TRACE_CONTEXT_HARDIRQ, true },
		{ "dNH1.", TRACE_CONTEXT_HARDIRQ_IN_SOFTIRQ, true },
		{ "..s..", TRACE_CONTEXT_SOFTIRQ, false },
		{ "dBs1.", TRACE_CONTEXT_SOFTIRQ, true },
		{ ".n...", TRACE_CONTEXT_TASK, true },
		{ "dl.1.", TRACE_CONTEXT_TASK, false },
		{ "..Z..", TRACE_CONTEXT_UNKNOWN, false },
		{ "", TRACE_CONTEXT_UNKNOWN, false },
	};
	char line[128];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct trace_record r;

		snprintf(line, sizeof(line), "fio-6 [001] %s 1.5: block_plug: [fio]",
			 rows[i].flags);
		r = only(line);
		assert_int_equal(r.context, rows[i].context);
		assert_int_equal(r.needs_resched, rows[i].needs_resched);
	}
}

static void test_plug(void **state)
{
	struct trace_record r = only("fio-6 [001] ..... 1.5: block_plug: [fio]");

	(void)state;
	assert_int_equal(r.action, TRACE_PLUG);
	assert_int_equal(r.device, 0);
	r = only("fio-6 [001] ..... 1.5: block_unplug: [x] y] 17");
	assert_int_equal(r.action, TRACE_UNPLUG);
	assert_int_equal(r.count, 17);
	assert_string_equal(r.comm, "x] y");
}

static void test_kyber(void **state)
{
	struct trace_record r =
		only("<idle>-0 [000] ..s. 54.271911: kyber_latency: 252,0 WRITE "
		     "I/O p90 1/4 samples=564");

	(void)state;
	assert_int_equal(r.action, TRACE_KYBER_LATENCY);
	assert_int_equal(r.op, TRACE_WRITE);
	assert_string_equal(r.kyber.domain, "WRITE");
	assert_string_equal(r.kyber.type, "I/O");
	assert_int_equal(r.kyber.percentile, 90);
	assert_int_equal(r.kyber.numerator, 1);
	assert_int_equal(r.kyber.denominator, 4);
	assert_int_equal(r.kyber.samples, 564);
	r = only("<idle>-0 [000] ..s. 54.27: kyber_adjust: 252,0 READ 128");
	assert_int_equal(r.action, TRACE_KYBER_ADJUST);
	assert_int_equal(r.kyber.depth, 128);
	r = only("<idle>-0 [000] ..s. 54.27: kyber_throttled: 252,0 DISCARD");
	assert_int_equal(r.action, TRACE_KYBER_THROTTLED);
	assert_int_equal(r.op, TRACE_DISCARD);
}

static void test_recorders(void **state)
{
	static const char *const lines[] = {
		/* perf, with and without the thread */
		"fio   640 [003]    65.482257: block:block_rq_insert: 252,7 WS 4096 () "
		"534320 + 8 0x2,0,4 [fio]",
		"Web Content 12/640 [003] 65.482257000:   block:block_rq_insert: 252,7 "
		"WS 4096 "
		"() 534320 + 8 be,0,4 [fio]",
		/* trace-cmd without flags; tracefs with the thread group; with nanoseconds */
		"   fio-640   [003]    65.482257: block_rq_insert:      252,7 WS 4096 () "
		"534320 + 8 be,0,4 [fio]",
		"   a-b-640  (    639) [003] ...1.  65.482257: block_rq_insert: 252,7 WS "
		"4096 () "
		"534320 + 8 be,0,4 [fio]",
		"   fio-640  (-------) [003] .... 65.482257000: block_rq_insert: 252,7 "
		"WS 4096 () "
		"534320 + 8 be,0,4 [fio]",
		/* brackets in the task's own name; a passed-through command */
		"   x [7] 1.0: -640 [003] .... 65.482257: block_rq_insert: 252,7 WS 4096 "
		"(2a 00 ..) 534320 + 8 be,0,4 [fio]",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		struct trace_record r = only(lines[i]);

		assert_int_equal(r.action, TRACE_RQ_INSERT);
		assert_int_equal(r.cpu, 3);
		assert_int_equal(r.pid, 640);
		assert_int_equal(r.time_ns, 65482257000);
		assert_int_equal(r.sector, 534320);
		assert_int_equal(r.prio_class, TRACE_PRIO_BE);
	}
}

static void test_bystanders(void **state)
{
	static const char text[] =
		"# tracer: nop\n"
		"#\n"
		"cpus=2\n"
		"CPU 1 is empty\n"
		"CPU:0 [LOST 12 EVENTS]\n"
		"CPU:1 [3 EVENTS DROPPED]\n"
		"a-1 [000] ..... 1.0: sched_switch: prev_comm=a prev_pid=1\n"
		"a-1 [000] ..... 1.0: <stack trace>\n"
		" => blk_mq_submit_bio\n"
		"a-1 [000] ..... 1.0: vfs_read <-ksys_read\n"
		"\tffffffff81 submit_bio+0x1 ([kernel.kallsyms])\n"
		"\n" INSERT "\n";
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open(text);

	(void)state;
	assert_int_equal(fixture_next(reader).line, 13);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 0);
	assert_int_equal(trace_reader_counts(reader)->other, 12);
	assert_int_equal(trace_reader_counts(reader)->lost, 15);
}

static void test_broken_lines(void **state)
{
	static const struct {
		const char *line, *why;
	} rows[] = {
		{ "random text", "task, [cpu] and time" },
		{ "a-1 [000] .... -1.5: block_plug: [a]", "task, [cpu] and time" },
		{ "a-1 [000] .... 99999999999999.5: block_plug: [a]",
		  "task, [cpu] and time" },
		{ "a-1 [000] .... 70.5: block_rq_iss", "name of the event" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 8 R 512 () 1 + 1 [a]", "device" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 4096,0 R 512 () 1 + 1 [a]",
		  "device" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 8,0 X 512 () 1 + 1 [a]",
		  "letters" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 8,0 R 5x2 () 1 + 1 [a]",
		  "bytes" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 8,0 R 4294967296 () 1 + 1 [a]",
		  "bytes" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 8,0 R 512 1 + 1 [a]",
		  "(command)" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 8,0 R 512 () -1 + 1 [a]",
		  "sector" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 8,0 R 512 () "
		  "18446744073709551616 + 1 [a]",
		  "sector" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 8,0 R 512 () "
		  "18446744073709551615 + 1 [a]",
		  "beyond" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 8,0 R 512 () 1 + 4294967296 [a]",
		  "sector" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 8,0 R 512 () 1 + 1 be,0,8 [a]",
		  "priority" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 8,0 R 512 () 1 + 1 xy,0,4 [a]",
		  "priority" },
		{ "a-1 [000] .... 70.5: block_rq_issue: 8,0 R 512 () 1 + 1 [a",
		  "[command]" },
		{ "a-1 [000] .... 70.5: block_bio_queue: 8,0 R 1 + 1 [a] x",
		  "[command]" },
		{ "a-1 [000] .... 70.5: block_rq_complete: 8,0 R () 1 + 1 [0",
		  "[error]" },
		{ "a-1 [000] .... 70.5: block_rq_complete: 8,0 R () 1 + 1 [9999999999]",
		  "[error]" },
		{ "a-1 [000] .... 70.5: block_unplug: [a]", "number of requests" },
		{ "a-1 [000] .... 70.5: kyber_latency: 8,0 READ total p90 1/4 samples=",
		  "latency" },
		{ "a-1 [000] .... 70.5: kyber_latency: 8,0 READ aVeryLongType p90 1/4 "
		  "samples=1",
		  "latency" },
		{ "a-1 [000] .... 70.5: kyber_adjust: 8,0 BOTH 3", "domain" },
		{ "a-1 [000] .... 70.5: kyber_adjust: 8,0 READ", "depth" },
		{ "a-1 [000] .... 65.482256: block_plug: [a]", "earlier" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		fixture_expect_broken(INSERT, rows[i].line, rows[i].why);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_insert),
		cmocka_unit_test(test_largest_numbers),
		cmocka_unit_test(test_no_bytes),
		cmocka_unit_test(test_priority_classes),
		cmocka_unit_test(test_complete_and_requeue),
		cmocka_unit_test(test_bio_events),
		cmocka_unit_test(test_context),
		cmocka_unit_test(test_plug),
		cmocka_unit_test(test_kyber),
		cmocka_unit_test(test_recorders),
		cmocka_unit_test(test_bystanders),
		cmocka_unit_test(test_broken_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
