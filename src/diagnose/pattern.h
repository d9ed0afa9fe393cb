/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How requests come, from a trace: what no counter of the kernel says.
 */
#ifndef IOSCHED_DIAGNOSE_PATTERN_H
#define IOSCHED_DIAGNOSE_PATTERN_H

#include <stdint.h>

#include "sim/workload/trace.h"
#include "util/diag.h"

struct pattern {
	uint64_t requests, reads; /* discards and flushes are not counted */
	uint64_t random; /* that begin where none of the last ones ended */
	uint64_t sync;	 /* reads, and writes that somebody waits for */
	double mean_kib;
	double seconds; /* from the first to the last */
	struct trace_counts counts; /* what could not be read, and what was lost before */
};

/* Any trace that the simulation takes; "-": standard input. Errors of the reader, with
   diag; -ENODATA: there are no requests in it. */
int pattern_read(const char *path, struct pattern *ret, struct diag *diag);

#endif
