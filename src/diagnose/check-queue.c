// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Do the queues fit each other: what the scheduler may hold (nr_requests), what the device
 * takes (queue_depth, the driver's tags), what is read ahead.
 */
#include "diagnose/diagnose.h"

#include "util/i18n.h"

/* Where reading ahead begins to push out what was cached (facts: a kernel update made 8192
   of 128). */
#define READAHEAD_LARGE_KIB 8192

static void check_depths(const struct diagnose_input *input, uint64_t requests,
			 struct diagnosis *out)
{
	const struct device *device = input->device;
	const char *active = choice_active(&device->scheduler);
	bool has_scheduler = active && !text_equal(active, "none") &&
			     !text_equal(active, "noop");
	uint64_t depth = 0;

	if (!diagnose_read_number(input, "device/queue_depth", &depth))
		depth = device->driver_tags;
	if (depth == 1 && (text_equal(device->transport, "sata") ||
			   text_equal(device->transport, "sas")))
		finding_add(out, FINDING_WARN, "no-command-queueing",
			    N_("enable command queueing: AHCI in the firmware's setup, no "
			       "libata.force=noncq, then queue_depth 31"),
			    _("the drive gets one command at a time (queue_depth 1)"));
	if (has_scheduler && depth > 1 && requests < depth)
		finding_add(out, FINDING_WARN, "shallow-queue",
			    N_("nr_requests of twice queue_depth: the scheduler can only "
			       "sort what it holds"),
			    _("nr_requests is %llu and the device takes %llu: nothing is "
			      "left for the scheduler to sort"),
			    (unsigned long long)requests, (unsigned long long)depth);
	else if (depth)
		finding_add(out, FINDING_OK, "depth", NULL,
			    _("nr_requests %llu, the device takes %llu at a time"),
			    (unsigned long long)requests, (unsigned long long)depth);
}

static void check_full(const struct diagnose_input *input, uint64_t requests,
		       struct diagnosis *out)
{
	const struct device *device = input->device;
	double room = (double)requests *
		      (double)(device->hw_queues ? device->hw_queues : 1);

	if (input->load && !input->load->is_since_boot &&
	    input->load->queue >= 0.8 * room)
		finding_add(out, FINDING_WARN, "queue-full",
			    N_("more nr_requests makes room, and latency; first see why "
			       "so much comes at once"),
			    _("%.0f requests are under way and there is room for %.0f: "
			      "others wait to get in, where nobody counts them"),
			    input->load->queue, room);
}

static void check_readahead(const struct diagnose_input *input, struct diagnosis *out)
{
	uint64_t kib;

	if (diagnose_get_value(input->device, "read_ahead_kb", &kib) &&
	    kib >= READAHEAD_LARGE_KIB)
		finding_add(out, FINDING_WARN, "large-readahead",
			    N_("read_ahead_kb=128, or what the profile says"),
			    _("read_ahead_kb is %llu: random readers fetch far more than "
			      "they use"),
			    (unsigned long long)kib);
}

static void check_switches(const struct diagnose_input *input, struct diagnosis *out)
{
	const struct device *device = input->device;
	uint64_t value;

	if (diagnose_get_value(device, "nomerges", &value) && value == 2 &&
	    (device->class == CLASS_HDD || device->class == CLASS_SMR_HDD))
		finding_add(out, FINDING_WARN, "no-merges", N_("nomerges=0"),
			    _("merging is switched off (nomerges 2) on a spinning disk"));
	if (diagnose_get_value(device, "iostats", &value) && !value)
		finding_add(out, FINDING_WARN, "no-statistics", N_("iostats=1"),
			    _("the kernel does not count its requests (iostats 0): the "
			      "figures above mean nothing"));
}

void diagnose_queue(const struct diagnose_input *input, struct diagnosis *out)
{
	uint64_t requests;

	if (input->device->level != LEVEL_OWN)
		return;
	if (diagnose_get_value(input->device, "nr_requests", &requests)) {
		check_depths(input, requests, out);
		check_full(input, requests, out);
	}
	check_readahead(input, out);
	check_switches(input, out);
}
