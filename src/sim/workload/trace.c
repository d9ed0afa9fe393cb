// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opening a trace, telling its format by its content, and giving out its records.
 *
 * Detection looks at the first 64 KiB after decompression. Binary formats have a magic.
 * For text every format says for every line how surely the line is its own, and the one
 * with the largest sum reads the trace. The four collections of comma-separated values
 * are told apart by the number of columns and by the column that holds the direction:
 * MSR has seven columns and Read or Write in the fourth; of those with five, Alibaba has
 * R or W in the second, SPC R or W in the fourth, and Tencent 0 or 1 in the fourth.
 */
#include "sim/workload/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "sim/workload/trace-format.h"
#include "sim/workload/trace-scan.h"
#include "util/i18n.h"

#define HEAD_MAX (64u << 10)

static const struct trace_format *const formats[] = {
	&trace_format_blktrace_v7, &trace_format_blktrace_v8, &trace_format_blkparse,
	&trace_format_ftrace,      &trace_format_fio_v2,      &trace_format_fio_v3,
	&trace_format_biosnoop,    &trace_format_msr,         &trace_format_alibaba,
	&trace_format_tencent,     &trace_format_spc,         &trace_format_blkreplay,
};

/* Files that people take for a trace, and what makes one of them. */
static const struct {
	const char *magic;
	size_t len;
	const char *what;
	const char *hint;
} look_alikes[] = {
	{ "\x17\x08\x44tracing", 10, N_("a binary recording of trace-cmd"),
	  N_("print it as text first: trace-cmd report FILE") },
	{ "PERFILE2", 8, N_("a binary recording of perf"),
	  N_("print it as text first: perf script -i FILE") },
	{ "PK\x03\x04", 4, N_("a zip archive"), N_("unpack it first") },
	{ "\x04\x22\x4d\x18", 4, N_("compressed with lz4"),
	  N_("decompress it first: lz4 -d") },
};

const char *trace_format_name(unsigned index)
{
	return index < ARRAY_SIZE(formats) ? formats[index]->name : NULL;
}

/* --- lines ------------------------------------------------------------------------ */

static const char *strip_return(const char *line, const char *end)
{
	return end > line && end[-1] == '\r' ? end - 1 : end;
}

/* Moves the stream behind the next line end; 1: found, 0: the data ended. */
static int skip_line(struct trace_stream *stream, struct diag *diag)
{
	for (;;) {
		size_t have = trace_stream_available(stream);
		const char *end = have ? memchr(stream->cursor, '\n', have) : NULL;
		int error;

		if (end) {
			stream->cursor = end + 1;
			return 1;
		}
		stream->cursor = stream->limit;
		error = trace_stream_fill(stream, 1, diag);
		if (error || !trace_stream_available(stream))
			return error;
	}
}

/*
 * 1: a line, without its end; 0: the data ended; -EMSGSIZE: the line was too long and was
 * skipped; other negative errno: reading ended.
 */
static int next_line(struct trace_reader *reader, const char **ret_line,
		     const char **ret_end, struct diag *diag)
{
	struct trace_stream *stream = reader->stream;
	size_t seen = 0;
	const char *end;

	for (;;) {
		size_t have = trace_stream_available(stream);
		int error;

		end = have > seen ? memchr(stream->cursor + seen, '\n', have - seen)
				  : NULL;
		if (end || have > TRACE_LINE_MAX)
			break;
		seen = have;
		error = trace_stream_fill(stream, have + 1, diag);
		if (error)
			return error;
		if (trace_stream_available(stream) == have) {
			end = have ? stream->limit : NULL;
			break;
		}
	}
	if (!end && !seen && stream->cursor == stream->limit)
		return 0;
	reader->line++;
	if (!end || end - stream->cursor > TRACE_LINE_MAX) {
		int status = skip_line(stream, diag);

		return status < 0 ? status : -EMSGSIZE;
	}
	*ret_line = stream->cursor;
	*ret_end = strip_return(stream->cursor, end);
	stream->cursor = end < stream->limit ? end + 1 : end;
	return 1;
}

/* --- detection -------------------------------------------------------------------- */

static void probe_line(const char *line, const char *end, unsigned *weights)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i]->probe)
			weights[i] += formats[i]->probe(line, end);
}

static const struct trace_format *detect_text(const char *head, size_t len)
{
	unsigned weights[ARRAY_SIZE(formats)] = { 0 };
	const char *line = head, *limit = head + len;
	size_t best = 0;

	while (line < limit) {
		const char *end = memchr(line, '\n', (size_t)(limit - line));
		const char *next = end ? end + 1 : limit;

		/* A line cut by the end of the head says nothing. */
		if (!end && len >= HEAD_MAX && line != head)
			break;
		end = strip_return(line, end ? end : limit);
		if (end > line)
			probe_line(line, end, weights);
		line = next;
	}
	for (size_t i = 1; i < ARRAY_SIZE(formats); i++)
		if (weights[i] > weights[best])
			best = i;
	return weights[best] ? formats[best] : NULL;
}

static int refuse(const char *head, size_t len, struct diag *diag)
{
	for (size_t i = 0; i < ARRAY_SIZE(look_alikes); i++) {
		if (len < look_alikes[i].len ||
		    memcmp(head, look_alikes[i].magic, look_alikes[i].len) != 0)
			continue;
		diag_set(diag, -EBADMSG, _("this is %s, which is not read directly"),
			 _(look_alikes[i].what));
		diag_hint(diag, "%s", _(look_alikes[i].hint));
		return -EBADMSG;
	}
	diag_set(diag, -EBADMSG,
		 _("the content is of no trace format that is known here"));
	diag_hint(diag,
		  _("known are: blktrace, blkparse, ftrace, trace-cmd report and perf "
		    "script text, fio iolog, biosnoop, MSR, Alibaba, Tencent and SPC "
		    "tables, blkreplay"));
	return -EBADMSG;
}

static const struct trace_format *format_by_name(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (!strcmp(formats[i]->name, name))
			return formats[i];
	return NULL;
}

static const struct trace_format *detect(const char *head, size_t len)
{
	for (size_t i = 0; i < ARRAY_SIZE(formats); i++)
		if (formats[i]->detect && formats[i]->detect(head, len))
			return formats[i];
	return detect_text(head, len);
}

static void read_header(struct trace_header *header, const char *head, size_t len)
{
	const char *limit = head + len;

	while (head < limit && *head == '#') {
		const char *end = memchr(head, '\n', (size_t)(limit - head));

		if (!end)
			break;
		trace_header_parse(header, head, strip_return(head, end));
		head = end + 1;
	}
}

static int choose_format(struct trace_reader *reader, const char *name, struct diag *diag)
{
	static const char mark[] = "\xef\xbb\xbf"; /* UTF-8 byte order mark */
	struct trace_stream *stream = reader->stream;
	size_t len;
	/* Damage behind the head is told when reading gets there. */
	int error = trace_stream_fill(stream, HEAD_MAX, NULL);

	len = trace_stream_available(stream);
	if (!len)
		return error ? trace_stream_fill(stream, 1, diag)
			     : diag_set(diag, -ENODATA, _("the trace is empty"));
	if (len > 3 && !memcmp(stream->cursor, mark, 3)) {
		stream->cursor += 3;
		len -= 3;
	}
	if (len > HEAD_MAX)
		len = HEAD_MAX;
	reader->format = name ? format_by_name(name) : detect(stream->cursor, len);
	if (!reader->format)
		return refuse(stream->cursor, len, diag);
	if (reader->format->parse)
		read_header(&reader->header, stream->cursor, len);
	if (reader->format->state_size) {
		reader->state = calloc(1, reader->format->state_size);
		if (!reader->state)
			return -ENOMEM;
	}
	return 0;
}

/* --- opening ---------------------------------------------------------------------- */

int trace_reader_open_fd(int fd, const char *name, const char *format,
			 enum trace_mode mode, struct trace_reader **ret,
			 struct diag *diag)
{
	_close_ int owned = fd;
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	int error;

	if (format && !format_by_name(format))
		return diag_set(diag, -EINVAL, _("there is no trace format %s"), format);
	reader = calloc(1, sizeof(*reader));
	if (!reader)
		return -ENOMEM;
	reader->mode = mode;
	reader->name = strdup(name);
	if (!reader->name)
		return -ENOMEM;
	error = trace_stream_open(TAKE_FD(owned), &reader->stream, diag);
	if (!error)
		error = choose_format(reader, format, diag);
	if (error) {
		diag_at(diag, name, 0);
		return error;
	}
	*ret = TAKE_PTR(reader);
	return 0;
}

int trace_reader_open(const char *path, enum trace_mode mode, struct trace_reader **ret,
		      struct diag *diag)
{
	bool is_stdin = !strcmp(path, "-");
	int fd = is_stdin ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
			  : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0) {
		int error = -errno;

		diag_set(diag, error, _("cannot open the trace: %s"), strerror(-error));
		diag_at(diag, path, 0);
		return error;
	}
	return trace_reader_open_fd(fd, is_stdin ? _("standard input") : path, NULL, mode,
				    ret, diag);
}

void trace_reader_free(struct trace_reader *reader)
{
	if (!reader)
		return;
	trace_stream_free(reader->stream);
	free(reader->state);
	free(reader->name);
	free(reader);
}

const char *trace_reader_format(const struct trace_reader *reader)
{
	return reader->format->name;
}

const struct trace_header *trace_reader_header(const struct trace_reader *reader)
{
	return &reader->header;
}

const struct trace_counts *trace_reader_counts(const struct trace_reader *reader)
{
	return &reader->counts;
}

/* --- reading ---------------------------------------------------------------------- */

int trace_reader_note_broken(struct trace_reader *reader, uint64_t place, const char *why,
			     struct diag *diag)
{
	struct trace_counts *counts = &reader->counts;
	bool is_text = reader->format->parse;

	if (!counts->broken++) {
		counts->first_broken = place;
		trace_copy_text(counts->first_broken_why,
				sizeof(counts->first_broken_why), _(why),
				strchr(_(why), '\0'));
	}
	if (reader->mode != TRACE_STRICT)
		return 0;
	if (is_text && place <= UINT32_MAX) {
		diag_set(diag, -EBADMSG, "%s", _(why));
		diag_at(diag, reader->name, (unsigned)place);
	} else {
		diag_set(diag, -EBADMSG,
			 is_text ? _("line %llu: %s") : _("byte %llu: %s"),
			 (unsigned long long)place, _(why));
		diag_at(diag, reader->name, 0);
	}
	return -EBADMSG;
}

static bool goes_back(struct trace_reader *reader, const struct trace_record *record)
{
	bool is_earlier = record->time_ns < reader->last_time_ns;

	reader->last_time_ns = record->time_ns;
	reader->counts.backwards += is_earlier;
	return is_earlier;
}

static void note_device(struct trace_reader *reader, const struct trace_record *record)
{
	struct trace_counts *counts = &reader->counts;

	if (record->action == TRACE_PLUG || record->action == TRACE_UNPLUG)
		return;
	if (!reader->has_device) {
		counts->first_device = record->device;
		reader->has_device = true;
	} else if (record->device != counts->first_device) {
		counts->is_mixed = true;
	}
}

static int next_text(struct trace_reader *reader, struct trace_record *ret,
		     struct diag *diag)
{
	const struct trace_format *format = reader->format;
	struct trace_parse parse = { .state = reader->state };

	for (;;) {
		const char *line = NULL, *end = NULL;
		int status = next_line(reader, &line, &end, diag);

		if (status <= 0 && status != -EMSGSIZE)
			return status;
		if (status == -EMSGSIZE) {
			parse.why = N_("the line is too long");
		} else if (line == end || *line == '#') {
			reader->counts.other++;
			continue;
		} else {
			memset(ret, 0, sizeof(*ret));
			parse.line = reader->line;
			switch (format->parse(&parse, line, end, ret)) {
			case TRACE_LINE_RECORD:
				ret->line = reader->line;
				if (!goes_back(reader, ret) || !format->is_ordered)
					return 1;
				parse.why = N_("the time is earlier than that of the "
					       "record before");
				break;
			case TRACE_LINE_OTHER:
				reader->counts.other++;
				reader->counts.lost += parse.lost;
				parse.lost = 0;
				continue;
			case TRACE_LINE_BROKEN:
				break;
			}
		}
		status = trace_reader_note_broken(reader, reader->line, parse.why, diag);
		if (status)
			return status;
	}
}

static int next_binary(struct trace_reader *reader, struct trace_record *ret,
		       struct diag *diag)
{
	int status = reader->format->next(reader, ret, diag);

	if (status == 1)
		goes_back(reader, ret);
	return status;
}

int trace_reader_next(struct trace_reader *reader, struct trace_record *ret,
		      struct diag *diag)
{
	int status = reader->format->parse ? next_text(reader, ret, diag)
					   : next_binary(reader, ret, diag);

	if (status == 1) {
		reader->counts.records++;
		note_device(reader, ret);
	} else if (status < 0) {
		/* behind the last whole line; the stream itself gives the byte */
		diag_at(diag, reader->name,
			reader->line < UINT32_MAX && reader->format->parse
				? (unsigned)reader->line + 1
				: 0);
	}
	return status;
}
