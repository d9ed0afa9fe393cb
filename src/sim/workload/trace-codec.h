/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decompression of a trace file: one row a compression, told by its first bytes. A codec
 * turns input into output piece by piece and holds a bounded amount of memory, whatever
 * the file claims.
 */
#ifndef IOSCHED_SIM_TRACE_CODEC_H
#define IOSCHED_SIM_TRACE_CODEC_H

#include <stddef.h>
#include <stdint.h>

/* The longest magic of any codec. */
#define TRACE_CODEC_MAGIC_MAX 6

/* Both buffers shrink from the front as they are used. */
struct trace_codec_io {
	const uint8_t *in;
	size_t in_len;
	uint8_t *out;
	size_t out_len;
};

struct trace_codec {
	const char *name;
	const char *magic;
	size_t magic_len;
	/* 0, -ENOMEM, or -ENOSYS: this program was built without it */
	int (*open)(void **ret_state);
	/*
	 * 1: a member (gzip's word) has ended, and the state is ready for another one;
	 * 0: wants more input or more room; -EBADMSG: broken; -ENOMEM; -EFBIG: asks for
	 * more memory than the limit.
	 */
	int (*decode)(void *state, struct trace_codec_io *io);
	void (*close)(void *state);
};

/* The codec whose magic stands at `data`, NULL for none. */
const struct trace_codec *trace_codec_detect(const void *data, size_t len);

#endif
