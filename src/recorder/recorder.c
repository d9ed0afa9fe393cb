// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The recording: the kernel's events are read as they come, until the time is over, a signal
 * comes, the file is large enough or the disk is gone. Tracing ends before the last reading.
 */
#include "recorder/recorder.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/recorder-internal.h"
#include "sysfs/paths.h"
#include "util/clock.h"
#include "util/i18n.h"
#include "util/signals.h"

#define PAUSE_MS    20
#define PROGRESS_NS 250000000u
/* Pages of a processor that are read before time and signals are looked at again. */
#define PAGES_AT_ONCE 256
/* Of text, before it goes to the file. */
#define TEXT_SIZE (256u * 1024)

struct recording {
	const struct recorder_options *options;
	struct recorder_result *result;
	struct instance *instance;
	struct writer *writer;
	struct format *format;
	struct held_signals *signals;
	uint64_t begin_ns, shown_ns;
	uint64_t header_bytes;
};

/* --- reading -------------------------------------------------------------------------------- */

/*
 * A thread of the kernel's that completes requests, mostly. Workers are called after what
 * they do, too ("kworker/0:1-events"), which is not their name.
 */
static bool find_process_name(void *context, uint32_t pid, char *ret, size_t size)
{
	const struct recording *recording = context;
	_free_ char *text = NULL;
	char path[64];
	size_t len;

	snprintf(path, sizeof(path), PATH_PROC "/%u/comm", pid);
	if (root_read(recording->options->root, path, &text) < 0)
		return false;
	len = strcspn(text, text_starts_with(text, "kworker/") ? "-+\n" : "\n");
	snprintf(ret, size, "%.*s", (int)len, text);
	return true;
}

static int write_text(struct recording *recording, struct text *text)
{
	int error = text->error;

	if (!error && text->len)
		error = writer_add(recording->writer, text->data, text->len);
	recording->result->text_bytes += text->len;
	text->len = 0;
	return error;
}

/* The events of which it is known that none before them is to come. */
static int take_events(struct recording *recording)
{
	_text_ struct text text = { 0 };
	struct page_event event;
	int error = 0;

	while (!error && instance_next(recording->instance, &event)) {
		error = format_add(recording->format, &event, &text);
		if (!error && text.len >= TEXT_SIZE)
			error = write_text(recording, &text);
	}
	return error ? error : write_text(recording, &text);
}

/* Pages that were read; 0: there is nothing at the moment. */
static int read_some(struct recording *recording)
{
	int count = instance_read(recording->instance, PAGES_AT_ONCE);
	int error = count < 0 ? count : take_events(recording);

	return error ? error : count;
}

static void update(struct recording *recording)
{
	struct recorder_result *result = recording->result;

	result->events = format_count(recording->format);
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
	return !root_exists(recording->options->root,
			    recording->options->device->sys_path);
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
	if (r >= 0) {
		instance_end_reading(recording->instance);
		r = take_events(recording);
	}
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
	if (!error)
		error = writer_add(recording->writer, text.data, text.len);
	/* Without room even for it, nothing is waited for. */
	if (!error)
		error = writer_flush(recording->writer);
	recording->header_bytes = writer_get_size(recording->writer);
	return error;
}

static int say_write_error(const struct recording *recording, int error,
			   struct diag *diag)
{
	if (writer_get_size(recording->writer) <= recording->header_bytes)
		return diag_set(diag, error, _("cannot write \"%s\": %s; nothing was recorded"),
				recording->options->path, strerror(-error));
	return diag_set(diag, error,
			_("cannot write \"%s\": %s; what was recorded until then is "
			  "in it"),
			recording->options->path, strerror(-error));
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
	_cleanup_(cleanup_format_free) struct format *format = NULL;
	_cleanup_(cleanup_instance_free) struct instance *instance = NULL;
	_cleanup_(cleanup_writer_free) struct writer *writer = NULL;
	int error = format_new(numbers, find_process_name, recording, &format);

	if (!error)
		error = instance_new(options, numbers, format, &instance, diag);
	if (!error)
		error = writer_open(options->path, options->replaces, &writer, diag);
	if (error)
		return error;
	recording->format = format;
	recording->instance = instance;
	recording->writer = writer;
	recording->begin_ns = clock_now_ns();
	return run(recording, diag);
}

int recorder_check_root(const struct root *root, struct diag *diag)
{
	if (root_get_kind(root) == ROOT_HOST)
		return 0;
	return diag_set(diag, -EROFS, _("only disks of the running system can be recorded"));
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
	error = recorder_check_root(options->root, diag);
	if (!error)
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
