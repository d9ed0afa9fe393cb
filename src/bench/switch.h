/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One device under one scheduler after the other, and back: each switch is a plan that is
 * carried out as any other. The state of before goes to the journal with the first write, so
 * that `restore` brings it back where this process cannot.
 */
#ifndef IOSCHED_BENCH_SWITCH_H
#define IOSCHED_BENCH_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "apply/apply.h"
#include "device/device.h"
#include "sysfs/root.h"
#include "util/diag.h"

struct bench_switch {
	const struct root *root;
	char *device;       /* kernel name */
	unsigned major, minor;
	char *original;     /* the scheduler that was active */
	struct apply_lock lock;
	uint64_t last_step; /* of the journal, before the first switch; 0: none */
};

/* Takes the lock of apply and holds it to the end. Errors as apply_lock_take(), and those
   of reading the journal. */
int bench_switch_begin(const struct root *root, const struct device *device,
		       struct bench_switch *ret, struct diag *diag);
void bench_switch_done(struct bench_switch *state);
#define _bench_switch_ _cleanup_(bench_switch_done)

/*
 * Makes the scheduler active with the kernel's initial values; the one that was active at
 * first with the values it had. -EINTR: a signal came, and it was not begun or is done; else
 * the error of the plan or of the write, with a diag.
 */
int bench_switch_to(struct bench_switch *state, const char *scheduler, struct diag *diag);

/* -ESTALE with a diag: somebody else has chosen another scheduler since. */
int bench_switch_check(const struct bench_switch *state, const char *scheduler,
		       struct diag *diag);

/*
 * Back to the state of before, and out of the journal with it. Does nothing where nothing
 * was written. An error leaves the journal as it is: `restore` can be tried later.
 */
int bench_switch_back(struct bench_switch *state, struct diag *diag);

#endif
