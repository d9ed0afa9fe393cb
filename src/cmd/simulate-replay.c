// SPDX-License-Identifier: GPL-2.0-or-later
/* simulate --replay: the recording of a real kernel against the engine's own decisions. */
#include <errno.h>
#include <stdlib.h>

#include "cmd/common.h"
#include "cmd/simulate-modes.h"
#include "cmd/simulate-source.h"
#include "report/json.h"
#include "report/simulate.h"
#include "util/i18n.h"
#include "util/log.h"

/* What the comparison is worth. */
static void say_doubts(const struct trace_reader *reader, const struct replay_result *result)
{
	simulate_report_broken(trace_reader_counts(reader));
	if (result->lost)
		log_warning(_("the kernel lost %llu events while it was recorded: from the first "
			      "one on the engine does not know what waits, and decides otherwise"),
			    (unsigned long long)result->lost);
	if (result->decisions)
		return;
	if (result->unknown > result->issues / 2)
		log_warning(_("nothing can be compared: requests are issued that were never "
			      "inserted; was it recorded without block_rq_insert?"));
	else
		log_warning(_("nothing can be compared: never did two requests wait at once, so "
			      "the scheduler had nothing to choose"));
}

struct replay_context {
	struct replay_differences differences;
	FILE *log;
};

static void keep_issue(void *data, const struct replay_issue *issue)
{
	struct replay_context *context = data;
	struct replay_differences *kept = &context->differences;

	if (context->log)
		dispatch_log_replayed(context->log, issue);
	if (issue->is_decision && !issue->is_equal &&
	    kept->issue_count < REPLAY_DIFFERENCES_MAX)
		kept->issues[kept->issue_count++] = *issue;
}

static void keep_kyber(void *data, const struct replay_kyber *kyber)
{
	struct replay_differences *kept = &((struct replay_context *)data)->differences;

	if (!kyber->is_equal && kept->kyber_count < REPLAY_DIFFERENCES_MAX)
		kept->kyber[kept->kyber_count++] = *kyber;
}

int simulate_replay(const struct cmd_context *cmd, const struct simulate_request *request,
		    struct diag *diag)
{
	const struct simulate_verb_options *options = request->options;
	_cleanup_(cleanup_trace_reader_free) struct trace_reader *reader = NULL;
	_free_ struct replay_context *context = calloc(1, sizeof(*context));
	struct sim_setting settings[SIMULATE_SETTINGS_MAX];
	struct replay_options replay = {
		.kernel = request->kernel,
		.scheduler = request->schedulers.count ? request->schedulers.items[0] : NULL,
		.hw_depth = request->numbers.depth,
		.nr_requests = request->numbers.nr_requests,
		.hz = request->numbers.hz,
		.settings = settings,
		.on_issue = keep_issue,
		.on_kyber = keep_kyber,
		.context = context,
	};
	struct replay_result result;
	struct table_style style = cmd_table_style(cmd);
	json_t *root;
	int error;

	if (!context)
		return -ENOMEM;
	context->log = request->log;
	replay.setting_count = simulate_request_pick_settings(request, replay.scheduler, settings);
	error = trace_reader_open(options->replay,
				  options->is_strict ? TRACE_STRICT : TRACE_SKIP_BROKEN,
				  &reader, diag);
	if (!error)
		error = replay_run(reader, &replay, &result, diag);
	if (error)
		return error;
	say_doubts(reader, &result);
	if (!cmd->is_json)
		return replay_print(&result, &context->differences, &style);
	root = json_envelope();
	error = replay_to_json(&result, &context->differences, root);
	return json_print(root, error);
}
