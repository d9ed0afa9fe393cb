// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the command line to what is simulated. Limits of time and number keep every run
 * finite whatever the workload does.
 */
#include "cmd/simulate-case.h"

#include <errno.h>
#include <string.h>

#include "cmd/common.h"
#include "util/file.h"
#include "util/i18n.h"
#include "util/log.h"

#define DEPTH_DEFAULT      32
#define HZ_DEFAULT         250
#define SERVICE_DEFAULT_NS 1000000 /* 1 ms */
#define PROCESSORS_DEFAULT 8

#define MEDIUM_DEFAULT   "nvme"
#define WORKLOAD_DEFAULT "oltp"
#define SEEDS_DEFAULT    5

/* A spinning disk does in a minute what flash does in a fraction of a second. */
#define RUNTIME_ARM_NS   (UINT64_C(60) * 1000000000)
#define RUNTIME_FLASH_NS (UINT64_C(2) * 1000000000)
/* Of the run; what is counted begins on a device that has been in use. */
#define WARMUP_PART           20
/* Enough for 50 samples beyond P99.99. */
#define IOS_DEFAULT           500000

/*
 * From the interrupt to the process that an idle processor runs: what a read at depth 1
 * takes (69 us), less the device's 56 us and the processor's 2.8 us (facts on published
 * results, F).
 */
#define WAKE_NS 10000

#define FILE_MAX_BYTES (1 << 20)

void simulate_case_done(struct simulate_case *ret)
{
	workload_done(&ret->workload);
	simulate_variants_done(&ret->variants);
}

/* --- the medium ------------------------------------------------------------------------ */

static bool is_file(const char *name)
{
	return strchr(name, '/') || text_ends_with(name, ".json");
}

static int read_file(const char *path, char **ret, size_t *ret_len, struct diag *diag)
{
	int error = file_read(path, FILE_MAX_BYTES, ret, ret_len);

	if (error)
		return diag_set(diag, error, _("cannot read \"%s\": %s"), path,
				error == -EBADMSG ? _("not a regular file")
						  : strerror(-error));
	return 0;
}

static int find_medium(const char *name, struct sim_medium *ret, struct diag *diag)
{
	const struct sim_medium_preset *preset;
	_strv_ struct strv known = { 0 };
	_free_ char *json = NULL;
	size_t len;
	int error;

	if (is_file(name)) {
		error = read_file(name, &json, &len, diag);
		return error ? error : sim_medium_parse(json, len, name, ret, diag);
	}
	error = sim_medium_find(name, ret);
	if (error != -ENOENT)
		return error;
	diag_set(diag, -EINVAL, _("there is no medium \"%s\""), name);
	error = 0;
	for (size_t i = 0; !error && (preset = sim_medium_preset(i)); i++)
		error = strv_add(&known, preset->name);
	cmd_hint_name(diag, name, &known, "iosched-tune-media");
	return -EINVAL;
}

static int choose_medium(const struct simulate_request *request,
			 const struct sim_medium *medium, struct simulate_case *ret,
			 struct diag *diag)
{
	const struct simulate_verb_options *options = request->options;
	int error;

	ret->has_medium = true;
	if (options->medium)
		return find_medium(options->medium, &ret->medium, diag);
	if (medium && !options->service_time) {
		ret->medium = *medium;
		return 0;
	}
	if (request->needs_medium)
		return diag_set(diag, -EINVAL,
				_("the trace does not say what device it is of: name one, or "
				  "--medium"));
	if (options->service_time || options->trace) {
		ret->has_medium = false;
		if (!options->service_time)
			log_notice(_("no medium is named: every request takes %u ms; name "
				     "one with --medium, or a device"),
				   SERVICE_DEFAULT_NS / 1000000);
		return 0;
	}
	error = sim_medium_find(MEDIUM_DEFAULT, &ret->medium);
	return error ? diag_set(diag, error, _("there is no medium \"%s\""), MEDIUM_DEFAULT) : 0;
}

/* --- the workload ---------------------------------------------------------------------- */

static int fail_workload(const char *name, struct diag *diag)
{
	const struct workload_row *row;
	_strv_ struct strv known = { 0 };
	int error = 0;

	diag_set(diag, -EINVAL, _("there is no workload \"%s\""), name);
	for (size_t i = 0; !error && (row = workload_get(i)); i++) {
		error = strv_add(&known, row->name);
		if (!error && row->alias)
			error = strv_add(&known, row->alias);
	}
	cmd_hint_name(diag, name, &known, "iosched-tune-workloads");
	return -EINVAL;
}

static int find_workload(const char *name, uint64_t capacity, struct workload *ret,
			 struct diag *diag)
{
	int error = workload_find(name, capacity, ret);

	if (error == -EINVAL)
		return diag_set(diag, error, _("the workload %s needs a medium of 8 MiB or more"),
				name);
	if (error != -ENOENT)
		return error;
	return fail_workload(name, diag);
}

static void say_note(void *context, unsigned line, const char *key, const char *why)
{
	log_info("%s:%u: %s: %s", (const char *)context, line, key, why);
}

static int read_fio(const char *path, uint64_t capacity, struct workload *ret,
		    struct diag *diag)
{
	char *name;
	struct fio_file_options options = { .capacity_sectors = capacity,
					    .on_note = say_note };
	_free_ char *text = NULL, *copy = strdup(path);
	size_t len;
	int error;

	if (!copy)
		return -ENOMEM;
	options.context = copy;
	error = read_file(path, &text, &len, diag);
	if (error)
		return error;
	error = fio_file_parse(text, len, path, &options, ret, diag);
	name = strrchr(copy, '/');
	if (!error && !ret->name[0])
		snprintf(ret->name, sizeof(ret->name), "%s", name ? name + 1 : copy);
	return error;
}

int simulate_workload_read(const char *name, const char *fio_path, uint64_t capacity_sectors,
			   struct workload *ret, struct diag *diag)
{
	if (fio_path)
		return read_fio(fio_path, capacity_sectors, ret, diag);
	return find_workload(name ? name : WORKLOAD_DEFAULT, capacity_sectors, ret, diag);
}

static int choose_workload(const struct simulate_request *request, const char *workload,
			   struct simulate_case *ret, struct diag *diag)
{
	const struct simulate_verb_options *options = request->options;
	uint64_t capacity = ret->has_medium ? ret->medium.capacity_sectors : 0;

	if (options->trace) {
		ret->source = (struct simulate_source){
			.path = options->trace,
			.is_strict = options->is_strict,
			.time_scale = request->numbers.time_scale,
			.capacity_sectors = capacity,
		};
		return 0;
	}
	if (!ret->has_medium) {
		/* Only the places of I/Os need it: what a small disk has. */
		capacity = UINT64_C(2) << 30;
		ret->options.queue.capacity_sectors = capacity;
	}
	ret->has_workload = true;
	if (options->workload)
		workload = options->workload;
	return simulate_workload_read(workload, options->fio, capacity, &ret->workload, diag);
}

/* --- machine and limits ------------------------------------------------------------------ */

/* Without a medium nothing but the order is asked for, and processors cost nothing. */
static void choose_machine(const struct simulate_request *request, unsigned processors,
			   struct simulate_case *ret)
{
	const struct simulate_numbers *numbers = &request->numbers;

	ret->has_machine = ret->has_medium || numbers->cores || numbers->slowness > 0;
	ret->machine = (struct sim_machine){
		.processors = numbers->cores ? numbers->cores
			      : processors ? processors : PROCESSORS_DEFAULT,
		.slowness = numbers->slowness > 0 ? numbers->slowness : 1,
		.wake_ns = WAKE_NS,
	};
}

static void choose_queue(const struct simulate_request *request, bool is_device,
			 struct simulate_case *ret)
{
	const struct simulate_numbers *numbers = &request->numbers;
	struct sim_queue_config *queue = &ret->options.queue;

	queue->kernel = request->kernel;
	queue->hw_queues = 1;
	queue->hw_depth = DEPTH_DEFAULT;
	if (ret->has_medium)
		sim_medium_to_queue(&ret->medium, queue);
	/* A driver asks for no more queues than there are processors. */
	if (ret->has_machine && !is_device && queue->hw_queues > ret->machine.processors)
		queue->hw_queues = ret->machine.processors;
	if (numbers->hw_queues)
		queue->hw_queues = numbers->hw_queues;
	if (numbers->depth)
		queue->hw_depth = numbers->depth;
	if (numbers->zone_sectors)
		queue->zone_sectors = numbers->zone_sectors;
	queue->hz = numbers->hz ? numbers->hz : HZ_DEFAULT;
	if (ret->has_machine)
		queue->cpus = ret->machine.processors;
	else
		queue->cpus = queue->hw_queues > 1 || ret->has_workload ? SIM_CPUS_MAX : 1;
}

static bool ends_by_itself(const struct workload *workload)
{
	for (size_t i = 0; i < workload->job_count; i++) {
		const struct job_spec *job = &workload->jobs[i];

		if (!job->is_time_based || job->total_sectors || job->total_ios)
			return true;
	}
	return false;
}

static void choose_limits(const struct simulate_request *request, struct simulate_case *ret)
{
	const struct simulate_numbers *numbers = &request->numbers;
	struct simulate_options *options = &ret->options;
	bool is_slow = !ret->has_medium || sim_medium_has_arm(&ret->medium);

	options->runtime_ns = numbers->runtime_ns;
	options->ios_max = numbers->ios ? numbers->ios : SIMULATE_IOS_MAX;
	options->warmup_ns = numbers->warmup_ns;
	if (!ret->has_workload)
		return;
	if (!options->runtime_ns)
		options->runtime_ns = ret->workload.runtime_ns;
	if (!options->runtime_ns) {
		options->runtime_ns = is_slow ? RUNTIME_ARM_NS : RUNTIME_FLASH_NS;
		if (!numbers->ios)
			options->ios_max = IOS_DEFAULT;
	}
	if (numbers->has_warmup)
		return;
	if (ret->workload.warmup_ns)
		options->warmup_ns = ret->workload.warmup_ns;
	else if (!ends_by_itself(&ret->workload) && !numbers->ios)
		options->warmup_ns = options->runtime_ns / WARMUP_PART;
}

static void choose_runs(const struct simulate_request *request, struct simulate_case *ret)
{
	bool has_chance = ret->has_workload || ret->has_medium;

	ret->seed = request->numbers.has_seed ? request->numbers.seed : 1;
	ret->seeds = request->numbers.seeds ? request->numbers.seeds
		     : has_chance ? SEEDS_DEFAULT : 1;
	/* What is explained is one run. */
	if (!request->numbers.seeds && (request->log || request->options->has_explain))
		ret->seeds = 1;
	ret->threads = simulate_request_threads(request);
}

int simulate_case_read(const struct simulate_request *request,
		       const struct sim_medium *medium, const char *workload,
		       unsigned processors, struct simulate_case *ret, struct diag *diag)
{
	int error;

	ret->kernel = request->kernel;
	error = choose_medium(request, medium, ret, diag);
	if (!error)
		error = choose_workload(request, workload, ret, diag);
	if (error)
		return diag_set(diag, error, "%s", strerror(-error));
	choose_machine(request, processors, ret);
	choose_queue(request, medium && !request->options->medium, ret);
	ret->options.service_ns = request->numbers.has_service ? request->numbers.service_ns
							       : SERVICE_DEFAULT_NS;
	ret->options.hold_ns = request->numbers.hold_ns;
	ret->options.devices = ret->has_workload ? ret->workload.devices : 1;
	choose_limits(request, ret);
	if (ret->options.runtime_ns && ret->options.warmup_ns >= ret->options.runtime_ns)
		return diag_set(diag, -EINVAL,
				_("nothing would be counted: the warm-up is as long as the run"));
	choose_runs(request, ret);
	if (request->options->trace && ret->seeds > 1 &&
	    simulate_source_is_stream(request->options->trace))
		ret->seeds = 1;
	if (ret->has_medium)
		snprintf(ret->subject, sizeof(ret->subject), "%s", ret->medium.name);
	return 0;
}
