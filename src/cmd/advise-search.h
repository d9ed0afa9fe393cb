/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search behind advise: every candidate goes through the same windows of a trace, so
 * that candidates are compared window by window; first the schedulers, then the parameters
 * of the best ones, one after the other. Its work is bounded by a number of I/Os, not by a
 * clock: the same trace and seed give the same answer.
 */
#ifndef IOSCHED_CMD_ADVISE_SEARCH_H
#define IOSCHED_CMD_ADVISE_SEARCH_H

#include "cmd/simulate-case.h"
#include "sim/objective.h"
#include "sim/statistics.h"

#define ADVISE_WINDOWS        10
#define ADVISE_CANDIDATES_MAX 96

/* I/Os of a window at most, and fewer than this are no evidence. */
#define ADVISE_WINDOW_IOS     10000
#define ADVISE_WINDOW_IOS_MIN 50

/* Windows in which both have the figure; of fewer nobody knows what is chance. */
#define ADVISE_COMPARED_MIN 3

/* Less than this is not worth a change; and a parameter must bring this much more. */
#define ADVISE_GAIN_MIN      0.03
#define ADVISE_PARAMETER_MIN 0.02

/* The variant of the same index, and what came of it. */
struct advise_candidate {
	bool is_tuned;     /* a parameter of it was varied */
	/* By objective and window; not a number where there is none. */
	double values[OBJECTIVE_COUNT][ADVISE_WINDOWS];
};

struct advise_search {
	struct simulate_variants variants;
	struct advise_candidate candidates[ADVISE_CANDIDATES_MAX];
	size_t count;
	size_t reference;          /* what is now, or the kernel's default */
	size_t best;
	const struct objective *objective;
	unsigned windows;
	uint64_t window_ios;       /* I/Os of each */
	double stride;             /* from one's begin to the next's, in lengths of it */
	uint64_t seed;
	unsigned overloaded;       /* windows that are more than the medium can do */
	bool was_ended;            /* the person ended it */

	/* Of `best` against the reference: the share by which it is better, over windows. */
	struct estimate gain;
	unsigned better_windows;
	bool is_worth_it;
};

void advise_search_done(struct advise_search *search);

/*
 * Takes the variants of `simulated`, whose source is a trace of `ios` I/Os; the first is the
 * reference unless another has the role VARIANT_NOW. `objective` NULL: the default.
 * -ENODATA: too few I/Os.
 */
int advise_search_run(struct simulate_case *simulated, uint64_t ios,
		      const struct objective *objective, struct advise_search *ret,
		      struct diag *diag);

/* The mean over the windows, with its confidence. */
struct estimate advise_value(const struct advise_search *search, size_t candidate,
			     const struct objective *objective);
/*
 * The share by which one is better than another: the geometric mean over the windows, each
 * compared with itself, for latencies differ by orders of magnitude between them.
 */
struct estimate advise_gain(const struct advise_search *search, size_t candidate,
			    size_t reference, const struct objective *objective,
			    unsigned *ret_better);
/* Whether a gain is more than `min` and more than chance. */
bool advise_is_clear(const struct estimate *gain, double min);
/* Of the candidates, with tuned ones where asked; -1: none has the figure. */
int advise_best(const struct advise_search *search, const struct objective *objective,
		bool with_tuned);

#endif
