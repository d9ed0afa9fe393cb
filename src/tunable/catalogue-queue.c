// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The attributes in queue/ itself: those that a policy may set, then those that are
 * only shown. Ranges are what Linux 6.18 accepts and reads back unchanged but for
 * rounding, measured on loop devices. Versions are those of the kernel's own ABI
 * description; an open start means Linux 2.6.18 or older.
 */
#include "tunable/catalogue.h"

#include <limits.h>

#include "util/i18n.h"

/* Largest hardware queue depth that the block layer takes; nr_requests never exceeds it. */
#define TAG_DEPTH_MAX 10240

/* clang-format off: a table, one row an entry */
#define POLICY(name, type_, unit_, min_, max_, phase_, ...)                              \
	{                                                                                \
		.key = name, .file = name, .place = TUNABLE_QUEUE, .type = type_,        \
		.unit = unit_, .min = min_, .max = max_, .phase = phase_,                \
		.is_policy = true, __VA_ARGS__                                           \
	}
/* The kernel takes a write, a profile may not make it: the help or note says why. */
#define SHOWN(name, type_, unit_, ...)                                                   \
	{                                                                                \
		.key = name, .file = name, .place = TUNABLE_QUEUE, .type = type_,        \
		.unit = unit_, .max = INT64_MAX, .phase = PHASE_QUEUE, __VA_ARGS__       \
	}
#define READONLY(name, type_, unit_, ...)                                                \
	SHOWN(name, type_, unit_, .is_readonly = true, __VA_ARGS__)

const struct tunable catalogue_queue[] = {
	POLICY("scheduler", TUNABLE_CHOICE, UNIT_NONE, 0, 0, PHASE_SCHEDULER,
	       .help = N_("the I/O scheduler of this queue"),
	       .note = N_("a switch replaces the scheduler's own attributes and resets "
			  "nr_requests")),
	POLICY("nr_requests", TUNABLE_INT, UNIT_NONE, 4, TAG_DEPTH_MAX, PHASE_NR_REQUESTS,
	       .rounding = ROUND_CLAMP_LOW,
	       .help = N_("requests that may wait in the queue for each direction or tag "
			  "set"),
	       .note = N_("scheduler tags: at most 2048 with a scheduler, at most the "
			  "driver's own tags with none; below 4 the kernel takes 4")),
	POLICY("async_depth", TUNABLE_INT, UNIT_NONE, 1, TAG_DEPTH_MAX, PHASE_ASYNC_DEPTH,
	       .since = { 7, 0, 0 },
	       .help = N_("scheduler tags that all but synchronous reads may take"),
	       .note = N_("at most nr_requests, follows it when that changes; needs a "
			  "scheduler")),
	POLICY("read_ahead_kb", TUNABLE_INT, UNIT_KIB, 0, UINT_MAX, PHASE_QUEUE,
	       .rounding = ROUND_PAGE_DOWN,
	       .help = N_("most that is read ahead of a sequential reader"),
	       .note = N_("KiB; blockdev --setra counts sectors of 512 bytes, twice as "
			  "many")),
	POLICY("max_sectors_kb", TUNABLE_INT, UNIT_KIB, 4, UINT_MAX, PHASE_QUEUE,
	       .help = N_("largest request that the block layer builds"),
	       .note = N_("at least a page, at most max_hw_sectors_kb: an error above it "
			  "on old kernels, clamped from 6.12 on")),
	POLICY("nomerges", TUNABLE_INT, UNIT_NONE, 0, 2, PHASE_QUEUE, .initial = "0",
	       .since = { 2, 6, 26 },
	       .help = N_(
		       "merging of requests: 0 all, 1 only the cheap lookups, 2 none")),
	POLICY("rq_affinity", TUNABLE_INT, UNIT_NONE, 0, 2, PHASE_QUEUE, .initial = "1",
	       .since = { 2, 6, 28 },
	       .help = N_("CPU of a completion: 0 where it arrives, 1 the submitter's "
			  "group, "
			  "2 the submitter itself")),
	POLICY("iostats", TUNABLE_BOOL, UNIT_BOOL, 0, 1, PHASE_QUEUE, .initial = "1",
	       .since = { 2, 6, 29 },
	       .help = N_("keep the statistics that iostat and sar show")),
	POLICY("add_random", TUNABLE_BOOL, UNIT_BOOL, 0, 1, PHASE_QUEUE,
	       .since = { 2, 6, 36 },
	       .help = N_("completions feed the kernel's entropy pool")),
	POLICY("io_timeout", TUNABLE_INT, UNIT_MS, 1, 2147483640, PHASE_QUEUE,
	       .rounding = ROUND_JIFFY, .since = { 5, 0, 0 },
	       .help = N_("time after which the driver's error handling looks at a "
			  "request")),
	POLICY("wbt_lat_usec", TUNABLE_INT, UNIT_US, -1, INT_MAX, PHASE_WBT,
	       .since = { 4, 10, 0 },
	       .help = N_("read latency that throttling of background writes aims at, 0: "
			  "off"),
	       .note = N_("-1 asks for the default, 2000 on flash and 75000 on spinning "
			  "disks; bfq disables the throttling while it is active")),

	/* The kernel would take a write of these. */
	SHOWN("rotational", TUNABLE_BOOL, UNIT_BOOL, .since = { 2, 6, 29 },
	      .help = N_("the driver's word that the medium spins; often wrong"),
	      .note = N_("evidence for the class: set the class in devices.d instead")),
	SHOWN("write_cache", TUNABLE_CHOICE, UNIT_NONE, .since = { 4, 7, 0 },
	      .help = N_("what the kernel believes of the drive's cache"),
	      .note = N_("\"write through\" over a volatile cache loses data at power "
			 "failure")),
	SHOWN("discard_max_bytes", TUNABLE_INT, UNIT_BYTES, .since = { 2, 6, 33 },
	      .help = N_("largest discard that the block layer sends"),
	      .note = N_("0 turns discard off, on some kernels until the device is "
			 "removed")),
	SHOWN("io_poll", TUNABLE_BOOL, UNIT_BOOL, .since = { 4, 4, 0 },
	      .help = N_("completions can be polled for"),
	      .note = N_("decided by the driver's poll queues; writes are refused or "
			 "ignored "
			 "since 5.16")),
	SHOWN("io_poll_delay", TUNABLE_INT, UNIT_US, .min = -1, .since = { 4, 10, 0 },
	      .help = N_("sleep before polling: -1 none, 0 measured, above that fixed"),
	      .note = N_("writes are ignored since 6.2")),
	SHOWN("stable_writes", TUNABLE_BOOL, UNIT_BOOL, .since = { 5, 10, 0 },
	      .help = N_("pages may not change while they are written")),
	SHOWN("throttle_sample_time", TUNABLE_INT, UNIT_MS, .rounding = ROUND_JIFFY,
	      .since = { 4, 12, 0 }, .until = { 6, 10, 0 },
	      .help = N_("sampling window of cgroup throttling with low limits")),
	SHOWN("iostats_passthrough", TUNABLE_BOOL, UNIT_BOOL, .since = { 6, 13, 0 },
	      .help = N_("statistics count passthrough commands too")),
	SHOWN("write_zeroes_unmap_max_bytes", TUNABLE_INT, UNIT_BYTES,
	      .since = { 6, 17, 0 }, .help = N_("largest request to zero by unmapping")),

	/* Limits and descriptions. */
	READONLY("max_hw_sectors_kb", TUNABLE_INT, UNIT_KIB,
		 .help = N_("largest request that the hardware takes")),
	READONLY("hw_sector_size", TUNABLE_INT, UNIT_BYTES,
		 .help = N_("smallest unit that can be addressed, the older name")),
	READONLY("logical_block_size", TUNABLE_INT, UNIT_BYTES, .since = { 2, 6, 31 },
		 .help = N_("smallest unit that can be addressed")),
	READONLY("physical_block_size", TUNABLE_INT, UNIT_BYTES, .since = { 2, 6, 31 },
		 .help = N_("smallest unit that is written without read-modify-write")),
	READONLY("minimum_io_size", TUNABLE_INT, UNIT_BYTES, .since = { 2, 6, 31 },
		 .help = N_("smallest request without a penalty: a RAID chunk")),
	READONLY("optimal_io_size", TUNABLE_INT, UNIT_BYTES, .since = { 2, 6, 31 },
		 .help = N_("preferred request for streams: a RAID stripe; 0: not told")),
	READONLY("max_segments", TUNABLE_INT, UNIT_NONE, .since = { 2, 6, 34 },
		 .help = N_("memory segments in one request")),
	READONLY("max_segment_size", TUNABLE_INT, UNIT_BYTES, .since = { 2, 6, 34 },
		 .help = N_("largest memory segment of a request")),
	READONLY("max_integrity_segments", TUNABLE_INT, UNIT_NONE, .since = { 2, 6, 37 },
		 .help = N_("segments of integrity data in one request")),
	READONLY("virt_boundary_mask", TUNABLE_INT, UNIT_BYTES, .since = { 5, 13, 0 },
		 .help = N_("address bits that memory segments may not cross")),
	READONLY("dma_alignment", TUNABLE_INT, UNIT_BYTES, .since = { 6, 0, 0 },
		 .help = N_("address bits that must be zero in a user's buffer")),
	READONLY("fua", TUNABLE_BOOL, UNIT_BOOL, .since = { 4, 18, 0 },
		 .help = N_("the drive takes writes that bypass its cache")),
	READONLY("dax", TUNABLE_BOOL, UNIT_BOOL, .since = { 4, 8, 0 },
		 .help = N_("memory of the device can be mapped directly")),
	READONLY("zoned", TUNABLE_TEXT, UNIT_NONE, .since = { 4, 10, 0 },
		 .help = N_("none, host-aware or host-managed")),
	READONLY("nr_zones", TUNABLE_INT, UNIT_NONE, .since = { 4, 20, 0 },
		 .help = N_("zones of a zoned device")),
	READONLY(
		"chunk_sectors", TUNABLE_INT, UNIT_SECTORS, .since = { 4, 10, 0 },
		.help = N_(
			"size of a zone, or of a stripe that requests should not cross")),
	READONLY("max_open_zones", TUNABLE_INT, UNIT_NONE, .since = { 5, 9, 0 },
		 .help = N_("zones that may be open at once, 0: no limit")),
	READONLY("max_active_zones", TUNABLE_INT, UNIT_NONE, .since = { 5, 9, 0 },
		 .help = N_("zones that may be active at once, 0: no limit")),
	READONLY("zone_append_max_bytes", TUNABLE_INT, UNIT_BYTES, .since = { 5, 8, 0 },
		 .help = N_("largest zone append")),
	READONLY("zone_write_granularity", TUNABLE_INT, UNIT_BYTES, .since = { 5, 12, 0 },
		 .help = N_("unit of writes to sequential zones")),
	READONLY("discard_granularity", TUNABLE_INT, UNIT_BYTES, .since = { 2, 6, 33 },
		 .help = N_("smallest unit that can be discarded, 0: no discard")),
	READONLY("discard_max_hw_bytes", TUNABLE_INT, UNIT_BYTES, .since = { 4, 3, 0 },
		 .help = N_("largest discard that the hardware takes")),
	READONLY("discard_zeroes_data", TUNABLE_BOOL, UNIT_BOOL, .since = { 2, 6, 33 },
		 .help = N_("always 0 since 4.12")),
	READONLY("max_discard_segments", TUNABLE_INT, UNIT_NONE, .since = { 4, 11, 0 },
		 .help = N_("ranges in one discard")),
	READONLY("write_same_max_bytes", TUNABLE_INT, UNIT_BYTES, .since = { 3, 7, 0 },
		 .help = N_("largest write-same request, always 0 since 5.18")),
	READONLY("write_zeroes_max_bytes", TUNABLE_INT, UNIT_BYTES, .since = { 4, 10, 0 },
		 .help = N_("largest request to write zeroes")),
	READONLY("write_zeroes_unmap_max_hw_bytes", TUNABLE_INT, UNIT_BYTES,
		 .since = { 6, 17, 0 },
		 .help = N_(
			 "largest request to zero by unmapping that the hardware takes")),
	READONLY("atomic_write_max_bytes", TUNABLE_INT, UNIT_BYTES, .since = { 6, 11, 0 },
		 .help = N_("largest write that is never torn")),
	READONLY("atomic_write_unit_min_bytes", TUNABLE_INT, UNIT_BYTES,
		 .since = { 6, 11, 0 }, .help = N_("smallest unit of an atomic write")),
	READONLY("atomic_write_unit_max_bytes", TUNABLE_INT, UNIT_BYTES,
		 .since = { 6, 11, 0 }, .help = N_("largest unit of an atomic write")),
	READONLY("atomic_write_boundary_bytes", TUNABLE_INT, UNIT_BYTES,
		 .since = { 6, 11, 0 },
		 .help = N_(
			 "address multiple that an atomic write may not cross, 0: none")),
	READONLY("max_write_streams", TUNABLE_INT, UNIT_NONE, .since = { 6, 16, 0 },
		 .help = N_("streams by which writes can be kept apart")),
	READONLY("write_stream_granularity", TUNABLE_INT, UNIT_BYTES,
		 .since = { 6, 16, 0 },
		 .help = N_("unit in which the drive places a write stream")),
};
/* clang-format on */
const size_t catalogue_queue_count = sizeof(catalogue_queue) / sizeof(catalogue_queue[0]);
