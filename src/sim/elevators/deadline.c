/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * deadline, the legacy single-queue scheduler: mq-deadline as it was up to 5.13, without
 * classes, and pulled by the driver one request at a time.
 */
#include "sim/elevators/elevators.h"

#include "sim/elevators/deadline-core.h"

static const struct sim_parameter deadline_parameters[] = {
	{ "read_expire", offsetof(struct deadline_data, read_expire_ms) },
	{ "write_expire", offsetof(struct deadline_data, write_expire_ms) },
	{ "writes_starved", offsetof(struct deadline_data, writes_starved) },
	{ "fifo_batch", offsetof(struct deadline_data, fifo_batch) },
	{ "front_merges", offsetof(struct deadline_data, front_merges) },
};

static struct sim_request *deadline_dispatch_request(struct sim_hctx *hctx)
{
	return deadline_dispatch_class(hctx->queue, 0, false);
}

const struct sim_elevator_ops sim_elevator_deadline = {
	.name = "deadline",
	.kind = QUEUE_LEGACY,
	.parameters = deadline_parameters,
	.parameter_count = ARRAY_SIZE(deadline_parameters),
	.data_size = sizeof(struct deadline_data),
	.state_size = sizeof(struct deadline_state),
	.merges_inserts = true,
	.init_sched = deadline_init,
	.exit_sched = deadline_exit,
	.request_merge = deadline_request_merge,
	.request_merged = deadline_request_merged,
	.requests_merged = deadline_requests_merged,
	.former_request = deadline_former_request,
	.next_request = deadline_next_request,
	.insert_request = deadline_insert_request,
	.dispatch_request = deadline_dispatch_request,
	.has_work = deadline_has_work,
	.finish_request = deadline_finish_request,
	.can_dispatch = deadline_has_work,
	.undo_dispatch = deadline_undo_dispatch,
	.state_restored = deadline_state_restored,
	.force_dispatch = deadline_force_dispatch,
};
