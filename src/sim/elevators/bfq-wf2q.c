/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * B-WF2Q+: which queue is served next. Each has a virtual start and finish, finish = start
 * + budget / weight; of those that have started, the one that finishes first goes, in the
 * highest class that has any. A queue that leaves keeps its finish for as long as it lies
 * ahead (idle tree), so that coming back at once is no advantage.
 */
#include "sim/elevators/bfq.h"

/* Virtual time has this many bits below one sector over one unit of weight. */
#define VTIME_SHIFT 22

/* The idle class gets a turn this often, whatever else waits: 200 ms. */
#define IDLE_CLASS_MS 200

static struct bfq_queue *queue_of(struct bfq_node *node)
{
	return node ? SIM_ENTRY(node, struct bfq_queue, node) : NULL;
}

static struct bfq_service *service_of(struct bfq_data *bfq, const struct bfq_queue *q)
{
	return &bfq->classes[q->class];
}

static uint64_t delta(int64_t sectors, uint64_t weight)
{
	return ((uint64_t)sectors << VTIME_SHIFT) / weight;
}

static void set_finish(struct bfq_queue *q, int64_t sectors)
{
	q->finish = q->start + delta(sectors, q->weight);
}

/* --- trees -------------------------------------------------------------------------- */

static void leave_tree(struct bfq_data *bfq, struct bfq_queue *q)
{
	struct bfq_service *service = service_of(bfq, q);

	if (q->place == BFQ_ACTIVE) {
		bfq_tree_remove(&service->active, &q->node);
		sim_list_remove(&q->active_link);
	} else if (q->place == BFQ_IDLE) {
		bfq_tree_remove(&service->idle, &q->node);
	}
	q->place = BFQ_NOWHERE;
}

static void enter_tree(struct bfq_data *bfq, struct bfq_queue *q, enum bfq_place place)
{
	struct bfq_service *service = service_of(bfq, q);

	q->node.key = q->finish;
	q->node.low = q->start;
	q->place = place;
	if (place == BFQ_ACTIVE) {
		bfq_tree_insert(&service->active, &q->node);
		sim_list_add_head(&bfq->active_list, &q->active_link);
	} else {
		bfq_tree_insert(&service->idle, &q->node);
	}
}

static void forget(struct bfq_data *bfq, struct bfq_queue *q)
{
	if (!q->is_counted)
		return;
	q->is_counted = false;
	service_of(bfq, q)->weights -= q->weight;
}

/* Virtual time passed: one queue at most drops out of the idle tree each time. */
static void forget_idle(struct bfq_data *bfq, struct bfq_service *service)
{
	struct bfq_queue *first = queue_of(bfq_tree_first(&service->idle));

	if (!first)
		return;
	if (!service->active.root) {
		const struct bfq_queue *last = queue_of(bfq_tree_last(&service->idle));

		/* Nobody to be fair to: time stands where the last one ended. */
		if (last->finish <= service->vtime)
			service->vtime = last->finish;
	}
	if (first->finish <= service->vtime) {
		leave_tree(bfq, first);
		forget(bfq, first);
		bfq_release(bfq, first);
	}
}

/* --- weights ------------------------------------------------------------------------ */

void bfq_count_weight(struct bfq_data *bfq, struct bfq_queue *q)
{
	if (q->is_weight_counted)
		return;
	q->is_weight_counted = true;
	q->weight_level = (uint8_t)(BFQ_LEVELS - q->weight / 10);
	bfq->weights[q->weight_level]++;
}

void bfq_uncount_weight(struct bfq_data *bfq, struct bfq_queue *q)
{
	if (!q->is_weight_counted)
		return;
	q->is_weight_counted = false;
	bfq->weights[q->weight_level]--;
}

static bool has_varied_weights(const struct bfq_data *bfq, const struct bfq_queue *q)
{
	unsigned kinds = 0, lowest = 0;

	for (unsigned level = 0; level < BFQ_LEVELS; level++) {
		if (bfq->weights[level]) {
			kinds++;
			lowest = level;
		}
	}
	/* Who has the least weight anyway loses nothing by not idling. */
	if (q && q->is_weight_counted && q->weight_level == lowest)
		return false;
	return kinds > 1;
}

bool bfq_is_asymmetric(const struct bfq_data *bfq, const struct bfq_queue *q)
{
	unsigned classes = 0;

	for (unsigned i = 0; i < SIM_CLASSES; i++)
		classes += bfq->busy[i] > 0;
	return classes > 1 || has_varied_weights(bfq, q);
}

static void change_class(struct bfq_data *bfq, struct bfq_queue *q)
{
	if (q->is_busy) {
		bfq->busy[q->class]--;
		bfq->busy[q->new_class]++;
	}
	q->class = q->new_class;
}

/* A pending change of weight or class takes effect. The queue is in no tree. */
void bfq_update_weight(struct bfq_data *bfq, struct bfq_queue *q, bool with_class)
{
	struct bfq_service *old = service_of(bfq, q);
	unsigned before = q->weight;

	if (!q->prio_changed)
		return;
	if (q->is_counted)
		old->weights -= q->weight;
	q->orig_weight = (unsigned)(BFQ_LEVELS - q->level) * 10;
	if (with_class && q->class != q->new_class)
		change_class(bfq, q);
	if (q->class == q->new_class)
		q->prio_changed = false;
	q->weight = q->orig_weight * q->raise.coeff;
	if (q->weight != before) {
		bool was_counted = q->is_weight_counted;

		bfq_uncount_weight(bfq, q);
		if (q->raise.coeff == 1 && (was_counted || q->is_busy))
			bfq_count_weight(bfq, q);
	}
	if (q->is_counted)
		service_of(bfq, q)->weights += q->weight;
	if (service_of(bfq, q) != old)
		q->start = service_of(bfq, q)->vtime;
}

/* --- the choice --------------------------------------------------------------------- */

static struct bfq_queue *look_up_in(struct bfq_data *bfq, struct bfq_service *service,
				    bool in_service)
{
	uint64_t vtime = service->vtime;

	if (!service->active.root)
		return NULL;
	/* When none has started, time jumps to the first that does. */
	if (service->active.root->min_low > vtime)
		vtime = service->active.root->min_low;
	if (!in_service && vtime > service->vtime) {
		service->vtime = vtime;
		forget_idle(bfq, service);
	}
	return queue_of(bfq_tree_first_low(&service->active, vtime));
}

static struct bfq_queue *look_up(struct bfq_data *bfq, bool is_expiry)
{
	bool in_service = bfq->in_service && !is_expiry;
	unsigned class = 0;
	int64_t now = bfq_now(bfq);

	if (bfq->idle_class_served + bfq_ms(bfq, IDLE_CLASS_MS) < now) {
		if (bfq->classes[SIM_CLASS_IDLE].active.root)
			class = SIM_CLASS_IDLE;
		bfq->idle_class_served = now;
	}
	for (; class < SIM_CLASSES; class ++) {
		struct bfq_queue *q = look_up_in(bfq, &bfq->classes[class], in_service);

		if (q)
			return q;
	}
	return NULL;
}

/* `changed` came or moved: it may be the next one, or the next one may be another. */
static void update_next(struct bfq_data *bfq, struct bfq_queue *changed, bool is_expiry)
{
	struct bfq_queue *next = bfq->next;

	if (changed && changed != next) {
		if (!next) {
			bfq->next = changed;
			return;
		}
		if (changed->class == next->class &&
		    changed->start <= service_of(bfq, changed)->vtime &&
		    next->finish > changed->finish) {
			bfq->next = changed;
			return;
		}
	}
	bfq->next = look_up(bfq, is_expiry);
}

/* --- coming and going --------------------------------------------------------------- */

static void enqueue(struct bfq_data *bfq, struct bfq_queue *q, bool is_shifted_back)
{
	bfq_update_weight(bfq, q, true);
	set_finish(q, q->budget);
	if (is_shifted_back && service_of(bfq, q)->vtime > q->finish) {
		uint64_t missed =
			(service_of(bfq, q)->vtime - q->finish) / q->raise.coeff;

		q->start += missed;
		q->finish += missed;
	}
	enter_tree(bfq, q, BFQ_ACTIVE);
}

static void activate(struct bfq_data *bfq, struct bfq_queue *q)
{
	struct bfq_service *service = service_of(bfq, q);
	uint64_t start = service->vtime;
	bool is_shifted_back = false;

	/* It only waited for its own completions: it goes on where it stood. */
	if (q->waited_not_blocking && service->vtime > q->finish) {
		is_shifted_back = true;
		start = q->finish;
	}
	if (q->place == BFQ_IDLE) {
		leave_tree(bfq, q);
		q->start = start > q->finish ? start : q->finish;
	} else {
		q->start = start;
		if (!q->is_counted)
			service->weights += q->weight;
		q->is_counted = true;
	}
	enqueue(bfq, q, is_shifted_back);
	update_next(bfq, q, false);
	q->waited_not_blocking = false;
}

void bfq_requeue(struct bfq_data *bfq, struct bfq_queue *q, bool is_expiry)
{
	leave_tree(bfq, q);
	if (q == bfq->in_service) {
		set_finish(q, q->service);
		q->start = q->finish;
	}
	enqueue(bfq, q, false);
	update_next(bfq, q, is_expiry);
}

static void deactivate(struct bfq_data *bfq, struct bfq_queue *q, bool is_expiry)
{
	if (!q->is_counted)
		return;
	/* In service or not, it has had no more than this. */
	set_finish(q, q->service);
	leave_tree(bfq, q);
	if (q->finish > service_of(bfq, q)->vtime)
		enter_tree(bfq, q, BFQ_IDLE);
	else
		forget(bfq, q);
	if (bfq->next == q)
		update_next(bfq, NULL, is_expiry);
}

void bfq_add_busy(struct bfq_data *bfq, struct bfq_queue *q)
{
	activate(bfq, q);
	q->is_busy = true;
	bfq->busy[q->class]++;
	if (!q->dispatched && q->raise.coeff == 1)
		bfq_count_weight(bfq, q);
	if (q->raise.coeff > 1)
		bfq->busy_raised++;
}

void bfq_del_busy(struct bfq_data *bfq, struct bfq_queue *q, bool is_expiry)
{
	q->is_busy = false;
	bfq->busy[q->class]--;
	if (q->raise.coeff > 1)
		bfq->busy_raised--;
	deactivate(bfq, q, is_expiry);
	if (!q->dispatched)
		bfq_uncount_weight(bfq, q);
}

void bfq_take_queue(struct bfq_data *bfq, struct bfq_queue *q)
{
	leave_tree(bfq, q);
	bfq->in_service = q;
	update_next(bfq, NULL, false);
}

struct bfq_queue *bfq_next_queue(struct bfq_data *bfq)
{
	struct bfq_queue *q = bfq->next;

	if (q)
		bfq_take_queue(bfq, q);
	return q;
}

void bfq_served(struct bfq_data *bfq, struct bfq_queue *q, int64_t sectors)
{
	struct bfq_service *service = service_of(bfq, q);

	if (!q->backlog_service)
		q->first_io = bfq_now(bfq);
	if (q->raise.coeff > 1)
		q->raise.service += (uint64_t)sectors;
	q->backlog_service += (uint64_t)sectors;
	q->service += sectors;
	if (!service->weights)
		return;
	service->vtime += delta(sectors, service->weights);
	forget_idle(bfq, service);
}
