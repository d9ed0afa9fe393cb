// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From the devices that a plan changes to predictions: devices of the same medium with the
 * same change are simulated once.
 */
#include "cmd/simulate-plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/simulate-device.h"
#include "cmd/simulate-parameter.h"
#include "util/i18n.h"

/* One device that is changed, while like ones are looked for. */
struct change {
	const struct device *device;
	struct sim_medium medium;
	struct simulate_variants variants; /* now, then; fewer: `reason` */
	struct strv unmodelled;
	char *reason;
};

static void change_done(struct change *change)
{
	simulate_variants_done(&change->variants);
	strv_done(&change->unmodelled);
	free(change->reason);
}

static int give_reason(struct change *change, const char *reason)
{
	free(change->reason);
	change->reason = strdup(reason);
	return change->reason ? 0 : -ENOMEM;
}

/* What the plan writes besides the scheduler, its depth and its parameters. */
static bool is_modelled(const struct tunable *row, const struct simulate_variant *then)
{
	const struct sim_elevator_ops *ops = sim_elevator_find(then->scheduler);

	if (row->place == TUNABLE_IOSCHED)
		return ops && simulate_has_parameter(ops, row->file);
	if (row->phase == PHASE_NR_REQUESTS)
		return then->nr_requests > 0;
	return row->phase == PHASE_SCHEDULER;
}

static int list_unmodelled(const struct plan_device *planned,
			   const struct simulate_variant *then, struct strv *ret)
{
	int error = 0;

	for (size_t i = 0; i < planned->step_count && !error; i++) {
		const struct plan_step *step = &planned->steps[i];

		if (!step->is_conditional && !is_modelled(step->tunable, then))
			error = strv_add(ret, step->tunable->key);
	}
	return error;
}

static int read_change(const struct policy_device *policy, const struct plan_device *planned,
		       const struct simulate_kernels *kernels, struct change *ret)
{
	struct simulate_variant *now, *then = NULL;
	struct diag diag = { 0 };
	char text[512];
	int error;

	ret->device = policy->device;
	if (simulate_device_medium(ret->device, &ret->medium, &diag)) {
		diag_format(&diag, text, sizeof(text));
		return give_reason(ret, text);
	}
	error = simulate_device_now(ret->device, kernels, &ret->variants, &now);
	if (!error && now)
		error = simulate_device_wanted(policy, kernels, "then", &ret->variants, &then);
	if (error)
		return error;
	if (!then)
		return give_reason(ret, _("there is no model of one of the schedulers"));
	if (simulate_variant_is_same(&ret->variants.items[0], &ret->variants.items[1]))
		return give_reason(ret, _("nothing changes that the model knows of"));
	return list_unmodelled(planned, then, &ret->unmodelled);
}

/* Size does not count: disks of one kind come in many. */
static bool is_like(const struct change *a, const struct change *b)
{
	if (a->reason || b->reason)
		return a->reason && b->reason && strcmp(a->reason, b->reason) == 0;
	return a->device->class == b->device->class &&
	       strcmp(a->medium.name, b->medium.name) == 0 &&
	       a->medium.hw_queues == b->medium.hw_queues &&
	       a->medium.hw_depth == b->medium.hw_depth &&
	       strv_equal(&a->unmodelled, &b->unmodelled) &&
	       simulate_variant_is_same(&a->variants.items[0], &b->variants.items[0]) &&
	       simulate_variant_is_same(&a->variants.items[1], &b->variants.items[1]);
}

/* The kernel's default, or the same on the other side. */
static bool is_worth_telling(const struct simulate_variant *variant,
			     const struct sim_setting *setting,
			     const struct simulate_variant *other)
{
	const struct tunable *row = tunable_find_iosched(variant->scheduler, setting->file);

	if (row && row->initial && tunable_is_equal(row, setting->value, row->initial))
		return false;
	if (strcmp(variant->scheduler, other->scheduler) != 0)
		return true;
	for (size_t i = 0; i < other->setting_count; i++) {
		if (strcmp(other->settings[i].file, setting->file) == 0 &&
		    strcmp(other->settings[i].value, setting->value) == 0)
			return false;
	}
	return true;
}

static int fill_side(const struct simulate_variant *variant,
		     const struct simulate_variant *other, struct prediction_side *ret)
{
	int error = 0;

	ret->scheduler = strdup(variant->scheduler);
	for (size_t i = 0; i < variant->setting_count && !error; i++) {
		_free_ char *text = NULL;

		if (!is_worth_telling(variant, &variant->settings[i], other))
			continue;
		if (asprintf(&text, "%s=%s", variant->settings[i].file,
			     variant->settings[i].value) < 0) {
			text = NULL;
			return -ENOMEM;
		}
		error = strv_add(&ret->settings, text);
	}
	return ret->scheduler ? error : -ENOMEM;
}

/* The variants go over to the case. */
static int predict(struct change *change, const struct simulate_request *request,
		   const char *workload, struct prediction *ret, struct diag *diag)
{
	_simulate_case_ struct simulate_case simulated = { 0 };
	int error;

	if (change->reason) {
		ret->reason = TAKE_PTR(change->reason);
		return 0;
	}
	error = fill_side(&change->variants.items[0], &change->variants.items[1], &ret->now);
	if (!error)
		error = fill_side(&change->variants.items[1], &change->variants.items[0],
				  &ret->then);
	if (!error)
		error = simulate_case_read(request, &change->medium, workload,
					   simulate_device_processors(change->device),
					   &simulated, diag);
	if (error)
		return error;
	simulated.variants = change->variants;
	change->variants = (struct simulate_variants){ 0 };
	ret->unmodelled = change->unmodelled;
	change->unmodelled = (struct strv){ 0 };
	ret->medium = strdup(simulated.medium.name);
	ret->workload = strdup(simulated.workload.name);
	if (!ret->medium || !ret->workload)
		return -ENOMEM;
	error = simulate_case_run(&simulated, NULL, &ret->outcomes, diag);
	if (error)
		return error;
	return ret->outcomes[0].is_partial || ret->outcomes[1].is_partial ? -EINTR : 0;
}

static size_t find_like(const struct change *changes, size_t count)
{
	size_t at = 0;

	while (!is_like(&changes[at], &changes[count]))
		at++;
	return at;
}

static int predict_all(struct change *changes, size_t count,
		       const struct simulate_request *request, const char *workload,
		       struct predictions *ret, struct diag *diag)
{
	_free_ size_t *places = calloc(count + 1, sizeof(*places));
	int error = 0;

	ret->items = calloc(count + 1, sizeof(*ret->items));
	if (!places || !ret->items)
		return -ENOMEM;
	/* Which is like which, before anything is moved out of them. */
	for (size_t i = 0; i < count; i++) {
		size_t like = find_like(changes, i);

		places[i] = like == i ? ret->count++ : places[like];
		ret->items[places[i]].class = device_class_name(changes[i].device->class);
		if (strv_add(&ret->items[places[i]].devices, changes[i].device->name))
			return -ENOMEM;
	}
	for (size_t i = 0, next = 0; i < count && !error; i++) {
		if (places[i] != next)
			continue;
		error = predict(&changes[i], request, workload, &ret->items[next++], diag);
	}
	return error;
}

int simulate_plan(const struct cmd_context *context, const struct gathered *gathered,
		  const char *workload, struct predictions *ret, struct diag *diag)
{
	const struct simulate_verb_options options = { .workload = workload };
	_cleanup_(simulate_request_done) struct simulate_request request = { 0 };
	struct change *changes = calloc(gathered->plan->count + 1, sizeof(*changes));
	size_t count = 0;
	int error = changes ? simulate_request_read(context, &options, &request, diag) : -ENOMEM;
	const struct simulate_kernels kernels = { .running = request.kernel,
						  .simulated = request.kernel };

	/* Devices of the plan are those of the policy, in the same order. */
	for (size_t i = 0; i < gathered->plan->count && !error; i++) {
		if (gathered->plan->items[i].state == PLAN_CHANGE)
			error = read_change(&gathered->policy->items[i],
					    &gathered->plan->items[i], &kernels,
					    &changes[count++]);
	}
	if (!error)
		error = predict_all(changes, count, &request,
				    profile_get_workload(gathered->profile), ret, diag);
	for (size_t i = 0; changes && i < count; i++)
		change_done(&changes[i]);
	free(changes);
	return error;
}
