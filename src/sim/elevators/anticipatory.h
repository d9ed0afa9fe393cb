/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * anticipatory as of Linux 2.6.32: batches of sync requests and of the others, limited in
 * time, each in the order of a one-way elevator; and after a sync request a wait for the
 * next one of the same process. Source: facts on anticipatory, and the kernel's
 * documentation of it. Times are ticks.
 *
 * anticipatory.c has the batches and the hooks, anticipatory-wait.c the wait.
 */
#ifndef IOSCHED_SIM_ELEVATORS_ANTICIPATORY_H
#define IOSCHED_SIM_ELEVATORS_ANTICIPATORY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/elevators/decaying-mean.h"
#include "sim/elevators/process-table.h"
#include "sim/elevators/seek-choice.h"
#include "sim/queue.h"

enum as_wait {
	AS_OFF,
	AS_WAIT_END,  /* for the end of the process' request; the clock does not run yet */
	AS_WAIT_NEXT, /* for its next request */
	AS_OVER,      /* waited, for good or ill: one request goes without a wait */
};

struct as_process {
	struct process_entry entry;
	unsigned queued;         /* requests that wait */
	bool has_begun;          /* it had a sync request */
	bool has_ended;          /* one of them was completed */
	uint64_t last_end_ticks;
	uint64_t last_end_sector;
	struct decaying_mean think_ticks, seek_sectors;
};

struct as_data {
	int64_t read_expire_ms, write_expire_ms, read_batch_ms, write_batch_ms, antic_ms;

	/* All by [is_sync]. */
	struct sector_tree sorted[2];
	struct sim_link fifo[2];
	struct sim_request *next_rq[2];
	uint64_t head_sector[2];
	uint64_t fifo_looked_at[2];
	uint64_t expire_ticks[2], batch_ticks[2];

	struct sim_link head;    /* at-head requests */
	struct process_table processes;
	unsigned dispatched;     /* taken and not completed */

	bool is_sync_batch;
	bool has_changed;        /* the other kind's last requests have to end first */
	bool begins;             /* nothing of the batch was taken yet */
	bool is_new;             /* the batch's time begins with its first completion */
	uint64_t batch_end_ticks;
	uint64_t write_count;    /* how many async requests fit into a batch's time */
	uint64_t write_left;     /* of them in this batch */
	bool write_was_idle;     /* nothing can be learned from this batch */

	enum as_wait wait;
	struct as_process *process; /* of the last sync request that was taken */
	bool process_is_done;    /* its request was completed */
	uint64_t wait_begin_ticks;
	uint64_t antic_ticks;
	uint8_t end_reason;      /* of the wait */

	/* Of processes that are new, in 1/256. */
	uint64_t new_think_total, new_think_mean;
	uint64_t new_seek_total, new_seek_mean;
	unsigned exit_chance;       /* that it does not come back: recordings do not tell of
				       exits, so who lets a first wait run out has gone */
	unsigned exit_alone_chance; /* and nobody near by does */
};

static inline struct as_data *as_data_of(const struct sim_queue *queue)
{
	return queue->elevator_data;
}

static inline struct as_process *as_process_of(const struct as_data *as,
					       const struct sim_request *rq)
{
	return (struct as_process *)(void *)process_table_at(&as->processes, rq->queue_index);
}

static inline bool as_is_sync(const struct sim_request *rq)
{
	return sim_request_is_sync(rq->op, rq->flags);
}

/* --- anticipatory-wait.c -------------------------------------------------------------- */

static inline bool as_is_waiting(const struct as_data *as)
{
	return as->wait == AS_WAIT_END || as->wait == AS_WAIT_NEXT;
}

/* A request of the process arrives: its think time and its seek. */
void as_learn(struct sim_queue *queue, struct as_process *process,
	      const struct sim_request *rq);
/* Whether to wait rather than take `rq` (may be NULL), which would be next. */
bool as_should_wait(struct sim_queue *queue, struct sim_request *rq);
void as_begin_wait(struct sim_queue *queue);
/* `rq` has arrived: does it end the wait? */
void as_arrived(struct sim_queue *queue, struct sim_request *rq);
/* A sync request is taken (NULL: another one): who is waited for from now on. */
void as_follow(struct sim_queue *queue, struct as_process *process);
/* A request of the process was completed. */
void as_completed(struct sim_queue *queue, struct as_process *process, bool is_sync);
void as_timer(struct sim_queue *queue);

#endif
