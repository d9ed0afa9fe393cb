/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replay from the first record to the last: what the header says about the machine, a
 * window of records to learn its processes and its clock from, then record by record.
 */
#include "sim/replay.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/replay-internal.h"
#include "tunable/tunable.h"
#include "util/i18n.h"

#define HZ_DEFAULT 250

static int find_kernel(const struct trace_header *header,
		       const struct replay_options *options, struct kernel_version *ret,
		       struct diag *diag)
{
	int r;

	if (options->kernel.major) {
		*ret = options->kernel;
		return 0;
	}
	if (!header->kernel[0])
		r = diag_set(diag, -EINVAL, _("the trace does not say which kernel it is of"));
	else if (kernel_version_parse(header->kernel, ret) < 0)
		r = diag_set(diag, -EINVAL, _("\"%s\" is not a kernel version"),
			     header->kernel);
	else
		return 0;
	diag_hint(diag, _("say it with --kernel VERSION"));
	return r;
}

static int find_scheduler(const struct trace_header *header,
			  const struct replay_options *options, const char **ret,
			  struct diag *diag)
{
	*ret = options->scheduler ? options->scheduler : header->scheduler;
	if (**ret)
		return 0;
	diag_set(diag, -EINVAL, _("the trace does not say which scheduler was active"));
	diag_hint(diag, _("say it with --scheduler NAME"));
	return -EINVAL;
}

/* A header line may name a parameter that is not the scheduler's own on this version. */
static bool is_known_setting(const char *scheduler, const char *file)
{
	const struct sim_elevator_ops *ops = sim_elevator_find(scheduler);

	for (size_t i = 0; ops && i < ops->parameter_count; i++) {
		if (strcmp(ops->parameters[i].file, file) == 0)
			return true;
	}
	return false;
}

/* On that kernel the file holds the value of another one: async_depth of 5.15. */
static bool is_misread(const struct sim_queue_config *config, const struct sim_setting *setting)
{
	const struct tunable *row = tunable_find_iosched(config->scheduler, setting->file);
	const struct tunable_context context = { .kernel = config->kernel };
	char text[TUNABLE_VALUE_MAX];

	return row && tunable_check(row, setting->value, &context, text, NULL) == -ENOTSUP;
}

/* The settings of the header, then those of the command line, which win. */
static int collect_settings(const struct trace_header *header,
			    const struct replay_options *options,
			    const struct sim_queue_config *config,
			    struct sim_setting **ret, size_t *ret_count)
{
	struct sim_setting *settings;
	size_t count = 0;

	settings = calloc(header->iosched_count + options->setting_count + 1,
			  sizeof(*settings));
	if (!settings)
		return -ENOMEM;
	for (unsigned i = 0; i < header->iosched_count; i++) {
		const struct sim_setting setting = {
			.file = header->iosched[i].key,
			.value = header->iosched[i].value,
		};

		if (is_known_setting(config->scheduler, setting.file) &&
		    !is_misread(config, &setting))
			settings[count++] = setting;
	}
	for (size_t i = 0; i < options->setting_count; i++)
		settings[count++] = options->settings[i];
	*ret = settings;
	*ret_count = count;
	return 0;
}

static unsigned pick(unsigned option, unsigned header, unsigned fallback)
{
	if (option)
		return option;
	return header ? header : fallback;
}

static int make_queue(struct replay *replay, const struct trace_header *header,
		      uint64_t phase_ns, struct diag *diag)
{
	const struct replay_options *options = replay->options;
	struct sim_queue_config config = {
		.hw_queues = 1,
		.cpus = 1,
		.tick_phase_ns = phase_ns,
		/* null_blk says so, and traces that do not say are mostly of flash. */
		.is_nonrotational = !header->rotational,
	};
	_free_ struct sim_setting *settings = NULL;
	int r;

	r = find_kernel(header, options, &config.kernel, diag);
	if (r < 0)
		return r;
	r = find_scheduler(header, options, &config.scheduler, diag);
	if (r < 0)
		return r;
	r = collect_settings(header, options, &config, &settings, &config.setting_count);
	if (r < 0)
		return diag_set(diag, r, _("out of memory"));
	config.settings = settings;
	config.hw_depth = pick(options->hw_depth, header->hw_depth, SIM_HW_DEPTH_MAX);
	config.nr_requests = pick(options->nr_requests, header->nr_requests, 0);
	config.hz = pick(options->hz, header->hz, HZ_DEFAULT);
	r = sim_queue_new(&config, &replay->queue, diag);
	if (r < 0)
		return r;
	if (!replay->queue->ops->undo_dispatch)
		return diag_set(diag, -ENOTSUP, _("%s cannot be replayed: no kernel that has it "
						  "was recorded"),
				config.scheduler);
	r = sim_queue_log_states(replay->queue);
	replay->guess_state = malloc(replay->queue->ops->state_size + 1);
	if (r < 0 || !replay->guess_state)
		return diag_set(diag, -ENOMEM, _("out of memory"));

	replay->hctx = &replay->queue->hctxs[0];
	sim_hctx_was_used(replay->hctx);
	replay->queue->on_kyber_event = replay_kyber_event;
	replay->queue->on_run_wanted = replay_run_wanted;
	replay->queue->context = replay;
	replay->result.kernel = config.kernel;
	replay->result.hw_depth = config.hw_depth;
	replay->result.nr_requests = replay->queue->nr_requests;
	replay->result.hz = config.hz;
	snprintf(replay->result.scheduler, sizeof(replay->result.scheduler), "%s",
		 config.scheduler);
	return 0;
}

/* Records of other devices are left out; a header without device: the first one wins. */
static bool is_wanted(struct replay *replay, const struct trace_record *record)
{
	if (record->action == TRACE_PLUG || record->action == TRACE_UNPLUG)
		return true;
	if (!replay->has_device) {
		replay->has_device = true;
		replay->device = record->device;
	}
	if (record->device == replay->device)
		return true;
	replay->result.other_device++;
	return false;
}

static int feed(struct replay *replay, const struct trace_record *record,
		struct diag *diag)
{
	int r;

	if (!is_wanted(replay, record))
		return 0;
	if (record->time_ns < replay->queue->now_ns)
		replay->result.backwards++;
	else
		replay->queue->now_ns = record->time_ns;
	r = replay_record(replay, record);
	if (r == 0)
		r = replay->error;
	if (r == -EOVERFLOW)
		return diag_set(diag, r, _("more than %u requests without an end"),
				REPLAY_LIVE_MAX);
	return r < 0 ? diag_set(diag, r, _("out of memory")) : 0;
}

/* Keeps the ring full, so that what comes is known as far as it needs to be. */
static int read_ahead(struct replay *replay, struct trace_reader *reader,
		      struct diag *diag)
{
	while (!replay->at_end && replay->window_count < REPLAY_WINDOW) {
		size_t at = (replay->window_start + replay->window_count) % REPLAY_WINDOW;
		int r = trace_reader_next(reader, &replay->window[at], diag);

		if (r < 0)
			return r;
		if (r == 0)
			replay->at_end = true;
		else
			replay->window_count++;
	}
	return 0;
}

/* When the trace next shows kyber's timer, after the first record of the ring. */
static void find_moment(struct replay *replay)
{
	if (replay->moment_at > 0)
		replay->moment_at--; /* the ring moved on by one */
	if (replay->moment_ns != SIM_NEVER && replay->moment_at > 0)
		return;
	replay->moment_ns = SIM_NEVER;
	while (replay->moment_at < replay->window_count) {
		const struct trace_record *record =
			&replay->window[(replay->window_start + replay->moment_at++) %
					REPLAY_WINDOW];

		if (record->action == TRACE_KYBER_LATENCY ||
		    record->action == TRACE_KYBER_ADJUST) {
			replay->moment_ns = record->time_ns;
			return;
		}
	}
}

static int replay_ring(struct replay *replay, struct trace_reader *reader,
		       struct diag *diag)
{
	int r;

	while (replay->window_count > 0) {
		const struct trace_record record = replay->window[replay->window_start];

		replay->window_start = (replay->window_start + 1) % REPLAY_WINDOW;
		replay->window_count--;
		r = read_ahead(replay, reader, diag);
		if (r < 0)
			return r;
		find_moment(replay);
		r = feed(replay, &record, diag);
		if (r < 0)
			return r;
	}
	replay_drop_kyber(replay);
	return 0;
}

static int run(struct replay *replay, struct trace_reader *reader, struct diag *diag)
{
	const struct trace_header *header = trace_reader_header(reader);
	unsigned hz = pick(replay->options->hz, header->hz, HZ_DEFAULT);
	struct replay_clock clock;
	int r;

	replay->window = calloc(REPLAY_WINDOW, sizeof(replay->window[0]));
	if (!replay->window)
		return diag_set(diag, -ENOMEM, _("out of memory"));
	if (hz > SIM_HZ_MAX)
		return diag_set(diag, -ERANGE, _("HZ = %u is out of range"), hz);
	r = read_ahead(replay, reader, diag);
	if (r < 0)
		return r;
	replay->device = header->device;
	replay->has_device = header->device != 0;
	replay_classes_find(&replay->classes, header->fio, replay->window,
			    replay->window_count);
	replay->service_ns = header->service_ns;
	r = replay_clock_find(&clock, replay->window, replay->window_count, hz,
			      replay->service_ns);
	if (r < 0)
		return diag_set(diag, r, _("out of memory"));
	r = make_queue(replay, header, clock.phase_ns, diag);
	if (r < 0)
		return r;
	if (replay->queue->ops->timer && !replay->queue->ops->has_precise_timer)
		replay->queue->elevator_timer_ns = clock.timer_ns;
	return replay_ring(replay, reader, diag);
}

int replay_run(struct trace_reader *reader, const struct replay_options *options,
	       struct replay_result *ret, struct diag *diag)
{
	_free_ struct replay *replay = calloc(1, sizeof(*replay));
	int r;

	if (!replay)
		return diag_set(diag, -ENOMEM, _("out of memory"));
	replay->options = options;
	submitters_init(&replay->submitters);
	r = replay_index_init(&replay->index);
	r = r < 0 ? diag_set(diag, r, _("out of memory")) : run(replay, reader, diag);
	if (r == 0) {
		*ret = replay->result;
		ret->lost = trace_reader_counts(reader)->lost;
	}
	sim_queue_free(replay->queue);
	free(replay->window);
	free(replay->guess_state);
	replay_index_done(&replay->index);
	submitters_done(&replay->submitters);
	return r;
}
