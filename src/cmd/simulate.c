// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * simulate: a trace through the engine's schedulers, or a recording of a real kernel
 * replayed against the engine's own decisions.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/simulate-request.h"
#include "cmd/verb.h"
#include "report/json.h"
#include "report/simulate.h"
#include "sim/workload/arrivals.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"

#define DEPTH_DEFAULT   32
#define HZ_DEFAULT      250

#define FIELD(field) OPTION_FIELD(struct simulate_verb_options, field)

static const struct option_spec simulate_specs[] = {
	{ 0, "replay", VALUE_FILE, "TRACE",
	  .help = N_("compare the engine's decisions with those of a recorded kernel"),
	  .offset = FIELD(replay) },
	{ 0, "trace", VALUE_FILE, "FILE",
	  .help = N_("send this trace's I/O through the schedulers; - is standard input"),
	  .offset = FIELD(trace) },
	{ 's', "scheduler", VALUE_SIMULATED, "NAME,...",
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
	struct sim_setting settings[SIMULATE_SETTINGS_MAX];
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
	replay.setting_count = simulate_request_pick_settings(request, replay.scheduler, settings);
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
	struct sim_setting settings[SIMULATE_SETTINGS_MAX];
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
	simulate.queue.setting_count = simulate_request_pick_settings(request, ret->scheduler, settings);
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
	_cleanup_(simulate_request_done) struct simulate_request request = { 0 };
	struct diag diag = { 0 };
	int error;

	(void)arguments;
	(void)argument_count;
	error = simulate_request_read(context, options, &request, &diag);
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
