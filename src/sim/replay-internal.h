/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of replay share. */
#ifndef IOSCHED_SIM_REPLAY_INTERNAL_H
#define IOSCHED_SIM_REPLAY_INTERNAL_H

#include "sim/merge.h"
#include "sim/replay.h"

/* Records read ahead: enough to see all processes and the first kyber timers. */
#define REPLAY_WINDOW 65536

/* Requests kept at once. A trace that loses more completions than this is cut. */
#define REPLAY_LIVE_MAX 262144

/* --- live requests by operation and first sector (replay-index.c) ------------------- */

struct replay_node;

struct replay_index {
	struct replay_node **buckets;
	struct pool nodes;
	size_t count;
};

int replay_index_init(struct replay_index *index);
void replay_index_done(struct replay_index *index);
int replay_index_add(struct replay_index *index, struct sim_request *rq);
void replay_index_remove(struct replay_index *index, const struct sim_request *rq);

/* What a record says of a request. Two may have the same operation and sector. */
struct replay_key {
	enum sim_op op;
	uint64_t sector;
	uint32_t sectors;
	int class;       /* -1: not said */
	uint32_t pid;    /* of the submitter; 0: not said */
	unsigned states; /* bits 1 << enum sim_state */
};

/*
 * The oldest one that is in one of the states and agrees in operation and sector; one that
 * agrees in length, class and submitter, too, goes first.
 */
struct sim_request *replay_index_find(const struct replay_index *index,
				      const struct replay_key *key);

/* --- processes that submit (replay-submitters.c) ------------------------------------ */

/* A request that was allocated and not inserted yet is on its submitter's plug. */
struct submitter {
	struct submitter *next;
	uint32_t pid;
	struct sim_link plug;
	unsigned plugged;
	unsigned unplug_left;  /* requests of a flushed plug still to come */
	bool unplugged;        /* what comes was flushed from the plug: a synchronous run */
	bool is_blocked;       /* sleeps for a tag */
};

#define SUBMITTER_BUCKETS 1024

struct submitters {
	struct submitter *buckets[SUBMITTER_BUCKETS];
	struct pool pool;
	unsigned blocked;
};

void submitters_init(struct submitters *submitters);
void submitters_done(struct submitters *submitters);
struct submitter *submitters_find(const struct submitters *submitters, uint32_t pid);
/* Finds or makes; NULL without memory. */
struct submitter *submitters_get(struct submitters *submitters, uint32_t pid);
/* Forgets it when nothing is known about it any more. */
void submitters_tidy(struct submitters *submitters, struct submitter *submitter);

/* --- what a trace only says indirectly --------------------------------------------- */

/* Priority classes of processes, from the header's fio arguments (replay-classes.c). */
struct replay_class_row {
	uint32_t pid;
	uint8_t class, level;
};

struct replay_classes {
	struct replay_class_row rows[64];
	unsigned count;
};

void replay_classes_find(struct replay_classes *classes, const char *fio,
			 const struct trace_record *records, size_t count);

/* The recorded machine's clock, from the moments at which its timers fired
 * (replay-clock.c). */
struct replay_clock {
	uint64_t phase_ns; /* of the tick */
	uint64_t timer_ns; /* kyber's timer as it was armed when the trace began */
};

/* 0 or -ENOMEM. */
int replay_clock_find(struct replay_clock *clock, const struct trace_record *records,
		      size_t count, unsigned hz, uint64_t service_ns);

/* The time by which the tick counter stood when the completion was handled. */
uint64_t replay_tick_view_ns(const struct trace_record *record, uint64_t issue_ns,
			     uint64_t service_ns);

/*
 * Has a timer that is due at `due_ns` fired by the time of the record? `burst_ns`: when the
 * unbroken row of completions began that the record belongs to; `moment_ns`: when the
 * trace next shows a timer.
 */
bool replay_timer_has_fired(uint64_t due_ns, const struct trace_record *record,
			    uint64_t burst_ns, uint64_t moment_ns, uint64_t tick_ns);

/* --- the replay itself -------------------------------------------------------------- */

#define REPLAY_KYBER_PENDING 64

struct replay {
	const struct replay_options *options;
	struct replay_result result;
	struct sim_queue *queue;
	struct sim_hctx *hctx;
	uint64_t service_ns;       /* of the device, 0 when not known */
	struct replay_index index;
	struct submitters submitters;
	struct replay_classes classes;

	/* A ring of records read ahead. */
	struct trace_record *window;
	size_t window_start, window_count;
	size_t moment_at;          /* records of the ring that were searched for timers */
	bool at_end;

	uint32_t device;
	bool has_device;
	size_t live;

	/* Runs that the kernel has started and that the trace has not shown yet. */
	bool sync_run, async_run;
	/*
	 * The last run of the worker that gave nothing is a guess: it may not have had
	 * the processor yet. The scheduler's state before it.
	 */
	bool has_guess;
	uint32_t guess_pid;        /* the task that ran meanwhile */
	unsigned char *guess_state;
	unsigned wakes;            /* submitters woken by completions since */
	bool last_was_complete;
	uint64_t burst_ns;         /* when the present row of completions began */
	uint64_t moment_ns;        /* when the trace next shows kyber's timer */
	/* A bio that was queued last and has no request yet. */
	bool bio_waits;
	uint32_t bio_pid;

	/* The engine's kyber events that the trace has not shown yet. */
	struct sim_kyber_event kyber[REPLAY_KYBER_PENDING];
	unsigned kyber_count;
	uint64_t kyber_fired_ns;
	int error;                 /* of a callback */
};

int replay_record(struct replay *replay, const struct trace_record *record);

/* Runs and timers that lie before the record (replay-time.c). */
void replay_settle(struct replay *replay, const struct trace_record *record);
/* A run that happens now unless it would issue: the trace shows that first. */
void replay_try_sync_run(struct replay *replay);
void replay_kyber_event(void *context, const struct sim_kyber_event *event);
void replay_kyber_record(struct replay *replay, const struct trace_record *record);
/* A timer that this completion armed: the tick counter may have stood lower. */
void replay_mend_timer(struct replay *replay, const struct trace_record *record,
		       uint64_t issue_ns);
void replay_run_wanted(void *context, struct sim_hctx *hctx);
void replay_drop_kyber(struct replay *replay);

#endif
