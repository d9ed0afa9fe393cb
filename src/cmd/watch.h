/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * status --watch: the same table again and again.
 */
#ifndef IOSCHED_CMD_WATCH_H
#define IOSCHED_CMD_WATCH_H

#include "cmd/gather.h"

struct watch_request {
	unsigned interval_ms;
	uint64_t count;	   /* so many tables, 0: until a signal */
	bool is_all;	   /* devices of no size too */
	bool no_headings, is_raw;
	const char *const *names;
	size_t name_count;
};

/* An exit status. Ctrl-C ends it and is no failure. A snapshot has one table. */
int watch_run(const struct cmd_context *context, const struct verb *verb,
	      const struct watch_request *request);

#endif
