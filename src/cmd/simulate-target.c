// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which variants are compared: what is now, what the profile wants, what was named, else
 * whatever the kernel offers; each only once.
 */
#include "cmd/simulate-target.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common.h"
#include "device/host.h"
#include "sim/workload/trace.h"
#include "tunable/scheduler.h"
#include "util/i18n.h"
#include "util/log.h"

void simulate_target_done(struct simulate_target *target)
{
	gathered_done(&target->gathered);
	profile_free(target->profile);
}

static int read_device(const struct cmd_context *context, const struct verb *verb,
		       const struct simulate_request *request, const char *name,
		       struct simulate_target *ret)
{
	const struct simulate_verb_options *options = request->options;
	const struct gather_request gathering = {
		.policy = options->profile ? GATHER_POLICY_ASKED : GATHER_NO_POLICY,
		.needs = SIMULATE_DEVICE_NEEDS,
		.profile = options->profile,
		.names = &name,
		.name_count = 1,
	};
	struct diag diag = { 0 };
	int status = gather(context, verb, &gathering, &ret->gathered);

	if (status)
		return status;
	ret->device = ret->gathered.named[0];
	if (options->medium || options->service_time)
		return EXIT_STATUS_DONE;
	if (simulate_device_medium(ret->device, &ret->medium, &diag))
		return cmd_fail_usage(verb, &diag);
	return EXIT_STATUS_DONE;
}

int simulate_target_read(const struct cmd_context *context, const struct verb *verb,
			 const struct simulate_request *request, const char *device_name,
			 struct simulate_target *ret)
{
	const char *name = request->options->profile;
	struct diag diag = { 0 };
	int error;

	if (device_name)
		return read_device(context, verb, request, device_name, ret);
	if (!name)
		return EXIT_STATUS_DONE;
	error = profile_load(context->root, context->search, name, &ret->profile, &diag);
	return error ? cmd_fail_profile(name, &diag, error) : EXIT_STATUS_DONE;
}

/*
 * The device that a trace was recorded on, by its header: a device of the host that only the
 * header tells of.
 */
struct recorded {
	struct device device;
	struct device_value values[ARRAY_SIZE(((struct trace_header *)0)->iosched) + 1];
	struct kernel_version kernel;
	char name[sizeof("trace")];
};

static void take_value(struct recorded *recorded, const struct tunable *row, const char *text)
{
	struct device_value *value = &recorded->values[recorded->device.value_count];

	if (!row || strlen(text) >= sizeof(value->text))
		return;
	value->tunable = row;
	snprintf(value->text, sizeof(value->text), "%s", text);
	recorded->device.value_count++;
}

static void take_queue(struct recorded *recorded, const struct trace_header *header)
{
	struct choice *scheduler = &recorded->device.scheduler;
	char number[16];

	scheduler->active = -1;
	if (header->scheduler[0]) {
		snprintf(scheduler->names[0], CHOICE_NAME_MAX, "%s", header->scheduler);
		scheduler->count = 1;
		scheduler->active = 0;
	}
	snprintf(number, sizeof(number), "%u", header->nr_requests);
	if (header->nr_requests)
		take_value(recorded, tunable_find_queue("nr_requests"), number);
	for (unsigned i = 0; i < header->iosched_count; i++)
		take_value(recorded,
			   tunable_find_iosched(header->scheduler, header->iosched[i].key),
			   header->iosched[i].value);
}

static int read_recorded(const struct simulate_verb_options *options, struct recorded *ret,
			 bool *ret_has_class, struct diag *diag)
{
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	const struct trace_header *header;
	int error = trace_reader_open(options->trace,
				      options->is_strict ? TRACE_STRICT : TRACE_SKIP_BROKEN,
				      &reader, diag);

	if (error)
		return error;
	header = trace_reader_header(reader);
	*ret = (struct recorded){ .name = "trace" };
	ret->device.name = ret->device.sys_name = ret->name;
	ret->device.level = LEVEL_OWN;
	ret->device.values = ret->values;
	if (kernel_version_parse(header->kernel, &ret->kernel))
		ret->kernel = KERNEL_VERSION_NONE;
	take_queue(ret, header);
	*ret_has_class = header->class[0] &&
			 device_class_parse(header->class, &ret->device.class) == 0;
	/* Only spinning is written apart from unsaid; the class knows it of the others. */
	ret->device.rotational = header->rotational ? 1 : -1;
	ret->device.hw_queues = header->hw_queues;
	ret->device.driver_tags = header->hw_depth;
	ret->device.size_sectors = header->size_sectors;
	return 0;
}

/* --- variants -------------------------------------------------------------------------- */

/* It is what was asked about: the others are compared with it. */
static void move_to_front(struct simulate_variants *variants, size_t index)
{
	struct simulate_variant item = variants->items[index];

	memmove(&variants->items[1], &variants->items[0], index * sizeof(*variants->items));
	variants->items[0] = item;
}

/* With `is_first` in the first column, whatever its title. */
static int add_wanted(const struct policy_device *policy,
		      const struct simulate_kernels *kernels, const char *title, bool is_first,
		      struct simulate_case *ret)
{
	struct simulate_variant *variant, *twin;
	int error;

	if (policy->state != POLICY_SET) {
		log_notice(_("the profile '%s' wants nothing of it: %s"), title, policy->reason);
		return 0;
	}
	error = simulate_device_wanted(policy, kernels, title, &ret->variants, &variant);
	if (!error && !variant)
		log_notice(_("what the profile '%s' wants cannot be simulated"), title);
	if (error || !variant)
		return error;
	twin = simulate_variants_find_twin(&ret->variants);
	if (twin) {
		simulate_variants_drop_last(&ret->variants);
		if (twin->role == VARIANT_NOW)
			log_notice(_("what the profile '%s' wants is so now"), title);
		else
			log_notice(_("what the profile '%s' wants is in the column '%s'"),
				   title, twin->title);
	}
	if (is_first)
		move_to_front(&ret->variants, twin ? (size_t)(twin - ret->variants.items)
						   : ret->variants.count - 1);
	return 0;
}

/* A device of the medium's class, as a kernel of that version would have it. */
static int add_imagined(const struct profile *profile, struct simulate_case *ret,
			struct diag *diag)
{
	_cleanup_(cleanup_policy_free) struct policy *policy = NULL;
	struct host host = { .kernel = ret->kernel };
	struct device device = {
		.name = ret->medium.name,
		.sys_name = ret->medium.name,
		.level = LEVEL_OWN,
		.queue_kind = QUEUE_MQ,
		.has_scheduler_file = true,
		.rotational = ret->medium.is_rotational,
		.size_sectors = ret->medium.capacity_sectors,
		.hw_queues = ret->options.queue.hw_queues,
		.driver_tags = ret->options.queue.hw_depth,
		.scheduler = { .active = -1 },
	};
	struct device_list list = { .items = &device, .count = 1, .host = &host };
	const struct policy_request policy_request = { .profile = profile };
	const struct simulate_kernels kernels = { .running = ret->kernel,
						  .simulated = ret->kernel };
	int error;

	if (!ret->has_medium || !ret->medium.class ||
	    device_class_parse(ret->medium.class, &device.class))
		return diag_set(diag, -EINVAL,
				_("--profile needs a device, or a medium that stands for one"));
	snprintf(device.zoned, sizeof(device.zoned), "%s",
		 !ret->medium.zone_sectors ? "none"
		 : ret->medium.is_host_managed ? "host-managed" : "host-aware");
	device.nearest = device.class;
	for (size_t i = 0; i < ret->variants.count && i < CHOICE_MAX; i++) {
		snprintf(device.scheduler.names[i], CHOICE_NAME_MAX, "%s",
			 ret->variants.items[i].scheduler);
		device.scheduler.count++;
	}
	error = policy_resolve(&list, &policy_request, &policy, diag);
	return error ? error : add_wanted(&policy->items[0], &kernels, profile->name, true, ret);
}

/* As it was recorded, where the simulated kernel has that scheduler. */
static int add_recorded(const struct recorded *recorded, const struct simulate_kernels *kernels,
			struct simulate_case *ret)
{
	const char *active = choice_active(&recorded->device.scheduler);
	const struct scheduler *row = active ? scheduler_find(active) : NULL;
	struct simulate_variant *now;

	if (!row)
		return 0;
	if (!kernel_version_is_within(ret->kernel, row->since, row->until)) {
		log_notice(_("%s, which was active when the trace was recorded, is left out: "
			     "Linux %u.%u does not have it"),
			   row->name, ret->kernel.major, ret->kernel.minor);
		return 0;
	}
	return simulate_device_now(&recorded->device, kernels, &ret->variants, &now);
}

/* `recorded` NULL: no device is known. */
static int add_without_device(const struct simulate_target *target,
			      const struct simulate_request *request,
			      const struct recorded *recorded, struct simulate_case *ret,
			      struct diag *diag)
{
	const struct simulate_kernels kernels = {
		.running = recorded ? recorded->kernel : KERNEL_VERSION_NONE,
		.simulated = ret->kernel,
	};
	int error = recorded ? add_recorded(recorded, &kernels, ret) : 0;

	if (error)
		return diag_set(diag, error, _("out of memory"));
	error = simulate_case_add_schedulers(ret, request, recorded ? &recorded->device : NULL,
					     &kernels, diag);
	if (error || !target->profile)
		return error;
	return add_imagined(target->profile, ret, diag);
}

/* The schedulers that the queue offers, but for those that have a column already. */
static int add_offered(const struct device *device, const struct simulate_kernels *kernels,
		       const struct simulate_request *request, struct simulate_case *ret,
		       struct diag *diag)
{
	int error = 0;

	for (size_t i = 0; i < device->scheduler.count && !error; i++) {
		const char *name = device->scheduler.names[i];

		if (sim_elevator_find(name))
			error = simulate_case_add_scheduler(
				ret, request, device, kernels, sim_elevator_find(name)->name);
		else
			log_notice(_("%s is left out: there is no model of it"), name);
	}
	if (error)
		return diag_set(diag, error, _("out of memory"));
	return simulate_case_check_sets(ret, request, diag);
}

static int add_with_device(const struct simulate_target *target,
			   const struct simulate_request *request, struct simulate_case *ret,
			   struct diag *diag)
{
	const struct gathered *gathered = &target->gathered;
	const struct policy_device *policy =
		gathered_row(gathered, target->device).policy;
	const struct simulate_kernels kernels = {
		.running = gathered->devices->host->kernel,
		.simulated = ret->kernel,
	};
	struct simulate_variant *now;
	int error = simulate_device_now(target->device, &kernels, &ret->variants, &now);

	if (!error && policy)
		error = add_wanted(policy, &kernels, gathered->profile->name, false, ret);
	if (error)
		return diag_set(diag, error, _("out of memory"));
	if (request->schedulers.count)
		return simulate_case_add_schedulers(ret, request, target->device, &kernels,
						    diag);
	return add_offered(target->device, &kernels, request, ret, diag);
}

int simulate_target_to_case(struct simulate_target *target,
			    const struct simulate_request *request, struct simulate_case *ret,
			    struct diag *diag)
{
	const struct device *device = target->device;
	bool is_named = request->options->medium || request->options->service_time;
	const char *trace = request->options->trace;
	bool has_own = device && !is_named, has_recorded = false, is_recorded, has_class;
	struct recorded recorded;
	struct diag unknown = { 0 };
	const struct profile *profile = device ? target->gathered.profile : target->profile;
	int error = 0;

	/* Another medium than that of the recording says nothing of what is now. */
	is_recorded = trace && !device && !is_named && !simulate_source_is_stream(trace);
	if (is_recorded)
		error = read_recorded(request->options, &recorded, &has_class, diag);
	if (is_recorded && !error)
		has_recorded = has_class && simulate_device_medium(&recorded.device,
								   &target->medium,
								   &unknown) == 0;
	if (!error)
		error = simulate_case_read(request,
					   has_own || has_recorded ? &target->medium : NULL,
					   profile_get_workload(profile),
					   device ? simulate_device_processors(device) : 0, ret,
					   diag);
	if (error)
		return diag_set(diag, error, "%s", strerror(-error));
	if (!device) {
		error = add_without_device(target, request, is_recorded ? &recorded : NULL, ret,
					   diag);
		if (!error && !ret->variants.count)
			return diag_set(diag, -EINVAL,
					_("there is no model of the schedulers of Linux %u.%u"),
					ret->kernel.major, ret->kernel.minor);
		return error ? error : simulate_case_check_queues(ret, diag);
	}
	if (has_own) {
		ret->device = device->name;
		snprintf(ret->subject, sizeof(ret->subject), "%s (%s)", device->name,
			 ret->medium.name);
	}
	error = add_with_device(target, request, ret, diag);
	if (!error && !ret->variants.count)
		return diag_set(diag, -ENOTSUP, _("%s has no scheduler that can be simulated"),
				device->name);
	return error ? error : simulate_case_check_queues(ret, diag);
}
