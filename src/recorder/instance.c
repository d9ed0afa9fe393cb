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
	int fd;
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
		return diag_set(diag, -EACCES, _("the tracing instances cannot be listed"));
	for (size_t i = 0; i < names.count; i++) {
		int error = destroy(names.items[i]);

		if (error)
			return diag_set(diag, error,
					_("cannot remove the tracing instance \"%s\" that a "
					  "killed recording left: %s"), names.items[i],
					strerror(-error));
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
	return diag_set(diag, errno ? -errno : -EIO,
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
				  numbers->parts[i].major << 20 | numbers->parts[i].minor);
	}
	return ret->error;
}

static int enable_event(struct instance *instance, const struct event_row *row,
			const struct disk_numbers *numbers, struct diag *diag)
{
	_text_ struct text filter = { 0 };
	_free_ char *path = NULL, *enable = NULL;
	int error = 0;

	if (asprintf(&path, "events/%s/%s/filter", row->system, row->name) < 0 ||
	    asprintf(&enable, "events/%s/%s/enable", row->system, row->name) < 0)
		return -ENOMEM;
	if (!tracefs_file_exists(instance->tracefs, enable)) {
		if (row->is_optional)
			return 0;
		return diag_set(diag, -EOPNOTSUPP, _("this kernel has no event %s"), row->name);
	}
	if (row->reach != EVENT_OF_NO_DISK) {
		error = make_filter(row, numbers, &filter);
		if (!error)
			error = write_file(instance, path, filter.data, diag);
	}
	return error ? error : write_file(instance, enable, "1", diag);
}

static int set_up(struct instance *instance, const struct recorder_options *options,
		  const struct disk_numbers *numbers, struct diag *diag)
{
	const struct event_row *row;
	_free_ char *pipe = NULL;
	char size[32];
	int error;

	tracefs_trace_off(instance->tracefs);
	snprintf(size, sizeof(size), "%u",
		 options->buffer_kib ? options->buffer_kib : RECORDER_BUFFER_KIB_DEFAULT);
	error = write_file(instance, "buffer_size_kb", size, diag);
	for (unsigned i = 0; !error && (row = event_get(i)); i++)
		if (event_is_asked(row, options->events))
			error = enable_event(instance, row, numbers, diag);
	if (error)
		return error;
	pipe = tracefs_instance_get_file(instance->tracefs, "trace_pipe");
	if (!pipe)
		return -ENOMEM;
	instance->fd = open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (instance->fd < 0)
		return diag_set(diag, -errno, _("cannot read the tracing instance's events: %s"),
				strerror(errno));
	return 0;
}

int instance_new(const struct recorder_options *options, const struct disk_numbers *numbers,
		 struct instance **ret, struct diag *diag)
{
	_cleanup_(cleanup_instance_free) struct instance *instance =
		calloc(1, sizeof(*instance));
	char name[64];
	int error;

	if (!instance)
		return -ENOMEM;
	instance->fd = -1;
	if (!tracefs_tracing_dir())
		return diag_set(diag, -EOPNOTSUPP,
				_("there is no tracefs: the kernel has none, or it cannot be "
				  "mounted here (root is needed)"));
	snprintf(name, sizeof(name), NAME_PREFIX "%d", (int)getpid());
	instance->tracefs = tracefs_instance_create(name);
	if (!instance->tracefs) {
		error = errno ? -errno : -EIO;
		return diag_set(diag, error, _("cannot make the tracing instance \"%s\": %s"),
				name, strerror(-error));
	}
	error = set_up(instance, options, numbers, diag);
	if (error)
		return error;
	*ret = TAKE_PTR(instance);
	return 0;
}

void instance_free(struct instance *instance)
{
	if (!instance)
		return;
	if (instance->fd >= 0)
		close(instance->fd);
	if (instance->tracefs) {
		tracefs_trace_off(instance->tracefs);
		tracefs_instance_destroy(instance->tracefs);
		tracefs_instance_free(instance->tracefs);
	}
	free(instance);
}

int instance_switch(struct instance *instance, bool is_on)
{
	int r = is_on ? tracefs_trace_on(instance->tracefs) :
			tracefs_trace_off(instance->tracefs);

	return r < 0 ? (errno ? -errno : -EIO) : 0;
}

int instance_get_fd(const struct instance *instance)
{
	return instance->fd;
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
				     strcspn(at + strlen(keys[i]), "\n")) :
			     NULL;
		if (value && number_parse_range(value, 0, INT64_MAX, &number) == 0)
			sum += (uint64_t)number;
	}
	return sum;
}

uint64_t instance_count_lost(const struct instance *instance)
{
	long count = sysconf(_SC_NPROCESSORS_CONF);
	uint64_t lost = 0;

	for (long cpu = 0; cpu < count; cpu++) {
		_free_ char *path = NULL;
		char *stats;

		if (asprintf(&path, "per_cpu/cpu%ld/stats", cpu) < 0)
			break;
		stats = tracefs_instance_file_read(instance->tracefs, path, NULL);
		if (stats)
			lost += count_overrun(stats);
		free(stats);
	}
	return lost;
}

#else /* HAVE_TRACEFS */

struct instance {
	int fd;
};

int recorder_remove_stale(struct diag *diag)
{
	(void)diag;
	return 0;
}

int instance_new(const struct recorder_options *options, const struct disk_numbers *numbers,
		 struct instance **ret, struct diag *diag)
{
	(void)options;
	(void)numbers;
	(void)ret;
	return diag_set(diag, -EOPNOTSUPP,
			_("this iosched-tune was built without libtracefs (1.3 or later)"));
}

void instance_free(struct instance *instance)
{
	(void)instance;
}

int instance_switch(struct instance *instance, bool is_on)
{
	(void)instance;
	(void)is_on;
	return -EOPNOTSUPP;
}

int instance_get_fd(const struct instance *instance)
{
	return instance->fd;
}

uint64_t instance_count_lost(const struct instance *instance)
{
	(void)instance;
	return 0;
}

#endif
