// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the named workloads do. Sizes, depths and shares are those of the programs'
 * defaults and documentation, named at each; where a figure is a typical one, not a
 * documented one, it says so.
 *
 * Buffered I/O appears as the device sees it: reads come through readahead windows of
 * 128 KiB (queue/read_ahead_kb), the next one asked for while the last is being used, so
 * two in flight; writes come from the flusher, one thread for the whole device, in runs
 * of up to 512 KiB and as many as the queue takes (nr_requests, 128 by default).
 */
#include "sim/workload/workloads.h"
#include "util/cleanup.h"
#include "util/i18n.h"

#define ROW(name_, ...) .row = { .name = (name_), .summary = __VA_ARGS__ }

/* A buffered reader, a buffered writer's flusher: see above. */
#define READAHEAD .iodepth = 2, .read_percent = 100, .reads = { { 128, 100 } }
#define FLUSHER   .iodepth = 128, .batch = 16, .writes = { { 512, 100 } }, .shares_pid = true

#define ZIPF(theta) .places = { .kind = DISTRIBUTION_ZIPF, .parameter = (theta) }

const struct workload_definition workload_definitions[] = {
	/*
	 * InnoDB: pages of 16 KiB (innodb_page_size); each connection reads one page after
	 * the other, skewed as sysbench's default "special" distribution is; the page
	 * cleaner writes at innodb_io_capacity (200 per second), from the doublewrite on
	 * with asynchronous direct I/O; every commit appends to the log and flushes it
	 * (innodb_flush_log_at_trx_commit=1). 16 connections and 4 ms between the commits
	 * are typical of a small server.
	 */
	{ ROW("oltp", N_("database: random page reads, page writes, a log flushed at each commit")),
	  { { .name = "queries", .numjobs = 16, .is_random = true, .read_percent = 100,
	      .reads = { { 16, 100 } }, ZIPF(0.8), .begin_percent = 10, .size_percent = 80,
	      .think_us = 500 },
	    { .name = "page-writes", .iodepth = 32, .is_random = true,
	      .writes = { { 16, 100 } }, ZIPF(0.8), .begin_percent = 10, .size_percent = 80,
	      .rate_iops = 200, .is_sync = true },
	    { .name = "log", .writes = { { 4, 80 }, { 16, 20 } }, .begin_percent = 2,
	      .size_percent = 5, .size_mib_max = 1024, .think_us = 4000, .is_sync = true,
	      .fsync_every = 1 } } },
	/*
	 * PostgreSQL and Hive style scans: several workers read large extents ahead
	 * (effective_io_concurrency, 1 MiB reads of a columnar store), while joins look up
	 * dimension pages of 8 KiB and spill sorted runs through the page cache.
	 */
	{ ROW("olap-scan", N_("data warehouse: large parallel scans, look-ups, spilled sorts")),
	  { { .name = "scan", .numjobs = 4, .iodepth = 4, .read_percent = 100,
	      .reads = { { 1024, 100 } }, .begin_percent = 10, .size_percent = 60,
	      .splits_range = true },
	    { .name = "look-ups", .numjobs = 2, .is_random = true, .read_percent = 100,
	      .reads = { { 8, 100 } }, .begin_percent = 70, .size_percent = 10,
	      .think_us = 1000 },
	    { .name = "spill", FLUSHER, .begin_percent = 80, .size_percent = 15,
	      .rate_iops = 40 } } },
	/* What the tables of comparisons measure: 4 KiB at depth 32, one libaio job. */
	{ ROW("randread", N_("random reads of 4 KiB at depth 32")),
	  { { .name = "randread", .iodepth = 32, .is_random = true, .read_percent = 100,
	      .reads = { { 4, 100 } }, .size_percent = 100 } } },
	{ ROW("randwrite", N_("random direct writes of 4 KiB at depth 32")),
	  { { .name = "randwrite", .iodepth = 32, .is_random = true,
	      .writes = { { 4, 100 } }, .size_percent = 100, .is_sync = true } } },
	{ ROW("randrw", N_("70 % random reads and 30 % writes of 4 KiB at depth 32")),
	  { { .name = "randrw", .iodepth = 32, .is_random = true, .read_percent = 70,
	      .reads = { { 4, 100 } }, .writes = { { 4, 100 } }, .size_percent = 100,
	      .is_sync = true } } },
	{ ROW("sequential-read", N_("direct reads of 1 MiB on end at depth 8"),
	      .alias = "sequential"),
	  { { .name = "sequential-read", .iodepth = 8, .read_percent = 100,
	      .reads = { { 1024, 100 } }, .size_percent = 100 } } },
	{ ROW("sequential-write", N_("direct writes of 1 MiB on end at depth 8")),
	  { { .name = "sequential-write", .iodepth = 8, .writes = { { 1024, 100 } },
	      .size_percent = 100, .is_sync = true } } },
	/*
	 * Filebench's fileserver: 50 threads that create, append (16 KiB), read and delete
	 * files of 128 KiB on average. A whole file is read through its window; writes go
	 * through the page cache; the journal commits every 5 s and more often under load.
	 */
	{ ROW("fileserver", N_("many clients: whole files read, written back, metadata")),
	  { { .name = "clients", .numjobs = 16, .is_random = true, .read_percent = 100,
	      .reads = { { 128, 60 }, { 64, 20 }, { 16, 20 } }, .sequential_run = 2,
	      .begin_percent = 5, .size_percent = 90, .think_us = 2000, .think_every = 2 },
	    { .name = "metadata", .numjobs = 4, .is_random = true, .read_percent = 100,
	      .reads = { { 4, 100 } }, ZIPF(0.9), .begin_percent = 5, .size_percent = 90,
	      .think_us = 4000 },
	    { .name = "writeback", .iodepth = 128, .batch = 16, .is_random = true,
	      .writes = { { 128, 60 }, { 16, 40 } }, .begin_percent = 5, .size_percent = 90,
	      .rate_iops = 150, .shares_pid = true },
	    { .name = "journal", .writes = { { 64, 100 } }, .begin_percent = 2,
	      .size_percent = 2, .size_mib_max = 128, .think_us = 200000, .is_sync = true,
	      .fsync_every = 1 } } },
	/*
	 * A program starts while a large file is copied: faults read around in the binary
	 * and its libraries, each known only when the one before is there, with a little
	 * work in between (the start-up benchmark of the bfq authors does this with an
	 * editor and an office program beside ten readers and writers).
	 */
	{ ROW("desktop-start", N_("a program starts beside a copy: small reads, each waits for the last")),
	  { { .name = "start", .is_random = true, .read_percent = 100,
	      .reads = { { 4, 20 }, { 16, 30 }, { 64, 20 }, { 128, 30 } },
	      .begin_percent = 10, .size_percent = 10, .size_mib_max = 8192,
	      .think_us = 300 },
	    { .name = "copy-read", READAHEAD, .begin_percent = 30, .size_percent = 30 },
	    { .name = "copy-write", FLUSHER, .begin_percent = 65, .size_percent = 30 } } },
	/*
	 * A backup at lowest best-effort priority (ionice -n 7) reads everything on end in
	 * pieces of 512 KiB; a person opens small files and saves one now and then.
	 */
	{ ROW("backup-interactive", N_("a backup reads everything beside somebody's small files")),
	  { { .name = "backup", .iodepth = 4, .read_percent = 100,
	      .reads = { { 512, 100 } }, .size_percent = 100, .level_plus_1 = 8 },
	    { .name = "interactive", .numjobs = 2, .is_random = true, .read_percent = 100,
	      .reads = { { 4, 50 }, { 16, 30 }, { 64, 20 } }, ZIPF(0.9),
	      .begin_percent = 10, .size_percent = 60, .think_us = 20000 },
	    { .name = "save", .is_random = true, .writes = { { 4, 40 }, { 32, 60 } },
	      .begin_percent = 10, .size_percent = 60, .think_us = 500000,
	      .is_sync = true, .fsync_every = 2 } } },
	/*
	 * make -j8 with cold caches: each compiler reads its source and headers (4 to
	 * 32 KiB) and computes for tens of milliseconds; objects are written back.
	 */
	{ ROW("compile", N_("eight compilers: small reads, computing, objects written back")),
	  { { .name = "compilers", .numjobs = 8, .is_random = true, .read_percent = 100,
	      .reads = { { 4, 40 }, { 16, 40 }, { 32, 20 } }, ZIPF(0.7), .sequential_run = 2,
	      .begin_percent = 20, .size_percent = 10, .size_mib_max = 4096,
	      .think_us = 30000, .think_every = 8 },
	    { .name = "objects", .iodepth = 128, .batch = 16, .is_random = true,
	      .writes = { { 4, 30 }, { 32, 40 }, { 128, 30 } }, .begin_percent = 30,
	      .size_percent = 10, .size_mib_max = 4096, .rate_iops = 60,
	      .shares_pid = true } } },
	/* Tenants of one device, each with its own region, priority and habit. */
	{ ROW("multi-tenant", N_("four tenants of different priority share the device")),
	  { { .name = "gold", .numjobs = 2, .iodepth = 4, .is_random = true,
	      .read_percent = 90, .reads = { { 4, 100 } }, .writes = { { 4, 100 } },
	      .size_percent = 25, .level_plus_1 = 1, .is_sync = true },
	    { .name = "silver", .iodepth = 16, .is_random = true, .read_percent = 70,
	      .reads = { { 16, 100 } }, .writes = { { 16, 100 } }, .begin_percent = 25,
	      .size_percent = 25, .is_sync = true },
	    { .name = "bronze", .iodepth = 16, .read_percent = 100,
	      .reads = { { 128, 100 } }, .begin_percent = 50, .size_percent = 25,
	      .level_plus_1 = 8 },
	    { .name = "batch", .iodepth = 32, .writes = { { 256, 100 } },
	      .begin_percent = 75, .size_percent = 25, .is_idle = true,
	      .is_sync = true } } },
	/*
	 * Filebench's varmail: 16 threads that read whole mails of 16 KiB on average and
	 * append to, or create, a mail that is flushed before the answer to the sender.
	 */
	{ ROW("mail", N_("mail server: small files read whole, each new mail flushed")),
	  { { .name = "readers", .numjobs = 8, .is_random = true, .read_percent = 100,
	      .reads = { { 4, 40 }, { 16, 50 }, { 64, 10 } }, .begin_percent = 5,
	      .size_percent = 90, .think_us = 3000 },
	    { .name = "deliveries", .numjobs = 8, .is_random = true,
	      .writes = { { 4, 50 }, { 16, 50 } }, .begin_percent = 5, .size_percent = 90,
	      .think_us = 3000, .is_sync = true, .fsync_every = 2, .think_every = 2 } } },
	/* Write-ahead logs, as of four services that flush every record before they answer. */
	{ ROW("log-append", N_("four logs: small appends, each flushed")),
	  { { .name = "log", .numjobs = 4, .writes = { { 4, 100 } }, .size_percent = 20,
	      .splits_range = true, .is_sync = true, .fsync_every = 1 } } },
	/*
	 * RocksDB under YCSB: point reads with zipf 0.99 (YCSB's default), a write-ahead
	 * log, a compaction that reads 2 MiB ahead (compaction_readahead_size) in pieces of
	 * 256 KiB and writes tables of 64 MiB.
	 */
	{ ROW("key-value", N_("log-structured store: skewed point reads beside a compaction")),
	  { { .name = "gets", .numjobs = 32, .is_random = true, .read_percent = 100,
	      .reads = { { 4, 100 } }, ZIPF(0.99), .begin_percent = 5, .size_percent = 90 },
	    { .name = "compact-read", .iodepth = 8, .read_percent = 100,
	      .reads = { { 256, 100 } }, .begin_percent = 5, .size_percent = 45,
	      .rate_iops = 200 },
	    { .name = "compact-write", .iodepth = 16, .writes = { { 512, 100 } },
	      .begin_percent = 50, .size_percent = 45, .rate_iops = 100,
	      .shares_pid = true },
	    { .name = "log", .writes = { { 4, 100 } }, .size_percent = 5, .size_mib_max = 256,
	      .think_us = 2000, .is_sync = true } } },
	/*
	 * dd bs=2M count=300, through the page cache, as the comparison of the 2.6
	 * schedulers ran it: 600 MiB read, written, and both at once in different files.
	 */
	{ ROW("dd-read", N_("dd reads 600 MiB through the page cache")),
	  { { .name = "dd-read", READAHEAD, .begin_percent = 10, .size_percent = 25,
	      .size_mib_max = 600, .ends = true } } },
	{ ROW("dd-write", N_("dd writes 600 MiB through the page cache")),
	  { { .name = "dd-write", FLUSHER, .begin_percent = 60, .size_percent = 25,
	      .size_mib_max = 600, .ends = true } } },
	{ ROW("dd-both", N_("one dd reads and one writes 600 MiB through the page cache")),
	  { { .name = "dd-read", READAHEAD, .begin_percent = 10, .size_percent = 25,
	      .size_mib_max = 600, .ends = true },
	    { .name = "dd-write", FLUSHER, .begin_percent = 60, .size_percent = 25,
	      .size_mib_max = 600, .ends = true } } },
	/*
	 * Sixteen viewers at 8 Mbit/s, two reads of 512 KiB a second each, never late if
	 * all is well; and one upload that arrives at the speed of 16 of them.
	 */
	{ ROW("video-streaming", N_("sixteen streams at a fixed rate beside an upload")),
	  { { .name = "streams", .numjobs = 16, .iodepth = 8, .read_percent = 100,
	      .reads = { { 512, 100 } }, .size_percent = 90, .splits_range = true,
	      .rate_iops = 2 },
	    { .name = "upload", FLUSHER, .begin_percent = 90, .size_percent = 10,
	      .rate_iops = 32 } } },
	/*
	 * Eight guests boot at once, each from its image: nine reads to a write, small and
	 * scattered with short runs, hardly two at a time.
	 */
	{ ROW("vm-boot", N_("eight guests boot at once from their images")),
	  { { .name = "guests", .numjobs = 8, .iodepth = 2, .is_random = true,
	      .read_percent = 90, .reads = { { 4, 40 }, { 16, 30 }, { 64, 20 }, { 128, 10 } },
	      .writes = { { 4, 80 }, { 32, 20 } }, .sequential_run = 4,
	      .size_percent = 80, .splits_range = true, .think_us = 500,
	      .is_sync = true } } },
};

const size_t workload_definition_count = ARRAY_SIZE(workload_definitions);
