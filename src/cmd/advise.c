// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * advise: records the load of a device, or takes a trace, and says which scheduler and
 * parameters serve it best, with the evidence.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/advise-search.h"
#include "cmd/common.h"
#include "cmd/simulate-target.h"
#include "cmd/verb.h"
#include "diagnose/pattern.h"
#include "recorder/recorder.h"
#include "report/advice.h"
#include "report/json.h"
#include "sysfs/paths.h"
#include "util/file.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"

#define SECONDS_DEFAULT_MS 30000

struct advise_options {
	struct simulate_verb_options simulate;
	const char *seconds, *profile_out;
};

#define FIELD(field)     OPTION_FIELD(struct advise_options, field)

static const char *const objective_words[] = { "p99-read", "p99-write", "iops", "throughput",
					       "mean", NULL };

static const struct option_spec advise_specs[] = {
	{ 0, "trace", VALUE_FILE, "FILE",
	  .help = N_("the load, in any format that simulate reads, instead of recording it"),
	  .offset = FIELD(simulate.trace) },
	{ 0, "seconds", VALUE_SECONDS, "SECONDS", .help = N_("how long to record (30)"),
	  .offset = FIELD(seconds) },
	{ 'm', "medium", VALUE_MEDIUM, "NAME|FILE",
	  .help = N_("the device's model; without it that of the device's class, or of that "
		     "which the trace is a recording of"),
	  .offset = FIELD(simulate.medium) },
	{ 0, "objective", VALUE_WORD, "OBJECTIVE", .words = objective_words,
	  .help = N_("what decides which is best: p99-read, p99-write, iops, "
		     "throughput or mean (p99-read; p99-write where nothing is read; mean where "
		     "fewer than 100 I/Os are compared)"),
	  .offset = FIELD(simulate.objective) },
	{ 's', "scheduler", VALUE_SIMULATED, "NAME,...",
	  .help = N_("only these; without it all that the kernel offers"),
	  .offset = FIELD(simulate.scheduler) },
	{ 0, "profile-out", VALUE_FILE, "FILE",
	  .help = N_("write the advice as a profile that apply takes"),
	  .offset = FIELD(profile_out) },
	{ 0, "time-scale", VALUE_TEXT, "FACTOR",
	  .help = N_("the load comes so many times slower (1)"),
	  .offset = FIELD(simulate.time_scale) },
	{ 0, "seed", VALUE_NUMBER, "N", .help = N_("begins the random numbers (1)"),
	  .offset = FIELD(simulate.seed) },
	{ 'j', "jobs", VALUE_NUMBER, "N",
	  .help = N_("threads that simulate; without it one a processor"),
	  .offset = FIELD(simulate.jobs) },
	{ 0, "kernel", VALUE_TEXT, "VERSION",
	  .help = N_("behave as this Linux does; without it as the running one"),
	  .offset = FIELD(simulate.kernel) },
};

/* --- the load ------------------------------------------------------------------------------ */

/* Without a name, so that nothing of it is left however this ends. */
struct recording_file {
	int fd;
	char path[64]; /* to open it by */
};

static void recording_file_done(struct recording_file *file)
{
	cleanup_close(&file->fd);
}

static const char *recording_folder(void)
{
	const char *folder = getenv("TMPDIR");

	return folder && *folder ? folder : P_tmpdir;
}

static int make_file(struct recording_file *ret, struct diag *diag)
{
	_free_ char *path = NULL;
	int error = 0;

	if (asprintf(&path, "%s/iosched-tune-advise-XXXXXX", recording_folder()) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	ret->fd = mkostemp(path, O_CLOEXEC);
	if (ret->fd < 0 || unlink(path) < 0)
		error = -errno;
	if (error)
		return diag_set(diag, error, _("cannot write \"%s\": %s"), path,
				strerror(-error));
	snprintf(ret->path, sizeof(ret->path), "/" PATH_PROC "/self/fd/%d", ret->fd);
	return 0;
}

static int record_load(const struct cmd_context *context, const struct device *device,
		       unsigned time_ms, const struct recording_file *file,
		       struct diag *diag)
{
	struct diag cause = { 0 };
	struct recorder_options options = {
		.path = file->path,
		.root = context->root,
		.device = device,
		.replaces = true,
		.time_ns = (uint64_t)time_ms * 1000000,
	};
	struct recorder_result result;
	int error = recorder_remove_stale(diag);

	if (error < 0)
		return error;
	log_notice(_("recording %s for %u s; Ctrl-C ends the recording"), device->name,
		   (time_ms + 999) / 1000);
	error = recorder_run(&options, &result, &cause);
	/* Its name is nobody's business: what helps is another folder. */
	if (error && strstr(cause.text, file->path)) {
		diag_set(diag, error, _("the recording cannot be kept in \"%s\": %s"),
			 recording_folder(), strerror(-error));
		diag_hint(diag, _("TMPDIR names another folder"));
	} else if (error) {
		*diag = cause;
	}
	/* Ctrl-C asks for the advice; others want the program to end. */
	if (!error && result.end == RECORDER_SIGNAL && result.signal != SIGINT)
		return diag_set(diag, -EINTR, _("ended by a signal"));
	if (!error && result.lost)
		log_warning(_("the kernel lost %llu events: the load is not whole"),
			    (unsigned long long)result.lost);
	return error;
}

/* --- what is reported ------------------------------------------------------------------------ */

static void fill_line(const struct advise_search *search, size_t candidate,
		      struct advice_line *ret)
{
	const struct simulate_variant *variant = &search->variants.items[candidate];

	*ret = (struct advice_line){
		.title = variant->title,
		.scheduler = variant->scheduler,
		.settings = variant->settings,
		.setting_count = variant->setting_count,
		.value = advise_value(search, candidate, search->objective),
		.is_reference = candidate == search->reference,
		.is_best = search->is_worth_it && candidate == search->best,
	};
	ret->gain = advise_gain(search, candidate, search->reference, search->objective,
				&ret->better_windows);
}

static void fill_others(const struct advise_search *search, struct advice *ret)
{
	const struct objective *objective;

	for (size_t i = 0; (objective = objective_get(i)); i++) {
		int best = objective == search->objective ?
				   -1 :
				   advise_best(search, objective, false);
		unsigned better;
		struct estimate gain;

		/* A trace has no jobs to be fair to. */
		if (best < 0 || objective->choice.total == TOTAL_FAIRNESS)
			continue;
		gain = advise_gain(search, (size_t)best, search->reference, objective, &better);
		if (!advise_is_clear(&gain, ADVISE_GAIN_MIN))
			best = (int)search->reference;
		if (search->is_worth_it ? (size_t)best == search->best :
					  (size_t)best == search->reference)
			continue;
		ret->others[ret->other_count++] = (struct advice_other){
			.objective = objective,
			.title = search->variants.items[best].title,
			.is_reference = (size_t)best == search->reference,
		};
	}
}

/* The reference and the plain candidates, and the best one: `lines` has room for all. */
static void fill_advice(const struct simulate_case *simulated, const struct pattern *pattern,
			const struct advise_search *search, struct advice_line *lines,
			struct advice *ret)
{
	*ret = (struct advice){
		.subject = simulated->subject,
		.objective = search->objective,
		.ios = pattern->requests,
		.reads = pattern->reads,
		.random = pattern->random,
		.sync = pattern->sync,
		.seconds = pattern->seconds,
		.mean_kib = pattern->mean_kib,
		.windows = search->windows,
		.window_ios = search->window_ios,
		.lines = lines,
		.overloaded = search->overloaded,
		.was_ended = search->was_ended,
		.sureness = !search->is_worth_it ? ADVICE_NONE :
			    search->better_windows == search->windows ? ADVICE_SURE :
									ADVICE_LIKELY,
	};
	for (size_t i = 0; i < search->count; i++) {
		if (search->candidates[i].is_tuned && i != search->best)
			continue;
		if (i == search->best)
			ret->best = ret->line_count;
		if (i == search->reference)
			ret->reference = ret->line_count;
		fill_line(search, i, &lines[ret->line_count++]);
	}
	fill_others(search, ret);
}

/* --- as a profile ------------------------------------------------------------------------------ */

/* Letters, digits, '-' and '_' of the file's name without its ending. */
static void name_profile(const char *path, char *buf, size_t size)
{
	const char *base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	size_t len = text_ends_with(base, ".json") ? strlen(base) - strlen(".json") :
						     strlen(base);
	size_t n = 0;

	for (size_t i = 0; i < len && n + 1 < size; i++) {
		char c = base[i];
		bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
				(c >= '0' && c <= '9') || c == '-' || c == '_';

		buf[n++] = is_plain ? c : '-';
	}
	buf[n] = '\0';
	if (!n)
		snprintf(buf, size, "advised");
}

static json_t *match_to_json(const struct simulate_target *target,
			     const struct simulate_case *simulated)
{
	const struct device *device = target->device;
	json_t *match = json_object();
	int error = 0;

	if (device && device->wwn && *device->wwn)
		json_put(match, "wwn", json_text(device->wwn), &error);
	else if (device && device->serial && *device->serial)
		json_put(match, "serial", json_text(device->serial), &error);
	else
		json_put(match, "class",
			 json_string(device ? device_class_name(device->class) :
					      simulated->medium.class),
			 &error);
	return json_finish(match, error);
}

static json_t *rule_to_json(const struct simulate_target *target,
			    const struct simulate_case *simulated, const struct advice *advice)
{
	const struct advice_line *best = &advice->lines[advice->best];
	json_t *rule = json_object(), *schedulers = json_array();
	json_t *parameters = json_object();
	int error = 0;
	char why[256];

	json_push(schedulers, json_string(best->scheduler), &error);
	for (size_t i = 0; i < best->setting_count; i++)
		json_put(parameters, best->settings[i].file,
			 json_string(best->settings[i].value), &error);
	snprintf(why, sizeof(why), "advised from a load of %llu I/Os: %s %+.0f %% (%u of %u windows)",
		 (unsigned long long)advice->ios, advice->objective->name,
		 100 * best->gain.mean, best->better_windows, advice->windows);
	json_put(rule, "match", match_to_json(target, simulated), &error);
	json_put(rule, "scheduler", schedulers, &error);
	if (best->setting_count) {
		json_t *iosched = json_object();

		json_put(iosched, best->scheduler, parameters, &error);
		json_put(rule, "iosched", iosched, &error);
	} else {
		json_decref(parameters);
	}
	json_put(rule, "why", json_string(why), &error);
	return json_finish(rule, error);
}

static int write_profile(const char *path, const struct simulate_target *target,
			 const struct simulate_case *simulated, const struct advice *advice,
			 struct diag *diag)
{
	json_t *root = json_object(), *rules = json_array();
	_free_ char *text = NULL, *whole = NULL;
	char name[64];
	int error = 0;

	name_profile(path, name, sizeof(name));
	json_put(root, "name", json_string(name), &error);
	json_put(root, "summary", json_string("What iosched-tune advise found"), &error);
	json_push(rules, rule_to_json(target, simulated, advice), &error);
	json_put(root, "rules", rules, &error);
	text = error ? NULL : json_dumps(root, JSON_INDENT(2));
	json_decref(root);
	if (!text || asprintf(&whole, "%s\n", text) < 0)
		return -ENOMEM;
	error = file_write(path, whole, strlen(whole), 0600);
	return error ? file_fail_output(path, error, diag) : 0;
}

/* --- the verb ----------------------------------------------------------------------------------- */

/*
 * What is now: of the device, or of the recording. It goes by its name here, the others
 * stand beside it. *ret_described: with its parameters; nothing where nobody knows.
 */
static int name_now(const struct simulate_variants *variants, struct text *ret_described)
{
	for (size_t i = 0; i < variants->count; i++) {
		struct simulate_variant *variant = &variants->items[i];
		char *title;

		if (variant->role != VARIANT_NOW)
			continue;
		title = strdup(variant->scheduler);
		if (!title)
			return -ENOMEM;
		free(variant->title);
		variant->title = title;
		simulate_variant_describe(variant, ret_described);
		return ret_described->error;
	}
	return 0;
}

/* Without a device or a recording: what a kernel gives such a disk by itself. */
static void mark_reference(struct simulate_case *simulated)
{
	const char *initial = simulated->medium.hw_queues > 1 ? "none" : "mq-deadline";

	for (size_t i = 0; i < simulated->variants.count; i++)
		if (strcmp(simulated->variants.items[i].scheduler, initial) == 0)
			simulated->variants.items[i].role = VARIANT_NOW;
}

static int print_advice(const struct cmd_context *context, const struct advice *advice)
{
	struct table_style style = cmd_table_style(context);
	json_t *root;
	int error;

	if (!context->is_json)
		return advice_print(advice, &style);
	root = json_envelope();
	error = advice_to_json(advice, root);
	return json_print(root, error);
}

/* Where nobody has the figure that decides, there is no advice either. */
static int check_objective(const struct advise_search *search, struct diag *diag)
{
	for (size_t i = 0; i < search->count; i++) {
		if (advise_value(search, i, search->objective).count)
			return 0;
	}
	diag_set(diag, -ENODATA, _("in no part of this load are there I/Os enough for %s"),
		 search->objective->name);
	diag_hint(diag, _("another --objective may decide: %s"), "mean");
	return -ENODATA;
}

/* `recorded`: the device whose load it is; NULL for a trace of the person's. */
static int read_pattern(const char *path, const struct device *recorded, struct pattern *ret,
			struct diag *diag)
{
	struct diag cause = { 0 };
	int error = pattern_read(path, ret, &cause);

	if (recorded && error == -ENODATA) {
		diag_set(diag, error, _("nothing was read from %s or written to it meanwhile"),
			 recorded->name);
		diag_hint(diag, _("record when there is more to do, or for longer: --seconds"));
	} else if (error) {
		*diag = cause;
	}
	return error;
}

static int advise(const struct cmd_context *context, const struct advise_options *options,
		  const struct simulate_request *request, const struct simulate_target *target,
		  struct simulate_case *simulated, const struct device *recorded,
		  struct diag *diag)
{
	_cleanup_(advise_search_done) struct advise_search search = { 0 };
	struct advice_line lines[ADVISE_CANDIDATES_MAX];
	_text_ struct text described = { 0 };
	struct pattern pattern;
	struct advice advice;
	int error = read_pattern(options->simulate.trace, recorded, &pattern, diag);

	if (error)
		return error;
	error = name_now(&simulated->variants, &described);
	if (error)
		return error;
	if (!described.data)
		mark_reference(simulated);
	error = advise_search_run(simulated, pattern.requests, request->objective, &search,
				  diag);
	if (!error)
		error = check_objective(&search, diag);
	if (error)
		return error;
	fill_advice(simulated, &pattern, &search, lines, &advice);
	advice.now = described.data;
	advice.was_asked = request->objective;
	if (search.overloaded * 2 > search.windows)
		log_warning(_("the load exceeds what the medium can do in %u of %u windows: their "
			      "latencies grow with their length, and no scheduler helps much"),
			    search.overloaded, search.windows);
	error = print_advice(context, &advice);
	if (error || !options->profile_out)
		return error;
	if (advice.sureness == ADVICE_NONE) {
		log_notice(_("no profile was written: there is nothing to change"));
		return 0;
	}
	return write_profile(options->profile_out, target, simulated, &advice, diag);
}

static int check_line(const struct advise_options *options, const char *device,
		      struct diag *diag)
{
	const struct simulate_verb_options *simulate = &options->simulate;

	if (!device && !simulate->trace)
		return diag_set(diag, -EINVAL,
				_("name the device whose load is to be recorded, or --trace"));
	if (simulate->trace && options->seconds)
		return diag_set(diag, -EINVAL, _("only one of %s can be given"),
				"--trace, --seconds");
	if (simulate->trace && simulate_source_is_stream(simulate->trace))
		return diag_set(diag, -EINVAL,
				_("the trace is read more than once: it must be a file"));
	return 0;
}

static int run_advise(const struct cmd_context *context, const void *data,
		      const char *const *arguments, size_t argument_count)
{
	struct advise_options options = *(const struct advise_options *)data;
	_cleanup_(simulate_request_done) struct simulate_request request = { 0 };
	_cleanup_(simulate_target_done) struct simulate_target target = { 0 };
	_cleanup_(recording_file_done) struct recording_file file = { .fd = -1 };
	const char *device = argument_count ? arguments[0] : NULL;
	_simulate_case_ struct simulate_case simulated = { 0 };
	unsigned time_ms = SECONDS_DEFAULT_MS;
	struct diag diag = { 0 };
	bool is_recorded;
	int error, status;

	error = check_line(&options, device, &diag);
	if (!error && options.profile_out &&
	    file_check_output(options.profile_out, &diag))
		return cmd_fail(&diag, diag.error);
	if (!error)
		error = simulate_request_read(context, &options.simulate, &request, &diag);
	if (error)
		return cmd_fail_usage(&verb_advise, &diag);
	/* The time that every request takes is no device to advise for. */
	request.needs_medium = true;
	status = cmd_read_timeout(&verb_advise, "seconds", options.seconds, &time_ms);
	if (!status)
		status = simulate_target_read(context, &verb_advise, &request, device,
					      &target);
	if (status)
		return status;
	is_recorded = !options.simulate.trace;
	if (is_recorded && recorder_check_root(context->root, &diag))
		return cmd_fail(&diag, diag.error);
	if (is_recorded && make_file(&file, &diag))
		return cmd_fail(&diag, diag.error);
	if (is_recorded)
		options.simulate.trace = file.path;
	/* Before the recording: it takes its time. */
	error = simulate_target_to_case(&target, &request, &simulated, &diag);
	if (error)
		return cmd_fail_request(&verb_advise, &diag, error);
	error = is_recorded ? record_load(context, target.device, time_ms, &file, &diag) : 0;
	if (error)
		return cmd_fail(&diag, error);
	error = advise(context, &options, &request, &target, &simulated,
		       is_recorded ? target.device : NULL, &diag);
	return error ? cmd_fail_request(&verb_advise, &diag, error) : EXIT_STATUS_DONE;
}

static const struct verb_example examples[] = {
	{ "iosched-tune advise sda", N_("record half a minute of its load, and advise") },
	{ "iosched-tune advise --trace db.load.gz -m hdd-7200 --profile-out db.json",
	  N_("the best for a recorded load on another disk, as a profile") },
	{ "iosched-tune apply --profile ./db.json --dry-run",
	  N_("what that profile would change") },
	{ 0 },
};

const struct verb verb_advise = {
	.name = "advise",
	.summary = N_("Which scheduler serves this load best?"),
	.usage = "[DEVICE]",
	.help = N_("Records the load of a device for a while, or takes a trace, and sends ten "
		   "windows of it through models of the schedulers to a model of the device: "
		   "first the schedulers, then the parameters of the two best. What is "
		   "recommended is better than what is now in the windows one by one, beyond "
		   "chance and by more than 3 %; otherwise the advice is to leave it. The same "
		   "load and seed give the same advice."),
	.examples = examples,
	.options = advise_specs,
	.option_count = ARRAY_SIZE(advise_specs),
	.options_size = sizeof(struct advise_options),
	.positional = { "DEVICE", VALUE_DEVICE, 0, 1 },
	.run = run_advise,
};
