/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The phase of the recorded machine's tick. A trace does not say when its jiffies counter
 * goes up, only timers do: kyber's fire with the tick, within some tens of microseconds.
 * Their times modulo the tick therefore pile up just after the phase. Nothing but the
 * moment is looked at, not what kyber then decided.
 */
#include <stdlib.h>

#include "sim/replay-internal.h"

#define CLOCK_SAMPLES_MAX 256

/* From the tick to the first line that the timer prints, as recorded: 10 to 60 us. */
#define CLOCK_LATE_NS 25000

static int compare_u64(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

uint64_t replay_clock_find(const struct trace_record *records, size_t count,
			   uint64_t tick_ns)
{
	uint64_t rest[CLOCK_SAMPLES_MAX], widest = 0, phase;
	size_t samples = 0, first = 0;
	bool in_group = false;

	for (size_t i = 0; i < count && samples < CLOCK_SAMPLES_MAX; i++) {
		bool is_timer = records[i].action == TRACE_KYBER_LATENCY ||
				records[i].action == TRACE_KYBER_ADJUST;

		if (is_timer && !in_group)
			rest[samples++] = records[i].time_ns % tick_ns;
		in_group = is_timer;
	}
	if (samples == 0)
		return 0;

	/* They lie on a circle: the pile begins behind the widest gap. */
	qsort(rest, samples, sizeof(rest[0]), compare_u64);
	for (size_t i = 0; i < samples; i++) {
		uint64_t before = i > 0 ? rest[i - 1] : rest[samples - 1];
		uint64_t gap = i > 0 ? rest[i] - before : rest[i] + tick_ns - before;

		if (gap > widest) {
			widest = gap;
			first = i;
		}
	}
	phase = rest[first] + tick_ns - CLOCK_LATE_NS % tick_ns;
	return phase % tick_ns;
}
