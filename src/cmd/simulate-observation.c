// SPDX-License-Identifier: GPL-2.0-or-later
/* Dispatches and samples of the first runs. */
#include "cmd/simulate-observation.h"

#include <errno.h>
#include <stdlib.h>

#include "cmd/common.h"
#include "report/simulate.h"
#include "sim/samples.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/log.h"

static void keep_dispatch(void *data, const struct simulate_dispatch *dispatch)
{
	struct observed *observed = data;

	if (observed->log)
		dispatch_log_simulated(observed->log, dispatch);
	if (observed->dispatches++ < OBSERVED_DISPATCHES_MAX) {
		if (observed->table)
			dispatch_table_add(observed->table, dispatch);
		if (observed->list)
			json_push(observed->list, dispatch_to_json(dispatch), &observed->error);
	}
	if (observed->samples)
		samples_keep_dispatch(observed->samples, dispatch);
}

static void keep_completion(void *data, const struct simulate_completion *completion)
{
	struct observed *observed = data;

	samples_keep_completion(observed->samples, completion);
}

void observation_done(struct observation *observation)
{
	for (size_t i = 0; i < observation->count; i++) {
		table_free(observation->items[i].table);
		json_decref(observation->items[i].list);
	}
	free(observation->items);
	free(observation->samples);
	free(observation->contexts);
}

static int init_one(const struct cmd_context *cmd, const struct simulate_request *request,
		    struct observed *observed)
{
	struct table_style style = cmd_table_style(cmd);

	observed->log = request->log;
	if (!request->options->has_explain)
		return 0;
	if (!cmd->is_json)
		return dispatch_table_new(&style, &observed->table);
	observed->list = json_array();
	return observed->list ? 0 : -ENOMEM;
}

int observation_init(const struct cmd_context *cmd, const struct simulate_request *request,
		     const struct simulate_case *simulated, struct observation *ret)
{
	size_t count = simulated->variants.count;
	int error = 0;

	if (!request->log && !request->options->has_explain && !request->options->plot)
		return 0;
	ret->items = calloc(count, sizeof(*ret->items));
	ret->contexts = calloc(count, sizeof(*ret->contexts));
	if (request->options->plot)
		ret->samples = calloc(count, sizeof(*ret->samples));
	if (!ret->items || !ret->contexts || (request->options->plot && !ret->samples))
		return -ENOMEM;
	ret->count = count;
	for (size_t i = 0; i < count && !error; i++) {
		ret->contexts[i] = &ret->items[i];
		if (ret->samples) {
			ret->items[i].samples = &ret->samples[i];
			ret->samples[i].from_ns = simulated->options.warmup_ns;
		}
		error = init_one(cmd, request, &ret->items[i]);
	}
	return error;
}

bool observation_watch(const struct observation *observation, struct simulate_watch *ret)
{
	*ret = (struct simulate_watch){
		.on_dispatch = keep_dispatch,
		.on_complete = observation->samples ? keep_completion : NULL,
		.contexts = observation->contexts,
	};
	return observation->count > 0;
}

static void warn_left_out(const struct simulate_case *simulated,
			  const struct observation *observation)
{
	for (size_t i = 0; i < observation->count; i++) {
		const struct observed *observed = &observation->items[i];

		if ((observed->table || observed->list) &&
		    observed->dispatches > OBSERVED_DISPATCHES_MAX)
			log_warning(_("%s: the first %u of %llu dispatches are shown; "
				      "--dispatch-log writes all"),
				    simulated->variants.items[i].title, OBSERVED_DISPATCHES_MAX,
				    (unsigned long long)observed->dispatches);
	}
}

int observation_print(const struct simulate_case *simulated,
		      const struct observation *observation)
{
	int error = 0;

	warn_left_out(simulated, observation);
	for (size_t i = 0; i < observation->count && !error; i++) {
		if (!observation->items[i].table)
			continue;
		if (observation->count > 1)
			printf("%s:\n", simulated->variants.items[i].title);
		error = table_print(observation->items[i].table);
		printf("\n");
	}
	return error;
}

json_t *observation_to_json(const struct simulate_case *simulated,
			    const struct observation *observation)
{
	json_t *object = json_object();
	int error = 0;

	warn_left_out(simulated, observation);
	for (size_t i = 0; i < observation->count; i++) {
		json_put(object, simulated->variants.items[i].title,
			 json_incref(observation->items[i].list), &error);
		if (observation->items[i].error)
			error = observation->items[i].error;
	}
	return json_finish(object, error);
}
