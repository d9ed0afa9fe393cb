/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words for every reason. */
#include "sim/reason.h"

#include "util/i18n.h"

static const struct {
	const char *word, *text;
} reasons[SIM_REASONS] = {
	[SIM_REASON_NONE] = { "none", N_("nothing waits that may go") },
	[SIM_REASON_DIRECT] = { "direct", N_("no scheduler: issued as it came") },
	[SIM_REASON_FIFO] = { "fifo", N_("first come, first served") },
	[SIM_REASON_ROUND_ROBIN] = { "round-robin",
				     N_("device busy: one from the next processor") },
	[SIM_REASON_AT_HEAD] = { "at-head", N_("inserted at the head: before all others") },
	[SIM_REASON_BYPASS] = { "bypass", N_("flush or returned request: passes by") },
	[SIM_REASON_BATCH] = { "batch", N_("batch goes on: next in sector order") },
	[SIM_REASON_SORTED_READ] = { "sorted-read",
				     N_("new batch, reads first: next in sector order") },
	[SIM_REASON_EXPIRED_READ] = { "expired-read",
				      N_("new batch: oldest read is past its deadline") },
	[SIM_REASON_OLDEST_READ] = { "oldest-read",
				     N_("new batch: no read further on, back to the oldest") },
	[SIM_REASON_SORTED_WRITE] = { "sorted-write",
				      N_("only writes wait: next in sector order") },
	[SIM_REASON_EXPIRED_WRITE] = { "expired-write",
				       N_("only writes wait: oldest is past its deadline") },
	[SIM_REASON_OLDEST_WRITE] = { "oldest-write",
				      N_("only writes wait: none further on, back to the oldest") },
	[SIM_REASON_STARVED_SORTED] = { "starved-sorted",
					N_("writes passed over often enough: next in sector order") },
	[SIM_REASON_STARVED_EXPIRED] = { "starved-expired",
					 N_("writes passed over often enough: oldest is past its deadline") },
	[SIM_REASON_STARVED_OLDEST] = { "starved-oldest",
					N_("writes passed over often enough: back to the oldest") },
	[SIM_REASON_AGED] = { "aged", N_("lower class has waited longer than prio_aging_expire") },
	[SIM_REASON_DOMAIN_BATCH] = { "domain-batch", N_("domain's batch goes on") },
	[SIM_REASON_DOMAIN_NEXT] = { "domain-next",
				     N_("batch used up or nothing to give: next domain") },
	[SIM_REASON_SLICE] = { "slice", N_("slice goes on: nearest of the process") },
	[SIM_REASON_SLICE_NEW] = { "slice-new", N_("new slice: nearest of the process") },
	[SIM_REASON_SLICE_LATE] = { "slice-late",
				    N_("slice's one look at the clock: oldest of the process is late") },
	[SIM_REASON_SLICE_AWAITED] = { "slice-awaited",
				       N_("device was kept free for this process") },
	[SIM_REASON_SLICE_TAKEN] = { "slice-taken",
				     N_("goes before the process whose slice it was") },
	[SIM_REASON_BATCH_NEW] = { "batch-new", N_("new batch, of the other kind or of the only one") },
	[SIM_REASON_BATCH_LATE] = { "batch-late", N_("batch goes on: the oldest is late") },
	[SIM_REASON_ANTIC_SAME] = { "antic-same",
				    N_("device was kept free for this process") },
	[SIM_REASON_ANTIC_QUEUED] = { "antic-queued",
				      N_("no wait: the process before has more that waits") },
	[SIM_REASON_ANTIC_CLOSE] = { "antic-close",
				     N_("no wait: as near as the process before would be") },
	[SIM_REASON_ANTIC_THINK] = { "antic-think",
				     N_("no wait: the process before thinks for too long") },
	[SIM_REASON_ANTIC_EXIT] = { "antic-exit",
				    N_("no wait: processes like the one before do not come back") },
	[SIM_REASON_ANTIC_TIMEOUT] = { "antic-timeout",
				       N_("the process before did not come back in time") },
	[SIM_REASON_NEAREST] = { "nearest", N_("nearest to the head") },
	[SIM_REASON_SWEEP] = { "sweep", N_("sweep goes on: next in its direction") },
	[SIM_REASON_TURN] = { "turn", N_("none further on: the sweep turns here") },
	[SIM_REASON_EDGE] = { "edge", N_("none further on: to the edge, then back") },
	[SIM_REASON_WRAP] = { "wrap", N_("none further on: sweep begins at the first again") },
	[SIM_REASON_EDGE_WRAP] = { "edge-wrap",
				   N_("none further on: to the edge, and from the other one again") },
	[SIM_REASON_SLOT] = { "slot", N_("the process keeps the device: nearest request") },
	[SIM_REASON_NEW_SLOT] = { "new-slot",
				  N_("next process by virtual finish time: nearest request") },
	[SIM_REASON_RAISED_SLOT] = { "raised-slot",
				     N_("next process, its weight raised: nearest request") },
	[SIM_REASON_INJECTED] = { "injected",
				  N_("filled in while the process in service is waited for") },
};

const char *sim_reason_word(enum sim_reason reason)
{
	return reasons[reason].word;
}

const char *sim_reason_text(enum sim_reason reason)
{
	return _(reasons[reason].text);
}
