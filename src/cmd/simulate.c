// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * simulate: a trace through the engine's schedulers, or a recording of a real kernel
 * replayed against the engine's own decisions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/verb.h"
#include "report/json.h"
#include "report/simulate.h"
#include "sim/workload/arrivals.h"
#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"
#include "util/number.h"

#define DEPTH_DEFAULT   32
#define SERVICE_DEFAULT 1000000 /* 1 ms */
#define HZ_DEFAULT      250
#define SCHEDULERS_MAX  16
#define SETTINGS_MAX    64

struct simulate_verb_options {
	const char *replay, *trace, *scheduler, *depth, *service_time, *kernel, *hz;
	const char *nr_requests, *hw_queues, *hold, *zone_size, *dispatch_log;
	struct strv sets;
	bool has_explain, is_strict;
};

#define FIELD(field) OPTION_FIELD(struct simulate_verb_options, field)

static const struct option_spec simulate_specs[] = {
	{ 0, "replay", VALUE_FILE, "TRACE",
	  .help = N_("compare the engine's decisions with those of a recorded kernel"),
	  .offset = FIELD(replay) },
	{ 0, "trace", VALUE_FILE, "FILE",
	  .help = N_("send this trace's I/O through the schedulers; - is standard input"),
	  .offset = FIELD(trace) },
	{ 's', "scheduler", VALUE_SCHEDULER, "NAME,...",
	  .help = N_("the schedulers to compare; with --replay the recorded one, where the "
		     "trace does not name it"),
	  .offset = FIELD(scheduler) },
	{ 0, "kernel", VALUE_TEXT, "VERSION",
	  .help = N_("behave as this Linux does, 4.19 to 7.2; without it as the running "
		     "one, with --replay as the recorded one"),
	  .offset = FIELD(kernel) },
	{ 0, "depth", VALUE_NUMBER, "N",
	  .help = N_("requests that the device takes at once (32)"),
	  .offset = FIELD(depth) },
	{ 0, "hw-queues", VALUE_NUMBER, "N", .help = N_("hardware queues (1)"),
	  .offset = FIELD(hw_queues) },
	{ 0, "nr-requests", VALUE_NUMBER, "N",
	  .help = N_("scheduler tags; without it the kernel's default"),
	  .offset = FIELD(nr_requests) },
	{ 0, "service-time", VALUE_TEXT, "TIME",
	  .help = N_("what the device needs for a request, in ms or with a unit (1)"),
	  .offset = FIELD(service_time) },
	{ 0, "hold", VALUE_TEXT, "TIME",
	  .help = N_("the device serves nothing before this time; what arrives waits"),
	  .offset = FIELD(hold) },
	{ 0, "zone-size", VALUE_TEXT, "SIZE",
	  .help = N_("a zoned device: mq-deadline up to 6.9 lets one write at a time into "
		     "each zone of this size"),
	  .offset = FIELD(zone_size) },
	{ 0, "hz", VALUE_NUMBER, "N", .help = N_("ticks per second of the kernel (250)"),
	  .offset = FIELD(hz) },
	{ 0, "set", VALUE_TUNABLE, "KEY=VALUE", .is_repeatable = true,
	  .help = N_("a scheduler's parameter, for instance mq-deadline.fifo_batch=1"),
	  .offset = FIELD(sets) },
	{ 0, "explain", VALUE_NONE, NULL, .help = N_("print every dispatch with its reason"),
	  .offset = FIELD(has_explain) },
	{ 0, "dispatch-log", VALUE_FILE, "FILE",
	  .help = N_("write every issue there, separated by tabs"),
	  .offset = FIELD(dispatch_log) },
	{ 0, "strict", VALUE_NONE, NULL,
	  .help = N_("a broken record ends the reading instead of being left out"),
	  .offset = FIELD(is_strict) },
};

/* What the command line comes to. */
struct simulate_request {
	struct sim_queue_config config; /* scheduler and settings are set for each run */
	uint64_t service_ns, hold_ns;
	unsigned depth, nr_requests, hz; /* 0 where not given */
	struct kernel_version kernel;    /* zero where not given */
	struct strv schedulers;
	struct sim_setting settings[SETTINGS_MAX];
	const char *owners[SETTINGS_MAX]; /* NULL: every scheduler that has it */
	size_t setting_count;
	struct strv words;                /* owns the settings' texts */
	FILE *log;
};

static void request_done(struct simulate_request *request)
{
	strv_done(&request->schedulers);
	strv_done(&request->words);
	if (request->log)
		fclose(request->log);
}

/* --- the command line ----------------------------------------------------------------- */

static int read_number(const char *name, const char *text, int64_t min, int64_t max,
		       unsigned *ret, struct diag *diag)
{
	int64_t value;
	int error;

	if (!text)
		return 0;
	error = number_parse_range(text, min, max, &value);
	if (error)
		return diag_set(diag, error, _("--%s takes a number from %lld to %lld"), name,
				(long long)min, (long long)max);
	*ret = (unsigned)value;
	return 0;
}

/* "500us", "2ms", "2": milliseconds unless a unit is given. */
static int read_time(const char *name, const char *text, uint64_t *ret_ns, struct diag *diag)
{
	int64_t value;
	bool has_unit;
	int error;

	if (!text)
		return 0;
	has_unit = text[strspn(text, "0123456789")] != '\0';
	error = number_parse_unit(text, has_unit ? UNIT_NS : UNIT_MS, &value);
	if (!error && (value < 0 || value > INT64_MAX / 4000000))
		error = -ERANGE;
	if (error)
		return diag_set(diag, error, _("--%s takes a time, for instance 2ms or 500us"),
				name);
	*ret_ns = (uint64_t)value * (has_unit ? 1 : 1000000);
	return 0;
}

static int read_size(const char *name, const char *text, uint32_t *ret_sectors,
		     struct diag *diag)
{
	int64_t value;
	int error;

	if (!text)
		return 0;
	error = number_parse_unit(text, UNIT_SECTORS, &value);
	if (error || value < 8 || value > UINT32_MAX)
		return diag_set(diag, -EINVAL, _("--%s takes a size, for instance 256M"), name);
	*ret_sectors = (uint32_t)value;
	return 0;
}

/* "mq-deadline.fifo_batch=1" or "fifo_batch=1" */
static int read_setting(struct simulate_request *request, const char *text,
			struct diag *diag)
{
	const char *equals = strchr(text, '='), *dot;
	struct sim_setting *setting = &request->settings[request->setting_count];
	char *key, *value;

	if (!equals || equals == text)
		return diag_set(diag, -EINVAL, _("--set takes KEY=VALUE, not \"%s\""), text);
	if (request->setting_count == SETTINGS_MAX)
		return diag_set(diag, -E2BIG, _("more than %d times --set"), SETTINGS_MAX);
	if (strv_add_len(&request->words, text, (size_t)(equals - text)) ||
	    strv_add(&request->words, equals + 1))
		return diag_set(diag, -ENOMEM, _("out of memory"));
	key = request->words.items[request->words.count - 2];
	value = request->words.items[request->words.count - 1];
	dot = strchr(key, '.');
	if (dot) {
		key[dot - key] = '\0';
		request->owners[request->setting_count] = key;
		key += strlen(key) + 1;
	}
	*setting = (struct sim_setting){ .file = key, .value = value };
	request->setting_count++;
	return 0;
}

static int read_kernel(const struct cmd_context *context, const char *text, bool is_replay,
		       struct kernel_version *ret, struct diag *diag)
{
	_free_ char *release = NULL;

	if (text && kernel_version_parse(text, ret))
		return diag_set(diag, -EINVAL, _("\"%s\" is not a kernel version"), text);
	if (text || is_replay)
		return 0;
	if (root_read(context->root, PATH_OSRELEASE, &release) ||
	    kernel_version_parse(text_trim(release), ret)) {
		diag_set(diag, -EINVAL, _("the running kernel's version is not known"));
		diag_hint(diag, _("say it with --kernel VERSION"));
		return -EINVAL;
	}
	return 0;
}

static int read_request(const struct cmd_context *context,
			const struct simulate_verb_options *options,
			struct simulate_request *request, struct diag *diag)
{
	unsigned hw_queues = 1;
	int error;

	if (!options->replay == !options->trace)
		return diag_set(diag, -EINVAL, _("one of --replay and --trace is needed"));
	if (options->trace && !options->scheduler)
		return diag_set(diag, -EINVAL, _("--trace needs --scheduler NAME,..."));
	if (options->replay && options->has_explain)
		return diag_set(diag, -EINVAL, _("--explain goes with --trace"));
	request->service_ns = SERVICE_DEFAULT;
	error = read_kernel(context, options->kernel, options->replay, &request->kernel, diag);
	if (!error)
		error = read_number("depth", options->depth, 1, SIM_HW_DEPTH_MAX,
				    &request->depth, diag);
	if (!error)
		error = read_number("hw-queues", options->hw_queues, 1, SIM_HW_QUEUES_MAX,
				    &hw_queues, diag);
	if (!error)
		error = read_number("nr-requests", options->nr_requests, 1, 65536,
				    &request->nr_requests, diag);
	if (!error)
		error = read_number("hz", options->hz, 10, SIM_HZ_MAX, &request->hz, diag);
	if (!error)
		error = read_time("service-time", options->service_time,
				  &request->service_ns, diag);
	if (!error)
		error = read_time("hold", options->hold, &request->hold_ns, diag);
	if (!error)
		error = read_size("zone-size", options->zone_size,
				  &request->config.zone_sectors, diag);
	for (size_t i = 0; i < options->sets.count && !error; i++)
		error = read_setting(request, options->sets.items[i], diag);
	if (!error && options->scheduler &&
	    strv_split(&request->schedulers, options->scheduler, ","))
		error = diag_set(diag, -ENOMEM, _("out of memory"));
	if (!error && (request->schedulers.count > SCHEDULERS_MAX ||
		       (options->replay && request->schedulers.count > 1)))
		error = diag_set(diag, -EINVAL, _("too many schedulers"));
	request->config.hw_queues = hw_queues;
	request->config.cpus = hw_queues > 1 ? SIM_CPUS_MAX : 1;
	return error;
}

/* Those settings that are for the scheduler. */
static size_t pick_settings(const struct simulate_request *request, const char *scheduler,
			    struct sim_setting *ret)
{
	size_t count = 0;

	for (size_t i = 0; i < request->setting_count; i++) {
		if (!request->owners[i] || !scheduler ||
		    strcmp(request->owners[i], scheduler) == 0)
			ret[count++] = request->settings[i];
	}
	return count;
}

static int open_trace(const char *path, bool is_strict, struct trace_reader **ret,
		      struct diag *diag)
{
	return trace_reader_open(path, is_strict ? TRACE_STRICT : TRACE_SKIP_BROKEN, ret,
				 diag);
}

static void say_broken(const struct trace_reader *reader)
{
	const struct trace_counts *counts = trace_reader_counts(reader);

	if (counts->broken)
		log_warning(_("%llu broken records left out; the first, at %llu: %s"),
			    (unsigned long long)counts->broken,
			    (unsigned long long)counts->first_broken,
			    counts->first_broken_why);
}

/* --- replay --------------------------------------------------------------------------- */

struct replay_context {
	struct replay_differences differences;
	FILE *log;
};

static void keep_issue(void *data, const struct replay_issue *issue)
{
	struct replay_context *context = data;
	struct replay_differences *kept = &context->differences;

	if (context->log)
		dispatch_log_replayed(context->log, issue);
	if (issue->is_decision && !issue->is_equal &&
	    kept->issue_count < REPLAY_DIFFERENCES_MAX)
		kept->issues[kept->issue_count++] = *issue;
}

static void keep_kyber(void *data, const struct replay_kyber *kyber)
{
	struct replay_differences *kept = &((struct replay_context *)data)->differences;

	if (!kyber->is_equal && kept->kyber_count < REPLAY_DIFFERENCES_MAX)
		kept->kyber[kept->kyber_count++] = *kyber;
}

static int run_replay(const struct cmd_context *cmd, struct simulate_request *request,
		      const struct simulate_verb_options *options, struct diag *diag)
{
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	_free_ struct replay_context *context = calloc(1, sizeof(*context));
	struct sim_setting settings[SETTINGS_MAX];
	struct replay_options replay = {
		.kernel = request->kernel,
		.scheduler = request->schedulers.count ? request->schedulers.items[0] : NULL,
		.hw_depth = request->depth,
		.nr_requests = request->nr_requests,
		.hz = request->hz,
		.settings = settings,
		.on_issue = keep_issue,
		.on_kyber = keep_kyber,
		.context = context,
	};
	struct replay_result result;
	struct table_style style = cmd_table_style(cmd);
	json_t *root;
	int error;

	if (!context)
		return -ENOMEM;
	context->log = request->log;
	replay.setting_count = pick_settings(request, replay.scheduler, settings);
	error = open_trace(options->replay, options->is_strict, &reader, diag);
	if (!error)
		error = replay_run(reader, &replay, &result, diag);
	if (error)
		return error;
	say_broken(reader);
	if (!cmd->is_json)
		return replay_print(&result, &context->differences, &style);
	root = json_envelope();
	error = replay_to_json(&result, &context->differences, root);
	return json_print(root, error);
}

/* --- simulation ----------------------------------------------------------------------- */

struct explain_context {
	struct table *table;
	json_t *list;
	FILE *log;
	int error;
};

static void keep_dispatch(void *data, const struct simulate_dispatch *dispatch)
{
	struct explain_context *context = data;

	if (context->log)
		dispatch_log_simulated(context->log, dispatch);
	if (context->table)
		dispatch_table_add(context->table, dispatch);
	if (context->list)
		json_push(context->list, dispatch_to_json(dispatch), &context->error);
}

static int next_arrival(void *source, struct trace_record *ret, struct diag *diag)
{
	return arrivals_next(source, ret, diag);
}

static int simulate_one(struct simulate_request *request,
			const struct simulate_verb_options *options,
			struct explain_context *explain, struct simulated *ret,
			struct diag *diag)
{
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	_cleanup_(cleanup_arrivals_free) struct arrivals *arrivals = NULL;
	struct sim_setting settings[SETTINGS_MAX];
	struct simulate_options simulate = {
		.queue = request->config,
		.service_ns = request->service_ns,
		.hold_ns = request->hold_ns,
		.on_dispatch = keep_dispatch,
		.context = explain,
	};
	int error;

	simulate.queue.kernel = request->kernel;
	simulate.queue.scheduler = ret->scheduler;
	simulate.queue.settings = settings;
	simulate.queue.setting_count = pick_settings(request, ret->scheduler, settings);
	simulate.queue.hw_depth = request->depth ? request->depth : DEPTH_DEFAULT;
	simulate.queue.nr_requests = request->nr_requests;
	simulate.queue.hz = request->hz ? request->hz : HZ_DEFAULT;
	error = open_trace(options->trace, options->is_strict, &reader, diag);
	if (!error)
		error = arrivals_new(reader, &arrivals, diag);
	if (!error)
		error = simulate_run(next_arrival, arrivals, &simulate, &ret->result, diag);
	if (!error)
		say_broken(reader);
	return error;
}

static int explain_one(const struct cmd_context *cmd, struct simulate_request *request,
		       const struct simulate_verb_options *options, struct simulated *ret,
		       json_t *lists, struct diag *diag)
{
	_cleanup_(cleanup_table_free) struct table *table = NULL;
	struct explain_context explain = { .log = request->log };
	struct table_style style = cmd_table_style(cmd);
	int error = 0;

	if (options->has_explain && !cmd->is_json) {
		error = dispatch_table_new(&style, &table);
		if (error)
			return error;
		explain.table = table;
	} else if (options->has_explain) {
		explain.list = json_array();
	}
	error = simulate_one(request, options, &explain, ret, diag);
	if (explain.list)
		json_put(lists, ret->scheduler, explain.list, &explain.error);
	if (error || explain.error)
		return error ? error : explain.error;
	if (!table)
		return 0;
	if (request->schedulers.count > 1)
		printf("%s:\n", ret->scheduler);
	error = table_print(table);
	printf("\n");
	return error;
}

static int run_trace(const struct cmd_context *cmd, struct simulate_request *request,
		     const struct simulate_verb_options *options, struct diag *diag)
{
	size_t count = request->schedulers.count;
	_free_ struct simulated *list = calloc(count ? count : 1, sizeof(*list));
	struct table_style style = cmd_table_style(cmd);
	json_t *root = NULL, *dispatches = NULL;
	int error = list ? 0 : -ENOMEM;

	if (!error && count > 1 && strcmp(options->trace, "-") == 0)
		error = diag_set(diag, -EINVAL,
				 _("standard input can be read once: name one scheduler"));
	if (cmd->is_json && options->has_explain)
		dispatches = json_object();
	for (size_t i = 0; i < count && !error; i++) {
		list[i].scheduler = request->schedulers.items[i];
		error = explain_one(cmd, request, options, &list[i], dispatches, diag);
	}
	if (error) {
		json_decref(dispatches);
		return error;
	}
	if (!cmd->is_json)
		return simulated_print(list, count, &style);
	root = json_envelope();
	json_put(root, "schedulers", simulated_to_json(list, count), &error);
	if (dispatches)
		json_put(root, "dispatches", dispatches, &error);
	return json_print(root, error);
}

static bool is_usage_error(int error)
{
	return error == -EINVAL || error == -ERANGE || error == -ENOTSUP || error == -E2BIG;
}

static int run_simulate(const struct cmd_context *context, const void *data,
			const char *const *arguments, size_t argument_count)
{
	const struct simulate_verb_options *options = data;
	_cleanup_(request_done) struct simulate_request request = { 0 };
	struct diag diag = { 0 };
	int error;

	(void)arguments;
	(void)argument_count;
	error = read_request(context, options, &request, &diag);
	if (error)
		return cmd_fail_usage(&verb_simulate, &diag);
	if (options->dispatch_log) {
		request.log = fopen(options->dispatch_log, "we");
		if (!request.log) {
			diag_set(&diag, -errno, _("cannot write \"%s\""),
				 options->dispatch_log);
			return cmd_fail(&diag, diag.error);
		}
		dispatch_log_begin(request.log);
	}
	if (options->replay)
		error = run_replay(context, &request, options, &diag);
	else
		error = run_trace(context, &request, options, &diag);
	if (!error && request.log && (fflush(request.log) || ferror(request.log)))
		error = diag_set(&diag, -EIO, _("cannot write \"%s\""), options->dispatch_log);
	if (!error)
		return EXIT_STATUS_DONE;
	if (is_usage_error(error) && diag.error)
		return cmd_fail_usage(&verb_simulate, &diag);
	return cmd_fail(&diag, error);
}

static const struct verb_example examples[] = {
	{ "iosched-tune simulate --replay recording.txt.xz",
	  N_("does the engine decide as the recorded kernel did?") },
	{ "iosched-tune simulate --trace disk.blktrace --scheduler mq-deadline,kyber,none",
	  N_("compare three schedulers on the I/O of a trace") },
	{ "iosched-tune simulate --trace disk.txt --scheduler mq-deadline --explain",
	  N_("every dispatch, with the reason for it") },
	{ 0 },
};

const struct verb verb_simulate = {
	.name = "simulate",
	.summary = N_("Try schedulers on a trace, or the engine on a recording"),
	.usage = "--replay TRACE|--trace FILE",
	.help = N_("The engine holds the schedulers of Linux 4.19 to 7.2. With --replay it is "
		   "fed what a recorded kernel was given, and every issue of the kernel is "
		   "compared with what the engine would have issued. With --trace the I/O of "
		   "any trace goes through each scheduler to a device that needs the same "
		   "time for every request."),
	.examples = examples,
	.options = simulate_specs,
	.option_count = ARRAY_SIZE(simulate_specs),
	.options_size = sizeof(struct simulate_verb_options),
	.run = run_simulate,
};
