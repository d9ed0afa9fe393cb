// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The keys of fio job files. Those that are understood come first, then those that are
 * ignored, then those that are refused; within the kinds in the order of fio's HOWTO.
 */
#include <string.h>

#include "sim/workload/fio-file.h"
#include "util/i18n.h"

#define FIELD(name) .offset = offsetof(struct fio_job, name)
#define SPECIAL(function) .apply = fio_apply_##function

#define OUTPUT  N_("says how fio reports, not what it does")
#define CONTENT N_("says what the data are; a scheduler does not see them")
#define PROCESS N_("says how fio's own processes and memory are set up")
#define FILES   N_("says how files are made before and removed after the run")
#define ERRORS  N_("says when fio gives up; no simulated I/O fails")
#define ENGINE  N_("says how an I/O is handed over; the simulation has one cost for that")
#define RANDOM  N_("says which random numbers; they follow from the simulation's seed")
#define ALONE   N_("means nothing without another key, which is refused")

#define VERIFY  N_("would read back what was written")
#define ZONES   N_("zones are not followed")
#define ENDS    N_("would end jobs by what is measured, or one by another")
#define LAYOUT  N_("would lay files out in a way that is not known here")
#define PRIO    N_("would give I/Os of one job different priorities; use two sections")
#define PLACES  N_("chooses places in a way that is not known here")
#define CGROUP  N_("control groups are not simulated; use prioclass and prio")

static const struct fio_key keys[] = {
	{ "name", NULL, .value = FIO_BY_APPLY, SPECIAL(name),
	  .text = N_("what the job is called; results of equal names are added up") },
	{ "filename", NULL, SPECIAL(filename),
	  .text = N_("devices are numbered in the order in which they are named; other files lie one behind the other on the device; a job that names several, a:b, goes round all of them") },
	{ "rw", "readwrite", SPECIAL(rw),
	  .text = N_("read, write, trim, rw, readwrite, trimwrite, and the same with rand before; randread:N has N on end, read:N leaves gaps of N bytes") },
	{ "ioengine", NULL, SPECIAL(ioengine),
	  .text = N_("sync, psync, vsync, pvsync and pvsync2 keep one I/O in flight; libaio, io_uring, posixaio and sg keep iodepth") },
	{ "iodepth", NULL, .value = FIO_COUNT, FIELD(iodepth), 1, JOB_IODEPTH_MAX,
	  .text = N_("I/Os in flight of one job") },
	{ "iodepth_batch", "iodepth_batch_submit", .value = FIO_COUNT, FIELD(batch), 0,
	  JOB_IODEPTH_MAX, .text = N_("I/Os submitted together; 0 as many as iodepth") },
	{ "iodepth_batch_complete_min", "iodepth_batch_complete", .value = FIO_COUNT,
	  FIELD(complete_min), 0, JOB_IODEPTH_MAX,
	  .text = N_("how many a full queue waits for before it goes on") },
	{ "iodepth_low", NULL, .value = FIO_COUNT, FIELD(depth_low), 0, JOB_IODEPTH_MAX,
	  .text = N_("how far a full queue drains before it goes on") },
	{ "size", NULL, .value = FIO_SIZE, FIELD(size),
	  .text = N_("of the range, in bytes or per cent of the device; also how much is done") },
	{ "io_size", "io_limit", .value = FIO_SIZE, FIELD(io_size),
	  .text = N_("how much is done, when that is not size") },
	{ "filesize", NULL, .value = FIO_SIZE, FIELD(filesize),
	  .text = N_("of the file, when that is not size") },
	{ "offset", "fileoffset", .value = FIO_SIZE, FIELD(offset),
	  .text = N_("where the range begins") },
	{ "offset_increment", NULL, .value = FIO_SIZE, FIELD(offset_increment),
	  .text = N_("how much later that is for each further instance") },
	{ "number_ios", NULL, .value = FIO_COUNT, FIELD(number_ios), 0, UINT64_C(1) << 50,
	  .text = N_("I/Os at most") },
	{ "loops", NULL, .value = FIO_COUNT, FIELD(loops), 1, UINT64_C(1) << 30,
	  .text = N_("how often the work is done") },
	{ "bs", "blocksize", SPECIAL(bs), .text = N_("size of an I/O: reads,writes,trims") },
	{ "ba", "blockalign", SPECIAL(blockalign),
	  .text = N_("what random offsets are multiples of") },
	{ "bsrange", "blocksize_range", SPECIAL(bsrange),
	  .text = N_("multiples of the first size up to the second") },
	{ "bssplit", NULL, SPECIAL(bssplit), .text = N_("sizes with their shares: 4k/60:64k/40") },
	{ "norandommap", NULL, .value = FIO_BOOL, FIELD(norandommap),
	  .text = N_("places may come again before all had their turn") },
	{ "random_distribution", NULL, SPECIAL(random_distribution),
	  .text = N_("random, zipf:THETA, pareto:H, normal:DEVIATION, zoned:ACCESSES/SIZE:...") },
	{ "percentage_random", NULL, SPECIAL(percentage_random),
	  .text = N_("of random jobs: the others go on where the last one ended") },
	{ "nrfiles", "nr_files", .value = FIO_COUNT, FIELD(nrfiles), 1, 65536,
	  .text = N_("more than one file only where offsets are random anyway") },
	{ "fsync", "fdatasync", SPECIAL(fsync), .text = N_("a flush after so many writes") },
	{ "end_fsync", NULL, .value = FIO_BOOL, FIELD(end_fsync),
	  .text = N_("a flush at the end") },
	{ "fsync_on_close", NULL, .value = FIO_BOOL, FIELD(fsync_on_close),
	  .text = N_("a flush at the end") },
	{ "direct", NULL, .value = FIO_BOOL, FIELD(direct),
	  .text = N_("past the page cache; without it reads come in readahead windows of 128 KiB and writes from the flusher, and what cannot be told so is refused") },
	{ "buffered", NULL, SPECIAL(buffered), .text = N_("the opposite of direct") },
	{ "sync", NULL, SPECIAL(sync), .text = N_("writes wait until they are on the medium") },
	{ "numjobs", NULL, .value = FIO_COUNT, FIELD(numjobs), 1, JOB_NUMJOBS_MAX,
	  .text = N_("instances of the job") },
	{ "startdelay", NULL, .value = FIO_SECONDS, FIELD(start_ns),
	  .text = N_("starts so much later") },
	{ "runtime", "timeout", .value = FIO_SECONDS, FIELD(runtime_ns),
	  .text = N_("ends after so much time") },
	{ "time_based", NULL, .value = FIO_BOOL, FIELD(time_based),
	  .text = N_("begins again until runtime is over") },
	{ "ramp_time", NULL, .value = FIO_SECONDS, FIELD(ramp_ns),
	  .text = N_("what is done before is not counted; the same for all jobs") },
	{ "rwmixread", NULL, SPECIAL(rwmixread), .text = N_("share of the reads in per cent") },
	{ "rwmixwrite", NULL, SPECIAL(rwmixwrite),
	  .text = N_("share of the writes in per cent") },
	{ "nice", NULL, SPECIAL(nice), .text = N_("gives the priority where prio does not") },
	{ "prio", NULL, .value = FIO_COUNT, FIELD(prio), 0, 7,
	  .text = N_("I/O priority, 0 the highest") },
	{ "prioclass", NULL, .value = FIO_COUNT, FIELD(prioclass), 0, 3,
	  .text = N_("1 real time, 2 best effort, 3 idle") },
	{ "thinktime", NULL, .value = FIO_USECONDS, FIELD(think_ns),
	  .text = N_("pause, in microseconds") },
	{ "thinktime_blocks", NULL, .value = FIO_COUNT, FIELD(think_every), 1, UINT32_MAX,
	  .text = N_("I/Os between two pauses") },
	{ "rate", NULL, SPECIAL(rate), .text = N_("bytes per second at most") },
	{ "rate_iops", NULL, SPECIAL(rate_iops), .text = N_("I/Os per second at most") },
	{ "rate_process", NULL, SPECIAL(rate_process),
	  .text = N_("linear, or poisson: random gaps") },
	{ "cpumask", NULL, SPECIAL(cpumask), .text = N_("pins to one processor; more: any") },
	{ "cpus_allowed", NULL, SPECIAL(cpus_allowed),
	  .text = N_("pins to one processor; more: any") },
	{ "stonewall", "wait_for_previous", .value = FIO_BOOL, FIELD(stonewall),
	  .text = N_("waits for the jobs before") },
	{ "kb_base", NULL, SPECIAL(kb_base), .text = N_("1000: k is 1000 and ki is 1024") },

#define IGNORED(key, why) { key, NULL, FIO_IGNORED, .text = why }
	IGNORED("description", OUTPUT), IGNORED("group_reporting", OUTPUT),
	IGNORED("new_group", OUTPUT), IGNORED("stats", OUTPUT),
	IGNORED("per_job_logs", OUTPUT), IGNORED("write_iolog", OUTPUT),
	IGNORED("write_bw_log", OUTPUT), IGNORED("write_lat_log", OUTPUT),
	IGNORED("write_iops_log", OUTPUT), IGNORED("write_hist_log", OUTPUT),
	IGNORED("log_avg_msec", OUTPUT), IGNORED("log_hist_msec", OUTPUT),
	IGNORED("log_hist_coarseness", OUTPUT), IGNORED("log_max_value", OUTPUT),
	IGNORED("log_window_value", OUTPUT), IGNORED("log_entries", OUTPUT),
	IGNORED("log_offset", OUTPUT), IGNORED("log_prio", OUTPUT),
	IGNORED("log_issue_time", OUTPUT), IGNORED("log_compression", OUTPUT),
	IGNORED("log_compression_cpus", OUTPUT), IGNORED("log_store_compressed", OUTPUT),
	IGNORED("log_unix_epoch", OUTPUT), IGNORED("log_alternate_epoch", OUTPUT),
	IGNORED("bwavgtime", OUTPUT), IGNORED("iopsavgtime", OUTPUT),
	IGNORED("clat_percentiles", OUTPUT), IGNORED("lat_percentiles", OUTPUT),
	IGNORED("slat_percentiles", OUTPUT), IGNORED("percentile_list", OUTPUT),
	IGNORED("significant_figures", OUTPUT), IGNORED("disk_util", OUTPUT),
	IGNORED("gtod_reduce", OUTPUT), IGNORED("gtod_cpu", OUTPUT),
	IGNORED("disable_lat", OUTPUT), IGNORED("disable_clat", OUTPUT),
	IGNORED("disable_slat", OUTPUT), IGNORED("disable_bw", OUTPUT),
	IGNORED("disable_bw_measurement", OUTPUT), IGNORED("unified_rw_reporting", OUTPUT),
	IGNORED("block_error_percentiles", OUTPUT), IGNORED("unit_base", OUTPUT),
	IGNORED("clocksource", OUTPUT), IGNORED("rate_cycle", OUTPUT),
	IGNORED("ratecycle", OUTPUT), IGNORED("eta", OUTPUT),
	IGNORED("zero_buffers", CONTENT), IGNORED("refill_buffers", CONTENT),
	IGNORED("scramble_buffers", CONTENT), IGNORED("buffer_pattern", CONTENT),
	IGNORED("buffer_compress_percentage", CONTENT),
	IGNORED("buffer_compress_chunk", CONTENT), IGNORED("dedupe_percentage", CONTENT),
	IGNORED("dedupe_mode", CONTENT), IGNORED("dedupe_global", CONTENT),
	IGNORED("write_hint", CONTENT), IGNORED("fadvise_hint", CONTENT),
	IGNORED("thread", PROCESS), IGNORED("mem", PROCESS), IGNORED("iomem", PROCESS),
	IGNORED("iomem_align", PROCESS), IGNORED("mem_align", PROCESS),
	IGNORED("hugepage-size", PROCESS), IGNORED("hugepagesize", PROCESS),
	IGNORED("lockmem", PROCESS), IGNORED("uid", PROCESS), IGNORED("gid", PROCESS),
	IGNORED("comm", PROCESS), IGNORED("exec_prerun", PROCESS),
	IGNORED("exec_postrun", PROCESS), IGNORED("numa_cpu_nodes", PROCESS),
	IGNORED("numa_mem_policy", PROCESS), IGNORED("cpus_allowed_policy", PROCESS),
	IGNORED("thinktime_spin", PROCESS), IGNORED("job_start_clock_id", PROCESS),
	IGNORED("ioscheduler", N_("the simulation compares schedulers itself")),
	IGNORED("directory", FILES), IGNORED("filename_format", FILES),
	IGNORED("unique_filename", FILES), IGNORED("filetype", FILES),
	IGNORED("lockfile", FILES), IGNORED("fallocate", FILES), IGNORED("overwrite", FILES),
	IGNORED("openfiles", FILES), IGNORED("invalidate", FILES), IGNORED("unlink", FILES),
	IGNORED("unlink_each_loop", FILES), IGNORED("create_serialize", FILES),
	IGNORED("create_fsync", FILES), IGNORED("create_on_open", FILES),
	IGNORED("allow_file_create", FILES), IGNORED("allow_mounted_write", FILES),
	IGNORED("continue_on_error", ERRORS), IGNORED("ignore_error", ERRORS),
	IGNORED("error_dump", ERRORS), IGNORED("exitall_on_error", ERRORS),
	IGNORED("max_latency", ERRORS), IGNORED("rate_min", ERRORS),
	IGNORED("ratemin", ERRORS), IGNORED("rate_iops_min", ERRORS),
	IGNORED("io_submit_mode", ENGINE), IGNORED("hipri", ENGINE),
	IGNORED("fixedbufs", ENGINE), IGNORED("registerfiles", ENGINE),
	IGNORED("sqthread_poll", ENGINE), IGNORED("sqthread_poll_cpu", ENGINE),
	IGNORED("nonvectored", ENGINE), IGNORED("force_async", ENGINE),
	IGNORED("userspace_reap", ENGINE), IGNORED("nowait", ENGINE),
	IGNORED("uncached", ENGINE), IGNORED("libaio_vectored", ENGINE),
	IGNORED("iodepth_batch_complete_max", ENGINE),
	IGNORED("thinktime_blocks_type", ENGINE), IGNORED("write_barrier", ENGINE),
	IGNORED("randrepeat", RANDOM), IGNORED("allrandrepeat", RANDOM),
	IGNORED("randseed", RANDOM), IGNORED("random_generator", RANDOM),
	IGNORED("softrandommap", RANDOM),
	IGNORED("do_verify", ALONE), IGNORED("verify_fatal", ALONE),
	IGNORED("verify_dump", ALONE), IGNORED("verify_pattern", ALONE),
	IGNORED("verify_interval", ALONE), IGNORED("verify_offset", ALONE),
	IGNORED("verify_async", ALONE), IGNORED("verify_backlog", ALONE),
	IGNORED("verify_backlog_batch", ALONE), IGNORED("verify_state_save", ALONE),
	IGNORED("verify_state_load", ALONE), IGNORED("verifysort", ALONE),
	IGNORED("replay_no_stall", ALONE), IGNORED("replay_redirect", ALONE),
	IGNORED("replay_scale", ALONE), IGNORED("replay_align", ALONE),
	IGNORED("replay_time_scale", ALONE), IGNORED("replay_skip", ALONE),
	IGNORED("latency_window", ALONE), IGNORED("latency_percentile", ALONE),
	IGNORED("flow_id", ALONE), IGNORED("flow_watermark", ALONE),
	IGNORED("flow_sleep", ALONE), IGNORED("exit_what", ALONE),
	IGNORED("steadystate_duration", ALONE), IGNORED("ss_dur", ALONE),
	IGNORED("steadystate_ramp_time", ALONE), IGNORED("ss_ramp", ALONE),
	IGNORED("zonecapacity", ALONE), IGNORED("max_open_zones", ALONE),
	IGNORED("job_max_open_zones", ALONE), IGNORED("read_beyond_wp", ALONE),
	IGNORED("cgroup_weight", ALONE), IGNORED("cgroup_nodelete", ALONE),

#define REFUSED(key, values, why) \
	{ key, NULL, FIO_REFUSED, .harmless = values, .text = why }
	REFUSED("include", NULL, N_("files are not included; put its lines here")),
	REFUSED("wait_for", NULL, N_("jobs cannot wait for one of the others; use stonewall")),
	REFUSED("opendir", NULL, LAYOUT), REFUSED("file_append", "0", LAYOUT),
	REFUSED("fill_device", "0", LAYOUT), REFUSED("fill_fs", "0", LAYOUT),
	REFUSED("create_only", "0", LAYOUT), REFUSED("pre_read", "0", LAYOUT),
	REFUSED("file_service_type", "roundrobin", LAYOUT),
	REFUSED("rw_sequencer", "sequential", PLACES),
	REFUSED("bs_unaligned", "0", PLACES), REFUSED("blocksize_unaligned", "0", PLACES),
	REFUSED("bs_is_seq_rand", "0", PLACES), REFUSED("offset_align", "0", PLACES),
	REFUSED("sprandom", "0", PLACES), REFUSED("num_range", "1", PLACES),
	REFUSED("random_sequence_stride", "0", PLACES),
	REFUSED("serialize_overlap", "0", PLACES),
	REFUSED("atomic", "0", N_("atomic writes are not simulated")),
	REFUSED("sync_file_range", NULL, N_("parts of a file are not written back on request")),
	REFUSED("verify", "0|none", VERIFY), REFUSED("verify_only", "0", VERIFY),
	REFUSED("experimental_verify", "0", VERIFY), REFUSED("trim_percentage", "0", VERIFY),
	REFUSED("trim_backlog", "0", VERIFY),
	REFUSED("read_iolog", NULL, N_("a recording is a workload of its own: --trace FILE")),
	REFUSED("merge_blktrace_file", NULL,
		N_("a recording is a workload of its own: --trace FILE")),
	REFUSED("zonemode", "none", ZONES), REFUSED("zonesize", "0", ZONES),
	REFUSED("zonerange", "0", ZONES), REFUSED("zoneskip", "0", ZONES),
	REFUSED("zone_reset_threshold", "0", ZONES),
	REFUSED("zone_reset_frequency", "0", ZONES),
	REFUSED("thinkcycles", "0", N_("give thinktime instead")),
	REFUSED("thinktime_iotime", "0", N_("pauses come after I/Os, not after time")),
	REFUSED("rate_ignore_thinktime", "0", N_("pauses count at a rate")),
	REFUSED("latency_target", "0", ENDS), REFUSED("latency_run", "0", ENDS),
	REFUSED("steadystate", NULL, ENDS), REFUSED("ss", NULL, ENDS),
	REFUSED("exitall", "0", ENDS), REFUSED("ramp_size", "0", ENDS),
	REFUSED("flow", "0", N_("jobs cannot be kept in proportion")),
	REFUSED("cgroup", NULL, CGROUP),
	REFUSED("priohint", "0", PRIO), REFUSED("cmdprio_percentage", "0", PRIO),
	REFUSED("cmdprio_class", "0", PRIO), REFUSED("cmdprio", "0", PRIO),
	REFUSED("cmdprio_bssplit", NULL, PRIO),
	REFUSED("profile", NULL, N_("fio's profiles are not known here")),
	REFUSED("fdp", "0", N_("data placement is not simulated")),
	REFUSED("dataplacement", "none", N_("data placement is not simulated")),
};

const struct fio_key *fio_key_get(size_t index)
{
	return index < ARRAY_SIZE(keys) ? &keys[index] : NULL;
}

const struct fio_key *fio_key_find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].name, name) ||
		    (keys[i].alias && !strcmp(keys[i].alias, name)))
			return &keys[i];
	return NULL;
}
