// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Carrying a simulation out: a line of progress on a terminal, and an end on SIGINT or
 * SIGTERM that gives what there is.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "cmd/simulate-case.h"
#include "util/i18n.h"
#include "util/log.h"

/* What is done sooner needs no progress. */
#define QUIET_NS 700000000

struct run_watch {
	int signal_fd;
	bool has_terminal; /* for the line of progress */
	bool has_line;
	bool was_ended;
	uint64_t begin_ns;
};

static uint64_t clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void draw(struct run_watch *watch, const struct experiment_progress *progress)
{
	if (!watch->has_terminal || clock_ns() - watch->begin_ns < QUIET_NS)
		return;
	fputc('\r', stderr);
	/* TRANSLATORS: a line of progress, drawn over and over; keep it short. */
	fprintf(stderr, _("simulating: %3.0f %%, %u of %u runs"), floor(progress->fraction * 100),
		progress->done, progress->total);
	fputs("\033[K", stderr);
	fflush(stderr);
	watch->has_line = true;
}

static bool show_progress(void *context, const struct experiment_progress *progress)
{
	struct run_watch *watch = context;
	struct signalfd_siginfo info;

	draw(watch, progress);
	if (watch->signal_fd >= 0 &&
	    read(watch->signal_fd, &info, sizeof(info)) == (ssize_t)sizeof(info))
		watch->was_ended = true;
	return watch->was_ended;
}

/* Signals that end a run are read, not delivered, while it goes on. */
static int hold_signals(sigset_t *ret_old)
{
	static const int numbers[] = { SIGINT, SIGTERM };
	struct sigaction action;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (!sigaction(numbers[i], NULL, &action) && action.sa_handler != SIG_IGN)
			sigaddset(&set, numbers[i]);
	}
	pthread_sigmask(SIG_BLOCK, &set, ret_old);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void let_signals_go(int fd, const sigset_t *old)
{
	if (fd >= 0)
		close(fd);
	pthread_sigmask(SIG_SETMASK, old, NULL);
}

/* Under none they are driver tags: no more than the device has. */
static unsigned nr_requests_of(const struct simulate_case *simulated,
			       const struct simulate_variant *variant)
{
	if (strcmp(variant->scheduler, "none") == 0 &&
	    variant->nr_requests > simulated->options.queue.hw_depth)
		return 0;
	return variant->nr_requests;
}

static int make_experiment(struct simulate_case *simulated, const struct simulate_watch *watch,
			   struct experiment_variant **ret_variants, struct experiment *ret)
{
	size_t count = simulated->variants.count;
	struct experiment_variant *variants = calloc(count ? count : 1, sizeof(*variants));

	if (!variants)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct simulate_variant *from = &simulated->variants.items[i];

		variants[i] = (struct experiment_variant){
			.scheduler = from->scheduler,
			.settings = from->settings,
			.setting_count = from->setting_count,
			.nr_requests = nr_requests_of(simulated, from),
			.context = watch ? watch->contexts[i] : NULL,
		};
	}
	*ret = (struct experiment){
		.options = simulated->options,
		.workload = simulated->has_workload ? &simulated->workload : NULL,
		.variants = variants,
		.variant_count = count,
		.seed = simulated->seed,
		.seeds = simulated->seeds,
		.threads = simulated->threads,
		.on_dispatch = watch ? watch->on_dispatch : NULL,
		.on_complete = watch ? watch->on_complete : NULL,
		.on_progress = show_progress,
	};
	ret->options.medium = simulated->has_medium ? &simulated->medium : NULL;
	ret->options.machine = simulated->has_machine ? &simulated->machine : NULL;
	*ret_variants = variants;
	return 0;
}

/* Something must have been counted somewhere. */
static int check_outcomes(const struct experiment_outcome *outcomes, size_t count,
			  struct diag *diag)
{
	for (size_t i = 0; i < count; i++) {
		if (outcomes[i].totals[TOTAL_IOPS].count || outcomes[i].is_partial)
			return 0;
		for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
			if (outcomes[i].directions[dir].ios)
				return 0;
		}
	}
	diag_set(diag, -ENODATA, _("no I/O was counted"));
	diag_hint(diag, _("is the warm-up longer than the workload?"));
	return -ENODATA;
}

int simulate_case_run(struct simulate_case *simulated, const struct simulate_watch *watch,
		      struct experiment_outcome **ret, struct diag *diag)
{
	struct experiment_source source = simulate_source_hooks(&simulated->source);
	_free_ struct experiment_variant *variants = NULL;
	struct experiment_outcome *outcomes = NULL;
	struct run_watch running = {
		.has_terminal = isatty(STDERR_FILENO) && log_get_level() >= LOG_LEVEL_NOTICE,
		.begin_ns = clock_ns(),
	};
	struct experiment experiment;
	sigset_t old;
	int error = make_experiment(simulated, watch, &variants, &experiment);

	if (error)
		return diag_set(diag, error, _("out of memory"));
	experiment.source = &source;
	experiment.context = &running;
	running.signal_fd = hold_signals(&old);
	error = experiment_run(&experiment, &outcomes, diag);
	let_signals_go(running.signal_fd, &old);
	if (running.has_line)
		fputs("\r\033[K", stderr);
	if (error)
		return error;
	if (!simulated->has_workload)
		simulate_source_report(&simulated->source);
	error = check_outcomes(outcomes, simulated->variants.count, diag);
	if (error) {
		experiment_outcomes_free(outcomes, simulated->variants.count);
		return error;
	}
	if (running.was_ended)
		log_warning(_("ended early: the figures are of what was done until then"));
	*ret = outcomes;
	return 0;
}
