/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each record of a trace does to the engine. */
#include <errno.h>
#include <string.h>

#include "sim/replay-internal.h"
#include "sim/traced.h"

/* Of a process that has not chosen one (facts: ionice classes). */
#define LEVEL_DEFAULT 4

#define STATE(s) (1U << SIM_STATE_##s)

static struct sim_request *find(const struct replay *replay,
				const struct trace_record *record, uint32_t pid,
				unsigned states)
{
	const struct replay_key key = {
		.op = traced_op(record),
		.sector = record->sector,
		.sectors = record->sectors,
		.class = record->prio_class == TRACE_PRIO_NONE ?
				 -1 :
				 (int)record->prio_class - TRACE_PRIO_RT,
		.pid = pid,
		.states = states,
	};

	return replay_index_find(&replay->index, &key);
}

static void set_class(struct replay *replay, struct sim_request *rq,
		      const struct trace_record *record)
{
	if (record->prio_class != TRACE_PRIO_NONE) {
		rq->class = (uint8_t)(record->prio_class - TRACE_PRIO_RT);
		rq->level = record->prio_level;
		return;
	}
	for (unsigned i = 0; i < replay->classes.count; i++) {
		if (replay->classes.rows[i].pid != record->pid)
			continue;
		rq->class = replay->classes.rows[i].class;
		rq->level = replay->classes.rows[i].level;
		return;
	}
}

static int new_request(struct replay *replay, const struct trace_record *record,
		       struct sim_request **ret)
{
	struct sim_request *rq;
	int r;

	if (replay->live >= REPLAY_LIVE_MAX)
		return -EOVERFLOW;
	rq = sim_request_new(replay->queue, traced_op(record), record->sector,
			     record->sectors);
	if (!rq)
		return -ENOMEM;
	rq->pid = record->pid;
	rq->cpu = (uint16_t)(record->cpu % replay->queue->cpus);
	rq->flags = traced_flags(record);
	rq->level = LEVEL_DEFAULT;
	set_class(replay, rq, record);
	r = replay_index_add(&replay->index, rq);
	if (r < 0) {
		sim_request_free(replay->queue, rq);
		return r;
	}
	replay->live++;
	*ret = rq;
	return 0;
}

static void forget_request(struct replay *replay, struct sim_request *rq)
{
	replay_index_remove(&replay->index, rq);
	sim_request_free(replay->queue, rq);
	replay->live--;
}

/* `rq->owner` is the submitter while the request is on its plug; it is returned. */
static struct submitter *leave_plug(struct sim_request *rq)
{
	struct submitter *submitter = rq->owner;

	if (!submitter)
		return NULL;
	sim_list_remove(&rq->link);
	rq->owner = NULL;
	submitter->plugged--;
	if (submitter->unplug_left > 0)
		submitter->unplug_left--;
	return submitter;
}

static int on_getrq(struct replay *replay, const struct trace_record *record)
{
	struct submitter *submitter = submitters_get(&replay->submitters, record->pid);
	struct sim_request *rq;
	int r;

	if (!submitter)
		return -ENOMEM;
	if (submitter->is_blocked) {
		submitter->is_blocked = false;
		replay->submitters.blocked--;
		replay_try_sync_run(replay);
	}
	r = new_request(replay, record, &rq);
	if (r < 0)
		return r;
	rq->owner = submitter;
	sim_list_add_tail(&submitter->plug, &rq->link);
	submitter->plugged++;
	return 0;
}

static int on_unplug(struct replay *replay, const struct trace_record *record)
{
	struct submitter *submitter = submitters_find(&replay->submitters, record->pid);

	if (!submitter)
		return 0;
	submitter->unplug_left = record->count < submitter->plugged ? record->count :
								       submitter->plugged;
	submitter->unplugged = true;
	return 0;
}

/*
 * A request came to the scheduler. After the last one of a plug the kernel runs the queue
 * there and then; after one that was not plugged, or that a worker inserted, it asks its
 * worker to.
 */
static void run_after_insert(struct replay *replay, struct submitter *submitter)
{
	if (!submitter) {
		replay->async_run = true;
		return;
	}
	if (submitter->unplug_left > 0)
		return;
	if (submitter->unplugged)
		replay->sync_run = true;
	else
		replay->async_run = true;
	submitter->unplugged = false;
	submitters_tidy(&replay->submitters, submitter);
}

static int on_insert(struct replay *replay, const struct trace_record *record)
{
	struct sim_request *rq = find(replay, record, record->pid, STATE(NEW));
	struct submitter *submitter;
	int r;

	if (!rq) {
		r = new_request(replay, record, &rq);
		if (r < 0)
			return r;
	}
	rq->sectors = record->sectors;
	set_class(replay, rq, record);
	submitter = leave_plug(rq);
	r = sim_queue_insert(replay->queue, rq);
	if (r < 0)
		return r;
	run_after_insert(replay, submitter);
	return 0;
}

/* --- merges ------------------------------------------------------------------------- */

/* The request on the submitter's plug that the extent touches, newest first. */
static struct sim_request *find_on_plug(struct replay *replay,
					const struct trace_record *record,
					enum sim_merge merge)
{
	struct submitter *submitter = submitters_find(&replay->submitters, record->pid);

	if (!submitter)
		return NULL;
	for (struct sim_link *link = submitter->plug.prev; link != &submitter->plug;
	     link = link->prev) {
		struct sim_request *rq = sim_request_of(link);

		if (sim_request_merge_kind(rq, traced_op(record), record->sector,
					   record->sectors) == merge)
			return rq;
	}
	return NULL;
}

static struct sim_request *find_in_scheduler(struct replay *replay,
					     const struct trace_record *record,
					     enum sim_merge merge)
{
	struct sim_queue *queue = replay->queue;
	enum sim_op op = traced_op(record);
	struct sim_request *rq = queue->last_merge;
	enum sim_merge found;

	if (queue->ops->bio_merge) {
		if (queue->ops->bio_merge(queue, op, record->sector, record->sectors,
					  record->cpu % queue->cpus, &rq, &found) &&
		    found == merge)
			return rq;
		return NULL;
	}
	if (rq && sim_request_merge_kind(rq, op, record->sector, record->sectors) == merge)
		return rq;
	if (merge == SIM_MERGE_BACK)
		return merge_hash_find(&queue->merge_hash, record->sector, op);
	return replay_index_find(&replay->index,
				 &(const struct replay_key){
					 .op = op,
					 .sector = record->sector + record->sectors,
					 .class = -1,
					 .states = STATE(WAITING),
				 });
}

static int on_bio_merge(struct replay *replay, const struct trace_record *record,
			enum sim_merge merge)
{
	struct sim_request *rq = find_on_plug(replay, record, merge);
	int r;

	if (!rq)
		rq = find_in_scheduler(replay, record, merge);
	if (!rq) {
		replay->result.unknown++;
		return 0;
	}
	replay->has_guess = false;
	if (merge == SIM_MERGE_BACK)
		return sim_merge_grow(replay->queue, rq, merge, record->sectors);
	replay_index_remove(&replay->index, rq);
	r = sim_merge_grow(replay->queue, rq, merge, record->sectors);
	return r < 0 ? r : replay_index_add(&replay->index, rq);
}

/* Two requests became one; the record names the one that went into the other. */
static int on_rq_merge(struct replay *replay, const struct trace_record *record)
{
	enum sim_op op = traced_op(record);
	struct sim_request *next = find(replay, record, record->pid,
					STATE(NEW) | STATE(WAITING));
	struct sim_request *rq = merge_hash_find(&replay->queue->merge_hash, record->sector,
						 op);

	if (!rq || !next || rq == next) {
		replay->result.unknown++;
		return 0;
	}
	replay->has_guess = false;
	if (next->state == SIM_STATE_NEW)
		run_after_insert(replay, leave_plug(next));
	sim_merge_requests(replay->queue, rq, next);
	forget_request(replay, next);
	return 0;
}

/* --- issue and completion ----------------------------------------------------------- */

static char dir_letter(const struct sim_request *rq)
{
	static const char letters[] = {
		[SIM_READ] = 'R', [SIM_WRITE] = 'W', [SIM_DISCARD] = 'D',
		[SIM_FLUSH] = 'F', [SIM_OTHER] = 'N',
	};

	return letters[rq->op];
}

static void report_issue(struct replay *replay, const struct trace_record *record,
			 const struct sim_request *rq, const struct sim_request *chosen,
			 unsigned waiting, bool is_decision)
{
	struct replay_issue issue = {
		.time_ns = record->time_ns,
		.line = record->line,
		.recorded_sector = rq->sector,
		.recorded_dir = dir_letter(rq),
		.has_choice = chosen != NULL,
		.is_decision = is_decision,
		.is_equal = chosen == rq,
		.waiting = waiting,
		.reason = chosen ? chosen->reason : SIM_REASON_NONE,
	};

	if (chosen) {
		issue.chosen_sector = chosen->sector;
		issue.chosen_dir = dir_letter(chosen);
	}
	replay->result.issues++;
	replay->result.decisions += is_decision;
	replay->result.equal += is_decision && issue.is_equal;
	if (replay->options->on_issue)
		replay->options->on_issue(replay->options->context, &issue);
}

/* Past the scheduler: a flush, a returned request, or no scheduler at all. */
static void issue_directly(struct replay *replay, const struct trace_record *record,
			   struct sim_request *rq)
{
	struct submitter *submitter = rq->owner;
	struct sim_request *chosen = rq;
	unsigned waiting = 1;
	bool is_decision = false;

	rq->reason = SIM_REASON_BYPASS;
	if (submitter && strcmp(replay->queue->ops->name, "none") == 0) {
		bool newest_first = replay->queue->kernel.has[SIM_PLUG_REVERSED];

		chosen = sim_request_of(newest_first ? submitter->plug.prev :
						       submitter->plug.next);
		chosen->reason = SIM_REASON_DIRECT;
		waiting = submitter->plugged;
		is_decision = waiting >= 2;
	}
	report_issue(replay, record, rq, chosen, waiting, is_decision);
	submitter = leave_plug(rq);
	if (submitter)
		submitters_tidy(&replay->submitters, submitter);
	sim_hctx_issue_directly(replay->hctx, rq);
}

static bool looks_like(const struct sim_request *a, const struct sim_request *b,
		       const struct trace_record *record)
{
	return a->op == b->op && a->sector == b->sector && a->sectors == b->sectors &&
	       (record->prio_class == TRACE_PRIO_NONE || a->class == b->class);
}

static int issue_scheduled(struct replay *replay, const struct trace_record *record,
			   struct sim_request *rq)
{
	struct sim_hctx *hctx = replay->hctx;
	unsigned waiting = replay->queue->waiting + hctx->dispatch_count;
	struct sim_request *chosen;
	int r;

	replay->has_guess = false;

	if (!sim_hctx_is_running(hctx)) {
		bool is_sync = replay->sync_run;

		if (is_sync)
			replay->sync_run = false;
		else
			replay->async_run = false;
		sim_hctx_run(hctx, !is_sync);
	}
	chosen = sim_hctx_next(hctx);
	if (!chosen && hctx->dispatch_count > 0)
		chosen = sim_request_of(hctx->dispatch.next);
	/* Two that look the same in the trace are the same to it. */
	if (chosen && chosen != rq && looks_like(chosen, rq, record))
		rq = chosen;
	report_issue(replay, record, rq, chosen, waiting, waiting >= 2);
	if (chosen != rq) {
		r = sim_hctx_choose_instead(hctx, rq);
		if (r < 0)
			return r;
	}
	if (!record->needs_resched)
		sim_hctx_issue(hctx);
	else if (sim_hctx_issue_yielding(hctx))
		replay->async_run = true;
	return 0;
}

static int on_issue(struct replay *replay, const struct trace_record *record)
{
	struct sim_request *rq;
	int r;

	rq = find(replay, record, 0, STATE(DISPATCHED) | STATE(WAITING));
	if (rq)
		return issue_scheduled(replay, record, rq);
	rq = find(replay, record, 0, STATE(NEW));
	if (!rq) {
		replay->result.unknown++;
		r = new_request(replay, record, &rq);
		if (r < 0)
			return r;
	}
	issue_directly(replay, record, rq);
	return 0;
}

static int on_complete(struct replay *replay, const struct trace_record *record)
{
	struct sim_request *rq = find(replay, record, 0, STATE(ISSUED));
	bool was_armed;

	if (!rq) {
		replay->result.unknown++;
		return 0;
	}
	was_armed = replay->queue->elevator_timer_ns != SIM_NEVER;
	if (sim_queue_complete(replay->queue, rq))
		replay->async_run = true;
	if (!was_armed)
		replay_mend_timer(replay, record, rq->issue_ns);
	forget_request(replay, rq);
	replay->wakes++;
	return 0;
}

/* The driver gave it back: it is inserted at the head, or issued again as it is. */
static int on_requeue(struct replay *replay, const struct trace_record *record)
{
	struct sim_request *rq = find(replay, record, 0, STATE(ISSUED));

	if (!rq) {
		replay->result.unknown++;
		return 0;
	}
	sim_queue_requeue(replay->queue, rq);
	return 0;
}

int replay_record(struct replay *replay, const struct trace_record *record)
{
	replay_settle(replay, record);
	switch (record->action) {
	case TRACE_BIO_QUEUE:
		replay->bio_waits = true;
		replay->bio_pid = record->pid;
		return 0;
	case TRACE_GETRQ:
		return on_getrq(replay, record);
	case TRACE_UNPLUG:
		return on_unplug(replay, record);
	case TRACE_BIO_BACKMERGE:
		return on_bio_merge(replay, record, SIM_MERGE_BACK);
	case TRACE_BIO_FRONTMERGE:
		return on_bio_merge(replay, record, SIM_MERGE_FRONT);
	case TRACE_RQ_INSERT:
		return on_insert(replay, record);
	case TRACE_RQ_MERGE:
		return on_rq_merge(replay, record);
	case TRACE_RQ_ISSUE:
		return on_issue(replay, record);
	case TRACE_RQ_COMPLETE:
		return on_complete(replay, record);
	case TRACE_RQ_REQUEUE:
		return on_requeue(replay, record);
	case TRACE_KYBER_LATENCY:
	case TRACE_KYBER_ADJUST:
		replay_kyber_record(replay, record);
		return 0;
	case TRACE_PLUG:
	case TRACE_KYBER_THROTTLED:
	case TRACE_WAIT:
	case TRACE_IO:
		break;
	}
	return 0;
}
