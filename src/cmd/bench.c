// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * bench: schedulers side by side on the real device. Everything is checked before the first
 * switch; after it, whatever happens, the way back is gone before anything is printed.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cmd/bench-task.h"
#include "cmd/common.h"
#include "cmd/simulate-device.h"
#include "cmd/verb.h"
#include "report/json.h"
#include "report/plot.h"
#include "sysfs/paths.h"
#include "util/file.h"
#include "util/i18n.h"
#include "util/log.h"

#define JOB_FILE_MAX     (1u << 20)

#define FIELD(field) OPTION_FIELD(struct bench_verb_options, field)

static const char *const objective_words[] = {
	"p99-read", "p99-write", "iops", "throughput", "mean", NULL,
};

static const struct option_spec bench_specs[] = {
	{ 's', "scheduler", VALUE_SCHEDULER, "NAME,...",
	  .help = N_("the schedulers to compare, without it those that the device offers"),
	  .offset = FIELD(scheduler) },
	{ 'w', "workload", VALUE_WORKLOAD, "NAME", .help = N_("what is done (randread)"),
	  .offset = FIELD(workload) },
	{ 0, "fio", VALUE_FILE, "FILE", .help = N_("what this fio job file says, on the device"),
	  .offset = FIELD(fio) },
	{ 0, "rounds", VALUE_NUMBER, "N", .help = N_("turns of each scheduler (5)"),
	  .offset = FIELD(rounds) },
	{ 0, "runtime", VALUE_TEXT, "TIME",
	  .help = N_("of one turn, in s or with a unit: ms, m, h (10s)"), .offset = FIELD(runtime) },
	{ 0, "warmup", VALUE_TEXT, "TIME",
	  .help = N_("before each, not counted (a tenth of the runtime)"),
	  .offset = FIELD(warmup) },
	{ 0, "write-file", VALUE_FILE, "PATH",
	  .help = N_("write, too: to a file that is made there, on a filesystem of the "
		     "device, and removed"),
	  .offset = FIELD(write_file) },
	{ 0, "destroy-data", VALUE_TEXT, "NAME",
	  .help = N_("write, too: to the device itself, which must hold nothing; NAME is its "
		     "name once more"),
	  .offset = FIELD(destroy_data) },
	{ 0, "cpus", VALUE_TEXT, "LIST", .help = N_("processors that do the I/O: 0-3,8"),
	  .offset = FIELD(cpus) },
	{ 0, "compare-simulation", VALUE_NONE, NULL,
	  .help = N_("set beside it what the simulation predicts"),
	  .offset = FIELD(has_prediction) },
	{ 'm', "medium", VALUE_MEDIUM, "NAME|FILE",
	  .help = N_("what the prediction takes the device for; without it what its class "
		     "stands for"),
	  .offset = FIELD(medium) },
	{ 0, "objective", VALUE_WORD, "OBJECTIVE", .words = objective_words,
	  .help = N_("what decides which is best: p99-read, p99-write, iops, "
		     "throughput or mean (p99-read; p99-write where nothing is read; mean where "
		     "fewer than 100 I/Os are compared)"),
	  .offset = FIELD(objective) },
	{ 0, "plot", VALUE_FILE, "FILE",
	  .help = N_("draw the latencies there, by gnuplot: .svg or .png"),
	  .offset = FIELD(plot) },
};

static void task_done(struct bench_task *task)
{
	bench_prediction_done(&task->prediction);
	bench_result_done(&task->result);
	bench_file_done(&task->file);
	cleanup_close(&task->claim);
	workload_done(&task->workload);
	strv_done(&task->schedulers);
	strv_done(&task->names);
	free(task->fio);
	free(task->job_file);
	free(task->list);
	free(task->path);
	gathered_done(&task->gathered);
	bench_request_done(&task->request);
}

/* --- before ------------------------------------------------------------------------------ */

int bench_task_read_workload(struct bench_task *task, uint64_t size_sectors, struct diag *diag)
{
	struct workload workload;
	int error = simulate_workload_read(bench_request_workload(&task->request),
					   task->request.options->fio, size_sectors,
					   &workload, diag);

	if (error)
		return error;
	workload_done(&task->workload);
	task->workload = workload;
	return 0;
}

/* What a job file of a person may call it. */
static int list_names(struct bench_task *task)
{
	int error = asprintf(&task->path, "/" PATH_DEV "/%s", task->device->name) < 0 ? -ENOMEM
										       : 0;

	if (error) {
		task->path = NULL;
		return error;
	}
	error = strv_add(&task->names, task->path);
	for (size_t i = 0; i < task->device->devlinks.count && !error; i++)
		error = strv_add(&task->names, task->device->devlinks.items[i]);
	return error;
}

static int read_job_file(struct bench_task *task, struct diag *diag)
{
	const char *path = task->request.options->fio;
	size_t len;
	int error;

	if (!path)
		return 0;
	error = file_read(path, JOB_FILE_MAX, &task->job_file, &len);
	if (error)
		return diag_set(diag, error, _("cannot read \"%s\": %s"), path,
				strerror(-error));
	return 0;
}

/* May it be written, and to what? */
static int choose_target(struct bench_task *task, struct diag *diag)
{
	const struct bench_verb_options *options = task->request.options;
	const struct root *root = task->context->root;

	if (options->write_file) {
		task->target = BENCH_FILE;
		return 0;
	}
	if (!fio_workload_writes(&task->workload)) {
		if (options->destroy_data)
			log_notice(_("the workload only reads: nothing is written"));
		return 0;
	}
	task->target = BENCH_DEVICE;
	task->claim = bench_claim_device(root, task->device, options->destroy_data, diag);
	return task->claim < 0 ? task->claim : 0;
}

static int prepare(struct bench_task *task, struct diag *diag)
{
	const struct device_list *devices = task->gathered.devices;
	int error;

	task->device = task->gathered.named[0];
	task->size_bytes = task->device->size_sectors * 512;
	error = simulate_device_check_level(task->device, diag);
	if (!error)
		error = bench_choose_schedulers(&task->request, task->device, devices->host,
						&task->schedulers, diag);
	if (!error)
		error = list_names(task);
	if (!error)
		error = bench_task_read_workload(task, task->device->size_sectors, diag);
	if (!error)
		error = read_job_file(task, diag);
	if (!error)
		error = choose_target(task, diag);
	if (!error && task->target == BENCH_FILE && fio_workload_trims(&task->workload))
		error = diag_set(diag, -EINVAL, _("a file cannot be discarded"));
	if (!error)
		error = fio_find(task->context->root, &task->fio, diag);
	return error;
}

/* --- afterwards ----------------------------------------------------------------------------- */

static int find_reference(const struct bench_task *task, const char *original)
{
	for (size_t i = 0; i < task->schedulers.count; i++) {
		if (strcmp(task->schedulers.items[i], original) == 0)
			return (int)i;
	}
	return 0;
}

static int draw(const struct bench_task *task, const struct bench_report *report, struct diag *diag)
{
	struct table_style style = cmd_table_style(task->context);
	const char *path = task->request.options->plot;
	_cleanup_(plot_done) struct plot plot = { 0 };
	_text_ struct text title = { 0 };
	int error;

	bench_report_add_subject(report, &title);
	if (title.error)
		return title.error;
	error = plot_make(PLOT_LATENCY, report->measured, NULL, title.data, "", &plot);
	if (error == -ENODATA)
		return diag_set(diag, error, _("there is nothing to draw"));
	if (!error)
		error = plot_write(&plot, path, diag);
	if (!error)
		log_notice(_("the picture is in %s"), path);
	if (error == -ENOPKG && !task->context->is_json)
		plot_print(&plot, &style);
	return error;
}

static int print(const struct bench_task *task, const struct bench_report *report)
{
	struct table_style style = cmd_table_style(task->context);
	json_t *root;
	int error;

	if (!task->context->is_json)
		return bench_report_print(report, &style);
	root = json_envelope();
	error = bench_report_to_json(report, root);
	return json_print(root, error);
}

/* What dd has always been compared by; its calls' latencies are those of the page cache. */
static const struct objective *choose_objective(const struct bench_task *task)
{
	if (!task->request.objective && bench_is_dd(&task->bench))
		return objective_find("throughput");
	return task->request.objective;
}

/* Discards are not counted by fio. */
static void warn_idle(const struct bench_task *task, size_t index)
{
	const struct experiment_outcome *outcome = &task->result.outcomes[index];

	if (!outcome->directions[SIM_DIR_READ].ios && !outcome->directions[SIM_DIR_WRITE].ios &&
	    !fio_workload_trims(&task->workload))
		log_warning(_("%s: fio reports no I/O: the runs were too short"),
			    task->schedulers.items[index]);
}

static int report(struct bench_task *task, const char *original, struct diag *diag)
{
	const struct bench_result *result = &task->result;
	_free_ struct comparison_column *columns = calloc(result->count + 1, sizeof(*columns));
	struct comparison measured, predicted;
	struct bench_report whole = {
		.bench = &task->bench,
		.result = result,
		.conditions = &task->conditions,
		.target = task->target,
		.size_bytes = task->size_bytes,
		.original = original,
		.measured = &measured,
		.medium = task->prediction.simulated.medium.name,
	};
	int error;

	if (!columns)
		return -ENOMEM;
	for (size_t i = 0; i < result->count; i++)
		warn_idle(task, i);
	for (size_t i = 0; i < result->count; i++)
		columns[i] = (struct comparison_column){
			.title = task->schedulers.items[i],
			.scheduler = task->schedulers.items[i],
		};
	measured = comparison_make(columns, result->outcomes, result->count,
				   choose_objective(task), find_reference(task, original));
	comparison_of_medians(&measured);
	if (task->prediction.count) {
		predicted = comparison_make(columns, task->prediction.outcomes, result->count,
					    measured.objective, measured.reference);
		whole.predicted = &predicted;
	}
	error = print(task, &whole);
	if (!error && task->request.options->plot)
		error = draw(task, &whole, diag);
	return error;
}

static int fail(struct diag *diag, int error)
{
	if (error == -EINTR) {
		log_warning(_("ended early"));
		return EXIT_STATUS_FAILED;
	}
	return cmd_fail_request(&verb_bench, diag, error);
}

static int measure_and_report(struct bench_task *task)
{
	_free_ char *original = NULL;
	struct diag diag = { 0 };
	int error = prepare(task, &diag);

	if (!error)
		error = bench_task_measure(task, &original, &diag);
	if (!error && task->request.options->has_prediction)
		error = bench_prediction_run(&task->prediction, &task->schedulers, &diag);
	if (!error)
		error = report(task, original, &diag);
	if (error)
		return fail(&diag, error);
	if (!task->result.is_partial)
		return EXIT_STATUS_DONE;
	log_warning(_("ended early: the figures are of what was done until then"));
	return EXIT_STATUS_FAILED;
}

static int check_processors(const struct bench_request *request, struct diag *diag)
{
	long count = sysconf(_SC_NPROCESSORS_CONF);

	if (count < 1 || request->cpu_highest < count)
		return 0;
	return diag_set(diag, -EINVAL,
			_("--cpus: there is no processor %lld, the last one is %ld"),
			(long long)request->cpu_highest, count - 1);
}

static int run_bench(const struct cmd_context *context, const void *data,
		     const char *const *arguments, size_t argument_count)
{
	_cleanup_(task_done) struct bench_task task = { .context = context,
						  .claim = -1,
						  .file = { .fd = -1 } };
	const struct gather_request gathering = {
		.policy = GATHER_NO_POLICY,
		.needs = SIMULATE_DEVICE_NEEDS | BENCH_SAFETY_NEEDS | SCAN_UDEV,
		.names = arguments,
		.name_count = argument_count,
	};
	struct diag diag = { 0 };
	int status;

	if (bench_request_read(data, &task.request, &diag) ||
	    check_processors(&task.request, &diag))
		return cmd_fail_usage(&verb_bench, &diag);
	if (root_get_kind(context->root) != ROOT_HOST) {
		diag_set(&diag, -EROFS, _("only this host can be measured"));
		diag_hint(&diag, _("for another one there is 'iosched-tune simulate'"));
		return cmd_fail(&diag, -EROFS);
	}
	if (task.request.options->plot &&
	    file_check_output(task.request.options->plot, &diag))
		return cmd_fail(&diag, diag.error);
	status = gather(context, &verb_bench, &gathering, &task.gathered);
	return status ? status : measure_and_report(&task);
}

static const struct verb_example examples[] = {
	{ "iosched-tune bench sda",
	  N_("random reads under each scheduler that sda offers; nothing is written") },
	{ "iosched-tune bench sda --workload oltp --write-file /srv/measure.tmp",
	  N_("a database's I/O, in a file that is made and removed") },
	{ "iosched-tune bench nvme0n1 --scheduler none,kyber --fio job.fio --cpus 0-3",
	  N_("your own job file, on four processors") },
	{ "iosched-tune bench sdb --workload dd-both --destroy-data sdb",
	  N_("an empty disk, written to: two dd through the page cache") },
	{ "iosched-tune bench sda --compare-simulation",
	  N_("is the simulation right about this disk?") },
	{ 0 },
};

const struct verb verb_bench = {
	.name = "bench",
	.summary = N_("Compare schedulers on the real device"),
	.usage = "DEVICE",
	.help = N_("Runs a workload with fio on the device, under one scheduler after the other "
		   "in several rounds, and sets the results side by side. Afterwards, and after "
		   "an error or Ctrl-C, scheduler and parameters are as before; where the program "
		   "was killed, 'iosched-tune restore' does it.\n"
		   "Nothing is written unless you say where: to a file that is made for it, or to "
		   "a device that holds nothing and that you name twice."),
	.examples = examples,
	.options = bench_specs,
	.option_count = ARRAY_SIZE(bench_specs),
	.options_size = sizeof(struct bench_verb_options),
	.positional = { "DEVICE", VALUE_DEVICE, 1, 1 },
	.run = run_bench,
};
