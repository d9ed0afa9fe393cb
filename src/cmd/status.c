// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * status: one line a device.
 */
#include <errno.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/gather.h"
#include "cmd/verb.h"
#include "cmd/watch.h"
#include "report/json.h"
#include "report/prometheus.h"
#include "report/status.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"
#include "util/number.h"
#include "util/wrap.h"

struct status_options {
	const char *profile;
	const char *format;
	const char *output;
	bool is_all;
	bool no_headings;
	bool is_raw;
	const char *watch;
	const char *count;
};

static const char *const formats[] = { "table", "prometheus", NULL };

static const struct option_spec status_specs[] = {
	{ 'p', "profile", VALUE_PROFILE, "NAME|FILE",
	  .help = N_(
		  "compare with this profile; without it, with what was applied since boot, or "
		  "balanced"),
	  .offset = OPTION_FIELD(struct status_options, profile) },
	{ 'o', "output", VALUE_COLUMN, "COLUMN,...",
	  .help = N_(
		  "these columns, or attributes; +COLUMN adds to the usual ones, 'all' "
		  "shows every column, 'help' lists them"),
	  .offset = OPTION_FIELD(struct status_options, output) },
	{ 'f', "format", VALUE_WORD, "FORMAT", .words = formats,
	  .help = N_("table, or prometheus: metrics for a monitoring system"),
	  .offset = OPTION_FIELD(struct status_options, format) },
	{ 'a', "all", .help = N_("devices of no size too"),
	  .offset = OPTION_FIELD(struct status_options, is_all) },
	{ 'n', "noheadings", .help = N_("no line of headings"),
	  .offset = OPTION_FIELD(struct status_options, no_headings) },
	{ 'w', "watch",
	  .value = VALUE_SECONDS,
	  .placeholder = "SECONDS",
	  .implied = "1",
	  .help = N_("what the disks are doing, anew each second or so many, until Ctrl-C"),
	  .offset = OPTION_FIELD(struct status_options, watch) },
	{ .long_name = "count",
	  .value = VALUE_NUMBER,
	  .placeholder = "NUMBER",
	  .help = N_("with --watch: so many tables"),
	  .offset = OPTION_FIELD(struct status_options, count) },
	{ 'r', "raw", .help = N_("one blank between columns, for scripts"),
	  .offset = OPTION_FIELD(struct status_options, is_raw) },
};

/* Asked for by name, or a path of one that was. */
static bool is_shown(const struct gathered *gathered, const struct device *device,
		     const struct status_options *options)
{
	const struct device *head;

	if (gathered->named_count) {
		if (gathered_is_asked(gathered, device))
			return true;
		if (!device->is_hidden || !device->head)
			return false;
		head = device_find_by_name(gathered->devices, device->head);
		return head && gathered_is_asked(gathered, head);
	}
	return options->is_all || device->size_sectors;
}

static bool is_prometheus(const struct status_options *options)
{
	return text_equal(options->format, "prometheus");
}

static int choose_columns(const struct status_options *options, struct column_set *ret,
			  struct diag *diag)
{
	if (is_prometheus(options))
		return column_set_parse(PROMETHEUS_COLUMNS, ret, diag);
	if (text_equal(options->output, "all")) {
		column_set_all(ret);
		return 0;
	}
	return column_set_parse(options->output ? options->output : column_default_list,
				ret, diag);
}

static const char *source_in_words(const struct gathered *gathered)
{
	switch (gathered->source) {
	case PROFILE_APPLIED:
		return _("applied last");
	case PROFILE_DEFAULT:
		if (!applied_is_known(&gathered->applied))
			return _("the default; what was applied is not known");
		if (applied_count_single(&gathered->applied))
			return _("the default for the other devices");
		return _("the default, nothing was applied since boot");
	case PROFILE_GUESSED:
		return _("the default; only root can see what was applied");
	case PROFILE_ASKED:
		break;
	}
	return _("as asked");
}

/* Devices with a word of their own, into the legend or as a message. */
static int tell_single(const struct gathered *gathered, struct text *legend)
{
	size_t single = applied_count_single(&gathered->applied);
	_text_ struct text line = { 0 };

	if (!single)
		return 0;
	text_addf(&line,
		  P_("%zu device is compared with what was applied to it by name",
		     "%zu devices are compared with what was applied to them by name",
		     single),
		  single);
	if (line.error)
		return line.error;
	if (legend)
		text_addf(legend, "\n%s", line.data);
	else
		log_info("%s", line.data);
	return legend ? legend->error : 0;
}

/* What to do about drift; to copy, so in one piece. */
static int add_advice(const struct gathered *gathered, const char *asked,
		      struct text *out)
{
	_text_ struct text profile = { 0 };

	/* As it can be given again: a file is not found by its name, and a device that
	   was named may be one that the profile leaves alone otherwise. */
	text_add_safe(&profile, asked ? asked : gathered->profile->name);
	for (size_t i = 0; asked && i < gathered->named_count; i++)
		text_addf(&profile, " %s", gathered->named[i]->name);
	if (profile.error)
		return profile.error;
	if (!asked && applied_count_single(&gathered->applied)) {
		/* A profile for all devices would end what was applied to single ones. */
		text_add(out, _("\nsee what differs: iosched-tune verify"
				"\nput it in force: apply again what was applied"));
		return out->error;
	}
	text_addf(out,
		  _("\nsee what differs: iosched-tune verify --profile %s"
		    "\nput it in force: iosched-tune apply --profile %s"),
		  profile.data, profile.data);
	return out->error;
}

/* What the table means, for someone who sees it for the first time. */
static int print_legend(const struct cmd_context *context,
			const struct gathered *gathered, const struct status_rows *rows,
			const char *asked)
{
	struct status_count count = status_count_states(rows);
	_text_ struct text line = { 0 }, out = { 0 };
	int error = 0;

	text_addf(&line, _("profile %s (%s): %zu in force, %zu drift"),
		  gathered->profile->name, source_in_words(gathered),
		  count.in_force, count.drift);
	if (count.blocked)
		text_addf(&line, _(", %zu blocked"), count.blocked);
	if (count.left)
		text_addf(&line, _(", %zu left alone"), count.left);
	if (tell_single(gathered, &line))
		return line.error;
	if (!count.drift && !count.in_force)
		text_add(&line,
			 _("\nthis profile has nothing to say about these devices; "
			   "others: iosched-tune profile list"));
	if (line.error)
		return line.error;
	wrap_add(&out, line.data, 0, 0, context->width);
	if (count.drift)
		error = add_advice(gathered, asked, &out);
	if (!error && !out.error)
		printf("\n%s\n", out.data);
	return error ? error : out.error;
}

static int print_json(const struct gathered *gathered, const struct column_set *set,
		      const struct status_rows *rows)
{
	json_t *root = json_envelope();
	int error = 0;

	json_put(root, "profile",
		 json_text(gathered->profile ? gathered->profile->name : NULL), &error);
	json_put(root, "devices", status_to_json(set, rows), &error);
	json_put(root, "problems", gathered_problems_to_json(gathered), &error);
	return json_print(root, error);
}

static int print_prometheus(const struct gathered *gathered,
			    const struct status_rows *rows)
{
	_text_ struct text out = { 0 };
	int error = prometheus_add_status(rows, gathered->profile->name, &out);

	if (!error)
		fwrite(out.data, 1, out.len, stdout);
	return error;
}

static int print(const struct cmd_context *context, const struct status_options *options,
		 const struct gathered *gathered, const struct column_set *set,
		 const struct status_rows *rows)
{
	struct table_style style = cmd_table_style(context);
	int error;

	style.is_raw = options->is_raw;
	style.no_heading = options->no_headings;
	if (context->is_json)
		return print_json(gathered, set, rows);
	if (is_prometheus(options))
		return print_prometheus(gathered, rows);
	error = status_print_table(set, rows, &style);
	if (error || !gathered->profile)
		return error;
	if (context->is_terminal && log_get_level() > LOG_LEVEL_ERROR && !options->is_raw)
		return print_legend(context, gathered, rows, options->profile);
	log_info(_("profile %s (%s)"), gathered->profile->name,
		 source_in_words(gathered));
	return tell_single(gathered, NULL);
}

static int collect_rows(const struct gathered *gathered,
			const struct status_options *options, struct status_rows *ret)
{
	const struct device_list *devices = gathered->devices;

	ret->items = calloc(devices->count + 1, sizeof(*ret->items));
	if (!ret->items)
		return -ENOMEM;
	for (size_t i = 0; i < devices->count; i++) {
		const struct device *device = &devices->items[i];

		if (!is_shown(gathered, device, options))
			continue;
		ret->items[ret->count++] = gathered_row(gathered, device);
	}
	return 0;
}

static int list_columns(const struct cmd_context *context)
{
	struct table_style style = cmd_table_style(context);
	int error = status_print_columns(&style);

	return error ? cmd_fail(&(struct diag){ 0 }, error) : EXIT_STATUS_DONE;
}

static int fail_watch(const char *text)
{
	struct diag diag = { 0 };

	diag_set(&diag, -EINVAL, "%s", text);
	return cmd_fail_usage(&verb_status, &diag);
}

static int run_watch(const struct cmd_context *context,
		     const struct status_options *options, const char *const *arguments,
		     size_t argument_count)
{
	struct watch_request request = { .is_all = options->is_all,
					 .no_headings = options->no_headings,
					 .is_raw = options->is_raw,
					 .names = arguments,
					 .name_count = argument_count };
	int64_t count = 0;
	int status;

	if (options->output || options->profile)
		return fail_watch(_("--watch has columns of its own, and no profile"));
	if (options->count && number_parse_range(options->count, 1, INT64_MAX, &count))
		return fail_watch(_("--count takes a number above 0"));
	request.count = (uint64_t)count;
	status = cmd_read_timeout(&verb_status, "watch", options->watch, &request.interval_ms);
	return status ? status : watch_run(context, &verb_status, &request);
}

static int run_status(const struct cmd_context *context, const void *data,
		      const char *const *arguments, size_t argument_count)
{
	const struct status_options *options = data;
	_gathered_ struct gathered gathered = { 0 };
	struct gather_request request = { .profile = options->profile,
					  .names = arguments,
					  .name_count = argument_count };
	struct status_rows rows = { 0 };
	struct column_set set;
	struct diag diag = { 0 };
	int error, status;

	if (options->watch)
		return run_watch(context, options, arguments, argument_count);
	if (options->count)
		return fail_watch(_("--count goes with --watch"));
	if (text_equal(options->output, "help"))
		return list_columns(context);
	if (is_prometheus(options) && (context->is_json || options->output)) {
		diag_set(&diag, -EINVAL, _("--format prometheus takes no --json or --output"));
		return cmd_fail_usage(&verb_status, &diag);
	}
	if (choose_columns(options, &set, &diag))
		return cmd_fail_usage(&verb_status, &diag);
	request.policy = column_set_needs_policy(&set) ? GATHER_POLICY : GATHER_NO_POLICY;
	request.needs = column_set_needs(&set) | SCAN_STACK | SCAN_BASICS;
	status = gather(context, &verb_status, &request, &gathered);
	if (status)
		return status;
	error = collect_rows(&gathered, options, &rows);
	if (!error)
		error = print(context, options, &gathered, &set, &rows);
	free(rows.items);
	return error ? cmd_fail(&diag, error) : EXIT_STATUS_DONE;
}

static const struct verb_example examples[] = {
	{ "iosched-tune status", N_("all devices, compared with the profile in use") },
	{ "iosched-tune status --profile database sda nvme0n1",
	  N_("what the profile would mean for two devices") },
	{ "iosched-tune status -o NAME,SCHED,read_ahead_kb,MODEL",
	  N_("columns and attributes of your choice") },
	{ "iosched-tune status --watch=5 nvme0n1", N_("its load, every five seconds") },
	{ "iosched-tune status --json -o all", N_("everything, for a program") },
	{ "iosched-tune status --format prometheus", N_("metrics, for node_exporter") },
	{ 0 },
};

const struct verb verb_status = {
	.name = "status",
	.summary = N_("List devices with their class, scheduler and state"),
	.usage = "[DEVICE...]",
	.help = N_(
		"One line a device. WANTED is the scheduler that the profile asks for. "
		"STATE "
		"is 'in-force' when every value of the profile is so; 'drift' when one "
		"differs; 'left-alone' when the profile says nothing about the device; "
		"'below' when the scheduler is in the devices below (LVM, RAID, "
		"multipath); "
		"'none' when there is no scheduler at all. With --profile, a device that "
		"is named is compared also where the profile leaves its kind alone, as "
		"apply would write it. Devices of no size, such as free loop devices, "
		"are shown with --all only.\n"
		"With --watch: reads and writes in a second, KiB, how long each takes in "
		"ms, "
		"how many are under way, and for how much of the time at least one is. "
		"A disk that works on many at once can be busy all the time and not be "
		"full."),
	.examples = examples,
	.options = status_specs,
	.option_count = ARRAY_SIZE(status_specs),
	.options_size = sizeof(struct status_options),
	.positional = { "DEVICE", VALUE_DEVICE, 0, SIZE_MAX },
	.run = run_status,
};
