/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces held in memory, for the tests of the readers.
 */
#ifndef IOSCHED_TESTS_TRACE_FIXTURE_H
#define IOSCHED_TESTS_TRACE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/workload/trace.h"

/* A descriptor that reads `len` bytes from `data`. */
static inline int fixture_fd(const void *data, size_t len)
{
	int fd = memfd_create("trace", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, len), (ssize_t)len);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

static inline struct trace_reader *fixture_open_bytes(const void *data, size_t len,
						      enum trace_mode mode)
{
	struct trace_reader *reader = NULL;
	struct diag diag = { 0 };

	if (trace_reader_open_fd(fixture_fd(data, len), "fixture", NULL, mode, &reader,
				 &diag))
		fail_msg("the fixture cannot be opened: %s", diag.text);
	return reader;
}

static inline struct trace_reader *fixture_open(const char *text)
{
	return fixture_open_bytes(text, strlen(text), TRACE_SKIP_BROKEN);
}

/* The next record, which must exist. */
static inline struct trace_record fixture_next(struct trace_reader *reader)
{
	struct trace_record record;
	struct diag diag = { 0 };

	if (trace_reader_next(reader, &record, &diag) != 1)
		fail_msg("no record: %s; broken: %s", diag.text,
			 trace_reader_counts(reader)->first_broken_why);
	return record;
}

static inline void fixture_expect_end(struct trace_reader *reader)
{
	struct trace_record record;
	struct diag diag = { 0 };

	assert_int_equal(trace_reader_next(reader, &record, &diag), 0);
}

/* The record of a text that holds exactly one, in `format`. */
static inline struct trace_record fixture_only(const char *format, const char *text)
{
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader =
		fixture_open(text);
	struct trace_record record;

	assert_string_equal(trace_reader_format(reader), format);
	record = fixture_next(reader);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->broken, 0);
	return record;
}

/* `line` after `good` is a broken record, and the reason holds `why`. */
static inline void fixture_expect_broken(const char *good, const char *line,
					 const char *why)
{
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	char text[4096];

	snprintf(text, sizeof(text), "%s\n%s\n", good, line);
	reader = fixture_open(text);
	fixture_next(reader);
	fixture_expect_end(reader);
	assert_int_equal(trace_reader_counts(reader)->records, 1);
	if (trace_reader_counts(reader)->broken != 1)
		fail_msg("not refused: %s", line);
	if (!strstr(trace_reader_counts(reader)->first_broken_why, why))
		fail_msg("refused for another reason: %s: %s", line,
			 trace_reader_counts(reader)->first_broken_why);
}

#endif
