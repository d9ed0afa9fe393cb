/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measurements that others published, and what the simulation makes of the same machine,
 * device and load. What is compared are ratios between schedulers: absolute figures hang
 * on the machine.
 *
 * One file an experiment (tests/published):
 *
 *	{
 *	  "experiment": "F2",  "table": "F",
 *	  "title": text,  "source": text,  "remark": text,
 *	  "kernel": "6.3",
 *	  "machine": { "processors": 10, "slowness": 1.0, "wake_us": 10.6 },
 *	  "medium": { as --medium },  "devices": 8,  "nr_requests": 256,
 *	  "last_medium": { what differs with the last device },
 *	  "workload": [ lines of a fio job file ],
 *	  "warmup_ms": 100,  "runtime_ms": 500,  "seeds": 1,
 *	  "reference": "none",
 *	  "contradicts": text,
 *	  "rows": [ { "figure": "iops", "direction": "read", "job": name,
 *	              "order_only": false, "measured": { "none": 343, "bfq": 230 } } ]
 *	}
 *
 * A file describes its machine and its device; nothing in it changes with the scheduler.
 */
#ifndef IOSCHED_SIM_PUBLISHED_H
#define IOSCHED_SIM_PUBLISHED_H

#include "sim/experiment.h"
#include "util/json.h"

#define PUBLISHED_SCHEDULERS_MAX 8
#define PUBLISHED_ROWS_MAX       8
#define PUBLISHED_SIZE_MAX       65536 /* bytes of a file */

enum published_figure {
	PUBLISHED_IOPS,
	PUBLISHED_BYTES,
	PUBLISHED_MEAN,
	PUBLISHED_P99,
	PUBLISHED_P99_9,
	PUBLISHED_P99_99,
	PUBLISHED_CPU, /* share of the processors' time */
	PUBLISHED_FIGURES,
};

/* A measured figure of several schedulers, and the simulated one. */
struct published_row {
	enum published_figure figure;
	int direction;   /* enum sim_dir; -1: both */
	char job[JOB_NAME_MAX]; /* "": all */
	bool is_order_only; /* the source says which is better, not by how much */
	struct {
		bool is_given;
		double measured, simulated; /* as printed there; in our unit */
	} values[PUBLISHED_SCHEDULERS_MAX]; /* by published.schedulers */
};

struct published {
	char experiment[16], table[8];
	bool is_own; /* of the person, not published: for the caller to say */
	char *title, *source, *remark, *contradicts; /* remark, contradicts: NULL if none */
	const char *schedulers[PUBLISHED_SCHEDULERS_MAX]; /* the first is the reference */
	size_t scheduler_count;
	struct published_row rows[PUBLISHED_ROWS_MAX];
	size_t row_count;

	struct kernel_version kernel;
	struct sim_machine machine;
	struct sim_medium medium, last_medium;
	bool has_last_medium;
	unsigned devices, nr_requests, seeds;
	struct workload workload;
	uint64_t warmup_ns, runtime_ns;
};

/* The name in a file and in output: "iops", "p99_9" ... */
const char *published_figure_name(enum published_figure figure);

/* Errors of meaning name the file and the line. -EINVAL, -ENOTSUP, -ENOMEM. */
int published_parse(const char *text, size_t len, const char *name, struct published *ret,
		    struct diag *diag);
void published_done(struct published *published);

/* Fills in `simulated`; errors of experiment_run(); -EINTR: `on_progress` ended it. */
int published_run(struct published *published, unsigned threads,
		  bool (*on_progress)(void *, const struct experiment_progress *),
		  void *context, struct diag *diag);

/* Of scheduler `index` to the reference; 0 where one is missing or nothing. */
double published_measured_ratio(const struct published_row *row, size_t index);
double published_simulated_ratio(const struct published_row *row, size_t index);

/*
 * Two schedulers that were measured further apart than this are in an order. Closer ones
 * are not, and either may be ahead in the simulation.
 */
#define PUBLISHED_TIE 0.02

/* Every pair that has an order has the same one simulated. */
bool published_is_ordered(const struct published_row *row);

#endif
