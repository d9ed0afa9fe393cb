// SPDX-License-Identifier: GPL-2.0-or-later
/* A running job: what it does next, where, how large, and when. */
#include "sim/workload/job.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/i18n.h"
#include "util/number.h"

#define SECTOR_BYTES 512u

#define JOB_GAP_NS_MAX 1e18 /* some thirty years */

void workload_done(struct workload *workload)
{
	free(workload->jobs);
	*workload = (struct workload){ 0 };
}

void job_spec_init(struct job_spec *spec, const char *name)
{
	*spec = (struct job_spec){
		.numjobs = 1,
		.iodepth = 1,
		.class = SIM_CLASS_BE,
		.level = 4,
		.cpu = -1,
	};
	snprintf(spec->name, sizeof(spec->name), "%s", name);
}

void job_spec_set_size(struct job_spec *spec, enum sim_op op, uint32_t sectors)
{
	spec->sizes[op][0] = (struct job_size){ sectors, sectors, 100.0 };
	spec->size_count[op] = 1;
}

/* --- setting up ------------------------------------------------------------------------- */

/* Whether it ever does this. */
static bool is_used(const struct job_spec *spec, enum sim_op op)
{
	switch (op) {
	case SIM_READ:
		return spec->read_percent > 0.0;
	case SIM_WRITE:
		return spec->trims_first ||
		       spec->read_percent + spec->trim_percent < 100.0;
	default:
		return spec->trim_percent > 0.0 || spec->trims_first;
	}
}

static int check_sizes(const struct job_spec *spec, enum sim_op op, struct diag *diag)
{
	double sum = 0.0;

	if (!spec->size_count[op] || spec->size_count[op] > JOB_SIZES_MAX)
		return diag_set(diag, -EINVAL, _("job %s: an I/O has no size"), spec->name);
	for (unsigned i = 0; i < spec->size_count[op]; i++) {
		const struct job_size *size = &spec->sizes[op][i];

		if (!size->sectors || size->sectors_max < size->sectors ||
		    size->sectors_max > JOB_SECTORS_MAX || !(size->percent >= 0.0))
			return diag_set(diag, -EINVAL, _("job %s: impossible I/O size"),
					spec->name);
		sum += size->percent;
	}
	if (!(sum > 99.9 && sum < 100.1))
		return diag_set(diag, -EINVAL,
				_("job %s: the shares of its sizes add up to %.4g %%"),
				spec->name, sum);
	return 0;
}

static int check_spec(const struct job_spec *spec, struct diag *diag)
{
	int r;

	if (!spec->numjobs || spec->numjobs > JOB_NUMJOBS_MAX)
		return diag_set(diag, -EINVAL, _("job %s: between 1 and %d instances are possible"),
				spec->name, JOB_NUMJOBS_MAX);
	if (!spec->iodepth || spec->iodepth > JOB_IODEPTH_MAX ||
	    spec->drain > spec->iodepth || spec->batch > spec->iodepth)
		return diag_set(diag, -EINVAL,
				_("job %s: its depth must be between 1 and %d and not below its batches"),
				spec->name, JOB_IODEPTH_MAX);
	if (!(spec->read_percent >= 0.0 && spec->trim_percent >= 0.0 &&
	      spec->read_percent + spec->trim_percent <= 100.0) ||
	    (spec->trims_first && spec->read_percent + spec->trim_percent > 0.0))
		return diag_set(diag, -EINVAL, _("job %s: impossible shares of reads and writes"),
				spec->name);
	if (!(spec->sequential_percent >= 0.0 && spec->sequential_percent <= 100.0) ||
	    !(spec->rate_iops >= 0.0 && spec->rate_iops <= 1e9))
		return diag_set(diag, -EINVAL, _("job %s: impossible rate"), spec->name);
	for (enum sim_op op = SIM_READ; op < JOB_OPS; op++) {
		r = is_used(spec, op) ? check_sizes(spec, op, diag) : 0;
		if (r)
			return r;
	}
	return spec->pattern == JOB_RANDOM ? distribution_check(&spec->places, diag) : 0;
}

static void format_size(uint64_t sectors, char *buf, size_t size)
{
	uint64_t bytes;

	if (__builtin_mul_overflow(sectors, SECTOR_BYTES, &bytes))
		bytes = UINT64_MAX;
	number_format_bytes(bytes, buf, size);
}

int job_fail_room(const struct job_spec *spec, uint64_t begin_sectors, uint64_t size_sectors,
		  uint64_t capacity_sectors, struct diag *diag)
{
	char begin[32], needed[32], capacity[32];
	uint64_t end;

	if (__builtin_add_overflow(begin_sectors, size_sectors, &end))
		end = UINT64_MAX;
	format_size(begin_sectors, begin, sizeof(begin));
	format_size(end, needed, sizeof(needed));
	format_size(capacity_sectors, capacity, sizeof(capacity));
	if (begin_sectors >= capacity_sectors)
		diag_set(diag, -EINVAL,
			 _("job %s begins at sector %llu (%s): the device has %llu sectors (%s)"),
			 spec->name, (unsigned long long)begin_sectors, begin,
			 (unsigned long long)capacity_sectors, capacity);
	else
		diag_set(diag, -EINVAL,
			 _("job %s needs %llu sectors from sector %llu, a device of %s: this one "
			   "has %llu sectors (%s)"),
			 spec->name, (unsigned long long)size_sectors,
			 (unsigned long long)begin_sectors, needed,
			 (unsigned long long)capacity_sectors, capacity);
	diag_hint(diag, _("make size, offset, nrfiles or numjobs of the job smaller, or choose a "
			  "larger device or --medium"));
	return -EINVAL;
}

static int init_range(struct job *job, uint64_t capacity_sectors, struct diag *diag)
{
	const struct job_spec *spec = job->spec;
	uint64_t begin, end;

	if (__builtin_mul_overflow(spec->offset_increment_sectors, (uint64_t)job->instance,
				   &begin) ||
	    __builtin_add_overflow(begin, spec->offset_sectors, &begin))
		begin = UINT64_MAX;
	if (begin >= capacity_sectors)
		return job_fail_room(spec, begin, spec->size_sectors, capacity_sectors, diag);
	if (!spec->size_sectors)
		end = capacity_sectors;
	else if (__builtin_add_overflow(begin, spec->size_sectors, &end) ||
		 end > capacity_sectors)
		return job_fail_room(spec, begin, spec->size_sectors, capacity_sectors, diag);
	job->range_begin = begin;
	job->range_end = end;
	return 0;
}

static int init_steps(struct job *job, enum sim_op op, struct diag *diag)
{
	const struct job_spec *spec = job->spec;

	if (!is_used(spec, op))
		return 0;
	job->least[op] = UINT32_MAX;
	for (unsigned i = 0; i < spec->size_count[op]; i++)
		if (spec->sizes[op][i].sectors < job->least[op])
			job->least[op] = spec->sizes[op][i].sectors;
	job->align[op] = spec->align_sectors ? spec->align_sectors : job->least[op];
	if (job->range_end - job->range_begin < job->least[op])
		return diag_set(diag, -EINVAL,
				_("job %s: its range is smaller than one I/O of %u sectors"),
				spec->name, job->least[op]);
	return 0;
}

static void init_places(struct job *job, enum sim_op op)
{
	uint64_t room = job->range_end - job->range_begin;

	if (!is_used(job->spec, op) || job->spec->pattern != JOB_RANDOM)
		return;
	for (unsigned other = 0; other < op; other++) {
		if (job->least[other] == job->least[op] &&
		    job->align[other] == job->align[op]) {
			job->places_of[op] = job->places_of[other];
			return;
		}
	}
	job->places_of[op] = (uint8_t)op;
	distribution_init(&job->places[op], &job->spec->places,
			  (room - job->least[op]) / job->align[op] + 1, &job->random);
}

/* The smallest of all its I/Os. */
static uint32_t find_least(const struct job *job)
{
	uint32_t least = UINT32_MAX;

	for (unsigned op = 0; op < JOB_OPS; op++)
		if (job->least[op] && job->least[op] < least)
			least = job->least[op];
	return least;
}

static void init_limits(struct job *job)
{
	const struct job_spec *spec = job->spec;

	job->ios_limit = spec->total_ios ? spec->total_ios : UINT64_MAX;
	if (spec->is_time_based)
		job->sectors_limit = UINT64_MAX;
	else if (spec->total_sectors)
		job->sectors_limit = spec->total_sectors;
	else
		job->sectors_limit = job->range_end - job->range_begin;
	/* What is left behind the last whole I/O is not worth another round. */
	if (!spec->is_time_based && !spec->total_sectors)
		job->sectors_limit -= job->sectors_limit % find_least(job);
}

int job_init(struct job *job, const struct job_spec *spec, unsigned instance,
	     uint64_t capacity_sectors, uint64_t seed, struct diag *diag)
{
	struct job made = { .spec = spec, .instance = instance };
	int r = check_spec(spec, diag);

	if (!r)
		r = init_range(&made, capacity_sectors, diag);
	for (enum sim_op op = SIM_READ; op < JOB_OPS && !r; op++)
		r = init_steps(&made, op, diag);
	if (r)
		return r;
	sim_random_init(&made.random, seed, instance);
	for (enum sim_op op = SIM_READ; op < JOB_OPS; op++) {
		init_places(&made, op);
		made.position[op] =
			spec->skip_sectors < 0 ? made.range_end : made.range_begin;
	}
	init_limits(&made);
	*job = made;
	return 0;
}

/* --- where and how large ------------------------------------------------------------------ */

static uint32_t draw_size(struct job *job, enum sim_op op)
{
	const struct job_spec *spec = job->spec;
	const struct job_size *size = spec->sizes[op];
	unsigned last = spec->size_count[op] - 1;
	double draw;

	if (last) {
		draw = sim_random_unit(&job->random) * 100.0;
		for (unsigned i = 0; i < last && draw >= size->percent; i++)
			draw -= size++->percent;
	}
	if (size->sectors == size->sectors_max)
		return size->sectors;
	return size->sectors * (uint32_t)(1 + sim_random_below(&job->random,
							       size->sectors_max /
								       size->sectors));
}

/* A size that fits into what is left at the place; the smallest one does. */
static uint32_t draw_fitting_size(struct job *job, enum sim_op op, uint64_t left)
{
	uint32_t sectors;

	for (unsigned i = 0; i < 16; i++) {
		sectors = draw_size(job, op);
		if (sectors <= left)
			return sectors;
	}
	return job->least[op];
}

static uint64_t draw_place(struct job *job, enum sim_op op)
{
	struct distribution *places = &job->places[job->places_of[op]];

	return job->range_begin + distribution_next(places, &job->random) * job->align[op];
}

static bool is_new_place(struct job *job)
{
	const struct job_spec *spec = job->spec;

	if (spec->pattern != JOB_RANDOM)
		return false;
	if (spec->sequential_run > 1) {
		if (job->run_left) {
			job->run_left--;
			return false;
		}
		job->run_left = spec->sequential_run - 1;
		return true;
	}
	return spec->sequential_percent <= 0.0 ||
	       sim_random_unit(&job->random) * 100.0 >= spec->sequential_percent;
}

/* After the last one of its kind, with the gap; around at the end of the range. */
static uint64_t next_position(const struct job *job, enum sim_op op)
{
	uint64_t position = job->position[op], range = job->range_end - job->range_begin;
	int64_t skip = job->spec->skip_sectors;
	uint64_t gap = skip < 0 ? (uint64_t)0 - (uint64_t)skip : (uint64_t)skip;

	if (gap > range)
		gap = range;
	if (skip < 0) {
		if (position - job->range_begin < gap)
			position = job->range_end;
		return position - gap;
	}
	if (position == job->range_begin)
		return position;
	if (job->range_end - position < gap + job->least[op])
		return job->range_begin;
	return position + gap;
}

static uint32_t find_place(struct job *job, enum sim_op op, uint64_t *ret_sector)
{
	uint64_t sector = is_new_place(job) ? draw_place(job, op) : next_position(job, op);
	uint32_t sectors;

	if (job->range_end - sector < job->least[op])
		sector = job->range_end - job->least[op];
	sectors = draw_fitting_size(job, op, job->range_end - sector);
	job->position[op] = sector + sectors;
	*ret_sector = sector;
	return sectors;
}

/* --- what ------------------------------------------------------------------------------- */

static enum sim_op draw_op(struct job *job)
{
	const struct job_spec *spec = job->spec;
	double draw;

	if (spec->trims_first)
		return job->trimmed_sectors ? SIM_WRITE : SIM_DISCARD;
	if (spec->read_percent >= 100.0)
		return SIM_READ;
	if (spec->read_percent + spec->trim_percent <= 0.0)
		return SIM_WRITE;
	draw = sim_random_unit(&job->random) * 100.0;
	if (draw < spec->read_percent)
		return SIM_READ;
	return draw < spec->read_percent + spec->trim_percent ? SIM_DISCARD : SIM_WRITE;
}

bool job_flushes_next(const struct job *job)
{
	const struct job_spec *spec = job->spec;

	if (!job->writes_since_flush)
		return false;
	if (spec->fsync_every && job->writes_since_flush >= spec->fsync_every)
		return true;
	return spec->fsyncs_at_end &&
	       (job->ios >= job->ios_limit || job->sectors >= job->sectors_limit);
}

static unsigned find_flags(const struct job_spec *spec, enum sim_op op)
{
	if (op != SIM_WRITE)
		return 0;
	return (spec->is_sync || spec->is_durable ? SIM_REQUEST_SYNC : 0) |
	       (spec->is_durable ? SIM_REQUEST_FUA : 0);
}

int job_next(struct job *job, struct job_io *ret)
{
	enum sim_op op;

	if (job_flushes_next(job)) {
		job->writes_since_flush = 0;
		*ret = (struct job_io){ .op = SIM_FLUSH, .flags = SIM_REQUEST_SYNC,
					.waits_for_all = true };
		return 1;
	}
	if (job->ios >= job->ios_limit || job->sectors >= job->sectors_limit)
		return 0;
	op = draw_op(job);
	*ret = (struct job_io){ .op = op, .flags = find_flags(job->spec, op) };
	if (op == SIM_WRITE && job->trimmed_sectors) {
		ret->sector = job->trimmed_sector;
		ret->sectors = job->trimmed_sectors;
		job->trimmed_sectors = 0;
	} else {
		ret->sectors = find_place(job, op, &ret->sector);
		if (job->spec->trims_first) {
			job->trimmed_sector = ret->sector;
			job->trimmed_sectors = ret->sectors;
		}
	}
	if (op == SIM_WRITE)
		job->writes_since_flush++;
	job->ios++;
	job->sectors += ret->sectors;
	return 1;
}

/* --- when ------------------------------------------------------------------------------- */

unsigned job_room(struct job *job, unsigned in_flight)
{
	unsigned depth = job->spec->iodepth, drain = job->spec->drain ? job->spec->drain : 1;

	if (in_flight >= depth)
		job->is_draining = true;
	else if (in_flight + drain <= depth)
		job->is_draining = false;
	return job->is_draining ? 0 : depth - in_flight;
}

uint64_t job_think_ns(struct job *job)
{
	const struct job_spec *spec = job->spec;
	unsigned every = spec->think_every ? spec->think_every : 1;

	if (!spec->think_ns || job->ios - job->thought_at < every)
		return 0;
	job->thought_at = job->ios;
	if (!spec->is_think_random)
		return spec->think_ns;
	return (uint64_t)sim_random_exponential(&job->random, (double)spec->think_ns);
}

uint64_t job_gap_ns(struct job *job)
{
	const struct job_spec *spec = job->spec;
	double gap_ns, whole_ns;

	if (spec->rate_iops <= 0.0)
		return 0;
	gap_ns = 1e9 / spec->rate_iops;
	if (spec->is_poisson)
		gap_ns = sim_random_exponential(&job->random, gap_ns);
	/* The fraction of a nanosecond is carried on: no drift. */
	gap_ns += job->gap_carry_ns;
	if (gap_ns >= JOB_GAP_NS_MAX)
		return (uint64_t)JOB_GAP_NS_MAX;
	whole_ns = floor(gap_ns);
	job->gap_carry_ns = gap_ns - whole_ns;
	return (uint64_t)whole_ns;
}
