/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replay: a recording of a real kernel drives the engine. Insertions, merges and
 * completions are taken from the trace; at each recorded issue the engine's own next
 * choice, made from the history so far, is compared, and then the engine is put on the
 * recorded history. kyber's measurements and adjustments are compared the same way.
 */
#ifndef IOSCHED_SIM_REPLAY_H
#define IOSCHED_SIM_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/queue.h"
#include "sim/reason.h"
#include "sim/workload/trace.h"
#include "util/diag.h"

/* One recorded issue, and what the engine would have issued. */
struct replay_issue {
	uint64_t time_ns;
	uint64_t line;          /* in the trace */
	uint64_t recorded_sector, chosen_sector;
	char recorded_dir, chosen_dir; /* R, W, D; F for a flush, N for others */
	bool has_choice;        /* false: the engine had nothing to issue */
	bool is_decision;       /* at least two requests were waiting */
	bool is_equal;
	unsigned waiting;       /* requests that could have been chosen */
	enum sim_reason reason; /* of the engine's choice */
};

/* One recorded kyber event, and the engine's. */
struct replay_kyber {
	uint64_t time_ns;
	uint64_t line;          /* 0: the engine's event has no recorded counterpart */
	bool is_adjust;
	bool is_equal;
	struct trace_kyber recorded;
	struct sim_kyber_event chosen; /* domain NULL: the engine had none */
};

struct replay_options {
	/* What the header says is used unless these say otherwise (0, NULL). */
	struct kernel_version kernel;
	const char *scheduler;
	unsigned hw_depth, nr_requests, hz;
	const struct sim_setting *settings; /* over the header's iosched lines */
	size_t setting_count;

	/* Called for every issue and every kyber event; may be NULL. */
	void (*on_issue)(void *context, const struct replay_issue *issue);
	void (*on_kyber)(void *context, const struct replay_kyber *kyber);
	void *context;
};

struct replay_result {
	struct kernel_version kernel;
	char scheduler[32];
	unsigned hw_depth, nr_requests, hz;

	uint64_t issues;
	uint64_t decisions;     /* issues while at least two requests were waiting */
	uint64_t equal;         /* decisions that the engine made as the kernel did */
	uint64_t latency_events, latency_equal;
	uint64_t adjust_events, adjust_equal;
	uint64_t kyber_extra;   /* engine's events without a recorded counterpart */

	uint64_t other_device;  /* records of another device, left out */
	uint64_t unknown;       /* issues and completions of requests never seen before */
	uint64_t backwards;     /* records that are earlier than the one before */
	uint64_t lost;          /* events that the kernel had no room for */
};

/*
 * Reads the trace to its end. Errors of the reader; -EINVAL: nothing says which kernel or
 * scheduler it is; those of sim_queue_new(). The reader stays the caller's.
 */
int replay_run(struct trace_reader *reader, const struct replay_options *options,
	       struct replay_result *ret, struct diag *diag);

#endif
