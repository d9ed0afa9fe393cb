/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One request of the simulated block layer. It sits in at most one list at a time (a
 * plug, a software queue, the scheduler's FIFO, the dispatch list), may be in the
 * scheduler's sector order and in the merge hash, and knows what each scheduler must
 * remember about it. Two cache lines; the first holds what choosing needs.
 */
#ifndef IOSCHED_SIM_REQUEST_H
#define IOSCHED_SIM_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/list.h"

enum sim_op { SIM_READ, SIM_WRITE, SIM_DISCARD, SIM_FLUSH, SIM_OTHER };

/* Everything that is not a read takes the write path of the deadline schedulers. */
enum sim_dir { SIM_DIR_READ, SIM_DIR_WRITE, SIM_DIRS };

/* Classes in the order in which they are served. */
enum sim_class { SIM_CLASS_RT, SIM_CLASS_BE, SIM_CLASS_IDLE, SIM_CLASSES };

enum sim_request_flag {
	SIM_REQUEST_SYNC = 1 << 0,    /* marked synchronous; reads are anyway */
	SIM_REQUEST_META = 1 << 1,
	SIM_REQUEST_FUA = 1 << 2,
	SIM_REQUEST_PREFLUSH = 1 << 3,
	SIM_REQUEST_AT_HEAD = 1 << 4, /* goes before everything that waits */
	SIM_REQUEST_NOMERGE = 1 << 5,
	SIM_REQUEST_HOLDS_ZONE = 1 << 6, /* its zone takes no other write meanwhile */
	SIM_REQUEST_BYPASSED = 1 << 7,   /* the scheduler never had it */
};

enum sim_state {
	SIM_STATE_NEW,        /* allocated, perhaps on a plug */
	SIM_STATE_WAITING,    /* the scheduler has it */
	SIM_STATE_DISPATCHED, /* taken from the scheduler, not yet issued */
	SIM_STATE_ISSUED,     /* the driver has it */
};

struct sector_leaf;

/* One bio: what the submitter sees. Requests carry a chain of them. */
struct sim_io {
	struct sim_io *next;
	uint64_t arrival_ns;
	uint64_t done_ns;
	void *owner;          /* who waits for it; NULL: nobody */
	uint32_t sectors;
	uint16_t device;
	uint8_t dir;          /* enum sim_dir */
};

struct sim_request {
	struct sim_link link;
	uint64_t sector;          /* 512 B */
	uint32_t sectors;
	uint8_t op;               /* enum sim_op */
	uint8_t dir;              /* enum sim_dir */
	uint8_t class;            /* enum sim_class */
	uint8_t state;            /* enum sim_state */
	uint64_t issue_ns;
	uint64_t start_ns;        /* allocation */
	uint16_t hctx;
	uint16_t cpu;
	uint8_t flags;            /* enum sim_request_flag */
	uint8_t domain : 7;       /* kyber: whose token it holds */
	uint8_t has_token : 1;
	uint8_t reason;           /* enum sim_reason: why it was chosen */
	uint8_t level;            /* ioprio level, 0..7 */
	struct sim_io *ios;

	uint64_t fifo_jiffies;    /* deadline */
	struct sector_leaf *leaf; /* place in the sector order, NULL outside */
	struct sim_request *hash_next, **hash_link;
	uint32_t number;          /* order of arrival at the scheduler */
	uint32_t pid;
	uint16_t token;           /* kyber: the token's number */
	uint16_t tag;             /* simulation: of the scheduler */
	uint32_t queue_index;     /* schedulers by process: whose queue it is in */
	struct sim_io *ios_tail;
	void *owner;              /* for the driver of the simulation */
};

_Static_assert(sizeof(struct sim_request) <= 128, "a request is two cache lines");

static inline struct sim_request *sim_request_of(struct sim_link *link)
{
	return SIM_ENTRY(link, struct sim_request, link);
}

static inline uint64_t sim_request_end(const struct sim_request *rq)
{
	return rq->sector + rq->sectors;
}

static inline enum sim_dir sim_op_dir(enum sim_op op)
{
	return op == SIM_READ || op == SIM_FLUSH ? SIM_DIR_READ : SIM_DIR_WRITE;
}

enum sim_merge { SIM_MERGE_NONE, SIM_MERGE_BACK, SIM_MERGE_FRONT };

/* Whether the extent continues the request, or ends where it begins. */
static inline enum sim_merge sim_request_merge_kind(const struct sim_request *rq,
						    enum sim_op op, uint64_t sector,
						    uint32_t sectors)
{
	if (rq->op != op || (rq->flags & SIM_REQUEST_NOMERGE))
		return SIM_MERGE_NONE;
	if (sim_request_end(rq) == sector)
		return SIM_MERGE_BACK;
	return sector + sectors == rq->sector ? SIM_MERGE_FRONT : SIM_MERGE_NONE;
}

/* Reads are synchronous, writes when they say so (facts: the async limits). */
static inline bool sim_request_is_sync(enum sim_op op, unsigned flags)
{
	return op == SIM_READ ||
	       (flags & (SIM_REQUEST_SYNC | SIM_REQUEST_FUA | SIM_REQUEST_PREFLUSH));
}

#endif
