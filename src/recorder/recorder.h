/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recording the block layer's events of one disk through a private tracefs instance, with
 * the header that replay and simulation need. The instance is named after the process:
 * what a killed one left is found by that, and removed by the next.
 */
#ifndef IOSCHED_RECORDER_RECORDER_H
#define IOSCHED_RECORDER_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "device/device.h"
#include "util/diag.h"
#include "util/text.h"

#define RECORDER_BUFFER_KIB_DEFAULT 4096u              /* of each processor */
#define RECORDER_BUFFER_KIB_MAX     (1024u * 1024)
#define RECORDER_SIZE_MAX_DEFAULT   (UINT64_C(1) << 30) /* of the file */

struct recorder_progress {
	uint64_t events, lost, file_bytes, time_ns;
};

struct recorder_options {
	const struct root *root; /* of this host: -EOPNOTSUPP otherwise */
	const struct device *device;
	const char *path;        /* created; its ending chooses the compression */
	bool replaces;           /* a file that is there already */
	uint64_t time_ns;        /* 0: until a signal */
	uint64_t size_max;       /* of the file: ends there; 0: the default */
	unsigned buffer_kib;     /* of each processor; 0: the default */
	/* Names as "block_rq_issue" or "kyber"; NULL or empty: all that replay needs. */
	const struct strv *events;

	/* About four times a second; may be NULL. */
	void (*on_progress)(void *context, const struct recorder_progress *progress);
	void *context;
};

enum recorder_end { RECORDER_TIME, RECORDER_SIGNAL, RECORDER_SIZE, RECORDER_DEVICE_GONE };

struct recorder_result {
	enum recorder_end end;
	int signal;          /* RECORDER_SIGNAL */
	uint64_t events;     /* written */
	uint64_t lost;       /* the kernel had no room for */
	uint64_t text_bytes, file_bytes, time_ns;
	unsigned hz;         /* 0: not found out, and not in the header */
};

/* 0; -EROFS with a diag: a root that is not this host, which recorder_run() refuses, too. */
int recorder_check_root(const struct root *root, struct diag *diag);

/*
 * Records. -EOPNOTSUPP: built without libtracefs, or a kernel without tracefs or block
 * events; -EROFS: recorder_check_root(); -EACCES, -EPERM; -EEXIST: the file is there; -ENOSPC and
 * other errors of writing: what was written before stays and can be read.
 */
int recorder_run(const struct recorder_options *options, struct recorder_result *ret,
		 struct diag *diag);

/* Removes instances whose process is gone; how many, or an error. */
int recorder_remove_stale(struct diag *diag);

/* The event names that there are; index past the end: NULL. For help and completion. */
const char *recorder_event_name(unsigned index);

#endif
