/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cfq as of Linux 4.18, one control group: a queue for each process, or for the
 * asynchronous requests of one priority; the queues in service trees by class and kind; and
 * the slices of time that the queues get in turn. Source: facts on cfq, the kernel's
 * documentation of cfq.
 *
 * cfq.c has the hooks, cfq-pick.c what comes next, cfq-slice.c how long it lasts.
 * Times are signed: keys and the last delayed request may lie before the beginning.
 */
#ifndef IOSCHED_SIM_ELEVATORS_CFQ_H
#define IOSCHED_SIM_ELEVATORS_CFQ_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/elevators/decaying-mean.h"
#include "sim/elevators/process-table.h"
#include "sim/elevators/seek-choice.h"
#include "sim/queue.h"

/* Queues of a class are kept apart by how they are served. */
enum cfq_kind {
	CFQ_ASYNC,
	CFQ_SYNC_NOIDLE, /* one wait for the whole tree, not one for each queue */
	CFQ_SYNC,
	CFQ_KINDS,
};

/* Where a request stands, in its `domain`. */
enum cfq_stage { CFQ_WAITING, CFQ_DISPATCHED, CFQ_DONE };

/* How long somebody needs from the end of one request to the next one. */
struct cfq_think_time {
	struct decaying_mean ns;
	int64_t last_end_ns;
};

struct cfq_tree {
	struct sim_link queues; /* struct cfq_queue, by key_ns */
	unsigned count;
	struct cfq_think_time think;
};

struct cfq_queue {
	struct process_entry entry;
	struct sim_link link;   /* in its tree */
	struct cfq_tree *tree;  /* NULL: it has nothing to do */
	int64_t key_ns;         /* its turn, against the others of the tree */
	uint8_t class, level;
	bool is_sync;

	struct sector_tree sorted;
	struct sim_link fifo;
	struct sim_request *next_rq;
	unsigned dispatched;    /* taken and not completed */
	unsigned meta_waiting;
	struct cfq_think_time think;
	uint64_t last_end_sector; /* behind the newest request; 0: there is none */
	uint32_t seek_history;  /* a bit a request, newest lowest: it was far away */

	int64_t slice_start_ns, slice_end_ns;
	int64_t slice_left_ns;  /* of the last slice; negative: used beyond its end */
	unsigned slice_dispatched;
	bool is_slice_new;      /* it begins with the first completion */
	bool has_checked_fifo;  /* in this slice */
	bool is_awaited;        /* the timer runs for its next request */
	bool is_extended;       /* the slice goes on only for one more request */
	bool may_idle;          /* worth waiting for */
	bool is_deep;           /* had several requests waiting at once */
	uint8_t next_reason;    /* of the next request that is dispatched */
};

struct cfq_data {
	int64_t quantum, fifo_expire_ms[2], back_seek_max_kib, back_seek_penalty;
	int64_t slice_ms[2], slice_async_rq, slice_idle_ms, group_idle_ms;
	int64_t low_latency, target_latency_ms;

	struct sim_link head;   /* at-head requests: not cfq's business */
	struct process_table processes;
	struct cfq_tree trees[SIM_CLASSES][CFQ_KINDS]; /* IDLE: the first only */
	struct cfq_queue *active;
	unsigned serving_class, serving_kind;
	int64_t workload_end_ns;
	int64_t workload_left_ns; /* while no queue is active */
	unsigned busy, busy_sync; /* queues in trees */
	unsigned busy_average[SIM_CLASSES];
	unsigned waiting;         /* requests in queues */
	unsigned in_flight[2];    /* [is_sync]: taken and not completed */
	struct cfq_think_time group_think;
	uint64_t head_sector;     /* behind the last request that was taken */
	int64_t last_delayed_sync_ns;

	bool has_depth;           /* the device takes several requests at once */
	bool knows_depth;
	unsigned depth_samples, depth_seen;
};

#define CFQ_MS_NS INT64_C(1000000)

static inline struct cfq_data *cfq_data_of(const struct sim_queue *queue)
{
	return queue->elevator_data;
}

static inline int64_t cfq_now(const struct sim_queue *queue)
{
	return (int64_t)queue->now_ns;
}

static inline struct cfq_queue *cfq_queue_of(const struct cfq_data *cfq,
					     const struct sim_request *rq)
{
	return (struct cfq_queue *)(void *)process_table_at(&cfq->processes, rq->queue_index);
}

static inline bool cfq_has_requests(const struct cfq_queue *cfqq)
{
	return cfqq->sorted.count > 0;
}

/* More than 4 of the last 32 requests were far from the one before (facts on cfq). */
static inline bool cfq_is_seeky(const struct cfq_queue *cfqq)
{
	return __builtin_popcount(cfqq->seek_history) > 4;
}

/* A mean of fewer than three requests says nothing. */
static inline bool cfq_think_is_known(const struct cfq_think_time *think)
{
	return think->ns.weight > 80;
}

/* --- cfq-slice.c ---------------------------------------------------------------------- */

/* The slice of a process with this priority, before it is shrunk. */
int64_t cfq_base_slice_ns(const struct cfq_data *cfq, bool is_sync, unsigned level);
/* The slice that the queue gets now. */
int64_t cfq_slice_ns(struct sim_queue *queue, const struct cfq_queue *cfqq);
bool cfq_slice_is_used(const struct sim_queue *queue, const struct cfq_queue *cfqq);
/* Whether the device is better left alone for the queue's next request. */
bool cfq_should_idle(const struct sim_queue *queue, const struct cfq_queue *cfqq);
/* `limit_ms`: slice_idle or group_idle. */
bool cfq_thinks_long(const struct cfq_think_time *think, int64_t limit_ms);
/* A request was added: what it says about the queue's process. */
void cfq_learn(struct sim_queue *queue, struct cfq_queue *cfqq, const struct sim_request *rq);
/* A request of the queue ended: the slice begins, ends, or a wait begins. */
void cfq_slice_on_completion(struct sim_queue *queue, struct cfq_queue *cfqq);
/*
 * The active queue's turn is over; `counts_rest`: what is left of its slice, or was used
 * beyond it, moves its next turn.
 */
void cfq_expire_slice(struct sim_queue *queue, bool counts_rest);
void cfq_stop_waiting(struct sim_queue *queue, struct cfq_queue *cfqq);
/* The wait for a request is over. */
void cfq_timer(struct sim_queue *queue);

/* --- cfq-pick.c ----------------------------------------------------------------------- */

void cfq_tree_add(struct sim_queue *queue, struct cfq_queue *cfqq, bool at_front);
void cfq_tree_remove(struct cfq_data *cfq, struct cfq_queue *cfqq);
enum cfq_kind cfq_kind_of(const struct cfq_queue *cfqq);
/* Queues of the class that have something to do. */
unsigned cfq_busy_of_class(const struct cfq_data *cfq, unsigned class);
/* The same, averaged with a quick rise and a slow fall; each call moves the average. */
unsigned cfq_average_busy(struct cfq_data *cfq, unsigned class);
/* The queue whose turn it is; NULL: nothing may go now. */
struct cfq_queue *cfq_select(struct sim_queue *queue);
/* Whether the queue may give one more request to the device. */
bool cfq_may_dispatch(const struct sim_queue *queue, const struct cfq_queue *cfqq);
/* Whether a new request takes the device away from the active queue, and doing so. */
bool cfq_should_preempt(const struct sim_queue *queue, const struct cfq_queue *cfqq,
			const struct sim_request *rq);
void cfq_preempt(struct sim_queue *queue, struct cfq_queue *cfqq);

#endif
