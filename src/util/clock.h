/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long something takes, by a clock that is never set back.
 */
#ifndef IOSCHED_UTIL_CLOCK_H
#define IOSCHED_UTIL_CLOCK_H

#include <stdint.h>

/* Since some moment in the past (CLOCK_MONOTONIC): only differences mean something. */
uint64_t clock_now_ns(void);
/* The same in milliseconds; signed, since time that is left can be below 0. */
int64_t clock_now_ms(void);
/* What went by since a moment of clock_now_ns(). */
double clock_seconds_since(uint64_t begin_ns);

#endif
