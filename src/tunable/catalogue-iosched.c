// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The attributes that each scheduler brings in queue/iosched. Ranges are what Linux
 * 6.18 accepts and reads back unchanged but for rounding, measured on loop devices
 * (HZ=250); the kernel clamps or wraps beyond them. The legacy rows follow the facts on
 * Linux 2.6.18 to 4.20. A time that is kept in jiffies ends at 2147483640 ms: the next
 * tick no longer fits the int in which it is read back.
 */
#include "tunable/catalogue.h"

#include <limits.h>

#include "util/i18n.h"

/* clang-format off: a table, one row an entry */
#define JIFFY_MS_MAX 2147483640
#define ROW(scheduler, name, type_, unit_, min_, max_, initial_, ...)                    \
	{                                                                                \
		.key = scheduler "." name, .file = name, .place = TUNABLE_IOSCHED,       \
		.owner = scheduler, .type = type_, .unit = unit_, .min = min_,           \
		.max = max_, .initial = initial_, .phase = PHASE_IOSCHED,                \
		.is_policy = true, __VA_ARGS__                                           \
	}
#define COUNT(scheduler, name, min_, max_, initial_, ...)                                \
	ROW(scheduler, name, TUNABLE_INT, UNIT_NONE, min_, max_, initial_, __VA_ARGS__)
#define SWITCH(scheduler, name, initial_, ...)                                           \
	ROW(scheduler, name, TUNABLE_BOOL, UNIT_BOOL, 0, 1, initial_, __VA_ARGS__)
#define JIFFY_MS(scheduler, name, min_, initial_, ...)                                   \
	ROW(scheduler, name, TUNABLE_INT, UNIT_MS, min_, JIFFY_MS_MAX, initial_,         \
	    .rounding = ROUND_JIFFY, __VA_ARGS__)
#define EXACT_MS(scheduler, name, min_, max_, initial_, ...)                             \
	ROW(scheduler, name, TUNABLE_INT, UNIT_MS, min_, max_, initial_, __VA_ARGS__)

/* The whole table of a name that exists on one kind of queue only until 5.0. */
#define LEGACY .until = { 5, 0, 0 }

const struct tunable catalogue_iosched[] = {
	/* mq-deadline */
	JIFFY_MS("mq-deadline", "read_expire", 0, "500", .since = { 4, 11, 0 },
		 .help = N_("age after which a read is served before sector order")),
	JIFFY_MS(
		"mq-deadline", "write_expire", 0, "5000", .since = { 4, 11, 0 },
		.help = N_("age after which a write is served before sector order"),
		.note = N_("an expired write does not change the direction from reads to "
			   "writes; writes_starved does")),
	COUNT("mq-deadline", "writes_starved", 0, INT_MAX, "2", .since = { 4, 11, 0 },
	      .help = N_("batches of reads that may pass waiting writes")),
	SWITCH("mq-deadline", "front_merges", "1", .since = { 4, 11, 0 },
	       .help = N_("look for requests that a new one could be put in front of")),
	COUNT("mq-deadline", "fifo_batch", 0, INT_MAX, "16", .since = { 4, 11, 0 },
	      .help = N_("requests in sector order before expiry times are looked at "
			 "again")),
	JIFFY_MS("mq-deadline", "prio_aging_expire", 0, "10000", .since = { 6, 1, 0 },
		 .help = N_(
			 "age after which a request of a lower priority class is served "
			 "before a higher class")),
	/* In full: the only one with a phase of its own, since nr_requests resets it. */
	{ .key = "mq-deadline.async_depth",
	  .file = "async_depth",
	  .place = TUNABLE_IOSCHED,
	  .owner = "mq-deadline",
	  .type = TUNABLE_INT,
	  .min = 1,
	  .max = INT_MAX,
	  .phase = PHASE_ASYNC_DEPTH,
	  .is_policy = true,
	  .since = { 5, 15, 0 },
	  .until = { 7, 0, 0 },
	  .help = N_("scheduler tags that writes and asynchronous reads may take"),
	  .note = N_("follows nr_requests when that changes; the file of 5.15 and 5.16 "
		     "holds front_merges instead; queue/async_depth from 7.0 on") },

	/* kyber */
	ROW("kyber", "read_lat_nsec", TUNABLE_INT, UNIT_NS, 1, INT64_MAX, "2000000",
	    .since = { 4, 12, 0 }, .help = N_("latency target of reads")),
	ROW("kyber", "write_lat_nsec", TUNABLE_INT, UNIT_NS, 1, INT64_MAX, "10000000",
	    .since = { 4, 12, 0 }, .help = N_("latency target of synchronous writes")),

	/* bfq */
	EXACT_MS(
		"bfq", "fifo_expire_sync", 1, INT_MAX, "125", .since = { 4, 12, 0 },
		.help = N_("age after which a synchronous request is served first within "
			   "its queue")),
	EXACT_MS("bfq", "fifo_expire_async", 1, INT_MAX, "250", .since = { 4, 12, 0 },
		 .help = N_(
			 "age after which an asynchronous request is served first within "
			 "its queue")),
	ROW("bfq", "back_seek_max", TUNABLE_INT, UNIT_KIB, 0, INT_MAX, "16384",
	    .since = { 4, 12, 0 },
	    .help = N_("longest backward seek that is considered")),
	COUNT("bfq", "back_seek_penalty", 1, INT_MAX, "2", .since = { 4, 12, 0 },
	      .help = N_("cost of a backward seek relative to a forward one")),
	EXACT_MS("bfq", "slice_idle", 0, 4294, "8", .since = { 4, 12, 0 },
		 .help = N_("how long to wait for the next request of the same process"),
		 .note = N_("the same setting as slice_idle_us, in whole milliseconds")),
	ROW("bfq", "slice_idle_us", TUNABLE_INT, UNIT_US, 0, 4294967, "8000",
	    .since = { 4, 12, 0 },
	    .help = N_("how long to wait for the next request of the same process"),
	    .note = N_("the same setting as slice_idle, in microseconds")),
	ROW("bfq", "max_budget", TUNABLE_INT, UNIT_SECTORS, 0, INT_MAX, "0",
	    .since = { 4, 12, 0 },
	    .help = N_("most service that a process gets before another has its turn"),
	    .note = N_("0: from the measured speed of the device")),
	JIFFY_MS("bfq", "timeout_sync", 1, "125", .since = { 4, 12, 0 },
		 .help = N_("longest time that a process keeps the device"),
		 .note = N_(
			 "the kernel's default is an eighth of a second in whole ticks: "
			 "124 ms at HZ=250")),
	SWITCH("bfq", "strict_guarantees", "0", .since = { 4, 12, 0 },
	       .help = N_("one request in flight and always idle: exact shares, less "
			  "throughput"),
	       .note = N_("1 raises slice_idle to at least 8 ms")),
	SWITCH("bfq", "low_latency", "1", .since = { 4, 12, 0 },
	       .help = N_("serve interactive and soft real-time processes first")),

	/* deadline, legacy */
	JIFFY_MS("deadline", "read_expire", 0, "500", LEGACY,
		 .help = N_("age after which a read is served before sector order")),
	JIFFY_MS("deadline", "write_expire", 0, "5000", LEGACY,
		 .help = N_("age after which a write is served before sector order")),
	COUNT("deadline", "writes_starved", 0, INT_MAX, "2", LEGACY,
	      .help = N_("batches of reads that may pass waiting writes")),
	SWITCH("deadline", "front_merges", "1", LEGACY,
	       .help = N_("look for requests that a new one could be put in front of")),
	COUNT("deadline", "fifo_batch", 0, INT_MAX, "16", LEGACY,
	      .help = N_("requests in sector order before expiry times are looked at "
			 "again")),

	/* cfq, legacy */
	COUNT("cfq", "quantum", 1, INT_MAX, "8", LEGACY,
	      .help = N_("requests of one process that are sent to the driver at once")),
	JIFFY_MS(
		"cfq", "fifo_expire_sync", 1, "125", LEGACY,
		.help = N_("age after which a synchronous request is served first within "
			   "its queue")),
	JIFFY_MS("cfq", "fifo_expire_async", 1, "250", LEGACY,
		 .help = N_(
			 "age after which an asynchronous request is served first within "
			 "its queue")),
	ROW("cfq", "back_seek_max", TUNABLE_INT, UNIT_KIB, 0, INT_MAX, "16384", LEGACY,
	    .help = N_("longest backward seek that is considered")),
	COUNT("cfq", "back_seek_penalty", 1, INT_MAX, "2", LEGACY,
	      .help = N_("cost of a backward seek relative to a forward one")),
	JIFFY_MS("cfq", "slice_sync", 1, "100", LEGACY,
		 .help = N_("time slice of a process with synchronous requests")),
	JIFFY_MS("cfq", "slice_async", 1, "40", LEGACY,
		 .help = N_("time slice of asynchronous requests")),
	COUNT("cfq", "slice_async_rq", 1, INT_MAX, "2", LEGACY,
	      .help = N_("asynchronous requests in a slice at normal priority")),
	JIFFY_MS("cfq", "slice_idle", 0, "8", LEGACY,
		 .help = N_("how long to wait for the next request of the same process")),
	JIFFY_MS("cfq", "group_idle", 0, "8", .since = { 2, 6, 36 }, LEGACY,
		 .help = N_("how long to wait for the next request of the same cgroup")),
	SWITCH("cfq", "low_latency", "1", .since = { 2, 6, 32 }, LEGACY,
	       .help = N_(
		       "shrink slices so that all processes stay within target_latency")),
	JIFFY_MS("cfq", "target_latency", 1, "300", .since = { 3, 4, 0 }, LEGACY,
		 .help = N_("time in which every process should get its turn")),

/* anticipatory, Linux 2.6 */
#define ANTICIPATORY .until = { 2, 6, 33 }
	JIFFY_MS("anticipatory", "read_expire", 0, "125", ANTICIPATORY,
		 .help = N_("age after which a read is served before sector order")),
	JIFFY_MS("anticipatory", "write_expire", 0, "250", ANTICIPATORY,
		 .help = N_("age after which a write is served before sector order")),
	JIFFY_MS("anticipatory", "read_batch_expire", 0, "500", ANTICIPATORY,
		 .help = N_("time that reads are served before writes get their turn")),
	JIFFY_MS("anticipatory", "write_batch_expire", 0, "125", ANTICIPATORY,
		 .help = N_("time that writes are served before reads get their turn")),
	JIFFY_MS(
		"anticipatory", "antic_expire", 0, NULL, ANTICIPATORY,
		.help = N_("how long to wait for the next read of the same process"),
		.note = N_("the kernel's default is a 150th of a second in whole ticks")),
};
/* clang-format on */
const size_t catalogue_iosched_count =
	sizeof(catalogue_iosched) / sizeof(catalogue_iosched[0]);
