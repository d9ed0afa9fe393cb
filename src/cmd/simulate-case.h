/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is simulated: a medium with a machine around it, a workload or a trace, and the
 * variants that are compared. Made from the command line, from a device, or from a plan.
 */
#ifndef IOSCHED_CMD_SIMULATE_CASE_H
#define IOSCHED_CMD_SIMULATE_CASE_H

#include "cmd/simulate-request.h"
#include "cmd/simulate-source.h"
#include "sim/experiment.h"

/* The bound of a run against what never ends. */
#define SIMULATE_IOS_MAX 100000000

enum variant_role {
	VARIANT_PLAIN,
	VARIANT_NOW,     /* as the device is */
	VARIANT_PROFILE, /* as the profile wants it */
};

/* One column: a scheduler with its parameters. */
struct simulate_variant {
	char *title;
	const char *scheduler;        /* of the engine's table */
	struct sim_setting *settings; /* texts in `words` */
	size_t setting_count;
	struct strv words;
	unsigned nr_requests;         /* 0: the kernel's default */
	enum variant_role role;
};

struct simulate_variants {
	struct simulate_variant *items;
	size_t count;
};

struct device;
struct simulate_kernels;

struct simulate_case {
	struct kernel_version kernel;
	struct sim_medium medium;
	bool has_medium;            /* false: every request takes the same time */
	char subject[96];           /* "sda (hdd-7200)": what the heading says */
	const char *device;         /* whose medium it is; NULL: of none, or another one */
	struct workload workload;
	bool has_workload;
	struct simulate_source source; /* of a trace, without a workload */
	struct sim_machine machine;
	bool has_machine;
	struct simulate_options options;
	struct simulate_variants variants;
	uint64_t seed;
	unsigned seeds, threads;
};

void simulate_case_done(struct simulate_case *ret);
#define _simulate_case_ _cleanup_(simulate_case_done)

/*
 * The medium of --medium or --service-time, or `medium` (of a device) where neither is
 * given; then workload, machine and limits, all but the variants. `workload`: the name to
 * take where the command line has none; NULL: the default. -EINVAL and its like: the
 * command line.
 */
int simulate_case_read(const struct simulate_request *request,
		       const struct sim_medium *medium, const char *workload,
		       unsigned processors, struct simulate_case *ret, struct diag *diag);

/*
 * The named workload (NULL: the default), or where `fio_path` is not NULL that job file, on a
 * device of this size. What the file says without influence is told with -v. -EINVAL and its
 * like, with a diag; *ret is for workload_done().
 */
int simulate_workload_read(const char *name, const char *fio_path, uint64_t capacity_sectors,
			   struct workload *ret, struct diag *diag);

/*
 * The schedulers of --scheduler, or all that this kernel version has; that which is active on
 * `device` (NULL: none is known) with its parameters. None that has a column already.
 */
int simulate_case_add_schedulers(struct simulate_case *simulated,
				 const struct simulate_request *request,
				 const struct device *device,
				 const struct simulate_kernels *kernels, struct diag *diag);
/* As that for one of them, from the engine's table. -ENOMEM. */
int simulate_case_add_scheduler(struct simulate_case *simulated,
				const struct simulate_request *request,
				const struct device *device,
				const struct simulate_kernels *kernels, const char *scheduler);

/* -EINVAL: a --set that none of the variants has taken. */
int simulate_case_check_sets(const struct simulate_case *simulated,
			     const struct simulate_request *request, struct diag *diag);

/* -EINVAL: a scheduler of the legacy queue, and several hardware queues. */
int simulate_case_check_queues(const struct simulate_case *simulated, struct diag *diag);

/* A variant of this scheduler; NULL: no memory. Title: the scheduler's name. */
struct simulate_variant *simulate_variant_add(struct simulate_variants *variants,
					      const char *scheduler);
/* Copies the texts. A later setting of the same file takes its place. -ENOMEM. */
int simulate_variant_set(struct simulate_variant *variant, const char *file,
			 const char *value);
/* The --set and --nr-requests of the command line that are for its scheduler. -ENOMEM. */
int simulate_variant_take_sets(struct simulate_variant *variant,
			       const struct simulate_request *request);
/* "mq-deadline, fifo_batch=1, nr_requests=256": the scheduler, and what is no default. */
void simulate_variant_describe(const struct simulate_variant *variant, struct text *out);
/* Under whatever title. */
bool simulate_variant_is_same(const struct simulate_variant *a,
			      const struct simulate_variant *b);
/* The first that the last one is the same as; NULL: none. There must be one. */
struct simulate_variant *simulate_variants_find_twin(const struct simulate_variants *variants);
void simulate_variants_done(struct simulate_variants *variants);
/* Forgets the last one; there must be one. */
void simulate_variants_drop_last(struct simulate_variants *variants);

/*
 * Runs it, with progress on a terminal, until it ends or the person ends it. Outcomes in
 * the order of the variants. Callbacks get contexts[variant]; NULL without callbacks.
 */
struct simulate_watch {
	void (*on_dispatch)(void *context, const struct simulate_dispatch *dispatch);
	void (*on_complete)(void *context, const struct simulate_completion *completion);
	void **contexts;
};
int simulate_case_run(struct simulate_case *simulated, const struct simulate_watch *watch,
		      struct experiment_outcome **ret, struct diag *diag);

#endif
