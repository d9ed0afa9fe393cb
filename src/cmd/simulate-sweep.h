/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Axes of --sweep, read and multiplied with the variants: "read_expire=50:500:50",
 * "mq-deadline.fifo_batch=1,4,16", "nr_requests=64:256:64".
 */
#ifndef IOSCHED_CMD_SIMULATE_SWEEP_H
#define IOSCHED_CMD_SIMULATE_SWEEP_H

#include <stddef.h>
#include <stdint.h>

#include "util/diag.h"

struct simulate_variants;

#define SWEEP_AXES_MAX   4
#define SWEEP_VALUES_MAX 128

struct sweep_axis {
	char *owner;  /* NULL: every scheduler that has the key */
	char *key;
	int64_t values[SWEEP_VALUES_MAX]; /* in the attribute's unit */
	size_t count;
};

struct sweep {
	struct sweep_axis axes[SWEEP_AXES_MAX];
	size_t count;
};

void sweep_done(struct sweep *sweep);
/* Adds an axis. -EINVAL, -ERANGE, -E2BIG with a diag; -ENOMEM. */
int sweep_add(struct sweep *sweep, const char *text, struct diag *diag);

/*
 * Each variant that has every key becomes one for each point of the grid; what is now
 * stays beside them, the others go. -EINVAL: none has them; -E2BIG: too many points.
 */
int sweep_expand(const struct sweep *sweep, struct simulate_variants *variants,
		 struct diag *diag);

#endif
