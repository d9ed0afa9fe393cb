// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * simulate: schedulers side by side. With --explain or --dispatch-log every dispatch of the
 * first run of each is shown as well.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common.h"
#include "cmd/simulate-modes.h"
#include "report/json.h"
#include "report/simulate.h"
#include "report/sweep.h"
#include "util/i18n.h"
#include "util/json-build.h"

/* Of one variant; filled by the thread that runs it. */
struct explained {
	struct table *table;
	json_t *list;
	FILE *log;
	int error;
};

static void keep_dispatch(void *data, const struct simulate_dispatch *dispatch)
{
	struct explained *explained = data;

	if (explained->log)
		dispatch_log_simulated(explained->log, dispatch);
	if (explained->table)
		dispatch_table_add(explained->table, dispatch);
	if (explained->list)
		json_push(explained->list, dispatch_to_json(dispatch), &explained->error);
}

struct explanation {
	struct explained *items;
	void **contexts;
	size_t count;
};

static void explanation_done(struct explanation *explanation)
{
	for (size_t i = 0; i < explanation->count; i++) {
		table_free(explanation->items[i].table);
		json_decref(explanation->items[i].list);
	}
	free(explanation->items);
	free(explanation->contexts);
}

static int explanation_init(const struct cmd_context *cmd,
			    const struct simulate_request *request, size_t count,
			    struct explanation *ret)
{
	struct table_style style = cmd_table_style(cmd);
	int error = 0;

	ret->items = calloc(count, sizeof(*ret->items));
	ret->contexts = calloc(count, sizeof(*ret->contexts));
	if (!ret->items || !ret->contexts)
		return -ENOMEM;
	ret->count = count;
	for (size_t i = 0; i < count && !error; i++) {
		ret->contexts[i] = &ret->items[i];
		ret->items[i].log = request->log;
		if (!request->options->has_explain)
			continue;
		if (cmd->is_json)
			ret->items[i].list = json_array();
		else
			error = dispatch_table_new(&style, &ret->items[i].table);
		if (cmd->is_json && !ret->items[i].list)
			error = -ENOMEM;
	}
	return error;
}

static int print_explanation(const struct simulate_case *simulated,
			     const struct explanation *explanation)
{
	int error = 0;

	for (size_t i = 0; i < explanation->count && !error; i++) {
		if (!explanation->items[i].table)
			continue;
		if (explanation->count > 1)
			printf("%s:\n", simulated->variants.items[i].title);
		error = table_print(explanation->items[i].table);
		printf("\n");
	}
	return error;
}

static json_t *explanation_to_json(const struct simulate_case *simulated,
				   struct explanation *explanation)
{
	json_t *object = json_object();
	int error = 0;

	for (size_t i = 0; i < explanation->count; i++) {
		json_put(object, simulated->variants.items[i].title,
			 json_incref(explanation->items[i].list), &error);
		if (explanation->items[i].error)
			error = explanation->items[i].error;
	}
	return json_finish(object, error);
}

static int report(const struct cmd_context *cmd, const struct simulate_request *request,
		  const struct simulate_case *simulated,
		  const struct experiment_outcome *outcomes, struct explanation *explanation)
{
	struct table_style style = cmd_table_style(cmd);
	_free_ struct comparison_column *columns = NULL;
	struct comparison comparison;
	json_t *root;
	int error = simulate_make_columns(simulated, &columns);

	if (error)
		return error;
	comparison = comparison_make(columns, outcomes, simulated->variants.count,
				     request->objective, simulate_find_reference(simulated));
	if (!cmd->is_json) {
		error = print_explanation(simulated, explanation);
		if (!error)
			simulate_print_heading(simulated);
		if (error)
			return error;
		return request->sweep.count ? sweep_print(&comparison, &style)
					    : comparison_print(&comparison, &style);
	}
	root = json_envelope();
	error = simulate_heading_to_json(simulated, root);
	if (!error)
		error = comparison_to_json(&comparison, root);
	if (request->options->has_explain)
		json_put(root, "dispatches", explanation_to_json(simulated, explanation), &error);
	return json_print(root, error);
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
	_cleanup_(explanation_done) struct explanation explanation = { 0 };
	size_t count = simulated->variants.count;
	struct simulate_watch watch = { .on_dispatch = keep_dispatch };
	bool has_watch = request->log || request->options->has_explain, was_ended;
	struct experiment_outcome *outcomes;
	int error = 0;

	if (!simulated->has_workload && strcmp(simulated->source.path, "-") == 0 && count > 1)
		return diag_set(diag, -EINVAL,
				_("standard input can be read once: name one scheduler"));
	if (has_watch)
		error = explanation_init(cmd, request, count, &explanation);
	watch.contexts = explanation.contexts;
	if (!error)
		error = simulate_case_run(simulated, has_watch ? &watch : NULL, &outcomes, diag);
	if (error)
		return error;
	error = report(cmd, request, simulated, outcomes, &explanation);
	was_ended = is_partial(outcomes, count);
	experiment_outcomes_free(outcomes, count);
	return error ? error : was_ended ? -EINTR : 0;
}
