// SPDX-License-Identifier: GPL-2.0-or-later
/* The keys of fio job files whose values are more than a number. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sim/workload/fio-file.h"
#include "util/i18n.h"
#include "util/number.h"
#include "util/suggest.h"

static int refuse_word(struct fio_context *context, const char *value)
{
	return fio_refuse(context, -EINVAL, _("%s: '%.60s' is not a value of it"),
			  context->key, value);
}

static int store_text(struct fio_context *context, const char *value, char *buf, size_t size)
{
	if (strchr(value, '$'))
		return fio_refuse(context, -ENOTSUP,
				  _("%s: expressions and variables are not computed: '%.60s'"),
				  context->key, value);
	if (!*value || strlen(value) >= size)
		return refuse_word(context, value);
	snprintf(buf, size, "%s", value);
	return 0;
}

int fio_apply_name(struct fio_context *context, struct fio_job *job, const char *value)
{
	return store_text(context, value, job->name, sizeof(job->name));
}

int fio_apply_filename(struct fio_context *context, struct fio_job *job, const char *value)
{
	return store_text(context, value, job->filename, sizeof(job->filename));
}

/* --- what it does ------------------------------------------------------------------------- */

static const struct {
	const char *name;
	enum job_pattern pattern;
	double read_percent, trim_percent;
	bool is_mixed, trims_first;
} patterns[] = {
	{ "read", JOB_SEQUENTIAL, 100, 0, false, false },
	{ "write", JOB_SEQUENTIAL, 0, 0, false, false },
	{ "trim", JOB_SEQUENTIAL, 0, 100, false, false },
	{ "rw", JOB_SEQUENTIAL, 0, 0, true, false },
	{ "readwrite", JOB_SEQUENTIAL, 0, 0, true, false },
	{ "trimwrite", JOB_SEQUENTIAL, 0, 0, false, true },
	{ "randread", JOB_RANDOM, 100, 0, false, false },
	{ "randwrite", JOB_RANDOM, 0, 0, false, false },
	{ "randtrim", JOB_RANDOM, 0, 100, false, false },
	{ "randrw", JOB_RANDOM, 0, 0, true, false },
	{ "randtrimwrite", JOB_RANDOM, 0, 0, false, true },
};

static int apply_rw_number(struct fio_context *context, struct fio_job *job,
			   const char *number)
{
	job->random_every = 0;
	job->skip_bytes = 0;
	if (!number)
		return 0;
	if (job->pattern == JOB_RANDOM)
		return fio_parse_count(context, number, 1, UINT32_MAX, &job->random_every);
	return fio_parse_signed_bytes(context, number, &job->skip_bytes);
}

int fio_apply_rw(struct fio_context *context, struct fio_job *job, const char *value)
{
	const char *colon = strchr(value, ':');
	size_t len = colon ? (size_t)(colon - value) : strlen(value);
	struct suggestion suggestion = suggestion_for(value);
	int r;

	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
		suggestion_offer(&suggestion, patterns[i].name);
		if (strlen(patterns[i].name) != len || strncmp(patterns[i].name, value, len))
			continue;
		job->pattern = patterns[i].pattern;
		job->read_percent = patterns[i].read_percent;
		job->trim_percent = patterns[i].trim_percent;
		job->is_mixed = patterns[i].is_mixed;
		job->trims_first = patterns[i].trims_first;
		return apply_rw_number(context, job, colon ? colon + 1 : NULL);
	}
	r = refuse_word(context, value);
	if (suggestion.nearest)
		diag_hint(context->diag, _("did you mean '%s'?"), suggestion.nearest);
	return r;
}

int fio_apply_rwmixread(struct fio_context *context, struct fio_job *job, const char *value)
{
	uint64_t percent;
	int r = fio_parse_count(context, value, 0, 100, &percent);

	if (!r)
		job->rwmixread = (double)percent;
	return r;
}

int fio_apply_rwmixwrite(struct fio_context *context, struct fio_job *job, const char *value)
{
	uint64_t percent;
	int r = fio_parse_count(context, value, 0, 100, &percent);

	if (!r)
		job->rwmixread = 100.0 - (double)percent;
	return r;
}

/* --- sizes -------------------------------------------------------------------------------- */

static int parse_block_size(struct fio_context *context, const char *value, uint64_t *ret)
{
	return fio_parse_count(context, value, 1, (uint64_t)JOB_SECTORS_MAX * 512, ret);
}

int fio_apply_bs(struct fio_context *context, struct fio_job *job, const char *value)
{
	char parts[JOB_OPS][FIO_NAME_MAX];
	int r = fio_split_ops(context, value, parts);

	for (unsigned op = 0; op < JOB_OPS && !r; op++) {
		if (!parts[op][0])
			continue;
		r = parse_block_size(context, parts[op], &job->bs[op]);
		job->bs_max[op] = job->bs[op];
	}
	return r;
}

static int parse_range(struct fio_context *context, char *text, uint64_t *ret_min,
		       uint64_t *ret_max)
{
	char *middle = strchr(text, '-');
	uint64_t min, max;
	int r;

	if (!middle)
		middle = strchr(text, ':');
	if (!middle)
		return refuse_word(context, text);
	*middle = '\0';
	r = parse_block_size(context, text, &min);
	if (!r)
		r = parse_block_size(context, middle + 1, &max);
	if (r)
		return r;
	*ret_min = min < max ? min : max;
	*ret_max = min < max ? max : min;
	return 0;
}

int fio_apply_bsrange(struct fio_context *context, struct fio_job *job, const char *value)
{
	char parts[JOB_OPS][FIO_NAME_MAX];
	int r = fio_split_ops(context, value, parts);

	for (unsigned op = 0; op < JOB_OPS && !r; op++)
		if (parts[op][0])
			r = parse_range(context, parts[op], &job->bs[op], &job->bs_max[op]);
	return r;
}

/*
 * "A/B:A/B:...": pairs, B in per cent; whoever has none gets an equal part of what is
 * left. `is_size`: A is a block size, else a percentage.
 */
static int parse_pairs(struct fio_context *context, const char *text, bool is_size,
		       struct fio_split *ret)
{
	struct fio_split split = { 0 };
	bool is_missing[JOB_SIZES_MAX] = { false };
	double sum = 0.0;
	unsigned missing = 0;
	char pair[64], *slash;
	uint64_t percent;
	size_t len;
	int r;

	for (; *text; text += len + (text[len] == ':')) {
		len = strcspn(text, ":");
		if (split.count == JOB_SIZES_MAX || len >= sizeof(pair))
			return fio_refuse(context, -EINVAL,
					  _("%s: more than %d parts, or one that is too long"),
					  context->key, JOB_SIZES_MAX);
		memcpy(pair, text, len);
		pair[len] = '\0';
		slash = strchr(pair, '/');
		if (slash)
			*slash++ = '\0';
		r = is_size ? parse_block_size(context, pair, &split.bytes[split.count])
			    : fio_parse_count(context, pair, 0, 100, &split.bytes[split.count]);
		if (!r && slash && *slash) {
			r = fio_parse_count(context, slash, 0, 100, &percent);
			split.percent[split.count] = r ? 0.0 : (double)percent;
			sum += split.percent[split.count];
		} else {
			is_missing[split.count] = true;
			missing++;
		}
		if (r)
			return r;
		split.count++;
	}
	if (!split.count || sum > 100.0 || (sum < 100.0 && !missing))
		return fio_refuse(context, -EINVAL, _("%s: its shares add up to %g %%"),
				  context->key, sum);
	for (unsigned i = 0; i < split.count; i++)
		if (is_missing[i])
			split.percent[i] = (100.0 - sum) / missing;
	*ret = split;
	return 0;
}

int fio_apply_bssplit(struct fio_context *context, struct fio_job *job, const char *value)
{
	char parts[JOB_OPS][FIO_NAME_MAX];
	int r = fio_split_ops(context, value, parts);

	for (unsigned op = 0; op < JOB_OPS && !r; op++)
		if (parts[op][0])
			r = parse_pairs(context, parts[op], true, &job->split[op]);
	return r;
}

int fio_apply_blockalign(struct fio_context *context, struct fio_job *job, const char *value)
{
	char parts[JOB_OPS][FIO_NAME_MAX];
	int r = fio_split_ops(context, value, parts);

	for (unsigned op = 0; op < JOB_OPS && !r; op++)
		if (parts[op][0])
			r = fio_parse_count(context, parts[op], 1, UINT64_C(1) << 40,
					    &job->align[op]);
	return r;
}

/* --- places ------------------------------------------------------------------------------- */

/* "1.2" or "1.2:0.5": the second turns the scattered places around, which changes none. */
static int parse_parameter(struct fio_context *context, const char *text, double *ret)
{
	char first[32];
	size_t len = strcspn(text, ":");
	double center;
	int r;

	if (len >= sizeof(first))
		return refuse_word(context, text);
	memcpy(first, text, len);
	first[len] = '\0';
	r = fio_parse_real(context, first, ret);
	if (!r && text[len])
		r = fio_parse_real(context, text + len + 1, &center);
	return r;
}

static int parse_zones(struct fio_context *context, const char *text,
		       struct distribution_spec *places)
{
	struct fio_split split;
	int r;

	if (strchr(text, ','))
		return fio_refuse(context, -ENOTSUP,
				  _("%s: zones cannot differ between reads and writes"),
				  context->key);
	r = parse_pairs(context, text, false, &split);
	if (r)
		return r;
	places->zone_count = split.count;
	for (unsigned i = 0; i < split.count; i++)
		places->zones[i] = (struct distribution_zone){
			.access_percent = (double)split.bytes[i],
			.size_percent = split.percent[i],
		};
	return 0;
}

int fio_apply_random_distribution(struct fio_context *context, struct fio_job *job,
				  const char *value)
{
	static const struct {
		const char *name;
		enum distribution_kind kind;
		double initial; /* fio's */
	} kinds[] = {
		{ "random", DISTRIBUTION_UNIFORM, 0.0 }, { "zipf", DISTRIBUTION_ZIPF, 1.1 },
		{ "pareto", DISTRIBUTION_PARETO, 0.2 },  { "normal", DISTRIBUTION_NORMAL, 0.0 },
		{ "zoned", DISTRIBUTION_ZONED, 0.0 },
	};
	size_t len = strcspn(value, ":");
	const char *rest = value[len] ? value + len + 1 : "";
	struct distribution_spec places = { 0 };
	struct diag diag = { 0 };
	int r = 0;

	if (len == strlen("zoned_abs") && !strncmp(value, "zoned_abs", len))
		return fio_refuse(context, -ENOTSUP, _("%s: zones in bytes are not supported; "
						       "give per cent with zoned"),
				  context->key);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (strlen(kinds[i].name) != len || strncmp(kinds[i].name, value, len))
			continue;
		places.kind = kinds[i].kind;
		places.parameter = kinds[i].initial;
		if (places.kind == DISTRIBUTION_ZONED)
			r = parse_zones(context, rest, &places);
		else if (*rest)
			r = parse_parameter(context, rest, &places.parameter);
		if (!r && distribution_check(&places, &diag))
			r = fio_refuse(context, -EINVAL, "%s: %s", context->key, diag.text);
		if (!r)
			job->places = places;
		return r;
	}
	return refuse_word(context, value);
}

int fio_apply_percentage_random(struct fio_context *context, struct fio_job *job,
				const char *value)
{
	char parts[JOB_OPS][FIO_NAME_MAX];
	int r = fio_split_ops(context, value, parts);
	uint64_t percent;

	for (unsigned op = 0; op < JOB_OPS && !r; op++) {
		if (!parts[op][0])
			continue;
		r = fio_parse_count(context, parts[op], 0, 100, &percent);
		if (!r)
			job->percentage_random[op] = (double)percent;
	}
	return r;
}

/* --- how fast, how many ---------------------------------------------------------------------- */

static int parse_rates(struct fio_context *context, const char *value, uint64_t max,
		       uint64_t rates[JOB_OPS])
{
	char parts[JOB_OPS][FIO_NAME_MAX];
	int r = fio_split_ops(context, value, parts);

	for (unsigned op = 0; op < JOB_OPS && !r; op++)
		if (parts[op][0])
			r = fio_parse_count(context, parts[op], 0, max, &rates[op]);
	return r;
}

int fio_apply_rate(struct fio_context *context, struct fio_job *job, const char *value)
{
	return parse_rates(context, value, UINT64_C(1) << 50, job->rate);
}

int fio_apply_rate_iops(struct fio_context *context, struct fio_job *job, const char *value)
{
	return parse_rates(context, value, 1000000000, job->rate_iops);
}

int fio_apply_rate_process(struct fio_context *context, struct fio_job *job,
			   const char *value)
{
	if (strcmp(value, "linear") && strcmp(value, "poisson"))
		return refuse_word(context, value);
	job->is_poisson = !strcmp(value, "poisson");
	return 0;
}

int fio_apply_ioengine(struct fio_context *context, struct fio_job *job, const char *value)
{
	static const struct {
		const char *name;
		bool is_async, never_blocks;
	} engines[] = {
		{ .name = "sync" },
		{ .name = "psync" },
		{ .name = "vsync" },
		{ .name = "pvsync" },
		{ .name = "pvsync2" },
		{ .name = "libaio", .is_async = true },
		/* What would block is handed to a worker. */
		{ .name = "io_uring", .is_async = true, .never_blocks = true },
		{ .name = "posixaio", .is_async = true },
		{ .name = "sg", .is_async = true },
		{ .name = "windowsaio", .is_async = true },
		{ .name = "solarisaio", .is_async = true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(engines); i++) {
		if (!strcmp(engines[i].name, value)) {
			job->is_async_engine = engines[i].is_async;
			job->never_blocks = engines[i].never_blocks;
			return 0;
		}
	}
	return fio_refuse(context, -ENOTSUP,
			  _("%s: '%.60s' is not one that is known to do block I/O as "
			    "sync or libaio do"), context->key, value);
}

int fio_apply_buffered(struct fio_context *context, struct fio_job *job, const char *value)
{
	bool buffered;
	int r = fio_parse_bool(context, value, &buffered);

	if (!r)
		job->direct = !buffered;
	return r;
}

int fio_apply_sync(struct fio_context *context, struct fio_job *job, const char *value)
{
	static const struct {
		const char *name;
		bool sync;
	} words[] = {
		{ "none", false }, { "0", false }, { "sync", true },
		{ "1", true },     { "dsync", true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcmp(words[i].name, value)) {
			job->sync = words[i].sync;
			return 0;
		}
	}
	return refuse_word(context, value);
}

int fio_apply_fsync(struct fio_context *context, struct fio_job *job, const char *value)
{
	return fio_parse_count(context, value, 0, UINT32_MAX, &job->fsync_every);
}

int fio_apply_nice(struct fio_context *context, struct fio_job *job, const char *value)
{
	int64_t nice;

	if (number_parse_range(value, -20, 19, &nice))
		return refuse_word(context, value);
	job->nice = (int)nice;
	return 0;
}

static void set_cpu(struct fio_context *context, struct fio_job *job, uint64_t cpu,
		    bool is_one)
{
	job->cpu = is_one ? (int)cpu : -1;
	if (!is_one)
		fio_note(context, context->line, context->key,
			 _("several processors: the job runs on any"));
}

int fio_apply_cpumask(struct fio_context *context, struct fio_job *job, const char *value)
{
	uint64_t mask;
	int r = fio_parse_count(context, value, 1, UINT32_MAX, &mask);

	if (!r)
		set_cpu(context, job, (uint64_t)__builtin_ctzll(mask),
			(mask & (mask - 1)) == 0);
	return r;
}

int fio_apply_cpus_allowed(struct fio_context *context, struct fio_job *job,
			   const char *value)
{
	bool is_list = value[strspn(value, "0123456789")] != '\0';
	uint64_t cpu = 0;
	int r = 0;

	if (!*value || value[strspn(value, "0123456789,-")])
		return refuse_word(context, value);
	if (!is_list)
		r = fio_parse_count(context, value, 0, 65535, &cpu);
	if (!r)
		set_cpu(context, job, cpu, !is_list);
	return r;
}

int fio_apply_kb_base(struct fio_context *context, struct fio_job *job, const char *value)
{
	if (strcmp(value, "1000") && strcmp(value, "1024"))
		return refuse_word(context, value);
	job->kb_base = !strcmp(value, "1000") ? 1000 : 1024;
	context->kb_base = job->kb_base;
	return 0;
}
