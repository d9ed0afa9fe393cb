/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measurements: what was measured, what may have spoiled it, and beside it what the
 * simulation predicted. The figures themselves are a comparison.
 */
#ifndef IOSCHED_REPORT_BENCH_H
#define IOSCHED_REPORT_BENCH_H

#include <jansson.h>

#include "bench/bench.h"
#include "bench/conditions.h"
#include "report/comparison.h"

enum bench_target {
	BENCH_READS,  /* the device, read-only */
	BENCH_FILE,   /* a file that was made for it */
	BENCH_DEVICE, /* the device, written */
};

struct bench_report {
	const struct bench *bench;
	const struct bench_result *result;
	const struct conditions *conditions;
	enum bench_target target;
	uint64_t size_bytes;        /* of what was measured */
	const char *original;       /* the scheduler that was active */
	const struct comparison *measured;
	const struct comparison *predicted; /* the same columns; NULL: not asked for */
	const char *medium;         /* of the prediction */
};

/* "randread on sda (ssd), read-only, 5 rounds of 10 s after 1 s" */
void bench_report_add_subject(const struct bench_report *report, struct text *out);

/* All of it. 0 or -ENOMEM. */
int bench_report_print(const struct bench_report *report, const struct table_style *style);
int bench_report_to_json(const struct bench_report *report, json_t *root);

#endif
