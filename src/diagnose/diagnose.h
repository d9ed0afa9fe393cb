/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list that a good engineer works down before blaming the scheduler: is the disk well,
 * do its partitions lie right, what do the mounts cost, what is the load, do the queues
 * fit, where do the interrupts go, and only then the scheduler. One row a check; each says
 * what it saw with the figure, how bad that is, and the next step.
 */
#ifndef IOSCHED_DIAGNOSE_DIAGNOSE_H
#define IOSCHED_DIAGNOSE_DIAGNOSE_H

#include "device/device.h"
#include "device/load.h"
#include "diagnose/pattern.h"
#include "diagnose/smart.h"
#include "persist/conflicts.h"
#include "plan/plan.h"
#include "policy/policy.h"

enum finding_level {
	FINDING_OK,
	FINDING_UNKNOWN, /* could not be looked at; the text says why */
	FINDING_WARN,
	FINDING_BAD,
};
const char *finding_level_name(enum finding_level level); /* "ok" … */

struct finding {
	const char *check;   /* name of the row, N_(): "health" */
	const char *symptom; /* a stable name for programs: "pending-sectors" */
	enum finding_level level;
	char *text;	    /* what is, with its figure; translated */
	const char *advice; /* the next step, N_(); NULL: none is needed */
};

/* What is known of one disk and of the machine, all borrowed. */
struct diagnose_input {
	const struct root *root;
	const struct device_list *devices;
	const struct device *device; /* scanned with DIAGNOSE_NEEDS */
	const struct policy_device *policy; /* NULL: none */
	const struct plan_device *plan;	    /* NULL: none */
	const char *profile_name;
	const struct conflicts *conflicts;
	bool is_applied;   /* a profile was applied since boot */
	bool is_persisted; /* something is installed for the next boot */
	const struct device_load *load; /* NULL: no counters */
	const struct smart *smart;
	const struct pattern *pattern; /* of a trace; NULL: none was given */
};

#define DIAGNOSE_NEEDS                                                              \
	(SCAN_SCHEDULER | SCAN_QUEUE | SCAN_QUEUE_ALL | SCAN_IOSCHED | SCAN_STACK | \
	 SCAN_CLASS | SCAN_IDENTITY | SCAN_HWQUEUES | SCAN_HWQUEUE_CPUS | SCAN_MOUNTS)

struct diagnosis {
	const struct device *device;
	struct finding *items; /* worst first, in the order of the checks among equals */
	size_t count;
	int error; /* sticky -ENOMEM while findings are added */
};

int diagnose_device(const struct diagnose_input *input, struct diagnosis *ret);
void diagnosis_done(struct diagnosis *diagnosis);
/* Of its worst finding. */
enum finding_level diagnosis_get_level(const struct diagnosis *diagnosis);

/* Whether it is looked at when nobody has named it: a disk of some size that is no memory,
   no file and no optical drive. */
bool diagnose_is_default(const struct device *device);

/* --- for the checks ----------------------------------------------------------------- */

struct diagnose_check {
	const char *name;
	void (*probe)(const struct diagnose_input *input, struct diagnosis *out);
};

/* The row of the check is added by diagnose_device(). `advice` is N_() and may be NULL. */
void finding_add(struct diagnosis *out, enum finding_level level, const char *symptom,
		 const char *advice, const char *format, ...) _printf_(5, 6);

void diagnose_health(const struct diagnose_input *input, struct diagnosis *out);
void diagnose_alignment(const struct diagnose_input *input, struct diagnosis *out);
void diagnose_mounts(const struct diagnose_input *input, struct diagnosis *out);
void diagnose_load(const struct diagnose_input *input, struct diagnosis *out);
void diagnose_pattern(const struct diagnose_input *input, struct diagnosis *out);
void diagnose_queue(const struct diagnose_input *input, struct diagnosis *out);
void diagnose_interrupts(const struct diagnose_input *input, struct diagnosis *out);
void diagnose_layers(const struct diagnose_input *input, struct diagnosis *out);
void diagnose_scheduler(const struct diagnose_input *input, struct diagnosis *out);

/* An attribute below the disk's directory as a number, also one spelled 0x…; false: it is
   not there. */
bool diagnose_read_number(const struct diagnose_input *input, const char *name,
			  uint64_t *ret);
/* The same as text; NULL when it is not there or memory is short. To free(). */
char *diagnose_read_text(const struct diagnose_input *input, const char *name);
/* A queue attribute as the scan read it. */
bool diagnose_get_value(const struct device *device, const char *file, uint64_t *ret);

#endif
