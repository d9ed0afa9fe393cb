// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * simulate: what would a scheduler do to a workload? Options, and which of the modes they
 * ask for.
 */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/common.h"
#include "cmd/simulate-modes.h"
#include "cmd/simulate-published.h"
#include "cmd/simulate-target.h"
#include "cmd/verb.h"
#include "report/simulate.h"
#include "util/file.h"
#include "util/i18n.h"

#define FIELD(field) OPTION_FIELD(struct simulate_verb_options, field)

static const char *const objective_words[] = {
	"p99-read", "p99-write", "iops", "throughput", "mean", "fairness", NULL,
};

static const char *const plot_words[] = {
	"latency", "head", "depth", "throughput", "all", NULL,
};

static const struct option_spec simulate_specs[] = {
	{ 'p', "profile", VALUE_PROFILE, "NAME|FILE",
	  .help = N_("compare what this profile chooses with the rest"),
	  .offset = FIELD(profile) },
	{ 's', "scheduler", VALUE_SIMULATED, "NAME,...",
	  .help = N_("the schedulers to compare, without it all that the kernel has; with "
		     "--replay the recorded one, where the trace does not name it"),
	  .offset = FIELD(scheduler) },
	{ 0, "set", VALUE_PARAMETER, "KEY=VALUE", .is_repeatable = true,
	  .help = N_("a scheduler's parameter, for instance mq-deadline.fifo_batch=1"),
	  .offset = FIELD(sets) },
	{ 'w', "workload", VALUE_WORKLOAD, "NAME",
	  .help = N_("what the programs do (oltp)"), .offset = FIELD(workload) },
	{ 0, "fio", VALUE_FILE, "FILE", .help = N_("what this fio job file says"),
	  .offset = FIELD(fio) },
	{ 0, "trace", VALUE_FILE, "FILE",
	  .help = N_("the I/O of this trace; - is standard input"),
	  .offset = FIELD(trace) },
	{ 'm', "medium", VALUE_MEDIUM, "NAME|FILE",
	  .help = N_("the device: a preset or your own JSON file (nvme; for a recording of "
		     "capture that of its device; for another trace one that needs the "
		     "same time for every request)"),
	  .offset = FIELD(medium) },
	{ 0, "runtime", VALUE_TEXT, "TIME",
	  .help = N_("simulated time of a run, in s or with a unit: ms, m, h (60s on a spinning disk, "
		     "2s on others, and no more than 500000 I/Os)"),
	  .offset = FIELD(runtime) },
	{ 0, "warmup", VALUE_TEXT, "TIME",
	  .help = N_("what is done before this time does not count (a twentieth of the runtime)"),
	  .offset = FIELD(warmup) },
	{ 0, "ios", VALUE_NUMBER, "N", .help = N_("no more than N I/Os a run"),
	  .offset = FIELD(ios) },
	{ 0, "seed", VALUE_NUMBER, "N", .help = N_("of the random numbers (1)"),
	  .offset = FIELD(seed) },
	{ 0, "seeds", VALUE_NUMBER, "N",
	  .help = N_("runs of each scheduler, with seeds that follow each other (5)"),
	  .offset = FIELD(seeds) },
	{ 'j', "jobs", VALUE_NUMBER, "N",
	  .help = N_("threads that simulate; without it one a processor"),
	  .offset = FIELD(jobs) },
	{ 0, "objective", VALUE_WORD, "OBJECTIVE", .words = objective_words,
	  .help = N_("what decides which is best: p99-read, p99-write, iops, "
		     "throughput, mean or fairness (p99-read; p99-write where nothing is read; "
		     "mean where fewer than 100 I/Os are compared)"),
	  .offset = FIELD(objective) },
	{ 0, "cores", VALUE_NUMBER, "N",
	  .help = N_("processors of the simulated machine (8)"), .offset = FIELD(cores) },
	{ 0, "slowness", VALUE_TEXT, "FACTOR",
	  .help = N_("how much slower its processors are than those measured (1)"),
	  .offset = FIELD(slowness) },
	{ 0, "time-scale", VALUE_TEXT, "FACTOR",
	  .help = N_("the trace's I/O comes so many times slower (1)"),
	  .offset = FIELD(time_scale) },
	{ 0, "kernel", VALUE_TEXT, "VERSION",
	  .help = N_("behave as this Linux does, 4.19 to 7.2; without it as the running "
		     "one, with --replay as the recorded one"),
	  .offset = FIELD(kernel) },
	{ 0, "depth", VALUE_NUMBER, "N",
	  .help = N_("requests that the device takes at once on a hardware queue; without "
		     "it the medium's"),
	  .offset = FIELD(depth) },
	{ 0, "hw-queues", VALUE_NUMBER, "N",
	  .help = N_("hardware queues; without it the medium's"),
	  .offset = FIELD(hw_queues) },
	{ 0, "nr-requests", VALUE_NUMBER, "N",
	  .help = N_("scheduler tags; without it the kernel's default"),
	  .offset = FIELD(nr_requests) },
	{ 0, "service-time", VALUE_TEXT, "TIME",
	  .help = N_("a device that needs this time for every request, in ms or with a unit"),
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
	{ 0, "replay", VALUE_FILE, "TRACE",
	  .help = N_("compare the engine's decisions with those of a recorded kernel"),
	  .offset = FIELD(replay) },
	{ 0, "published", VALUE_NONE, NULL,
	  .help = N_("simulate what others measured and published, and compare: all, or "
		     "those experiments and files that the arguments name"),
	  .offset = FIELD(is_published), .arguments = VALUE_PUBLISHED },
	{ 0, "sweep", VALUE_PARAMETER, "KEY=RANGE...", .is_repeatable = true,
	  .help = N_("try each value of a parameter: read_expire=50:500:50 or "
		     "fifo_batch=1,4,16; several for all combinations"),
	  .offset = FIELD(sweeps) },
	{ 0, "plot", VALUE_FILE, "FILE",
	  .help = N_("draw a picture there, by gnuplot: .svg or .png"),
	  .offset = FIELD(plot) },
	{ 0, "plot-kind", VALUE_WORD, "KIND", .words = plot_words,
	  .help = N_("of what: latency, head (where it is over time), depth (of the queue "
		     "over time), throughput (of the jobs over time), all (latency)"),
	  .offset = FIELD(plot_kind) },
	{ 0, "explain", VALUE_NONE, NULL,
	  .help = N_("print every dispatch of the first run with its reason"),
	  .offset = FIELD(has_explain) },
	{ 0, "dispatch-log", VALUE_FILE, "FILE",
	  .help = N_("write every issue there, separated by tabs"),
	  .offset = FIELD(dispatch_log) },
	{ 0, "strict", VALUE_NONE, NULL,
	  .help = N_("a broken record ends the reading instead of being left out"),
	  .offset = FIELD(is_strict) },
};

static int run_case(const struct cmd_context *context, const struct simulate_request *request,
		    struct simulate_target *target, struct diag *diag)
{
	_simulate_case_ struct simulate_case simulated = { 0 };
	int error = simulate_target_to_case(target, request, &simulated, diag);

	if (!error && request->sweep.count)
		error = sweep_expand(&request->sweep, &simulated.variants, diag);
	return error ? error : simulate_compare(context, request, &simulated, diag);
}

/* What is to be read would be empty. */
static int check_log(const struct simulate_verb_options *options, struct diag *diag)
{
	const char *const read[] = { options->trace, options->replay, options->fio,
				     options->medium };
	const char *path = options->dispatch_log;
	struct stat log, other;

	if (stat(path, &log) < 0)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(read); i++) {
		if (read[i] && !S_ISCHR(log.st_mode) && stat(read[i], &other) == 0 &&
		    other.st_dev == log.st_dev && other.st_ino == log.st_ino)
			return diag_set(diag, -EEXIST,
					_("the dispatch log would replace what is read: \"%s\""),
					path);
	}
	return file_check_output(path, diag);
}

static int open_log(struct simulate_request *request, struct diag *diag)
{
	const char *path = request->options->dispatch_log;
	int error;

	if (!path)
		return 0;
	error = check_log(request->options, diag);
	if (error)
		return error;
	request->log = fopen(path, "we");
	if (!request->log)
		return file_fail_output(path, -errno, diag);
	dispatch_log_begin(request->log);
	return 0;
}

/* What there is was printed, and said to be not all. */
static int finish(const struct simulate_request *request, int error, struct diag *diag)
{
	if (!error && request->log && (fflush(request->log) || ferror(request->log)))
		error = file_fail_output(request->options->dispatch_log, -errno, diag);
	if (error == -EINTR)
		return EXIT_STATUS_FAILED;
	if (!error)
		return EXIT_STATUS_DONE;
	return cmd_fail_request(&verb_simulate, diag, error);
}

/* --- published measurements ---------------------------------------------------------- */

static bool is_given(const struct simulate_verb_options *options,
		     const struct option_spec *spec)
{
	const char *field = (const char *)options + spec->offset;

	if (spec->is_repeatable)
		return ((const struct strv *)(const void *)field)->count > 0;
	if (spec->value == VALUE_NONE)
		return *(const bool *)field;
	return *(const char *const *)(const void *)field != NULL;
}

/* Machine, device and load are those of the measurement. */
static int check_alone(const struct simulate_verb_options *options, struct diag *diag)
{
	for (size_t i = 0; i < ARRAY_SIZE(simulate_specs); i++) {
		const struct option_spec *spec = &simulate_specs[i];

		if (spec->offset != FIELD(is_published) && spec->offset != FIELD(jobs) &&
		    is_given(options, spec))
			return diag_set(diag, -EINVAL, _("--%s does not go with --published"),
					spec->long_name);
	}
	return 0;
}

/* One device. Behind --sweep more parameters may stand: no device has a '=' in its name. */
static int take_arguments(const char *const *arguments, size_t count,
			  struct simulate_request *request, const char **ret_device,
			  struct diag *diag)
{
	const struct simulate_verb_options *options = request->options;
	int error = 0;

	if (options->is_published)
		return check_alone(options, diag);
	for (size_t i = 0; i < count && !error; i++) {
		if (options->sweeps.count && strchr(arguments[i], '='))
			error = sweep_add(&request->sweep, arguments[i], diag);
		else if (options->replay)
			error = diag_set(diag, -EINVAL, _("--replay takes no device"));
		else if (*ret_device)
			error = diag_set(diag, -EINVAL, _("unexpected argument '%s'"),
					 arguments[i]);
		else
			*ret_device = arguments[i];
	}
	return error;
}

static int run_simulate(const struct cmd_context *context, const void *data,
			const char *const *arguments, size_t argument_count)
{
	const struct simulate_verb_options *options = data;
	_cleanup_(simulate_request_done) struct simulate_request request = { 0 };
	_cleanup_(simulate_target_done) struct simulate_target target = { 0 };
	const char *device = NULL;
	struct diag diag = { 0 };
	int error, status;

	error = simulate_request_read(context, options, &request, &diag);
	if (!error)
		error = take_arguments(arguments, argument_count, &request, &device, &diag);
	if (error)
		return cmd_fail_usage(&verb_simulate, &diag);
	if (options->is_published) {
		error = simulate_published(context, arguments, argument_count,
					   simulate_request_threads(&request), &diag);
		return finish(&request, error, &diag);
	}
	status = simulate_target_read(context, &verb_simulate, &request, device, &target);
	if (status)
		return status;
	error = options->plot ? file_check_output(options->plot, &diag) : 0;
	if (!error)
		error = open_log(&request, &diag);
	if (error)
		return cmd_fail(&diag, error);
	if (options->replay)
		error = simulate_replay(context, &request, &diag);
	else
		error = run_case(context, &request, &target, &diag);
	return finish(&request, error, &diag);
}

static const struct verb_example examples[] = {
	{ "iosched-tune simulate --workload fileserver --medium hdd-7200",
	  N_("every scheduler of the kernel on a file server's I/O") },
	{ "iosched-tune simulate -m nvme --trace disk.blktrace -s mq-deadline,kyber,none",
	  N_("compare three schedulers on the I/O of a trace") },
	{ "iosched-tune simulate --trace disk.txt --scheduler mq-deadline --explain",
	  N_("every dispatch, with the reason for it") },
	{ "iosched-tune simulate -m hdd-7200 --sweep read_expire=50:500:50",
	  N_("which read_expire keeps the reads' latency lowest?") },
	{ "iosched-tune simulate --replay recording.txt.xz",
	  N_("does the engine decide as the recorded kernel did?") },
	{ "iosched-tune simulate --published",
	  N_("do the ratios between schedulers agree with published measurements?") },
	{ 0 },
};

const struct verb verb_simulate = {
	.name = "simulate",
	.summary = N_("What would a scheduler do to a workload?"),
	.usage = "[DEVICE | --published [NAME...]]",
	.help = N_("Runs a workload, a fio job file or a trace through models of the "
		   "schedulers of Linux 4.19 to 7.2 (and older ones) to the model of a "
		   "device, and sets the results side by side. Each scheduler runs several "
		   "times with different random numbers; the figures are means, with their "
		   "95 % ranges. The same command prints the same figures, on any machine. "
		   "Without options: the workload oltp on the medium nvme."
		   "\n"
		   "With --replay the engine is fed what a recorded kernel was given, and every "
		   "issue of the kernel is compared with what the engine would have issued."
		   "\n"
		   "With --published the engine does what others did when they measured "
		   "schedulers, and the ratios between its schedulers stand beside theirs."),
	.examples = examples,
	.options = simulate_specs,
	.option_count = ARRAY_SIZE(simulate_specs),
	.options_size = sizeof(struct simulate_verb_options),
	.positional = { "DEVICE", VALUE_DEVICE, 0, SIZE_MAX },
	.run = run_simulate,
};
