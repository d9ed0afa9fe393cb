// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The byte stream: each compression, joined members, damage, and pipes that give little.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "sim/workload/trace-stream.h"
#include "trace-fixture.h"

enum {
	PLAIN_SIZE = 700000,
	ROOM = 1 << 20
};

static size_t gzip(const char *in, size_t len, char *out)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)in,
		       .avail_in = (uInt)len,
		       .next_out = (Bytef *)out,
		       .avail_out = ROOM };

	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + 15, 8, Z_DEFAULT_STRATEGY),
			 Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return z.total_out;
}

static size_t xz(const char *in, size_t len, char *out)
{
	size_t used = 0;

	assert_int_equal(lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, NULL,
						 (const uint8_t *)in, len, (uint8_t *)out,
						 &used, ROOM),
			 LZMA_OK);
	return used;
}

static size_t zstd(const char *in, size_t len, char *out)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t used;

	assert_non_null(context);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	used = ZSTD_compress2(context, out, ROOM, in, len);
	assert_false(ZSTD_isError(used));
	ZSTD_freeCCtx(context);
	return used;
}

static size_t bzip2(const char *in, size_t len, char *out)
{
	unsigned used = ROOM;

	assert_int_equal(BZ2_bzBuffToBuffCompress(out, &used, (char *)(uintptr_t)in,
						  (unsigned)len, 9, 0, 0),
			 BZ_OK);
	return used;
}

static size_t plain(const char *in, size_t len, char *out)
{
	memcpy(out, in, len);
	return len;
}

static const struct codec {
	const char *name;
	size_t (*compress)(const char *in, size_t len, char *out);
} codecs[] = {
	{ "gzip", gzip },   { "xz", xz },  { "zstd", zstd },
	{ "bzip2", bzip2 }, { "", plain },
};

static char *make_plain(void)
{
	char *data = malloc(PLAIN_SIZE);
	uint32_t seed = 1;

	assert_non_null(data);
	for (size_t i = 0; i < PLAIN_SIZE; i++) {
		seed = seed * 1664525 + 1013904223;
		data[i] = "0123456789abcdef"[seed >> 28];
	}
	return data;
}

static struct trace_stream *open_bytes(const void *data, size_t len)
{
	struct trace_stream *stream = NULL;
	struct diag diag = { 0 };

	assert_int_equal(trace_stream_open(fixture_fd(data, len), &stream, &diag), 0);
	return stream;
}

/* Reads all, `step` bytes at a time, and compares; returns what ended the reading. */
static int read_all(struct trace_stream *stream, const char *expected, size_t len,
		    size_t step, struct diag *diag)
{
	size_t done = 0;

	for (;;) {
		int error = trace_stream_fill(stream, step, diag);
		size_t have = trace_stream_available(stream);

		if (error)
			return error;
		if (!have)
			break;
		if (have > step)
			have = step;
		assert_true(done + have <= len);
		assert_memory_equal(stream->cursor, expected + done, have);
		assert_int_equal(trace_stream_offset(stream), done);
		stream->cursor += have;
		done += have;
	}
	assert_int_equal(done, len);
	return 0;
}

static void test_whole(void **state)
{
	_free_ char *data = make_plain(), *packed = malloc(ROOM);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(codecs); i++) {
		size_t len = codecs[i].compress(data, PLAIN_SIZE, packed);

		for (size_t step = 1000; step <= TRACE_STREAM_ROOM; step *= 16) {
			_cleanup_(cleanup_trace_stream_free) struct trace_stream *stream =
				open_bytes(packed, len);

			assert_int_equal(read_all(stream, data, PLAIN_SIZE, step, NULL),
					 0);
		}
	}
}

/* Members one after the other, with padding between and behind. */
static void test_joined(void **state)
{
	_free_ char *data = make_plain(), *packed = malloc(2 * ROOM);

	(void)state;
	for (size_t i = 0; i + 1 < ARRAY_SIZE(codecs); i++) {
		size_t len = codecs[i].compress(data, 1000, packed);
		_cleanup_(cleanup_trace_stream_free) struct trace_stream *stream = NULL;

		memset(packed + len, 0, 8);
		len += 8;
		len += codecs[i].compress(data + 1000, PLAIN_SIZE - 1000, packed + len);
		memset(packed + len, 0, 512);
		stream = open_bytes(packed, len + 512);
		assert_int_equal(read_all(stream, data, PLAIN_SIZE, 5000, NULL), 0);
	}
}

static void test_empty_member(void **state)
{
	_free_ char *packed = malloc(ROOM);

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(codecs); i++) {
		size_t len = codecs[i].compress("", 0, packed);
		_cleanup_(cleanup_trace_stream_free) struct trace_stream *stream =
			open_bytes(packed, len);

		assert_int_equal(read_all(stream, "", 0, 10, NULL), 0);
	}
}

static void test_cut(void **state)
{
	_free_ char *data = make_plain(), *packed = malloc(ROOM);

	(void)state;
	for (size_t i = 0; i + 1 < ARRAY_SIZE(codecs); i++) {
		size_t len = codecs[i].compress(data, PLAIN_SIZE, packed);
		_cleanup_(cleanup_trace_stream_free) struct trace_stream *stream =
			open_bytes(packed, len - 5);
		struct diag diag = { 0 };

		assert_int_equal(read_all(stream, data, PLAIN_SIZE, 5000, &diag),
				 -EBADMSG);
		assert_non_null(strstr(diag.text, "end in the middle"));
		assert_non_null(strstr(diag.text, codecs[i].name));
		/* and again */
		assert_int_equal(trace_stream_fill(stream, 5000, NULL), -EBADMSG);
	}
}

/* What ended the reading; the content is not looked at. */
static int drain(struct trace_stream *stream, struct diag *diag)
{
	int error;

	do {
		stream->cursor = stream->limit;
		error = trace_stream_fill(stream, 1, diag);
	} while (!error && trace_stream_available(stream));
	return error;
}

static void test_damaged(void **state)
{
	_free_ char *data = make_plain(), *packed = malloc(ROOM);

	(void)state;
	for (size_t i = 0; i + 1 < ARRAY_SIZE(codecs); i++) {
		size_t len = codecs[i].compress(data, PLAIN_SIZE, packed);
		_cleanup_(cleanup_trace_stream_free) struct trace_stream *stream = NULL;
		struct diag diag = { 0 };

		/* what was decoded before the damage is noticed is given out nevertheless */
		packed[len / 2] ^= 0x10;
		stream = open_bytes(packed, len);
		assert_int_equal(drain(stream, &diag), -EBADMSG);
		assert_non_null(strstr(diag.text, "damaged"));
	}
}

static void test_junk_behind(void **state)
{
	_free_ char *packed = malloc(ROOM);

	(void)state;
	for (size_t i = 0; i + 1 < ARRAY_SIZE(codecs); i++) {
		size_t len = codecs[i].compress("abc", 3, packed);
		_cleanup_(cleanup_trace_stream_free) struct trace_stream *stream = NULL;

		memcpy(packed + len, "this is junk, and no member at all", 34);
		stream = open_bytes(packed, len + 34);
		assert_int_equal(read_all(stream, "abc", 3, 1, NULL), -EBADMSG);
	}
}

/* xz that asks for a dictionary of 1.5 GiB */
static void test_memory_limit(void **state)
{
	lzma_options_lzma options;
	lzma_filter filters[2] = { { LZMA_FILTER_LZMA2, &options },
				   { LZMA_VLI_UNKNOWN, NULL } };
	_cleanup_(cleanup_trace_stream_free) struct trace_stream *stream = NULL;
	_free_ char *packed = malloc(ROOM);
	struct diag diag = { 0 };
	lzma_stream encoder = LZMA_STREAM_INIT;

	(void)state;
	lzma_lzma_preset(&options, 0);
	assert_int_equal(lzma_stream_encoder(&encoder, filters, LZMA_CHECK_NONE),
			 LZMA_OK);
	encoder.next_in = (const uint8_t *)"abc";
	encoder.avail_in = 3;
	encoder.next_out = (uint8_t *)packed;
	encoder.avail_out = ROOM;
	assert_int_equal(lzma_code(&encoder, LZMA_FINISH), LZMA_STREAM_END);
	/*
	 * Byte 16 of the file codes the dictionary's size (40 is 4 GiB - 1), bytes 20 to 23
	 * are the checksum of the block header that begins at byte 12.
	 */
	packed[16] = 40;
	*(uint32_t *)(void *)(packed + 20) = lzma_crc32((uint8_t *)packed + 12, 8, 0);
	stream = open_bytes(packed, encoder.total_out);
	lzma_end(&encoder);
	assert_int_equal(trace_stream_fill(stream, 1, &diag), -EBADMSG);
	assert_non_null(strstr(diag.text, "too much memory"));
}

static void test_pipe_in_drops(void **state)
{
	_free_ char *packed = malloc(ROOM);
	size_t len = gzip("hello, trace", 12, packed);

	(void)state;
	for (int is_packed = 0; is_packed < 2; is_packed++) {
		_cleanup_(cleanup_trace_stream_free) struct trace_stream *stream = NULL;
		int ends[2];

		/* O_DIRECT: packets, so that a read gives one byte */
		assert_int_equal(pipe2(ends, O_CLOEXEC | O_DIRECT), 0);
		/* one page for each packet */
		assert_true(fcntl(ends[1], F_SETPIPE_SZ, 64 * 4096) >= 64 * 4096);
		for (size_t i = 0; i < (is_packed ? len : 12); i++)
			assert_int_equal(write(ends[1],
					       (is_packed ? packed : "hello, trace") + i,
					       1),
					 1);
		close(ends[1]);
		assert_int_equal(trace_stream_open(ends[0], &stream, NULL), 0);
		assert_int_equal(read_all(stream, "hello, trace", 12, 5, NULL), 0);
	}
}

static void test_unreadable(void **state)
{
	struct trace_stream *stream = NULL;
	struct diag diag = { 0 };
	int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(trace_stream_open(fd, &stream, &diag), -EISDIR);
	assert_null(stream);
	assert_int_equal(fcntl(fd, F_GETFD), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),        cmocka_unit_test(test_joined),
		cmocka_unit_test(test_empty_member), cmocka_unit_test(test_cut),
		cmocka_unit_test(test_damaged),      cmocka_unit_test(test_junk_behind),
		cmocka_unit_test(test_memory_limit), cmocka_unit_test(test_pipe_in_drops),
		cmocka_unit_test(test_unreadable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
