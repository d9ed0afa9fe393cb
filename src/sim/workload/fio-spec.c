// SPDX-License-Identifier: GPL-2.0-or-later
/* From a section of a fio job file to what a job does. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/workload/fio-file.h"
#include "util/i18n.h"

#define SECTOR 512u

/* Through the page cache, as in workloads-table.c. */
#define READAHEAD_BYTES  (128u * 1024) /* queue/read_ahead_kb */
#define READ_BYTES_MAX   (1280u * 1024) /* queue/max_sectors_kb */
#define WRITEBACK_BYTES  (512u * 1024)
#define WRITEBACK_DEPTH  128u           /* queue/nr_requests */
#define WRITEBACK_BATCH  16u
#define SYNC_BATCH_MAX   1024u
#define PAGE_BYTES       4096u

void fio_job_init(struct fio_job *job)
{
	*job = (struct fio_job){
		.read_percent = 100,
		.rwmixread = 50,
		.nrfiles = 1,
		.loops = 1,
		.iodepth = 1,
		.batch = 1,
		.complete_min = 1,
		.numjobs = 1,
		.think_every = 1,
		.prio = FIO_PRIO_UNSET,
		.cpu = -1,
		.kb_base = 1024,
	};
	for (unsigned op = 0; op < JOB_OPS; op++) {
		job->bs[op] = job->bs_max[op] = PAGE_BYTES;
		job->percentage_random[op] = 100;
	}
}

static bool does(const struct job_spec *spec, enum sim_op op)
{
	if (spec->trims_first)
		return op != SIM_READ;
	if (op == SIM_READ)
		return spec->read_percent > 0.0;
	if (op == SIM_DISCARD)
		return spec->trim_percent > 0.0;
	return spec->read_percent + spec->trim_percent < 100.0;
}

static double mean_bytes(const struct fio_job *job, enum sim_op op)
{
	const struct fio_split *split = &job->split[op];
	double sum = 0.0;

	if (!split->count)
		return (double)job->bs[op] * (1.0 + (double)(job->bs_max[op] / job->bs[op])) /
		       2.0;
	for (unsigned i = 0; i < split->count; i++)
		sum += (double)split->bytes[i] * split->percent[i] / 100.0;
	return sum;
}

/* --- sizes and places ------------------------------------------------------------------- */

static int add_size(struct fio_context *context, struct job_spec *spec, enum sim_op op,
		    uint64_t bytes, uint64_t bytes_max, double percent)
{
	unsigned count = spec->size_count[op];

	if (bytes % SECTOR || bytes_max % SECTOR)
		return fio_refuse(context, -EINVAL,
				  _("an I/O of %llu bytes is not a whole number of sectors"),
				  (unsigned long long)(bytes % SECTOR ? bytes : bytes_max));
	spec->sizes[op][count] = (struct job_size){
		.sectors = (uint32_t)(bytes / SECTOR),
		.sectors_max = (uint32_t)(bytes_max / SECTOR),
		.percent = percent,
	};
	spec->size_count[op]++;
	return 0;
}

static int set_sizes(struct fio_context *context, const struct fio_job *job,
		     struct job_spec *spec)
{
	int r = 0;

	for (enum sim_op op = SIM_READ; op < JOB_OPS && !r; op++) {
		const struct fio_split *split = &job->split[op];

		if (!does(spec, op))
			continue;
		if (!split->count)
			r = add_size(context, spec, op, job->bs[op], job->bs_max[op], 100.0);
		for (unsigned i = 0; i < split->count && !r; i++)
			if (split->percent[i] > 0.0)
				r = add_size(context, spec, op, split->bytes[i],
					     split->bytes[i], split->percent[i]);
	}
	return r;
}

/* The value of the kinds of I/O that the job does, when they agree. */
static int find_common(struct fio_context *context, const struct job_spec *spec,
		       const char *key, const double values[JOB_OPS], double *ret)
{
	bool has_value = false;

	for (enum sim_op op = SIM_READ; op < JOB_OPS; op++) {
		if (!does(spec, op))
			continue;
		if (has_value && values[op] != *ret)
			return fio_refuse(context, -ENOTSUP,
					  _("%s cannot differ between the directions of a job"),
					  key);
		*ret = values[op];
		has_value = true;
	}
	return 0;
}

static int set_places(struct fio_context *context, const struct fio_job *job,
		      struct job_spec *spec)
{
	double align[JOB_OPS], common_align = 0.0, random = 100.0;
	int r;

	spec->pattern = job->pattern;
	spec->skip_sectors = job->skip_bytes / SECTOR;
	if (job->skip_bytes % SECTOR)
		return fio_refuse(context, -EINVAL,
				  _("a gap of %lld bytes is not a whole number of sectors"),
				  (long long)job->skip_bytes);
	if (job->pattern != JOB_RANDOM)
		return 0;
	spec->places = job->places;
	spec->sequential_run = (unsigned)job->random_every;
	for (unsigned op = 0; op < JOB_OPS; op++)
		align[op] = (double)job->align[op];
	r = find_common(context, spec, "blockalign", align, &common_align);
	if (!r)
		r = find_common(context, spec, "percentage_random", job->percentage_random,
				&random);
	if (r)
		return r;
	if ((uint64_t)common_align % SECTOR)
		return fio_refuse(context, -EINVAL,
				  _("blockalign is not a whole number of sectors"));
	spec->align_sectors = (uint64_t)common_align / SECTOR;
	spec->sequential_percent = 100.0 - random;
	/* As fio: a map of what was done, unless it is told not to keep one. */
	if (job->places.kind == DISTRIBUTION_UNIFORM && !job->norandommap &&
	    !spec->align_sectors)
		spec->places.kind = DISTRIBUTION_EACH_ONCE;
	return 0;
}

/* --- rates ------------------------------------------------------------------------------ */

/* I/Os per second of one direction; 0: no limit. */
static double find_rate(const struct fio_job *job, enum sim_op op)
{
	if (job->rate_iops[op])
		return (double)job->rate_iops[op];
	return (double)job->rate[op] / mean_bytes(job, op);
}

static int set_rate(struct fio_context *context, const struct fio_job *job,
		    struct job_spec *spec)
{
	double reads = does(spec, SIM_READ) ? find_rate(job, SIM_READ) : 0.0;
	double writes = does(spec, SIM_WRITE) ? find_rate(job, SIM_WRITE) : 0.0;
	bool is_rated = false, is_iops_rated = false;

	for (enum sim_op op = SIM_READ; op < JOB_OPS; op++) {
		is_rated |= job->rate[op] != 0;
		is_iops_rated |= job->rate_iops[op] != 0;
	}
	if (is_rated && is_iops_rated)
		return fio_refuse(context, -EINVAL, _("rate and rate_iops exclude each other"));
	if (!is_rated && !is_iops_rated)
		return 0;
	spec->is_poisson = job->is_poisson;
	if (does(spec, SIM_READ) && does(spec, SIM_WRITE)) {
		/* fio keeps both rates, whatever share the mix asks for. */
		if (reads <= 0.0 || writes <= 0.0)
			return fio_refuse(context, -ENOTSUP,
					  _("a rate for only one direction of a mixed job"));
		spec->read_percent = 100.0 * reads / (reads + writes);
		spec->rate_iops = reads + writes;
	} else if (spec->trims_first) {
		return fio_refuse(context, -ENOTSUP, _("a rate with trimwrite"));
	} else if (does(spec, SIM_DISCARD)) {
		spec->rate_iops = find_rate(job, SIM_DISCARD);
	} else {
		spec->rate_iops = reads + writes;
	}
	return 0;
}

/* --- through the page cache ----------------------------------------------------------------- */

/* The device sees I/Os of another size: pauses, rates and counts are those of bytes. */
static void regroup(struct job_spec *spec, enum sim_op op, double mean, uint64_t bytes)
{
	double scale = (double)bytes / mean, every = spec->think_every / scale;

	job_spec_set_size(spec, op, (uint32_t)(bytes / SECTOR));
	spec->rate_iops /= scale;
	if (spec->total_ios) {
		spec->total_sectors = (uint64_t)((double)spec->total_ios * mean / SECTOR);
		spec->total_ios = 0;
	}
	if (every < 1.0)
		spec->think_ns = (uint64_t)((double)spec->think_ns / every);
	spec->think_every = every < 1.0 ? 1 : (unsigned)every;
}

static void set_readahead(struct fio_context *context, const struct fio_job *job,
			  struct job_spec *spec)
{
	double mean = mean_bytes(job, SIM_READ);
	uint64_t parts = (uint64_t)mean / READ_BYTES_MAX + 1, bytes = READAHEAD_BYTES;

	if (mean > READAHEAD_BYTES)
		bytes = ((uint64_t)mean / parts + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
	regroup(spec, SIM_READ, mean, bytes);
	/* One window is used while the next one comes. */
	spec->iodepth = 2;
	fio_note(context, job->line, "direct",
		 _("not set: reads go through readahead windows, two in flight"));
}

static void set_writeback(struct fio_context *context, const struct fio_job *job,
			  struct job_spec *spec)
{
	regroup(spec, SIM_WRITE, mean_bytes(job, SIM_WRITE), WRITEBACK_BYTES);
	spec->iodepth = WRITEBACK_DEPTH;
	spec->batch = WRITEBACK_BATCH;
	spec->shares_pid = true;
	fio_note(context, job->line, "direct",
		 _("not set: writes come from the flusher, in pieces of 512 KiB"));
}

/* Every so many writes are written back together and waited for. */
static void set_sync_writeback(struct job_spec *spec, uint64_t fsync_every)
{
	unsigned together = fsync_every < SYNC_BATCH_MAX ? (unsigned)fsync_every
							 : SYNC_BATCH_MAX;

	spec->is_sync = true;
	spec->iodepth = spec->batch = spec->drain = together;
	spec->fsync_every = (unsigned)fsync_every;
}

static int go_through_cache(struct fio_context *context, const struct fio_job *job,
			    struct job_spec *spec)
{
	uint64_t fsync_every = job->sync ? 1 : job->fsync_every;
	int r;

	/* Only one at a time, whatever the engine: the system call waits. */
	spec->iodepth = spec->batch = spec->drain = 1;
	if (does(spec, SIM_DISCARD) && !does(spec, SIM_READ) && !does(spec, SIM_WRITE))
		return 0;
	if (!does(spec, SIM_WRITE)) {
		if (spec->pattern == JOB_SEQUENTIAL && !spec->skip_sectors)
			set_readahead(context, job, spec);
		return 0;
	}
	if (!does(spec, SIM_READ) && !does(spec, SIM_DISCARD)) {
		if (fsync_every) {
			set_sync_writeback(spec, fsync_every);
			return 0;
		}
		if (spec->pattern == JOB_SEQUENTIAL && !spec->skip_sectors) {
			set_writeback(context, job, spec);
			return 0;
		}
	} else if (fsync_every == 1) {
		set_sync_writeback(spec, 1);
		return 0;
	}
	r = fio_refuse(context, -ENOTSUP,
		       _("job %.60s: random or mixed writes through the page cache; when "
			 "the kernel writes them back is not simulated"), job->name);
	diag_hint(context->diag, _("add direct=1, or fsync=1 where each write is waited for"));
	return r;
}

/* --- the rest --------------------------------------------------------------------------- */

static void set_depth(const struct fio_job *job, struct job_spec *spec)
{
	uint64_t depth = job->is_async_engine ? job->iodepth : 1;
	uint64_t batch = job->batch && job->batch < depth ? job->batch : depth;
	uint64_t low = job->depth_low && job->depth_low < depth ? job->depth_low : depth;
	uint64_t drain = depth - low > job->complete_min ? depth - low : job->complete_min;

	spec->iodepth = (unsigned)depth;
	spec->never_blocks = job->never_blocks;
	spec->batch = (unsigned)batch;
	spec->drain = (unsigned)(drain < depth ? drain : depth);
}

static void set_priority(const struct fio_job *job, struct job_spec *spec)
{
	static const enum sim_class classes[] = {
		SIM_CLASS_BE, SIM_CLASS_RT, SIM_CLASS_BE, SIM_CLASS_IDLE,
	};

	spec->class = classes[job->prioclass];
	if (job->prio != FIO_PRIO_UNSET)
		spec->level = (uint8_t)job->prio;
	else if (job->prioclass)
		spec->level = 0; /* what fio then asks for */
	else
		spec->level = (uint8_t)((job->nice + 20) / 5); /* ioprio(2) */
}

static int set_times(struct fio_context *context, const struct fio_job *job,
		     struct job_spec *spec)
{
	spec->is_time_based = job->time_based && job->runtime_ns;
	if (job->time_based && !job->runtime_ns)
		fio_note(context, job->line, "time_based", _("means nothing without runtime"));
	spec->start_ns = job->start_ns;
	if (job->runtime_ns &&
	    __builtin_add_overflow(job->runtime_ns, job->ramp_ns, &spec->runtime_ns))
		return fio_refuse(context, -EINVAL, _("runtime is too long"));
	spec->think_ns = job->think_ns;
	spec->think_every = (unsigned)job->think_every;
	return 0;
}

int fio_job_to_spec(struct fio_context *context, const struct fio_job *job,
		    struct job_spec *ret)
{
	struct job_spec spec;
	int r;

	job_spec_init(&spec, job->name);
	spec.numjobs = (unsigned)job->numjobs;
	spec.read_percent = job->is_mixed ? job->rwmixread : job->read_percent;
	spec.trim_percent = job->trim_percent;
	spec.trims_first = job->trims_first;
	if (__builtin_mul_overflow(job->number_ios, job->loops, &spec.total_ios))
		spec.total_ios = UINT64_MAX;
	spec.fsync_every = (unsigned)job->fsync_every;
	spec.fsyncs_at_end = job->end_fsync || job->fsync_on_close;
	spec.cpu = job->cpu;
	spec.is_sync = job->direct;
	spec.is_durable = job->direct && job->sync;
	set_depth(job, &spec);
	set_priority(job, &spec);
	r = set_sizes(context, job, &spec);
	if (!r)
		r = set_places(context, job, &spec);
	if (!r)
		r = set_rate(context, job, &spec);
	if (!r)
		r = set_times(context, job, &spec);
	if (!r && !job->direct)
		r = go_through_cache(context, job, &spec);
	if (r)
		return r;
	*ret = spec;
	return 0;
}
