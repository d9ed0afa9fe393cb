// SPDX-License-Identifier: GPL-2.0-or-later
/* The columns of a comparison: schedulers with their parameters. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/simulate-case.h"
#include "cmd/simulate-device.h"
#include "cmd/simulate-parameter.h"
#include "tunable/tunable.h"
#include "util/i18n.h"
#include "util/log.h"

static void variant_done(struct simulate_variant *variant)
{
	free(variant->title);
	free(variant->settings);
	strv_done(&variant->words);
}

void simulate_variants_done(struct simulate_variants *variants)
{
	for (size_t i = 0; i < variants->count; i++)
		variant_done(&variants->items[i]);
	free(variants->items);
	*variants = (struct simulate_variants){ 0 };
}

void simulate_variants_drop_last(struct simulate_variants *variants)
{
	variant_done(&variants->items[--variants->count]);
}

struct simulate_variant *simulate_variant_add(struct simulate_variants *variants,
					      const char *scheduler)
{
	struct simulate_variant *items = reallocarray(
		variants->items, variants->count + 1, sizeof(*items));
	char *title = strdup(scheduler);

	if (items)
		variants->items = items;
	if (!items || !title) {
		free(title);
		return NULL;
	}
	items[variants->count] = (struct simulate_variant){ .title = title,
							    .scheduler = scheduler };
	return &items[variants->count++];
}

int simulate_variant_set(struct simulate_variant *variant, const char *file,
			 const char *value)
{
	struct sim_setting *settings;
	size_t at = 0;

	while (at < variant->setting_count && strcmp(variant->settings[at].file, file) != 0)
		at++;
	settings = reallocarray(variant->settings, variant->setting_count + 1,
				sizeof(*settings));
	if (!settings)
		return -ENOMEM;
	variant->settings = settings;
	/* The words stay where they are when the vector grows. */
	if (strv_add(&variant->words, file) || strv_add(&variant->words, value))
		return -ENOMEM;
	settings[at] = (struct sim_setting){
		.file = variant->words.items[variant->words.count - 2],
		.value = variant->words.items[variant->words.count - 1],
	};
	if (at == variant->setting_count)
		variant->setting_count++;
	return 0;
}

/* What the variant has this parameter at; the catalogue's default where it says nothing. */
static const char *value_of(const struct simulate_variant *variant, const char *file)
{
	const struct tunable *row;

	for (size_t i = 0; i < variant->setting_count; i++) {
		if (strcmp(variant->settings[i].file, file) == 0)
			return variant->settings[i].value;
	}
	row = tunable_find_iosched(variant->scheduler, file);
	return row ? row->initial : NULL;
}

static bool has_same_settings(const struct simulate_variant *a,
			      const struct simulate_variant *b)
{
	for (size_t i = 0; i < a->setting_count; i++) {
		const char *file = a->settings[i].file, *value = value_of(b, file);
		const struct tunable *row = tunable_find_iosched(a->scheduler, file);

		if (!value || !row || !tunable_is_equal(row, a->settings[i].value, value))
			return false;
	}
	return true;
}

bool simulate_variant_is_same(const struct simulate_variant *a,
			      const struct simulate_variant *b)
{
	return strcmp(a->scheduler, b->scheduler) == 0 && a->nr_requests == b->nr_requests &&
	       has_same_settings(a, b) && has_same_settings(b, a);
}

void simulate_variant_describe(const struct simulate_variant *variant, struct text *out)
{
	text_add(out, variant->scheduler);
	for (size_t i = 0; i < variant->setting_count; i++) {
		const struct sim_setting *setting = &variant->settings[i];
		const struct tunable *row =
			tunable_find_iosched(variant->scheduler, setting->file);

		if (row && row->initial && tunable_is_equal(row, setting->value, row->initial))
			continue;
		/* TRANSLATORS: between the parts of a heading. */
		text_addf(out, "%s%s=", _(", "), setting->file);
		text_add_safe(out, setting->value);
	}
	if (variant->nr_requests)
		text_addf(out, "%snr_requests=%u", _(", "), variant->nr_requests);
}

struct simulate_variant *simulate_variants_find_twin(const struct simulate_variants *variants)
{
	for (size_t i = 0; i + 1 < variants->count; i++) {
		if (simulate_variant_is_same(&variants->items[i],
					     &variants->items[variants->count - 1]))
			return &variants->items[i];
	}
	return NULL;
}

/* --- by name --------------------------------------------------------------------------- */

static int find_scheduler(const char *name, const char **ret, struct diag *diag)
{
	const struct sim_elevator_ops *ops = sim_elevator_find(name);
	_strv_ struct strv known = { 0 };
	int error = 0;

	if (ops) {
		*ret = ops->name;
		return 0;
	}
	diag_set(diag, -EINVAL, _("there is no scheduler \"%s\""), name);
	for (size_t i = 0; !error && (ops = sim_elevator_get(i)); i++)
		error = strv_add(&known, ops->name);
	cmd_hint_name(diag, name, &known, "iosched-tune-schedulers");
	return -EINVAL;
}

static bool has_version(const struct kernel_version *kernel, const char *name)
{
	const struct scheduler *row = scheduler_find(name);

	return row && kernel_version_is_within(*kernel, row->since, row->until);
}

/*
 * Those of blk-mq, and of a kernel whose blk-mq has no schedulers yet those of the legacy
 * queue, unless the driver has several queues and is one of blk-mq all the same.
 */
static bool is_offered(const struct simulate_case *simulated, const struct sim_elevator_ops *ops)
{
	const struct kernel_version *kernel = &simulated->kernel;
	bool is_mq = has_version(kernel, "mq-deadline") ||
		     (has_version(kernel, "none") && simulated->options.queue.hw_queues > 1);

	return ops->kind == (is_mq ? QUEUE_MQ : QUEUE_LEGACY) && has_version(kernel, ops->name);
}

static int fail_queues(const struct simulate_case *simulated, const struct scheduler *row,
		       struct diag *diag)
{
	const struct kernel_version *kernel = &simulated->kernel;
	unsigned hw_queues = simulated->options.queue.hw_queues;

	if (has_version(kernel, "none"))
		diag_set(diag, -EINVAL,
			 _("%s is a scheduler of the legacy queue, which is a single one: there "
			   "are %u hardware queues"), row->name, hw_queues);
	else
		diag_set(diag, -EINVAL,
			 _("Linux %u.%u has no blk-mq, and the legacy queue is a single one: "
			   "there are %u hardware queues"), kernel->major, kernel->minor,
			 hw_queues);
	if (has_version(kernel, row->counterpart))
		diag_hint(diag, _("--hw-queues 1 simulates a single one; for several there is %s"),
			  row->counterpart);
	else
		diag_hint(diag, _("--hw-queues 1 simulates a single one; Linux 4.12 and newer "
				  "have schedulers for several: --kernel"));
	return -EINVAL;
}

/* A version that does not have one is said when it is to run. */
int simulate_case_check_queues(const struct simulate_case *simulated, struct diag *diag)
{
	unsigned hw_queues = simulated->options.queue.hw_queues;

	for (size_t i = 0; hw_queues > 1 && i < simulated->variants.count; i++) {
		const struct scheduler *row =
			scheduler_find(simulated->variants.items[i].scheduler);

		/* Those of textbooks are of no kernel, and take any queue. */
		if (row && row->kind == QUEUE_LEGACY && has_version(&simulated->kernel, row->name))
			return fail_queues(simulated, row, diag);
	}
	return 0;
}

int simulate_variant_take_sets(struct simulate_variant *variant,
			       const struct simulate_request *request)
{
	struct sim_setting settings[SIMULATE_SETTINGS_MAX];
	size_t count = simulate_request_pick_settings(request, variant->scheduler, settings);

	if (request->numbers.nr_requests)
		variant->nr_requests = request->numbers.nr_requests;
	for (size_t i = 0; i < count; i++) {
		if (simulate_variant_set(variant, settings[i].file, settings[i].value))
			return -ENOMEM;
	}
	return 0;
}

int simulate_case_add_scheduler(struct simulate_case *simulated,
				const struct simulate_request *request,
				const struct device *device,
				const struct simulate_kernels *kernels, const char *scheduler)
{
	struct simulate_variants *variants = &simulated->variants;
	struct simulate_variant *variant = simulate_variant_add(variants, scheduler), *twin;
	const char *active = device ? choice_active(&device->scheduler) : NULL;
	int error = variant ? 0 : -ENOMEM;

	if (!error && active && strcmp(active, scheduler) == 0)
		error = simulate_device_take_values(device, kernels, variant);
	if (!error)
		error = simulate_variant_take_sets(variant, request);
	twin = error ? NULL : simulate_variants_find_twin(variants);
	if (!twin)
		return error;
	if (!request->schedulers.count)
		log_debug("%s has a column already", scheduler);
	else if (strcmp(twin->title, scheduler) == 0)
		log_notice(_("%s is named more than once, and shown once"), scheduler);
	else
		log_notice(_("%s has no column of its own: it is the same as '%s'"), scheduler,
			   twin->title);
	simulate_variants_drop_last(variants);
	return 0;
}

/* What --set names must be a parameter of something that is compared. */
int simulate_case_check_sets(const struct simulate_case *simulated,
			     const struct simulate_request *request, struct diag *diag)
{
	for (size_t i = 0; i < request->setting_count; i++) {
		bool is_taken = false;

		for (size_t j = 0; j < simulated->variants.count && !is_taken; j++) {
			const struct simulate_variant *variant = &simulated->variants.items[j];

			for (size_t k = 0; k < variant->setting_count && !is_taken; k++)
				is_taken = strcmp(variant->settings[k].file,
						  request->settings[i].file) == 0 &&
					   (!request->owners[i] ||
					    strcmp(request->owners[i], variant->scheduler) == 0);
		}
		if (is_taken)
			continue;
		diag_set(diag, -EINVAL, _("none of the schedulers has the parameter \"%s%s%s\""),
			 request->owners[i] ? request->owners[i] : "",
			 request->owners[i] ? "." : "", request->settings[i].file);
		simulate_hint_parameter(diag, request->owners[i], request->settings[i].file);
		return -EINVAL;
	}
	return 0;
}

int simulate_case_add_schedulers(struct simulate_case *simulated,
				 const struct simulate_request *request,
				 const struct device *device,
				 const struct simulate_kernels *kernels, struct diag *diag)
{
	const struct sim_elevator_ops *ops;
	const char *name;
	int error = 0;

	for (size_t i = 0; i < request->schedulers.count && !error; i++) {
		error = find_scheduler(request->schedulers.items[i], &name, diag);
		if (!error)
			error = simulate_case_add_scheduler(simulated, request, device, kernels,
							    name);
	}
	for (size_t i = 0; !request->schedulers.count && !error && (ops = sim_elevator_get(i)); i++) {
		if (is_offered(simulated, ops))
			error = simulate_case_add_scheduler(simulated, request, device, kernels,
							    ops->name);
	}
	if (error == -ENOMEM)
		return diag_set(diag, error, _("out of memory"));
	return error ? error : simulate_case_check_sets(simulated, request, diag);
}
