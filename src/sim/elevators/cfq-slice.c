/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfq's slices: how long a queue has the device, when it is worth leaving the device alone
 * until its process comes back, and what a process' requests say about that.
 */
#include "sim/elevators/cfq.h"

/* Priority levels make a fifth of the base slice each, around level 4. */
#define SLICE_STEPS  5
#define LEVEL_NORMAL 4

/* A request further from the one before than this is a seek; on flash, one smaller than that
 * is. From as many waiting requests on a queue is deep. */
#define SEEK_SECTORS       800
#define SMALL_ON_FLASH     64
#define DEEP_QUEUE         4

int64_t cfq_base_slice_ns(const struct cfq_data *cfq, bool is_sync, unsigned level)
{
	int64_t base = cfq->slice_ms[is_sync] * CFQ_MS_NS;

	return base + base / SLICE_STEPS * (LEVEL_NORMAL - (int64_t)level);
}

static int64_t min_ns(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t max_ns(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* a * b / c of times that may be long. */
static int64_t scale_ns(int64_t a, int64_t b, int64_t c)
{
	return (int64_t)((__int128)a * b / c);
}

int64_t cfq_slice_ns(struct sim_queue *queue, const struct cfq_queue *cfqq)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	int64_t slice = cfq_base_slice_ns(cfq, cfqq->is_sync, cfqq->level);
	int64_t sync = cfq->slice_ms[true] * CFQ_MS_NS, target, expected, low;

	if (!cfq->low_latency)
		return slice;
	target = cfq->target_latency_ms * CFQ_MS_NS;
	expected = sync * (int64_t)cfq_average_busy(cfq, cfqq->class);
	if (expected <= target)
		return slice;
	/* Shrunk, but not below what waiting for one request twice takes. */
	low = min_ns(slice, scale_ns(2 * cfq->slice_idle_ms * CFQ_MS_NS, slice, sync));
	return max_ns(scale_ns(slice, target, expected), low);
}

bool cfq_slice_is_used(const struct sim_queue *queue, const struct cfq_queue *cfqq)
{
	return !cfqq->is_slice_new && cfq_now(queue) >= cfqq->slice_end_ns;
}

/* --- idling --------------------------------------------------------------------------- */

bool cfq_thinks_long(const struct cfq_think_time *think, int64_t limit_ms)
{
	return cfq_think_is_known(think) &&
	       think->ns.mean > (uint64_t)limit_ms * (uint64_t)CFQ_MS_NS;
}

/* Waiting for the next seek is pointless where seeks cost nothing. */
static bool is_fast_device(const struct sim_queue *queue)
{
	const struct cfq_data *cfq = cfq_data_of(queue);

	return queue->is_nonrotational && cfq->has_depth;
}

bool cfq_should_idle(const struct sim_queue *queue, const struct cfq_queue *cfqq)
{
	const struct cfq_data *cfq = cfq_data_of(queue);

	if (!cfq->slice_idle_ms || cfqq->class == SIM_CLASS_IDLE)
		return false;
	if (cfqq->may_idle && !is_fast_device(queue))
		return true;
	/* The last one of its tree: the wait is for the tree. */
	return cfqq->is_sync && cfqq->tree && cfqq->tree->count == 1 &&
	       !cfq_thinks_long(&cfqq->tree->think, cfq->slice_idle_ms);
}

void cfq_stop_waiting(struct sim_queue *queue, struct cfq_queue *cfqq)
{
	cfqq->is_awaited = false;
	queue->elevator_timer_ns = SIM_NEVER;
}

/* The queue is empty: wait for its process' next request, if that pays. */
static void start_waiting(struct sim_queue *queue, struct cfq_queue *cfqq)
{
	const struct cfq_data *cfq = cfq_data_of(queue);
	int64_t left_ns = cfqq->slice_end_ns - cfq_now(queue);
	int64_t wait_ms = cfq->slice_idle_ms;

	if (is_fast_device(queue) && !cfq->group_idle_ms)
		return;
	if (!cfq_should_idle(queue, cfqq)) {
		/* Not for this queue; but there may be no other in the group. */
		wait_ms = cfq->group_idle_ms;
		if (!wait_ms || cfq->busy > 1 ||
		    cfq_thinks_long(&cfqq->tree->think, cfq->group_idle_ms))
			return;
	}
	if (cfqq->dispatched > 0)
		return;
	if (cfq_think_is_known(&cfqq->think) && left_ns < (int64_t)cfqq->think.ns.mean)
		return;
	cfqq->is_awaited = true;
	queue->elevator_timer_ns = queue->now_ns + (uint64_t)(wait_ms * CFQ_MS_NS);
}

/* A lone queue's slice goes on for the request that is about to come. */
static bool should_extend(const struct sim_queue *queue, const struct cfq_queue *cfqq)
{
	const struct cfq_data *cfq = cfq_data_of(queue);
	int64_t left_ns = cfqq->slice_end_ns - cfq_now(queue);

	if (cfq_has_requests(cfqq) || cfq->busy > 1 ||
	    cfq_thinks_long(&cfq->group_think, cfq->group_idle_ms))
		return false;
	if (cfq_slice_is_used(queue, cfqq))
		return true;
	if (cfq_think_is_known(&cfqq->think) && left_ns < (int64_t)cfqq->think.ns.mean)
		return true;
	return left_ns <= (int64_t)queue->tick_ns;
}

/* --- a slice's way -------------------------------------------------------------------- */

void cfq_expire_slice(struct sim_queue *queue, bool counts_rest)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	struct cfq_queue *cfqq = cfq->active;

	if (cfqq->is_awaited)
		cfq_stop_waiting(queue, cfqq);
	cfqq->is_extended = false;
	if (counts_rest)
		cfqq->slice_left_ns = cfqq->is_slice_new ?
					      cfq_slice_ns(queue, cfqq) :
					      cfqq->slice_end_ns - cfq_now(queue);
	cfq->workload_left_ns = max_ns(cfq->workload_end_ns - cfq_now(queue), 0);
	cfq->active = NULL;
	if (cfq_has_requests(cfqq))
		cfq_tree_add(queue, cfqq, false);
	else
		cfq_tree_remove(cfq, cfqq);
}

void cfq_slice_on_completion(struct sim_queue *queue, struct cfq_queue *cfqq)
{
	const struct cfq_data *cfq = cfq_data_of(queue);

	if (cfq->active != cfqq)
		return;
	if (cfqq->is_slice_new) {
		cfqq->slice_start_ns = cfq_now(queue);
		cfqq->slice_end_ns = cfq_now(queue) + cfq_slice_ns(queue, cfqq);
		cfqq->is_slice_new = false;
	}
	if (should_extend(queue, cfqq)) {
		int64_t more_ms = cfq->slice_idle_ms ? cfq->slice_idle_ms : cfq->group_idle_ms;

		cfqq->slice_end_ns = cfq_now(queue) + more_ms * CFQ_MS_NS;
		cfqq->is_extended = true;
	}
	if (cfq_slice_is_used(queue, cfqq) || cfqq->class == SIM_CLASS_IDLE)
		cfq_expire_slice(queue, true);
	else if (cfqq->is_sync && !cfq_has_requests(cfqq))
		start_waiting(queue, cfqq);
}

void cfq_timer(struct sim_queue *queue)
{
	struct cfq_data *cfq = cfq_data_of(queue);
	struct cfq_queue *cfqq = cfq->active;

	queue->elevator_timer_ns = SIM_NEVER;
	if (!cfqq)
		return;
	cfqq->is_awaited = false;
	if (!cfq_slice_is_used(queue, cfqq))
		cfqq->is_deep = false;
	cfq_expire_slice(queue, false);
	if (queue->on_run_wanted)
		queue->on_run_wanted(queue->context, &queue->hctxs[0]);
}

/* --- what requests say ---------------------------------------------------------------- */

static void learn_think_time(struct sim_queue *queue, struct cfq_think_time *think,
			     int64_t limit_ms)
{
	int64_t most = 2 * limit_ms * CFQ_MS_NS;

	decaying_mean_add(&think->ns,
			  (uint64_t)min_ns(cfq_now(queue) - think->last_end_ns, most));
}

static void learn_seek(const struct sim_queue *queue, struct cfq_queue *cfqq,
		       const struct sim_request *rq)
{
	uint64_t distance = 0;
	bool is_far;

	if (cfqq->last_end_sector)
		distance = seek_distance(cfqq->last_end_sector, rq->sector);
	is_far = queue->is_nonrotational ? rq->sectors < SMALL_ON_FLASH :
					   distance > SEEK_SECTORS;
	cfqq->seek_history = cfqq->seek_history << 1 | is_far;
	cfqq->last_end_sector = sim_request_end(rq);
}

static void learn_idling(const struct cfq_data *cfq, struct cfq_queue *cfqq)
{
	if (cfqq->sorted.count >= DEEP_QUEUE)
		cfqq->is_deep = true;
	if (!cfq->slice_idle_ms || (!cfqq->is_deep && cfq_is_seeky(cfqq)))
		cfqq->may_idle = false;
	else if (cfq_think_is_known(&cfqq->think))
		cfqq->may_idle = !cfq_thinks_long(&cfqq->think, cfq->slice_idle_ms);
}

void cfq_learn(struct sim_queue *queue, struct cfq_queue *cfqq, const struct sim_request *rq)
{
	struct cfq_data *cfq = cfq_data_of(queue);

	if (cfqq->is_sync) {
		learn_think_time(queue, &cfqq->think, cfq->slice_idle_ms);
		learn_think_time(queue, &cfqq->tree->think, cfq->slice_idle_ms);
	}
	learn_think_time(queue, &cfq->group_think, cfq->group_idle_ms);
	learn_seek(queue, cfqq, rq);
	if (cfqq->is_sync && cfqq->class != SIM_CLASS_IDLE)
		learn_idling(cfq, cfqq);
}
