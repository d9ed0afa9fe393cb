/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recommendation with its evidence: what the load is, what each candidate gives, how sure
 * that is and what would change it.
 */
#ifndef IOSCHED_REPORT_ADVICE_H
#define IOSCHED_REPORT_ADVICE_H

#include <jansson.h>

#include "report/table.h"
#include "sim/objective.h"

enum advice_sureness {
	ADVICE_SURE,   /* better in every window, and clearly */
	ADVICE_LIKELY, /* better beyond chance */
	ADVICE_NONE,   /* nothing is gained that is worth a change */
};

struct advice_line {
	const char *title, *scheduler;
	const struct sim_setting *settings; /* that differ from the defaults, or as set */
	size_t setting_count;
	struct estimate value;   /* of the objective */
	struct estimate gain;    /* against the reference; a share */
	unsigned better_windows;
	bool is_reference, is_best;
};

/* The best for another aim. */
struct advice_other {
	const struct objective *objective;
	const char *title;
	bool is_reference; /* nothing would change */
};

struct advice {
	const char *subject;     /* "sda (hdd-7200)" */
	const char *now;         /* "none": what the reference is, with its parameters; NULL: it
				    is what a kernel takes by itself */
	const struct objective *objective;
	bool was_asked;          /* for that objective; else the load decided which */
	/* The load. */
	uint64_t ios, reads, random, sync;
	double seconds, mean_kib;
	unsigned windows;
	uint64_t window_ios;
	/* The result. */
	enum advice_sureness sureness;
	const struct advice_line *lines; /* the reference, the plain ones, the best */
	size_t line_count, best, reference;
	struct advice_other others[OBJECTIVE_COUNT];
	size_t other_count;
	unsigned overloaded; /* windows with more than the medium can do */
	bool was_ended;
};

int advice_print(const struct advice *advice, const struct table_style *style);
/* Adds its keys to the object. 0, -ENOMEM. */
int advice_to_json(const struct advice *advice, json_t *root);

#endif
