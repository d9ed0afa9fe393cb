// SPDX-License-Identifier: GPL-2.0-or-later
/* From fio's JSON to figures; percentiles come from its bins, so that groups add up. */
#include "bench/fio-json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "util/i18n.h"
#include "util/number.h"

/* More than any disk will do: beyond, a number is not one. Sums of all groups fit, too. */
#define COUNT_MAX (UINT64_C(1) << 48)

void fio_result_done(struct fio_result *result)
{
	free(result->groups);
	free(result->latency_ns);
	*result = (struct fio_result){ 0 };
}

static uint64_t get_count(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	json_int_t number = json_is_integer(value) ? json_integer_value(value) : 0;

	return number > 0 && (uint64_t)number <= COUNT_MAX ? (uint64_t)number : 0;
}

static double get_real(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	double number = json_is_number(value) ? json_number_value(value) : NAN;

	return isfinite(number) && number >= 0 ? number : NAN;
}

/* "bins": { "10240": 3, ... }: nanoseconds, and how many took so long. */
static void take_bins(const json_t *latency, struct histogram *ret)
{
	const json_t *bins = json_object_get(latency, "bins");
	const char *key;
	json_t *value;

	if (!json_is_object(bins))
		return;
	json_object_foreach((json_t *)(uintptr_t)bins, key, value) {
		json_int_t count = json_is_integer(value) ? json_integer_value(value) : 0;
		uint64_t lat_ns;

		if (count <= 0 || (uint64_t)count > COUNT_MAX || ret->count > COUNT_MAX ||
		    number_parse_u64(key, &lat_ns) || lat_ns > COUNT_MAX)
			continue;
		histogram_add_many(ret, lat_ns, (uint64_t)count);
	}
}

static void set_percentiles(const struct histogram *histogram, double *figures)
{
	static const struct {
		enum experiment_figure figure;
		unsigned per_million;
	} rows[] = {
		{ FIGURE_P50, 500000 },
		{ FIGURE_P99, 990000 },
		{ FIGURE_P99_9, 999000 },
		{ FIGURE_P99_99, 999900 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		figures[rows[i].figure] =
			(double)histogram_quantile(histogram, rows[i].per_million);
}

static void clear_stream(struct fio_stream *stream)
{
	*stream = (struct fio_stream){ 0 };
	for (unsigned i = 0; i < FIGURES; i++)
		stream->figures[i] = NAN;
}

/* What is known by latencies, with their bins added to those of all. */
static void take_latency(const json_t *latency, struct histogram *scratch,
			 struct histogram *all, struct fio_stream *ret)
{
	ret->figures[FIGURE_MEAN] = get_real(latency, "mean");
	ret->figures[FIGURE_MAX] = get_real(latency, "max");
	memset(scratch, 0, sizeof(*scratch));
	take_bins(latency, scratch);
	if (scratch->count) {
		set_percentiles(scratch, ret->figures);
		histogram_merge(all, scratch);
	}
}

/*
 * "total_ios", and "iops" by it, are those that were submitted after the warm-up, less by a
 * queue's depth than those that ended after it: these have a latency, and are in "io_bytes".
 * What ended before the warm-up was over has none, and the rest of its figures is the
 * warm-up's. False then.
 */
static bool take_stream(const json_t *object, struct histogram *scratch,
			struct histogram *all, struct fio_stream *ret)
{
	const json_t *latency = json_object_get(object, "lat_ns");
	double runtime_s = (double)get_count(object, "runtime") / 1000;

	clear_stream(ret);
	ret->ios = get_count(latency, "N");
	if (!ret->ios)
		return !get_count(object, "total_ios");
	ret->bytes = get_count(object, "io_bytes");
	if (runtime_s > 0) {
		ret->figures[FIGURE_IOPS] = (double)ret->ios / runtime_s;
		ret->figures[FIGURE_BYTES] = (double)ret->bytes / runtime_s;
	}
	take_latency(latency, scratch, all, ret);
	return true;
}

/* It has no time of its own: that of the reads and writes that are synced. */
static void take_syncs(const json_t *object, double runtime_s, struct histogram *scratch,
		       struct histogram *all, struct fio_stream *ret)
{
	const json_t *latency = json_object_get(object, "lat_ns");

	clear_stream(ret);
	ret->ios = get_count(latency, "N");
	if (!ret->ios)
		return;
	if (runtime_s > 0)
		ret->figures[FIGURE_IOPS] = (double)ret->ios / runtime_s;
	take_latency(latency, scratch, all, ret);
}

/* --- all together ----------------------------------------------------------------------- */

/* Stages run one after the other: the longest group of each. */
static double find_seconds(const struct fio_result *result, const unsigned *stages,
			   size_t stage_count)
{
	double sum = 0, longest = 0;

	for (size_t i = 0; i < result->group_count; i++) {
		if (i && i < stage_count && stages[i] != stages[i - 1]) {
			sum += longest;
			longest = 0;
		}
		if (result->groups[i].runtime_s > longest)
			longest = result->groups[i].runtime_s;
	}
	return sum + longest;
}

static double add_known(double sum, double value)
{
	if (!isfinite(value))
		return sum;
	return isfinite(sum) ? sum + value : value;
}

static void sum_stream(struct fio_result *result, unsigned index, bool is_staged,
		       double seconds)
{
	struct fio_stream *all = &result->streams[index];
	double waited = NAN;

	clear_stream(all);
	for (size_t i = 0; i < result->group_count; i++) {
		const struct fio_stream *from = &result->groups[i].streams[index];

		all->ios += from->ios;
		all->bytes += from->bytes;
		all->figures[FIGURE_IOPS] =
			add_known(all->figures[FIGURE_IOPS], from->figures[FIGURE_IOPS]);
		all->figures[FIGURE_BYTES] =
			add_known(all->figures[FIGURE_BYTES], from->figures[FIGURE_BYTES]);
		waited = add_known(waited, from->figures[FIGURE_MEAN] * (double)from->ios);
		all->figures[FIGURE_MAX] =
			fmax(all->figures[FIGURE_MAX], from->figures[FIGURE_MAX]);
	}
	if (!all->ios)
		return;
	all->figures[FIGURE_MEAN] = waited / (double)all->ios;
	if (is_staged && seconds > 0) {
		all->figures[FIGURE_IOPS] = (double)all->ios / seconds;
		if (index != FIO_SYNCS)
			all->figures[FIGURE_BYTES] = (double)all->bytes / seconds;
	}
	if (result->latency_ns[index].count)
		set_percentiles(&result->latency_ns[index], all->figures);
}

static void sum_all(struct fio_result *result, bool is_staged, double seconds, double cpu_ns)
{
	double ios = 0, waited = NAN;

	for (unsigned i = 0; i < TOTALS; i++)
		result->totals[i] = NAN;
	for (unsigned i = 0; i < FIO_STREAMS; i++)
		sum_stream(result, i, is_staged, seconds);
	for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
		const struct fio_stream *stream = &result->streams[dir];

		ios += (double)stream->ios;
		waited = add_known(waited, stream->figures[FIGURE_MEAN] * (double)stream->ios);
		result->totals[TOTAL_IOPS] = add_known(result->totals[TOTAL_IOPS],
						       stream->figures[FIGURE_IOPS]);
		result->totals[TOTAL_BYTES] = add_known(result->totals[TOTAL_BYTES],
							stream->figures[FIGURE_BYTES]);
	}
	if (!(ios > 0))
		return;
	result->totals[TOTAL_MEAN] = waited / ios;
	result->totals[TOTAL_CPU] = cpu_ns / ios;
}

/* --- the document ------------------------------------------------------------------------ */

/* Of all its jobs, in ns; the shares are per cent of the jobs' time. */
static double get_cpu_ns(const json_t *job)
{
	return (get_real(job, "usr_cpu") + get_real(job, "sys_cpu")) / 100 *
	       get_real(job, "job_runtime") * 1e6;
}

static void take_group(const json_t *job, struct histogram *scratch,
		       struct fio_result *result, double *cpu_ns)
{
	static const char *const names[SIM_DIRS] = { [SIM_DIR_READ] = "read",
						     [SIM_DIR_WRITE] = "write" };
	struct fio_group *group = &result->groups[result->group_count++];
	const char *name = json_string_value(json_object_get(job, "jobname"));
	const json_t *error = json_object_get(job, "error");

	snprintf(group->name, sizeof(group->name), "%s", name ? name : "");
	if (json_is_integer(error) && json_integer_value(error))
		group->error = json_integer_value(error) > 0 &&
					       json_integer_value(error) < 4096
				       ? (int)json_integer_value(error)
				       : EIO;
	for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
		const json_t *stream = json_object_get(job, names[dir]);
		double runtime_s = get_real(stream, "runtime") / 1000;

		if (!take_stream(stream, scratch, &result->latency_ns[dir],
				 &group->streams[dir]))
			group->has_uncounted = true;
		if (group->streams[dir].ios && runtime_s > group->runtime_s)
			group->runtime_s = runtime_s;
	}
	take_syncs(json_object_get(job, "sync"), group->runtime_s, scratch,
		   &result->latency_ns[FIO_SYNCS], &group->streams[FIO_SYNCS]);
	if (group->streams[SIM_DIR_READ].ios || group->streams[SIM_DIR_WRITE].ios)
		*cpu_ns = add_known(*cpu_ns, get_cpu_ns(job));
}

static int take_root(const json_t *root, const unsigned *stages, size_t stage_count,
		     struct fio_result *result, struct diag *diag)
{
	const json_t *jobs = json_object_get(root, "jobs");
	const char *version = json_string_value(json_object_get(root, "fio version"));
	_free_ struct histogram *scratch = malloc(sizeof(*scratch));
	size_t count = json_array_size(jobs);
	bool is_staged = stage_count > 1 && stages[stage_count - 1] != stages[0];
	double cpu_ns = NAN;

	if (!count)
		return diag_set(diag, -EBADMSG, _("fio reported no job"));
	if (count > FIO_GROUPS_MAX)
		return diag_set(diag, -E2BIG, _("more than %d groups of jobs"),
				FIO_GROUPS_MAX);
	result->groups = calloc(count, sizeof(*result->groups));
	result->latency_ns = calloc(FIO_STREAMS, sizeof(*result->latency_ns));
	if (!scratch || !result->groups || !result->latency_ns)
		return -ENOMEM;
	snprintf(result->version, sizeof(result->version), "%s", version ? version : "");
	for (size_t i = 0; i < count; i++) {
		if (!json_is_object(json_array_get(jobs, i)))
			return diag_set(diag, -EBADMSG,
					_("the report of fio cannot be understood: %s"), "jobs");
	}
	for (size_t i = 0; i < count; i++)
		take_group(json_array_get(jobs, i), scratch, result, &cpu_ns);
	sum_all(result, is_staged, find_seconds(result, stages, stage_count), cpu_ns);
	return 0;
}

/* Warnings can stand before it, a line each. */
static const char *find_document(const char *text, size_t len)
{
	const char *at = text, *end = text + len;

	while (at < end && *at != '{') {
		at = memchr(at, '\n', (size_t)(end - at));
		if (!at)
			return NULL;
		at++;
	}
	return at < end ? at : NULL;
}

int fio_json_parse(const char *text, size_t len, const unsigned *stages, size_t stage_count,
		   struct fio_result *ret, struct diag *diag)
{
	_fio_result_ struct fio_result result = { 0 };
	const char *begin = find_document(text, len);
	json_error_t cause;
	json_t *root;
	int error;

	if (!begin || len > FIO_OUTPUT_MAX)
		return diag_set(diag, -EBADMSG, _("fio gave no report"));
	root = json_loadb(begin, len - (size_t)(begin - text), JSON_DISABLE_EOF_CHECK, &cause);
	if (!root)
		return diag_set(diag, -EBADMSG, _("the report of fio cannot be understood: %s"),
				cause.text);
	error = take_root(root, stages, stages ? stage_count : 0, &result, diag);
	json_decref(root);
	if (error)
		return diag_set(diag, error, _("out of memory"));
	*ret = result;
	result = (struct fio_result){ 0 };
	return 0;
}
