// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * snapshot: a host's description as text.
 */
#include <errno.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/verb.h"
#include "device/capture.h"
#include "diagnose/record.h"
#include "util/file.h"
#include "util/i18n.h"
#include "util/log.h"

struct snapshot_options {
	const char *output;
	const char *seconds;
	bool with_serials;
};

static const struct option_spec snapshot_specs[] = {
	{ 'o', "output", VALUE_FILE, "FILE",
	  .help = N_("write it there instead of printing it"),
	  .offset = OPTION_FIELD(struct snapshot_options, output) },
	{ .long_name = "seconds",
	  .value = VALUE_SECONDS,
	  .placeholder = "SECONDS",
	  .help = N_("also the load over this time and what smartctl says, for diagnose"),
	  .offset = OPTION_FIELD(struct snapshot_options, seconds) },
	{ .long_name = "with-serials",
	  .help = N_("keep serial numbers, WWNs and UUIDs, which are left out otherwise"),
	  .offset = OPTION_FIELD(struct snapshot_options, with_serials) },
};

static int write_file(const char *path, const struct text *text, struct diag *diag)
{
	int error = file_check_output(path, diag);

	if (!error)
		error = file_write(path, text->data, text->len, 0600);
	return error ? file_fail_output(path, error, diag) : 0;
}

static int run_snapshot(const struct cmd_context *context, const void *data,
			const char *const *arguments, size_t argument_count)
{
	const struct snapshot_options *options = data;
	_cleanup_(capture_extras_done) struct capture_extras extras = { 0 };
	_text_ struct text text = { 0 };
	struct diag diag = { 0 };
	unsigned wait_ms = 0;
	int error, status;

	(void)arguments;
	(void)argument_count;
	if (context->is_json) {
		diag_set(&diag, -EINVAL, _("a snapshot is text: --json does not go with it"));
		diag_hint(&diag, _("'iosched-tune status --json -o all' and 'show DEVICE --json' "
				   "describe devices in JSON"));
		return cmd_fail_usage(&verb_snapshot, &diag);
	}
	if (options->output && !*options->output) {
		diag_set(&diag, -EINVAL, _("--output names no file"));
		return cmd_fail_usage(&verb_snapshot, &diag);
	}
	status = cmd_read_timeout(&verb_snapshot, "seconds", options->seconds, &wait_ms);
	if (status)
		return status;
	error = diagnose_record(context->root, wait_ms / 1000.0, &extras, &diag);
	if (!error)
		error = device_capture(context->root, options->with_serials, &extras,
				       &text, &diag);
	if (!error && options->output)
		error = write_file(options->output, &text, &diag);
	else if (!error)
		fwrite(text.data, 1, text.len, stdout);
	return error ? cmd_fail(&diag, error) : EXIT_STATUS_DONE;
}

static const struct verb_example examples[] = {
	{ "iosched-tune snapshot -o host.txt", N_("for a bug report") },
	{ "iosched-tune snapshot --seconds 10 -o host.txt",
	  N_("while it is slow, for diagnose elsewhere") },
	{ "iosched-tune --root host.txt status", N_("look at it, on any machine") },
	{ 0 },
};

const struct verb verb_snapshot = {
	.name = "snapshot",
	.summary = N_("Describe this host as text"),
	.usage = "",
	.help = N_("Writes down all that the other verbs read: devices, queues, "
		   "identity, mounts. "
		   "Every verb that only reads takes the file with --root. Run it as "
		   "root for all "
		   "attributes."),
	.examples = examples,
	.options = snapshot_specs,
	.option_count = ARRAY_SIZE(snapshot_specs),
	.options_size = sizeof(struct snapshot_options),
	.run = run_snapshot,
};
