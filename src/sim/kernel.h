/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a kernel version changed in the block layer and in its schedulers, as switches
 * that the engine reads. One row a behaviour in kernel.c, with the first version that has
 * it. Source of each: facts on schedulers, and the recordings of 5.10, 6.1, 6.12 and 7.2.
 */
#ifndef IOSCHED_SIM_KERNEL_H
#define IOSCHED_SIM_KERNEL_H

#include <stdbool.h>

#include "tunable/kernel-version.h"

enum sim_behaviour {
	/* A queue run takes many requests from the scheduler before it issues them. */
	SIM_PULL_MANY,
	/* ... but stops at the first that gets no driver tag. */
	SIM_PULL_STOPS_WITHOUT_TAG,
	/* A run ends, and the worker goes on, when another task wants the processor. */
	SIM_RUN_YIELDS,
	/* A plug's requests are issued newest first where no scheduler stands between. */
	SIM_PLUG_REVERSED,
	/* A bio is compared with the plug's newest request only. */
	SIM_PLUG_MERGES_LAST,
	/* A plug holds 32 requests (16 before). */
	SIM_PLUG_HOLDS_32,
	/* mq-deadline: RT, BE and IDLE are kept apart. */
	SIM_MQD_CLASSES,
	/* mq-deadline: a class with requests in flight holds back the ones below it. */
	SIM_MQD_CLASS_WAITS,
	/* mq-deadline: old requests of lower classes pass; statistics decide. */
	SIM_MQD_AGING,
	/* mq-deadline: position kept as a sector, not as a pointer to the successor. */
	SIM_MQD_LATEST_POS,
	/* mq-deadline: sweeping forgets the other direction's position. */
	SIM_MQD_ONE_POSITION,
	/* mq-deadline: the first batch looks at writes first. */
	SIM_MQD_STARTS_WRITING,
	/* mq-deadline: writes to a locked zone are passed over. */
	SIM_MQD_ZONE_LOCKS,
	/* mq-deadline: at-head requests share one list for all classes. */
	SIM_MQD_ONE_HEAD_LIST,
	/* mq-deadline: the async depth is 3/4 of nr_requests, not all of it. */
	SIM_MQD_ASYNC_THREE_QUARTERS,
	/* kyber: the async limit is the queue's, and spares synchronous reads only. */
	SIM_KYBER_ASYNC_OF_QUEUE,
	/* Writes with FUA or PREFLUSH go through the scheduler. */
	SIM_FUA_IS_SCHEDULED,
	/* bfq: the revision of idling, think times, I/O intensity and wakers. */
	SIM_BFQ_REVISED,
	/* bfq: queues of processes that were started together become one. */
	SIM_BFQ_STABLE_MERGE,
	/* bfq: a waker is looked for when the process has nothing in flight. */
	SIM_BFQ_WAKES_IDLE,
	/* bfq: has work while requests wait, not while queues are busy. */
	SIM_BFQ_WORK_IS_QUEUED,
	/* bfq: a process has its part of the tags, and hardly any beyond it. */
	SIM_BFQ_SHARES_TAGS,
	/* A limit is of all tags, not of each word of their bitmap. */
	SIM_LIMIT_IS_OF_ALL,
	SIM_BEHAVIOURS,
};

/* The newest version whose behaviour is known; later ones are taken to do the same. */
#define SIM_KERNEL_NEWEST ((struct kernel_version){ 7, 2, 0 })

struct sim_kernel {
	struct kernel_version version;
	bool has[SIM_BEHAVIOURS];
};

/* The switches of any version; those before 4.18 behave as 4.18. */
void sim_kernel_init(struct sim_kernel *kernel, struct kernel_version version);

/* Of its minor number: 7.2.5 is not beyond 7.2. */
bool sim_kernel_is_beyond(struct kernel_version version);

#endif
