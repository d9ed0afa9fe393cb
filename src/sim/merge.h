/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merging: a bio joins a request that waits, two requests become one. The order in which
 * candidates are tried is the kernel's: the request merged into last, the one that ends
 * where the bio begins, the one that begins where the bio ends.
 */
#ifndef IOSCHED_SIM_MERGE_H
#define IOSCHED_SIM_MERGE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/queue.h"

/* Largest request that merging makes: 1280 KiB, the kernel's default max_sectors_kb. */
#define SIM_MERGE_SECTORS_MAX 2560

struct sim_bio {
	enum sim_op op;
	unsigned flags;    /* enum sim_request_flag */
	uint64_t sector;
	uint32_t sectors;
	unsigned cpu;
	uint32_t pid;
	uint8_t class, level;
};

/*
 * Tries to add the bio to a waiting request. *ret is the request that has it now, NULL
 * when none does. 0 or -ENOMEM.
 */
int sim_merge_bio(struct sim_queue *queue, const struct sim_bio *bio,
		  struct sim_request **ret);

/*
 * Merges a new request into one that waits and continues into it, when there is one.
 * *ret: the request that took it (`rq` is then free), NULL when none did.
 */
int sim_merge_insert(struct sim_queue *queue, struct sim_request *rq,
		     struct sim_request **ret);

/* `rq` grows by the given extent at its back or front; the scheduler is told. */
int sim_merge_grow(struct sim_queue *queue, struct sim_request *rq, enum sim_merge merge,
		   uint32_t sectors);

/* `next` becomes part of `rq`, which it continues. `next` keeps its memory. */
void sim_merge_requests(struct sim_queue *queue, struct sim_request *rq,
			struct sim_request *next);

#endif
