/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What apply and restore print before and after: the plan, what was written, each
 * failure once, a summary.
 */
#ifndef IOSCHED_CMD_OUTCOME_H
#define IOSCHED_CMD_OUTCOME_H

#include "apply/apply.h"
#include "cmd/verb.h"
#include "plan/plan.h"
#include "report/prediction.h"

/*
 * A dry run: the plan on stdout, with what is predicted of it where `predictions` is not
 * NULL, and nothing else. An enum exit_status.
 */
int outcome_preview(const struct cmd_context *context, const struct plan *plan,
		    const struct predictions *predictions);

/*
 * After a run: written values on stdout, failures and the summary on stderr. Gives
 * EXIT_STATUS_DONE; EXIT_STATUS_DENIED when nothing failed for another reason than
 * permission; EXIT_STATUS_SOME_FAILED otherwise.
 */
int outcome_report(const struct cmd_context *context, const struct plan *plan,
		   const struct apply_report *report);

#endif
