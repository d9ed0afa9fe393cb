// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A tracefs instance of our own: its events, filters and buffers disturb no other tracer.
 * It is named "iosched-tune-PID"; the process of a stale one is gone.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/recorder-internal.h"
#include "util/feature.h"
#include "util/i18n.h"
#include "util/number.h"

#if HAVE_TRACEFS

#include <tracefs.h>

#define NAME_PREFIX "iosched-tune-"

struct instance {
	struct tracefs_instance *tracefs;
	struct pages *pages;
	unsigned cpu_count;
	int fds[]; /* of each processor's pages; -1: it has none */
};

/* --- what killed ones left ----------------------------------------------------------------- */

static bool is_stale(const char *name)
{
	int64_t pid;

	return text_starts_with(name, NAME_PREFIX) &&
	       number_parse_range(name + strlen(NAME_PREFIX), 1, INT32_MAX, &pid) == 0 &&
	       kill((pid_t)pid, 0) < 0 && errno == ESRCH;
}

static int keep_stale(const char *name, void *data)
{
	return is_stale(name) ? strv_add(data, name) : 0;
}

static int destroy(const char *name)
{
	struct tracefs_instance *instance = tracefs_instance_create(name);
	int error;

	if (!instance)
		return -errno;
	tracefs_trace_off(instance);
	error = tracefs_instance_destroy(instance) < 0 ? -errno : 0;
	tracefs_instance_free(instance);
	return error;
}

int recorder_remove_stale(struct diag *diag)
{
	_strv_ struct strv names = { 0 };
	int count = 0;

	if (!tracefs_tracing_dir())
		return 0;
	if (tracefs_instances_walk(keep_stale, &names) < 0)
		return diag_set(diag, -EACCES,
				_("the tracing instances cannot be listed"));
	for (size_t i = 0; i < names.count; i++) {
		int error = destroy(names.items[i]);

		if (error)
			return diag_set(
				diag, error,
				_("cannot remove the tracing instance \"%s\" that a "
				  "killed recording left: %s"),
				names.items[i], strerror(-error));
		count++;
	}
	return count;
}

/* --- setting up ---------------------------------------------------------------------------- */

static int write_file(struct instance *instance, const char *file, const char *value,
		      struct diag *diag)
{
	/* libtracefs gives the number of bytes, -1 otherwise. */
	if (tracefs_instance_file_write(instance->tracefs, file, value) >= 0)
		return 0;
	return diag_set(
		diag, errno ? -errno : -EIO,
		_("the kernel does not take \"%s\" for %s of the tracing instance: %s"),
		value, file, strerror(errno));
}

static int make_filter(const struct event_row *row, const struct disk_numbers *numbers,
		       struct text *ret)
{
	/* The kernel's device numbers, as in its filters: 12 bits above 20. */
	text_addf(ret, "dev == %u", numbers->major << 20 | numbers->minor);
	if (row->reach == EVENT_OF_BIO) {
		for (size_t i = 0; i < numbers->part_count; i++)
			text_addf(ret, " || dev == %u",
				  numbers->parts[i].major << 20 |
					  numbers->parts[i].minor);
	}
	return ret->error;
}

static int set_filter(struct instance *instance, const struct event_row *row,
		      const struct disk_numbers *numbers, struct diag *diag)
{
	_text_ struct text filter = { 0 };
	_free_ char *path = NULL;
	int error = make_filter(row, numbers, &filter);

	if (error || asprintf(&path, "events/%s/%s/filter", row->system, row->name) < 0)
		return error ? error : -ENOMEM;
	return write_file(instance, path, filter.data, diag);
}

static int enable_event(struct instance *instance, const struct event_row *row,
			const struct disk_numbers *numbers, struct format *format,
			struct diag *diag)
{
	_free_ char *enable = NULL, *description = NULL;
	int len, error;

	if (asprintf(&enable, "events/%s/%s/enable", row->system, row->name) < 0)
		return -ENOMEM;
	if (!tracefs_file_exists(instance->tracefs, enable)) {
		if (row->is_optional)
			return 0;
		return diag_set(diag, -EOPNOTSUPP, _("this kernel has no event %s"),
				row->name);
	}
	description = tracefs_event_file_read(instance->tracefs, row->system, row->name,
					      "format", &len);
	if (!description)
		return diag_set(diag, errno ? -errno : -EIO,
				_("cannot read how the kernel describes the event %s"),
				row->name);
	error = format_add_event(format, row, description, (size_t)len, diag);
	if (!error && row->reach != EVENT_OF_NO_DISK)
		error = set_filter(instance, row, numbers, diag);
	return error ? error : write_file(instance, enable, "1", diag);
}

/* A processor that is not there has no file. */
static int open_pages(struct instance *instance, struct diag *diag)
{
	for (unsigned cpu = 0; cpu < instance->cpu_count; cpu++) {
		_free_ char *file = NULL;
		char *path;

		if (asprintf(&file, "per_cpu/cpu%u/trace_pipe_raw", cpu) < 0)
			return -ENOMEM;
		path = tracefs_instance_get_file(instance->tracefs, file);
		if (!path)
			return -ENOMEM;
		instance->fds[cpu] = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		tracefs_put_tracing_file(path);
		if (instance->fds[cpu] < 0 && errno != ENOENT)
			return diag_set(
				diag, -errno,
				_("cannot read the tracing instance's events: %s"),
				strerror(errno));
	}
	return 0;
}

static int make_pages(struct instance *instance, struct diag *diag)
{
	_free_ char *description =
		tracefs_instance_file_read(NULL, "events/header_page", NULL);
	struct page_shape shape;
	int error = description ? page_shape_parse(description, &shape) : -EIO;

	if (!error)
		error = pages_new(instance->cpu_count, &shape, &instance->pages);
	if (error && error != -ENOMEM)
		return diag_set(diag, error,
				_("the kernel describes its pages of events in a "
				  "way that this version does not understand"));
	return error;
}

static int set_up(struct instance *instance, const struct recorder_options *options,
		  const struct disk_numbers *numbers, struct format *format,
		  struct diag *diag)
{
	const struct event_row *row;
	char size[32];
	int error;

	tracefs_trace_off(instance->tracefs);
	snprintf(size, sizeof(size), "%u",
		 options->buffer_kib ? options->buffer_kib : RECORDER_BUFFER_KIB_DEFAULT);
	error = write_file(instance, "buffer_size_kb", size, diag);
	for (unsigned i = 0; !error && (row = event_get(i)); i++)
		if (event_is_asked(row, options->events))
			error = enable_event(instance, row, numbers, format, diag);
	if (!error)
		error = make_pages(instance, diag);
	return error ? error : open_pages(instance, diag);
}

int instance_new(const struct recorder_options *options,
		 const struct disk_numbers *numbers, struct format *format,
		 struct instance **ret, struct diag *diag)
{
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	_cleanup_(cleanup_instance_free) struct instance *instance = calloc(
		1, sizeof(*instance) + (size_t)(cpus > 0 ? cpus : 1) * sizeof(int));
	char name[64];
	int error;

	if (!instance)
		return -ENOMEM;
	instance->cpu_count = cpus > 0 ? (unsigned)cpus : 1;
	for (unsigned i = 0; i < instance->cpu_count; i++)
		instance->fds[i] = -1;
	if (!tracefs_tracing_dir())
		return diag_set(
			diag, -EOPNOTSUPP,
			_("there is no tracefs: the kernel has none, or it cannot be "
			  "mounted here (root is needed)"));
	snprintf(name, sizeof(name), NAME_PREFIX "%d", (int)getpid());
	instance->tracefs = tracefs_instance_create(name);
	if (!instance->tracefs) {
		error = errno ? -errno : -EIO;
		return diag_set(diag, error,
				_("cannot make the tracing instance \"%s\": %s"), name,
				strerror(-error));
	}
	error = set_up(instance, options, numbers, format, diag);
	if (error)
		return error;
	*ret = TAKE_PTR(instance);
	return 0;
}

void instance_free(struct instance *instance)
{
	if (!instance)
		return;
	for (unsigned i = 0; i < instance->cpu_count; i++) {
		if (instance->fds[i] >= 0)
			close(instance->fds[i]);
	}
	pages_free(instance->pages);
	if (instance->tracefs) {
		tracefs_trace_off(instance->tracefs);
		tracefs_instance_destroy(instance->tracefs);
		tracefs_instance_free(instance->tracefs);
	}
	free(instance);
}

int instance_switch(struct instance *instance, bool is_on)
{
	int r = is_on ? tracefs_trace_on(instance->tracefs)
		      : tracefs_trace_off(instance->tracefs);

	return r < 0 ? (errno ? -errno : -EIO) : 0;
}

int instance_read(struct instance *instance, unsigned max)
{
	int count = 0;

	for (unsigned cpu = 0; cpu < instance->cpu_count; cpu++) {
		int r = instance->fds[cpu] < 0 ? 0
					       : pages_read(instance->pages, cpu,
							    instance->fds[cpu], max);

		if (r < 0)
			return r;
		count += r;
	}
	pages_end_reading(instance->pages, count == 0);
	return count;
}

void instance_end_reading(struct instance *instance)
{
	pages_end_reading(instance->pages, true);
}

bool instance_next(struct instance *instance, struct page_event *ret)
{
	return pages_next(instance->pages, ret);
}

/* "overrun: 12" of each processor: written over before they were read. */
static uint64_t count_overrun(const char *stats)
{
	static const char *const keys[] = { "overrun: ", "dropped events: " };
	uint64_t sum = 0;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		const char *at = strstr(stats, keys[i]);
		_free_ char *value = NULL;
		int64_t number;

		if (at && i == 0 && at > stats && at[-1] != '\n')
			at = NULL; /* "commit overrun" */
		value = at ? strndup(at + strlen(keys[i]),
				     strcspn(at + strlen(keys[i]), "\n"))
			   : NULL;
		if (value && number_parse_range(value, 0, INT64_MAX, &number) == 0)
			sum += (uint64_t)number;
	}
	return sum;
}

uint64_t instance_count_lost(const struct instance *instance)
{
	uint64_t lost = 0;

	for (unsigned cpu = 0; cpu < instance->cpu_count; cpu++) {
		_free_ char *path = NULL;
		char *stats;

		if (asprintf(&path, "per_cpu/cpu%u/stats", cpu) < 0)
			break;
		stats = tracefs_instance_file_read(instance->tracefs, path, NULL);
		if (stats)
			lost += count_overrun(stats);
		free(stats);
	}
	return lost;
}

#endif /* HAVE_TRACEFS */
