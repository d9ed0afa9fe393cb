/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoints that are read from ftrace text, and the parser of each one's body.
 */
#ifndef IOSCHED_SIM_TRACE_FTRACE_H
#define IOSCHED_SIM_TRACE_FTRACE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/workload/trace.h"

struct ftrace_event {
	const char *name;
	size_t len; /* of the name */
	enum trace_action action;
	/* False: *ret_why is an N_() text. [p, end) is without blanks around it. */
	bool (*parse)(const char *p, const char *end, struct trace_record *ret,
		      const char **ret_why);
};

/* NULL: not one that is read. */
const struct ftrace_event *ftrace_event_find(const char *name, size_t len);

#endif
