// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Carrying a simulation out: a line of progress on a terminal, and an end on SIGINT or
 * SIGTERM that gives what there is.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/progress.h"
#include "cmd/simulate-case.h"
#include "cmd/simulate-load.h"
#include "util/clock.h"
#include "util/i18n.h"
#include "util/log.h"
#include "util/signals.h"

/* What is done sooner needs no progress. */
#define QUIET_NS 700000000

/* After so long it can be told how long the rest takes, and worth a word is so much. */
#define ESTIMATE_NS UINT64_C(5000000000)
#define LONG_NS     UINT64_C(90000000000)
#define MINUTE_NS   UINT64_C(60000000000)

struct run_watch {
	struct held_signals signals;
	struct progress_line line;
	uint64_t begin_ns;
	bool has_told;
};

static void draw(struct run_watch *watch, const struct experiment_progress *progress)
{
	if (clock_now_ns() - watch->begin_ns < QUIET_NS)
		return;
	progress_line_draw(&watch->line,
			   /* TRANSLATORS: a line of progress, drawn over and over; keep it short. */
			   _("simulating: %3.0f %%, %u of %u runs"),
			   floor(progress->fraction * 100), progress->done, progress->total);
}

/* Once, also where no line is drawn: a job file may ask for minutes of a fast disk. */
static void tell_time_left(struct run_watch *watch, const struct experiment_progress *progress)
{
	uint64_t passed_ns = clock_now_ns() - watch->begin_ns;
	double left_ns;
	unsigned minutes;

	if (watch->has_told || passed_ns < ESTIMATE_NS || progress->fraction <= 0)
		return;
	left_ns = (double)passed_ns * (1 - progress->fraction) / progress->fraction;
	if (left_ns < (double)LONG_NS)
		return;
	minutes = left_ns < 1e6 * (double)MINUTE_NS
			  ? (unsigned)(left_ns / (double)MINUTE_NS + 0.5) : 1000000;
	progress_line_clear(&watch->line);
	log_notice(P_("about %u minute to go: a shorter --runtime needs less, Ctrl-C ends it "
		      "with what there is by then",
		      "about %u minutes to go: a shorter --runtime needs less, Ctrl-C ends it "
		      "with what there is by then", minutes), minutes);
	watch->has_told = true;
}

static bool show_progress(void *context, const struct experiment_progress *progress)
{
	struct run_watch *watch = context;

	tell_time_left(watch, progress);
	draw(watch, progress);
	return signals_check(&watch->signals);
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
static int check_outcomes(const struct simulate_case *simulated,
			  const struct experiment_outcome *outcomes, struct diag *diag)
{
	size_t count = simulated->variants.count;

	for (size_t i = 0; i < count; i++) {
		if (outcomes[i].totals[TOTAL_IOPS].count || outcomes[i].is_partial)
			return 0;
		for (unsigned dir = 0; dir < SIM_DIRS; dir++) {
			if (outcomes[i].directions[dir].ios)
				return 0;
		}
	}
	if (!simulated->has_workload && !simulated->source.given)
		return simulate_source_fail_empty(&simulated->source, diag);
	diag_set(diag, -ENODATA, _("no I/O was counted"));
	if (simulated->options.warmup_ns)
		diag_hint(diag, _("is the warm-up longer than the workload?"));
	return -ENODATA;
}

/*
 * Reading a pipe or a terminal may wait for what never comes, and nobody looks for signals
 * meanwhile: they end the program there as ever.
 */
static bool can_wait_forever(const struct simulate_case *simulated)
{
	const char *path = simulated->has_workload ? NULL : simulated->source.path;
	struct stat st;

	if (!path)
		return false;
	return (strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &st) : stat(path, &st)) == 0 &&
	       !S_ISREG(st.st_mode);
}

int simulate_case_run(struct simulate_case *simulated, const struct simulate_watch *watch,
		      struct experiment_outcome **ret, struct diag *diag)
{
	struct experiment_source source = simulate_source_hooks(&simulated->source);
	_free_ struct experiment_variant *variants = NULL;
	struct experiment_outcome *outcomes = NULL;
	struct run_watch running = {
		.line = progress_line_make(),
		.signals = SIGNALS_NONE,
		.begin_ns = clock_now_ns(),
	};
	struct experiment experiment;
	int error = make_experiment(simulated, watch, &variants, &experiment);

	if (error)
		return diag_set(diag, error, _("out of memory"));
	experiment.source = &source;
	experiment.context = &running;
	/* Where they cannot be held they end the program, too. */
	if (!can_wait_forever(simulated))
		signals_hold(SIGNALS_DELIVER, &running.signals);
	error = experiment_run(&experiment, &outcomes, diag);
	signals_release(&running.signals);
	progress_line_clear(&running.line);
	if (error)
		return error;
	if (!simulated->has_workload && simulated->source.given && !simulated->source.is_told) {
		simulate_source_report(&simulated->source);
		simulated->source.is_told = true;
	}
	error = check_outcomes(simulated, outcomes, diag);
	if (error) {
		experiment_outcomes_free(outcomes, simulated->variants.count);
		return error;
	}
	simulate_note_overload(simulated, outcomes);
	simulate_note_refused(simulated, outcomes);
	if (running.signals.number)
		log_warning(_("ended early: the figures are of what was done until then"));
	*ret = outcomes;
	return 0;
}
