/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every fuzzer of a trace reader does with its input, and what must hold then.
 */
#ifndef IOSCHED_TESTS_TRACE_READER_H
#define IOSCHED_TESTS_TRACE_READER_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/workload/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void require(bool holds)
{
	if (!holds)
		abort();
}

static inline int open_input(const uint8_t *data, size_t size, const char *format,
			     enum trace_mode mode, struct trace_reader **ret)
{
	struct diag diag = { 0 };
	int fd = memfd_create("fuzz", MFD_CLOEXEC), error;

	require(fd >= 0 && write(fd, data, size) == (ssize_t)size &&
		lseek(fd, 0, SEEK_SET) == 0);
	error = trace_reader_open_fd(fd, "fuzz", format, mode, ret, &diag);
	require(!error || error == -EBADMSG || error == -ENODATA);
	require(!error || (diag.error && diag.where[0]));
	return error;
}

static inline void check_record(const struct trace_record *r)
{
	require(r->sector + r->sectors >= r->sector);
	require(r->action <= TRACE_IO && r->op <= TRACE_OTHER);
	require(r->prio_class <= TRACE_PRIO_IDLE && r->prio_level <= 7);
	require(memchr(r->comm, 0, sizeof(r->comm)));
	require(memchr(r->kyber.domain, 0, sizeof(r->kyber.domain)));
	require(memchr(r->kyber.type, 0, sizeof(r->kyber.type)));
}

/* Reads to the end; the records before the first broken one, and how it ended. */
static inline int read_all(struct trace_reader *reader, uint64_t *ret_before_broken,
			   struct diag *diag)
{
	const struct trace_counts *counts = trace_reader_counts(reader);
	struct trace_record record;
	uint64_t given = 0, last = 0;
	int status;

	*ret_before_broken = 0;
	while ((status = trace_reader_next(reader, &record, diag)) == 1) {
		check_record(&record);
		require(!given || record.line > last);
		last = record.line;
		given++;
		if (!counts->broken)
			*ret_before_broken = given;
	}
	require(counts->records == given);
	require(!counts->broken == !counts->first_broken_why[0]);
	require(!status || status == -EBADMSG);
	return status;
}

/* `format`: NULL to detect. */
static inline int fuzz_trace(const char *format, const uint8_t *data, size_t size)
{
	struct trace_reader *reader = NULL, *strict = NULL;
	struct diag diag = { 0 }, strict_diag = { 0 };
	uint64_t before_broken, strictly;
	int status, strict_status;

	if (open_input(data, size, format, TRACE_SKIP_BROKEN, &reader))
		return 0;
	require(open_input(data, size, format, TRACE_STRICT, &strict) == 0);
	status = read_all(reader, &before_broken, &diag);
	strict_status = read_all(strict, &strictly, &strict_diag);
	/* strict ends where the other one skips first, and says so */
	require(strictly == before_broken);
	require(!strict_status == (!status && !trace_reader_counts(reader)->broken));
	require(!strict_status || (strict_diag.text[0] && strict_diag.where[0]));
	trace_reader_free(reader);
	trace_reader_free(strict);
	return 0;
}

#endif
