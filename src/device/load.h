/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a disk has to do: its counters (the file stat), and the figures of an interval
 * between two readings of them.
 */
#ifndef IOSCHED_DEVICE_LOAD_H
#define IOSCHED_DEVICE_LOAD_H

#include "device/device.h"

/* One direction of the file (Documentation/block/stat.rst). */
struct device_counter {
	uint64_t requests, merges, sectors;
	uint64_t wait_ms; /* of all requests together, from queueing to completion */
};

struct device_counters {
	struct device_counter read, write;
	struct device_counter discard; /* 4.18+ */
	struct device_counter flush;   /* 5.5+; requests and wait_ms only */
	uint64_t in_flight;
	uint64_t busy_ms; /* while at least one request was under way */
};

/* Per second, of a mean request. */
struct device_flow {
	double requests_s, kib_s;
	double size_kib;       /* 0 without requests */
	double merged_percent; /* of what was submitted */
	double await_ms;       /* queueing and service; 0 without requests */
};

struct device_load {
	double seconds;
	bool is_since_boot; /* a mean over all that time, not what is going on now */
	struct device_flow read, write, discard, flush;
	double queue;        /* requests waiting or in service, in the mean */
	double busy_queue;   /* the same, of the time that it was busy; without flushes, which
				the kernel does not count as work (block/blk-flush.c) */
	double busy_percent; /* of the time at least one was: iostat's %util */
	uint64_t in_flight;  /* at the end */
};

/* -ENOENT: it has none; -EBADMSG: not such a file. */
int device_counters_parse(const char *text, struct device_counters *ret);
int device_counters_read(const struct root *root, const struct device *device,
			 struct device_counters *ret);

/* -ERANGE: they went backwards, it is another device by now; -EINVAL: no time between. */
int device_load_between(const struct device_counters *before,
			const struct device_counters *after, double seconds,
			struct device_load *ret);

/*
 * A snapshot can hold an earlier reading, PATH_SNAPSHOT_SAMPLE/<name>, and the seconds from
 * then to its own. Otherwise the counters since boot count, with the time since boot.
 * -ENOENT where there are no counters at all.
 */
int device_load_recorded(const struct root *root, const struct device *device,
			 struct device_load *ret);

/* Whether it works on many requests at once, so that being busy is not being full. */
bool device_is_parallel(const struct device *device);

#endif
