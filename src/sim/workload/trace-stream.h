/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a trace, decompressed, through a window of fixed size: whoever reads looks
 * at what lies between `cursor` and `limit`, moves `cursor` on, and asks for more.
 */
#ifndef IOSCHED_SIM_TRACE_STREAM_H
#define IOSCHED_SIM_TRACE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

/* The window holds at least this many bytes, so that many can be asked for at once. */
#define TRACE_STREAM_ROOM (256u << 10)

struct trace_stream {
	const char *cursor;
	const char *limit;
	uint64_t limit_offset; /* of `limit`, in decompressed bytes from the start */
};

/* Takes the descriptor, also on failure. -EBADMSG: broken compression; -ENOMEM, -EIO ...
 */
int trace_stream_open(int fd, struct trace_stream **ret, struct diag *diag);
void trace_stream_free(struct trace_stream *stream);

/*
 * Reads on until at least `want` (<= TRACE_STREAM_ROOM) bytes lie between cursor and
 * limit, or the data end: compare afterwards. Pointers into the window become invalid.
 * An error is returned when fewer than `want` good bytes stand before it.
 */
int trace_stream_fill(struct trace_stream *stream, size_t want, struct diag *diag);

static inline size_t trace_stream_available(const struct trace_stream *stream)
{
	return (size_t)(stream->limit - stream->cursor);
}

/* trace_stream_fill() where it is not already so: worth it for binary records. */
static inline int trace_stream_require(struct trace_stream *stream, size_t want,
				       struct diag *diag)
{
	return trace_stream_available(stream) >= want
		       ? 0
		       : trace_stream_fill(stream, want, diag);
}

/* Where `cursor` stands, in decompressed bytes from the start. */
static inline uint64_t trace_stream_offset(const struct trace_stream *stream)
{
	return stream->limit_offset - trace_stream_available(stream);
}

DEFINE_CLEANUP(struct trace_stream *, trace_stream_free)

#endif
