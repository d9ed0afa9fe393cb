/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of fio: a child in a process group of its own that ends with this process,
 * whatever ends it, with the job file on its standard input and its report taken from its
 * standard output. SIGPIPE has to be ignored: it may end before it has read all.
 */
#ifndef IOSCHED_BENCH_FIO_RUN_H
#define IOSCHED_BENCH_FIO_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "sysfs/root.h"
#include "util/diag.h"
#include "util/signals.h"
#include "util/text.h"

struct fio_command {
	const char *program;  /* from fio_find() */
	bool is_read_only;    /* fio refuses to write, too */
	const struct text *job;
	uint64_t limit_ns;    /* then it is given up */
	struct held_signals *signals;
	/* Called some times a second; may be NULL. */
	void (*on_tick)(void *context, double seconds);
	void *context;
};

/* Where fio is; -ENOENT with the package that brings it in the diag. */
int fio_find(const struct root *root, char **ret, struct diag *diag);

/*
 * Runs it to its end; its report in `ret_output`. -EINTR: a signal asked for the end, and
 * the group was ended; -ETIME: over its time, likewise; -EIO: fio failed or was killed, with
 * what it said in the diag, or it cannot be started; -EFBIG too much output.
 */
int fio_run(const struct fio_command *command, struct text *ret_output, struct diag *diag);

#endif
