// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening, detection, broken records in both modes, and recorded samples of each format.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include "trace-fixture.h"

#define PLUG "fio-6 [001] ..... 1.5: block_plug: [fio]\n"

static int open_text(const char *text, size_t len, const char *format,
		     struct trace_reader **ret, struct diag *diag)
{
	return trace_reader_open_fd(fixture_fd(text, len), "fixture", format,
				    TRACE_SKIP_BROKEN, ret, diag);
}

static void expect_refused(const char *text, size_t len, int error, const char *why)
{
	struct trace_reader *reader = NULL;
	struct diag diag = { 0 };

	assert_int_equal(open_text(text, len, NULL, &reader, &diag), error);
	assert_null(reader);
	assert_string_equal(diag.where, "fixture");
	if (!strstr(diag.text, why))
		fail_msg("\"%s\" does not say \"%s\"", diag.text, why);
}

static void test_refuse(void **state)
{
	(void)state;
	expect_refused("", 0, -ENODATA, "empty");
	expect_refused("hello\n", 6, -EBADMSG, "no trace format");
	expect_refused("\n\n\n", 3, -EBADMSG, "no trace format");
	expect_refused("\0\0\0\0", 4, -EBADMSG, "no trace format");
	expect_refused("PERFILE2xxxx", 12, -EBADMSG, "perf");
	expect_refused("\x17\x08\x44tracing6", 11, -EBADMSG, "trace-cmd");
	expect_refused("\x1f\x8b\x08", 3, -EBADMSG, "gzip");
	/* magic of blktrace, but of a version that nobody wrote */
	expect_refused("\x06tae", 4, -EBADMSG, "no trace format");
}

static void test_open_missing_file(void **state)
{
	struct trace_reader *reader = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(
		trace_reader_open("tests/no/such/trace", TRACE_STRICT, &reader, &diag),
		-ENOENT);
	assert_string_equal(diag.where, "tests/no/such/trace");
}

static void test_format_by_name(void **state)
{
	struct trace_reader *reader = NULL;
	struct diag diag = { 0 };

	(void)state;
	assert_int_equal(open_text(PLUG, strlen(PLUG), "nonsense", &reader, &diag),
			 -EINVAL);
	diag = (struct diag){ 0 };
	/* what detection would take for ftrace is read as what was asked for */
	assert_int_equal(open_text(PLUG, strlen(PLUG), "spc", &reader, &diag), 0);
	assert_string_equal(trace_reader_format(reader), "spc");
	fixture_expect_end(reader);
	trace_reader_free(reader);
}

static void test_names(void **state)
{
	unsigned count = 0;

	(void)state;
	while (trace_format_name(count)) {
		for (unsigned i = 0; i < count; i++)
			assert_string_not_equal(trace_format_name(i),
						trace_format_name(count));
		count++;
	}
	assert_int_equal(count, 12);
}

static void test_detection(void **state)
{
	static const struct {
		const char *format, *text;
	} rows[] = {
		{ "ftrace", PLUG },
		{ "ftrace", "# tracer: nop\n" },
		{ "ftrace", "\xef\xbb\xbf" PLUG },
		{ "ftrace", "cpus=1\n" PLUG },
		{ "blkparse",
		  "  8,16   0        4     0.000001000   640  Q   R 0 + 8 [fio]\n" },
		{ "fio-iolog-v2", "fio version 2 iolog\n" },
		{ "fio-iolog-v3", "fio version 3 iolog\r\n" },
		{ "biosnoop", "TIME(s)  COMM  PID  DISK  T SECTOR  BYTES  LAT(ms)\n" },
		{ "biosnoop", "0.004060  a b  1700  sda  W 6495856  4096  0.97\n" },
		{ "msr", "128166372003061629,hm,1,Read,383496192,32768,413\n" },
		{ "alibaba", "419,W,8792731648,16384,1577808144360767\n" },
		{ "tencent", "1538323200,12910952,128,0,1063\n" },
		{ "spc", "0,20941264,8192,W,0.551706\n" },
		{ "spc", "0,20941264,8192,r,1\n" },
		{ "blkreplay", "prose\n\n0.5 ; 19460528 ; 24 ; R ; 0.0 ; 0.0\n" },
		/* one line of another format does not turn the balance */
		{ "spc", "419,W,8792731648,16384,15778\n0,1,512,r,1\n0,1,512,r,1\n" },
		/* names of the columns */
		{ "alibaba",
		  "device_id,opcode,offset,length,timestamp\n419,W,0,512,1\n" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
			fixture_open(rows[i].text);

		assert_string_equal(trace_reader_format(reader), rows[i].format);
	}
}

static void test_skip_and_strict(void **state)
{
	static const char text[] = PLUG "junk\nmore junk\n" PLUG;
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open(text);
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *strict =
		fixture_open_bytes(text, strlen(text), TRACE_STRICT);
	struct trace_record record;
	struct diag diag = { 0 };

	(void)state;
	fixture_next(reader);
	assert_int_equal(fixture_next(reader).line, 4);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->records, 2);
	assert_int_equal(trace_reader_counts(reader)->broken, 2);
	assert_int_equal(trace_reader_counts(reader)->first_broken, 2);

	fixture_next(strict);
	assert_int_equal(trace_reader_next(strict, &record, &diag), -EBADMSG);
	assert_string_equal(diag.where, "fixture");
	assert_int_equal(diag.line, 2);
	assert_non_null(strstr(diag.text, "task"));
}

static void test_line_ends(void **state)
{
	static const char crlf[] = "0,8,512,r,1\r\n\r\n0,8,512,r,2\r\n0,8,512,r,3";
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open(crlf);

	(void)state;
	fixture_next(reader);
	assert_int_equal(fixture_next(reader).line, 3);
	assert_int_equal(fixture_next(reader).time_ns, 3000000000);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 0);
}

static void test_long_line(void **state)
{
	enum {
		LONG = 600000
	};
	static char text[LONG + 200];
	size_t len = strlen(PLUG);
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;

	(void)state;
	memcpy(text, PLUG, len);
	memset(text + len, 'x', LONG);
	memcpy(text + len + LONG, "\n" PLUG, len + 1);
	reader = fixture_open_bytes(text, 2 * len + LONG + 1, TRACE_SKIP_BROKEN);
	fixture_next(reader);
	assert_int_equal(fixture_next(reader).line, 3);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 1);
	assert_non_null(
		strstr(trace_reader_counts(reader)->first_broken_why, "too long"));
}

/* 64 KiB are not too long, one byte more is. */
static void test_longest_line(void **state)
{
	static const char title[] = "fio version 2 iolog\n", action[] = " read 0 512\n";
	static char text[70000];

	(void)state;
	for (size_t extra = 0; extra < 2; extra++) {
		size_t name = (64 << 10) - strlen(action) + 1 + extra;
		_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;

		memcpy(text, title, sizeof(title));
		memset(text + strlen(title), 'f', name);
		memcpy(text + strlen(title) + name, action, sizeof(action));
		reader = fixture_open(text);
		if (!extra)
			fixture_next(reader);
		fixture_expect_end(reader);
		assert_int_equal(trace_reader_counts(reader)->broken, extra);
	}
}

static void test_time_goes_back(void **state)
{
	/* not an error where the recorder does not promise order */
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open("0,8,512,r,2\n0,8,512,r,1\n0,8,512,r,3\n");

	(void)state;
	for (int i = 0; i < 3; i++)
		fixture_next(reader);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->backwards, 1);
	assert_int_equal(trace_reader_counts(reader)->broken, 0);
}

/* What was decompressed before the damage is given out, then the place is told. */
static void test_damage_behind_records(void **state)
{
	static const unsigned char packed[] = {
		0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x33, 0xd0,
		0xb1, 0xd0, 0x31, 0x35, 0x34, 0xd2, 0x29, 0xd2, 0x31, 0xe4, 0x32, 0x80,
		0xb3, 0x8d, 0xb8, 0x00, 0x81, 0xe7, 0xca, 0x8b, 0x18, 0x00, 0x00, 0x00,
	};
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open_bytes(packed, sizeof(packed) - 4, TRACE_SKIP_BROKEN);
	struct trace_record record;
	struct diag diag = { 0 };

	(void)state;
	fixture_next(reader);
	fixture_next(reader);
	assert_int_equal(trace_reader_next(reader, &record, &diag), -EBADMSG);
	assert_string_equal(diag.where, "fixture");
	assert_int_equal(diag.line, 3);
	assert_non_null(strstr(diag.text, "gzip data end in the middle, at byte 24"));
}

static void test_standard_input(void **state)
{
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	int kept = dup(STDIN_FILENO), fd = fixture_fd(PLUG, strlen(PLUG));
	struct diag diag = { 0 };

	(void)state;
	dup2(fd, STDIN_FILENO);
	close(fd);
	assert_int_equal(trace_reader_open("-", TRACE_STRICT, &reader, &diag), 0);
	/* the reader has a descriptor of its own */
	dup2(kept, STDIN_FILENO);
	close(kept);
	fixture_next(reader);
	fixture_expect_end(reader);
}

static void test_devices(void **state)
{
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = fixture_open(
		PLUG "a-1 [000] ..... 2.0: block_getrq: 8,16 R 0 + 8 [a]\n" PLUG
		     "a-1 [000] ..... 3.0: block_getrq: 8,0 R 0 + 8 [a]\n");
	const struct trace_counts *counts = trace_reader_counts(reader);

	(void)state;
	fixture_next(reader);
	fixture_next(reader);
	assert_int_equal(counts->first_device, 8u << 20 | 16);
	assert_false(counts->is_mixed);
	fixture_next(reader);
	assert_true(counts->is_mixed);
	assert_int_equal(counts->broken, 1);
}

static void test_header(void **state)
{
	static const char text[] =
		"# kernel=6.1.0-50-amd64 hz=250 dev=252:2 hw_depth=32 hw_queues=2 "
		"completion_nsec=8000000 nr_requests=128 class=nvme size_sectors=7814037168 sched=mq-deadline hz2=7\n"
		"# iosched/read_expire=500\n"
		"# iosched/fifo_batch=16\n"
		"# fio --name=a --bs=4k\n" PLUG "# hz=1000\n";
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open(text);
	const struct trace_header *header = trace_reader_header(reader);

	(void)state;
	assert_string_equal(header->kernel, "6.1.0-50-amd64");
	assert_int_equal(header->hz, 250);
	assert_int_equal(header->device, 252u << 20 | 2);
	assert_int_equal(header->hw_depth, 32);
	assert_int_equal(header->hw_queues, 2);
	assert_int_equal(header->service_ns, 8000000);
	assert_int_equal(header->nr_requests, 128);
	assert_string_equal(header->scheduler, "mq-deadline");
	assert_string_equal(header->class, "nvme");
	assert_true(header->size_sectors == UINT64_C(7814037168));
	assert_int_equal(header->iosched_count, 2);
	assert_string_equal(header->iosched[1].key, "fifo_batch");
	assert_string_equal(header->iosched[1].value, "16");
	assert_string_equal(header->fio, "--name=a --bs=4k");
	fixture_next(reader);
	fixture_expect_end(reader);
	assert_int_equal(header->hz, 250);
}

static void test_header_nonsense(void **state)
{
	static const char text[] =
		"# kernel= hz=-1 dev=252 hw_depth=99999999999 =3 nr_requests=7x\n"
		"#hz=7\n" PLUG;
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open(text);
	const struct trace_header *header = trace_reader_header(reader);

	(void)state;
	assert_string_equal(header->kernel, "");
	assert_int_equal(header->hz, 0);
	assert_int_equal(header->device, 0);
	assert_int_equal(header->hw_depth, 0);
	assert_int_equal(header->nr_requests, 0);
}

static void test_too_many_attributes(void **state)
{
	char text[4096];
	size_t len = 0;
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;

	(void)state;
	for (int i = 0; i < 40; i++)
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"# iosched/k%d=%d\n", i, i);
	snprintf(text + len, sizeof(text) - len, "%s", PLUG);
	reader = fixture_open(text);
	assert_int_equal(trace_reader_header(reader)->iosched_count, 24);
	assert_string_equal(trace_reader_header(reader)->iosched[23].key, "k23");
}

/*
 * Recorded with the tools themselves: tracefs 6.18, perf 6.1 on 6.18, trace-cmd 3.1 and
 * blktrace 1.2 on 6.1, BLKTRACESETUP2 on 7.2 with a zoned disk, fio 3.33. Text was counted
 * with grep, blktrace with blkparse.
 */
static void test_samples(void **state)
{
	static const struct {
		const char *file, *format;
		unsigned records;
	} rows[] = {
		{ "ftrace-6.18.txt", "ftrace", 24 },
		{ "perf-script-6.1.txt", "ftrace", 24 },
		{ "blkparse-1.2.0.txt", "blkparse", 49 },
		{ "blktrace-v7-two-cpus.bin", "blktrace-v7", 49 },
		{ "blktrace-v8-zoned.bin", "blktrace-v8", 71 },
		{ "trace-cmd-report-6.1.txt", "ftrace", 19 },
		{ "fio-iolog-v3.log", "fio-iolog-v3", 13 },
		{ "blkreplay-cut.load.gz", "blkreplay", 12 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
		struct diag diag = { 0 };
		char path[128];

		snprintf(path, sizeof(path), "tests/fixtures/traces/%s", rows[i].file);
		if (trace_reader_open(path, TRACE_STRICT, &reader, &diag))
			fail_msg("%s: %s", path, diag.text);
		assert_string_equal(trace_reader_format(reader), rows[i].format);
		for (unsigned n = 0; n < rows[i].records; n++)
			fixture_next(reader);
		fixture_expect_end(reader);
	}
}

static int compare_times(const void *a, const void *b)
{
	const struct trace_record *x = a, *y = b;

	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

/* The binary trace and what blkparse prints of it are the same requests. */
static void test_binary_and_text_agree(void **state)
{
	static const char *const paths[] = {
		"tests/fixtures/traces/blktrace-v7-two-cpus.bin",
		"tests/fixtures/traces/blkparse-1.2.0.txt"
	};
	struct trace_record records[2][49];

	(void)state;
	for (int i = 0; i < 2; i++) {
		_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;

		assert_int_equal(trace_reader_open(paths[i], TRACE_STRICT, &reader, NULL),
				 0);
		for (int n = 0; n < 49; n++)
			records[i][n] = fixture_next(reader);
		qsort(records[i], 49, sizeof(records[i][0]), compare_times);
	}
	for (int n = 0; n < 49; n++) {
		struct trace_record *a = &records[0][n], *b = &records[1][n];

		/* blkparse counts from the first event */
		assert_int_equal(a->time_ns - records[0][0].time_ns, b->time_ns);
		assert_int_equal(a->action, b->action);
		assert_int_equal(a->op, b->op);
		assert_int_equal(a->flags, b->flags);
		assert_int_equal(a->sector, b->sector);
		assert_int_equal(a->sectors, b->sectors);
		assert_int_equal(a->bytes, b->bytes);
		assert_int_equal(a->pid, b->pid);
		assert_int_equal(a->cpu, b->cpu);
		assert_int_equal(a->device, b->device);
		assert_int_equal(a->count, b->count);
		assert_int_equal(a->error, b->error);
		if (a->action != TRACE_RQ_COMPLETE)
			assert_string_equal(a->comm, b->comm);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refuse),
		cmocka_unit_test(test_open_missing_file),
		cmocka_unit_test(test_format_by_name),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_detection),
		cmocka_unit_test(test_skip_and_strict),
		cmocka_unit_test(test_line_ends),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_longest_line),
		cmocka_unit_test(test_time_goes_back),
		cmocka_unit_test(test_damage_behind_records),
		cmocka_unit_test(test_standard_input),
		cmocka_unit_test(test_devices),
		cmocka_unit_test(test_header),
		cmocka_unit_test(test_header_nonsense),
		cmocka_unit_test(test_too_many_attributes),
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_binary_and_text_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
