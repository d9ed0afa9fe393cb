// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gzip, xz, zstd and bzip2, through their own libraries.
 */
#include "sim/workload/trace-codec.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define ZLIB_CONST /* next_in points to const */
#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>

#include "util/cleanup.h"
#include "util/feature.h"

#if HAVE_ZSTD
#include <zstd.h>
#include <zstd_errors.h>
#endif

/*
 * What a decoder may hold. xz -9 needs 65 MiB (xz(1)); the window of zstd, unless --long
 * was given, is 8 MiB at most, and its library refuses more than 128 MiB by default.
 */
#define MEMORY_LIMIT (128ull << 20)

/* zlib and bzip2 count in unsigned int. */
#define PIECE_MAX (1u << 30)

static unsigned piece_of(size_t len)
{
	return len < PIECE_MAX ? (unsigned)len : PIECE_MAX;
}

static void advance(struct trace_codec_io *io, size_t used, size_t made)
{
	io->in += used;
	io->in_len -= used;
	io->out += made;
	io->out_len -= made;
}

/* --- gzip (RFC 1952) -------------------------------------------------------------- */

static int gzip_open(void **ret_state)
{
	z_stream *z = calloc(1, sizeof(*z));

	/* 16 + 15: a gzip header is required, the largest window is accepted (zlib.h) */
	if (!z || inflateInit2(z, 16 + 15) != Z_OK) {
		free(z);
		return -ENOMEM;
	}
	*ret_state = z;
	return 0;
}

static int gzip_decode(void *state, struct trace_codec_io *io)
{
	z_stream *z = state;
	unsigned in_len = piece_of(io->in_len), out_len = piece_of(io->out_len);
	int status;

	z->next_in = io->in;
	z->avail_in = in_len;
	z->next_out = io->out;
	z->avail_out = out_len;
	status = inflate(z, Z_NO_FLUSH);
	advance(io, in_len - z->avail_in, out_len - z->avail_out);
	if (status == Z_STREAM_END)
		return inflateReset(z) == Z_OK ? 1 : -EBADMSG;
	if (status == Z_MEM_ERROR)
		return -ENOMEM;
	return status == Z_OK || status == Z_BUF_ERROR ? 0 : -EBADMSG;
}

static void gzip_close(void *state)
{
	inflateEnd(state);
	free(state);
}

/* --- xz --------------------------------------------------------------------------- */

static int xz_start(lzma_stream *xz)
{
	return lzma_stream_decoder(xz, MEMORY_LIMIT, 0) == LZMA_OK ? 0 : -ENOMEM;
}

static int xz_open(void **ret_state)
{
	static const lzma_stream fresh = LZMA_STREAM_INIT;
	lzma_stream *xz = malloc(sizeof(*xz));

	if (!xz)
		return -ENOMEM;
	*xz = fresh;
	if (xz_start(xz)) {
		free(xz);
		return -ENOMEM;
	}
	*ret_state = xz;
	return 0;
}

static int xz_decode(void *state, struct trace_codec_io *io)
{
	lzma_stream *xz = state;
	size_t in_len = io->in_len, out_len = io->out_len;
	lzma_ret status;

	xz->next_in = io->in;
	xz->avail_in = in_len;
	xz->next_out = io->out;
	xz->avail_out = out_len;
	status = lzma_code(xz, LZMA_RUN);
	advance(io, in_len - xz->avail_in, out_len - xz->avail_out);
	switch (status) {
	case LZMA_STREAM_END:
		return xz_start(xz) ? -ENOMEM : 1;
	case LZMA_OK:
	case LZMA_BUF_ERROR:
		return 0;
	case LZMA_MEM_ERROR:
		return -ENOMEM;
	case LZMA_MEMLIMIT_ERROR:
		return -EFBIG;
	default:
		return -EBADMSG;
	}
}

static void xz_close(void *state)
{
	lzma_end(state);
	free(state);
}

/* --- zstd (RFC 8878) -------------------------------------------------------------- */

#if HAVE_ZSTD
static int zstd_open(void **ret_state)
{
	ZSTD_DStream *zstd = ZSTD_createDStream();

	if (!zstd)
		return -ENOMEM;
	*ret_state = zstd;
	return 0;
}

static int zstd_decode(void *state, struct trace_codec_io *io)
{
	ZSTD_inBuffer in = { io->in, io->in_len, 0 };
	ZSTD_outBuffer out = { io->out, io->out_len, 0 };
	size_t status = ZSTD_decompressStream(state, &out, &in);

	advance(io, in.pos, out.pos);
	if (!ZSTD_isError(status))
		return status == 0;
	switch (ZSTD_getErrorCode(status)) {
	case ZSTD_error_memory_allocation:
		return -ENOMEM;
	case ZSTD_error_frameParameter_windowTooLarge:
		return -EFBIG;
	default:
		return -EBADMSG;
	}
}

static void zstd_close(void *state)
{
	ZSTD_freeDStream(state);
}
#else
static int zstd_open(void **ret_state)
{
	(void)ret_state;
	return -ENOSYS;
}

#define zstd_decode NULL
#define zstd_close  NULL
#endif

/* --- bzip2 ------------------------------------------------------------------------ */

static int bzip2_open(void **ret_state)
{
	bz_stream *bz = calloc(1, sizeof(*bz));

	if (!bz || BZ2_bzDecompressInit(bz, 0, 0) != BZ_OK) {
		free(bz);
		return -ENOMEM;
	}
	*ret_state = bz;
	return 0;
}

static int bzip2_decode(void *state, struct trace_codec_io *io)
{
	bz_stream *bz = state;
	unsigned in_len = piece_of(io->in_len), out_len = piece_of(io->out_len);
	int status;

	/* The library never writes through next_in; its type only lacks the const. */
	memcpy(&bz->next_in, &io->in, sizeof(bz->next_in));
	bz->avail_in = in_len;
	bz->next_out = (char *)io->out;
	bz->avail_out = out_len;
	status = BZ2_bzDecompress(bz);
	advance(io, in_len - bz->avail_in, out_len - bz->avail_out);
	if (status == BZ_STREAM_END) {
		BZ2_bzDecompressEnd(bz);
		return BZ2_bzDecompressInit(bz, 0, 0) == BZ_OK ? 1 : -ENOMEM;
	}
	if (status == BZ_MEM_ERROR)
		return -ENOMEM;
	return status == BZ_OK ? 0 : -EBADMSG;
}

static void bzip2_close(void *state)
{
	BZ2_bzDecompressEnd(state);
	free(state);
}

/* --- table ------------------------------------------------------------------------ */

static const struct trace_codec codecs[] = {
	{ "gzip", "\x1f\x8b\x08", 3, gzip_open, gzip_decode, gzip_close },
	{ "xz", "\3757zXZ\0", 6, xz_open, xz_decode, xz_close },
	{ "zstd", "\x28\xb5\x2f\xfd", 4, zstd_open, zstd_decode, zstd_close },
	{ "bzip2", "BZh", 3, bzip2_open, bzip2_decode, bzip2_close },
};

const struct trace_codec *trace_codec_detect(const void *data, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(codecs); i++)
		if (len >= codecs[i].magic_len &&
		    !memcmp(data, codecs[i].magic, codecs[i].magic_len))
			return &codecs[i];
	return NULL;
}
