/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The writing half of the udev rules: what the rules noted in properties goes to sysfs,
 * in the order that the kernel needs, and only what is not right already.
 */
#ifndef IOSCHED_PERSIST_UDEV_WRITE_H
#define IOSCHED_PERSIST_UDEV_WRITE_H

#include "policy/profile.h"
#include "tunable/scheduler.h"
#include "util/text.h"

/* One value that some rule may ask for. */
struct udev_write {
	const struct tunable *tunable;
	const char *value; /* borrowed from the profile */
};

struct udev_writes {
	const struct scheduler **schedulers; /* each once */
	size_t scheduler_count;
	struct udev_write *values; /* each once */
	size_t value_count;
};

void udev_writes_done(struct udev_writes *writes);
int udev_writes_add_scheduler(struct udev_writes *writes,
			      const struct scheduler *scheduler);
int udev_writes_add_value(struct udev_writes *writes,
			  const struct profile_setting *setting);

/* The line that notes the value unless one was noted before. */
void udev_add_noted(struct text *out, const struct profile_setting *setting);

/* All lines that write. Sorts the values. */
void udev_writes_render(struct udev_writes *writes, struct text *out);

#endif
