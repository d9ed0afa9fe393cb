/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line of bench, read and checked.
 */
#ifndef IOSCHED_CMD_BENCH_REQUEST_H
#define IOSCHED_CMD_BENCH_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"
#include "sim/objective.h"
#include "util/diag.h"
#include "util/text.h"

/* As the option table fills it. */
struct bench_verb_options {
	const char *scheduler, *workload, *fio, *rounds, *runtime, *warmup;
	const char *write_file, *destroy_data, *cpus, *objective, *medium, *plot;
	bool has_prediction;
};

struct bench_request {
	const struct bench_verb_options *options;
	struct strv schedulers;   /* asked for; empty: what the queue offers */
	unsigned rounds;
	uint64_t runtime_ns, warmup_ns; /* 0: not given */
	bool has_warmup;
	int64_t cpu_highest;      /* of --cpus */
	const struct objective *objective; /* NULL: the default */
};

/* -EINVAL with a diag. bench_request_done() in any case. */
int bench_request_read(const struct bench_verb_options *options, struct bench_request *ret,
		       struct diag *diag);
void bench_request_done(struct bench_request *request);

/*
 * The schedulers to compare on this device, by the names that its queue has for them: those
 * asked for, or what it offers, with a word about others that the kernel could load. -EINVAL
 * with a diag: not to be had here.
 */
int bench_choose_schedulers(const struct bench_request *request, const struct device *device,
			    const struct host *host, struct strv *ret, struct diag *diag);

/* The name of the workload where no fio file is given: randread, where none is named. */
const char *bench_request_workload(const struct bench_request *request);

#endif
