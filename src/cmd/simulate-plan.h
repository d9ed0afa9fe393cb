/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plan would do to a workload, for apply --simulate. */
#ifndef IOSCHED_CMD_SIMULATE_PLAN_H
#define IOSCHED_CMD_SIMULATE_PLAN_H

#include "cmd/gather.h"
#include "report/prediction.h"

/*
 * One prediction for each different change. `workload` NULL: the profile's. 0; -EINTR:
 * ended early, with what there is; errors with a diag. *ret is for predictions_done() in
 * any case.
 */
int simulate_plan(const struct cmd_context *context, const struct gathered *gathered,
		  const char *workload, struct predictions *ret, struct diag *diag);

#endif
