// SPDX-License-Identifier: GPL-2.0-or-later
/* Rounds of runs. */
#include "bench/bench.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rounds.h"
#include "util/clock.h"
#include "util/i18n.h"

/* Beyond what its jobs take: starting, the last I/Os of a slow device, its report. */
#define PATIENCE_NS (UINT64_C(120) * 1000000000)

size_t bench_turn(unsigned round, size_t turn, size_t count)
{
	return (round + turn) % count;
}

bool bench_is_dd(const struct bench *bench)
{
	return !bench->job_file && fio_is_dd(bench->workload);
}

void bench_result_done(struct bench_result *result)
{
	experiment_outcomes_free(result->outcomes, result->count);
	strv_done(&result->notes);
	*result = (struct bench_result){ 0 };
}

struct course {
	const struct bench *bench;
	struct bench_switch *state;
	struct held_signals *signals;
	struct bench_rounds *rounds; /* by scheduler */
	struct bench_result *result;
	unsigned *stages;            /* by job */
	uint64_t begin_ns;
	double run_s;                /* what one run takes, as known so far */
	unsigned done;               /* runs */
	unsigned round;
	size_t turn;                 /* index of the scheduler */
};

static void course_done(struct course *course)
{
	for (size_t i = 0; course->rounds && i < course->bench->scheduler_count; i++)
		bench_rounds_done(&course->rounds[i]);
	free(course->rounds);
	free(course->stages);
}

static void tell_progress(const struct course *course, bool is_running, double seconds)
{
	const struct bench *bench = course->bench;
	double total = (double)bench->rounds * (double)bench->scheduler_count;
	double part = course->run_s > 0 ? seconds / course->run_s : 0;
	double done = course->done + (part < 1 ? part : 1);
	struct bench_progress progress = {
		.round = course->round,
		.rounds = bench->rounds,
		.scheduler = bench->schedulers[course->turn],
		.is_running = is_running,
		.fraction = done / total,
		.seconds_left = (total - done) * course->run_s,
	};

	if (bench->on_progress)
		bench->on_progress(bench->context, &progress);
}

static void tell_running(void *context, double seconds)
{
	tell_progress(context, true, seconds);
}

/* The time that all stages may take. */
static uint64_t find_limit(const struct bench *bench)
{
	const struct workload *workload = bench->workload;
	uint64_t stages = 1, start_ns = 0, limit_ns;

	for (size_t i = 0; i < workload->job_count; i++) {
		stages += i && workload->jobs[i].stage != workload->jobs[i - 1].stage;
		if (workload->jobs[i].start_ns > start_ns)
			start_ns = workload->jobs[i].start_ns;
	}
	/* A job file may say any time. */
	if (__builtin_add_overflow(bench->terms.runtime_ns, bench->terms.warmup_ns, &limit_ns) ||
	    __builtin_add_overflow(limit_ns, start_ns, &limit_ns) ||
	    __builtin_mul_overflow(limit_ns, stages, &limit_ns) ||
	    __builtin_add_overflow(limit_ns, PATIENCE_NS, &limit_ns))
		return UINT64_MAX;
	return limit_ns;
}

static int make_job(struct course *course, struct text *ret, struct diag *diag)
{
	const struct bench *bench = course->bench;
	_strv_ struct strv notes = { 0 };
	struct fio_terms terms = bench->terms;
	int error;

	/* Places of its own for each run: what one has read, a cache may have kept. */
	terms.seed += course->done;
	if (bench->job_file)
		error = fio_job_adapt(bench->job_file, bench->workload, &terms,
				      bench->dev_folder, bench->names, ret, &notes, diag);
	else
		error = fio_job_text(bench->workload, &terms, ret, &notes, diag);
	if (error || course->done)
		return error;
	for (size_t i = 0; i < notes.count && !error; i++)
		error = strv_add(&course->result->notes, notes.items[i]);
	return error;
}

static int check_groups(const struct fio_result *result, struct diag *diag)
{
	const struct fio_group *uncounted = NULL;

	for (size_t i = 0; i < result->group_count; i++) {
		if (result->groups[i].error)
			return diag_set(diag, -EIO, _("fio's job %s failed: %s"),
					result->groups[i].name,
					strerror(result->groups[i].error));
		if (result->groups[i].has_uncounted)
			uncounted = &result->groups[i];
	}
	if (!uncounted || result->streams[SIM_DIR_READ].ios ||
	    result->streams[SIM_DIR_WRITE].ios)
		return 0;
	diag_set(diag, -EIO, _("fio's job %s ended before the warm-up was over: nothing was counted"),
		 uncounted->name);
	diag_hint(diag, _("--warmup 0 counts all of it; time_based=1 lets it go on"));
	return -EIO;
}

static int measure(struct course *course, struct diag *diag)
{
	const struct bench *bench = course->bench;
	_text_ struct text job = { 0 }, output = { 0 };
	_fio_result_ struct fio_result result = { 0 };
	struct fio_command command = {
		.program = bench->fio,
		.is_read_only = bench->is_read_only,
		.job = &job,
		.limit_ns = find_limit(bench),
		.signals = course->signals,
		.on_tick = tell_running,
		.context = course,
	};
	int error = make_job(course, &job, diag);

	if (!error)
		error = fio_run(&command, &output, diag);
	if (!error)
		error = fio_json_parse(output.data ? output.data : "", output.len,
				       course->stages, bench->workload->job_count, &result,
				       diag);
	if (!error)
		error = check_groups(&result, diag);
	if (error)
		return error;
	snprintf(course->result->fio_version, sizeof(course->result->fio_version), "%s",
		 result.version);
	error = bench_rounds_add(&course->rounds[course->turn], &result);
	return error == -EBADMSG ? diag_set(diag, error, _("fio reported other jobs than before"))
				 : error;
}

static int take_turn(struct course *course, struct diag *diag)
{
	const char *scheduler = course->bench->schedulers[course->turn];
	uint64_t begin_ns;
	int error;

	if (signals_check(course->signals))
		return -EINTR;
	tell_progress(course, false, 0);
	begin_ns = clock_now_ns();
	error = bench_switch_to(course->state, scheduler, diag);
	if (!error)
		error = measure(course, diag);
	if (!error)
		error = bench_switch_check(course->state, scheduler, diag);
	if (!error)
		course->run_s = clock_seconds_since(begin_ns);
	return error;
}

static int go_through(struct course *course, struct diag *diag)
{
	const struct bench *bench = course->bench;
	int error = 0;

	for (course->round = 0; course->round < bench->rounds; course->round++) {
		for (size_t i = 0; i < bench->scheduler_count; i++) {
			course->turn = bench_turn(course->round, i, bench->scheduler_count);
			error = take_turn(course, diag);
			if (error)
				return error;
			course->done++;
		}
	}
	return 0;
}

/* With what there is, when that is something of everybody. */
static int conclude(struct course *course, int error, struct diag *diag)
{
	const struct bench *bench = course->bench;
	struct bench_result *result = course->result;

	for (size_t i = 0; i < bench->scheduler_count && error == -EINTR; i++) {
		if (!course->rounds[i].count)
			return error;
	}
	result->is_partial = error == -EINTR;
	if (error && error != -EINTR)
		return error;
	result->outcomes = calloc(bench->scheduler_count, sizeof(*result->outcomes));
	if (!result->outcomes)
		return -ENOMEM;
	result->count = bench->scheduler_count;
	error = 0;
	for (size_t i = 0; i < bench->scheduler_count && !error; i++) {
		error = bench_rounds_conclude(&course->rounds[i], bench->workload,
					      &result->outcomes[i]);
		result->outcomes[i].is_partial = result->is_partial;
	}
	result->seconds = clock_seconds_since(course->begin_ns);
	return error ? diag_set(diag, error, _("out of memory")) : 0;
}

int bench_run(const struct bench *bench, struct bench_switch *state,
	      struct held_signals *signals, struct bench_result *ret, struct diag *diag)
{
	_bench_result_ struct bench_result result = { 0 };
	_cleanup_(course_done) struct course course = {
		.bench = bench,
		.state = state,
		.signals = signals,
		.result = &result,
		.begin_ns = clock_now_ns(),
		.run_s = ((double)bench->terms.runtime_ns + (double)bench->terms.warmup_ns) / 1e9,
	};
	int error;

	course.rounds = calloc(bench->scheduler_count + 1, sizeof(*course.rounds));
	course.stages = calloc(bench->workload->job_count + 1, sizeof(*course.stages));
	if (!course.rounds || !course.stages)
		return diag_set(diag, -ENOMEM, _("out of memory"));
	for (size_t i = 0; i < bench->workload->job_count; i++)
		course.stages[i] = bench->workload->jobs[i].stage;
	error = conclude(&course, go_through(&course, diag), diag);
	if (error)
		return error;
	*ret = result;
	result = (struct bench_result){ 0 };
	return 0;
}
