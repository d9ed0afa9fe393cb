/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace as a workload: when which I/O arrived. A recording has several lines for each
 * I/O; the first stage that it shows is the arrival (the bio, else the request's
 * allocation, its insertion, its issue). A collection of whole requests is taken as it is.
 * Times begin at 0 with the first arrival and never go back. A flush of its own is one,
 * too: TRACE_FLUSH, without sectors.
 */
#ifndef IOSCHED_SIM_WORKLOAD_ARRIVALS_H
#define IOSCHED_SIM_WORKLOAD_ARRIVALS_H

#include "sim/workload/trace.h"

struct arrivals;

/* The reader stays the caller's. Errors of the reader, -ENOMEM. */
int arrivals_new(struct trace_reader *reader, struct arrivals **ret, struct diag *diag);
void arrivals_free(struct arrivals *arrivals);
DEFINE_CLEANUP(struct arrivals *, arrivals_free)

/* What the recording becomes on the way; zeroes leave it as it is. */
struct arrivals_options {
	double time_scale;     /* times are multiplied by it: 0.5 is twice as fast; 0 as 1 */
	/*
	 * The device is smaller than the recorded one: what lies beyond its end comes to
	 * lie within, at its sector modulo this size. Alignment to 4 KiB is kept, and so
	 * is what goes on end, but at the seams.
	 */
	uint64_t fold_sectors;
};

/* Before the first arrivals_next(). -EINVAL: a scale that is negative or not finite. */
int arrivals_set_options(struct arrivals *arrivals, const struct arrivals_options *options,
			 struct diag *diag);

/* 1: *ret is the next arrival, time_ns counted from the first; 0: the end; errors. */
int arrivals_next(struct arrivals *arrivals, struct trace_record *ret, struct diag *diag);

struct arrivals_counts {
	uint64_t given;
	uint64_t other_device; /* of another device than the first arrival's */
	uint64_t backwards;    /* earlier than the one before: moved to its time */
	uint64_t without_data; /* empty, and zone commands: left out */
	uint64_t folded;       /* moved, as they lay beyond the end of the device */
	uint64_t cut;          /* larger than the device: the rest was dropped */
};
const struct arrivals_counts *arrivals_counts(const struct arrivals *arrivals);

#endif
