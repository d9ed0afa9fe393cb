/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The policies of the operating-systems literature: FIFO, SSTF, SCAN, C-SCAN, LOOK and
 * C-LOOK. No deadlines, no processes, no classes; each request is chosen when the device is
 * free for it, from where the head stands: over the last sector of the request before.
 * They do not merge unless they are told to, so that an order can be checked by hand.
 */
#include "sim/elevators/elevators.h"

#include "sim/merge.h"
#include "sim/queue.h"
#include "tunable/tunable.h"
#include "util/i18n.h"

struct textbook_data {
	int64_t start, direction, merges;

	struct sector_tree sorted;
	struct sim_link fifo;
	struct sim_link head;    /* at-head requests */
	uint64_t pos_sectors;    /* of the head */
	uint64_t last_sector;    /* of the medium; the highest one seen, where that is not known */
	bool is_up;              /* the sweep goes to higher sectors */
};

/* clang-format off: tables, one row an entry; both in the same order */
static const struct sim_parameter textbook_parameters[] = {
	{ "start", offsetof(struct textbook_data, start) },
	{ "direction", offsetof(struct textbook_data, direction) },
	{ "merges", offsetof(struct textbook_data, merges) },
};

#define ROW(name, type_, unit_, max_, initial_, ...)                                     \
	{ .key = name, .file = name, .place = TUNABLE_IOSCHED, .type = type_,            \
	  .unit = unit_, .max = max_, .initial = initial_, .phase = PHASE_IOSCHED,       \
	  .is_policy = true, __VA_ARGS__ }
static const struct tunable textbook_rows[] = {
	ROW("start", TUNABLE_INT, UNIT_NONE, INT64_MAX, "0",
	    .help = N_("sector over which the head stands at first")),
	ROW("direction", TUNABLE_BOOL, UNIT_BOOL, 1, "1",
	    .help = N_("first sweep: 1 to higher sectors, 0 to lower ones")),
	ROW("merges", TUNABLE_BOOL, UNIT_BOOL, 1, "0",
	    .help = N_("merge requests that touch each other")),
};
/* clang-format on */

static struct textbook_data *data_of(const struct sim_queue *queue)
{
	return queue->elevator_data;
}

static uint64_t last_sector_of(const struct sim_request *rq)
{
	return rq->sectors ? sim_request_end(rq) - 1 : rq->sector;
}

static int textbook_init(struct sim_queue *queue)
{
	struct textbook_data *data = data_of(queue);

	sector_tree_init(&data->sorted, &queue->sector_pools);
	sim_list_init(&data->fifo);
	sim_list_init(&data->head);
	data->pos_sectors = (uint64_t)data->start;
	data->is_up = data->direction;
	data->last_sector = queue->capacity_sectors ? queue->capacity_sectors - 1 :
						      data->pos_sectors;
	if (data->pos_sectors > data->last_sector)
		data->pos_sectors = data->last_sector;
	return 0;
}

/* --- choosing, where something is sorted, with the reason in the request --------------- */

/* The nearest request in a direction, from where the head stands; NULL: none. */
static struct sim_request *ahead(const struct textbook_data *data, bool is_up)
{
	if (is_up)
		return sector_tree_at_or_after(&data->sorted, data->pos_sectors);
	return sector_tree_before(&data->sorted, data->pos_sectors + 1);
}

static struct sim_request *because(struct sim_request *rq, enum sim_reason reason)
{
	rq->reason = (uint8_t)reason;
	return rq;
}

static struct sim_request *choose_fifo(struct textbook_data *data)
{
	return because(sim_request_of(data->fifo.next), SIM_REASON_FIFO);
}

/* Equally near: the older one. */
static struct sim_request *choose_sstf(struct textbook_data *data)
{
	struct sim_request *up = ahead(data, true), *down = ahead(data, false);
	uint64_t up_sectors, down_sectors;

	if (!up || !down)
		return because(up ? up : down, SIM_REASON_NEAREST);
	up_sectors = up->sector - data->pos_sectors;
	down_sectors = data->pos_sectors - down->sector;
	if (up_sectors == down_sectors)
		return because(up->number < down->number ? up : down, SIM_REASON_NEAREST);
	return because(up_sectors < down_sectors ? up : down, SIM_REASON_NEAREST);
}

/* To and fro; `turn` is why the other direction began. */
static struct sim_request *sweep(struct textbook_data *data, enum sim_reason turn)
{
	struct sim_request *rq = ahead(data, data->is_up);

	if (rq)
		return because(rq, SIM_REASON_SWEEP);
	data->is_up = !data->is_up;
	return because(ahead(data, data->is_up), turn);
}

/* Always in one direction; `wrap` is why it began anew. */
static struct sim_request *sweep_one_way(struct textbook_data *data, enum sim_reason wrap)
{
	struct sim_request *rq = ahead(data, data->is_up);

	if (rq)
		return because(rq, SIM_REASON_SWEEP);
	rq = data->is_up ? sector_tree_at_or_after(&data->sorted, 0) :
			   sector_tree_before(&data->sorted, UINT64_MAX);
	return because(rq, wrap);
}

static struct sim_request *choose_scan(struct textbook_data *data)
{
	return sweep(data, SIM_REASON_EDGE);
}

static struct sim_request *choose_look(struct textbook_data *data)
{
	return sweep(data, SIM_REASON_TURN);
}

static struct sim_request *choose_c_scan(struct textbook_data *data)
{
	return sweep_one_way(data, SIM_REASON_EDGE_WRAP);
}

static struct sim_request *choose_c_look(struct textbook_data *data)
{
	return sweep_one_way(data, SIM_REASON_WRAP);
}

/* --- requests ------------------------------------------------------------------------- */

static void take_out(struct sim_queue *queue, struct sim_request *rq)
{
	if (rq->leaf)
		sector_tree_remove(&data_of(queue)->sorted, rq);
	sim_list_remove(&rq->link);
	merge_hash_remove(&queue->merge_hash, rq);
	if (queue->last_merge == rq)
		queue->last_merge = NULL;
}

static struct sim_request *
dispatch(struct sim_hctx *hctx, struct sim_request *(*choose)(struct textbook_data *data))
{
	struct sim_queue *queue = hctx->queue;
	struct textbook_data *data = data_of(queue);
	struct sim_request *rq;

	if (!sim_list_is_empty(&data->head))
		rq = because(sim_request_of(data->head.next), SIM_REASON_AT_HEAD);
	else if (!sim_list_is_empty(&data->fifo))
		rq = choose(data);
	else
		return NULL;
	take_out(queue, rq);
	data->pos_sectors = last_sector_of(rq);
	return rq;
}

/* The sweep's turn is read from the reason: right after dispatch only. */
static unsigned textbook_head_path(const struct sim_queue *queue,
				   const struct sim_request *rq, uint64_t ret[2])
{
	const struct textbook_data *data = data_of(queue);

	if (rq->reason == SIM_REASON_EDGE) {
		ret[0] = data->is_up ? 0 : data->last_sector;
		return 1;
	}
	if (rq->reason == SIM_REASON_EDGE_WRAP) {
		ret[0] = data->is_up ? data->last_sector : 0;
		ret[1] = data->is_up ? 0 : data->last_sector;
		return 2;
	}
	return 0;
}

static int textbook_insert_request(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct sim_queue *queue = hctx->queue;
	struct textbook_data *data = data_of(queue);
	int r;

	if (last_sector_of(rq) > data->last_sector)
		data->last_sector = last_sector_of(rq);
	if (rq->flags & SIM_REQUEST_AT_HEAD) {
		sim_list_add_head(&data->head, &rq->link);
		return 0;
	}
	r = sector_tree_insert(&data->sorted, rq);
	if (r < 0)
		return r;
	sim_list_add_tail(&data->fifo, &rq->link);
	if (data->merges)
		merge_hash_add(&queue->merge_hash, rq);
	return 0;
}

static bool textbook_has_work(const struct sim_hctx *hctx)
{
	const struct textbook_data *data = data_of(hctx->queue);

	return !sim_list_is_empty(&data->fifo) || !sim_list_is_empty(&data->head);
}

/* --- merging, where it is wanted ------------------------------------------------------ */

static struct sim_request *textbook_request_merge(struct sim_queue *queue,
						  const struct sim_bio *bio)
{
	struct textbook_data *data = data_of(queue);
	struct sim_request *rq;

	if (!data->merges)
		return NULL;
	rq = sector_tree_find(&data->sorted, bio->sector + bio->sectors);
	return rq && rq->op == bio->op ? rq : NULL;
}

static int textbook_request_merged(struct sim_queue *queue, struct sim_request *rq,
				   enum sim_merge merge, uint64_t old_sector)
{
	struct textbook_data *data = data_of(queue);
	uint64_t sector = rq->sector;

	if (last_sector_of(rq) > data->last_sector)
		data->last_sector = last_sector_of(rq);
	if (merge != SIM_MERGE_FRONT || !rq->leaf)
		return 0;
	rq->sector = old_sector;
	sector_tree_remove(&data->sorted, rq);
	rq->sector = sector;
	return sector_tree_insert(&data->sorted, rq);
}

static void textbook_requests_merged(struct sim_queue *queue, struct sim_request *rq,
				     struct sim_request *next)
{
	/* The older one's place in the line. */
	if (rq->leaf && next->leaf && next->number < rq->number) {
		sim_list_remove(&rq->link);
		sim_list_add_before(&next->link, &rq->link);
		rq->number = next->number;
	}
	take_out(queue, next);
}

static struct sim_request *textbook_former_request(struct sim_queue *queue,
						   struct sim_request *rq)
{
	return data_of(queue)->merges && rq->leaf ? sector_tree_prev(rq) : NULL;
}

static struct sim_request *textbook_next_request(struct sim_queue *queue,
						 struct sim_request *rq)
{
	return data_of(queue)->merges && rq->leaf ? sector_tree_next(rq) : NULL;
}

/* --- the table ------------------------------------------------------------------------ */

#define POLICY(policy, name_)                                                            \
	static struct sim_request *dispatch_##policy(struct sim_hctx *hctx)              \
	{                                                                                \
		return dispatch(hctx, choose_##policy);                                  \
	}                                                                                \
	const struct sim_elevator_ops sim_elevator_##policy = {                          \
		.name = name_,                                                           \
		.kind = QUEUE_LEGACY,                                                    \
		.parameters = textbook_parameters,                                       \
		.parameter_count = ARRAY_SIZE(textbook_parameters),                      \
		.parameter_rows = textbook_rows,                                         \
		.data_size = sizeof(struct textbook_data),                               \
		.chooses_late = true,                                                    \
		.init_sched = textbook_init,                                             \
		.request_merge = textbook_request_merge,                                 \
		.request_merged = textbook_request_merged,                               \
		.requests_merged = textbook_requests_merged,                             \
		.former_request = textbook_former_request,                               \
		.next_request = textbook_next_request,                                   \
		.insert_request = textbook_insert_request,                               \
		.dispatch_request = dispatch_##policy,                                   \
		.has_work = textbook_has_work,                                           \
		.head_path = textbook_head_path,                                         \
	}

POLICY(fifo, "fifo");
POLICY(sstf, "sstf");
POLICY(scan, "scan");
POLICY(c_scan, "c-scan");
POLICY(look, "look");
POLICY(c_look, "c-look");
