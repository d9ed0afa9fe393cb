/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mq-deadline: the deadline choice within a priority class, and the order between the
 * classes. RT goes before BE before IDLE; a class with requests in flight holds back the
 * ones below it; what is older than prio_aging_expire passes.
 */
#include "sim/elevators/elevators.h"

#include "sim/elevators/deadline-core.h"
#include "sim/merge.h"

static const struct sim_parameter mq_deadline_parameters[] = {
	{ "read_expire", offsetof(struct deadline_data, read_expire_ms) },
	{ "write_expire", offsetof(struct deadline_data, write_expire_ms) },
	{ "writes_starved", offsetof(struct deadline_data, writes_starved) },
	{ "fifo_batch", offsetof(struct deadline_data, fifo_batch) },
	{ "front_merges", offsetof(struct deadline_data, front_merges) },
	{ "prio_aging_expire", offsetof(struct deadline_data, prio_aging_expire_ms) },
	{ "async_depth", offsetof(struct deadline_data, async_depth) },
};

/*
 * The aging pass runs when at least two classes have requests, waiting or in flight, and
 * goes through the lower classes' ordinary choice: it moves their batches even when it
 * gives nothing.
 */
static struct sim_request *dispatch_aged(struct sim_queue *queue)
{
	const struct deadline_data *dd = queue->elevator_data;
	struct sim_request *rq;
	unsigned busy = 0;

	for (unsigned i = 0; i < SIM_CLASSES; i++)
		busy += dd->classes[i].queued > 0;
	if (busy < 2)
		return NULL;
	for (unsigned i = SIM_CLASS_BE; i < SIM_CLASSES; i++) {
		rq = deadline_dispatch_class(queue, i, true);
		if (rq)
			return rq;
	}
	return NULL;
}

static struct sim_request *mq_deadline_dispatch_request(struct sim_hctx *hctx)
{
	struct sim_queue *queue = hctx->queue;
	const struct deadline_data *dd = queue->elevator_data;
	struct sim_request *rq;

	if (dd->class_count == 1)
		return deadline_dispatch_class(queue, 0, false);
	if (queue->kernel.has[SIM_MQD_ONE_HEAD_LIST]) {
		for (unsigned i = 0; i < SIM_CLASSES; i++) {
			if (!sim_list_is_empty(&dd->classes[i].head))
				return deadline_dispatch_class(queue, i, false);
		}
	}
	if (queue->kernel.has[SIM_MQD_AGING]) {
		rq = dispatch_aged(queue);
		if (rq)
			return rq;
	}
	for (unsigned i = 0; i < SIM_CLASSES; i++) {
		rq = deadline_dispatch_class(queue, i, false);
		if (rq)
			return rq;
		if (queue->kernel.has[SIM_MQD_CLASS_WAITS] && dd->classes[i].queued > 0)
			return NULL;
	}
	return NULL;
}

static bool mq_deadline_can_dispatch(const struct sim_hctx *hctx)
{
	const struct deadline_data *dd = hctx->queue->elevator_data;

	for (unsigned i = 0; i < dd->class_count; i++) {
		if (dd->classes[i].waiting > 0)
			return true;
		if (hctx->queue->kernel.has[SIM_MQD_CLASS_WAITS] &&
		    dd->classes[i].queued > 0)
			return false;
	}
	return false;
}

static unsigned mq_deadline_limit_depth(struct sim_queue *queue, const struct sim_bio *bio)
{
	const struct deadline_data *dd = queue->elevator_data;

	if (bio->op == SIM_READ || !queue->kernel.has[SIM_MQD_CLASSES] ||
	    dd->async_depth >= (int64_t)queue->nr_requests)
		return queue->nr_requests;
	return (unsigned)dd->async_depth;
}

const struct sim_elevator_ops sim_elevator_mq_deadline = {
	.name = "mq-deadline",
	.kind = QUEUE_MQ,
	.parameters = mq_deadline_parameters,
	.parameter_count = ARRAY_SIZE(mq_deadline_parameters),
	.data_size = sizeof(struct deadline_data),
	.state_size = sizeof(struct deadline_state),
	.merges_inserts = true,
	.init_sched = deadline_init,
	.exit_sched = deadline_exit,
	.limit_depth = mq_deadline_limit_depth,
	.request_merge = deadline_request_merge,
	.request_merged = deadline_request_merged,
	.requests_merged = deadline_requests_merged,
	.former_request = deadline_former_request,
	.next_request = deadline_next_request,
	.insert_request = deadline_insert_request,
	.dispatch_request = mq_deadline_dispatch_request,
	.has_work = deadline_has_work,
	.finish_request = deadline_finish_request,
	.can_dispatch = mq_deadline_can_dispatch,
	.undo_dispatch = deadline_undo_dispatch,
	.state_restored = deadline_state_restored,
	.force_dispatch = deadline_force_dispatch,
};
