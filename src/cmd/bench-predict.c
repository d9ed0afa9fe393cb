// SPDX-License-Identifier: GPL-2.0-or-later
/* A simulation of what is measured. */
#include "cmd/bench-predict.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/simulate-device.h"
#include "util/i18n.h"
#include "util/log.h"

void bench_prediction_done(struct bench_prediction *prediction)
{
	experiment_outcomes_free(prediction->outcomes, prediction->count);
	simulate_case_done(&prediction->simulated);
	simulate_request_done(&prediction->request);
}

/* With the values that the device has under the scheduler that is active now. */
static int add_variants(const struct device *device, const struct strv *schedulers,
			struct kernel_version kernel, struct simulate_case *simulated)
{
	const struct simulate_kernels kernels = { .running = kernel, .simulated = kernel };
	const char *active = choice_active(&device->scheduler);

	for (size_t i = 0; i < schedulers->count; i++) {
		const struct sim_elevator_ops *ops = sim_elevator_find(schedulers->items[i]);
		struct simulate_variant *variant;

		if (!ops) {
			log_notice(_("%s is left out: there is no model of it"),
				   schedulers->items[i]);
			continue;
		}
		variant = simulate_variant_add(&simulated->variants, ops->name);
		if (!variant)
			return -ENOMEM;
		if (active && strcmp(active, ops->name) == 0 &&
		    simulate_device_take_values(device, &kernels, variant))
			return -ENOMEM;
	}
	return 0;
}

/* On a device of the size of what is measured, where the medium has so much. */
static int fit_workload(const struct bench_request *request, uint64_t size_sectors,
			struct simulate_case *simulated, struct diag *diag)
{
	struct workload workload;
	int error;

	if (size_sectors > simulated->medium.capacity_sectors)
		size_sectors = simulated->medium.capacity_sectors;
	error = simulate_workload_read(bench_request_workload(request),
				       request->options->fio, size_sectors, &workload,
				       diag);
	if (error)
		return error;
	workload_done(&simulated->workload);
	simulated->workload = workload;
	return 0;
}

int bench_prediction_prepare(const struct cmd_context *context,
			     const struct bench_request *request, const struct device *device,
			     const struct strv *schedulers, uint64_t size_sectors,
			     struct bench_prediction *ret, struct diag *diag)
{
	struct sim_medium medium;
	bool is_named = request->options->medium;
	int error = 0;

	ret->options = (struct simulate_verb_options){
		.workload = request->options->fio ? NULL : bench_request_workload(request),
		.fio = request->options->fio,
		.medium = request->options->medium,
	};
	if (!is_named)
		error = simulate_device_medium(device, &medium, diag);
	if (!error)
		error = simulate_request_read(context, &ret->options, &ret->request, diag);
	if (!error)
		error = simulate_case_read(&ret->request, is_named ? NULL : &medium, NULL,
					   simulate_device_processors(device), &ret->simulated,
					   diag);
	if (!error)
		error = fit_workload(request, size_sectors, &ret->simulated, diag);
	if (!error)
		error = add_variants(device, schedulers, ret->request.kernel, &ret->simulated);
	if (!error && !ret->simulated.variants.count)
		error = diag_set(diag, -ENOTSUP,
				 _("%s has no scheduler that can be simulated"), device->name);
	return error;
}

int bench_prediction_run(struct bench_prediction *prediction, const struct strv *schedulers,
			 struct diag *diag)
{
	struct experiment_outcome *found;
	size_t next = 0;
	int error;

	prediction->outcomes = calloc(schedulers->count + 1, sizeof(*prediction->outcomes));
	if (!prediction->outcomes)
		return -ENOMEM;
	prediction->count = schedulers->count;
	error = simulate_case_run(&prediction->simulated, NULL, &found, diag);
	if (error)
		return error;
	/* In the same order, but for those without a model. */
	for (size_t i = 0; i < schedulers->count; i++) {
		if (sim_elevator_find(schedulers->items[i]))
			prediction->outcomes[i] = found[next++];
	}
	free(found);
	return 0;
}
