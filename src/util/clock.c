// SPDX-License-Identifier: GPL-2.0-or-later
/* The clock that is never set back. */
#include "util/clock.h"

#include <time.h>

uint64_t clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

int64_t clock_now_ms(void)
{
	return (int64_t)(clock_now_ns() / 1000000);
}

double clock_seconds_since(uint64_t begin_ns)
{
	return (double)(clock_now_ns() - begin_ns) / 1e9;
}
