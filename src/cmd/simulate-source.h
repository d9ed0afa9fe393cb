/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace as the source of an experiment: read anew for each run, its times scaled, and
 * what lies beyond the end of the medium folded back onto it.
 */
#ifndef IOSCHED_CMD_SIMULATE_SOURCE_H
#define IOSCHED_CMD_SIMULATE_SOURCE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/experiment.h"

struct simulate_source {
	const char *path;          /* "-": standard input, which can be read once */
	bool is_strict;
	double time_scale;         /* 2: everything comes half as often; 0 as 1 */
	uint64_t capacity_sectors; /* 0: not known, nothing is folded */
	uint64_t skip, limit;      /* a window of it: so many I/Os left out, then so many
				      given, from time 0; 0 as 0 and all */

	/* Of the first run. */
	atomic_bool is_open;
	struct trace_counts counts;
	uint64_t given, folded;
	bool is_told; /* what there is to warn of was said */

	/* Of the last run, which may have had another window: when its last I/O came. */
	_Atomic uint64_t last_ns;
};

/* Standard input, a pipe, a terminal: what comes of it comes once. */
bool simulate_source_is_stream(const char *path);

/* Borrows the source. */
struct experiment_source simulate_source_hooks(struct simulate_source *source);

/* It gave no I/O: why, for the person. -ENODATA. */
int simulate_source_fail_empty(const struct simulate_source *source, struct diag *diag);
/* Warns of records that could not be read. */
void simulate_report_broken(const struct trace_counts *counts);
/* Of those, and of what the recorder lost. */
void simulate_report_losses(const struct trace_counts *counts);
/* Broken records and folded ones, as warnings. */
void simulate_source_report(const struct simulate_source *source);

#endif
