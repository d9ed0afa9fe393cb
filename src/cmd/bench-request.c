// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of bench. */
#include "cmd/bench-request.h"

#include <errno.h>
#include <string.h>

#include "bench/bench.h"
#include "cmd/common.h"
#include "device/host.h"
#include "report/plot.h"
#include "util/i18n.h"
#include "util/log.h"
#include "util/number.h"
#include "util/suggest.h"

#define ROUNDS_DEFAULT 5
#define SECOND_NS UINT64_C(1000000000)
/* Below that fio spends more time on starting than on I/O. */
#define RUNTIME_MIN_NS UINT64_C(100000000)
/* Processors of a list. */
#define CPU_MAX 65535

/* "3" or "0-3"; `highest` becomes the largest number of all. */
static bool read_range(char *text, int64_t *highest)
{
	char *dash = strchr(text, '-');
	int64_t first, last;

	if (dash)
		*dash = '\0';
	if (number_parse_range(text, 0, CPU_MAX, &first))
		return false;
	last = first;
	if (dash && number_parse_range(dash + 1, first, CPU_MAX, &last))
		return false;
	if (last > *highest)
		*highest = last;
	return true;
}

/* "0-3,8", as the kernel writes it and fio takes it. */
static int read_cpus(const char *text, int64_t *ret_highest, struct diag *diag)
{
	_strv_ struct strv parts = { 0 };
	bool is_right = true;

	if (!text)
		return 0;
	if (strv_split(&parts, text, ","))
		return -ENOMEM;
	for (size_t i = 0; i < parts.count && is_right; i++)
		is_right = read_range(parts.items[i], ret_highest);
	if (!is_right || !parts.count || text[strspn(text, "0123456789,-")] != '\0')
		return diag_set(diag, -EINVAL,
				_("--cpus takes processors, for instance 0-3,8"));
	return 0;
}

static int check_exclusive(const struct bench_verb_options *options, struct diag *diag)
{
	if (options->workload && options->fio)
		return diag_set(diag, -EINVAL, _("only one of %s can be given"),
				"--workload, --fio");
	if (options->write_file && options->destroy_data)
		return diag_set(diag, -EINVAL, _("only one of %s can be given"),
				"--write-file, --destroy-data");
	if (options->medium && !options->has_prediction)
		return diag_set(diag, -EINVAL, _("--medium goes with --compare-simulation"));
	if (options->write_file && !*options->write_file)
		return diag_set(diag, -EINVAL, _("--%s names no file"), "write-file");
	if (options->plot && plot_check_name(options->plot, diag))
		return -EINVAL;
	return 0;
}

int bench_request_read(const struct bench_verb_options *options, struct bench_request *ret,
		       struct diag *diag)
{
	int64_t rounds = ROUNDS_DEFAULT;
	int error = check_exclusive(options, diag);

	ret->options = options;
	if (!error && options->rounds &&
	    number_parse_range(options->rounds, 1, BENCH_ROUNDS_MAX, &rounds))
		error = diag_set(diag, -EINVAL, _("--%s takes a number from %lld to %lld"),
				 "rounds", 1LL, (long long)BENCH_ROUNDS_MAX);
	ret->rounds = (unsigned)rounds;
	if (!error)
		error = cmd_read_time("runtime", options->runtime, SECOND_NS, &ret->runtime_ns,
				      diag);
	if (!error && options->runtime && ret->runtime_ns < RUNTIME_MIN_NS)
		error = diag_set(diag, -EINVAL, _("--%s takes a time of 100ms at least"),
				 "runtime");
	if (!error)
		error = cmd_read_time("warmup", options->warmup, SECOND_NS, &ret->warmup_ns,
				      diag);
	ret->has_warmup = options->warmup;
	if (!error)
		error = read_cpus(options->cpus, &ret->cpu_highest, diag);
	if (!error && options->objective)
		ret->objective = objective_find(options->objective);
	if (!error && options->scheduler)
		error = strv_split(&ret->schedulers, options->scheduler, ",");
	if (!error && options->scheduler && !ret->schedulers.count)
		error = diag_set(diag, -EINVAL, _("--scheduler names no scheduler"));
	if (!error && ret->schedulers.count > BENCH_SCHEDULERS_MAX)
		error = diag_set(diag, -EINVAL, _("too many schedulers"));
	return error;
}

void bench_request_done(struct bench_request *request)
{
	strv_done(&request->schedulers);
}

/* --- schedulers --------------------------------------------------------------------------- */

static bool is_to_be_had(const struct device *device, const struct host *host,
			 const struct scheduler *row)
{
	return choice_has(&device->scheduler, row->name) ||
	       (row->kind == device->queue_kind && host_can_load_scheduler(host, row));
}

static int refuse(const struct device *device, const char *name, struct diag *diag)
{
	struct suggestion suggestion = suggestion_for(name);

	diag_set(diag, -EINVAL, _("%s offers no scheduler \"%s\""), device->name, name);
	for (size_t i = 0; i < device->scheduler.count; i++)
		suggestion_offer(&suggestion, device->scheduler.names[i]);
	if (suggestion.nearest)
		diag_hint(diag, _("did you mean '%s'?"), suggestion.nearest);
	return -EINVAL;
}

static int take_asked(const struct bench_request *request, const struct device *device,
		      const struct host *host, struct strv *ret, struct diag *diag)
{
	int error = 0;

	for (size_t i = 0; i < request->schedulers.count && !error; i++) {
		const char *name = request->schedulers.items[i];
		const struct scheduler *row = scheduler_translate(name, device->queue_kind);

		if (!choice_has(&device->scheduler, name) && (!row || !is_to_be_had(device, host, row)))
			return refuse(device, name, diag);
		if (!choice_has(&device->scheduler, name)) {
			if (strcmp(name, row->name) != 0)
				log_notice(_("this queue cannot have %s: %s takes its place"), name,
					   row->name);
			name = row->name;
		}
		if (!strv_contains(ret, name))
			error = strv_add(ret, name);
	}
	return error;
}

/* Not by itself: a module that is loaded stays. */
static void say_others(const struct device *device, const struct host *host)
{
	_text_ struct text names = { 0 };
	const struct scheduler *row;

	for (size_t i = 0; (row = scheduler_get(i)); i++) {
		if (!choice_has(&device->scheduler, row->name) && is_to_be_had(device, host, row))
			text_addf(&names, "%s%s", names.len ? ", " : "", row->name);
	}
	if (names.data && !names.error)
		log_notice(_("the kernel could load others: %s (name them with --scheduler)"),
			   names.data);
}

int bench_choose_schedulers(const struct bench_request *request, const struct device *device,
			    const struct host *host, struct strv *ret, struct diag *diag)
{
	int error = 0;

	if (request->schedulers.count)
		return take_asked(request, device, host, ret, diag);
	for (size_t i = 0; i < device->scheduler.count && !error; i++)
		error = strv_add(ret, device->scheduler.names[i]);
	if (!error && !ret->count)
		return diag_set(diag, -EINVAL, _("%s has no scheduler that can be chosen"),
				device->name);
	say_others(device, host);
	return error;
}

const char *bench_request_workload(const struct bench_request *request)
{
	const char *name = request->options->workload;

	return name ? name : "randread";
}
