// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints the I/O that a workload's jobs make, in the words of fio's logs: the first
 * instance of each job, up to so many I/Os.
 *
 *     made-io FILE.fio|NAME CAPACITY_MIB [IOS_MAX]
 *
 * Lines are "read|write|trim|sync OFFSET BYTES", of one job after the other.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/workload/job.h"
#include "util/file.h"
#include "util/number.h"
#include "util/text.h"

static int fail(const char *name, const struct diag *diag)
{
	char text[1024];

	diag_format(diag, text, sizeof(text));
	fprintf(stderr, "made-io: %s: %s\n", name, text);
	return 1;
}

static int load(const char *name, uint64_t capacity, struct workload *ret, struct diag *diag)
{
	const struct fio_file_options options = { .capacity_sectors = capacity };
	_free_ char *text = NULL;
	size_t len;
	int r;

	if (!text_ends_with(name, ".fio")) {
		r = workload_find(name, capacity, ret);
		return r ? diag_set(diag, r, "no such workload on that device") : 0;
	}
	r = file_read(name, 1 << 20, &text, &len);
	return r ? diag_set(diag, r, "cannot be read")
		 : fio_file_parse(text, len, name, &options, ret, diag);
}

static int print_job(const struct job_spec *spec, uint64_t capacity, uint64_t ios_max,
		     struct diag *diag)
{
	static const char *const words[] = { "read", "write", "trim", "sync" };
	struct job_io io;
	struct job job;
	int r = job_init(&job, spec, 0, capacity, 1, diag);

	if (r)
		return r;
	for (uint64_t i = 0; i < ios_max && job_next(&job, &io); i++)
		printf("%s %" PRIu64 " %" PRIu64 "\n", words[io.op], io.sector * 512,
		       (uint64_t)io.sectors * 512);
	return 0;
}

int main(int argc, char **argv)
{
	_workload_ struct workload workload = { 0 };
	uint64_t capacity, ios_max = 100000;
	struct diag diag = { 0 };
	int r;

	if (argc < 3 || argc > 4 || number_parse_u64(argv[2], &capacity) ||
	    capacity > UINT32_MAX || (argc == 4 && number_parse_u64(argv[3], &ios_max))) {
		fprintf(stderr, "usage: made-io FILE.fio|NAME CAPACITY_MIB [IOS_MAX]\n");
		return 2;
	}
	capacity *= 2048;
	r = load(argv[1], capacity, &workload, &diag);
	for (size_t i = 0; i < workload.job_count && !r; i++)
		r = print_job(&workload.jobs[i], capacity, ios_max, &diag);
	return r ? fail(argv[1], &diag) : 0;
}
