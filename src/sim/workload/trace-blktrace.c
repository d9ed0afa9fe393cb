// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What blktrace(8) writes: records of version 7 (48 bytes) and of version 8 (64 bytes,
 * Linux 7.0 and later), each followed by pdu_len bytes, in the byte order of the machine
 * that recorded; the other order is known by the magic and is swapped. One file holds one
 * CPU's buffer or several ones interleaved, so times need not ascend.
 *
 * Layout and numbers: linux/blktrace_api.h. A merge of two requests is written there as a
 * back merge, and cannot be told from one.
 */
#include <byteswap.h>
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "sim/workload/trace-format.h"
#include "sim/workload/trace-scan.h"
#include "util/i18n.h"

#define MAGIC      0x65617400u
#define MAGIC_MASK 0xffffff00u

#define V7_SIZE 48u
#define V8_SIZE 64u

/* Categories, from bit 16 of the action. */
enum {
	CATEGORY_WRITE = 1u << 1,
	CATEGORY_FLUSH = 1u << 2,
	CATEGORY_SYNC = 1u << 3,
	CATEGORY_PC = 1u << 9,
	CATEGORY_NOTIFY = 1u << 10,
	CATEGORY_AHEAD = 1u << 11,
	CATEGORY_META = 1u << 12,
	CATEGORY_DISCARD = 1u << 13,
	CATEGORY_FUA = 1u << 15,
	CATEGORY_ZONE = 0x3fu << 16, /* version 8: append, reset, ..., close */
};

/* Bit 8 of the action: the pdu begins with the identity of a cgroup. */
#define ACTION_MASK 0xffu

enum {
	NOTIFY_PROCESS = 0
};

/* Remembers the names of tasks; a newer one with the same slot replaces the older one. */
#define TASK_SLOTS 4096u

struct task {
	uint32_t pid;
	char comm[17];
};

struct blktrace {
	bool is_order_known;
	bool is_swapped;
	struct task tasks[TASK_SLOTS];
};

struct raw {
	uint64_t time_ns, sector, action;
	uint32_t bytes, pid, device, cpu;
	uint16_t error, pdu_len;
};

static inline uint16_t load16(const char *p, bool is_swapped)
{
	uint16_t value;

	memcpy(&value, p, sizeof(value));
	return is_swapped ? bswap_16(value) : value;
}

static inline uint32_t load32(const char *p, bool is_swapped)
{
	uint32_t value;

	memcpy(&value, p, sizeof(value));
	return is_swapped ? bswap_32(value) : value;
}

static inline uint64_t load64(const char *p, bool is_swapped)
{
	uint64_t value;

	memcpy(&value, p, sizeof(value));
	return is_swapped ? bswap_64(value) : value;
}

static bool is_magic(uint32_t word)
{
	return (word & MAGIC_MASK) == MAGIC && ((word & 0xff) == 7 || (word & 0xff) == 8);
}

static size_t header_size(uint32_t magic)
{
	return (magic & 0xff) == 8 ? V8_SIZE : V7_SIZE;
}

static void load_raw(const char *p, size_t size, bool is_swapped, struct raw *ret)
{
	ret->time_ns = load64(p + 8, is_swapped);
	ret->sector = load64(p + 16, is_swapped);
	ret->bytes = load32(p + 24, is_swapped);
	if (size == V8_SIZE) {
		ret->pid = load32(p + 28, is_swapped);
		ret->action = load64(p + 32, is_swapped);
		p += 40;
	} else {
		ret->action = load32(p + 28, is_swapped);
		ret->pid = load32(p + 32, is_swapped);
		p += 36;
	}
	ret->device = load32(p, is_swapped);
	ret->cpu = load32(p + 4, is_swapped);
	ret->error = load16(p + 8, is_swapped);
	ret->pdu_len = load16(p + 10, is_swapped);
}

/* --- meaning ---------------------------------------------------------------------- */

/* By the number of the event; -1 for those that are not read. */
static const signed char actions[] = {
	[0] = -1,
	[1] = TRACE_BIO_QUEUE,
	[2] = TRACE_BIO_BACKMERGE,
	[3] = TRACE_BIO_FRONTMERGE,
	[4] = TRACE_GETRQ,
	[5] = -1, /* sleep for a request */
	[6] = TRACE_RQ_REQUEUE,
	[7] = TRACE_RQ_ISSUE,
	[8] = TRACE_RQ_COMPLETE,
	[9] = TRACE_PLUG,
	[10] = TRACE_UNPLUG,
	[11] = TRACE_UNPLUG, /* not by the submitter itself */
	[12] = TRACE_RQ_INSERT,
};

static const struct {
	uint32_t category;
	unsigned flag;
} flags[] = {
	{ CATEGORY_SYNC, TRACE_FLAG_SYNC },      { CATEGORY_META, TRACE_FLAG_META },
	{ CATEGORY_AHEAD, TRACE_FLAG_AHEAD },    { CATEGORY_FUA, TRACE_FLAG_FUA },
	{ CATEGORY_FLUSH, TRACE_FLAG_PREFLUSH },
};

static enum trace_op op_of(uint64_t categories, uint32_t bytes)
{
	if (categories & CATEGORY_PC)
		return TRACE_OTHER;
	if (categories & CATEGORY_ZONE)
		return TRACE_ZONE;
	if (categories & CATEGORY_DISCARD)
		return TRACE_DISCARD;
	if (categories & CATEGORY_WRITE)
		return TRACE_WRITE;
	if (categories & CATEGORY_FLUSH && !bytes)
		return TRACE_FLUSH;
	return TRACE_READ;
}

static void remember_task(struct blktrace *trace, const struct raw *raw, const char *pdu)
{
	struct task *task = &trace->tasks[raw->pid % TASK_SLOTS];
	size_t len = strnlen(pdu, raw->pdu_len);

	task->pid = raw->pid;
	memset(task->comm, 0, sizeof(task->comm));
	trace_copy_text(task->comm, sizeof(task->comm), pdu, pdu + len);
}

/* RECORD, OTHER or BROKEN with *ret_why. */
static enum trace_line interpret(struct blktrace *trace, const struct raw *raw,
				 const char *pdu, struct trace_record *ret,
				 const char **ret_why)
{
	uint64_t categories = raw->action >> 16;
	unsigned event = raw->action & ACTION_MASK;
	const struct task *task = &trace->tasks[raw->pid % TASK_SLOTS];

	if (categories & CATEGORY_NOTIFY) {
		if (event == NOTIFY_PROCESS)
			remember_task(trace, raw, pdu);
		return TRACE_LINE_OTHER;
	}
	if (event >= ARRAY_SIZE(actions) || actions[event] < 0)
		return TRACE_LINE_OTHER;
	ret->action = (enum trace_action)actions[event];
	ret->op = op_of(categories, raw->bytes);
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		ret->flags |= categories & flags[i].category ? flags[i].flag : 0;
	ret->time_ns = raw->time_ns;
	ret->sector = raw->sector;
	ret->sectors = raw->bytes / 512 + (raw->bytes % 512 != 0);
	ret->bytes = raw->bytes;
	ret->cpu = raw->cpu;
	ret->pid = raw->pid;
	ret->device = raw->device;
	ret->error = (int16_t)raw->error;
	if (task->pid == raw->pid)
		memcpy(ret->comm, task->comm, sizeof(ret->comm));
	if (ret->action == TRACE_PLUG || ret->action == TRACE_UNPLUG)
		ret->op = TRACE_OTHER;
	/* the count is big-endian on every machine, behind a cgroup if there is one */
	if (ret->action == TRACE_UNPLUG && raw->pdu_len >= 8)
		ret->count = (unsigned)be64toh(load64(pdu + raw->pdu_len - 8, false));
	*ret_why = N_("the end of the request lies beyond 2^64 sectors");
	return ret->sector + ret->sectors >= ret->sector ? TRACE_LINE_RECORD
							 : TRACE_LINE_BROKEN;
}

/* --- reading ---------------------------------------------------------------------- */

/* Moves on, at least by a byte, to what may be the next record. */
static int resynchronise(struct trace_stream *stream, bool is_swapped, struct diag *diag)
{
	stream->cursor++;
	for (;;) {
		int error = trace_stream_fill(stream, 4, diag);

		if (error)
			return error;
		if (trace_stream_available(stream) < 4) {
			stream->cursor = stream->limit;
			return 0;
		}
		for (; stream->limit - stream->cursor >= 4; stream->cursor++)
			if (is_magic(load32(stream->cursor, is_swapped)))
				return 0;
	}
}

static int note_cut(struct trace_reader *reader, struct diag *diag)
{
	uint64_t offset = trace_stream_offset(reader->stream);

	reader->stream->cursor = reader->stream->limit;
	return trace_reader_note_broken(reader, offset,
					N_("the trace ends inside a record"), diag);
}

/* 1: a whole record lies at the cursor; 0: it was broken, or the trace ends; or error. */
static int find_record(struct trace_reader *reader, struct blktrace *trace,
		       size_t *ret_header, size_t *ret_size, struct diag *diag)
{
	struct trace_stream *stream = reader->stream;
	size_t header, size;
	uint32_t magic;
	int error = trace_stream_require(stream, V7_SIZE, diag);

	if (error)
		return error;
	if (trace_stream_available(stream) < V7_SIZE)
		return trace_stream_available(stream) ? note_cut(reader, diag) : 0;
	if (!trace->is_order_known) {
		trace->is_swapped = !is_magic(load32(stream->cursor, false));
		trace->is_order_known = true;
	}
	magic = load32(stream->cursor, trace->is_swapped);
	if (!is_magic(magic)) {
		error = trace_reader_note_broken(
			reader, trace_stream_offset(stream),
			N_("a record does not begin with the magic "
			   "of blktrace 7 or 8"),
			diag);
		return error ? error : resynchronise(stream, trace->is_swapped, diag);
	}
	header = header_size(magic);
	error = trace_stream_require(stream, header, diag);
	if (error)
		return error;
	if (trace_stream_available(stream) < header)
		return note_cut(reader, diag);
	size = header +
	       load16(stream->cursor + (header == V8_SIZE ? 50 : 46), trace->is_swapped);
	error = trace_stream_require(stream, size, diag);
	if (error)
		return error;
	if (trace_stream_available(stream) < size)
		return note_cut(reader, diag);
	*ret_header = header;
	*ret_size = size;
	return 1;
}

static int next_record(struct trace_reader *reader, struct trace_record *ret,
		       struct diag *diag)
{
	struct trace_stream *stream = reader->stream;
	struct blktrace *trace = reader->state;

	for (;;) {
		size_t header = 0, size = 0;
		const char *why = NULL, *p;
		enum trace_line kind;
		struct raw raw;
		int status = find_record(reader, trace, &header, &size, diag);

		if (status < 0)
			return status;
		if (!status) {
			if (stream->cursor == stream->limit &&
			    !trace_stream_fill(stream, 1, NULL) &&
			    stream->cursor == stream->limit)
				return 0;
			continue;
		}
		memset(ret, 0, sizeof(*ret));
		p = stream->cursor;
		load_raw(p, header, trace->is_swapped, &raw);
		kind = interpret(trace, &raw, p + header, ret, &why);
		ret->line = trace_stream_offset(stream);
		stream->cursor += size;
		if (kind == TRACE_LINE_RECORD)
			return 1;
		if (kind == TRACE_LINE_OTHER) {
			reader->counts.other++;
			continue;
		}
		status = trace_reader_note_broken(reader, ret->line, why, diag);
		if (status)
			return status;
	}
}

static bool detect_version(const char *head, size_t len, uint32_t version)
{
	uint32_t word;

	if (len < sizeof(word))
		return false;
	memcpy(&word, head, sizeof(word));
	return word == (MAGIC | version) || word == bswap_32(MAGIC | version);
}

static bool detect_v7(const char *head, size_t len)
{
	return detect_version(head, len, 7);
}

static bool detect_v8(const char *head, size_t len)
{
	return detect_version(head, len, 8);
}

const struct trace_format trace_format_blktrace_v7 = {
	.name = "blktrace-v7",
	.state_size = sizeof(struct blktrace),
	.detect = detect_v7,
	.next = next_record,
};

/* A record's own version counts, so that files of both can be joined. */
const struct trace_format trace_format_blktrace_v8 = {
	.name = "blktrace-v8",
	.state_size = sizeof(struct blktrace),
	.detect = detect_v8,
	.next = next_record,
};
