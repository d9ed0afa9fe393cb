// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads a fio job file: lines, sections, and what jobs inherit from [global]. */
#include "sim/workload/fio-file.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/i18n.h"
#include "util/suggest.h"
#include "util/text.h"

struct fio_line {
	unsigned line;
	const char *key, *value; /* into the copy of the text; value NULL without '=' */
};

struct fio_reader {
	struct fio_context context;
	char *text;              /* a copy, cut into strings */
	struct fio_line *lines;  /* of the section that is being read */
	size_t line_count;
	struct fio_job *jobs;    /* [0] is what [global] says; the jobs follow */
	size_t job_count;        /* without [0] */
};

static void fio_reader_done(struct fio_reader *reader)
{
	free(reader->text);
	free(reader->lines);
	free(reader->jobs);
}

/* --- keys --------------------------------------------------------------------------------- */

static bool is_harmless(const struct fio_key *key, const char *value)
{
	const char *list = key->harmless;
	size_t len;

	for (; list && *list; list += len + (list[len] == '|')) {
		len = strcspn(list, "|");
		if (strlen(value) == len && !strncmp(list, value, len))
			return true;
	}
	return false;
}

static int refuse_unknown(struct fio_context *context, const char *name)
{
	struct suggestion suggestion = suggestion_for(name);
	const struct fio_key *key;
	int r = fio_refuse(context, -ENOTSUP, _("unknown key '%.60s'"), name);

	for (size_t i = 0; (key = fio_key_get(i)); i++) {
		suggestion_offer(&suggestion, key->name);
		if (key->alias)
			suggestion_offer(&suggestion, key->alias);
	}
	if (suggestion.nearest)
		diag_hint(context->diag, _("did you mean '%s'?"), suggestion.nearest);
	return r;
}

static int apply_value(struct fio_context *context, const struct fio_key *key,
		       struct fio_job *job, const char *value)
{
	void *field = (char *)job + key->offset;

	switch (key->value) {
	case FIO_BY_APPLY:
		return key->apply(context, job, value);
	case FIO_BOOL:
		return fio_parse_bool(context, value, field);
	case FIO_COUNT:
		return fio_parse_count(context, value, key->min, key->max, field);
	case FIO_SIZE:
		return fio_parse_size(context, value, field);
	case FIO_SECONDS:
		return fio_parse_time(context, value, 1000000000, field);
	case FIO_USECONDS:
		return fio_parse_time(context, value, 1000, field);
	}
	return -EINVAL;
}

static int apply_line(struct fio_context *context, struct fio_job *job,
		      const struct fio_line *line)
{
	const struct fio_key *key = fio_key_find(line->key);
	const char *value = line->value ? line->value : "";

	context->line = line->line;
	context->key = line->key;
	if (!key)
		return refuse_unknown(context, line->key);
	if (key->kind == FIO_IGNORED) {
		fio_note(context, line->line, line->key, _(key->text));
		return 0;
	}
	if (key->kind == FIO_REFUSED)
		return is_harmless(key, value)
			       ? 0
			       : fio_refuse(context, -ENOTSUP, _("%s is not supported: %s"),
					    line->key, _(key->text));
	if (!*value && (key->value != FIO_BOOL || line->value))
		return fio_refuse(context, -EINVAL, _("%s needs a value"), line->key);
	return apply_value(context, key, job, value);
}

/* kb_base says what the others mean, wherever it stands. */
static int apply_section(struct fio_reader *reader, struct fio_job *job)
{
	int r = 0;

	reader->context.kb_base = job->kb_base;
	for (size_t i = 0; i < reader->line_count && !r; i++)
		if (!strcmp(reader->lines[i].key, "kb_base"))
			r = apply_line(&reader->context, job, &reader->lines[i]);
	for (size_t i = 0; i < reader->line_count && !r; i++)
		if (strcmp(reader->lines[i].key, "kb_base"))
			r = apply_line(&reader->context, job, &reader->lines[i]);
	return r;
}

/* --- lines -------------------------------------------------------------------------------- */

/* Without comments and blanks around. */
static char *strip_line(char *line)
{
	line[strcspn(line, "#;")] = '\0';
	return text_trim(line);
}

static int add_line(struct fio_reader *reader, char *line)
{
	char *equals = strchr(line, '=');

	if (reader->line_count == FIO_KEYS_MAX)
		return fio_refuse(&reader->context, -E2BIG,
				  _("more than %d keys in one section"), FIO_KEYS_MAX);
	if (equals)
		*equals++ = '\0';
	line = text_trim(line);
	/* "include FILE" has no '='. */
	if (!equals && text_starts_with(line, "include")) {
		line[strlen("include")] = '\0';
		equals = line;
	}
	reader->lines[reader->line_count++] = (struct fio_line){
		.line = reader->context.line,
		.key = line,
		.value = equals ? text_trim(equals) : NULL,
	};
	return 0;
}

/* The section that was read so far is complete. */
static int end_section(struct fio_reader *reader, const char *name, unsigned line)
{
	struct fio_job *job;
	int r;

	if (!name)
		return 0;
	/* as fio: every name that begins so */
	if (text_starts_with(name, "global")) {
		r = apply_section(reader, &reader->jobs[0]);
		reader->line_count = 0;
		return r;
	}
	if (reader->job_count == FIO_SECTIONS_MAX)
		return fio_refuse(&reader->context, -E2BIG, _("more than %d jobs"),
				  FIO_SECTIONS_MAX);
	job = &reader->jobs[++reader->job_count];
	*job = reader->jobs[0];
	snprintf(job->name, sizeof(job->name), "%s", name);
	job->line = line;
	r = apply_section(reader, job);
	reader->line_count = 0;
	return r;
}

static int read_section_name(struct fio_reader *reader, char *line, const char **ret)
{
	size_t len = strlen(line);

	if (len < 3 || line[len - 1] != ']' || len >= FIO_NAME_MAX)
		return fio_refuse(&reader->context, -EINVAL, _("'%.60s' is not a section"), line);
	line[len - 1] = '\0';
	*ret = line + 1;
	return 0;
}

static int read_lines(struct fio_reader *reader)
{
	const char *section = NULL;
	unsigned section_line = 0, number = 0;
	char *next = reader->text, *line;
	int r = 0;

	while (!r && (line = strsep(&next, "\n"))) {
		reader->context.line = ++number;
		line = strip_line(line);
		if (!*line)
			continue;
		if (*line == '[') {
			r = end_section(reader, section, section_line);
			reader->context.line = number;
			section_line = number;
			if (!r)
				r = read_section_name(reader, line, &section);
		} else if (!section) {
			r = fio_refuse(&reader->context, -EINVAL,
				       _("'%.60s' stands before the first section"), line);
		} else {
			r = add_line(reader, line);
		}
	}
	if (!r)
		r = end_section(reader, section, section_line);
	if (!r && !reader->job_count) {
		reader->context.line = 0;
		r = fio_refuse(&reader->context, -EINVAL, _("no job in the file"));
	}
	return r;
}

/* --- all of it ------------------------------------------------------------------------------ */

static int check_instances(struct fio_reader *reader)
{
	uint64_t instances = 0;

	for (size_t i = 1; i <= reader->job_count; i++)
		instances += reader->jobs[i].numjobs;
	if (instances <= JOB_NUMJOBS_MAX)
		return 0;
	reader->context.line = 0;
	return fio_refuse(&reader->context, -EINVAL,
			  _("%llu jobs in all; %d are possible"),
			  (unsigned long long)instances, JOB_NUMJOBS_MAX);
}

/* The same for all: what is not counted is a matter of the whole simulation. */
static int find_warmup(struct fio_reader *reader, uint64_t *ret_ns)
{
	const struct fio_job *jobs = reader->jobs;

	for (size_t i = 2; i <= reader->job_count; i++) {
		if (jobs[i].ramp_ns == jobs[1].ramp_ns &&
		    !(jobs[i].ramp_ns && jobs[i].stonewall))
			continue;
		reader->context.line = jobs[i].line;
		return fio_refuse(&reader->context, -ENOTSUP,
				  _("ramp_time cannot differ between jobs, or begin anew after stonewall"));
	}
	*ret_ns = jobs[1].ramp_ns;
	return 0;
}

/* Of the stages together; 0 when a job has no end of that kind. */
static uint64_t find_runtime(const struct workload *workload)
{
	uint64_t total = 0, longest = 0, end;

	for (size_t i = 0; i < workload->job_count; i++) {
		const struct job_spec *spec = &workload->jobs[i];

		if (!spec->runtime_ns ||
		    __builtin_add_overflow(spec->start_ns, spec->runtime_ns, &end))
			return 0;
		if (i && spec->stage != spec[-1].stage) {
			total += longest;
			longest = 0;
		}
		longest = end > longest ? end : longest;
		if (longest > INT64_MAX / FIO_SECTIONS_MAX)
			return 0;
	}
	return total + longest;
}

static int make_workload(struct fio_reader *reader, struct workload *made)
{
	struct fio_context *context = &reader->context;
	unsigned stage = 0;
	int r = check_instances(reader);

	if (!r)
		r = find_warmup(reader, &made->warmup_ns);
	if (r)
		return r;
	made->jobs = calloc(reader->job_count, sizeof(made->jobs[0]));
	if (!made->jobs)
		return fio_refuse(context, -ENOMEM, _("out of memory"));
	made->job_count = reader->job_count;
	for (size_t i = 0; i < made->job_count && !r; i++) {
		const struct fio_job *job = &reader->jobs[i + 1];

		context->line = job->line;
		r = fio_job_to_spec(context, job, &made->jobs[i]);
		stage += i && job->stonewall;
		made->jobs[i].stage = stage;
	}
	if (!r)
		r = fio_layout(context, reader->jobs + 1, made->jobs, made->job_count,
			       &made->devices);
	made->runtime_ns = find_runtime(made);
	return r;
}

/* Every job can be set up: a range on the device, sizes within it. */
static int check_jobs(struct fio_reader *reader, const struct workload *made)
{
	for (size_t i = 0; i < made->job_count; i++) {
		const struct job_spec *spec = &made->jobs[i];
		struct job job;
		int r = 0;

		for (unsigned n = 0; n < 2 && !r; n++)
			r = job_init(&job, spec, n ? spec->numjobs - 1 : 0,
				     reader->context.options->capacity_sectors, 0,
				     reader->context.diag);
		if (r) {
			diag_at(reader->context.diag, reader->context.file,
				reader->jobs[i + 1].line);
			return r;
		}
	}
	return 0;
}

/* Not fewer than there are. */
static size_t count_sections(const char *text, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < len && count < FIO_SECTIONS_MAX; i++)
		count += text[i] == '[';
	return count;
}

int fio_file_parse(const char *text, size_t len, const char *name,
		   const struct fio_file_options *options, struct workload *ret,
		   struct diag *diag)
{
	_cleanup_(fio_reader_done) struct fio_reader reader = {
		.context = { .options = options, .file = name, .diag = diag },
	};
	_workload_ struct workload made = { 0 };
	const char *base = strrchr(name, '/');
	int r;

	if (len > FIO_TEXT_MAX)
		return fio_refuse(&reader.context, -E2BIG, _("larger than %u bytes"),
				  FIO_TEXT_MAX);
	if (memchr(text, '\0', len))
		return fio_refuse(&reader.context, -EINVAL, _("not a text file"));
	reader.text = strndup(text, len);
	reader.lines = calloc(FIO_KEYS_MAX, sizeof(reader.lines[0]));
	reader.jobs = calloc(count_sections(text, len) + 1, sizeof(reader.jobs[0]));
	if (!reader.text || !reader.lines || !reader.jobs)
		return fio_refuse(&reader.context, -ENOMEM, _("out of memory"));
	fio_job_init(&reader.jobs[0]);
	snprintf(made.name, sizeof(made.name), "%s", base ? base + 1 : name);
	r = read_lines(&reader);
	if (!r)
		r = make_workload(&reader, &made);
	if (!r)
		r = check_jobs(&reader, &made);
	if (r)
		return r;
	*ret = made;
	made.jobs = NULL;
	return 0;
}
