/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A scheduler of the engine: a table of hooks in the kernel's own vocabulary. Adding one
 * is a file in elevators/ and a row in elevators/elevators.c. A hook that is NULL means
 * the block layer's default.
 *
 * The hooks below the line serve replay: when a real kernel chose otherwise, the engine
 * is put on the kernel's history with them.
 */
#ifndef IOSCHED_SIM_ELEVATOR_H
#define IOSCHED_SIM_ELEVATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/reason.h"
#include "sim/request.h"
#include "tunable/scheduler.h"

struct sim_queue;
struct sim_hctx;
struct sim_bio;
struct tunable;

/* What a scheduler computes, as the kernel's tracepoints print it. */
struct sim_kyber_event {
	bool is_adjust;        /* kyber_adjust, otherwise kyber_latency */
	const char *domain;    /* READ, WRITE, DISCARD, OTHER */
	const char *type;      /* total, I/O; "" for adjust */
	unsigned percentile;
	unsigned numerator, denominator;
	unsigned samples;
	unsigned depth;        /* adjust */
};

/* A parameter: its catalogue row is "<elevator>.<file>", its place an int64_t. */
struct sim_parameter {
	const char *file;
	size_t offset;         /* in the elevator's parameter structure */
};

struct sim_elevator_ops {
	const char *name;
	enum queue_kind kind;  /* QUEUE_LEGACY: pulled by the driver, one at a time */
	const struct sim_parameter *parameters;
	size_t parameter_count;
	/* One for each parameter, of policies that no kernel has; NULL: the catalogue's. */
	const struct tunable *parameter_rows;
	/* Bytes of `elevator_data`; zeroed and, for parameters, filled before init_sched. */
	size_t data_size;
	/* Bytes at the start of `elevator_data` that choosing changes. */
	size_t state_size;

	/* Pulled only when the device takes a request at once: no choice is made early. */
	bool chooses_late;
	/* New requests are merged into waiting ones at insertion, too. */
	bool merges_inserts;
	/* A run asks has_work, even when nothing waits: being asked may change things. */
	bool judges_work;
	/* elevator_timer_ns is a precise moment, not a tick. */
	bool has_precise_timer;

	/* Defaults that depend on the queue; what is set explicitly comes after it. */
	void (*adjust_defaults)(struct sim_queue *queue);
	int (*init_sched)(struct sim_queue *queue);
	void (*exit_sched)(struct sim_queue *queue);
	/* How many scheduler tags a request for the bio may see in use, itself included. */
	unsigned (*limit_depth)(struct sim_queue *queue, const struct sim_bio *bio);
	/*
	 * The waiting request that a bio can join; true: *ret and *ret_merge set. NULL: the
	 * block layer's search, and then request_merge for what begins where the bio ends.
	 */
	bool (*bio_merge)(struct sim_queue *queue, enum sim_op op, uint64_t sector,
			  uint32_t sectors, unsigned cpu, struct sim_request **ret,
			  enum sim_merge *ret_merge);
	struct sim_request *(*request_merge)(struct sim_queue *queue,
					     const struct sim_bio *bio);
	/* Whether a bio may join a request, and one request another; NULL: always. */
	bool (*allow_bio)(struct sim_queue *queue, const struct sim_request *rq,
			  const struct sim_bio *bio);
	bool (*allow_join)(struct sim_queue *queue, const struct sim_request *rq,
			   const struct sim_request *next);
	/* `rq` grew; its old first sector was `old_sector`. */
	int (*request_merged)(struct sim_queue *queue, struct sim_request *rq,
			      enum sim_merge merge, uint64_t old_sector);
	/* `next` became part of `rq` and leaves the scheduler. */
	void (*requests_merged)(struct sim_queue *queue, struct sim_request *rq,
				struct sim_request *next);
	struct sim_request *(*former_request)(struct sim_queue *, struct sim_request *);
	struct sim_request *(*next_request)(struct sim_queue *, struct sim_request *);
	int (*insert_request)(struct sim_hctx *hctx, struct sim_request *rq);
	/* The scheduler's choice, taken off it, with rq->reason set. */
	struct sim_request *(*dispatch_request)(struct sim_hctx *hctx);
	bool (*has_work)(const struct sim_hctx *hctx);
	/*
	 * Where the head goes on its way to a request that was just dispatched, other than
	 * straight to it: up to two sectors, in order. How many. NULL: straight.
	 */
	unsigned (*head_path)(const struct sim_queue *queue, const struct sim_request *rq,
			      uint64_t ret[2]);
	void (*completed_request)(struct sim_queue *queue, struct sim_request *rq);
	/* The request is freed: after completion, or after it was merged away. */
	void (*finish_request)(struct sim_queue *queue, struct sim_request *rq);
	/* A timer that the scheduler armed through queue->elevator_timer_ns is due. */
	void (*timer)(struct sim_queue *queue);

	/* ---- replay; all of them or none ---- */

	/* Would dispatch_request give something? Changes nothing. */
	bool (*can_dispatch)(const struct sim_hctx *hctx);
	/* Puts back a request that dispatch_request gave, where it was. */
	int (*undo_dispatch)(struct sim_hctx *hctx, struct sim_request *rq);
	/* The state was set back: what it points to may have gone meanwhile. */
	void (*state_restored)(struct sim_queue *queue);
	/* Takes the request that the kernel chose, as if the scheduler had chosen it. */
	void (*force_dispatch)(struct sim_hctx *hctx, struct sim_request *rq);
};

/* NULL past the end; NULL when the engine has no scheduler of that name. */
const struct sim_elevator_ops *sim_elevator_get(size_t index);
const struct sim_elevator_ops *sim_elevator_find(const char *name);

#endif
