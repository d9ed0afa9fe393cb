/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kyber's parts: domains with tokens (kyber.c) and latency histograms that resize them
 * (kyber-latency.c). Source of the numbers: facts on kyber.
 */
#ifndef IOSCHED_SIM_ELEVATORS_KYBER_H
#define IOSCHED_SIM_ELEVATORS_KYBER_H

#include <stdint.h>

#include "sim/elevators/token-map.h"
#include "sim/queue.h"

enum kyber_domain {
	KYBER_READ,
	KYBER_WRITE,
	KYBER_DISCARD,
	KYBER_OTHER, /* has tokens, is not measured */
	KYBER_DOMAINS,
};

enum kyber_latency { KYBER_TOTAL, KYBER_IO, KYBER_LATENCIES };

#define KYBER_MEASURED 3
#define KYBER_BUCKETS  8

/* What choosing changes, for each hardware queue. */
struct kyber_turn {
	uint8_t domain;
	uint8_t batching;
};

struct kyber_state {
	struct kyber_turn turns[SIM_HW_QUEUES_MAX];
};

struct kyber_queue {
	struct sim_link ready[KYBER_DOMAINS];  /* flushed from the processors' lists */
	unsigned pending[KYBER_DOMAINS];       /* still on the processors' lists */
	bool waits[KYBER_DOMAINS];             /* for a token */
	bool has_share[KYBER_DOMAINS];         /* was woken with others, for */
	unsigned share[KYBER_DOMAINS];         /* so many tokens */
	bool yields[KYBER_DOMAINS];            /* had its share in this run */
};

struct kyber_data {
	struct kyber_state state;
	int64_t read_lat_ns, write_lat_ns;
	struct token_map tokens[KYBER_DOMAINS];
	struct kyber_queue *queues;            /* one a hardware queue */
	unsigned woken[KYBER_DOMAINS];         /* the last that waited and was woken */
	struct sim_link *lists;                /* [cpu][domain] */
	uint64_t targets_ns[KYBER_MEASURED];
	uint32_t buckets[KYBER_MEASURED][KYBER_LATENCIES][KYBER_BUCKETS];
	uint64_t timeout_jiffies[KYBER_MEASURED]; /* 0: no sample yet */
	int last_p99[KYBER_MEASURED];          /* bucket, -1: none */
};

extern const char *const kyber_domain_names[KYBER_DOMAINS];
extern const unsigned kyber_tokens_max[KYBER_DOMAINS];

enum kyber_domain kyber_domain_of(enum sim_op op);
void kyber_latency_init(struct sim_queue *queue);
void kyber_completed_request(struct sim_queue *queue, struct sim_request *rq);
void kyber_timer(struct sim_queue *queue);

#endif
