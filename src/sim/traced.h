/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a trace calls an I/O, in the engine's words: the same where a trace is replayed and
 * where it is a workload.
 */
#ifndef IOSCHED_SIM_TRACED_H
#define IOSCHED_SIM_TRACED_H

#include "sim/request.h"
#include "sim/workload/trace.h"

static inline enum sim_op traced_op(const struct trace_record *record)
{
	switch (record->op) {
	case TRACE_READ:
		return SIM_READ;
	case TRACE_WRITE:
		return SIM_WRITE;
	case TRACE_DISCARD:
		return SIM_DISCARD;
	case TRACE_FLUSH:
		return SIM_FLUSH;
	case TRACE_ZONE:
	case TRACE_OTHER:
		break;
	}
	return SIM_OTHER;
}

/* Those that schedulers look at. */
static inline uint8_t traced_flags(const struct trace_record *record)
{
	uint8_t flags = 0;

	if (record->flags & TRACE_FLAG_SYNC)
		flags |= SIM_REQUEST_SYNC;
	if (record->flags & TRACE_FLAG_META)
		flags |= SIM_REQUEST_META;
	if (record->flags & TRACE_FLAG_FUA)
		flags |= SIM_REQUEST_FUA;
	if (record->flags & TRACE_FLAG_PREFLUSH)
		flags |= SIM_REQUEST_PREFLUSH;
	return flags;
}

#endif
