// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * capture: the block layer's events of one disk, for replay, simulation and advice.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/progress.h"
#include "cmd/verb.h"
#include "device/device.h"
#include "recorder/recorder.h"
#include "report/json.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"
#include "util/number.h"

#define CAPTURE_NEEDS                                                             \
	(SCAN_BASICS | SCAN_SCHEDULER | SCAN_QUEUE | SCAN_QUEUE_ALL | SCAN_IOSCHED | \
	 SCAN_HWQUEUES | SCAN_CLASS | SCAN_STACK)

#define SIZE_MIN (64 * 1024)

struct capture_options {
	const char *output, *seconds, *buffer, *size;
	struct strv events;
	bool replaces;
};

#define FIELD(field) OPTION_FIELD(struct capture_options, field)

static const struct option_spec capture_specs[] = {
	{ 'o', "output", VALUE_FILE, "FILE",
	  .help = N_("the recording; .zst and .gz compress it"), .offset = FIELD(output) },
	{ 0, "seconds", VALUE_SECONDS, "SECONDS",
	  .help = N_("how long; without it until Ctrl-C"), .offset = FIELD(seconds) },
	{ 0, "events", VALUE_EVENT, "NAME,...", .is_repeatable = true,
	  .help = N_("only these events; without it all that a replay needs"),
	  .offset = FIELD(events) },
	{ 0, "buffer", VALUE_TEXT, "SIZE",
	  .help = N_("the kernel's buffer for each processor (4M); larger ones lose less"),
	  .offset = FIELD(buffer) },
	{ 0, "max-size", VALUE_TEXT, "SIZE",
	  .help = N_("end when the file has this size (1G)"), .offset = FIELD(size) },
	{ 'f', "force", .help = N_("replace a file that is there"), .offset = FIELD(replaces) },
};

/* --- the command line -------------------------------------------------------------------- */

static int read_size(const char *name, const char *text, int64_t min, int64_t max,
		     int64_t *ret, struct diag *diag)
{
	int error;

	if (!text)
		return 0;
	error = number_parse_unit(text, UNIT_BYTES, ret);
	if (error || *ret < min || *ret > max)
		return diag_set(diag, -EINVAL, _("--%s takes a size from %lldK to %lldM"), name,
				(long long)(min / 1024), (long long)(max / 1024 / 1024));
	return 0;
}

static int split_events(const struct strv *given, struct strv *ret)
{
	int error = 0;

	for (size_t i = 0; i < given->count && !error; i++)
		error = strv_split(ret, given->items[i], ",");
	return error;
}

static int check_line(const struct capture_options *options, struct recorder_options *ret,
		      struct diag *diag)
{
	int64_t buffer = 0, size = 0;
	int error;

	if (!options->output || !*options->output)
		return diag_set(diag, -EINVAL,
				_("--output says where the recording goes, for instance "
				  "-o disk.trace.zst"));
	if (strcmp(options->output, "-") == 0)
		return diag_set(diag, -EINVAL,
				_("a recording goes into a file, not to standard output"));
	error = read_size("buffer", options->buffer, SIZE_MIN,
			  (int64_t)RECORDER_BUFFER_KIB_MAX * 1024, &buffer, diag);
	if (!error)
		error = read_size("max-size", options->size, SIZE_MIN, INT64_C(1) << 50, &size,
				  diag);
	ret->path = options->output;
	ret->replaces = options->replaces;
	ret->buffer_kib = (unsigned)(buffer / 1024);
	ret->size_max = (uint64_t)size;
	return error;
}

/* --- output -------------------------------------------------------------------------------- */

static void show_progress(void *context, const struct recorder_progress *progress)
{
	double seconds = (double)progress->time_ns / 1e9;
	char size[32];

	number_format_size(progress->file_bytes, size, sizeof(size));
	progress_line_draw(context,
			   /* TRANSLATORS: a line of progress, drawn over and over; keep it short. */
			   _("%.0f s: %" PRIu64 " events, %.0f a second, %" PRIu64
			     " lost, %s"),
			   seconds, progress->events,
			   seconds > 0 ? (double)progress->events / seconds : 0.0,
			   progress->lost, size);
}

static const char *end_text(const struct recorder_result *result)
{
	switch (result->end) {
	case RECORDER_TIME:
		return _("the time was over");
	case RECORDER_SIGNAL:
		return result->signal == SIGINT ? _("Ctrl-C") : _("a signal");
	case RECORDER_SIZE:
		return _("the file was as large as it may be (--max-size)");
	case RECORDER_DEVICE_GONE:
		return _("the device is gone");
	}
	return "";
}

static int print_json(const struct recorder_options *options,
		      const struct recorder_result *result)
{
	static const char *const ends[] = {
		[RECORDER_TIME] = "time", [RECORDER_SIGNAL] = "signal",
		[RECORDER_SIZE] = "size", [RECORDER_DEVICE_GONE] = "device-gone",
	};
	json_t *root = json_envelope();
	int error = 0;

	json_put(root, "device", json_string(options->device->name), &error);
	json_put(root, "file", json_string(options->path), &error);
	json_put(root, "events", json_integer((json_int_t)result->events), &error);
	json_put(root, "lost", json_integer((json_int_t)result->lost), &error);
	json_put(root, "file_bytes", json_integer((json_int_t)result->file_bytes), &error);
	json_put(root, "time_ns", json_integer((json_int_t)result->time_ns), &error);
	json_put(root, "hz", result->hz ? json_integer(result->hz) : json_null(), &error);
	json_put(root, "end", json_string(ends[result->end]), &error);
	return json_print(root, error);
}

static int print_result(const struct cmd_context *context,
			const struct recorder_options *options,
			const struct recorder_result *result)
{
	char size[32];

	number_format_size(result->file_bytes, size, sizeof(size));
	if (result->lost)
		log_warning(_("the kernel lost %" PRIu64 " events for want of room: a larger "
			      "--buffer, or fewer --events, loses less"), result->lost);
	if (!result->hz)
		log_warning(_("the kernel's ticks a second are not known: replay takes --hz"));
	if (!result->events)
		log_warning(_("nothing was recorded: there was no I/O on %s"),
			    options->device->name);
	if (context->is_json)
		return print_json(options, result);
	printf(_("%s: %" PRIu64 " events in %.1f s, %" PRIu64 " lost, %s; ended because: "
		 "%s\n"),
	       options->path, result->events, (double)result->time_ns / 1e9, result->lost,
	       size, end_text(result));
	return 0;
}

/* --- the verb -------------------------------------------------------------------------------- */

static int record(const struct cmd_context *context, const char *name,
		  struct recorder_options *options, struct diag *diag)
{
	_cleanup_(cleanup_device_list_free) struct device_list *devices = NULL;
	struct recorder_result result;
	int error, stale;

	error = device_scan(context->root, CAPTURE_NEEDS, NULL, 0, &devices, diag);
	/* A name that there is not is a mistake in the command line. */
	if (!error)
		error = device_find(context->root, devices, name, &options->device, diag);
	if (error)
		return error == -ENODEV ? -EINVAL : error;
	if (!device_has_node(options->device))
		return diag_set(diag, -EOPNOTSUPP,
				_("%s is a hidden path: its events have no device number"),
				options->device->name);
	stale = recorder_remove_stale(diag);
	if (stale < 0)
		return stale;
	if (stale > 0)
		log_info(_("removed %d tracing instances that killed recordings left"), stale);
	error = recorder_run(options, &result, diag);
	progress_line_clear(options->context);
	return error ? error : print_result(context, options, &result);
}

static int run_capture(const struct cmd_context *context, const void *data,
		       const char *const *arguments, size_t argument_count)
{
	const struct capture_options *options = data;
	_strv_ struct strv events = { 0 };
	struct progress_line line = progress_line_make();
	struct recorder_options recorder = { .root = context->root,
					     .events = &events,
					     .on_progress = show_progress,
					     .context = &line };
	struct diag diag = { 0 };
	unsigned time_ms = 0;
	int status, error;

	(void)argument_count;
	error = check_line(options, &recorder, &diag);
	if (error)
		return cmd_fail_usage(&verb_capture, &diag);
	status = cmd_read_timeout(&verb_capture, "seconds", options->seconds, &time_ms);
	if (status)
		return status;
	error = split_events(&options->events, &events);
	if (error)
		return cmd_fail(&diag, error);
	if (options->events.count && !events.count) {
		diag_set(&diag, -EINVAL, _("--events names no event"));
		return cmd_fail_usage(&verb_capture, &diag);
	}
	recorder.time_ns = (uint64_t)time_ms * 1000000;
	error = record(context, arguments[0], &recorder, &diag);
	/* What the kernel, the build or the file cannot do is no mistake in the command line. */
	if (error == -EOPNOTSUPP || error == -EROFS)
		return cmd_fail(&diag, error);
	return error ? cmd_fail_request(&verb_capture, &diag, error) : EXIT_STATUS_DONE;
}

static const struct verb_example examples[] = {
	{ "iosched-tune capture sda --seconds 60 -o sda.trace.zst",
	  N_("a minute of what the disk is asked for") },
	{ "iosched-tune simulate sda --trace sda.trace.zst --scheduler mq-deadline,bfq",
	  N_("the same load under other schedulers") },
	{ "iosched-tune simulate --replay sda.trace.zst",
	  N_("does the engine decide as this kernel did?") },
	{ 0 },
};

const struct verb verb_capture = {
	.name = "capture",
	.summary = N_("Record what a device is asked for"),
	.usage = "DEVICE -o FILE",
	.help = N_("Records the block layer's and kyber's events of one device, through a "
		   "tracing instance of its own that disturbs no other tracer and is removed "
		   "again. What a killed recording left behind, the next one removes. The "
		   "file's header has what simulate needs: the kernel, its ticks, the queue, "
		   "the scheduler and its parameters. It needs root and a kernel with tracefs."),
	.examples = examples,
	.options = capture_specs,
	.option_count = ARRAY_SIZE(capture_specs),
	.options_size = sizeof(struct capture_options),
	.positional = { .name = "DEVICE", .value = VALUE_DEVICE, .min = 1, .max = 1 },
	.run = run_capture,
};
