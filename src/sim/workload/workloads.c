// SPDX-License-Identifier: GPL-2.0-or-later
/* Named workloads: from the table to job descriptions on a device of a given size. */
#include "sim/workload/workloads.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/cleanup.h"

#define SECTORS_PER_KIB  2u
#define SECTORS_PER_MIB  2048u
#define CAPACITY_MIN     (8u * SECTORS_PER_MIB)

const struct workload_row *workload_get(size_t index)
{
	return index < workload_definition_count ? &workload_definitions[index].row : NULL;
}

/* Down to whole MiB, so that every range begins aligned. */
static uint64_t part_of(uint64_t sectors, double percent)
{
	uint64_t part = (uint64_t)((double)sectors * percent / 100.0);

	return part - part % SECTORS_PER_MIB;
}

static void set_range(struct job_spec *spec, const struct workload_job *row,
		      uint64_t capacity)
{
	uint64_t size = part_of(capacity, row->size_percent);
	uint64_t size_max = (uint64_t)row->size_mib_max * SECTORS_PER_MIB;

	if (size_max && size > size_max)
		size = size_max;
	if (size < SECTORS_PER_MIB)
		size = SECTORS_PER_MIB;
	spec->offset_sectors = part_of(capacity, row->begin_percent);
	if (spec->offset_sectors + size > capacity)
		spec->offset_sectors = 0;
	if (row->splits_range && spec->numjobs > 1) {
		size /= spec->numjobs;
		/* On a small device their parts are as small as 1 MiB, then they overlap. */
		if (size >= SECTORS_PER_MIB) {
			size -= size % SECTORS_PER_MIB;
			spec->offset_increment_sectors = size;
		} else {
			size = SECTORS_PER_MIB;
		}
	}
	spec->size_sectors = size;
}

static void set_sizes(struct job_spec *spec, enum sim_op op,
		      const struct workload_size *sizes)
{
	unsigned count = 0;

	while (count < WORKLOAD_SIZES_MAX && sizes[count].kib) {
		uint32_t sectors = sizes[count].kib * SECTORS_PER_KIB;

		spec->sizes[op][count] = (struct job_size){
			.sectors = sectors,
			.sectors_max = sectors,
			.percent = sizes[count].percent,
		};
		count++;
	}
	if (count == 1)
		spec->sizes[op][0].percent = 100.0;
	spec->size_count[op] = count;
}

static unsigned or_one(unsigned number)
{
	return number ? number : 1;
}

static void fill_job(struct job_spec *spec, const struct workload_job *row,
		     uint64_t capacity)
{
	job_spec_init(spec, row->name);
	spec->numjobs = or_one(row->numjobs);
	spec->iodepth = or_one(row->iodepth);
	spec->batch = row->batch;
	spec->pattern = row->is_random ? JOB_RANDOM : JOB_SEQUENTIAL;
	spec->read_percent = row->read_percent;
	set_sizes(spec, SIM_READ, row->reads);
	set_sizes(spec, SIM_WRITE, row->writes);
	spec->places = row->places;
	spec->sequential_run = row->sequential_run;
	set_range(spec, row, capacity);
	spec->is_time_based = !row->ends;
	spec->think_ns = row->think_us * 1000;
	spec->think_every = row->think_every;
	spec->is_think_random = true;
	spec->rate_iops = row->rate_iops;
	spec->is_poisson = row->is_poisson;
	if (row->is_idle)
		spec->class = SIM_CLASS_IDLE;
	if (row->level_plus_1)
		spec->level = (uint8_t)(row->level_plus_1 - 1);
	spec->is_sync = row->is_sync;
	spec->shares_pid = row->shares_pid;
	spec->fsync_every = row->fsync_every;
}

static bool is_called(const struct workload_row *row, const char *name)
{
	return strcmp(row->name, name) == 0 || (row->alias && strcmp(row->alias, name) == 0);
}

int workload_find(const char *name, uint64_t capacity_sectors, struct workload *ret)
{
	const struct workload_definition *found = NULL;
	_workload_ struct workload made = { .devices = 1 };

	for (size_t i = 0; i < workload_definition_count; i++)
		if (is_called(&workload_definitions[i].row, name))
			found = &workload_definitions[i];
	if (!found)
		return -ENOENT;
	if (capacity_sectors < CAPACITY_MIN)
		return -EINVAL;
	made.jobs = calloc(WORKLOAD_JOBS_MAX, sizeof(made.jobs[0]));
	if (!made.jobs)
		return -ENOMEM;
	snprintf(made.name, sizeof(made.name), "%s", found->row.name);
	while (made.job_count < WORKLOAD_JOBS_MAX && found->jobs[made.job_count].name) {
		fill_job(&made.jobs[made.job_count], &found->jobs[made.job_count],
			 capacity_sectors);
		made.job_count++;
	}
	*ret = made;
	made.jobs = NULL;
	return 0;
}
