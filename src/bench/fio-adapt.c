// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A person's fio job file, made safe: fio runs with the rights to write any disk, and its
 * job files can run programs, write logs and name other devices. Only keys that say what
 * I/O there is go through.
 */
#include "bench/fio-job.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "bench/fio-terms.h"
#include "sim/workload/fio-file.h"
#include "util/i18n.h"

/* Known to the simulation, but for the run to say and not for the file. */
static const char *const own_keys[] = { "filename", "nrfiles", "nr_files", "filesize" };

/* Without influence on the simulation, and harmless to fio's surroundings. */
static const char *const kept_keys[] = {
	"zero_buffers", "refill_buffers", "scramble_buffers", "buffer_compress_percentage",
	"buffer_compress_chunk", "dedupe_percentage", "dedupe_mode", "write_hint",
	"fadvise_hint", "invalidate", "numa_cpu_nodes", "cpus_allowed_policy",
	"thinktime_spin", "rate_cycle", "ratecycle", "io_submit_mode", "hipri", "fixedbufs",
	"registerfiles", "sqthread_poll", "sqthread_poll_cpu", "nonvectored", "force_async",
	"userspace_reap", "nowait", "libaio_vectored", "iodepth_batch_complete_max",
	"thinktime_blocks_type", "random_generator", "softrandommap",
};

static bool is_listed(const char *const *list, size_t count, const char *word)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(list[i], word) == 0)
			return true;
	}
	return false;
}

static bool is_kept(const char *name)
{
	const struct fio_key *key = fio_key_find(name);

	if (!key || is_listed(own_keys, ARRAY_SIZE(own_keys), name))
		return false;
	return key->kind == FIO_UNDERSTOOD ||
	       is_listed(kept_keys, ARRAY_SIZE(kept_keys), name);
}

static uint64_t to_us(uint64_t time_ns)
{
	return time_ns / 1000;
}

void fio_terms_add(const struct fio_terms *terms, uint64_t runtime_ns, struct text *out)
{
	uint64_t limit_ns = terms->runtime_ns;

	if (runtime_ns && !terms->is_runtime_given && runtime_ns < limit_ns)
		limit_ns = runtime_ns;
	text_addf(out, "filename=%s\n", terms->filename);
	text_addf(out, "runtime=%" PRIu64 "us\n", to_us(limit_ns));
	if (terms->warmup_ns)
		text_addf(out, "ramp_time=%" PRIu64 "us\n", to_us(terms->warmup_ns));
	if (terms->cpus)
		text_addf(out, "cpus_allowed=%s\n", terms->cpus);
	/* Threads end with fio, however it ends. */
	text_addf(out,
		  "thread=1\ngroup_reporting=1\nnew_group=1\nrandseed=%u\n"
		  "lat_percentiles=1\nclat_percentiles=0\nslat_percentiles=0\n"
		  "allow_file_create=0\nallow_mounted_write=0\nunlink=0\n",
		  terms->seed);
}

/* --- lines -------------------------------------------------------------------------------- */

struct adapting {
	const struct workload *workload;
	const struct fio_terms *terms;
	const char *dev_folder;
	const struct strv *names;
	struct text *out;
	struct strv *notes;
	struct diag *diag;
	unsigned line;
	size_t job_count;  /* sections that were begun */
	bool is_in_job;    /* the present one is a job's, not [global] */
};

/* "\:" stands for a colon within a name. */
static int check_names(const struct adapting *adapting, const char *value)
{
	_strv_ struct strv words = { 0 };

	if (strv_split(&words, value, ":"))
		return -ENOMEM;
	for (size_t i = 0; i < words.count; i++) {
		if (!text_starts_with(words.items[i], adapting->dev_folder) ||
		    strv_contains(adapting->names, words.items[i]))
			continue;
		diag_set(adapting->diag, -EINVAL, _("line %u: %s is not the device that is measured"),
			 adapting->line, words.items[i]);
		return -EINVAL;
	}
	return 0;
}

static int note_dropped(const struct adapting *adapting, const char *key)
{
	_text_ struct text text = { 0 };

	text_addf(&text, _("line %u: %s is left out"), adapting->line, key);
	if (text.error)
		return text.error;
	return strv_add(adapting->notes, text.data);
}

static int take_key(const struct adapting *adapting, char *line)
{
	char *value = strchr(line, '=');

	if (value)
		*value++ = '\0';
	line = text_trim(line);
	value = value ? text_trim(value) : NULL;
	if (strcmp(line, "filename") == 0)
		return check_names(adapting, value ? value : "");
	if (!is_kept(line))
		return note_dropped(adapting, line);
	if (value)
		text_addf(adapting->out, "%s=%s\n", line, value);
	else
		text_addf(adapting->out, "%s\n", line);
	return 0;
}

static void end_section(const struct adapting *adapting)
{
	const struct job_spec *spec;

	if (!adapting->is_in_job || adapting->job_count > adapting->workload->job_count)
		return;
	spec = &adapting->workload->jobs[adapting->job_count - 1];
	if (adapting->terms->is_runtime_given && spec->is_time_based)
		text_add(adapting->out, "time_based=1\n");
	fio_terms_add(adapting->terms, spec->runtime_ns, adapting->out);
}

static void begin_section(struct adapting *adapting, const char *line)
{
	end_section(adapting);
	/* as fio: every name that begins so */
	adapting->is_in_job = !text_starts_with(line, "[global");
	adapting->job_count += adapting->is_in_job;
	text_addf(adapting->out, "\n%s\n", line);
}

static int take_line(struct adapting *adapting, char *line)
{
	/* Comments, as the reader of job files takes them. */
	line[strcspn(line, "#;")] = '\0';
	line = text_trim(line);
	if (!*line)
		return 0;
	if (*line == '[') {
		begin_section(adapting, line);
		return 0;
	}
	return take_key(adapting, line);
}

int fio_job_adapt(const char *text, const struct workload *workload,
		  const struct fio_terms *terms, const char *dev_folder,
		  const struct strv *names, struct text *ret, struct strv *ret_notes,
		  struct diag *diag)
{
	struct adapting adapting = { .workload = workload, .terms = terms,
				     .dev_folder = dev_folder, .names = names,
				     .out = ret, .notes = ret_notes, .diag = diag };
	_free_ char *copy = strdup(text);
	char *next = copy, *line;
	int error = copy ? 0 : -ENOMEM;

	if (!error && workload->devices > 1)
		return diag_set(diag, -EINVAL, _("the job file names more than one device"));
	while (!error && (line = strsep(&next, "\n"))) {
		adapting.line++;
		error = take_line(&adapting, line);
	}
	if (error)
		return diag_set(diag, error, _("out of memory"));
	end_section(&adapting);
	return ret->error;
}
