// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Do completions reach the processors that wait for them?
 */
#include "diagnose/diagnose.h"

#include <errno.h>

#include "diagnose/interrupts.h"
#include "util/i18n.h"

/* Fewer say nothing about where they go. */
#define INTERRUPTS_MIN 10000
/* More than this share on one processor is not spread. */
#define CONCENTRATED_PERCENT 90

static void check_spread(const struct interrupts *interrupts, struct diagnosis *out)
{
	if (interrupts->count < 4 || interrupts->cpus < 4 ||
	    interrupts->total < INTERRUPTS_MIN ||
	    interrupts->busiest * 100 < interrupts->total * CONCENTRATED_PERCENT)
		return;
	finding_add(out, FINDING_BAD, "one-processor",
		    interrupts->has_irqbalance
			    ? N_("see what pins them (smp_affinity, tuned, the options of "
				 "irqbalance), and set it free")
			    : N_("start irqbalance, or set smp_affinity of each to its "
				 "own processor"),
		    _("%llu %% of the interrupts of its %zu queues come to processor %u: "
		      "that one is the limit"),
		    (unsigned long long)(interrupts->busiest * 100 / interrupts->total),
		    interrupts->count, interrupts->busiest_cpu);
}

static void check_node(const struct interrupts *interrupts, struct diagnosis *out)
{
	if (interrupts->is_all_remote)
		finding_add(out, FINDING_WARN, "remote-node",
			    N_("set smp_affinity of its interrupts to the processors "
			       "near it (local_cpulist)"),
			    _("it hangs on NUMA node %d, and its interrupts may only go "
			      "to other nodes"),
			    interrupts->numa_node);
}

static void check_rq_affinity(const struct diagnose_input *input,
			      const struct interrupts *interrupts, struct diagnosis *out)
{
	uint64_t value;

	if (interrupts->cpus < 2 || interrupts->count >= interrupts->cpus ||
	    !diagnose_get_value(input->device, "rq_affinity", &value) || value)
		return;
	finding_add(out, FINDING_WARN, "no-affinity", N_("rq_affinity=1, or 2"),
		    _("completions stay on the processor of the interrupt (rq_affinity "
		      "0), far from whoever waits"));
}

void diagnose_interrupts(const struct diagnose_input *input, struct diagnosis *out)
{
	struct interrupts interrupts;
	size_t before = out->count;

	if (input->device->level != LEVEL_OWN || input->device->class == CLASS_LOOP)
		return;
	if (interrupts_read(input->root, input->device, &interrupts)) {
		out->error = -ENOMEM;
		return;
	}
	check_spread(&interrupts, out);
	check_node(&interrupts, out);
	check_rq_affinity(input, &interrupts, out);
	if (out->count == before && interrupts.count && interrupts.total)
		finding_add(out, FINDING_OK, "interrupts", NULL,
			    P_("%zu interrupt, on %zu of %zu processors",
			       "%zu interrupts, on %zu of %zu processors",
			       interrupts.count),
			    interrupts.count, interrupts.used_cpus, interrupts.cpus);
	interrupts_done(&interrupts);
}
