/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happened between two lines of a recording without a line of its own: queue runs
 * that found nothing to issue, submitters woken for a tag that run the queue before they
 * try again, the second look after 3 ms, and kyber's timer.
 *
 * A run that could issue something shows in the trace, so it waits for its issue. A run
 * that could not is carried out here, because it may change the scheduler all the same:
 * mq-deadline's aging pass moves batches and counts even when it gives nothing.
 */
#include <errno.h>
#include <string.h>

#include "sim/replay-internal.h"

static bool could_issue(const struct replay *replay)
{
	const struct sim_hctx *hctx = replay->hctx;

	return hctx->in_flight < hctx->depth &&
	       (hctx->dispatch_count > 0 || replay->queue->ops->can_dispatch(hctx));
}

/*
 * The worker's run gives nothing, so it leaves no line: whether it has happened by now is
 * a guess. Usually the worker gets the processor at once.
 */
static void guess_async_run(struct replay *replay, const struct trace_record *record)
{
	memcpy(replay->guess_state, replay->queue->elevator_data,
	       replay->queue->ops->state_size);
	replay->async_run = false;
	sim_hctx_run(replay->hctx, true);
	replay->has_guess = replay->hctx->dispatch_count == 0;
	replay->guess_pid = record->pid;
}

/*
 * The same task goes on, and what it inserted since is not issued although it could be:
 * the worker does not run. Then it did not run before either.
 */
static void take_guess_back(struct replay *replay, const struct trace_record *record)
{
	if (!replay->has_guess || record->pid != replay->guess_pid)
		return;
	replay->has_guess = false;
	memcpy(replay->queue->elevator_data, replay->guess_state,
	       replay->queue->ops->state_size);
	sim_queue_state_restored(replay->queue);
}

/* Runs that are under way and cannot have issued anything have ended by now. */
static void end_runs(struct replay *replay, const struct trace_record *record)
{
	if (record->pid != replay->guess_pid)
		replay->has_guess = false;
	if (replay->sync_run && !could_issue(replay)) {
		replay->sync_run = false;
		replay->has_guess = false;
		sim_hctx_run(replay->hctx, false);
	}
	if (!replay->async_run)
		return;
	if (!could_issue(replay))
		guess_async_run(replay, record);
	else if (record->action != TRACE_RQ_COMPLETE)
		take_guess_back(replay, record);
}

/*
 * kyber found no token: a run is going on now. What it takes, it takes before completions
 * that come between this line and its first issue.
 */
static void begin_run(struct replay *replay)
{
	bool is_sync = replay->sync_run;

	if (sim_hctx_is_running(replay->hctx) || (!is_sync && !replay->async_run))
		return;
	if (is_sync)
		replay->sync_run = false;
	else
		replay->async_run = false;
	replay->has_guess = false;
	sim_hctx_run(replay->hctx, !is_sync);
}

void replay_try_sync_run(struct replay *replay)
{
	if (could_issue(replay)) {
		replay->sync_run = true;
		return;
	}
	replay->sync_run = false;
	replay->has_guess = false;
	sim_hctx_run(replay->hctx, false);
}

void replay_run_wanted(void *context, struct sim_hctx *hctx)
{
	struct replay *replay = context;

	(void)hctx;
	replay->async_run = true;
}

/* Submitters that sleep for a tag run the queue when they are woken, then try again. */
static void wake_submitters(struct replay *replay, const struct trace_record *record)
{
	unsigned count = replay->wakes;
	const struct submitter *submitter = NULL;

	if (count > replay->submitters.blocked)
		count = replay->submitters.blocked;
	replay->wakes = 0;
	if (record->action == TRACE_GETRQ)
		submitter = submitters_find(&replay->submitters, record->pid);
	/* One of them is the one that this record shows; its run comes with it. */
	if (count > 0 && submitter && submitter->is_blocked)
		count--;
	while (count-- > 0)
		replay_try_sync_run(replay);
}

/* A bio that is followed by something else than its request has none: it sleeps. */
static int block_submitter(struct replay *replay, const struct trace_record *record)
{
	struct submitter *submitter;

	if (!replay->bio_waits)
		return 0;
	if (record->pid == replay->bio_pid && record->action == TRACE_RQ_COMPLETE)
		return 0; /* an interrupt in the submitter's context */
	replay->bio_waits = false;
	if (record->pid == replay->bio_pid &&
	    (record->action == TRACE_GETRQ || record->action == TRACE_BIO_BACKMERGE ||
	     record->action == TRACE_BIO_FRONTMERGE))
		return 0;
	submitter = submitters_get(&replay->submitters, replay->bio_pid);
	if (!submitter)
		return -ENOMEM;
	if (!submitter->is_blocked)
		replay->submitters.blocked++;
	submitter->is_blocked = true;
	replay_try_sync_run(replay);
	return 0;
}

/* At its own moment, which no record shows. */
static void fire_precise_timer(struct replay *replay)
{
	struct sim_queue *queue = replay->queue;
	uint64_t now = queue->now_ns;

	if (queue->elevator_timer_ns > now)
		return;
	queue->now_ns = queue->elevator_timer_ns;
	queue->ops->timer(queue);
	queue->now_ns = now;
}

/* kyber's timer, unless the trace shows it, and the kernel's second look. */
static void run_timers(struct replay *replay, const struct trace_record *record)
{
	struct sim_queue *queue = replay->queue;
	uint64_t now = queue->now_ns;

	if (queue->ops->has_precise_timer)
		fire_precise_timer(replay);
	else if (replay_timer_has_fired(queue->elevator_timer_ns, record, replay->burst_ns,
					replay->moment_ns, queue->tick_ns))
		queue->ops->timer(queue);
	if (now >= replay->hctx->delayed_run_ns && !replay->async_run &&
	    !sim_hctx_is_running(replay->hctx)) {
		replay->hctx->delayed_run_ns = SIM_NEVER;
		replay->async_run = true;
		end_runs(replay, record);
	}
}

void replay_mend_timer(struct replay *replay, const struct trace_record *record,
		       uint64_t issue_ns)
{
	struct sim_queue *queue = replay->queue;
	uint64_t tick_start_ns;

	if (queue->elevator_timer_ns == SIM_NEVER || queue->ops->has_precise_timer)
		return;
	tick_start_ns = sim_queue_jiffies_to_ns(queue, sim_queue_jiffies(queue));
	while (replay_tick_view_ns(record, issue_ns, replay->service_ns) < tick_start_ns) {
		queue->elevator_timer_ns -= queue->tick_ns;
		tick_start_ns -= queue->tick_ns;
	}
}

void replay_settle(struct replay *replay, const struct trace_record *record)
{
	bool in_burst = replay->last_was_complete && record->action == TRACE_RQ_COMPLETE;

	if (record->action == TRACE_RQ_COMPLETE && !in_burst)
		replay->burst_ns = record->time_ns;
	replay->last_was_complete = record->action == TRACE_RQ_COMPLETE;
	if (record->action != TRACE_KYBER_LATENCY && record->action != TRACE_KYBER_ADJUST) {
		run_timers(replay, record);
		/* What the engine's timer gave shows within a tick, or not at all. */
		if (replay->kyber_count > 0 &&
		    replay->queue->now_ns > replay->kyber_fired_ns + replay->queue->tick_ns)
			replay_drop_kyber(replay);
	}
	if (record->action == TRACE_RQ_ISSUE)
		return;
	if (block_submitter(replay, record) < 0)
		replay->error = -ENOMEM;
	if (in_burst)
		return;
	if (record->action == TRACE_KYBER_THROTTLED) {
		begin_run(replay);
		return;
	}
	end_runs(replay, record);
	if (replay->wakes > 0)
		wake_submitters(replay, record);
}

/* --- kyber's own events ------------------------------------------------------------- */

void replay_kyber_event(void *context, const struct sim_kyber_event *event)
{
	struct replay *replay = context;

	replay->kyber_fired_ns = replay->queue->now_ns;
	if (replay->kyber_count < REPLAY_KYBER_PENDING)
		replay->kyber[replay->kyber_count++] = *event;
}

static void report_kyber(struct replay *replay, const struct replay_kyber *kyber)
{
	if (replay->options->on_kyber)
		replay->options->on_kyber(replay->options->context, kyber);
}

static bool is_same_event(const struct sim_kyber_event *chosen, bool is_adjust,
			  const struct trace_kyber *recorded)
{
	if (chosen->is_adjust != is_adjust ||
	    strcmp(chosen->domain, recorded->domain) != 0)
		return false;
	if (is_adjust)
		return chosen->depth == recorded->depth;
	return strcmp(chosen->type, recorded->type) == 0 &&
	       chosen->percentile == recorded->percentile &&
	       chosen->numerator == recorded->numerator &&
	       chosen->denominator == recorded->denominator &&
	       chosen->samples == recorded->samples;
}

void replay_kyber_record(struct replay *replay, const struct trace_record *record)
{
	struct sim_queue *queue = replay->queue;
	bool is_adjust = record->action == TRACE_KYBER_ADJUST;
	struct replay_kyber kyber = {
		.time_ns = record->time_ns,
		.line = record->line,
		.is_adjust = is_adjust,
		.recorded = record->kyber,
	};

	/* The recorded timer interrupt: if the engine's timer is due, it fires here. */
	if (replay->kyber_count == 0 && queue->elevator_timer_ns <= queue->now_ns)
		queue->ops->timer(queue);
	if (replay->kyber_count > 0) {
		kyber.chosen = replay->kyber[0];
		replay->kyber_count--;
		memmove(&replay->kyber[0], &replay->kyber[1],
			replay->kyber_count * sizeof(replay->kyber[0]));
		kyber.is_equal = is_same_event(&kyber.chosen, is_adjust, &record->kyber);
	}
	if (is_adjust) {
		replay->result.adjust_events++;
		replay->result.adjust_equal += kyber.is_equal;
	} else {
		replay->result.latency_events++;
		replay->result.latency_equal += kyber.is_equal;
	}
	report_kyber(replay, &kyber);
}

void replay_drop_kyber(struct replay *replay)
{
	for (unsigned i = 0; i < replay->kyber_count; i++) {
		const struct replay_kyber kyber = {
			.time_ns = replay->queue->now_ns,
			.is_adjust = replay->kyber[i].is_adjust,
			.chosen = replay->kyber[i],
		};

		report_kyber(replay, &kyber);
	}
	replay->result.kyber_extra += replay->kyber_count;
	replay->kyber_count = 0;
}
