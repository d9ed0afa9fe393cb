// SPDX-License-Identifier: GPL-2.0-or-later
/* What was simulated, in a line and as JSON: figures mean nothing without it. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cmd/simulate-modes.h"
#include "util/i18n.h"
#include "util/json-build.h"
#include "util/text.h"
#include "util/wrap.h"

/* "2 s", "500 ms", "1.5 s" */
static void add_time(struct text *out, uint64_t time_ns)
{
	if (time_ns >= 1000000000)
		text_addf(out, "%g s", (double)time_ns / 1e9);
	else
		text_addf(out, "%g ms", (double)time_ns / 1e6);
}

static void add_device(const struct simulate_case *simulated, struct text *out)
{
	const struct sim_queue_config *queue = &simulated->options.queue;

	if (simulated->has_medium) {
		text_add(out, _(" on "));
		text_add_safe(out, simulated->subject);
	} else {
		text_addf(out, _(", %g ms for each request"),
			  (double)simulated->options.service_ns / 1e6);
	}
	text_addf(out, P_(" (%u queue", " (%u queues", queue->hw_queues), queue->hw_queues);
	text_addf(out, _(" of %u)"), queue->hw_depth);
}

void simulate_add_subject(const struct simulate_case *simulated, struct text *out)
{
	text_add_safe(out, simulated->has_workload ? simulated->workload.name
						     : simulated->source.path);
	add_device(simulated, out);
}

void simulate_add_terms(const struct simulate_case *simulated, struct text *out)
{
	const struct simulate_options *options = &simulated->options;

	text_addf(out, "Linux %u.%u", simulated->kernel.major, simulated->kernel.minor);
	if (sim_kernel_is_beyond(simulated->kernel))
		text_addf(out, _(" as %u.%u"), SIM_KERNEL_NEWEST.major, SIM_KERNEL_NEWEST.minor);
	if (options->runtime_ns) {
		/* TRANSLATORS: between the parts of a heading. */
		text_add(out, _(", "));
		add_time(out, options->runtime_ns);
		if (options->warmup_ns) {
			text_add(out, _(" after "));
			add_time(out, options->warmup_ns);
		}
	}
	if (options->ios_max < SIMULATE_IOS_MAX)
		text_addf(out, _(", at most %llu I/Os"), (unsigned long long)options->ios_max);
	text_addf(out, P_(", %u run", ", %u runs", simulated->seeds), simulated->seeds);
	if (simulated->has_machine)
		text_addf(out, P_(", %u processor", ", %u processors",
				    simulated->machine.processors),
			  simulated->machine.processors);
}

/* What hides behind a column's title: "now: mq-deadline, fifo_batch=1". */
static int print_titles(const struct simulate_case *simulated, size_t width)
{
	int error = 0;

	for (size_t i = 0; i < simulated->variants.count && !error; i++) {
		const struct simulate_variant *variant = &simulated->variants.items[i];
		_text_ struct text text = { 0 };

		if (variant->role == VARIANT_PLAIN)
			continue;
		text_add_safe(&text, variant->role == VARIANT_NOW ? _("now") : variant->title);
		/* TRANSLATORS: between a name and what it is. */
		text_add(&text, _(": "));
		simulate_variant_describe(variant, &text);
		error = text.error ? text.error : wrap_print(text.data, 4, width);
	}
	return error;
}

void simulate_print_heading(const struct simulate_case *simulated,
			    const struct table_style *style)
{
	size_t width = style->is_terminal ? style->width : SIZE_MAX;
	_text_ struct text text = { 0 };

	simulate_add_subject(simulated, &text);
	text_add(&text, _(", "));
	simulate_add_terms(simulated, &text);
	if (!text.error && !wrap_print(text.data, 4, width) && !print_titles(simulated, width))
		putchar('\n');
}

static json_t *number_or_null(uint64_t number)
{
	return number ? json_integer((json_int_t)number) : json_null();
}

int simulate_heading_to_json(const struct simulate_case *simulated, json_t *root)
{
	const struct simulate_options *options = &simulated->options;
	const struct sim_queue_config *queue = &options->queue;
	json_t *object = json_object();
	char kernel[32];
	int error = 0;

	snprintf(kernel, sizeof(kernel), "%u.%u", simulated->kernel.major,
		 simulated->kernel.minor);
	json_put(object, "device",
		 simulated->device ? json_text(simulated->device) : json_null(), &error);
	json_put(object, "medium",
		 simulated->has_medium ? json_text(simulated->medium.name) : json_null(), &error);
	json_put(object, "workload",
		 simulated->has_workload ? json_text(simulated->workload.name) : json_null(),
		 &error);
	json_put(object, "trace",
		 simulated->has_workload ? json_null() : json_text(simulated->source.path),
		 &error);
	json_put(object, "service_ns",
		 number_or_null(simulated->has_medium ? 0 : simulated->options.service_ns), &error);
	json_put(object, "kernel", json_string(kernel), &error);
	if (sim_kernel_is_beyond(simulated->kernel))
		snprintf(kernel, sizeof(kernel), "%u.%u", SIM_KERNEL_NEWEST.major,
			 SIM_KERNEL_NEWEST.minor);
	json_put(object, "kernel_simulated", json_string(kernel), &error);
	json_put(object, "hw_queues", json_integer(queue->hw_queues), &error);
	json_put(object, "hw_depth", json_integer(queue->hw_depth), &error);
	json_put(object, "processors",
		 number_or_null(simulated->has_machine ? simulated->machine.processors : 0),
		 &error);
	json_put(object, "runtime_ns", number_or_null(options->runtime_ns), &error);
	json_put(object, "warmup_ns", json_integer((json_int_t)options->warmup_ns), &error);
	json_put(object, "ios_max", json_integer((json_int_t)options->ios_max), &error);
	json_put(object, "seed", json_integer((json_int_t)simulated->seed), &error);
	json_put(object, "seeds", json_integer(simulated->seeds), &error);
	json_put(root, "simulation", object, &error);
	return error;
}

int simulate_make_columns(const struct simulate_case *simulated,
			  struct comparison_column **ret)
{
	size_t count = simulated->variants.count;
	struct comparison_column *columns = calloc(count ? count : 1, sizeof(*columns));

	if (!columns)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		const struct simulate_variant *variant = &simulated->variants.items[i];

		columns[i] = (struct comparison_column){
			.title = variant->title,
			.scheduler = variant->scheduler,
			.settings = variant->settings,
			.setting_count = variant->setting_count,
			.nr_requests = variant->nr_requests,
		};
	}
	*ret = columns;
	return 0;
}

int simulate_find_reference(const struct simulate_case *simulated)
{
	for (size_t i = 0; i < simulated->variants.count; i++) {
		if (simulated->variants.items[i].role == VARIANT_NOW)
			return (int)i;
	}
	return 0;
}
