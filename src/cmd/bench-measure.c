// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Carrying a measurement out, with progress on a terminal: from the first look around to the
 * way back.
 */
#include <errno.h>
#include <string.h>

#include "cmd/bench-task.h"
#include "cmd/common.h"
#include "sysfs/paths.h"
#include "util/clock.h"
#include "util/i18n.h"
#include "util/log.h"

#define RUNTIME_DEFAULT_NS (UINT64_C(10) * 1000000000)
/* Of the run; a device that was idle needs some to come to its pace. */
#define WARMUP_PART   10
#define WARMUP_MAX_NS (UINT64_C(5) * 1000000000)
/* How long others are watched before the first run. */
#define WATCH_MS      500

/* --- progress ----------------------------------------------------------------------------- */

static void show_progress(void *context, const struct bench_progress *progress)
{
	struct bench_task *task = context;
	unsigned left = (unsigned)(progress->seconds_left + 0.5);

	if (!progress->is_running) {
		progress_line_clear(&task->line);
		log_info(_("round %u of %u: %s"), progress->round + 1, progress->rounds,
			 progress->scheduler);
	}
	progress_line_draw(&task->line,
			   /* TRANSLATORS: a line of progress, drawn over and over; keep it short. */
			   _("measuring: round %u of %u, %s, %3.0f %%, %u:%02u left"),
			   progress->round + 1, progress->rounds, progress->scheduler,
			   progress->fraction * 100, left / 60, left % 60);
}

struct file_watch {
	struct bench_task *task;
	struct held_signals *signals;
};

static bool watch_file(void *context, double fraction)
{
	struct file_watch *watch = context;

	progress_line_draw(&watch->task->line, _("filling the file: %3.0f %%"),
			   fraction * 100);
	return signals_check(watch->signals);
}

static void say_length(const struct bench *bench)
{
	double runs = (double)bench->rounds * (double)bench->scheduler_count;
	double seconds =
		runs * ((double)bench->terms.runtime_ns + (double)bench->terms.warmup_ns) / 1e9;

	log_notice(_("schedulers: %zu, rounds: %u; about %.0f s"), bench->scheduler_count,
		   bench->rounds, seconds);
	if (bench->rounds < ESTIMATE_MEDIAN_MIN && bench->scheduler_count > 1)
		log_warning(_("with fewer than %d rounds nobody knows whether a difference is "
			      "chance: no scheduler is called the best"),
			    ESTIMATE_MEDIAN_MIN);
}

/* --- the measurement ------------------------------------------------------------------------ */

/* A job of it ends with its size, which may be before any warm-up. */
static bool ends_by_itself(const struct bench_task *task)
{
	for (size_t i = 0; task->job_file && i < task->workload.job_count; i++) {
		if (!task->workload.jobs[i].is_time_based)
			return true;
	}
	return false;
}

/* The terms of the runs, once it is known what they go to. */
static int fill_bench(struct bench_task *task)
{
	const struct bench_request *request = &task->request;
	struct bench *bench = &task->bench;
	uint64_t runtime_ns = request->runtime_ns, warmup_ns = request->warmup_ns;

	if (!runtime_ns)
		runtime_ns = task->workload.runtime_ns ? task->workload.runtime_ns
						       : RUNTIME_DEFAULT_NS;
	if (!request->has_warmup)
		warmup_ns = task->workload.warmup_ns ? task->workload.warmup_ns
						     : runtime_ns / WARMUP_PART;
	if (!request->has_warmup && ends_by_itself(task))
		warmup_ns = 0;
	if (!request->has_warmup && warmup_ns > WARMUP_MAX_NS)
		warmup_ns = WARMUP_MAX_NS;
	task->list = calloc(task->schedulers.count + 1, sizeof(*task->list));
	if (!task->list)
		return -ENOMEM;
	for (size_t i = 0; i < task->schedulers.count; i++)
		task->list[i] = task->schedulers.items[i];
	*bench = (struct bench){
		.root = task->context->root,
		.device = task->device,
		.fio = task->fio,
		.workload = &task->workload,
		.job_file = task->job_file,
		.dev_folder = "/" PATH_DEV "/",
		.names = &task->names,
		.terms = { .filename = task->target == BENCH_FILE ? task->file.open_path
								  : task->path,
			   .runtime_ns = runtime_ns,
			   .warmup_ns = warmup_ns,
			   .cpus = request->options->cpus,
			   .seed = 1,
			   .is_runtime_given = request->runtime_ns },
		.is_read_only = !fio_workload_writes(&task->workload),
		.schedulers = task->list,
		.scheduler_count = task->schedulers.count,
		.rounds = request->rounds,
		.on_progress = show_progress,
		.context = task,
	};
	/* What is counted begins with the work that is to be done. */
	if (bench_is_dd(bench) || fio_workload_is_staged(&task->workload))
		bench->terms.warmup_ns = 0;
	return 0;
}

/* What others do with the device, before it is given work. */
static void watch_others(struct bench_task *task, struct held_signals *signals)
{
	const struct root *root = task->context->root;
	struct device_counters before, after;
	struct device_load load;
	uint64_t begin_ns;
	bool has_load;

	begin_ns = clock_now_ns();
	has_load = !device_counters_read(root, task->device, &before);
	signals_wait(signals, WATCH_MS);
	has_load = has_load && !device_counters_read(root, task->device, &after) &&
		   !device_load_between(&before, &after, clock_seconds_since(begin_ns),
				       &load);
	conditions_read(root, task->gathered.devices, has_load ? &load : NULL,
			&task->conditions);
}

static int make_file(struct bench_task *task, struct held_signals *signals, struct diag *diag)
{
	struct file_watch watch = { .task = task, .signals = signals };
	int error;

	if (task->target != BENCH_FILE)
		return 0;
	error = bench_file_make(task->context->root, task->device,
				task->request.options->write_file, watch_file, &watch,
				&task->file, diag);
	progress_line_clear(&task->line);
	if (error)
		return error;
	task->size_bytes = task->file.size_bytes;
	return bench_task_read_workload(task, task->size_bytes / 512, diag);
}

static int predict(struct bench_task *task, struct diag *diag)
{
	if (!task->request.options->has_prediction)
		return 0;
	return bench_prediction_prepare(task->context, &task->request, task->device,
					&task->schedulers, task->size_bytes / 512,
					&task->prediction, diag);
}

/* The switching and the way back; `ret_original`: the scheduler of before, to free. */
static int measure(struct bench_task *task, struct held_signals *signals, char **ret_original,
		   struct diag *diag)
{
	_bench_switch_ struct bench_switch state = { .lock = APPLY_LOCK_NONE };
	struct diag back = { 0 };
	int error = bench_switch_begin(task->context->root, task->device, &state, diag);
	int back_error;

	if (error)
		return error;
	error = bench_run(&task->bench, &state, signals, &task->result, diag);
	progress_line_clear(&task->line);
	/* From here on it is brought to its end. */
	signals_ignore(signals);
	back_error = bench_switch_back(&state, &back);
	*ret_original = TAKE_PTR(state.original);
	if (!back_error)
		return error;
	if (!back.hint[0])
		diag_hint(&back, _("the scheduler of before was not brought back; when the "
				   "cause is gone: iosched-tune restore %s"),
			  task->device->name);
	if (error && error != -EINTR)
		log_diag(diag);
	*diag = back;
	return diag_set(diag, back_error, _("the scheduler of before was not brought back: %s"),
			strerror(-back_error));
}

int bench_task_measure(struct bench_task *task, char **ret_original, struct diag *diag)
{
	_held_signals_ struct held_signals signals = SIGNALS_NONE;
	int error = signals_hold(SIGNALS_HANGUP | SIGNALS_QUIT | SIGNALS_STOP, &signals);

	if (error)
		return error;
	task->line = progress_line_make();
	watch_others(task, &signals);
	error = make_file(task, &signals, diag);
	if (!error)
		error = fill_bench(task);
	if (!error)
		error = predict(task, diag);
	if (!error) {
		say_length(&task->bench);
		error = measure(task, &signals, ret_original, diag);
	}
	bench_file_done(&task->file);
	return error;
}
