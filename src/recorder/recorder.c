// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The recording: the kernel's text is read as it comes, until the time is over, a signal
 * comes, the file is large enough or the disk is gone. Tracing ends before the last reading.
 */
#include "recorder/recorder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/recorder-internal.h"
#include "util/clock.h"
#include "util/i18n.h"
#include "util/signals.h"

#define READ_SIZE    (256u * 1024)
#define PAUSE_MS     20
#define PROGRESS_NS  250000000u
/* Read at most so often before time and signals are looked at again. */
#define READS_AT_ONCE 64

struct recording {
	const struct recorder_options *options;
	struct recorder_result *result;
	struct instance *instance;
	struct writer *writer;
	struct lines lines;
	struct held_signals *signals;
	uint64_t begin_ns, shown_ns;
	char buffer[READ_SIZE];
};

/* --- reading -------------------------------------------------------------------------------- */

static int take(struct recording *recording, const char *data, size_t len)
{
	_text_ struct text text = { 0 };
	int error = lines_take(&recording->lines, data, len, &text);

	if (error || !text.len)
		return error;
	recording->result->text_bytes += text.len;
	return writer_add(recording->writer, text.data, text.len);
}

/* 1: there may be more; 0: nothing at the moment. */
static int read_some(struct recording *recording)
{
	for (unsigned i = 0; i < READS_AT_ONCE; i++) {
		ssize_t n = read(instance_get_fd(recording->instance), recording->buffer,
				 READ_SIZE);
		int error;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		if (n <= 0)
			return 0;
		error = take(recording, recording->buffer, (size_t)n);
		if (error)
			return error;
	}
	return 1;
}

static void update(struct recording *recording)
{
	struct recorder_result *result = recording->result;

	result->events = recording->lines.events;
	result->file_bytes = writer_get_size(recording->writer);
	result->time_ns = clock_now_ns() - recording->begin_ns;
}

static void show(struct recording *recording)
{
	const struct recorder_options *options = recording->options;
	struct recorder_result *result = recording->result;
	struct recorder_progress progress;

	if (!options->on_progress || clock_now_ns() - recording->shown_ns < PROGRESS_NS)
		return;
	recording->shown_ns = clock_now_ns();
	progress = (struct recorder_progress){
		.events = result->events,
		.lost = instance_count_lost(recording->instance),
		.file_bytes = result->file_bytes,
		.time_ns = result->time_ns,
	};
	options->on_progress(options->context, &progress);
}

static bool is_gone(const struct recording *recording)
{
	return !root_exists(recording->options->root, recording->options->device->sys_path);
}

/* Whether it ends now, and by what. */
static bool has_ended(struct recording *recording)
{
	const struct recorder_options *options = recording->options;
	struct recorder_result *result = recording->result;
	uint64_t size_max = options->size_max ? options->size_max : RECORDER_SIZE_MAX_DEFAULT;

	if (signals_check(recording->signals))
		result->end = RECORDER_SIGNAL;
	else if (options->time_ns && result->time_ns >= options->time_ns)
		result->end = RECORDER_TIME;
	else if (result->file_bytes >= size_max)
		result->end = RECORDER_SIZE;
	else if (is_gone(recording))
		result->end = RECORDER_DEVICE_GONE;
	else
		return false;
	return true;
}

static int record(struct recording *recording)
{
	int r = instance_switch(recording->instance, true);

	while (r >= 0) {
		r = read_some(recording);
		update(recording);
		show(recording);
		if (r < 0 || has_ended(recording))
			break;
		if (r == 0)
			signals_wait(recording->signals, PAUSE_MS);
	}
	instance_switch(recording->instance, false);
	/* What was recorded until then, and not more than was there. */
	while (r >= 0 && (r = read_some(recording)) > 0)
		;
	recording->result->lost = instance_count_lost(recording->instance);
	return r;
}

/* --- the whole ------------------------------------------------------------------------------- */

static int write_header(struct recording *recording)
{
	_text_ struct text text = { 0 };
	int error;

	recording->result->hz = kernel_find_hz(recording->options->root);
	error = header_add(recording->options, recording->result->hz, &text);
	return error ? error : writer_add(recording->writer, text.data, text.len);
}

static int say_write_error(const struct recording *recording, int error, struct diag *diag)
{
	return diag_set(diag, error, _("cannot write \"%s\": %s; what was recorded until then is "
				       "in it"), recording->options->path, strerror(-error));
}

static int run(struct recording *recording, struct diag *diag)
{
	int error = write_header(recording), end;

	if (!error)
		error = record(recording);
	/* Also after an error: what is there can be read then. */
	end = writer_close(recording->writer);
	if (!error)
		error = end;
	update(recording);
	return error < 0 ? say_write_error(recording, error, diag) : 0;
}

/* Its parts; the instance is gone again at the end. */
static int set_up_and_run(struct recording *recording, const struct disk_numbers *numbers,
			  struct diag *diag)
{
	const struct recorder_options *options = recording->options;
	_cleanup_(cleanup_instance_free) struct instance *instance = NULL;
	_cleanup_(cleanup_writer_free) struct writer *writer = NULL;
	int error = instance_new(options, numbers, &instance, diag);

	if (!error)
		error = writer_open(options->path, options->replaces, &writer, diag);
	if (!error)
		error = lines_init(&recording->lines, numbers);
	if (error)
		return error;
	recording->instance = instance;
	recording->writer = writer;
	recording->begin_ns = clock_now_ns();
	error = run(recording, diag);
	lines_done(&recording->lines);
	return error;
}

int recorder_run(const struct recorder_options *options, struct recorder_result *ret,
		 struct diag *diag)
{
	static const struct recorder_result nothing;
	_held_signals_ struct held_signals signals = SIGNALS_NONE;
	_free_ struct recording *recording = calloc(1, sizeof(*recording));
	struct disk_numbers numbers;
	int error;

	*ret = nothing;
	if (!recording)
		return -ENOMEM;
	if (root_get_kind(options->root) != ROOT_HOST)
		return diag_set(diag, -EOPNOTSUPP,
				_("only disks of the running system can be recorded"));
	error = event_check_names(options->events, diag);
	if (!error)
		error = disk_numbers_read(options->root, options->device, &numbers);
	if (error)
		return error;
	recording->options = options;
	recording->result = ret;
	recording->signals = &signals;
	/* From before there is an instance until it is gone: nothing but SIGKILL leaves it.
	   Also SIGINT that is ignored, as in the background of a script: it has no other end. */
	error = signals_hold(SIGNALS_HANGUP | SIGNALS_QUIT | SIGNALS_IGNORED, &signals);
	if (!error)
		error = set_up_and_run(recording, &numbers, diag);
	ret->signal = signals.number;
	return error;
}
