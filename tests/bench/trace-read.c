// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a trace to its end, and says what it took:
 *
 *     trace-read FILE          "-": standard input
 *
 * Prints: format, records, broken records, seconds of processor time (other programs may
 * want the processors too), the most memory it had in KiB.
 */
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

#include "sim/workload/trace.h"

static double seconds_of(struct timeval tv)
{
	return (double)tv.tv_sec + (double)tv.tv_usec / 1e6;
}

int main(int argc, char **argv)
{
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	struct trace_record record;
	struct diag diag = { 0 };
	struct rusage usage;
	uint64_t sum = 0;
	int status;

	if (argc != 2) {
		fprintf(stderr, "usage: trace-read FILE\n");
		return 2;
	}
	status = trace_reader_open(argv[1], TRACE_SKIP_BROKEN, &reader, &diag);
	while (!status || status == 1) {
		status = trace_reader_next(reader, &record, &diag);
		if (status != 1)
			break;
		sum += record.sector;
	}
	if (status) {
		char text[1024];

		diag_format(&diag, text, sizeof(text));
		fprintf(stderr, "trace-read: %s\n", text);
		return 1;
	}
	getrusage(RUSAGE_SELF, &usage);
	printf("%s %" PRIu64 " %" PRIu64 " %.6f %ld\n", trace_reader_format(reader),
	       trace_reader_counts(reader)->records, trace_reader_counts(reader)->broken,
	       seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime), usage.ru_maxrss);
	return sum == UINT64_MAX; /* keeps the records from being optimised away */
}
