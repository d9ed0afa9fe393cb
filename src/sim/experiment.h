/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An experiment: variants (a scheduler with its parameters) of one simulation, each run
 * with several seeds, spread over threads. What comes out is means with their confidence,
 * and does not depend on the number of threads: the same input gives the same bytes.
 */
#ifndef IOSCHED_SIM_EXPERIMENT_H
#define IOSCHED_SIM_EXPERIMENT_H

#include "sim/simulate.h"
#include "sim/statistics.h"

#define EXPERIMENT_VARIANTS_MAX 256
#define EXPERIMENT_SEEDS_MAX    100
#define EXPERIMENT_THREADS_MAX  256

struct experiment_variant {
	const char *scheduler;
	const struct sim_setting *settings; /* borrowed */
	size_t setting_count;
	unsigned nr_requests; /* 0: the kernel's default */
	/* Given to the callbacks of the run with the first seed. */
	void *context;
};

/* How far it is. */
struct experiment_progress {
	unsigned done, total; /* runs */
	double fraction;      /* 0 to 1, those that run included where their end is known */
};

/* Where arrivals come from: opened anew for each run, in the thread that runs it. */
struct experiment_source {
	int (*open)(void *context, void **ret, struct diag *diag);
	void (*close)(void *source);
	simulate_source *next;
	void *context;
};

struct experiment {
	/* Of every run; scheduler, settings, nr_requests, seed and callbacks are set here. */
	struct simulate_options options;
	const struct workload *workload;         /* NULL: `source` */
	const struct experiment_source *source;
	const struct experiment_variant *variants;
	size_t variant_count;
	uint64_t seed;    /* the n-th run of each variant has seed + n */
	unsigned seeds;   /* runs of each variant */
	unsigned threads;

	/* Of the run with the first seed, from the thread that runs it; may be NULL. */
	void (*on_dispatch)(void *variant, const struct simulate_dispatch *dispatch);
	void (*on_complete)(void *variant, const struct simulate_completion *completion);
	/*
	 * Called in the calling thread before the first run, then about ten times a second,
	 * and at the end; true ends the experiment with what there is. May be NULL.
	 */
	bool (*on_progress)(void *context, const struct experiment_progress *progress);
	void *context;
};

/* --- results --------------------------------------------------------------------------- */

/* Figures of I/O in one direction. */
enum experiment_figure {
	FIGURE_IOPS,
	FIGURE_BYTES, /* per second */
	FIGURE_MEAN,  /* latencies, ns */
	FIGURE_P50,
	FIGURE_P99,
	FIGURE_P99_9,
	FIGURE_P99_99,
	FIGURE_MAX,
	FIGURES,
};

/* Figures of the whole. */
enum experiment_total {
	TOTAL_IOPS,
	TOTAL_BYTES,     /* per second */
	TOTAL_MEAN,      /* latency, ns */
	TOTAL_FAIRNESS,  /* Jain's index over the jobs */
	TOTAL_EXPIRED,   /* requests past their deadline when issued */
	TOTAL_REQUESTS,  /* issued */
	TOTAL_TRAVEL,    /* of the head: sectors an I/O */
	TOTAL_CPU,       /* ns an I/O */
	TOTAL_LOCK_WAIT, /* ns an I/O */
	TOTALS,
};

/* One of them: of the whole, of a direction, or of the flushes. */
struct experiment_choice {
	bool is_total;
	enum experiment_total total;
	bool is_flush; /* instead of `dir` */
	enum sim_dir dir;
	enum experiment_figure figure;
};

struct experiment_stream {
	uint64_t ios, sectors; /* of all runs together */
	/* In that of the runs with the fewest of those that have any; 0: not known. */
	uint64_t ios_fewest;
	struct estimate figures[FIGURES]; /* see experiment_figure_value() */
};

struct experiment_group {
	char name[JOB_NAME_MAX];
	unsigned jobs;
	struct experiment_stream directions[SIM_DIRS], flushes;
};

struct experiment_outcome {
	unsigned runs;       /* that there are results of */
	bool is_partial;     /* it was ended before all was done */
	bool is_cut;         /* no run was done: its figures are of one that was cut short */
	unsigned jobs;       /* of one run; 0 for a trace */
	struct experiment_stream directions[SIM_DIRS], flushes;
	struct estimate totals[TOTALS];
	struct experiment_group *groups; /* of jobs; NULL for a trace */
	size_t group_count;
	struct histogram *latency_ns;    /* SIM_DIRS of them, all runs together */
	uint64_t begin_ns, end_ns;       /* of the first run */
	uint64_t refused;    /* writes, by a zoned medium, of all runs, with their warm-ups */
};

/*
 * One outcome for each variant. Errors are those of simulate_run() and simulate_jobs(), of
 * the first run that fails; -EINVAL: a number out of range; -EAGAIN: no thread could be
 * started. An experiment that was ended is no error.
 */
int experiment_run(const struct experiment *experiment, struct experiment_outcome **ret,
		   struct diag *diag);
/*
 * As it is shown. Its count is 0 where there is no such figure, and for a percentile beyond
 * which no I/O is expected in one of the runs (histogram_is_enough()).
 */
struct estimate experiment_figure_value(const struct experiment_stream *stream,
					enum experiment_figure figure);
/* Of those of an outcome or of a group, the one that the choice, no total, is of. */
const struct experiment_stream *experiment_stream_of(const struct experiment_stream *directions,
						     const struct experiment_stream *flushes,
						     const struct experiment_choice *choice);
struct estimate experiment_value(const struct experiment_outcome *outcome,
				 const struct experiment_choice *choice);
void experiment_outcomes_free(struct experiment_outcome *outcomes, size_t count);

#endif
