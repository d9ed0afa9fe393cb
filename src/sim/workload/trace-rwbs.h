/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The operation letters that the block tracepoints and blkparse print.
 */
#ifndef IOSCHED_SIM_TRACE_RWBS_H
#define IOSCHED_SIM_TRACE_RWBS_H

#include <stdbool.h>

#include "sim/workload/trace.h"

/*
 * [F] operation flags: F in front of an operation is a flush before it, alone it is the
 * flush itself; operations R, W, D (discard), DE (secure erase), F (flush), N (none of
 * these) and Z with one or two letters (zone commands); flags F (after), A, S, M, U, and
 * E as kernels before 4.8 printed a secure erase. True if all of [p, end) was understood;
 * sets op and flags.
 */
bool trace_rwbs_parse(const char *p, const char *end, struct trace_record *ret);

#endif
