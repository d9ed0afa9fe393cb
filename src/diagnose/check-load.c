// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The load: how long requests take, against how busy the disk is. Neither figure says
 * anything alone. A disk that works on many requests at once is busy all the time long
 * before it is full; one that is hardly busy and still slow is held up by something else.
 */
#include "diagnose/diagnose.h"

#include <stdio.h>

#include "util/i18n.h"

#define BUSY_PERCENT 90.0
#define IDLE_PERCENT 30.0
/* Fewer requests in a second make no mean. */
#define REQUESTS_MIN 5.0
/* A flush of a drive that has a cache is the slowest thing that it does. */
#define FLUSH_SLOW_MS 50.0

/* Longer than this in the mean is felt: about ten times what the medium needs for one
   request (published figures of each kind). */
static double slow_ms(const struct device *device)
{
	static const struct {
		enum device_class class;
		double ms;
	} limits[] = {
		{ CLASS_HDD, 60 },     { CLASS_SMR_HDD, 100 }, { CLASS_SSD, 10 },
		{ CLASS_NVME, 5 },     { CLASS_NVME_PATH, 5 }, { CLASS_NVME_HEAD, 5 },
		{ CLASS_ZNS, 5 },      { CLASS_EMMC, 50 },     { CLASS_UFS, 20 },
		{ CLASS_VIRTUAL, 25 }, { CLASS_RAID, 40 },     { CLASS_NETWORK, 50 },
		{ CLASS_PMEM, 1 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(limits); i++)
		if (limits[i].class == device->class)
			return limits[i].ms;
	return 100;
}

static double mean_await_ms(const struct device_load *load)
{
	double requests = load->read.requests_s + load->write.requests_s;

	if (requests <= 0)
		return 0;
	return (load->read.await_ms * load->read.requests_s +
		load->write.await_ms * load->write.requests_s) /
	       requests;
}

static bool is_virtual(const struct device *device)
{
	return device->class == CLASS_VIRTUAL;
}

/*
 * Bursts: what is under way in the mean of all the time says nothing beside a disk that was
 * hardly busy. So it is told of the time that it was.
 */
static void format_busy(const struct device_load *load, char *buf, size_t size)
{
	if (load->busy_percent < 0.05)
		snprintf(buf, size, _("less than 0.1 %% busy"));
	else
		snprintf(buf, size, _("%.*f %% busy, with %.1f under way then"),
			 load->busy_percent < 10 ? 1 : 0, load->busy_percent, load->busy_queue);
}

/* "120 reads/s of 4.0 KiB in 8.1 ms, 30 writes/s …; 85 % busy, with 2.3 under way then" */
static void say_figures(const struct device_load *load, struct diagnosis *out)
{
	char busy[128];

	format_busy(load, busy, sizeof(busy));
	finding_add(out, FINDING_OK, "figures", NULL,
		    load->is_since_boot
			    ? _("since boot: %.1f reads/s of %.0f KiB in %.1f ms, %.1f "
				"writes/s of %.0f KiB in %.1f ms; %.0f %% and %.0f %% "
				"merged; %s")
			    : _("%.1f reads/s of %.0f KiB in %.1f ms, %.1f writes/s of "
				"%.0f KiB in %.1f ms; %.0f %% and %.0f %% merged; %s"),
		    load->read.requests_s, load->read.size_kib, load->read.await_ms,
		    load->write.requests_s, load->write.size_kib, load->write.await_ms,
		    load->read.merged_percent, load->write.merged_percent, busy);
}

static void check_slow_and_idle(const struct diagnose_input *input, double await_ms,
				struct diagnosis *out)
{
	const char *advice =
		is_virtual(input->device)
			? N_("look at the host: its disk, its limits for this guest, its "
			     "other guests; nothing here can change that")
			: N_("look for errors and retries (dmesg, health above), power "
			     "saving, a limit (cgroup io.max), or the path to it");

	finding_add(out, FINDING_BAD, "slow-not-busy", advice,
		    _("requests take %.1f ms, yet it is only %.0f %% busy: what is slow "
		      "is not the amount of work"),
		    await_ms, input->load->busy_percent);
}

static void check_busy(const struct diagnose_input *input, double await_ms,
		       struct diagnosis *out)
{
	const struct device_load *load = input->load;
	bool is_slow = await_ms > slow_ms(input->device);

	if (!is_slow && device_is_parallel(input->device)) {
		finding_add(out, FINDING_OK, "busy-not-full", NULL,
			    _("%.0f %% busy and a request takes %.1f ms: it works on many "
			      "at once, so that is no bottleneck (nor is svctm, which is "
			      "computed from it)"),
			    load->busy_percent, await_ms);
	} else if (is_slow && is_virtual(input->device)) {
		finding_add(out, FINDING_BAD, "saturated",
			    N_("ask for less, or for a faster disk; the host may be "
			       "shared, or may limit this guest"),
			    _("%.0f %% busy, %.1f requests under way, %.1f ms each: it is "
			      "full"),
			    load->busy_percent, load->queue, await_ms);
	} else if (is_slow) {
		finding_add(out, FINDING_BAD, "saturated",
			    N_("less work (caches, fewer and larger requests) or a faster "
			       "disk; a scheduler only chooses who waits"),
			    _("%.0f %% busy, %.1f requests under way, %.1f ms each: it is "
			      "full"),
			    load->busy_percent, load->queue, await_ms);
	}
}

/* Nothing ends, though something is under way. A mean since boot cannot show it. */
static bool is_hung(const struct device_load *load)
{
	return !load->is_since_boot && load->in_flight && load->seconds >= 1 &&
	       load->busy_percent >= BUSY_PERCENT && load->read.requests_s <= 0 &&
	       load->write.requests_s <= 0 && load->discard.requests_s <= 0 &&
	       load->flush.requests_s <= 0;
}

static void check_flushes(const struct device_load *load, struct diagnosis *out)
{
	if (load->flush.requests_s < 1 || load->flush.await_ms < FLUSH_SLOW_MS)
		return;
	finding_add(out, FINDING_WARN, "flush-bound",
		    N_("a drive with protection against power loss, a controller with a "
		       "battery, or fewer calls of fsync()"),
		    _("%.1f flushes/s take %.1f ms each: whoever calls fsync() waits for "
		      "them"),
		    load->flush.requests_s, load->flush.await_ms);
}

/* Readers wait while writes are served; a scheduler can change that. */
static void check_balance(const struct diagnose_input *input, struct diagnosis *out)
{
	const struct device_load *load = input->load;
	double slow = slow_ms(input->device);

	if (load->read.requests_s < REQUESTS_MIN || load->write.requests_s < REQUESTS_MIN ||
	    load->read.await_ms < slow || load->read.await_ms < 5 * load->write.await_ms)
		return;
	finding_add(out, FINDING_WARN, "reads-starve",
		    N_("mq-deadline with a short read_expire, or bfq; "
		       "see 'iosched-tune show'"),
		    _("reads take %.1f ms and writes %.1f ms: reads stand behind writes"),
		    load->read.await_ms, load->write.await_ms);
}

void diagnose_load(const struct diagnose_input *input, struct diagnosis *out)
{
	const struct device_load *load = input->load;
	double requests, await_ms;

	if (!load) {
		finding_add(out, FINDING_UNKNOWN, "figures", NULL,
			    _("the kernel gives no counters for it"));
		return;
	}
	if (is_hung(load)) {
		finding_add(out, FINDING_BAD, "hung",
			    N_("look for the device in the kernel log (dmesg); the cable, "
			       "the path, or the host"),
			    _("%llu requests are under way, and none has ended in %.0f "
			      "seconds"),
			    (unsigned long long)load->in_flight, load->seconds);
		return;
	}
	requests = load->read.requests_s + load->write.requests_s;
	if (requests < REQUESTS_MIN && load->busy_percent < IDLE_PERCENT) {
		finding_add(out, FINDING_OK, "idle", NULL,
			    load->is_since_boot
				    ? _("hardly used since boot: nothing to judge")
				    : _("hardly used now: nothing to judge; look again "
					"while it is slow"));
		return;
	}
	await_ms = mean_await_ms(load);
	say_figures(load, out);
	if (load->busy_percent >= BUSY_PERCENT)
		check_busy(input, await_ms, out);
	else if (load->busy_percent <= IDLE_PERCENT && await_ms > slow_ms(input->device) &&
		 !load->is_since_boot)
		check_slow_and_idle(input, await_ms, out);
	check_flushes(load, out);
	check_balance(input, out);
}

void diagnose_pattern(const struct diagnose_input *input, struct diagnosis *out)
{
	const struct pattern *pattern = input->pattern;
	bool is_spinning = input->device->class == CLASS_HDD ||
			   input->device->class == CLASS_SMR_HDD;
	double random, sync, reads;

	if (!pattern)
		return;
	random = 100.0 * (double)pattern->random / (double)pattern->requests;
	sync = 100.0 * (double)pattern->sync / (double)pattern->requests;
	reads = 100.0 * (double)pattern->reads / (double)pattern->requests;
	finding_add(out, FINDING_OK, "pattern", NULL,
		    _("%llu requests of %.0f KiB: %.0f %% reads, %.0f %% random, %.0f %% "
		      "that somebody waits for"),
		    (unsigned long long)pattern->requests, pattern->mean_kib, reads, random,
		    sync);
	if (is_spinning && random >= 60 && pattern->mean_kib < 64)
		finding_add(out, FINDING_WARN, "seek-bound",
			    N_("flash for this load; a scheduler can shorten the seeks, "
			       "not remove them"),
			    _("%.0f %% of the requests are random and small: a spinning "
			      "disk does some 100 to 200 of them in a second"),
			    random);
}
