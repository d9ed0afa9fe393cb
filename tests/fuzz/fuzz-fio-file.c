// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * libFuzzer: fio job files. Whatever is accepted becomes jobs whose I/O stays on the
 * device.
 */
#include <stdint.h>
#include <stdlib.h>

#include "sim/workload/job.h"

#define CAPACITY (UINT64_C(1) << 31) /* 1 TiB */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void run_job(const struct job_spec *spec, unsigned instance)
{
	struct job_io io;
	struct job job;

	require(job_init(&job, spec, instance, CAPACITY, 1, NULL) == 0);
	for (unsigned i = 0; i < 50 && job_next(&job, &io); i++) {
		require(job_room(&job, i % (spec->iodepth + 1)) <= spec->iodepth);
		job_think_ns(&job);
		job_gap_ns(&job);
		if (io.op == SIM_FLUSH)
			continue;
		require(io.sectors > 0 && io.sectors <= JOB_SECTORS_MAX);
		require(io.sector < CAPACITY && io.sectors <= CAPACITY - io.sector);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct fio_file_options options = { .capacity_sectors = CAPACITY };
	_workload_ struct workload workload = { 0 };
	struct diag diag = { 0 };

	if (fio_file_parse((const char *)data, size, "fuzz", &options, &workload, &diag)) {
		require(diag.error < 0 && diag.text[0]);
		return 0;
	}
	require(workload.job_count > 0 && workload.devices > 0);
	for (size_t i = 0; i < workload.job_count && i < 8; i++) {
		run_job(&workload.jobs[i], 0);
		run_job(&workload.jobs[i], workload.jobs[i].numjobs - 1);
	}
	return 0;
}
