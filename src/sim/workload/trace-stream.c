// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The window over a trace's bytes: plain files are read straight into it, compressed ones
 * through a second buffer and their codec.
 */
#include "sim/workload/trace-stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/workload/trace-codec.h"
#include "util/i18n.h"

#define INPUT_ROOM (128u << 10)

struct stream {
	struct trace_stream window; /* first: callers hold a pointer to it */
	int fd;
	bool input_ended;
	bool ended;                      /* nothing will come after `limit` */
	int error;                       /* why it ended, 0 for a good end */
	const struct trace_codec *codec; /* NULL: plain */
	void *codec_state;
	bool in_member; /* a compressed member has begun and not ended */
	uint8_t *in;    /* compressed bytes not used yet */
	size_t in_len;
	uint8_t input[INPUT_ROOM];
	char buffer[TRACE_STREAM_ROOM];
};

static struct stream *stream_of(struct trace_stream *window)
{
	return (struct stream *)window;
}

static int read_some(struct stream *s, void *buf, size_t size, size_t *ret_len)
{
	ssize_t len;

	do
		len = read(s->fd, buf, size);
	while (len < 0 && errno == EINTR);
	if (len < 0)
		return -errno;
	s->input_ended = len == 0;
	*ret_len = (size_t)len;
	return 0;
}

static int refill_input(struct stream *s)
{
	int error;

	if (s->in_len || s->input_ended)
		return 0;
	s->in = s->input;
	error = read_some(s, s->input, sizeof(s->input), &s->in_len);
	return error;
}

/* gzip files on tape and xz files are padded with zeroes between or after members. */
static void skip_padding(struct stream *s)
{
	while (s->in_len && !*s->in) {
		s->in++;
		s->in_len--;
	}
}

/*
 * Decompresses into the front of [out, out + size); 0 bytes: the end. *ret_len is set in
 * any case: a decoder may give good bytes and find the damage in the same call.
 */
static int decode_some(struct stream *s, char *out, size_t size, size_t *ret_len)
{
	struct trace_codec_io io = { .out = (uint8_t *)out, .out_len = size };

	*ret_len = 0;
	while (!*ret_len) {
		int status = refill_input(s);
		size_t before;

		if (status)
			return status;
		if (!s->in_member)
			skip_padding(s);
		if (!s->in_member && !s->in_len) {
			if (s->input_ended)
				break;
			continue;
		}
		s->in_member = true;
		before = s->in_len;
		io.in = s->in;
		io.in_len = s->in_len;
		status = s->codec->decode(s->codec_state, &io);
		s->in += s->in_len - io.in_len;
		s->in_len = io.in_len;
		*ret_len = size - io.out_len;
		if (status < 0)
			return status;
		if (status == 1)
			s->in_member = false;
		else if (!*ret_len && before == io.in_len && s->input_ended)
			return -ENODATA;
	}
	return 0;
}

static int describe_failure(const struct stream *s, struct diag *diag)
{
	const char *name = s->codec ? s->codec->name : "";
	unsigned long long offset = s->window.limit_offset;

	switch (s->error) {
	case -ENODATA:
		return diag_set(diag, -EBADMSG,
				_("the %s data end in the middle, at byte %llu of what "
				  "they hold"),
				name, offset);
	case -EBADMSG:
		return diag_set(
			diag, -EBADMSG,
			_("the %s data are damaged, at byte %llu of what they hold"),
			name, offset);
	case -EFBIG:
		return diag_set(diag, -EBADMSG,
				_("the %s data need too much memory to decompress"),
				name);
	case -ENOSYS:
		return diag_set(diag, -ENOSYS,
				_("the data are compressed with %s, which this program "
				  "was built without"),
				name);
	case -ENOMEM:
		return -ENOMEM;
	default:
		return diag_set(diag, s->error, _("cannot read on at byte %llu: %s"),
				offset, strerror(-s->error));
	}
}

int trace_stream_fill(struct trace_stream *window, size_t want, struct diag *diag)
{
	struct stream *s = stream_of(window);
	size_t have = trace_stream_available(window);

	if (have < want && !s->ended && window->cursor != s->buffer) {
		memmove(s->buffer, window->cursor, have);
		window->cursor = s->buffer;
	}
	while (have < want && !s->ended) {
		size_t room = TRACE_STREAM_ROOM - have, len = 0;
		char *end = s->buffer + have;

		s->error = s->codec ? decode_some(s, end, room, &len)
				    : read_some(s, end, room, &len);
		s->ended = s->error || !len;
		have += len;
		window->limit = s->buffer + have;
		window->limit_offset += len;
	}
	return s->error && have < want ? describe_failure(s, diag) : 0;
}

/* Reads enough to tell the compression; plain bytes go straight to the window. */
static int detect_codec(struct stream *s)
{
	size_t have = 0;

	while (have < TRACE_CODEC_MAGIC_MAX && !s->input_ended) {
		size_t len;
		int error = read_some(s, s->input + have, sizeof(s->input) - have, &len);

		if (error)
			return error;
		have += len;
	}
	s->codec = trace_codec_detect(s->input, have);
	if (s->codec) {
		s->in = s->input;
		s->in_len = have;
		return s->codec->open(&s->codec_state);
	}
	memcpy(s->buffer, s->input, have);
	s->window.limit += have;
	s->window.limit_offset += have;
	return 0;
}

int trace_stream_open(int fd, struct trace_stream **ret, struct diag *diag)
{
	struct stream *s = malloc(sizeof(*s));

	if (!s) {
		close(fd);
		return -ENOMEM;
	}
	memset(s, 0, offsetof(struct stream, input));
	s->fd = fd;
	s->window.cursor = s->window.limit = s->buffer;
	s->error = detect_codec(s);
	if (s->error) {
		int error = describe_failure(s, diag);

		trace_stream_free(&s->window);
		return error;
	}
	*ret = &s->window;
	return 0;
}

void trace_stream_free(struct trace_stream *window)
{
	struct stream *s;

	if (!window)
		return;
	s = stream_of(window);
	if (s->codec_state)
		s->codec->close(s->codec_state);
	close(s->fd);
	free(s);
}
