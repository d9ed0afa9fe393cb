/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the simulation says of a measurement: the same workload on the device's medium. */
#ifndef IOSCHED_CMD_BENCH_PREDICT_H
#define IOSCHED_CMD_BENCH_PREDICT_H

#include "cmd/bench-request.h"
#include "cmd/simulate-case.h"

struct bench_prediction {
	struct simulate_verb_options options;
	struct simulate_request request;
	struct simulate_case simulated;
	struct experiment_outcome *outcomes; /* one a scheduler of the measurement; without
						runs where the engine has none */
	size_t count;
};

/*
 * Before anything is measured: medium, workload and schedulers. `size_sectors`: of what is
 * measured. -EINVAL and its like, with a diag: there is no model. bench_prediction_done() in
 * any case.
 */
int bench_prediction_prepare(const struct cmd_context *context,
			     const struct bench_request *request, const struct device *device,
			     const struct strv *schedulers, uint64_t size_sectors,
			     struct bench_prediction *ret, struct diag *diag);
int bench_prediction_run(struct bench_prediction *prediction, const struct strv *schedulers,
			 struct diag *diag);
void bench_prediction_done(struct bench_prediction *prediction);

#endif
