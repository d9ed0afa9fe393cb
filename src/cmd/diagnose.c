// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * diagnose: what to look at before the scheduler is blamed.
 */
#include "diagnose/diagnose.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/gather.h"
#include "cmd/simulate-source.h"
#include "cmd/verb.h"
#include "diagnose/record.h"
#include "persist/manifest.h"
#include "persist/udev-rules.h"
#include "report/diagnose.h"
#include "report/json.h"
#include "util/clock.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"

#define SECONDS_DEFAULT_MS 1000

struct diagnose_options {
	const char *seconds;
	const char *trace;
	bool is_all;
};

static const struct option_spec diagnose_specs[] = {
	{ 'a', "all", .help = N_("also loop, RAM and optical devices"),
	  .offset = OPTION_FIELD(struct diagnose_options, is_all) },
	{ .long_name = "seconds",
	  .value = VALUE_SECONDS,
	  .placeholder = "SECONDS",
	  .help = N_("how long the load is watched, 1 s when not given"),
	  .offset = OPTION_FIELD(struct diagnose_options, seconds) },
	{ .long_name = "trace",
	  .value = VALUE_FILE,
	  .placeholder = "FILE",
	  .help = N_("a trace of the one device that is named, in any format that simulate "
		     "reads"),
	  .offset = OPTION_FIELD(struct diagnose_options, trace) },
};

/* One disk, with what was measured. */
struct subject {
	const struct device *device;
	struct device_counters before;
	struct device_load load;
	bool has_before, has_load;
};

struct work {
	struct subject *subjects;
	struct diagnosis *diagnoses;
	size_t count, done;
	struct conflicts conflicts;
	struct manifest *manifest;
	struct pattern pattern;
	bool has_pattern;
};

static void work_done(struct work *work)
{
	for (size_t i = 0; i < work->done; i++)
		diagnosis_done(&work->diagnoses[i]);
	free(work->diagnoses);
	free(work->subjects);
	conflicts_done(&work->conflicts);
	manifest_free(work->manifest);
}

static int choose(const struct gathered *gathered, bool is_all, struct work *work)
{
	const struct device_list *devices = gathered->devices;

	work->subjects = calloc(devices->count + 1, sizeof(*work->subjects));
	work->diagnoses = calloc(devices->count + 1, sizeof(*work->diagnoses));
	if (!work->subjects || !work->diagnoses)
		return -ENOMEM;
	for (size_t i = 0; i < devices->count; i++) {
		const struct device *device = &devices->items[i];

		if (gathered->named_count ? gathered_is_asked(gathered, device)
					  : is_all || diagnose_is_default(device))
			work->subjects[work->count++].device = device;
	}
	return 0;
}

/* On a host the counters are read twice; a snapshot or a tree has what it has. */
static void measure(const struct root *root, unsigned wait_ms, struct work *work)
{
	bool is_host = root_get_kind(root) == ROOT_HOST;
	uint64_t begin_ns;
	double seconds;

	for (size_t i = 0; is_host && i < work->count; i++)
		work->subjects[i].has_before =
			!device_counters_read(root, work->subjects[i].device,
					      &work->subjects[i].before);
	begin_ns = clock_now_ns();
	if (is_host && work->count)
		diagnose_wait(wait_ms / 1000.0);
	seconds = clock_seconds_since(begin_ns);
	for (size_t i = 0; i < work->count; i++) {
		struct subject *subject = &work->subjects[i];
		struct device_counters after;

		if (!is_host)
			subject->has_load = !device_load_recorded(root, subject->device,
								  &subject->load);
		else
			subject->has_load =
				subject->has_before &&
				!device_counters_read(root, subject->device, &after) &&
				!device_load_between(&subject->before, &after,
						     seconds, &subject->load);
	}
}

/* Something was asked for since boot. */
static bool is_applied(const struct gathered *gathered)
{
	return gathered->source == PROFILE_APPLIED ||
	       applied_count_single(&gathered->applied);
}

static int look_at(const struct cmd_context *context, const struct gathered *gathered,
		   struct work *work)
{
	for (size_t i = 0; i < work->count; i++) {
		const struct subject *subject = &work->subjects[i];
		struct column_row row = gathered_row(gathered, subject->device);
		struct smart smart;
		struct diagnose_input input = {
			.root = context->root,
			.devices = gathered->devices,
			.device = subject->device,
			.policy = row.policy,
			.plan = row.plan,
			.profile_name = gathered->profile ? gathered->profile->name : NULL,
			/* Of the machine, so once is enough. */
			.conflicts = i ? NULL : &work->conflicts,
			.is_applied = is_applied(gathered),
			.is_persisted = work->manifest && work->manifest->count,
			.load = subject->has_load ? &subject->load : NULL,
			.smart = &smart,
			.pattern = work->has_pattern ? &work->pattern : NULL,
		};
		int error = smart_read(context->root, subject->device, &smart);

		if (!error)
			error = diagnose_device(&input, &work->diagnoses[i]);
		if (error)
			return error;
		work->done++;
	}
	return 0;
}

static const struct device_load *find_load(const struct work *work,
					   const struct device *device)
{
	for (size_t i = 0; i < work->count; i++)
		if (work->subjects[i].device == device && work->subjects[i].has_load)
			return &work->subjects[i].load;
	return NULL;
}

static int print_json(const struct gathered *gathered, const struct work *work)
{
	json_t *root = json_envelope(), *list = json_array();
	int error = 0;

	for (size_t i = 0; i < work->done; i++)
		json_push(list,
			  diagnosis_to_json(&work->diagnoses[i],
					    find_load(work, work->diagnoses[i].device)),
			  &error);
	json_put(root, "devices", list, &error);
	json_put(root, "problems", gathered_problems_to_json(gathered), &error);
	return json_print(root, error);
}

/* "3 devices: 1 bad, 2 warnings" */
static void say_summary(const struct work *work, size_t bad, size_t warned)
{
	_text_ struct text line = { 0 };

	text_addf(&line, P_("%zu device", "%zu devices", work->done), work->done);
	text_addf(&line, P_(": %zu thing is bad", ": %zu things are bad", bad), bad);
	text_addf(&line, P_(", %zu warning", ", %zu warnings", warned), warned);
	if (!line.error)
		log_notice("%s", line.data);
}

static int report(const struct cmd_context *context, const struct gathered *gathered,
		  struct work *work)
{
	struct table_style style = cmd_table_style(context);
	size_t counts[FINDING_BAD + 1] = { 0 };
	int error;

	diagnosis_sort(work->diagnoses, work->done);
	for (size_t i = 0; i < work->done; i++)
		for (size_t j = 0; j < work->diagnoses[i].count; j++)
			counts[work->diagnoses[i].items[j].level]++;
	error = context->is_json
			? print_json(gathered, work)
			: diagnosis_print(work->diagnoses, work->done,
					  log_get_level() > LOG_LEVEL_ERROR, &style);
	if (error)
		return cmd_fail(&(struct diag){ 0 }, error);
	say_summary(work, counts[FINDING_BAD], counts[FINDING_WARN]);
	return counts[FINDING_BAD] ? EXIT_STATUS_DRIFT : EXIT_STATUS_DONE;
}

static int read_trace(const struct diagnose_options *options, size_t name_count,
		      struct work *work)
{
	struct diag diag = { 0 };
	int error;

	if (!options->trace)
		return EXIT_STATUS_DONE;
	if (name_count != 1) {
		diag_set(&diag, -EINVAL, _("a trace is of one device: name it"));
		return cmd_fail_usage(&verb_diagnose, &diag);
	}
	error = pattern_read(options->trace, &work->pattern, &diag);
	if (error)
		return cmd_fail(&diag, error);
	simulate_report_losses(&work->pattern.counts);
	work->has_pattern = true;
	return EXIT_STATUS_DONE;
}

static int run_diagnose(const struct cmd_context *context, const void *data,
			const char *const *arguments, size_t argument_count)
{
	const struct diagnose_options *options = data;
	_cleanup_(work_done) struct work work = { 0 };
	_gathered_ struct gathered gathered = { 0 };
	struct gather_request request = { .policy = GATHER_POLICY,
					  .needs = DIAGNOSE_NEEDS,
					  .names = arguments,
					  .name_count = argument_count };
	unsigned wait_ms = SECONDS_DEFAULT_MS;
	struct diag diag = { 0 };
	int error, status;

	status = cmd_read_timeout(&verb_diagnose, "seconds", options->seconds, &wait_ms);
	if (!status)
		status = read_trace(options, argument_count, &work);
	if (!status)
		status = gather(context, &verb_diagnose, &request, &gathered);
	if (status)
		return status;
	/* What is installed for the next boot is a detail here: unreadable is none. */
	manifest_load(context->root, &work.manifest, &(struct diag){ 0 });
	error = choose(&gathered, options->is_all, &work);
	if (!error)
		error = conflicts_find(context->root, UDEV_RULES_NAME, NULL,
				       &work.conflicts);
	if (!error) {
		measure(context->root, wait_ms, &work);
		error = look_at(context, &gathered, &work);
	}
	return error ? cmd_fail(&diag, error) : report(context, &gathered, &work);
}

static const struct verb_example examples[] = {
	{ "iosched-tune diagnose", N_("all disks, watched for a second") },
	{ "iosched-tune diagnose --seconds 10 sda", N_("one disk, while it is slow") },
	{ "iosched-tune --root host.txt diagnose",
	  N_("somebody else's, from 'snapshot --seconds 10'") },
	{ 0 },
};

const struct verb verb_diagnose = {
	.name = "diagnose",
	.summary = N_("Look for what is slow before blaming the scheduler"),
	.usage = "[DEVICE...]",
	.help = N_(
		"Goes down the list of causes: health of the drive, alignment of its "
		"partitions, mount options, the load, queue depths, interrupts, other "
		"schedulers on the way, and the scheduler itself. Each line says what "
		"is, with its figure, and the next step; the worst comes first. Nothing "
		"is changed, and a drive that sleeps is not woken. The exit status is 4 "
		"when something is bad. With -q only what is not ok is shown."),
	.examples = examples,
	.options = diagnose_specs,
	.option_count = ARRAY_SIZE(diagnose_specs),
	.options_size = sizeof(struct diagnose_options),
	.positional = { "DEVICE", VALUE_DEVICE, 0, SIZE_MAX },
	.run = run_diagnose,
};
