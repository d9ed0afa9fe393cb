/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random settings of each scheduler, within what its promises are stated for. */
#ifndef IOSCHED_TESTS_CONSERVATION_SETTINGS_H
#define IOSCHED_TESTS_CONSERVATION_SETTINGS_H

#include "conservation.h"

#include "util/number.h"

static inline void set(struct run *run, const char *file, uint64_t value)
{
	size_t at = run->setting_count++;

	snprintf(run->values[at], sizeof(run->values[at]), "%llu", (unsigned long long)value);
	run->settings[at] = (struct sim_setting){ file, run->values[at] };
}

/* The value that a parameter has in this run, `initial` where it was not set. */
static inline uint64_t value_of(const struct run *run, const char *file, uint64_t initial)
{
	int64_t value;

	for (size_t i = 0; i < run->setting_count; i++) {
		if (strcmp(run->settings[i].file, file) == 0 &&
		    number_parse_i64(run->settings[i].value, &value) == 0)
			return (uint64_t)value;
	}
	return initial;
}

/* 1 to `max`, small ones as often as large ones: only those bind a short workload. */
static inline uint64_t spread(struct run *run, uint64_t max)
{
	return 1 + run_random(run, max >> run_random(run, 9));
}

static inline void set_nothing(struct run *run)
{
	(void)run;
}

static inline void set_deadline(struct run *run)
{
	set(run, "read_expire", spread(run, 500));
	set(run, "write_expire", spread(run, 5000));
	set(run, "fifo_batch", spread(run, 32));
	/* With 0 the reads come last, and without a bound. */
	set(run, "writes_starved", 1 + run_random(run, 4));
}

static inline void set_kyber(struct run *run)
{
	set(run, "read_lat_nsec", 1 + run_random(run, 4 * MS));
	set(run, "write_lat_nsec", 1 + run_random(run, 20 * MS));
}

static inline void set_bfq(struct run *run)
{
	if (run_chance(run, 50))
		return;
	set(run, "slice_idle", run_random(run, 12));
	set(run, "timeout_sync", spread(run, 150));
	set(run, "low_latency", run_random(run, 2));
	set(run, "strict_guarantees", run_random(run, 2));
}

static inline void set_cfq(struct run *run)
{
	if (run_chance(run, 30))
		return;
	set(run, "slice_idle", run_random(run, 12));
	set(run, "group_idle", run_random(run, 12));
	set(run, "slice_sync", spread(run, 100));
	set(run, "slice_async", spread(run, 40));
	set(run, "low_latency", run_random(run, 2));
	set(run, "quantum", 1 + run_random(run, 16));
	set(run, "fifo_expire_sync", spread(run, 250));
}

static inline void set_anticipatory(struct run *run)
{
	if (run_chance(run, 30))
		return;
	set(run, "read_expire", spread(run, 200));
	set(run, "write_expire", spread(run, 300));
	set(run, "read_batch_expire", spread(run, 500));
	set(run, "write_batch_expire", spread(run, 200));
	set(run, "antic_expire", run_random(run, 20));
}

static inline void set_textbook(struct run *run)
{
	set(run, "start", run_random(run, run->medium.capacity_sectors));
	set(run, "direction", run_random(run, 2));
}

#endif
