// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's text, line by line: plugs of processes that do not use the disk are left
 * out, and a bio of a partition is one of its disk, for its sector is the disk's already.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/recorder-internal.h"

/* Linux has no larger process numbers (PID_MAX_LIMIT, proc(5)). */
#define PIDS (UINT32_C(1) << 22)

int lines_init(struct lines *lines, const struct disk_numbers *numbers)
{
	*lines = (struct lines){ .numbers = *numbers, .pids = calloc(PIDS / 8, 1) };
	return lines->pids ? 0 : -ENOMEM;
}

void lines_done(struct lines *lines)
{
	free(lines->pids);
	lines->pids = NULL;
}

/* "  comm-123   [001] d..1.  12.345: name: ...": the number before the processor's. */
static bool find_pid(const char *line, size_t len, uint32_t *ret)
{
	const char *end = memmem(line, len, " [", 2);
	uint32_t pid = 0, scale = 1;

	while (end && !(end + 5 < line + len && end[2] >= '0' && end[2] <= '9' &&
			memchr(end, ']', (size_t)(line + len - end))))
		end = memmem(end + 1, (size_t)(line + len - end - 1), " [", 2);
	if (!end)
		return false;
	while (end > line && end[-1] == ' ')
		end--;
	while (end > line && end[-1] >= '0' && end[-1] <= '9' && scale < PIDS) {
		pid += (uint32_t)(end[-1] - '0') * scale;
		scale *= 10;
		end--;
	}
	*ret = pid;
	return end > line && end[-1] == '-' && pid < PIDS;
}

static bool has_event(const char *line, size_t len, const char *name)
{
	return memmem(line, len, name, strlen(name)) != NULL;
}

/* The device's number stands behind the event's name: ": 8,17 ". */
static int add_with_disk(const struct lines *lines, const char *line, size_t len,
			 struct text *ret)
{
	const struct disk_numbers *numbers = &lines->numbers;

	for (size_t i = 0; i < numbers->part_count; i++) {
		char number[32];
		const char *at;
		int n = snprintf(number, sizeof(number), ": %u,%u ", numbers->parts[i].major,
				 numbers->parts[i].minor);

		at = memmem(line, len, number, (size_t)n);
		if (!at)
			continue;
		text_add_bytes(ret, line, (size_t)(at - line));
		text_addf(ret, ": %u,%u ", numbers->major, numbers->minor);
		at += n;
		text_add_bytes(ret, at, (size_t)(line + len - at));
		return ret->error;
	}
	text_add_bytes(ret, line, len);
	return ret->error;
}

static int take_line(struct lines *lines, const char *line, size_t len, struct text *ret)
{
	bool is_plug = has_event(line, len, " block_plug: ") ||
		       has_event(line, len, " block_unplug: ");
	bool is_bio = has_event(line, len, " block_bio_");
	uint32_t pid;

	if (is_bio && find_pid(line, len, &pid))
		lines->pids[pid / 8] |= (unsigned char)(1u << pid % 8);
	if (is_plug && find_pid(line, len, &pid) &&
	    !(lines->pids[pid / 8] & (1u << pid % 8)))
		return 0;
	/* "CPU:1 [LOST 25 EVENTS]" stays, and is no event. */
	if (!has_event(line, len, " EVENTS]"))
		lines->events++;
	if (is_bio || has_event(line, len, " block_getrq: "))
		return add_with_disk(lines, line, len, ret);
	text_add_bytes(ret, line, len);
	return ret->error;
}

/* A line longer than any event has is dropped with its end. */
static int keep_partial(struct lines *lines, const char *data, size_t len)
{
	if (lines->partial_len + len > sizeof(lines->partial))
		len = sizeof(lines->partial) - lines->partial_len;
	memcpy(lines->partial + lines->partial_len, data, len);
	lines->partial_len += len;
	return 0;
}

int lines_take(struct lines *lines, const char *data, size_t len, struct text *ret)
{
	const char *end;
	int error = 0;

	while (!error && len > 0 && (end = memchr(data, '\n', len))) {
		size_t piece = (size_t)(end + 1 - data);

		if (lines->partial_len > 0) {
			keep_partial(lines, data, piece);
			if (lines->partial[lines->partial_len - 1] == '\n')
				error = take_line(lines, lines->partial, lines->partial_len,
						  ret);
			lines->partial_len = 0;
		} else {
			error = take_line(lines, data, piece, ret);
		}
		data += piece;
		len -= piece;
	}
	return error ? error : keep_partial(lines, data, len);
}
