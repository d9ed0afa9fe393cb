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
};

const char *sim_reason_word(enum sim_reason reason)
{
	return reasons[reason].word;
}

const char *sim_reason_text(enum sim_reason reason)
{
	return _(reasons[reason].text);
}
