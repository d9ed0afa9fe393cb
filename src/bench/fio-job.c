// SPDX-License-Identifier: GPL-2.0-or-later
/* Job descriptions as fio job files. */
#include "bench/fio-job.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "bench/fio-terms.h"
#include "util/i18n.h"

#define SECTOR 512u

static double write_percent(const struct job_spec *spec)
{
	return spec->trims_first ? 100 : 100 - spec->read_percent - spec->trim_percent;
}

static bool does_trim(const struct job_spec *spec)
{
	return spec->trims_first || spec->trim_percent > 0;
}

bool fio_workload_writes(const struct workload *workload)
{
	for (size_t i = 0; i < workload->job_count; i++) {
		if (write_percent(&workload->jobs[i]) > 0 || does_trim(&workload->jobs[i]))
			return true;
	}
	return false;
}

bool fio_workload_trims(const struct workload *workload)
{
	for (size_t i = 0; i < workload->job_count; i++) {
		if (does_trim(&workload->jobs[i]))
			return true;
	}
	return false;
}

bool fio_workload_is_staged(const struct workload *workload)
{
	return workload->job_count &&
	       workload->jobs[workload->job_count - 1].stage != workload->jobs[0].stage;
}

bool fio_is_dd(const struct workload *workload)
{
	return text_starts_with(workload->name, "dd-");
}

/* --- what fio cannot do ------------------------------------------------------------------ */

static int add_note(struct strv *notes, const char *job, const char *why)
{
	_text_ struct text line = { 0 };

	text_addf(&line, "%s: %s", job, why);
	if (line.error)
		return line.error;
	return strv_contains(notes, line.data) ? 0 : strv_add(notes, line.data);
}

static int note_differences(const struct job_spec *spec, bool is_dd, struct strv *notes)
{
	int error = 0;

	if (is_dd)
		return add_note(notes, spec->name,
				_("its I/Os are calls of 2 MiB into the page cache: the "
				  "device has its share in the throughput, not in each latency"));
	if (spec->think_ns && spec->is_think_random)
		error = add_note(notes, spec->name,
				 _("its pauses are all as long as the mean one"));
	if (!error && write_percent(spec) > 0 && !spec->is_sync && !spec->trims_first)
		error = add_note(notes, spec->name,
				 _("its writes are direct, so the kernel takes them for ones "
				   "that somebody waits for"));
	if (!error && spec->shares_pid && spec->numjobs > 1)
		error = add_note(notes, spec->name,
				 _("its instances are processes of their own to the "
				   "scheduler"));
	return error;
}

static bool has_ranges(const struct job_spec *spec, enum sim_op op)
{
	for (unsigned i = 0; i < spec->size_count[op]; i++) {
		if (spec->sizes[op][i].sectors != spec->sizes[op][i].sectors_max)
			return true;
	}
	return false;
}

static int refuse_impossible(const struct job_spec *spec, struct diag *diag)
{
	if (spec->trim_percent > 0 && spec->trim_percent < 100)
		return diag_set(diag, -ENOTSUP,
				_("%s: fio cannot mix discards with reads and writes"),
				spec->name);
	if (spec->device || spec->spreads_devices)
		return diag_set(diag, -ENOTSUP, _("%s: goes to more than one device"),
				spec->name);
	for (unsigned op = 0; op < JOB_OPS; op++) {
		if (has_ranges(spec, op) && spec->size_count[op] > 1)
			return diag_set(diag, -ENOTSUP,
					_("%s: fio knows one range of sizes, not several"),
					spec->name);
	}
	return 0;
}

/* --- sections ----------------------------------------------------------------------------- */

static const char *direction_word(const struct job_spec *spec)
{
	bool is_random = spec->pattern == JOB_RANDOM;

	if (spec->trims_first)
		return is_random ? "randtrimwrite" : "trimwrite";
	if (spec->trim_percent > 0)
		return is_random ? "randtrim" : "trim";
	if (spec->read_percent >= 100)
		return is_random ? "randread" : "read";
	if (spec->read_percent <= 0)
		return is_random ? "randwrite" : "write";
	return is_random ? "randrw" : "rw";
}

static void add_direction(const struct job_spec *spec, struct text *out)
{
	text_addf(out, "rw=%s", direction_word(spec));
	if (spec->pattern == JOB_RANDOM && spec->sequential_run > 1)
		text_addf(out, ":%u", spec->sequential_run);
	if (spec->pattern == JOB_SEQUENTIAL && spec->skip_sectors)
		text_addf(out, ":%" PRId64, spec->skip_sectors * SECTOR);
	text_add(out, "\n");
	if (spec->read_percent > 0 && spec->read_percent < 100)
		text_addf(out, "rwmixread=%.0f\n", spec->read_percent);
}

static void add_split(const struct job_spec *spec, enum sim_op op, struct text *out)
{
	for (unsigned i = 0; i < spec->size_count[op]; i++)
		text_addf(out, "%s%" PRIu64 "/%.0f", i ? ":" : "",
			  (uint64_t)spec->sizes[op][i].sectors * SECTOR,
			  spec->sizes[op][i].percent);
}

/* "READS,WRITES,TRIMS"; one that is not done gets the size of one that is. */
static void add_sizes(const struct job_spec *spec, struct text *out)
{
	unsigned any = 0;
	bool is_range = false;

	while (any < JOB_OPS - 1 && !spec->size_count[any])
		any++;
	for (unsigned op = 0; op < JOB_OPS; op++)
		is_range |= has_ranges(spec, op);
	text_add(out, is_range ? "bsrange=" : "bssplit=");
	for (unsigned op = 0; op < JOB_OPS; op++) {
		unsigned from = spec->size_count[op] ? op : any;

		text_add(out, op ? "," : "");
		if (is_range)
			text_addf(out, "%" PRIu64 "-%" PRIu64,
				  (uint64_t)spec->sizes[from][0].sectors * SECTOR,
				  (uint64_t)spec->sizes[from][0].sectors_max * SECTOR);
		else
			add_split(spec, from, out);
	}
	text_add(out, "\n");
}

static void add_zones(const struct distribution_spec *places, struct text *out)
{
	text_add(out, "random_distribution=zoned:");
	for (unsigned i = 0; i < places->zone_count; i++)
		text_addf(out, "%s%g/%g", i ? ":" : "", places->zones[i].access_percent,
			  places->zones[i].size_percent);
	text_add(out, "\n");
}

static void add_places(const struct job_spec *spec, struct text *out)
{
	const struct distribution_spec *places = &spec->places;

	if (spec->pattern != JOB_RANDOM)
		return;
	switch (places->kind) {
	case DISTRIBUTION_UNIFORM:
		text_add(out, "norandommap=1\n");
		break;
	case DISTRIBUTION_EACH_ONCE:
		break;
	case DISTRIBUTION_ZIPF:
		text_addf(out, "random_distribution=zipf:%g\n", places->parameter);
		break;
	case DISTRIBUTION_PARETO:
		text_addf(out, "random_distribution=pareto:%g\n", places->parameter);
		break;
	case DISTRIBUTION_NORMAL:
		text_addf(out, "random_distribution=normal:%g\n", places->parameter);
		break;
	case DISTRIBUTION_ZONED:
		add_zones(places, out);
		break;
	}
	if (spec->sequential_percent > 0)
		text_addf(out, "percentage_random=%.0f\n", 100 - spec->sequential_percent);
	if (spec->align_sectors)
		text_addf(out, "blockalign=%" PRIu64 "\n", spec->align_sectors * SECTOR);
}

static void add_range(const struct job_spec *spec, struct text *out)
{
	if (spec->offset_sectors)
		text_addf(out, "offset=%" PRIu64 "\n", spec->offset_sectors * SECTOR);
	if (spec->size_sectors)
		text_addf(out, "size=%" PRIu64 "\n", spec->size_sectors * SECTOR);
	if (spec->offset_increment_sectors)
		text_addf(out, "offset_increment=%" PRIu64 "\n",
			  spec->offset_increment_sectors * SECTOR);
	if (spec->total_sectors)
		text_addf(out, "io_size=%" PRIu64 "\n", spec->total_sectors * SECTOR);
	if (spec->total_ios)
		text_addf(out, "number_ios=%" PRIu64 "\n", spec->total_ios);
}

static void add_pace(const struct job_spec *spec, struct text *out)
{
	if (spec->start_ns)
		text_addf(out, "startdelay=%" PRIu64 "us\n", spec->start_ns / 1000);
	if (spec->think_ns >= 1000) {
		text_addf(out, "thinktime=%" PRIu64 "\n", spec->think_ns / 1000);
		if (spec->think_every > 1)
			text_addf(out, "thinktime_blocks=%u\n", spec->think_every);
	}
	if (spec->rate_iops > 0) {
		double reads = spec->rate_iops * spec->read_percent / 100;
		double writes = spec->rate_iops - reads;

		/* By direction; 0 would mean without limit. */
		text_addf(out, "rate_iops=%.0f,%.0f,%.0f\n", reads < 1 ? 1 : reads,
			  writes < 1 ? 1 : writes, writes < 1 ? 1 : writes);
		if (spec->is_poisson)
			text_add(out, "rate_process=poisson\n");
	}
}

/* A single read or write at a time is what pread() and pwrite() do. */
static const char *engine_of(const struct job_spec *spec)
{
	if (spec->never_blocks)
		return "io_uring";
	return spec->iodepth > 1 ? "libaio" : "psync";
}

static void add_queue(const struct job_spec *spec, struct text *out)
{
	text_addf(out, "ioengine=%s\n", engine_of(spec));
	text_addf(out, "numjobs=%u\niodepth=%u\n", spec->numjobs, spec->iodepth);
	if (spec->iodepth > 1 && spec->batch > 1)
		text_addf(out, "iodepth_batch=%u\n",
			  spec->batch < spec->iodepth ? spec->batch : spec->iodepth);
	if (spec->iodepth > 1 && spec->drain > 1)
		text_addf(out, "iodepth_batch_complete_min=%u\n",
			  spec->drain < spec->iodepth ? spec->drain : spec->iodepth);
	if (spec->class == SIM_CLASS_IDLE)
		text_add(out, "prioclass=3\n");
	else
		text_addf(out, "prioclass=%d\nprio=%u\n", spec->class == SIM_CLASS_RT ? 1 : 2,
			  spec->level);
	if (spec->is_durable)
		text_add(out, "sync=1\n");
	if (spec->fsync_every)
		text_addf(out, "fsync=%u\n", spec->fsync_every);
	if (spec->fsyncs_at_end)
		text_add(out, "end_fsync=1\n");
}

/* As dd does it: 2 MiB at a time, one behind the other, through the page cache. */
static void add_dd(const struct job_spec *spec, struct text *out)
{
	bool is_read = spec->read_percent >= 100;

	text_addf(out, "ioengine=psync\nbuffered=1\nrw=%s\nbs=2m\n", is_read ? "read" : "write");
	if (!is_read)
		text_add(out, "end_fsync=1\n");
	add_range(spec, out);
}

static void add_section(const struct workload *workload, size_t index,
			const struct fio_terms *terms, struct text *out)
{
	const struct job_spec *spec = &workload->jobs[index];

	text_addf(out, "\n[%s]\n", spec->name);
	if (index && spec->stage != spec[-1].stage)
		text_add(out, "stonewall=1\n");
	if (fio_is_dd(workload)) {
		add_dd(spec, out);
	} else {
		text_add(out, "direct=1\n");
		add_queue(spec, out);
		add_direction(spec, out);
		add_sizes(spec, out);
		add_places(spec, out);
		add_range(spec, out);
		add_pace(spec, out);
		if (spec->is_time_based)
			text_add(out, "time_based=1\n");
		if (spec->cpu >= 0 && !terms->cpus)
			text_addf(out, "cpus_allowed=%d\n", spec->cpu);
	}
	fio_terms_add(terms, spec->runtime_ns, out);
}

int fio_job_text(const struct workload *workload, const struct fio_terms *terms,
		 struct text *ret, struct strv *ret_notes, struct diag *diag)
{
	int error = 0;

	for (size_t i = 0; i < workload->job_count && !error; i++) {
		error = refuse_impossible(&workload->jobs[i], diag);
		if (!error)
			error = note_differences(&workload->jobs[i], fio_is_dd(workload),
						 ret_notes);
	}
	if (error)
		return diag_set(diag, error, _("out of memory"));
	for (size_t i = 0; i < workload->job_count; i++)
		add_section(workload, i, terms, ret);
	return ret->error;
}
