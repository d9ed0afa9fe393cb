/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the file of a published experiment. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/published.h"
#include "tunable/scheduler.h"
#include "util/i18n.h"
#include "util/text.h"

#define RUNTIME_MAX_MS 600000
#define LINES_MAX      500
/* Figures beyond these are slips, and their ratios no numbers any more. */
#define MEASURED_MIN   1e-6
#define MEASURED_MAX   1e12

struct reader {
	const struct json_document *document;
	struct diag *diag;
};

static const char *const figure_names[] = {
	[PUBLISHED_IOPS] = "iops",   [PUBLISHED_BYTES] = "bytes",
	[PUBLISHED_MEAN] = "mean",   [PUBLISHED_P99] = "p99",
	[PUBLISHED_P99_9] = "p99_9", [PUBLISHED_P99_99] = "p99_99",
	[PUBLISHED_CPU] = "cpu",
};

const char *published_figure_name(enum published_figure figure)
{
	return figure_names[figure];
}

__attribute__((format(printf, 4, 5))) static int fail(const struct reader *reader,
						      const json_t *object,
						      const char *key, const char *format,
						      ...)
{
	char text[256];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	diag_set(reader->diag, -EINVAL, "%s", text);
	diag_at(reader->diag, reader->document->name,
		json_document_line(reader->document, object, key));
	return -EINVAL;
}

static int check_keys(const struct reader *reader, json_t *object,
		      const char *const *keys)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value)
	{
		size_t i = 0;

		while (keys[i] && strcmp(keys[i], key) != 0)
			i++;
		if (!keys[i])
			return fail(reader, object, key, _("unknown key \"%.40s\""), key);
	}
	return 0;
}

static int get_number(const struct reader *reader, const json_t *object, const char *key,
		      double min, double max, double *ret)
{
	const json_t *value = json_object_get(object, key);

	if (!value)
		return 0;
	if (!json_is_number(value) || !(json_number_value(value) >= min) ||
	    !(json_number_value(value) <= max))
		return fail(reader, object, key,
			    _("\"%s\" must be a number from %g to %g"), key, min, max);
	*ret = json_number_value(value);
	return 0;
}

static int get_unsigned(const struct reader *reader, const json_t *object,
			const char *key, unsigned min, unsigned max, unsigned *ret)
{
	double value = *ret;
	int r = get_number(reader, object, key, min, max, &value);

	if (r < 0)
		return r;
	*ret = (unsigned)value;
	return 0;
}

static int get_word(const struct reader *reader, const json_t *object, const char *key,
		    char *ret, size_t size)
{
	const char *word = json_string_value(json_object_get(object, key));

	if (!word || !word[0] || strlen(word) >= size)
		return fail(reader, object, key,
			    _("\"%s\" must be a text of 1 to %zu characters"), key,
			    size - 1);
	memcpy(ret, word, strlen(word) + 1);
	return 0;
}

static int get_text(const struct reader *reader, const json_t *object, const char *key,
		    bool must_be, char **ret)
{
	const json_t *value = json_object_get(object, key);

	if (!value && !must_be)
		return 0;
	if (!json_is_string(value))
		return fail(reader, object, key, _("\"%s\" must be a text"), key);
	*ret = strdup(json_string_value(value));
	return *ret ? 0 : -ENOMEM;
}

/* --- machine, medium, load --------------------------------------------------------------- */

static int read_machine(const struct reader *reader, json_t *root, struct published *ret)
{
	static const char *const keys[] = { "processors", "slowness", "wake_us", NULL };
	json_t *machine = json_object_get(root, "machine");
	double wake_us = 0;
	int r;

	if (!json_is_object(machine))
		return fail(reader, root, "machine", _("\"%s\" must be an object"),
			    "machine");
	ret->machine = (struct sim_machine){ .processors = 1, .slowness = 1 };
	r = check_keys(reader, machine, keys);
	if (r == 0)
		r = get_unsigned(reader, machine, "processors", 1, SIM_CPUS_MAX,
				 &ret->machine.processors);
	if (r == 0)
		r = get_number(reader, machine, "slowness", 0.01, 100,
			       &ret->machine.slowness);
	if (r == 0)
		r = get_number(reader, machine, "wake_us", 0, 1e6, &wake_us);
	ret->machine.wake_ns = (uint64_t)(wake_us * 1000 + 0.5);
	return r;
}

/* `medium` is what the root's `key` says, perhaps with more: its lines are not the file's. */
static int parse_medium(const struct reader *reader, const json_t *root, const char *key,
			const json_t *medium, struct sim_medium *ret)
{
	_free_ char *text = json_dumps(medium, JSON_INDENT(1));
	struct diag diag = { 0 };
	int r;

	if (!text)
		return -ENOMEM;
	r = sim_medium_parse(text, strlen(text), reader->document->name, ret, &diag);
	if (r == -EINVAL) {
		diag_hint(reader->diag, "%s", diag.hint);
		return fail(reader, root, key, "\"%s\": %s", key, diag.text);
	}
	return r;
}

static int read_last_medium(const struct reader *reader, json_t *root,
			    struct published *ret)
{
	json_t *differs = json_object_get(root, "last_medium");
	json_t *medium;
	int r = 0;

	if (!differs)
		return 0;
	if (!json_is_object(differs))
		return fail(reader, root, "last_medium", _("\"%s\" must be an object"),
			    "last_medium");
	medium = json_copy(json_object_get(root, "medium"));
	if (!medium || json_object_update(medium, differs) < 0)
		r = -ENOMEM;
	if (r == 0)
		r = parse_medium(reader, root, "last_medium", medium, &ret->last_medium);
	json_decref(medium);
	if (r < 0)
		return r;
	if (ret->last_medium.hw_queues != ret->medium.hw_queues ||
	    ret->last_medium.hw_depth != ret->medium.hw_depth ||
	    ret->last_medium.zone_sectors != ret->medium.zone_sectors ||
	    ret->last_medium.capacity_sectors != ret->medium.capacity_sectors)
		return fail(reader, root, "last_medium",
			    _("\"%s\" must have the queues and the capacity of the others"),
			    "last_medium");
	ret->has_last_medium = true;
	return 0;
}

static int read_medium(const struct reader *reader, json_t *root,
		       struct published *ret)
{
	const json_t *medium = json_object_get(root, "medium");
	int r;

	if (!json_is_object(medium))
		return fail(reader, root, "medium", _("\"%s\" must be an object"),
			    "medium");
	r = parse_medium(reader, root, "medium", medium, &ret->medium);
	return r < 0 ? r : read_last_medium(reader, root, ret);
}

static int read_workload(const struct reader *reader, const json_t *root,
			 struct published *ret)
{
	const json_t *lines = json_object_get(root, "workload"), *line;
	const struct fio_file_options options = {
		.capacity_sectors = ret->medium.capacity_sectors,
	};
	_text_ struct text text = { 0 };
	char name[256];
	size_t i;

	if (!json_is_array(lines) || json_array_size(lines) > LINES_MAX)
		return fail(reader, root, "workload",
			    _("\"%s\" must be a list of at most %d texts"), "workload",
			    LINES_MAX);
	json_array_foreach(lines, i, line)
	{
		if (!json_is_string(line))
			return fail(reader, root, "workload",
				    _("\"%s\" must be a list of at most %d texts"),
				    "workload", LINES_MAX);
		text_addf(&text, "%s\n", json_string_value(line));
	}
	if (text.error)
		return text.error;
	snprintf(name, sizeof(name), "%s: workload", reader->document->name);
	return fio_file_parse(text.data ? text.data : "", text.len, name, &options,
			      &ret->workload, reader->diag);
}

/* A load of its own may have no end. */
static int read_times(const struct reader *reader, json_t *root, struct published *ret)
{
	double warmup_ms = 0, runtime_ms = 0;
	int r = get_number(reader, root, "warmup_ms", 0, RUNTIME_MAX_MS, &warmup_ms);

	if (r == 0)
		r = get_number(reader, root, "runtime_ms", 1, RUNTIME_MAX_MS, &runtime_ms);
	if (r == 0 && runtime_ms == 0)
		return fail(reader, root, "runtime_ms", _("\"%s\" must be a number from %g to %g"),
			    "runtime_ms", 1.0, (double)RUNTIME_MAX_MS);
	if (r == 0 && warmup_ms >= runtime_ms)
		return fail(reader, root, "warmup_ms",
			    _("nothing would be counted: the warm-up is as long as the run"));
	ret->warmup_ns = (uint64_t)(warmup_ms * 1e6);
	ret->runtime_ns = (uint64_t)(runtime_ms * 1e6);
	return r;
}

static int read_conditions(const struct reader *reader, json_t *root,
			   struct published *ret)
{
	char kernel[32];
	int r;

	r = get_word(reader, root, "kernel", kernel, sizeof(kernel));
	if (r == 0 && kernel_version_parse(kernel, &ret->kernel) < 0)
		return fail(reader, root, "kernel", _("\"%s\" is no kernel version"),
			    kernel);
	if (r == 0)
		r = read_machine(reader, root, ret);
	if (r == 0)
		r = read_medium(reader, root, ret);
	if (r == 0)
		r = read_workload(reader, root, ret);
	ret->devices = ret->seeds = 1;
	if (r == 0)
		r = get_unsigned(reader, root, "devices", 1, SIM_DEVICES_MAX,
				 &ret->devices);
	if (r == 0 && ret->workload.devices > ret->devices)
		return fail(reader, root, json_object_get(root, "devices") ? "devices" : "workload",
			    _("the jobs of \"workload\" name %u devices, and \"devices\" is %u"),
			    ret->workload.devices, ret->devices);
	if (r == 0 && ret->has_last_medium && ret->devices < 2)
		return fail(reader, root, "last_medium",
			    _("\"%s\" is of the last of several \"%s\""), "last_medium",
			    "devices");
	if (r == 0)
		r = get_unsigned(reader, root, "nr_requests", 1, SIM_HW_DEPTH_MAX,
				 &ret->nr_requests);
	if (r == 0)
		r = get_unsigned(reader, root, "seeds", 1, EXPERIMENT_SEEDS_MAX,
				 &ret->seeds);
	return r < 0 ? r : read_times(reader, root, ret);
}

/* --- rows ---------------------------------------------------------------------------------- */

/* The scheduler's place; a new one for a new name. */
static int place_of(struct published *ret, const char *name)
{
	const struct scheduler *row = scheduler_find(name);

	for (size_t i = 0; i < ret->scheduler_count; i++) {
		if (strcmp(ret->schedulers[i], name) == 0)
			return (int)i;
	}
	if (!row || ret->scheduler_count == PUBLISHED_SCHEDULERS_MAX)
		return -EINVAL;
	ret->schedulers[ret->scheduler_count] = row->name;
	return (int)ret->scheduler_count++;
}

static int read_measured(const struct reader *reader, json_t *object,
			 struct published_row *row, struct published *ret)
{
	json_t *measured = json_object_get(object, "measured"), *value;
	const char *name;

	if (!json_is_object(measured))
		return fail(reader, object, "measured", _("\"%s\" must be an object"),
			    "measured");
	json_object_foreach(measured, name, value)
	{
		int place = place_of(ret, name), r;

		if (place < 0)
			return fail(reader, measured, name,
				    _("there is no scheduler \"%.40s\""), name);
		r = get_number(reader, measured, name, MEASURED_MIN, MEASURED_MAX,
			       &row->values[place].measured);
		if (r < 0)
			return r;
		row->values[place].is_given = true;
	}
	return 0;
}

static int read_direction(const struct reader *reader, const json_t *object,
			  struct published_row *row)
{
	const char *direction = json_string_value(json_object_get(object, "direction"));

	row->direction = -1;
	if (!direction)
		return 0;
	if (strcmp(direction, "read") == 0)
		row->direction = SIM_DIR_READ;
	else if (strcmp(direction, "write") == 0)
		row->direction = SIM_DIR_WRITE;
	else
		return fail(reader, object, "direction",
			    _("\"%s\" must be \"read\" or \"write\""), "direction");
	return 0;
}

static bool has_job(const struct published *published, const char *name)
{
	for (size_t i = 0; i < published->workload.job_count; i++)
		if (strcmp(published->workload.jobs[i].name, name) == 0)
			return true;
	return false;
}

static int read_row(const struct reader *reader, json_t *object,
		    struct published_row *row, struct published *ret)
{
	static const char *const keys[] = { "figure",     "direction", "job",
					    "order_only", "measured",  NULL };
	char figure[16];
	size_t i = 0;
	int r = check_keys(reader, object, keys);

	if (r == 0)
		r = get_word(reader, object, "figure", figure, sizeof(figure));
	if (r < 0)
		return r;
	while (i < PUBLISHED_FIGURES && strcmp(figure_names[i], figure) != 0)
		i++;
	if (i == PUBLISHED_FIGURES)
		return fail(reader, object, "figure", _("there is no figure \"%s\""),
			    figure);
	row->figure = (enum published_figure)i;
	row->is_order_only = json_is_true(json_object_get(object, "order_only"));
	r = read_direction(reader, object, row);
	if (r == 0 && json_object_get(object, "job"))
		r = get_word(reader, object, "job", row->job, sizeof(row->job));
	if (r < 0)
		return r;
	if (row->job[0] && !has_job(ret, row->job))
		return fail(reader, object, "job", _("there is no job \"%.40s\" in \"workload\""),
			    row->job);
	if (row->direction < 0 && (row->job[0] || (row->figure > PUBLISHED_MEAN &&
						   row->figure != PUBLISHED_CPU)))
		return fail(reader, object, "figure", _("\"%s\" needs a direction"),
			    figure);
	if (row->direction >= 0 && row->figure == PUBLISHED_CPU)
		return fail(reader, object, "direction", _("\"%s\" has no direction"),
			    figure);
	return read_measured(reader, object, row, ret);
}

static int read_rows(const struct reader *reader, json_t *root, struct published *ret)
{
	json_t *rows = json_object_get(root, "rows"), *row;
	char reference[32];
	size_t i;
	int r = get_word(reader, root, "reference", reference, sizeof(reference));

	if (r < 0)
		return r;
	if (place_of(ret, reference) < 0)
		return fail(reader, root, "reference",
			    _("there is no scheduler \"%.40s\""), reference);
	if (!json_is_array(rows) || json_array_size(rows) < 1 ||
	    json_array_size(rows) > PUBLISHED_ROWS_MAX)
		return fail(reader, root, "rows",
			    _("\"%s\" must be a list of 1 to %d objects"), "rows",
			    PUBLISHED_ROWS_MAX);
	json_array_foreach(rows, i, row)
	{
		if (!json_is_object(row))
			return fail(reader, root, "rows", _("\"%s\" must be an object"),
				    "rows");
		r = read_row(reader, row, &ret->rows[ret->row_count++], ret);
		if (r < 0)
			return r;
	}
	return 0;
}

/* --- the whole ------------------------------------------------------------------------------- */

static int read_words(const struct reader *reader, json_t *root, struct published *ret)
{
	static const char *const keys[] = {
		"experiment",  "table",     "title",      "source",  "remark",
		"kernel",      "machine",   "medium",     "devices", "last_medium",
		"nr_requests", "workload",  "warmup_ms",  "runtime_ms", "seeds",
		"reference",   "contradicts", "rows",     NULL,
	};
	int r = check_keys(reader, root, keys);

	if (r == 0)
		r = get_word(reader, root, "experiment", ret->experiment,
			     sizeof(ret->experiment));
	if (r == 0)
		r = get_word(reader, root, "table", ret->table, sizeof(ret->table));
	if (r == 0)
		r = get_text(reader, root, "title", true, &ret->title);
	if (r == 0)
		r = get_text(reader, root, "source", true, &ret->source);
	if (r == 0)
		r = get_text(reader, root, "remark", false, &ret->remark);
	return r < 0 ? r
		     : get_text(reader, root, "contradicts", false, &ret->contradicts);
}

int published_parse(const char *text, size_t len, const char *name, struct published *ret,
		    struct diag *diag)
{
	_json_document_ struct json_document document = { 0 };
	struct reader reader = { &document, diag };
	int r;

	*ret = (struct published){ .seeds = 1 };
	r = json_document_parse(text, len, name, &document, diag);
	if (r == 0)
		r = read_words(&reader, document.root, ret);
	if (r == 0)
		r = read_conditions(&reader, document.root, ret);
	if (r == 0)
		r = read_rows(&reader, document.root, ret);
	if (r < 0)
		published_done(ret);
	return r;
}

void published_done(struct published *published)
{
	free(published->title);
	free(published->source);
	free(published->remark);
	free(published->contradicts);
	workload_done(&published->workload);
	*published = (struct published){ 0 };
}
