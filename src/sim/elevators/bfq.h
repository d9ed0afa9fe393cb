/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * BFQ, in parts: processes and their queues (bfq-process.c), the virtual-time order
 * (bfq-wf2q.c), the order within a queue (bfq-queue.c), service slots and budgets
 * (bfq-slot.c), the device's rate (bfq-rate.c), weight raising (bfq-raise.c), idling
 * (bfq-idle.c), injection (bfq-inject.c) and queues that become one (bfq-merge.c).
 *
 * Source: the algorithm is as described in Valente and Checconi, "High Throughput Disk
 * Scheduling with Fair Bandwidth Distribution" (2010), Valente and Avanzini, "Evolution of
 * the BFQ Storage-I/O Scheduler" (2015), and the kernel's documentation of BFQ. These do not
 * give every constant, nor the order in which the rules are asked: those come from general
 * knowledge of how BFQ behaves (facts on bfq), corrected against recordings of 5.10. What
 * changes at 5.12, 5.13, 5.14 and 5.18 is not confirmed by a recording. There are no control
 * groups here: all queues are those of the root group.
 *
 * Moments are in jiffies where the kernel's are, because rounding to them decides things.
 */
#ifndef IOSCHED_SIM_ELEVATORS_BFQ_H
#define IOSCHED_SIM_ELEVATORS_BFQ_H

#include <stdint.h>

#include "sim/elevators/bfq-tree.h"
#include "sim/queue.h"

#define BFQ_LEVELS        8
#define BFQ_LEVEL_DEFAULT 4

/* "Never": before every moment, however much is added. */
#define BFQ_LONG_AGO (INT64_MIN / 4)

/* Shortest time that counts as think or idle time: 2 ms (facts: seeky queues). */
#define BFQ_MIN_TT_NS UINT64_C(2000000)

/* Service times of requests below this many sectors are dominated by the seek. */
#define BFQ_SMALL_SECTORS 64

enum bfq_expiry {
	BFQ_TOO_IDLE, /* the idle timer ran out */
	BFQ_BUDGET_TIMEOUT,
	BFQ_BUDGET_EXHAUSTED,
	BFQ_NO_MORE_REQUESTS,
	BFQ_PREEMPTED,
};

enum bfq_place {
	BFQ_NOWHERE,
	BFQ_ACTIVE,
	BFQ_IDLE
};

/* A weight-raising period (bfq-raise.c). */
struct bfq_raise {
	unsigned coeff;            /* 1: not raised */
	int64_t max_time;          /* jiffies that it lasts */
	int64_t start;             /* of the period, or end of the last one */
	int64_t interactive_start; /* of the interactive one that a soft one replaced */
	uint64_t service;          /* sectors received in it */
};

/* Think time: exponential average over the last requests. */
struct bfq_think {
	uint64_t last_end_ns; /* last completion */
	uint64_t total_ns, mean_ns;
	unsigned samples;
};

struct bfq_queue {
	struct bfq_node node;        /* active or idle tree: key finish, low start */
	struct bfq_node close;       /* queues by their next request's sector */
	uint64_t id;                 /* slot and generation, never used again */
	struct bfq_process *process; /* the only one whose queue this is, else NULL */

	/* --- virtual time --- */
	enum bfq_place place;
	bool is_counted;        /* its weight is part of its class's sum */
	bool is_weight_counted; /* among the distinct weights */
	bool prio_changed;
	uint8_t class, new_class;
	uint8_t level, weight_level; /* new_weight's and weight's */
	uint64_t start, finish;
	int64_t budget, service; /* sectors */
	int64_t max_budget;
	unsigned weight, orig_weight;

	/* --- requests --- */
	struct sector_tree sorted;
	struct sim_link fifo;
	struct sim_request *next_rq;
	unsigned queued[2]; /* async, sync */
	unsigned dispatched;
	unsigned allocated; /* waiting or dispatched */

	bool is_sync, is_busy, is_just_created, is_close;
	bool waits_request;       /* the idle timer runs for it */
	bool waited_not_blocking; /* left the slot while it could still go on with it */
	bool fifo_checked;        /* in this slot */
	bool has_short_think, is_io_bound, in_large_burst;
	bool softrt_update;
	bool is_shared, must_split;
	unsigned processes; /* whose queue this is */
	unsigned pins;      /* planned merges that point here */

	/* --- what it does --- */
	uint32_t seek_history; /* a bit for each of the last 32 requests: far away */
	uint64_t last_request_pos;
	struct bfq_think think;
	uint64_t io_start_ns, idle_total_ns;
	unsigned within_timer;  /* 5.10: requests in time, in a row */
	int64_t budget_timeout; /* in service: end of the slot; else since when it idles */
	int64_t last_idle_backlogged, first_io, split_time, created;
	uint64_t backlog_service; /* sectors since it got busy */
	int64_t soft_rt_next_start;
	struct bfq_raise raise;
	struct sim_link burst_link;

	/* --- injection --- */
	unsigned inject_limit;
	int64_t decrease_time;
	uint64_t last_serv_ns; /* total service time without injection */
	struct bfq_queue *waker;
	struct sim_link woken, woken_link;
	uint64_t candidate_waker;
	unsigned candidate_count;
	uint64_t candidate_since_ns;

	uint64_t merged_into;        /* id of the queue that gets its next requests */
	struct sim_link active_link; /* active queues, newest first */
};

/* What a process gets back when its queue is split off again. */
struct bfq_saved {
	struct bfq_raise raise;
	struct bfq_think think;
	uint64_t io_start_ns, idle_total_ns, last_serv_ns;
	unsigned inject_limit;
	int64_t decrease_time;
	bool has_short_think, is_io_bound, in_large_burst, was_in_burst, is_valid;
};

struct bfq_process {
	struct bfq_process *hash_next;
	struct sim_link lru;
	uint32_t pid;
	uint8_t class, level;
	bool stably_merged;
	unsigned requests;
	struct bfq_queue *sync, *async;
	uint64_t stable; /* the queue to become one with, later */
	struct bfq_saved saved;
};

/* One priority class. */
struct bfq_service {
	struct bfq_tree active, idle;
	uint64_t vtime, weights;
};

/* What choosing changes and replay can simply set back. */
struct bfq_state {
	uint64_t last_position;
};

struct bfq_data {
	struct bfq_state state;
	int64_t fifo_expire_sync_ms, fifo_expire_async_ms, back_seek_max_kib;
	int64_t back_seek_penalty, slice_idle_ms, slice_idle_us, max_budget_sectors;
	int64_t timeout_sync_ms, strict_guarantees, low_latency;

	struct sim_queue *queue;
	uint64_t fifo_expire_ns[2]; /* async, sync */
	uint64_t slice_idle_ns, back_max;
	int64_t timeout; /* jiffies of a slot */

	/* --- virtual time --- */
	struct bfq_service classes[SIM_CLASSES];
	struct bfq_queue *next, *in_service;
	int64_t idle_class_served;
	unsigned busy[SIM_CLASSES], busy_raised;
	unsigned weights
		[BFQ_LEVELS]; /* queues with requests, not raised, of each weight */
	struct sim_link active_list;
	struct sim_link head; /* inserted at the head */

	/* --- slots --- */
	unsigned queued, in_driver;
	uint64_t budgets_assigned; /* average, scaled */
	int64_t max_budget;
	uint64_t budget_start_ns, idling_start_ns;

	/* --- the device --- */
	int hw_tag; /* -1: not known yet */
	unsigned max_in_driver, hw_tag_samples;
	bool is_fast; /* no rotation, and it queues */
	uint64_t first_dispatch_ns, last_dispatch_ns, last_completion_ns;
	uint64_t rate; /* peak, sectors a microsecond << BFQ_RATE_SHIFT */
	uint64_t rate_samples, sequential_samples, sampled_sectors, delta_first_ns;
	uint32_t last_rq_max;

	/* --- raising --- */
	uint64_t rate_duration; /* rate times raising time of a reference device */
	struct sim_link burst;
	unsigned burst_size;
	bool large_burst;
	int64_t last_in_burst;

	/* --- injection --- */
	bool wait_dispatch, was_injected;
	struct sim_request *waited;
	uint64_t empty_occupied_ns;
	uint64_t last_completed; /* queue id */

	/* --- merging --- */
	struct bfq_tree close;
	uint64_t in_service_pos, last_created;

	/* --- processes and queues --- */
	struct bfq_process **buckets;
	size_t process_count;
	struct sim_link lru;
	struct pool processes, queue_pool;
	struct bfq_queue **slots;
	uint64_t *generations;
	uint32_t slot_count, slots_room, *free_slots, free_count;
	struct bfq_queue *async[2][BFQ_LEVELS], *async_idle;
};

static inline struct bfq_data *bfq_of(const struct sim_queue *queue)
{
	return queue->elevator_data;
}

static inline int64_t bfq_now(struct bfq_data *bfq)
{
	return (int64_t)sim_queue_jiffies(bfq->queue);
}

static inline int64_t bfq_ms(const struct bfq_data *bfq, int64_t ms)
{
	return (int64_t)sim_queue_ms_to_jiffies(bfq->queue, ms);
}

static inline unsigned bfq_busy(const struct bfq_data *bfq)
{
	return bfq->busy[SIM_CLASS_RT] + bfq->busy[SIM_CLASS_BE] +
	       bfq->busy[SIM_CLASS_IDLE];
}

static inline bool bfq_is_empty(const struct bfq_queue *q)
{
	return q->queued[0] + q->queued[1] == 0;
}

static inline int64_t bfq_budget_left(const struct bfq_queue *q)
{
	return q->budget - q->service;
}

static inline bool bfq_rq_is_sync(const struct sim_request *rq)
{
	return sim_request_is_sync(rq->op, rq->flags);
}

/* --- processes and queues (bfq-process.c) --- */

int bfq_processes_init(struct bfq_data *bfq);
void bfq_processes_done(struct bfq_data *bfq);
/* The queue that the request belongs to, made if need be. NULL without memory. */
struct bfq_queue *bfq_queue_for(struct bfq_data *bfq, const struct sim_request *rq,
				struct bfq_process **ret);
struct bfq_process *bfq_find_process(const struct bfq_data *bfq, uint32_t pid);
struct bfq_queue *bfq_queue_of(const struct bfq_data *bfq, const struct sim_request *rq);
/* NULL when the queue has gone. */
struct bfq_queue *bfq_deref(const struct bfq_data *bfq, uint64_t id);
/* Frees it if nobody needs it any more. */
void bfq_release(struct bfq_data *bfq, struct bfq_queue *q);
void bfq_unpin(struct bfq_data *bfq, uint64_t id);

/* --- virtual time (bfq-wf2q.c) --- */

void bfq_add_busy(struct bfq_data *bfq, struct bfq_queue *q);
/* `is_expiry`: the queue leaves service with it. */
void bfq_del_busy(struct bfq_data *bfq, struct bfq_queue *q, bool is_expiry);
void bfq_requeue(struct bfq_data *bfq, struct bfq_queue *q, bool is_expiry);
/* Takes the next queue into service; NULL when none is busy. */
struct bfq_queue *bfq_next_queue(struct bfq_data *bfq);
/* The same for a queue that is not the next one. */
void bfq_take_queue(struct bfq_data *bfq, struct bfq_queue *q);
void bfq_served(struct bfq_data *bfq, struct bfq_queue *q, int64_t sectors);
void bfq_update_weight(struct bfq_data *bfq, struct bfq_queue *q, bool with_class);
void bfq_count_weight(struct bfq_data *bfq, struct bfq_queue *q);
void bfq_uncount_weight(struct bfq_data *bfq, struct bfq_queue *q);
bool bfq_is_asymmetric(const struct bfq_data *bfq, const struct bfq_queue *q);

/* --- within a queue (bfq-queue.c) --- */

struct sim_request *bfq_closer(const struct bfq_data *bfq, struct sim_request *a,
			       struct sim_request *b, uint64_t last);
int bfq_add_request(struct bfq_data *bfq, struct bfq_queue *q,
		    struct bfq_process *process, struct sim_request *rq);
void bfq_remove_request(struct bfq_data *bfq, struct bfq_queue *q,
			struct sim_request *rq);
/* Its next request is another one: the budget may have to be. */
void bfq_next_changed(struct bfq_data *bfq, struct bfq_queue *q);
int64_t bfq_charge(const struct bfq_data *bfq, const struct bfq_queue *q,
		   const struct sim_request *rq);
bool bfq_is_seeky(const struct bfq_queue *q);
bool bfq_is_totally_seeky(const struct bfq_queue *q);
bool bfq_is_far(const struct bfq_data *bfq, uint64_t last, const struct sim_request *rq);

/* --- slots and budgets (bfq-slot.c) --- */

struct bfq_queue *bfq_select(struct bfq_data *bfq, enum sim_reason *ret);
void bfq_begin_slot(struct bfq_data *bfq, struct bfq_queue *q);
/* `is_late`: the time since the idle timer was armed does not count. */
void bfq_expire(struct bfq_data *bfq, struct bfq_queue *q, bool is_late,
		enum bfq_expiry reason);
int64_t bfq_max_budget(const struct bfq_data *bfq);
int64_t bfq_min_budget(const struct bfq_data *bfq);
bool bfq_is_timed_out(struct bfq_data *bfq, const struct bfq_queue *q);
bool bfq_may_time_out(struct bfq_data *bfq, const struct bfq_queue *q);
bool bfq_activation_budget(struct bfq_data *bfq, struct bfq_queue *q, bool in_time,
			   bool is_raised);

/* --- the device (bfq-rate.c) --- */

#define BFQ_RATE_SHIFT 16

void bfq_rate_init(struct bfq_data *bfq);
void bfq_rate_dispatch(struct bfq_data *bfq, const struct bfq_queue *q,
		       const struct sim_request *rq);
void bfq_rate_complete(struct bfq_data *bfq);
void bfq_note_depth(struct bfq_data *bfq);

/* --- weight raising (bfq-raise.c) --- */

void bfq_raise_init(struct bfq_data *bfq);
/* Became busy: preempts what is in service when that is due. */
void bfq_became_busy(struct bfq_data *bfq, struct bfq_queue *q, unsigned old_coeff,
		     struct sim_request *rq, bool *ret_interactive);
void bfq_raise_async(struct bfq_data *bfq, struct bfq_queue *q, unsigned old_coeff,
		     const struct sim_request *rq);
void bfq_raise_progress(struct bfq_data *bfq, struct bfq_queue *q);
void bfq_raise_end(struct bfq_data *bfq, struct bfq_queue *q);
void bfq_raise_seeky(struct bfq_data *bfq, struct bfq_queue *q);
int64_t bfq_raise_duration(const struct bfq_data *bfq);
/* It has nothing waiting and nothing in flight: when may it next count as soft real-time? */
void bfq_soft_update(struct bfq_data *bfq, struct bfq_queue *q);
void bfq_note_created(struct bfq_data *bfq, struct bfq_queue *q);

/* --- idling (bfq-idle.c) --- */

bool bfq_better_to_idle(const struct bfq_data *bfq, const struct bfq_queue *q);
bool bfq_idling_boosts(const struct bfq_data *bfq, const struct bfq_queue *q);
bool bfq_idling_guarantees(const struct bfq_data *bfq, const struct bfq_queue *q);
bool bfq_must_idle(const struct bfq_data *bfq, const struct bfq_queue *q);
void bfq_arm_timer(struct bfq_data *bfq, struct bfq_queue *q);
void bfq_stop_waiting(struct bfq_data *bfq, struct bfq_queue *q);
void bfq_timer(struct sim_queue *queue);
void bfq_note_arrival(struct bfq_data *bfq, struct bfq_queue *q,
		      const struct sim_request *rq);
void bfq_note_intensity(struct bfq_data *bfq, struct bfq_queue *q);
void bfq_enqueued(struct bfq_data *bfq, struct bfq_queue *q,
		  const struct sim_request *rq);
void bfq_want_run(struct bfq_data *bfq);

/* --- injection (bfq-inject.c) --- */

struct bfq_queue *bfq_injectable(const struct bfq_data *bfq, const struct bfq_queue *q,
				 bool *ret_counts);
void bfq_reset_injection(struct bfq_data *bfq, struct bfq_queue *q);
void bfq_note_injection(struct bfq_data *bfq, struct bfq_queue *q,
			const struct bfq_process *process);
void bfq_update_injection(struct bfq_data *bfq, struct bfq_queue *q);
void bfq_set_waker(struct bfq_queue *q, struct bfq_queue *waker);
void bfq_forget_waker(struct bfq_queue *q);

/* --- merging (bfq-merge.c) --- */

/* The queue that the request should go to instead; NULL: none. */
struct bfq_queue *bfq_cooperator(struct bfq_data *bfq, struct bfq_queue *q,
				 struct bfq_process *process,
				 const struct sim_request *rq);
void bfq_become_one(struct bfq_data *bfq, struct bfq_process *process,
		    struct bfq_queue *q, struct bfq_queue *into);
void bfq_move_close(struct bfq_data *bfq, struct bfq_queue *q);
void bfq_leave_close(struct bfq_data *bfq, struct bfq_queue *q);
/* A queue was created: perhaps it is better to share the last one created. */
struct bfq_queue *bfq_stable_merge(struct bfq_data *bfq, struct bfq_process *process,
				   struct bfq_queue *q);
/* True: the process gets a queue of its own again. */
bool bfq_split_off(struct bfq_process *process);
void bfq_restore_saved(struct bfq_data *bfq, struct bfq_queue *q,
		       struct bfq_process *process);

/* --- replay (bfq-replay.c) --- */

bool bfq_can_dispatch(const struct sim_hctx *hctx);
int bfq_undo_dispatch(struct sim_hctx *hctx, struct sim_request *rq);
void bfq_force_dispatch(struct sim_hctx *hctx, struct sim_request *rq);
/* Takes the queue's next request and does what follows from that. */
struct sim_request *bfq_dispatch_from(struct bfq_data *bfq, struct bfq_queue *q);

#endif
