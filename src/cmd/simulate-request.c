// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the options of simulate come to: numbers within their ranges, times and sizes with
 * units, settings by scheduler, and the kernel's version.
 */
#include "cmd/simulate-request.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cmd/common.h"
#include "cmd/simulate-parameter.h"
#include "sim/experiment.h"
#include "sysfs/paths.h"
#include "util/i18n.h"
#include "util/log.h"
#include "util/number.h"
#include "util/suggest.h"

#define MILLISECOND_NS UINT64_C(1000000)
#define SECOND_NS      UINT64_C(1000000000)

void simulate_request_done(struct simulate_request *request)
{
	strv_done(&request->schedulers);
	strv_done(&request->words);
	sweep_done(&request->sweep);
	if (request->log)
		fclose(request->log);
}

/* --- numbers ------------------------------------------------------------------------- */

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

static int read_u64(const char *name, const char *text, uint64_t *ret, struct diag *diag)
{
	int error;

	if (!text)
		return 0;
	error = number_parse_u64(text, ret);
	if (error)
		return diag_set(diag, error, _("--%s takes a whole number"), name);
	return 0;
}

static int read_factor(const char *name, const char *text, double *ret, struct diag *diag)
{
	const double min = 0.001, max = 1000;
	double value;

	if (!text)
		return 0;
	if (number_parse_decimal(text, &value) || value < min || value > max)
		return diag_set(diag, -EINVAL, _("--%s takes a factor from %g to %g"), name,
				min, max);
	*ret = value;
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

static int read_counts(const struct simulate_verb_options *options,
		       struct simulate_numbers *numbers, struct diag *diag)
{
	const struct {
		const char *name, *text;
		int64_t min, max;
		unsigned *ret;
	} rows[] = {
		{ "depth", options->depth, 1, SIM_HW_DEPTH_MAX, &numbers->depth },
		{ "hw-queues", options->hw_queues, 1, SIM_HW_QUEUES_MAX, &numbers->hw_queues },
		{ "nr-requests", options->nr_requests, 1, SIM_HW_DEPTH_MAX,
		  &numbers->nr_requests },
		{ "hz", options->hz, 10, SIM_HZ_MAX, &numbers->hz },
		{ "seeds", options->seeds, 1, EXPERIMENT_SEEDS_MAX, &numbers->seeds },
		{ "jobs", options->jobs, 1, EXPERIMENT_THREADS_MAX, &numbers->threads },
		{ "cores", options->cores, 1, SIM_CPUS_MAX, &numbers->cores },
	};
	int error = 0;

	for (size_t i = 0; i < ARRAY_SIZE(rows) && !error; i++)
		error = read_number(rows[i].name, rows[i].text, rows[i].min, rows[i].max,
				    rows[i].ret, diag);
	return error;
}

static int read_numbers(const struct simulate_verb_options *options,
			struct simulate_numbers *numbers, struct diag *diag)
{
	int error = read_counts(options, numbers, diag);

	if (!error)
		error = read_u64("ios", options->ios, &numbers->ios, diag);
	if (!error)
		error = read_u64("seed", options->seed, &numbers->seed, diag);
	if (!error)
		error = read_factor("slowness", options->slowness, &numbers->slowness, diag);
	if (!error)
		error = read_factor("time-scale", options->time_scale, &numbers->time_scale,
				    diag);
	if (!error)
		error = cmd_read_time("runtime", options->runtime, SECOND_NS,
				      &numbers->runtime_ns, diag);
	if (!error)
		error = cmd_read_time("warmup", options->warmup, SECOND_NS,
				      &numbers->warmup_ns, diag);
	if (!error)
		error = cmd_read_time("service-time", options->service_time, MILLISECOND_NS,
				      &numbers->service_ns, diag);
	if (!error)
		error = cmd_read_time("hold", options->hold, MILLISECOND_NS, &numbers->hold_ns,
				      diag);
	if (!error)
		error = read_size("zone-size", options->zone_size, &numbers->zone_sectors,
				  diag);
	if (!error && options->ios && !numbers->ios)
		error = diag_set(diag, -EINVAL, _("--%s must be more than 0"), "ios");
	if (!error && options->runtime && !numbers->runtime_ns)
		error = diag_set(diag, -EINVAL, _("--%s must be more than 0"), "runtime");
	if (!error && options->runtime && numbers->warmup_ns >= numbers->runtime_ns)
		error = diag_set(diag, -EINVAL,
				 _("nothing would be counted: the warm-up is as long as the run"));
	numbers->has_service = options->service_time;
	numbers->has_warmup = options->warmup;
	numbers->has_seed = options->seed;
	return error;
}

/* --- settings ------------------------------------------------------------------------ */

/* "mq-deadline.fifo_batch=1" or "fifo_batch=1" */
static int read_setting(struct simulate_request *request, const char *text,
			struct diag *diag)
{
	const char *equals = strchr(text, '='), *dot;
	struct sim_setting *setting = &request->settings[request->setting_count];
	char *key, *value;

	if (!equals || equals == text)
		return diag_set(diag, -EINVAL, _("--set takes KEY=VALUE, not \"%s\""), text);
	if (request->setting_count == SIMULATE_SETTINGS_MAX)
		return diag_set(diag, -E2BIG, _("more than %d times --set"), SIMULATE_SETTINGS_MAX);
	if (strv_add_len(&request->words, text, (size_t)(equals - text)) ||
	    strv_add(&request->words, equals + 1))
		return diag_set(diag, -ENOMEM, _("out of memory"));
	key = request->words.items[request->words.count - 2];
	value = request->words.items[request->words.count - 1];
	if (strcmp(key, "nr_requests") == 0)
		return read_number("set nr_requests", value, 1, SIM_HW_DEPTH_MAX,
				   &request->numbers.nr_requests, diag);
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

size_t simulate_request_pick_settings(const struct simulate_request *request,
				      const char *scheduler, struct sim_setting *ret)
{
	size_t count = 0;

	for (size_t i = 0; i < request->setting_count; i++) {
		const char *owner = request->owners[i];

		if (!scheduler ||
		    (owner ? strcmp(owner, scheduler) == 0
			   : simulate_has_parameter(sim_elevator_find(scheduler),
						    request->settings[i].file)))
			ret[count++] = request->settings[i];
	}
	return count;
}

/* A key without an owner that no scheduler of the engine has. */
static int check_settings(const struct simulate_request *request, struct diag *diag)
{
	for (size_t i = 0; i < request->setting_count; i++) {
		const struct sim_elevator_ops *ops;
		bool is_known = request->owners[i];

		for (size_t j = 0; !is_known && (ops = sim_elevator_get(j)); j++)
			is_known = simulate_has_parameter(ops, request->settings[i].file);
		if (!is_known) {
			diag_set(diag, -EINVAL, _("no scheduler has a parameter \"%s\""),
				 request->settings[i].file);
			simulate_hint_parameter(diag, NULL, request->settings[i].file);
			return -EINVAL;
		}
	}
	return 0;
}

/* --- the rest ------------------------------------------------------------------------ */

static void note_newer(struct kernel_version kernel)
{
	const struct kernel_version newest = SIM_KERNEL_NEWEST;

	if (sim_kernel_is_beyond(kernel))
		log_notice(_("Linux %u.%u is simulated as %u.%u, the newest version that is "
			     "known here"),
			   kernel.major, kernel.minor, newest.major, newest.minor);
}

static int read_kernel(const struct cmd_context *context, const char *text, bool is_optional,
		       struct kernel_version *ret, struct diag *diag)
{
	_free_ char *release = NULL;

	if (text && kernel_version_parse(text, ret)) {
		diag_set(diag, -EINVAL, _("\"%s\" is not a kernel version"), text);
		diag_hint(diag, _("a version is what 'uname -r' prints, or its beginning: 6.12"));
		return -EINVAL;
	}
	if (!text && is_optional)
		return 0;
	if (text) {
		note_newer(*ret);
		return 0;
	}
	if (root_read(context->root, PATH_OSRELEASE, &release) ||
	    kernel_version_parse(text_trim(release), ret)) {
		diag_set(diag, -EINVAL, _("the running kernel's version is not known"));
		diag_hint(diag, _("say it with --kernel VERSION"));
		return -EINVAL;
	}
	note_newer(*ret);
	return 0;
}

static int read_objective(const char *name, const struct objective **ret, struct diag *diag)
{
	struct suggestion suggestion = suggestion_for(name);

	if (!name)
		return 0;
	*ret = objective_find(name);
	if (*ret)
		return 0;
	diag_set(diag, -EINVAL, _("there is no objective \"%s\""), name);
	for (size_t i = 0; objective_get(i); i++)
		suggestion_offer(&suggestion, objective_get(i)->name);
	if (suggestion.nearest)
		diag_hint(diag, _("did you mean '%s'?"), suggestion.nearest);
	return -EINVAL;
}

static int read_plot(const struct simulate_verb_options *options, enum plot_kind *ret,
		     struct diag *diag)
{
	if (options->plot_kind && !options->plot)
		return diag_set(diag, -EINVAL, _("--plot-kind goes with --plot"));
	if (options->plot && options->sweeps.count)
		return diag_set(diag, -EINVAL, _("--plot draws schedulers, not the points of a sweep"));
	if (options->plot && plot_check_name(options->plot, diag))
		return -EINVAL;
	*ret = PLOT_LATENCY;
	if (options->plot_kind && plot_kind_parse(options->plot_kind, ret))
		return diag_set(diag, -EINVAL, _("there is no picture \"%s\""),
				options->plot_kind);
	return 0;
}

/* Options of which only one may be given. */
static int check_exclusive(const struct simulate_verb_options *options, struct diag *diag)
{
	const struct {
		const char *names, *a, *b, *c, *d;
	} rows[] = {
		{ "--replay, --trace, --workload, --fio", options->replay, options->trace,
		  options->workload, options->fio },
		{ "--profile, --scheduler", options->profile, options->scheduler, NULL, NULL },
		{ "--medium, --service-time", options->medium, options->service_time, NULL,
		  NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!!rows[i].a + !!rows[i].b + !!rows[i].c + !!rows[i].d > 1)
			return diag_set(diag, -EINVAL, _("only one of %s can be given"),
					rows[i].names);
	}
	if (options->replay && options->plot)
		return diag_set(diag, -EINVAL, _("--plot does not go with --replay"));
	if (options->replay && options->has_explain)
		return diag_set(diag, -EINVAL, _("--explain does not go with --replay"));
	if (options->sweeps.count &&
	    (options->replay || options->has_explain || options->dispatch_log))
		return diag_set(diag, -EINVAL, _("--sweep goes with nothing that shows single runs"));
	if (options->time_scale && !options->trace)
		return diag_set(diag, -EINVAL, _("--time-scale goes with --trace"));
	return 0;
}

static int read_schedulers(struct simulate_request *request, struct diag *diag)
{
	const struct simulate_verb_options *options = request->options;

	if (!options->scheduler)
		return 0;
	if (strv_split(&request->schedulers, options->scheduler, ","))
		return diag_set(diag, -ENOMEM, _("out of memory"));
	if (!request->schedulers.count)
		return diag_set(diag, -EINVAL, _("--scheduler names no scheduler"));
	if (request->schedulers.count > SIMULATE_SCHEDULERS_MAX ||
	    (options->replay && request->schedulers.count > 1))
		return diag_set(diag, -EINVAL, _("too many schedulers"));
	return 0;
}

int simulate_request_read(const struct cmd_context *context,
			  const struct simulate_verb_options *options,
			  struct simulate_request *request, struct diag *diag)
{
	int error;

	request->options = options;
	error = check_exclusive(options, diag);
	if (!error)
		error = read_kernel(context, options->kernel,
				    options->replay || options->is_published, &request->kernel,
				    diag);
	if (!error)
		error = read_numbers(options, &request->numbers, diag);
	for (size_t i = 0; i < options->sets.count && !error; i++)
		error = read_setting(request, options->sets.items[i], diag);
	if (!error)
		error = check_settings(request, diag);
	for (size_t i = 0; i < options->sweeps.count && !error; i++)
		error = sweep_add(&request->sweep, options->sweeps.items[i], diag);
	if (!error)
		error = read_schedulers(request, diag);
	if (!error)
		error = read_objective(options->objective, &request->objective, diag);
	if (!error)
		error = read_plot(options, &request->plot_kind, diag);
	return error;
}

unsigned simulate_request_threads(const struct simulate_request *request)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);

	/* A log is written in the order of the runs. */
	if (request->log)
		return 1;
	if (request->numbers.threads)
		return request->numbers.threads;
	if (online < 1)
		return 1;
	return online < EXPERIMENT_THREADS_MAX ? (unsigned)online : EXPERIMENT_THREADS_MAX;
}
