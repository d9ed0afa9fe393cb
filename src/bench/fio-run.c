// SPDX-License-Identifier: GPL-2.0-or-later
/* Starting fio, listening to it and ending it. */
#include "bench/fio-run.h"

#include <errno.h>
#include <string.h>

#include "bench/fio-json.h"
#include "persist/run.h"
#include "util/child.h"
#include "util/i18n.h"

/* What fio complains about is in its first lines. */
#define COMPLAINT_MAX 4096
/* How long a group that was killed may take: a request under way has to end first. */
#define FAREWELL_MS 10000

int fio_find(const struct root *root, char **ret, struct diag *diag)
{
	int error = run_find(root, "fio", ret);

	if (error == -ENOENT) {
		diag_set(diag, error, _("fio does the I/O, and it is not here"));
		diag_hint(diag, _("install the package fio"));
	}
	return error;
}

/* What it said, or else how it ended. */
static int explain(const struct child_end *end, const struct text *output,
		   const struct text *complaint, struct diag *diag)
{
	_strv_ struct strv lines = { 0 };

	if (end->signal) {
		diag_set(diag, -EIO, _("fio was ended by signal %d (%s)"), end->signal,
			 strsignal(end->signal));
		return -EIO;
	}
	if (complaint->data && !strv_split(&lines, complaint->data, "\n") && lines.count)
		return diag_set(diag, -EIO, _("fio failed: %s"), lines.items[0]);
	if (output->data && output->data[0] != '{' &&
	    !strv_split(&lines, output->data, "\n") && lines.count)
		return diag_set(diag, -EIO, _("fio failed: %s"), lines.items[0]);
	return diag_set(diag, -EIO, _("fio failed with exit status %d"), end->status);
}

int fio_run(const struct fio_command *command, struct text *ret_output, struct diag *diag)
{
	const char *const argv[] = { "fio", "--eta=never", "--output-format=json+",
				     command->is_read_only ? "--readonly" : "-",
				     command->is_read_only ? "-" : NULL, NULL };
	static const char *const environment[] = { "LC_ALL=C", NULL };
	_text_ struct text complaint = { 0 };
	const struct child_command child = {
		.program = command->program,
		.argv = argv,
		.environment = environment,
		.input = command->job,
		.output = ret_output,
		.output_max = FIO_OUTPUT_MAX,
		.messages = &complaint,
		.messages_max = COMPLAINT_MAX,
		/* Its jobs are threads: with it they end, too. */
		.is_tied = true,
		.limit_ms = command->limit_ns / 1000000 + 1,
		.farewell_ms = FAREWELL_MS,
		.signals = command->signals,
		.on_tick = command->on_tick,
		.context = command->context,
	};
	struct child_end end = { .status = -1 };
	int error = child_run(&child, &end);

	if (error && end.is_running)
		return diag_set(diag, -ETIME,
				_("fio cannot be ended: a request of it does not end"));
	switch (error) {
	case 0:
		return end.status ? explain(&end, ret_output, &complaint, diag) : 0;
	case -EINTR:
	case -ENOMEM:
		return error;
	case -EFBIG:
		return diag_set(diag, error, _("fio says more than %u MiB: this is no report"),
				FIO_OUTPUT_MAX >> 20);
	case -ETIME:
		return diag_set(diag, error, _("fio did not end in its time, and was ended"));
	default:
		return diag_set(diag, -EIO, _("fio cannot be started: %s"), strerror(-error));
	}
}
