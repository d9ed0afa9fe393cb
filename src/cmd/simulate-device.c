// SPDX-License-Identifier: GPL-2.0-or-later
/* From a scanned device and its policy to media and variants. */
#include "cmd/simulate-device.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/simulate-parameter.h"
#include "util/i18n.h"
#include "util/log.h"
#include "util/number.h"

/* --- the medium ------------------------------------------------------------------------ */

int simulate_device_check_level(const struct device *device, struct diag *diag)
{
	_text_ struct text owners = { 0 };

	if (device->level == LEVEL_OWN)
		return 0;
	diag_set(diag, -ENOTSUP, _("%s has no scheduler of its own"), device->name);
	for (size_t i = 0; i < device->owners.count; i++)
		text_addf(&owners, "%s%s", i ? ", " : "", device->owners.items[i]);
	if (owners.data)
		diag_hint(diag, _("it lives in the queues below: name one of %s"), owners.data);
	return -ENOTSUP;
}

static uint64_t read_queue_value(const struct device *device, const char *file)
{
	const struct tunable *row = tunable_find_queue(file);
	const struct device_value *value = row ? device_find_value(device, row) : NULL;
	uint64_t number;

	if (!value || value->error || number_parse_u64(value->text, &number) ||
	    number > UINT32_MAX)
		return 0;
	return number;
}

/* Driver tags of a hardware queue: as blk-mq lists them, else what none has of requests. */
static uint64_t find_depth(const struct device *device)
{
	const char *active = choice_active(&device->scheduler);

	if (device->driver_tags)
		return device->driver_tags;
	if (active && strcmp(active, "none") == 0)
		return read_queue_value(device, "nr_requests");
	return 0;
}

int simulate_device_medium(const struct device *device, struct sim_medium *ret,
			   struct diag *diag)
{
	const char *class = device_class_name(device->class);
	uint64_t depth = find_depth(device);
	struct sim_medium medium;
	int error = simulate_device_check_level(device, diag);

	if (error) {
		diag_hint(diag, _("name a medium with --medium"));
		return error;
	}
	if (sim_medium_for_class(class, &medium)) {
		diag_set(diag, -ENOTSUP, _("%s: there is no model for the class %s"),
			 device->name, class);
		diag_hint(diag, _("name a medium with --medium"));
		return -ENOTSUP;
	}
	if (device->queue_kind == QUEUE_LEGACY)
		medium.hw_queues = 1;
	else if (device->hw_queues)
		medium.hw_queues = device->hw_queues < SIM_HW_QUEUES_MAX
					   ? (unsigned)device->hw_queues : SIM_HW_QUEUES_MAX;
	if (depth)
		medium.hw_depth = depth < SIM_HW_DEPTH_MAX ? (unsigned)depth : SIM_HW_DEPTH_MAX;
	if (device->size_sectors)
		medium.capacity_sectors = device->size_sectors;
	if (device->rotational >= 0)
		medium.is_rotational = device->rotational;
	*ret = medium;
	return 0;
}

/* "0-3, 8" */
static unsigned count_list(const char *list)
{
	_strv_ struct strv ranges = { 0 };
	uint64_t count = 0;

	if (strv_split(&ranges, list, ", "))
		return 0;
	for (size_t i = 0; i < ranges.count; i++) {
		char *dash = strchr(ranges.items[i], '-');
		uint64_t first, last;

		if (dash)
			*dash = '\0';
		if (number_parse_u64(ranges.items[i], &first))
			return 0;
		last = first;
		if (dash && number_parse_u64(dash + 1, &last))
			return 0;
		if (last < first || last - first >= SIM_CPUS_MAX)
			return 0;
		count += last - first + 1;
	}
	return count < SIM_CPUS_MAX ? (unsigned)count : SIM_CPUS_MAX;
}

unsigned simulate_device_processors(const struct device *device)
{
	unsigned count = 0;

	for (size_t i = 0; i < device->hw_queue_cpus.count && count < SIM_CPUS_MAX; i++)
		count += count_list(device->hw_queue_cpus.items[i]);
	return count < SIM_CPUS_MAX ? count : SIM_CPUS_MAX;
}

/* --- variants -------------------------------------------------------------------------- */

/*
 * Does the value mean to the simulated kernel what it meant to the running one? Another
 * version may not have the parameter, and the file of 5.15 holds another one.
 */
static bool is_usable(const struct tunable *row, const char *value,
		      const struct simulate_kernels *kernels)
{
	const struct tunable_context running = { .kernel = kernels->running };
	const struct tunable_context simulated = { .kernel = kernels->simulated };
	const struct kernel_version *kernel = &kernels->simulated;
	char buf[TUNABLE_VALUE_MAX], why[256];
	struct diag diag = { 0 };

	if (kernel->major && !kernel_version_is_within(*kernel, row->since, row->until)) {
		log_info(_("%s is left out: Linux %u.%u does not have it"), row->key,
			 kernel->major, kernel->minor);
		return false;
	}
	if (tunable_check(row, value, &running, buf, &diag) == 0 &&
	    tunable_check(row, value, &simulated, buf, &diag) == 0)
		return true;
	diag_format(&diag, why, sizeof(why));
	log_info(_("%s is left at its default: %s"), row->key, why);
	return false;
}

/* As a kernel of that version sets it with the scheduler's tags (facts: 3/4 of them before
 * 6.1): it follows them, whatever they come to be. */
static bool is_default_depth(const struct tunable *row, const char *value, uint64_t nr_requests,
			     const struct kernel_version *kernel)
{
	static const struct kernel_version whole = { 6, 1, 0 };
	uint64_t number, initial = kernel_version_compare(*kernel, whole) < 0 ?
					   nr_requests * 3 / 4 : nr_requests;

	return strcmp(row->key, "mq-deadline.async_depth") == 0 &&
	       number_parse_u64(value, &number) == 0 && number == initial;
}

/* A legacy queue may have more. */
static unsigned limit_requests(uint64_t nr_requests)
{
	if (nr_requests <= SIM_NR_REQUESTS_MAX)
		return (unsigned)nr_requests;
	log_info(_("nr_requests is simulated as %u, not %llu"), SIM_NR_REQUESTS_MAX,
		 (unsigned long long)nr_requests);
	return SIM_NR_REQUESTS_MAX;
}

int simulate_device_take_values(const struct device *device,
				const struct simulate_kernels *kernels,
				struct simulate_variant *variant)
{
	const struct sim_elevator_ops *ops = sim_elevator_find(variant->scheduler);
	uint64_t nr_requests = read_queue_value(device, "nr_requests");
	int error = 0;

	for (size_t i = 0; i < device->value_count && !error; i++) {
		const struct device_value *value = &device->values[i];
		const struct tunable *row = value->tunable;

		if (value->error || row->place != TUNABLE_IOSCHED ||
		    strcmp(row->owner, ops->name) != 0 ||
		    !simulate_has_parameter(ops, row->file) ||
		    is_default_depth(row, value->text, nr_requests, &kernels->running) ||
		    !is_usable(row, value->text, kernels))
			continue;
		error = simulate_variant_set(variant, row->file, value->text);
	}
	/* Under none they are the driver's own tags. */
	if (strcmp(ops->name, "none") != 0)
		variant->nr_requests = limit_requests(nr_requests);
	return error;
}

static int retitle(struct simulate_variant *variant, const char *title)
{
	char *copy = strdup(title);

	if (!copy)
		return -ENOMEM;
	free(variant->title);
	variant->title = copy;
	return 0;
}

int simulate_device_now(const struct device *device, const struct simulate_kernels *kernels,
			struct simulate_variants *variants, struct simulate_variant **ret)
{
	const char *active = choice_active(&device->scheduler);
	const struct sim_elevator_ops *ops = active ? sim_elevator_find(active) : NULL;
	struct simulate_variant *variant;
	int error;

	*ret = NULL;
	if (!ops)
		return 0;
	variant = simulate_variant_add(variants, ops->name);
	if (!variant)
		return -ENOMEM;
	variant->role = VARIANT_NOW;
	error = retitle(variant, "now");
	if (!error)
		error = simulate_device_take_values(device, kernels, variant);
	if (!error)
		*ret = variant;
	return error;
}

static const char *wanted_scheduler(const struct policy_device *policy)
{
	for (size_t i = 0; i < policy->value_count; i++) {
		if (policy->values[i].tunable == tunable_scheduler())
			return policy->values[i].value;
	}
	return choice_active(&policy->device->scheduler);
}

/* Over what the device has. */
static int take_policy(const struct policy_device *policy, const struct sim_elevator_ops *ops,
		       const struct simulate_kernels *kernels,
		       struct simulate_variant *variant)
{
	int error = 0;

	for (size_t i = 0; i < policy->value_count && !error; i++) {
		const struct policy_value *value = &policy->values[i];
		const struct tunable *row = value->tunable;
		uint64_t number;

		if (row == tunable_find_queue("nr_requests") && strcmp(ops->name, "none") != 0 &&
		    number_parse_u64(value->value, &number) == 0)
			variant->nr_requests = limit_requests(number);
		if (row->place == TUNABLE_IOSCHED && strcmp(row->owner, ops->name) == 0 &&
		    simulate_has_parameter(ops, row->file) &&
		    !is_default_depth(row, value->value, variant->nr_requests,
				      &kernels->running) &&
		    is_usable(row, value->value, kernels))
			error = simulate_variant_set(variant, row->file, value->value);
	}
	return error;
}

int simulate_device_wanted(const struct policy_device *policy,
			   const struct simulate_kernels *kernels, const char *title,
			   struct simulate_variants *variants, struct simulate_variant **ret)
{
	const char *active = choice_active(&policy->device->scheduler);
	const char *wanted = wanted_scheduler(policy);
	const struct sim_elevator_ops *ops = wanted ? sim_elevator_find(wanted) : NULL;
	struct simulate_variant *variant;
	int error;

	*ret = NULL;
	if (!ops)
		return 0;
	variant = simulate_variant_add(variants, ops->name);
	if (!variant)
		return -ENOMEM;
	variant->role = VARIANT_PROFILE;
	error = retitle(variant, title);
	/* A switch begins with the defaults. */
	if (!error && active && strcmp(active, ops->name) == 0)
		error = simulate_device_take_values(policy->device, kernels, variant);
	if (!error)
		error = take_policy(policy, ops, kernels, variant);
	if (!error)
		*ret = variant;
	return error;
}
