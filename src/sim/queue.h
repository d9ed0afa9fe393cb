/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulated request queue: scheduler, hardware queues with their driver tags, the
 * dispatch list with the request that was taken without a tag, and the queue run. It
 * decides what is issued next and leaves issuing to its user, so that a media model and a
 * recording can both drive it:
 *
 *	sim_queue_insert() ... sim_hctx_run();
 *	while ((rq = sim_hctx_next(hctx))) sim_hctx_issue(hctx);
 *
 * Time is queue->now_ns, set by the user before each call; it never goes back.
 */
#ifndef IOSCHED_SIM_QUEUE_H
#define IOSCHED_SIM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/elevator.h"
#include "sim/event-queue.h"
#include "sim/kernel.h"
#include "sim/merge-hash.h"
#include "sim/pool.h"
#include "sim/request.h"
#include "sim/sector-tree.h"
#include "util/diag.h"

#define SIM_CPUS_MAX       1024
#define SIM_HW_QUEUES_MAX  1024
#define SIM_HW_DEPTH_MAX   65536
/* Scheduler tags of a queue, as blk-mq has them at most. */
#define SIM_NR_REQUESTS_MAX 2048
#define SIM_HZ_MAX         10000

/* One parameter as text, as in "--set mq-deadline.fifo_batch=1". */
struct sim_setting {
	const char *file;  /* "fifo_batch" */
	const char *value; /* in the row's unit, suffixes allowed */
};

struct sim_queue_config {
	struct kernel_version kernel;
	const char *scheduler;     /* a name of the engine's table */
	const struct sim_setting *settings;
	size_t setting_count;
	unsigned hw_depth;         /* driver tags of each hardware queue */
	unsigned hw_queues;
	unsigned cpus;
	unsigned nr_requests;      /* scheduler tags; 0: the kernel's default */
	unsigned hz;               /* 100, 250, 300, 1000 */
	uint64_t tick_phase_ns;    /* a moment at which the tick counter went up */
	uint32_t zone_sectors;     /* 0: not a zoned device */
	uint64_t capacity_sectors; /* 0: not known */
	bool is_nonrotational;     /* flash: queue/rotational is 0 */
};

struct sim_hctx {
	struct sim_queue *queue;
	unsigned index;
	unsigned depth;            /* driver tags */
	unsigned in_flight;        /* driver tags in use */
	unsigned busy;             /* moving average of "the driver took no more" */
	bool needs_restart;        /* a completion must run the queue */
	struct sim_link dispatch;  /* taken from the scheduler, not issued */
	unsigned dispatch_count;
	uint64_t delayed_run_ns;   /* the kernel's 3 ms second look; SIM_NEVER */
	uint64_t pulls;            /* requests taken from the scheduler so far */
};

struct sim_queue {
	struct sim_kernel kernel;
	const struct sim_elevator_ops *ops;
	void *elevator_data;
	struct sim_hctx *hctxs;
	/* A bit for each: its run waits for its requests to be issued. */
	uint64_t running[SIM_HW_QUEUES_MAX / 64];
	unsigned hw_queues, cpus, nr_requests;

	uint64_t now_ns;
	unsigned hz;
	uint64_t tick_ns, tick_phase_ns;
	uint64_t jiffies;          /* at now_ns, see sim_queue_jiffies() */
	uint64_t jiffies_end_ns;
	uint64_t elevator_timer_ns; /* SIM_NEVER while not armed */
	bool has_delayed_run;      /* a hardware queue may have one */
	bool has_wanted_run;       /* one that is due at once */

	uint32_t zone_sectors;
	uint64_t capacity_sectors;
	bool is_nonrotational;
	unsigned waiting;          /* in the scheduler, not counting dispatch lists */
	uint32_t arrivals;

	/* Replay only: the scheduler's state before each of the last pulls. */
	unsigned char *state_log;
	unsigned state_log_slots;

	struct sim_request *last_merge;
	struct merge_hash merge_hash;
	struct sector_pools sector_pools;
	struct pool requests;

	/* Schedulers report here; NULL when nobody listens. */
	void (*on_kyber_event)(void *context, const struct sim_kyber_event *event);
	/* Its I/Os are another request's now, and it is about to be freed: its tag is, too. */
	void (*on_merged_away)(struct sim_request *rq);
	/* A run is wanted: a token came free, a zone was unlocked. */
	void (*on_run_wanted)(void *context, struct sim_hctx *hctx);
	void *context;
};

/*
 * -EINVAL, -ERANGE: a setting or size that the kernel would refuse; -ENOTSUP: a scheduler
 * that this version does not have, or a parameter that this scheduler or version does not
 * have; -ENOMEM.
 */
int sim_queue_new(const struct sim_queue_config *config, struct sim_queue **ret,
		  struct diag *diag);
void sim_queue_free(struct sim_queue *queue);
/*
 * The least that a limit of scheduler tags leaves: one of them, up to 6.17 one of each word
 * of their bitmap.
 */
unsigned sim_queue_least_limit(const struct sim_queue *queue);
DEFINE_CLEANUP(struct sim_queue *, sim_queue_free)

/* Allocated at now_ns. NULL without memory. */
struct sim_request *sim_request_new(struct sim_queue *queue, enum sim_op op,
				    uint64_t sector, uint32_t sectors);
void sim_request_free(struct sim_queue *queue, struct sim_request *rq);

static inline struct sim_hctx *sim_hctx_of(struct sim_queue *queue,
					   const struct sim_request *rq)
{
	return &queue->hctxs[rq->hctx];
}

/* Which hardware queue a CPU submits to. */
static inline unsigned sim_hctx_index(const struct sim_queue *queue, unsigned cpu)
{
	return cpu % queue->hw_queues;
}

/* Gives the request to the scheduler. 0 or -ENOMEM. */
int sim_queue_insert(struct sim_queue *queue, struct sim_request *rq);

/*
 * Begins a run: takes what the kernel would take from the scheduler now. An asynchronous
 * run is the kernel's worker; it replaces a delayed run that was waiting.
 */
void sim_hctx_run(struct sim_hctx *hctx, bool is_async);

static inline bool sim_hctx_is_running(const struct sim_hctx *hctx)
{
	return hctx->queue->running[hctx->index / 64] >> hctx->index % 64 & 1;
}

/* The first from there on whose run waits; hw_queues: there is none. */
static inline unsigned sim_queue_next_running(const struct sim_queue *queue, unsigned index)
{
	for (; index < queue->hw_queues; index = (index / 64 + 1) * 64) {
		uint64_t bits = queue->running[index / 64] >> index % 64;

		if (bits)
			return index + (unsigned)__builtin_ctzll(bits);
	}
	return queue->hw_queues;
}

/* The next request of the run, NULL when the run is over or has no tag. */
static inline struct sim_request *sim_hctx_next(const struct sim_hctx *hctx)
{
	return sim_hctx_is_running(hctx) ? sim_request_of(hctx->dispatch.next) : NULL;
}

/* The request that sim_hctx_next() gave is now the driver's; the run goes on. */
void sim_hctx_issue(struct sim_hctx *hctx);
/*
 * The same while another task wants the processor. True: the run ended with its dispatch
 * list, and the kernel's worker goes on with it.
 */
bool sim_hctx_issue_yielding(struct sim_hctx *hctx);

/*
 * Replay: the device was in use before the recording began. The driver-busy average does
 * not fade with time, only with requests that are issued, so it stands where the end of the
 * last load left it: above 0 where few requests were in flight at the end.
 */
void sim_hctx_was_used(struct sim_hctx *hctx);

/*
 * Replay: from now on the scheduler's state is kept for every request on the dispatch
 * list, so that sim_hctx_choose_instead() can go back. One hardware queue only.
 */
int sim_queue_log_states(struct sim_queue *queue);

/* Replay: the first state_size bytes of elevator_data were set back to an earlier value. */
static inline void sim_queue_state_restored(struct sim_queue *queue)
{
	if (queue->ops->state_restored)
		queue->ops->state_restored(queue);
}

/*
 * Replay: the kernel issued `rq`, which waits or was dispatched, instead of what
 * sim_hctx_next() gives. All that was taken and not issued goes back, and `rq` is taken as if
 * it had been chosen. sim_hctx_issue() must follow. 0 or -ENOMEM.
 */
int sim_hctx_choose_instead(struct sim_hctx *hctx, struct sim_request *rq);

/*
 * Past the scheduler, but not past the tags: to the end of the dispatch list, as writes
 * with FUA or PREFLUSH go up to 6.4. sim_hctx_run() should follow.
 */
void sim_queue_bypass(struct sim_queue *queue, struct sim_request *rq);

/* Past the scheduler: a flush, a returned request, or none's direct way. */
void sim_hctx_issue_directly(struct sim_hctx *hctx, struct sim_request *rq);

/*
 * The device is done with the request: its tag is free and it is forgotten. True: the
 * kernel runs the queue now.
 */
bool sim_queue_complete(struct sim_queue *queue, struct sim_request *rq);

/* The driver gave the request back: it may be inserted again, at the head. */
void sim_queue_requeue(struct sim_queue *queue, struct sim_request *rq);

/* The request was merged into another: the scheduler forgets it, it keeps its memory. */
void sim_queue_merged_away(struct sim_queue *queue, struct sim_request *rq);

/*
 * How far the head goes from `from_sector` to a request that was just dispatched: straight,
 * or by way of the medium's edges where the scheduler sends it there.
 */
uint64_t sim_queue_travel(const struct sim_queue *queue, uint64_t from_sector,
			  const struct sim_request *rq);

/* Ticks since the phase; monotonic because now_ns is. */
uint64_t sim_queue_jiffies_slow(struct sim_queue *queue);

static inline uint64_t sim_queue_jiffies(struct sim_queue *queue)
{
	if (queue->now_ns < queue->jiffies_end_ns)
		return queue->jiffies;
	return sim_queue_jiffies_slow(queue);
}

/* When the tick counter reaches `jiffies`. */
uint64_t sim_queue_jiffies_to_ns(const struct sim_queue *queue, uint64_t jiffies);

/*
 * When a timer for `jiffies` from now fires: the timer wheel rounds up by one tick, so
 * that no timer is early.
 */
uint64_t sim_queue_timer_ns(struct sim_queue *queue, uint64_t jiffies);

/* Milliseconds in jiffies, rounded up as the kernel does. */
uint64_t sim_queue_ms_to_jiffies(const struct sim_queue *queue, int64_t ms);

#endif
