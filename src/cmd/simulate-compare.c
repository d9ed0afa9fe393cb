// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * simulate: schedulers side by side, or the points of a sweep. With --explain or
 * --dispatch-log every dispatch of the first run of each is shown as well; with --plot a
 * picture is drawn.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/simulate-modes.h"
#include "cmd/simulate-observation.h"
#include "report/json.h"
#include "report/plot.h"
#include "report/comparison-sweep.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"

static int print_text(const struct cmd_context *cmd, const struct simulate_request *request,
		      const struct simulate_case *simulated,
		      const struct comparison *comparison,
		      const struct observation *observation)
{
	struct table_style style = cmd_table_style(cmd);
	int error = observation_print(simulated, observation);

	if (error)
		return error;
	simulate_print_heading(simulated, &style);
	return request->sweep.count ? sweep_print(comparison, &style)
				    : comparison_print(comparison, &style);
}

static int print_json(const struct simulate_request *request,
		      const struct simulate_case *simulated,
		      const struct comparison *comparison,
		      const struct observation *observation)
{
	json_t *root = json_envelope();
	int error = simulate_heading_to_json(simulated, root);

	if (!error)
		error = comparison_to_json(comparison, root);
	if (request->options->has_explain)
		json_put(root, "dispatches", observation_to_json(simulated, observation), &error);
	return json_print(root, error);
}

/* Where there is no gnuplot the figures are drawn with letters; it stays a failure. */
static int draw(const struct cmd_context *cmd, const struct simulate_request *request,
		const struct simulate_case *simulated, const struct comparison *comparison,
		const struct observation *observation, struct diag *diag)
{
	struct table_style style = cmd_table_style(cmd);
	_cleanup_(plot_done) struct plot plot = { 0 };
	_text_ struct text title = { 0 }, terms = { 0 };
	int error;

	simulate_add_subject(simulated, &title);
	simulate_add_terms(simulated, &terms);
	if (title.error || terms.error)
		return -ENOMEM;
	error = plot_make(request->plot_kind, comparison, observation->samples, title.data,
			  terms.data, &plot);
	if (error == -ENODATA)
		return diag_set(diag, error, _("there is nothing to draw"));
	if (!error)
		error = plot_write(&plot, request->options->plot, diag);
	if (!error)
		log_notice(_("the picture is in %s"), request->options->plot);
	if (error == -ENOPKG && !cmd->is_json)
		plot_print(&plot, &style);
	return error;
}

static int report(const struct cmd_context *cmd, const struct simulate_request *request,
		  const struct simulate_case *simulated,
		  const struct experiment_outcome *outcomes,
		  const struct observation *observation, struct diag *diag)
{
	_free_ struct comparison_column *columns = NULL;
	struct comparison comparison;
	int error = simulate_make_columns(simulated, &columns);

	if (error)
		return error;
	comparison = comparison_make(columns, outcomes, simulated->variants.count,
				     request->objective, simulate_find_reference(simulated));
	error = cmd->is_json ? print_json(request, simulated, &comparison, observation)
			     : print_text(cmd, request, simulated, &comparison, observation);
	if (!error && request->options->plot)
		error = draw(cmd, request, simulated, &comparison, observation, diag);
	return error;
}

static bool is_partial(const struct experiment_outcome *outcomes, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (outcomes[i].is_partial)
			return true;
	}
	return false;
}

int simulate_compare(const struct cmd_context *cmd, const struct simulate_request *request,
		     struct simulate_case *simulated, struct diag *diag)
{
	_cleanup_(observation_done) struct observation observation = { 0 };
	size_t count = simulated->variants.count;
	struct experiment_outcome *outcomes;
	struct simulate_watch watch;
	bool has_watch, was_ended;
	int error;

	if (!simulated->has_workload && count > 1 &&
	    simulate_source_is_stream(simulated->source.path))
		return diag_set(diag, -EINVAL,
				_("a pipe can be read once: name one scheduler, or give a file"));
	error = observation_init(cmd, request, simulated, &observation);
	if (error)
		return error;
	has_watch = observation_watch(&observation, &watch);
	error = simulate_case_run(simulated, has_watch ? &watch : NULL, &outcomes, diag);
	if (error)
		return error;
	error = report(cmd, request, simulated, outcomes, &observation, diag);
	was_ended = is_partial(outcomes, count);
	experiment_outcomes_free(outcomes, count);
	return error ? error : was_ended ? -EINTR : 0;
}
