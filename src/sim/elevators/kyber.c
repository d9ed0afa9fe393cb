/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kyber: requests of four domains, each with a limited number of tokens, taken in batches
 * from one domain after the other. Nothing is sorted. Processors' lists are flushed as a
 * whole when a domain has nothing ready.
 */
#include "sim/elevators/kyber.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "sim/elevators/elevators.h"
#include "sim/merge.h"

#define KYBER_MERGE_SCAN    8
#define KYBER_ASYNC_PERCENT 75

const char *const kyber_domain_names[KYBER_DOMAINS] = {
	[KYBER_READ] = "READ",
	[KYBER_WRITE] = "WRITE",
	[KYBER_DISCARD] = "DISCARD",
	[KYBER_OTHER] = "OTHER",
};

const unsigned kyber_tokens_max[KYBER_DOMAINS] = {
	[KYBER_READ] = 256,
	[KYBER_WRITE] = 128,
	[KYBER_DISCARD] = 64,
	[KYBER_OTHER] = 16,
};

static const uint8_t batch_sizes[KYBER_DOMAINS] = {
	[KYBER_READ] = 16,
	[KYBER_WRITE] = 8,
	[KYBER_DISCARD] = 1,
	[KYBER_OTHER] = 1,
};

static const struct sim_parameter kyber_parameters[] = {
	{ "read_lat_nsec", offsetof(struct kyber_data, read_lat_ns) },
	{ "write_lat_nsec", offsetof(struct kyber_data, write_lat_ns) },
};

enum kyber_domain kyber_domain_of(enum sim_op op)
{
	switch (op) {
	case SIM_READ:
		return KYBER_READ;
	case SIM_WRITE:
		return KYBER_WRITE;
	case SIM_DISCARD:
		return KYBER_DISCARD;
	case SIM_FLUSH:
	case SIM_OTHER:
		break;
	}
	return KYBER_OTHER;
}

static struct sim_link *list_of(struct kyber_data *kyber, unsigned cpu, unsigned domain)
{
	return &kyber->lists[cpu * KYBER_DOMAINS + domain];
}

static int kyber_init(struct sim_queue *queue)
{
	struct kyber_data *kyber = queue->elevator_data;

	kyber->queues = calloc(queue->hw_queues, sizeof(kyber->queues[0]));
	kyber->lists = calloc((size_t)queue->cpus * KYBER_DOMAINS, sizeof(kyber->lists[0]));
	if (!kyber->queues || !kyber->lists)
		return -ENOMEM;
	for (unsigned domain = 0; domain < KYBER_DOMAINS; domain++) {
		token_map_init(&kyber->tokens[domain], kyber_tokens_max[domain]);
		for (unsigned i = 0; i < queue->hw_queues; i++)
			sim_list_init(&kyber->queues[i].ready[domain]);
		for (unsigned cpu = 0; cpu < queue->cpus; cpu++)
			sim_list_init(list_of(kyber, cpu, domain));
	}
	kyber_latency_init(queue);
	return 0;
}

static void kyber_exit(struct sim_queue *queue)
{
	struct kyber_data *kyber = queue->elevator_data;

	free(kyber->queues);
	free(kyber->lists);
}

static unsigned kyber_limit_depth(struct sim_queue *queue, const struct sim_bio *bio)
{
	bool is_free = queue->kernel.has[SIM_KYBER_ASYNC_OF_QUEUE] ?
			       bio->op == SIM_READ :
			       sim_request_is_sync(bio->op, bio->flags);
	unsigned limit = queue->nr_requests * KYBER_ASYNC_PERCENT / 100;

	if (is_free)
		return queue->nr_requests;
	return limit ? limit : 1;
}

static bool kyber_bio_merge(struct sim_queue *queue, enum sim_op op, uint64_t sector,
			    uint32_t sectors, unsigned cpu, struct sim_request **ret,
			    enum sim_merge *ret_merge)
{
	struct sim_link *list = list_of(queue->elevator_data, cpu, kyber_domain_of(op));
	struct sim_link *link = list->prev;

	for (int i = 0; i < KYBER_MERGE_SCAN && link != list; i++, link = link->prev) {
		struct sim_request *rq = sim_request_of(link);
		enum sim_merge merge = sim_request_merge_kind(rq, op, sector, sectors);

		if (merge != SIM_MERGE_NONE) {
			*ret = rq;
			*ret_merge = merge;
			return true;
		}
	}
	return false;
}

static void kyber_requests_merged(struct sim_queue *queue, struct sim_request *rq,
				  struct sim_request *next)
{
	struct kyber_data *kyber = queue->elevator_data;

	(void)rq;
	sim_list_remove(&next->link);
	kyber->queues[next->hctx].pending[kyber_domain_of(next->op)]--;
}

static int kyber_insert_request(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct kyber_data *kyber = hctx->queue->elevator_data;
	enum kyber_domain domain = kyber_domain_of(rq->op);
	struct sim_link *list = list_of(kyber, rq->cpu, domain);

	rq->domain = (uint8_t)domain;
	if (rq->flags & SIM_REQUEST_AT_HEAD)
		sim_list_add_head(list, &rq->link);
	else
		sim_list_add_tail(list, &rq->link);
	kyber->queues[hctx->index].pending[domain]++;
	return 0;
}

/* Empties the lists of all processors of this hardware queue, in their order. */
static void flush_lists(struct sim_hctx *hctx, enum kyber_domain domain)
{
	struct kyber_data *kyber = hctx->queue->elevator_data;
	struct kyber_queue *kq = &kyber->queues[hctx->index];

	for (unsigned cpu = hctx->index; cpu < hctx->queue->cpus;
	     cpu += hctx->queue->hw_queues)
		sim_list_append(&kq->ready[domain], list_of(kyber, cpu, domain));
	kq->pending[domain] = 0;
}

static void want_run(struct sim_hctx *hctx)
{
	struct sim_queue *queue = hctx->queue;

	if (queue->on_run_wanted)
		queue->on_run_wanted(queue->context, hctx);
}

/* A queue that was woken with others takes its share, and more after them. */
static bool may_take(struct sim_hctx *hctx, struct kyber_queue *kq, enum kyber_domain domain)
{
	if (!kq->has_share[domain])
		return !kq->yields[domain];
	if (kq->share[domain] > 0) {
		kq->share[domain]--;
		return true;
	}
	kq->has_share[domain] = false;
	kq->yields[domain] = true;
	want_run(hctx);
	return false;
}

static struct sim_request *dispatch_domain(struct sim_hctx *hctx, enum kyber_domain domain)
{
	struct kyber_data *kyber = hctx->queue->elevator_data;
	struct kyber_queue *kq = &kyber->queues[hctx->index];
	struct sim_request *rq;
	unsigned token;

	if (sim_list_is_empty(&kq->ready[domain]) && !kq->pending[domain]) {
		kq->has_share[domain] = false;
		return NULL;
	}
	if (!may_take(hctx, kq, domain))
		return NULL;
	if (!token_map_take(&kyber->tokens[domain], &token)) {
		kq->waits[domain] = true;
		kq->has_share[domain] = false;
		return NULL;
	}
	if (sim_list_is_empty(&kq->ready[domain]))
		flush_lists(hctx, domain);
	rq = sim_request_of(kq->ready[domain].next);
	sim_list_remove(&rq->link);
	rq->token = (uint16_t)token;
	rq->has_token = true;
	kyber->state.turns[hctx->index].batching++;
	return rq;
}

static struct sim_request *kyber_dispatch_request(struct sim_hctx *hctx)
{
	struct kyber_data *kyber = hctx->queue->elevator_data;
	struct kyber_turn *turn = &kyber->state.turns[hctx->index];
	struct sim_request *rq;

	memset(kyber->queues[hctx->index].yields, 0, sizeof(kyber->queues[0].yields));
	if (turn->batching < batch_sizes[turn->domain]) {
		rq = dispatch_domain(hctx, turn->domain);
		if (rq) {
			rq->reason = SIM_REASON_DOMAIN_BATCH;
			return rq;
		}
	}
	turn->batching = 0;
	for (unsigned i = 0; i < KYBER_DOMAINS; i++) {
		turn->domain = (uint8_t)((turn->domain + 1) % KYBER_DOMAINS);
		rq = dispatch_domain(hctx, turn->domain);
		if (rq) {
			rq->reason = SIM_REASON_DOMAIN_NEXT;
			return rq;
		}
	}
	return NULL;
}

static bool domain_has_work(const struct kyber_queue *kq, unsigned domain)
{
	return !sim_list_is_empty(&kq->ready[domain]) || kq->pending[domain] > 0;
}

static bool kyber_has_work(const struct sim_hctx *hctx)
{
	const struct kyber_data *kyber = hctx->queue->elevator_data;

	for (unsigned i = 0; i < KYBER_DOMAINS; i++) {
		if (domain_has_work(&kyber->queues[hctx->index], i))
			return true;
	}
	return false;
}

static unsigned count_waiters(const struct kyber_data *kyber, unsigned hw_queues,
			      unsigned domain)
{
	unsigned count = 0;

	for (unsigned i = 0; i < hw_queues; i++)
		count += kyber->queues[i].waits[domain];
	return count;
}

/*
 * So many tokens came back, and as many hardware queues at most are woken, in turn. Their
 * workers run at the same time: none takes more than its share before the others had theirs.
 */
static void wake_waiters(struct sim_queue *queue, unsigned domain)
{
	struct kyber_data *kyber = queue->elevator_data;
	unsigned tokens = kyber->tokens[domain].wake_batch;
	unsigned waiters = count_waiters(kyber, queue->hw_queues, domain);
	unsigned wakes = waiters < tokens ? waiters : tokens;

	for (unsigned left = wakes; left > 0;) {
		struct kyber_queue *kq;

		kyber->woken[domain] = (kyber->woken[domain] + 1) % queue->hw_queues;
		kq = &kyber->queues[kyber->woken[domain]];
		if (!kq->waits[domain])
			continue;
		left--;
		kq->waits[domain] = false;
		kq->share[domain] = waiters > 1 ? (tokens + wakes - 1) / wakes : 0;
		kq->has_share[domain] = waiters > 1;
		want_run(&queue->hctxs[kyber->woken[domain]]);
	}
}

static void kyber_finish_request(struct sim_queue *queue, struct sim_request *rq)
{
	struct kyber_data *kyber = queue->elevator_data;

	if (!rq->has_token)
		return;
	rq->has_token = false;
	if (token_map_give(&kyber->tokens[rq->domain], rq->token))
		wake_waiters(queue, rq->domain);
}

static bool kyber_can_dispatch(const struct sim_hctx *hctx)
{
	const struct kyber_data *kyber = hctx->queue->elevator_data;

	for (unsigned i = 0; i < KYBER_DOMAINS; i++) {
		if (domain_has_work(&kyber->queues[hctx->index], i) &&
		    token_map_has_free(&kyber->tokens[i]))
			return true;
	}
	return false;
}

static int kyber_undo_dispatch(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct kyber_data *kyber = hctx->queue->elevator_data;

	token_map_undo(&kyber->tokens[rq->domain], rq->token);
	rq->has_token = false;
	sim_list_add_head(&kyber->queues[hctx->index].ready[rq->domain], &rq->link);
	return 0;
}

/*
 * The kernel took a request of this domain: if the domain differs from the current one,
 * its turn came.
 */
static void kyber_force_dispatch(struct sim_hctx *hctx, struct sim_request *rq)
{
	struct kyber_data *kyber = hctx->queue->elevator_data;
	struct kyber_turn *turn = &kyber->state.turns[hctx->index];
	unsigned token;

	if (kyber->queues[hctx->index].pending[rq->domain])
		flush_lists(hctx, rq->domain);
	sim_list_remove(&rq->link);
	if (token_map_take(&kyber->tokens[rq->domain], &token)) {
		rq->token = (uint16_t)token;
		rq->has_token = true;
	}
	if (turn->domain != rq->domain || turn->batching >= batch_sizes[rq->domain])
		turn->batching = 0;
	turn->domain = rq->domain;
	turn->batching++;
}

const struct sim_elevator_ops sim_elevator_kyber = {
	.name = "kyber",
	.kind = QUEUE_MQ,
	.parameters = kyber_parameters,
	.parameter_count = ARRAY_SIZE(kyber_parameters),
	.data_size = sizeof(struct kyber_data),
	.state_size = sizeof(struct kyber_state),
	.init_sched = kyber_init,
	.exit_sched = kyber_exit,
	.limit_depth = kyber_limit_depth,
	.bio_merge = kyber_bio_merge,
	.requests_merged = kyber_requests_merged,
	.insert_request = kyber_insert_request,
	.dispatch_request = kyber_dispatch_request,
	.has_work = kyber_has_work,
	.completed_request = kyber_completed_request,
	.finish_request = kyber_finish_request,
	.timer = kyber_timer,
	.can_dispatch = kyber_can_dispatch,
	.undo_dispatch = kyber_undo_dispatch,
	.force_dispatch = kyber_force_dispatch,
};
