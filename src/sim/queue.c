/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queue run: how many requests are taken from the scheduler at a time, what happens
 * when tags run out, and when a completion starts the queue again. Source: facts on
 * blk-mq, and the recordings: 5.10 takes up to nr_requests at once and keeps them all,
 * 6.1 and later keep one.
 */
#include "sim/queue.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The driver-busy average: new = (7 * old + 16 or 0) / 8 (facts: dispatch-busy). */
#define BUSY_WEIGHT 8
#define BUSY_STEP   16

/* The kernel looks again after 3 ms when the scheduler has work but gives nothing. */
#define SECOND_LOOK_MS 3

static void hctx_note_busy(struct sim_hctx *hctx, bool is_busy)
{
	if (!hctx->busy && !is_busy)
		return;
	hctx->busy = (hctx->busy * (BUSY_WEIGHT - 1) + (is_busy ? BUSY_STEP : 0)) /
		     BUSY_WEIGHT;
}

static bool hctx_has_tag(const struct sim_hctx *hctx)
{
	return hctx->in_flight < hctx->depth;
}

static void set_running(struct sim_hctx *hctx, bool is_running)
{
	uint64_t *word = &hctx->queue->running[hctx->index / 64];
	uint64_t bit = UINT64_C(1) << hctx->index % 64;

	*word = is_running ? *word | bit : *word & ~bit;
}

static void hctx_arm_second_look(struct sim_hctx *hctx)
{
	struct sim_queue *queue = hctx->queue;

	if (hctx->delayed_run_ns != SIM_NEVER || queue->ops->kind == QUEUE_LEGACY)
		return;
	queue->has_delayed_run = true;
	hctx->delayed_run_ns =
		sim_queue_timer_ns(queue, sim_queue_ms_to_jiffies(queue, SECOND_LOOK_MS));
}

static unsigned char *state_slot(const struct sim_hctx *hctx, uint64_t pull)
{
	const struct sim_queue *queue = hctx->queue;

	return queue->state_log + pull % queue->state_log_slots * queue->ops->state_size;
}

/* Takes requests from the scheduler; how many, decides the version. */
static unsigned hctx_pull(struct sim_hctx *hctx)
{
	struct sim_queue *queue = hctx->queue;
	const struct sim_elevator_ops *ops = queue->ops;
	bool pulls_many = queue->kernel.has[SIM_PULL_MANY] && !hctx->busy &&
			  ops->kind == QUEUE_MQ;
	unsigned limit = pulls_many ? queue->nr_requests : 1;
	unsigned count = 0;

	do {
		struct sim_request *rq;
		struct sim_hctx *owner;

		/* With one hardware queue, all that waits is its. */
		if (!queue->waiting && !ops->judges_work)
			break;
		if ((queue->hw_queues > 1 || ops->judges_work) && !ops->has_work(hctx))
			break;
		if (ops->chooses_late && !hctx_has_tag(hctx))
			break;
		if (queue->state_log)
			memcpy(state_slot(hctx, hctx->pulls), queue->elevator_data,
			       ops->state_size);
		rq = ops->dispatch_request(hctx);
		if (!rq) {
			if (!count)
				hctx_arm_second_look(hctx);
			break;
		}
		hctx->pulls++;
		queue->waiting--;
		rq->state = SIM_STATE_DISPATCHED;
		owner = sim_hctx_of(queue, rq);
		sim_list_add_tail(&owner->dispatch, &rq->link);
		owner->dispatch_count++;
		if (owner != hctx)
			set_running(owner, hctx_has_tag(owner));
		if (queue->kernel.has[SIM_PULL_STOPS_WITHOUT_TAG] &&
		    owner->in_flight + owner->dispatch_count > owner->depth)
			return count + 1;
	} while (++count < limit);
	return count;
}

/* The dispatch list met its end of tags: the rest is issued first next time. */
static void hctx_park(struct sim_hctx *hctx)
{
	hctx_note_busy(hctx, true);
	hctx->needs_restart = true;
	set_running(hctx, false);
}

static void hctx_go_on(struct sim_hctx *hctx)
{
	while (hctx_pull(hctx) > 0) {
		if (sim_list_is_empty(&hctx->dispatch))
			continue; /* all for other hardware queues */
		if (hctx_has_tag(hctx))
			set_running(hctx, true);
		else
			hctx_park(hctx);
		return;
	}
	set_running(hctx, false);
}

void sim_hctx_run(struct sim_hctx *hctx, bool is_async)
{
	if (is_async)
		hctx->delayed_run_ns = SIM_NEVER;
	if (sim_list_is_empty(&hctx->dispatch)) {
		hctx_go_on(hctx);
		return;
	}
	hctx->needs_restart = true;
	if (hctx_has_tag(hctx))
		set_running(hctx, true);
	else
		hctx_park(hctx);
}

/* True: it was the last of the dispatch list. */
static bool issue_one(struct sim_hctx *hctx)
{
	struct sim_request *rq = sim_request_of(hctx->dispatch.next);

	assert(hctx->dispatch_count > 0);
	sim_list_remove(&rq->link);
	hctx->dispatch_count--;
	hctx->in_flight++;
	rq->state = SIM_STATE_ISSUED;
	rq->issue_ns = hctx->queue->now_ns;

	if (sim_list_is_empty(&hctx->dispatch)) {
		hctx_note_busy(hctx, false);
		return true;
	}
	if (!hctx_has_tag(hctx))
		hctx_park(hctx);
	return false;
}

void sim_hctx_issue(struct sim_hctx *hctx)
{
	if (issue_one(hctx))
		hctx_go_on(hctx);
}

bool sim_hctx_issue_yielding(struct sim_hctx *hctx)
{
	if (!issue_one(hctx))
		return false;
	if (!hctx->queue->kernel.has[SIM_RUN_YIELDS]) {
		hctx_go_on(hctx);
		return false;
	}
	set_running(hctx, false);
	return true;
}

void sim_hctx_issue_directly(struct sim_hctx *hctx, struct sim_request *rq)
{
	hctx->in_flight++;
	rq->state = SIM_STATE_ISSUED;
	rq->flags |= SIM_REQUEST_BYPASSED;
	rq->issue_ns = hctx->queue->now_ns;
}

void sim_hctx_was_used(struct sim_hctx *hctx)
{
	/* Where it settles while the tags are always out. */
	hctx->busy = BUSY_STEP / 2 + 1;
	/* Then the last requests are issued without meeting that end. */
	for (unsigned i = 0; i <= hctx->depth && hctx->busy > 0; i++)
		hctx_note_busy(hctx, false);
}

int sim_queue_log_states(struct sim_queue *queue)
{
	assert(queue->hw_queues == 1);
	/* The dispatch list never holds more than nr_requests, and one more is looked at. */
	queue->state_log_slots = queue->nr_requests + 2;
	queue->state_log = calloc(queue->state_log_slots,
				  queue->ops->state_size ? queue->ops->state_size : 1);
	return queue->state_log ? 0 : -ENOMEM;
}

int sim_hctx_choose_instead(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct sim_queue *queue = hctx->queue;
	int r = 0;

	assert(queue->state_log);
	assert(hctx->dispatch_count < queue->state_log_slots);
	if (hctx->dispatch_count > 0)
		memcpy(queue->elevator_data,
		       state_slot(hctx, hctx->pulls - hctx->dispatch_count),
		       queue->ops->state_size);
	while (hctx->dispatch_count > 0 && r == 0) {
		struct sim_request *last = sim_request_of(hctx->dispatch.prev);

		sim_list_remove(&last->link);
		hctx->dispatch_count--;
		hctx->pulls--;
		last->state = SIM_STATE_WAITING;
		queue->waiting++;
		r = queue->ops->undo_dispatch(hctx, last);
	}
	if (r < 0)
		return r;
	sim_queue_state_restored(queue);
	queue->ops->force_dispatch(hctx, rq);
	queue->waiting--;
	hctx->pulls++;
	rq->state = SIM_STATE_DISPATCHED;
	sim_list_add_head(&hctx->dispatch, &rq->link);
	hctx->dispatch_count++;
	set_running(hctx, true);
	return 0;
}

int sim_queue_insert(struct sim_queue *queue, struct sim_request *rq)
{
	int r;

	rq->number = queue->arrivals++;
	rq->flags &= (uint8_t)~SIM_REQUEST_BYPASSED;
	r = queue->ops->insert_request(sim_hctx_of(queue, rq), rq);
	if (r < 0)
		return r;
	rq->state = SIM_STATE_WAITING;
	queue->waiting++;
	return 0;
}

void sim_queue_bypass(struct sim_queue *queue, struct sim_request *rq)
{
	struct sim_hctx *hctx = sim_hctx_of(queue, rq);

	rq->state = SIM_STATE_DISPATCHED;
	rq->reason = SIM_REASON_BYPASS;
	rq->flags |= SIM_REQUEST_BYPASSED;
	sim_list_add_tail(&hctx->dispatch, &rq->link);
	hctx->dispatch_count++;
}

/* The scheduler forgets the request, if it ever had it. */
static void finish(struct sim_queue *queue, struct sim_request *rq)
{
	if (queue->ops->finish_request && !(rq->flags & SIM_REQUEST_BYPASSED))
		queue->ops->finish_request(queue, rq);
}

void sim_queue_requeue(struct sim_queue *queue, struct sim_request *rq)
{
	assert(rq->state == SIM_STATE_ISSUED);
	finish(queue, rq);
	sim_hctx_of(queue, rq)->in_flight--;
	rq->state = SIM_STATE_NEW;
	rq->flags |= SIM_REQUEST_AT_HEAD;
}

bool sim_queue_complete(struct sim_queue *queue, struct sim_request *rq)
{
	struct sim_hctx *hctx = sim_hctx_of(queue, rq);
	bool restarts;

	assert(rq->state == SIM_STATE_ISSUED);
	if (queue->ops->completed_request && !(rq->flags & SIM_REQUEST_BYPASSED))
		queue->ops->completed_request(queue, rq);
	finish(queue, rq);
	assert(hctx->in_flight > 0);
	hctx->in_flight--;
	restarts = hctx->needs_restart || queue->ops->kind == QUEUE_LEGACY;
	hctx->needs_restart = false;
	return restarts;
}

void sim_queue_merged_away(struct sim_queue *queue, struct sim_request *rq)
{
	if (queue->last_merge == rq)
		queue->last_merge = NULL;
	if (rq->state == SIM_STATE_WAITING) {
		queue->waiting--;
		if (queue->ops->finish_request)
			queue->ops->finish_request(queue, rq);
	}
	rq->state = SIM_STATE_NEW;
}

uint64_t sim_queue_travel(const struct sim_queue *queue, uint64_t from_sector,
			  const struct sim_request *rq)
{
	uint64_t path[3], travel = 0;
	unsigned count = 0;

	if (queue->ops->head_path)
		count = queue->ops->head_path(queue, rq, path);
	path[count++] = rq->sector;
	for (unsigned i = 0; i < count; i++) {
		travel += path[i] > from_sector ? path[i] - from_sector :
						  from_sector - path[i];
		from_sector = path[i];
	}
	return travel;
}

uint64_t sim_queue_jiffies_slow(struct sim_queue *queue)
{
	uint64_t offset_ns = queue->tick_ns - queue->tick_phase_ns;

	queue->jiffies = (queue->now_ns + offset_ns) / queue->tick_ns;
	queue->jiffies_end_ns = (queue->jiffies + 1) * queue->tick_ns - offset_ns;
	return queue->jiffies;
}

uint64_t sim_queue_jiffies_to_ns(const struct sim_queue *queue, uint64_t jiffies)
{
	return jiffies * queue->tick_ns - (queue->tick_ns - queue->tick_phase_ns);
}

uint64_t sim_queue_timer_ns(struct sim_queue *queue, uint64_t jiffies)
{
	return sim_queue_jiffies_to_ns(queue, sim_queue_jiffies(queue) + jiffies + 1);
}

uint64_t sim_queue_ms_to_jiffies(const struct sim_queue *queue, int64_t ms)
{
	/* The catalogue keeps times below 2^31 ms: no overflow. */
	return ((uint64_t)ms * 1000000 + queue->tick_ns - 1) / queue->tick_ns;
}
