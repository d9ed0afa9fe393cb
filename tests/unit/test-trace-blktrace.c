// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Binary blktrace: both versions in both byte orders, and what can break.
 */
#include <byteswap.h>
#include <endian.h>
#include <errno.h>

#include "trace-fixture.h"

#define READ     (1ull << 16)
#define WRITE    (1ull << 17)
#define FLUSH    (1ull << 18)
#define SYNC     (1ull << 19)
#define QUEUE    (1ull << 20)
#define ISSUE    (1ull << 22)
#define COMPLETE (1ull << 23)
#define PC       (1ull << 25)
#define NOTIFY   (1ull << 26)
#define AHEAD    (1ull << 27)
#define META     (1ull << 28)
#define DISCARD  (1ull << 29)
#define FUA      (1ull << 31)
#define RESET    (1ull << 33)

struct binary {
	unsigned version;
	bool is_swapped;
	size_t len;
	char data[8192];
};

struct event {
	uint64_t action, time_ns, sector;
	uint32_t bytes, pid;
	uint16_t error, pdu_len;
	const void *pdu;
};

static void put(struct binary *b, uint64_t value, size_t size)
{
	for (size_t i = 0; i < size; i++) {
		bool is_big = b->is_swapped == (BYTE_ORDER == LITTLE_ENDIAN);
		size_t shift = is_big ? size - 1 - i : i;

		assert_true(b->len < sizeof(b->data));
		b->data[b->len++] = (char)(value >> (8 * shift));
	}
}

static void add(struct binary *b, struct event e)
{
	put(b, 0x65617400u | b->version, 4);
	put(b, 1, 4);
	put(b, e.time_ns, 8);
	put(b, e.sector, 8);
	put(b, e.bytes, 4);
	if (b->version == 8) {
		put(b, e.pid, 4);
		put(b, e.action, 8);
	} else {
		put(b, e.action, 4);
		put(b, e.pid, 4);
	}
	put(b, 8u << 20 | 16, 4);
	put(b, 3, 4);
	put(b, e.error, 2);
	put(b, e.pdu_len, 2);
	if (b->version == 8)
		for (int i = 0; i < 3; i++)
			put(b, 0, 4);
	if (e.pdu_len)
		memcpy(b->data + b->len, e.pdu, e.pdu_len);
	b->len += e.pdu_len;
}

static struct trace_reader *open_binary(const struct binary *b, enum trace_mode mode)
{
	return fixture_open_bytes(b->data, b->len, mode);
}

static struct trace_record only(struct event e, unsigned version, bool is_swapped)
{
	struct binary b = { .version = version, .is_swapped = is_swapped };
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	struct trace_record record;

	add(&b, e);
	reader = open_binary(&b, TRACE_STRICT);
	assert_string_equal(trace_reader_format(reader),
			    version == 8 ? "blktrace-v8" : "blktrace-v7");
	record = fixture_next(reader);
	fixture_expect_end(reader);
	return record;
}

static void test_every_layout(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		struct event e = { .action = WRITE | SYNC | COMPLETE | 8,
				   .time_ns = 0x123456789abcdef0,
				   .sector = 0x0fedcba987654321,
				   .bytes = 4097,
				   .pid = 640,
				   .error = (uint16_t)-5 };
		struct trace_record r = only(e, i & 1 ? 8 : 7, i & 2);

		assert_int_equal(r.action, TRACE_RQ_COMPLETE);
		assert_int_equal(r.op, TRACE_WRITE);
		assert_int_equal(r.flags, TRACE_FLAG_SYNC);
		assert_int_equal(r.time_ns, 0x123456789abcdef0);
		assert_int_equal(r.sector, 0x0fedcba987654321);
		assert_int_equal(r.sectors, 9);
		assert_int_equal(r.bytes, 4097);
		assert_int_equal(r.pid, 640);
		assert_int_equal(r.cpu, 3);
		assert_int_equal(r.device, 8u << 20 | 16);
		assert_int_equal(r.error, -5);
		assert_int_equal(r.line, 0);
	}
}

static void test_actions(void **state)
{
	static const struct {
		uint64_t action;
		enum trace_action expected;
	} rows[] = {
		{ QUEUE | 1, TRACE_BIO_QUEUE },      { QUEUE | 2, TRACE_BIO_BACKMERGE },
		{ QUEUE | 3, TRACE_BIO_FRONTMERGE }, { QUEUE | 4, TRACE_GETRQ },
		{ QUEUE | 6, TRACE_RQ_REQUEUE },     { ISSUE | 7, TRACE_RQ_ISSUE },
		{ COMPLETE | 8, TRACE_RQ_COMPLETE }, { QUEUE | 9, TRACE_PLUG },
		{ QUEUE | 12, TRACE_RQ_INSERT },     { QUEUE | 0x101, TRACE_BIO_QUEUE },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event e = { .action = READ | rows[i].action, .bytes = 512 };

		assert_int_equal(only(e, 7, false).action, rows[i].expected);
	}
}

static void test_operations(void **state)
{
	static const struct {
		uint64_t action;
		uint32_t bytes;
		enum trace_op op;
		unsigned flags;
	} rows[] = {
		{ READ | AHEAD | META, 512, TRACE_READ,
		  TRACE_FLAG_AHEAD | TRACE_FLAG_META },
		{ WRITE | FUA, 512, TRACE_WRITE, TRACE_FLAG_FUA },
		{ WRITE | FLUSH | SYNC, 0, TRACE_WRITE,
		  TRACE_FLAG_PREFLUSH | TRACE_FLAG_SYNC },
		{ READ | FLUSH, 0, TRACE_FLUSH, TRACE_FLAG_PREFLUSH },
		{ READ | FLUSH, 512, TRACE_READ, TRACE_FLAG_PREFLUSH },
		{ READ, 0, TRACE_READ, 0 },
		{ WRITE | DISCARD, 1 << 20, TRACE_DISCARD, 0 },
		{ READ | PC, 36, TRACE_OTHER, 0 },
		{ WRITE | RESET, 0, TRACE_ZONE, 0 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct event e = { .action = rows[i].action | 7, .bytes = rows[i].bytes };
		struct trace_record r = only(e, 8, false);

		assert_int_equal(r.op, rows[i].op);
		assert_int_equal(r.flags, rows[i].flags);
		assert_int_equal(r.sectors, (rows[i].bytes + 511) / 512);
	}
}

/* The count is big-endian, whatever the rest is. */
static void test_unplug(void **state)
{
	static const unsigned char count[] = { 0, 0, 0, 0, 0, 0, 1, 2 };
	static const unsigned char with_cgroup[] = { 9, 9, 9, 9, 9, 9, 9, 9,
						     0, 0, 0, 0, 0, 0, 0, 7 };
	struct event e = { .action = QUEUE | 10, .pdu_len = 8, .pdu = count };

	(void)state;
	assert_int_equal(only(e, 7, false).count, 258);
	assert_int_equal(only(e, 7, true).count, 258);
	e = (struct event){ .action = QUEUE | 0x10a, .pdu_len = 16, .pdu = with_cgroup };
	assert_int_equal(only(e, 7, false).count, 7);
	assert_int_equal(only(e, 7, false).op, TRACE_OTHER);
}

static void test_names_of_tasks(void **state)
{
	struct binary b = { .version = 7 };
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;

	(void)state;
	add(&b, (struct event){ .action = NOTIFY | 0,
				.pid = 640,
				.pdu_len = 16,
				.pdu = "fio\0............" });
	add(&b, (struct event){ .action = NOTIFY | 2, .pdu_len = 3, .pdu = "msg" });
	add(&b, (struct event){ .action = QUEUE | 13, .pid = 640 });
	add(&b, (struct event){ .action = QUEUE | 1, .pid = 640, .bytes = 512 });
	add(&b, (struct event){ .action = QUEUE | 1, .pid = 641, .bytes = 512 });
	/* has the same slot, and replaces the name */
	add(&b,
	    (struct event){
		    .action = NOTIFY | 0, .pid = 640 + 4096, .pdu_len = 2, .pdu = "ab" });
	add(&b, (struct event){ .action = QUEUE | 1, .pid = 640 + 4096, .bytes = 512 });
	add(&b, (struct event){ .action = QUEUE | 1, .pid = 640, .bytes = 512 });
	reader = open_binary(&b, TRACE_STRICT);
	assert_string_equal(fixture_next(reader).comm, "fio");
	assert_string_equal(fixture_next(reader).comm, "");
	assert_string_equal(fixture_next(reader).comm, "ab");
	assert_string_equal(fixture_next(reader).comm, "");
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->other, 4);
}

static void test_unsorted(void **state)
{
	struct binary b = { .version = 8 };
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;

	(void)state;
	add(&b, (struct event){ .action = QUEUE | 1, .time_ns = 9, .bytes = 512 });
	add(&b, (struct event){ .action = QUEUE | 1, .time_ns = 5, .bytes = 512 });
	reader = open_binary(&b, TRACE_STRICT);
	fixture_next(reader);
	assert_int_equal(fixture_next(reader).line, 64);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->backwards, 1);
}

static void test_both_versions_joined(void **state)
{
	struct binary b = { .version = 7 };
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;

	(void)state;
	add(&b, (struct event){ .action = QUEUE | 1, .bytes = 512 });
	b.version = 8;
	add(&b, (struct event){ .action = QUEUE | 1, .sector = 77, .bytes = 512 });
	reader = open_binary(&b, TRACE_STRICT);
	fixture_next(reader);
	assert_int_equal(fixture_next(reader).sector, 77);
	fixture_expect_end(reader);
}

static void test_cut_anywhere(void **state)
{
	(void)state;
	for (unsigned version = 7; version <= 8; version++) {
		struct binary b = { .version = version };
		size_t whole;

		add(&b, (struct event){ .action = QUEUE | 1, .bytes = 512 });
		whole = b.len;
		add(&b, (struct event){
				.action = QUEUE | 1, .pdu_len = 9, .pdu = "123456789" });
		for (b.len--; b.len > whole; b.len--) {
			_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
				open_binary(&b, TRACE_SKIP_BROKEN);

			fixture_next(reader);
			fixture_expect_end(reader);
			assert_int_equal(trace_reader_counts(reader)->broken, 1);
			assert_int_equal(trace_reader_counts(reader)->first_broken,
					 whole);
		}
	}
}

/* Bytes of another kind in the middle cost no more than themselves. */
static void test_resynchronise(void **state)
{
	struct binary b = { .version = 7 };
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *strict = NULL;
	struct trace_record record;
	struct diag diag = { 0 };

	(void)state;
	add(&b, (struct event){ .action = QUEUE | 1, .sector = 1, .bytes = 512 });
	memset(b.data + b.len, 'x', 1001);
	b.len += 1001;
	add(&b, (struct event){ .action = QUEUE | 1, .sector = 2, .bytes = 512 });
	reader = open_binary(&b, TRACE_SKIP_BROKEN);
	assert_int_equal(fixture_next(reader).sector, 1);
	record = fixture_next(reader);
	assert_int_equal(record.sector, 2);
	assert_int_equal(record.line, 48 + 1001);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 1);
	assert_int_equal(trace_reader_counts(reader)->first_broken, 48);

	strict = open_binary(&b, TRACE_STRICT);
	fixture_next(strict);
	assert_int_equal(trace_reader_next(strict, &record, &diag), -EBADMSG);
	assert_non_null(strstr(diag.text, "byte 48"));
	assert_non_null(strstr(diag.text, "magic"));
}

static void test_junk_to_the_end(void **state)
{
	struct binary b = { .version = 7 };
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;

	(void)state;
	add(&b, (struct event){ .action = QUEUE | 1, .bytes = 512 });
	memset(b.data + b.len, 0, 999);
	b.len += 999;
	reader = open_binary(&b, TRACE_SKIP_BROKEN);
	fixture_next(reader);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 1);
}

static void test_overflow(void **state)
{
	struct binary b = { .version = 7 };
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;

	(void)state;
	add(&b,
	    (struct event){ .action = QUEUE | 1, .sector = UINT64_MAX, .bytes = 512 });
	/* a flush has no place: kernels give 2^64 - 1 */
	add(&b, (struct event){ .action = READ | FLUSH | 8, .sector = UINT64_MAX });
	reader = open_binary(&b, TRACE_SKIP_BROKEN);
	assert_int_equal(fixture_next(reader).op, TRACE_FLUSH);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_layout),
		cmocka_unit_test(test_actions),
		cmocka_unit_test(test_operations),
		cmocka_unit_test(test_unplug),
		cmocka_unit_test(test_names_of_tasks),
		cmocka_unit_test(test_unsorted),
		cmocka_unit_test(test_both_versions_joined),
		cmocka_unit_test(test_cut_anywhere),
		cmocka_unit_test(test_resynchronise),
		cmocka_unit_test(test_junk_to_the_end),
		cmocka_unit_test(test_overflow),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
