/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What deadline and mq-deadline share: for each priority class (one for deadline) a
 * sector order and a FIFO for each direction, and the choice between them. The version's
 * differences are switches of sim/kernel.h. Source: facts on mq-deadline.
 */
#ifndef IOSCHED_SIM_ELEVATORS_DEADLINE_CORE_H
#define IOSCHED_SIM_ELEVATORS_DEADLINE_CORE_H

#include <stdint.h>

#include "sim/elevators/zone-locks.h"
#include "sim/queue.h"

/* All that choosing changes; replay saves and restores it. */
struct deadline_state {
	uint32_t batching;       /* requests of the current batch */
	uint32_t starved;        /* times that reads went before waiting writes */
	uint8_t last_dir;        /* enum sim_dir */
	/* Where the sweep of each class and direction stands. */
	uint64_t latest_pos[SIM_CLASSES][SIM_DIRS];
	struct sim_request *next_rq[SIM_CLASSES][SIM_DIRS];
};

struct deadline_class {
	struct sector_tree tree[SIM_DIRS];
	struct sim_link fifo[SIM_DIRS];
	struct sim_link head;    /* at-head requests */
	uint32_t queued;         /* inserted and not yet finished */
	uint32_t waiting;        /* inserted and not yet taken */
};

struct deadline_data {
	struct deadline_state state;
	int64_t read_expire_ms, write_expire_ms, writes_starved, fifo_batch, front_merges;
	int64_t prio_aging_expire_ms, async_depth;
	struct deadline_class classes[SIM_CLASSES];
	uint64_t expire_jiffies[SIM_DIRS];
	uint64_t aging_jiffies;
	unsigned class_count;
	bool keeps_latest_pos;
	struct zone_locks zones;
};

int deadline_init(struct sim_queue *queue);
void deadline_exit(struct sim_queue *queue);
struct sim_request *deadline_request_merge(struct sim_queue *queue,
					   const struct sim_bio *bio);
int deadline_request_merged(struct sim_queue *queue, struct sim_request *rq,
			    enum sim_merge merge, uint64_t old_sector);
void deadline_requests_merged(struct sim_queue *queue, struct sim_request *rq,
			      struct sim_request *next);
struct sim_request *deadline_former_request(struct sim_queue *queue,
					    struct sim_request *rq);
struct sim_request *deadline_next_request(struct sim_queue *queue, struct sim_request *rq);
int deadline_insert_request(struct sim_hctx *hctx, struct sim_request *rq);
bool deadline_has_work(const struct sim_hctx *hctx);
void deadline_finish_request(struct sim_queue *queue, struct sim_request *rq);

/*
 * The choice within one class, taken off it; NULL when it gives nothing. With `is_aged`
 * only a request older than prio_aging_expire is given, and the state changes even if
 * none is: the kernel's aging pass goes through the same code.
 */
struct sim_request *deadline_dispatch_class(struct sim_queue *queue, unsigned class,
					    bool is_aged);

/* Which class's lists hold the request. */
unsigned deadline_class_of(const struct deadline_data *dd, const struct sim_request *rq);
/* Looks the sweep's position up anew. */
void deadline_find_position(struct deadline_data *dd, unsigned class, unsigned dir);
/* Takes the request off, the sweep moves to it, its zone is locked. */
void deadline_take(struct sim_queue *queue, struct sim_request *rq);

int deadline_undo_dispatch(struct sim_hctx *hctx, struct sim_request *rq);
void deadline_state_restored(struct sim_queue *queue);
void deadline_force_dispatch(struct sim_hctx *hctx, struct sim_request *rq);

#endif
