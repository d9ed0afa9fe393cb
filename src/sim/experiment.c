// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The runs of an experiment, handed to threads in the order of their seeds, so that what is
 * ended early has every variant. A run's place in the results is fixed before it begins;
 * figures are combined when all is done, in one order.
 */
#include "sim/experiment.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim/experiment-internal.h"
#include "util/cleanup.h"
#include "util/i18n.h"

#define PROGRESS_INTERVAL_NS 100000000L

/* What a thread that runs something shows of it. */
struct worker {
	struct laboratory *lab;
	pthread_t thread;
	_Atomic uint64_t now_ns; /* of the run's simulation; 0 between runs */
	const struct experiment_variant *variant; /* whose callbacks are due, else NULL */
};

struct laboratory {
	const struct experiment *experiment;
	struct run *runs;           /* by variant, then by seed */
	struct experiment_outcome *outcomes;
	struct worker *workers;
	unsigned worker_count;

	pthread_mutex_t mutex;      /* of all below */
	pthread_cond_t changed;
	unsigned next, done, total; /* runs, in the order in which they are handed out */
	unsigned running;           /* threads */
	unsigned failed;            /* which run failed first, of those handed out */
	int error;
	struct diag diag;

	atomic_bool is_ending;
};

/* --- one run ----------------------------------------------------------------------------- */

static bool should_stop(void *context, uint64_t now_ns)
{
	struct worker *worker = context;

	atomic_store_explicit(&worker->now_ns, now_ns, memory_order_relaxed);
	return atomic_load_explicit(&worker->lab->is_ending, memory_order_relaxed);
}

static void pass_dispatch(void *context, const struct simulate_dispatch *dispatch)
{
	const struct worker *worker = context;

	worker->lab->experiment->on_dispatch(worker->variant->context, dispatch);
}

static void pass_completion(void *context, const struct simulate_completion *completion)
{
	const struct worker *worker = context;

	/* A flush moves no data, and is nobody's figure. */
	if (completion->sectors)
		worker->lab->experiment->on_complete(worker->variant->context, completion);
}

static int simulate_source_run(const struct experiment *experiment,
			       const struct simulate_options *options,
			       struct simulate_result *ret, struct diag *diag)
{
	const struct experiment_source *from = experiment->source;
	void *source;
	int r = from->open(from->context, &source, diag);

	if (r < 0)
		return r;
	r = simulate_run(from->next, source, options, ret, diag);
	from->close(source);
	return r;
}

static int simulate_one(struct worker *worker, unsigned variant_index, unsigned seed_index,
			struct simulate_result *ret, struct diag *diag)
{
	const struct experiment *experiment = worker->lab->experiment;
	const struct experiment_variant *variant = &experiment->variants[variant_index];
	struct simulate_options options = experiment->options;

	options.queue.scheduler = variant->scheduler;
	options.queue.settings = variant->settings;
	options.queue.setting_count = variant->setting_count;
	options.queue.nr_requests = variant->nr_requests;
	options.seed = experiment->seed + seed_index;
	options.should_stop = should_stop;
	options.context = worker;
	worker->variant = seed_index == 0 ? variant : NULL;
	options.on_dispatch = worker->variant && experiment->on_dispatch ? pass_dispatch : NULL;
	options.on_complete = worker->variant && experiment->on_complete ? pass_completion : NULL;
	if (experiment->workload)
		return simulate_jobs(experiment->workload, &options, ret, diag);
	return simulate_source_run(experiment, &options, ret, diag);
}

static void keep_result(struct laboratory *lab, unsigned variant,
			const struct simulate_result *result)
{
	struct histogram *latency = lab->outcomes[variant].latency_ns;

	/* Sums of integers: the order in which runs end does not show. */
	for (unsigned dir = 0; dir < SIM_DIRS; dir++)
		histogram_merge(&latency[dir], &result->directions[dir].latency_ns);
}

static void run_one(struct worker *worker, struct simulate_result *result, unsigned index)
{
	struct laboratory *lab = worker->lab;
	unsigned variants = (unsigned)lab->experiment->variant_count;
	unsigned variant = index % variants, seed = index / variants;
	struct diag diag = { 0 };
	int r;

	memset(result, 0, sizeof(*result));
	r = simulate_one(worker, variant, seed, result, &diag);
	if (r == 0)
		r = run_reduce(result, &lab->runs[variant * lab->experiment->seeds + seed]);
	pthread_mutex_lock(&lab->mutex);
	if (r == 0) {
		keep_result(lab, variant, result);
	} else if (!lab->error || index < lab->failed) {
		lab->error = r;
		lab->failed = index;
		lab->diag = diag;
		lab->next = lab->total;
	}
	lab->done++;
	atomic_store_explicit(&worker->now_ns, 0, memory_order_relaxed);
	pthread_mutex_unlock(&lab->mutex);
	simulate_result_done(result);
}

static void *work(void *context)
{
	struct worker *worker = context;
	struct laboratory *lab = worker->lab;
	struct simulate_result *result = malloc(sizeof(*result));
	unsigned index;

	for (;;) {
		pthread_mutex_lock(&lab->mutex);
		if (!result && !lab->error)
			lab->error = -ENOMEM;
		index = lab->next;
		if (lab->error || index == lab->total || atomic_load(&lab->is_ending))
			break;
		lab->next++;
		pthread_mutex_unlock(&lab->mutex);
		run_one(worker, result, index);
	}
	lab->running--;
	pthread_cond_signal(&lab->changed);
	pthread_mutex_unlock(&lab->mutex);
	free(result);
	return NULL;
}

/* --- watching them ------------------------------------------------------------------------ */

static struct experiment_progress measure_progress(const struct laboratory *lab)
{
	const struct simulate_options *options = &lab->experiment->options;
	struct experiment_progress progress = { .done = lab->done, .total = lab->total };
	double runs = lab->done;

	for (unsigned i = 0; options->runtime_ns && i < lab->worker_count; i++) {
		double part = (double)atomic_load_explicit(&lab->workers[i].now_ns,
							   memory_order_relaxed) /
			      (double)options->runtime_ns;

		runs += part < 1 ? part : 1;
	}
	progress.fraction = runs < lab->total ? runs / lab->total : 1;
	return progress;
}

static void tell_progress(struct laboratory *lab)
{
	const struct experiment *experiment = lab->experiment;
	const struct experiment_progress progress = measure_progress(lab);
	bool ends;

	if (!experiment->on_progress)
		return;
	pthread_mutex_unlock(&lab->mutex);
	ends = experiment->on_progress(experiment->context, &progress);
	pthread_mutex_lock(&lab->mutex);
	if (ends)
		atomic_store(&lab->is_ending, true);
}

static void watch(struct laboratory *lab)
{
	struct timespec until;

	pthread_mutex_lock(&lab->mutex);
	while (lab->running > 0) {
		clock_gettime(CLOCK_MONOTONIC, &until);
		until.tv_nsec += PROGRESS_INTERVAL_NS;
		if (until.tv_nsec >= 1000000000L) {
			until.tv_nsec -= 1000000000L;
			until.tv_sec++;
		}
		if (pthread_cond_timedwait(&lab->changed, &lab->mutex, &until) == ETIMEDOUT)
			tell_progress(lab);
	}
	tell_progress(lab);
	pthread_mutex_unlock(&lab->mutex);
}

static int start_workers(struct laboratory *lab, unsigned wanted)
{
	/* Counted before they run: the first may be done when the next begins. */
	for (unsigned i = 0; i < wanted; i++) {
		struct worker *worker = &lab->workers[i];
		int error;

		worker->lab = lab;
		pthread_mutex_lock(&lab->mutex);
		error = pthread_create(&worker->thread, NULL, work, worker);
		if (!error) {
			lab->worker_count++;
			lab->running++;
		}
		pthread_mutex_unlock(&lab->mutex);
		if (error)
			break;
	}
	return lab->worker_count ? 0 : -EAGAIN;
}

/* --- the whole ---------------------------------------------------------------------------- */

static int check(const struct experiment *experiment, struct diag *diag)
{
	if (experiment->variant_count < 1 ||
	    experiment->variant_count > EXPERIMENT_VARIANTS_MAX)
		return diag_set(diag, -EINVAL, _("%zu variants are out of range: 1 to %d"),
				experiment->variant_count, EXPERIMENT_VARIANTS_MAX);
	if (experiment->seeds < 1 || experiment->seeds > EXPERIMENT_SEEDS_MAX)
		return diag_set(diag, -EINVAL, _("%u seeds are out of range: 1 to %d"),
				experiment->seeds, EXPERIMENT_SEEDS_MAX);
	if (experiment->threads < 1 || experiment->threads > EXPERIMENT_THREADS_MAX)
		return diag_set(diag, -EINVAL, _("%u threads are out of range: 1 to %d"),
				experiment->threads, EXPERIMENT_THREADS_MAX);
	return 0;
}

static int allocate(struct laboratory *lab)
{
	const struct experiment *experiment = lab->experiment;
	size_t count = experiment->variant_count;

	lab->total = (unsigned)count * experiment->seeds;
	lab->runs = calloc(lab->total, sizeof(*lab->runs));
	lab->outcomes = calloc(count, sizeof(*lab->outcomes));
	lab->workers = calloc(experiment->threads, sizeof(*lab->workers));
	if (!lab->runs || !lab->outcomes || !lab->workers)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		lab->outcomes[i].latency_ns = calloc(SIM_DIRS, sizeof(struct histogram));
		if (!lab->outcomes[i].latency_ns)
			return -ENOMEM;
	}
	return 0;
}

static void laboratory_done(struct laboratory *lab)
{
	for (unsigned i = 0; lab->runs && i < lab->total; i++)
		run_done(&lab->runs[i]);
	free(lab->runs);
	free(lab->workers);
	experiment_outcomes_free(lab->outcomes, lab->experiment->variant_count);
	pthread_cond_destroy(&lab->changed);
	pthread_mutex_destroy(&lab->mutex);
}

static void laboratory_init(struct laboratory *lab)
{
	pthread_condattr_t attributes;

	pthread_mutex_init(&lab->mutex, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&lab->changed, &attributes);
	pthread_condattr_destroy(&attributes);
}

static int carry_out(struct laboratory *lab, struct diag *diag)
{
	const struct experiment *experiment = lab->experiment;
	unsigned threads;
	int r = allocate(lab);

	if (r < 0)
		return diag_set(diag, r, _("out of memory"));
	pthread_mutex_lock(&lab->mutex);
	tell_progress(lab);
	pthread_mutex_unlock(&lab->mutex);
	threads = experiment->threads < lab->total ? experiment->threads : lab->total;
	r = start_workers(lab, threads);
	if (r < 0)
		return diag_set(diag, r, _("no thread could be started"));
	watch(lab);
	for (unsigned i = 0; i < lab->worker_count; i++)
		pthread_join(lab->workers[i].thread, NULL);
	if (lab->error) {
		if (diag && !diag->error)
			*diag = lab->diag;
		return diag_set(diag, lab->error, "%s", strerror(-lab->error));
	}
	for (size_t i = 0; i < experiment->variant_count && r == 0; i++)
		r = run_combine(&lab->runs[i * experiment->seeds], experiment->seeds,
				&lab->outcomes[i]);
	return r;
}

int experiment_run(const struct experiment *experiment, struct experiment_outcome **ret,
		   struct diag *diag)
{
	struct laboratory lab = { .experiment = experiment };
	int r = check(experiment, diag);

	if (r < 0)
		return r;
	laboratory_init(&lab);
	r = carry_out(&lab, diag);
	if (r == 0)
		*ret = TAKE_PTR(lab.outcomes);
	laboratory_done(&lab);
	return r;
}

void experiment_outcomes_free(struct experiment_outcome *outcomes, size_t count)
{
	for (size_t i = 0; outcomes && i < count; i++) {
		free(outcomes[i].groups);
		free(outcomes[i].latency_ns);
	}
	free(outcomes);
}
