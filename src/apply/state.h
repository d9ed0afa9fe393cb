/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The writable state of one queue: its scheduler, the values of that scheduler and the
 * queue's own, as far as a policy may set them. What the journal keeps, and what a device
 * is put back to. Also the one way in which a value is written: read, write when it
 * differs, read again.
 */
#ifndef IOSCHED_APPLY_STATE_H
#define IOSCHED_APPLY_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "device/device.h"
#include "sysfs/root.h"
#include "tunable/tunable.h"

struct queue_value {
	const struct tunable *tunable;
	char text[TUNABLE_VALUE_MAX];
};

/* In the order in which it has to be written back: plan_compare_order() of plan/order.h.
 */
struct queue_state {
	struct queue_value *values;
	size_t count;
};

void queue_state_done(struct queue_state *state);
#define _queue_state_ _cleanup_(queue_state_done)

int queue_state_add(struct queue_state *state, const struct tunable *tunable,
		    const char *text);
const char *queue_state_find(const struct queue_state *state,
			     const struct tunable *tunable);

/*
 * Reads the present state of a device that was scanned: the scheduler and those values
 * that the scan could read. -ENODEV when the device is gone or its name is another one's
 * (the device number differs); -ESTALE when it is not as it was scanned; -ENOMEM.
 */
int queue_state_read(const struct root *root, const struct device *device,
		     struct queue_state *ret);

/* The device's directory; -ENODEV when it is gone or another one has its name. */
int queue_open(const struct root *root, const char *sys_path, unsigned major,
	       unsigned minor, struct root_dir *ret);

/* Reads one value, the active word for the scheduler. `ret` has TUNABLE_VALUE_MAX bytes.
 */
int queue_read_value(const struct root_dir *dir, const struct tunable *tunable,
		     char *ret);

struct queue_write {
	bool is_written;		/* false: it was right already */
	char old[TUNABLE_VALUE_MAX];	/* "" when it could not be read */
	char actual[TUNABLE_VALUE_MAX]; /* as it reads at the end, "" likewise */
};

/*
 * Makes the attribute read `wanted`, but for the kernel's rounding; with is_exact a
 * value that only rounding tells apart is written all the same, as when going back to
 * one that was read. Refusals that pass
 * (-EAGAIN, -EBUSY, -EINTR: the queue's hardware queues are being changed) are tried
 * again for a second. -EIO: the write was accepted, but it reads otherwise; else the
 * error of the write, or of the read after it. `ret` is filled in either case.
 */
int queue_write_value(const struct root_dir *dir, const struct tunable *tunable,
		      const char *wanted, bool is_exact, struct queue_write *ret);

/*
 * Writes back what differs from `state`, in its order, and goes on after an error; the
 * first one is returned and the tunable it struck is *ret_failed. -ENODEV when the device
 * is gone.
 */
int queue_put_back(const struct root_dir *dir, const struct queue_state *state,
		   const struct tunable **ret_failed);

#endif
