// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Going back: the journal as a plan, and the journal afterwards.
 */
#include "apply/restore.h"

#include <errno.h>

#include "plan/plan.h"
#include "policy/policy.h"

int restore_plan(const struct journal *journal, const struct device_list *devices,
		 enum journal_target target, const struct device *const *named,
		 size_t named_count, struct plan **ret, struct strv *ret_gone)
{
	_cleanup_(cleanup_policy_free) struct policy *policy = NULL;
	int error;

	error = journal_to_policy(journal, devices, target, named, named_count, &policy,
				  ret_gone);
	return error ? error : plan_make(policy, ret);
}

int restore_run(const struct root *root, const struct plan *plan,
		const struct device_list *devices, struct journal *journal,
		enum journal_target target, bool is_everything,
		const struct apply_options *options, struct apply_report **ret,
		struct diag *diag)
{
	_cleanup_(cleanup_apply_report_free) struct apply_report *report = NULL;
	struct apply_options own = *options;
	int error;

	own.no_journal = true;
	error = apply_run(root, plan, devices, &own, &report, diag);
	if (error)
		return error;
	journal_drop(journal, target, is_everything, report, devices);
	error = journal_save(root, journal, diag);
	*ret = TAKE_PTR(report);
	return error ? -EUCLEAN : 0;
}
